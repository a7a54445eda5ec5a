import csv
import io
import json
import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression

from covey import C45Classifier, EnsembleClassifier, save_model
from covey.cli.predict import _rounded, n_alike
from covey.datasets import load
from covey.models import describe_training

TOWNS = ["Ely", "Köln", "[red]Bath"]


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    made = pd.DataFrame(
        {
            "id": np.arange(60),
            "age": rng.integers(20, 80, 60),
            "town": rng.choice(TOWNS, 60),
            "code": rng.choice(["01", "02"], 60),
        }
    )
    return made.assign(outcome=np.where(made["age"] > 50, "ill", "well"))


@pytest.fixture
def train(tmp_path):
    """Fit a learner to a table from a file, and save it as ``covey compare --save-best`` does."""

    def save(learner, table, target, name="m.covey", **about):
        file = tmp_path / "train.csv"
        table.to_csv(file, index=False)
        data = load(file, target=target, drop=["id"] if "outcome" in table else [])
        return save_model(learner.fit(*data.to_xy()), tmp_path / name, describe_training(data, **about))

    return save


@pytest.fixture
def model(frame, train):
    """A model of the first 40 rows."""
    scores = {"accuracy": {"mean": 0.9, "low": 0.8, "high": 1.0}}
    return train(C45Classifier(), frame.iloc[:40], "outcome", "model.covey", method="c4.5", scores=scores)


@pytest.fixture
def new(frame, tmp_path):
    def write(change=lambda rows: rows, name="new.csv"):
        rows = change(frame.iloc[40:].reset_index(drop=True))
        path = tmp_path / name
        rows.to_parquet(path) if name.endswith("parquet") else rows.to_csv(path, index=False)
        return path

    return write


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_new_rows_without_the_target(covey, model, new, frame):
    found = covey("predict", model, new(lambda rows: rows.drop(columns=["outcome", "id"])))
    assert found.code == 0
    assert found.err == "Model: c4.5, trained on 40 rows of train; expect accuracy 90.0% (80.0% to 100.0%).\n"
    rows = rows_of(found.out)
    assert [row["row"] for row in rows] == [str(place) for place in range(1, 21)]
    truth = frame["outcome"].iloc[40:].to_numpy()
    assert np.mean([row["prediction"] for row in rows] == truth) > 0.9


@pytest.mark.parametrize("name", ["new.csv", "new.parquet"])
def test_other_order_and_other_kinds_of_file(covey, model, new, name):
    expected = covey("predict", model, new()).out
    assert covey("predict", model, new(lambda rows: rows[rows.columns[::-1]], name)).out == expected


def test_an_arff_file(covey, model, new, tmp_path):
    expected = covey("predict", model, new()).out
    rows = pd.read_csv(tmp_path / "new.csv", dtype={"code": str})
    lines = ["@relation r", "@attribute age numeric", "@attribute code {02,01}", "@attribute town string", "@data"]
    lines += [f"{age},{code},'{town}'" for age, code, town in zip(rows["age"], rows["code"], rows["town"], strict=True)]
    (tmp_path / "new.arff").write_text("\n".join(lines))
    assert covey("predict", model, tmp_path / "new.arff").out == expected


def test_probabilities(covey, model, new, tmp_path):
    file = tmp_path / "out.csv"
    found = covey("predict", model, new(), "--probabilities", "--out", file)
    assert found.out == ""
    assert "20 predictions are in out.csv." in found.err
    written = pd.read_csv(file)
    assert list(written) == ["row", "prediction", "probability of ill", "probability of well"]
    np.testing.assert_allclose(written.iloc[:, 2:].sum(axis=1), 1.0, atol=1e-5)


def test_proba_is_the_short_name(covey, model, new):
    assert covey("predict", model, new(), "--proba").out == covey("predict", model, new(), "-p").out


def test_columns_are_passed_on_as_they_stand_in_the_file(covey, model, new, frame, tmp_path):
    more = {"day": "2024-01-31", "low": "1.50", "note": "=1+1", "gap": [None, *["x"] * 19], "row": 7}
    file = new(lambda rows: rows.assign(**more, id=[f"{place:04d}" for place in range(20)]))
    plain = rows_of(covey("predict", model, file).out)
    kept = rows_of(covey("predict", model, file, "--keep", "id", "-k", "code", "-k", "day").out)
    assert list(kept[0]) == ["row", "id", "code", "day", "prediction"]
    assert [row["id"] for row in kept] == [f"{place:04d}" for place in range(20)]
    assert {row["code"] for row in kept} == {"01", "02"}
    assert kept[0]["day"] == "2024-01-31"
    assert [row["prediction"] for row in kept] == [row["prediction"] for row in plain]
    whole = rows_of(covey("predict", model, file, "--keep", "all").out)
    names = ["id", "age", "town", "code", "outcome", "day", "low of the file", "note", "gap", "row of the file"]
    assert list(whole[0]) == ["row", *names, "prediction"]
    assert [whole[0][name] for name in ("low of the file", "note", "gap", "row of the file")] == [
        "1.50",
        "'=1+1",
        "",
        "7",
    ]
    assert whole[3]["town"] == frame["town"].iloc[43]
    found = covey("predict", model, file, "--keep", "ID")
    assert (found.code, found.out) == (2, "")
    assert "has no column 'ID'; did you mean 'id'? Its columns are 'id', 'age'" in found.err


def test_columns_of_other_files_are_passed_on_too(covey, model, new, tmp_path):
    rows = rows_of(covey("predict", model, new(name="new.parquet"), "-k", "id").out)
    assert [row["id"] for row in rows] == [str(place) for place in range(40, 60)]
    kinds = {"age": "numeric", "code": "{02,01}", "town": "string", "id": "numeric"}
    head = ["@relation r", *(f"@attribute {name} {kind}" for name, kind in kinds.items()), "@data"]
    (tmp_path / "new.arff").write_text("\n".join([*head, "30,01,Ely,7", "60,01,Ely,8"]))
    assert [row["id"] for row in rows_of(covey("predict", model, "new.arff", "-k", "id").out)] == ["7", "8"]


def test_rows_of_the_training_are_told_and_no_merit(covey, model, frame, new, tmp_path):
    file = tmp_path / "train.csv"
    told = " ".join(covey("predict", model, file).err.split())
    assert "Note: this is the file that the model was trained on." in told
    assert "values of outcome, which the model was trained on: 40 right, accuracy 100.0%. This says little" in told
    assert told.endswith("about new rows; in cross-validation it had accuracy 90.0% (80.0% to 100.0%).")
    file.write_text(file.read_text() + "\n")  # the same rows, another file
    some = covey("predict", model, file).err
    assert "rows equal rows that the model was trained on." in some
    assert "This says little about new rows" in some
    assert "trained on these" not in covey("predict", model, new()).err
    assert "says little" not in covey("predict", model, new()).err


@pytest.fixture
def numbers(tmp_path, train):
    """A model of numbers whose errors are 1, 2, ..., 99, and rows of it in ``train.csv``."""
    rows = pd.DataFrame({"a": np.arange(99.0)}).assign(b=lambda made: 3 * made["a"])
    return train(LinearRegression(), rows, "b", errors=np.arange(1, 100), method="line")


def test_intervals(covey, numbers, train, tmp_path):
    pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 96.5]}).to_csv(tmp_path / "n.csv", index=False)
    found = covey("predict", numbers, "n.csv", "--interval", 90, "--keep", "b")
    assert found.code == 0, found.err
    rows = pd.read_csv(io.StringIO(found.out))
    assert list(rows) == ["row", "b", "prediction", "low", "high"]
    np.testing.assert_allclose(rows["prediction"], [3, 6], atol=1e-9)
    np.testing.assert_allclose(rows["low"], [0, 0])  # no number was below 0 in the training
    np.testing.assert_allclose(rows["high"], [93, 96], atol=1e-9)
    assert "Intervals: about 90% of new rows like those of the training lie within 90 of the prediction" in found.err
    assert "50% of them lie in their intervals." in found.err
    assert "needs the errors of more than 99 rows" in covey("predict", numbers, "n.csv", "--interval", 99.9).err
    signed = pd.DataFrame({"a": np.arange(99.0)}).assign(b=lambda made: 3 * made["a"] - 1)
    signed = train(LinearRegression(), signed, "b", errors=np.arange(1, 100), method="line")
    rows = pd.read_csv(io.StringIO(covey("predict", signed, "n.csv", "--interval", 90).out))
    np.testing.assert_allclose(rows["low"], [-88, -85], atol=1e-9)


def test_intervals_where_there_are_none(covey, model, new, frame, train, tmp_path):
    found = covey("predict", model, new(), "--interval", 90)
    assert (found.code, found.out) == (2, "")
    assert "this one predicts classes: use --proba" in found.err
    plain = train(LinearRegression(), frame[["age", "id"]].assign(cost=frame["age"] * 2.5), "cost")
    found = covey("predict", plain, tmp_path / "train.csv", "--interval", 90)
    assert found.code == 2
    assert "keeps no errors on rows that were left out of the training" in found.err
    assert "covey compare --save-best" in found.err
    assert covey("predict", model, new(), "--interval", 100).code == 2


@pytest.mark.parametrize("about", [{"errors": {"rows": 1, "sizes": [5.0, 1.0]}}, {"row_marks": {"marks": "no"}}])
def test_forged_errors_and_rows_are_refused(covey, tmp_path, about):
    rows = pd.DataFrame({"a": [1.0, 2.0]})
    rows.to_csv(tmp_path / "n.csv", index=False)
    forged = save_model(LinearRegression().fit(rows, [1.0, 2.0]), tmp_path / "m.covey", about)
    found = covey("predict", forged, "n.csv", "--interval", 50)
    assert (found.code, found.out) == (2, "")
    assert "Traceback" not in found.err
    assert "damaged or forged" in found.err or "keeps no errors" in found.err


def test_predictions_as_json(covey, model, new, tmp_path):
    found = covey("predict", model, new(), "--json", "--keep", "town", "-p")
    made = json.loads(found.out)
    assert [row["row"] for row in made["rows"]] == list(range(1, 21))
    assert list(made["rows"][0]) == ["row", "town", "prediction", "probability of ill", "probability of well"]
    assert made["remarks"] == found.err.splitlines()
    covey("predict", model, new(), "--json", "--out", "p.json")
    assert len(json.loads((tmp_path / "p.json").read_text())["rows"]) == 20


def test_files_are_not_written_over(covey, model, new, tmp_path):
    file = tmp_path / "out.csv"
    file.write_text("precious")
    found = covey("predict", model, new(), "--out", file)
    assert (found.code, file.read_text()) == (2, "precious")
    assert "Error: out.csv is there already; name another --out, or add --force." in found.err
    assert covey("predict", model, new(), "--out", file, "--force").code == 0
    assert file.read_text().startswith("row,prediction")


UNSEEN = r"the column 'town' has categories that were never seen in training.*'\[blue\]Paris' \(rows: 20\)"
TOO_LARGE = "and at most 1000 are read; raise max_bytes if you expect as many"
SOME_KNOWN = {"outcome": [*["well"] * 5, *[None] * 15]}


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({}, 0, "Note: columns that the model does not use: 'id'"),
        ({}, 0, r"Against the 20 known values of outcome: .*accuracy"),
        (SOME_KNOWN, 0, "Against the 5 known values"),
        ({"outcome": ["new"] * 3 + ["ill"] * 17}, 0, "The model never saw 'new' in training, and cannot predict that."),
        ({"town": "[blue]Paris"}, 0, UNSEEN),
        ({"age": np.nan, "town": None, "seen": "2024-01-31"}, 0, ""),
        ({"age": "old"}, 2, "the column 'age' holds 'old' in row 1 of the data, but the model was trained on numbers"),
        (["age", "town"], 2, "lacks 2 of the 3 columns that the model was trained on: 'age', 'town'"),
    ],
)
def test_what_is_told_of_new_rows(covey, model, new, change, code, message):
    found = covey(
        "predict",
        model,
        new(lambda rows: rows.assign(**change) if isinstance(change, dict) else rows.drop(columns=change)),
    )
    assert found.code == code
    assert re.search(message, found.err, re.DOTALL)
    assert len(rows_of(found.out)) == (20 if code == 0 else 0)
    assert "accuracy" not in found.out
    assert ("never saw" in found.err) == ("never saw" in message)


def test_scores_of_one_class_are_called_as_in_the_ranking(covey, frame, train, new):
    """Review: the expected score was of "average_precision of ill", where compare says "average precision of ill"."""
    scores = {"average_precision[ill]": {"mean": 0.5, "low": 0.4, "high": 0.6}, "log_loss": {"mean": 0.25}}
    model = train(C45Classifier(), frame, "outcome", method="c4.5", scores=scores)
    said = covey("predict", model, new()).err
    assert "expect average precision of ill 0.500 (0.400 to 0.600), log loss 0.2500." in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.covey", "none.csv"], ""),
        (["model.covey", "model.covey"], ""),
        (["new.csv", "new.csv"], "is not a model"),
        (["none.covey", "new.csv"], ""),
        (["model.covey", "new.csv", "--max-bytes", "1000"], TOO_LARGE),
    ],
)
def test_files_that_cannot_be_read(covey, model, new, arguments, message):
    new()
    found = covey("predict", *arguments)
    assert found.code == 2
    assert message in found.err
    assert "Traceback" not in found.err
    assert covey("predict", model, new(), "--max-bytes", "100000").code == 0


def test_a_regression(covey, frame, train, tmp_path):
    table = frame[["age", "id"]].assign(cost=frame["age"] / 7 + frame["id"] / 3e5)
    scores = {"root_mean_squared_error": {"mean": 1.23456, "low": 1.0, "high": 1.5}, "r2": {"mean": 0.5}}
    model = train(LinearRegression(), table, "cost", method="line", scores=scores)
    found = covey("predict", model, tmp_path / "train.csv")
    assert "expect root mean squared error 1.23 (1.00 to 1.50), R² 0.5000." in found.err
    written = [row["prediction"] for row in csv.DictReader(io.StringIO(found.out))]
    assert max(len(text.replace(".", "").lstrip("0")) for text in written) == 7
    assert [_rounded(number, 7) for number in (123456789.0, 0.1 + 0.2, 3.0)] == ["123456800.0", "0.3", "3"]
    assert "root mean squared error" in found.err
    assert "R² 1.000" in found.err
    assert covey("predict", model, tmp_path / "train.csv", "-p").code == 2


def test_a_model_of_a_file_that_says_nothing_about_it(covey, frame, tmp_path):
    rows = frame[["age", "id"]].astype(float)
    model = save_model(LogisticRegression().fit(rows, frame["outcome"]), tmp_path / "m.covey")
    rows.assign(more=1).to_csv(tmp_path / "n.csv", index=False)
    assert len(rows_of(covey("predict", model, tmp_path / "n.csv").out)) == 60
    nameless = save_model(LogisticRegression().fit(rows.to_numpy(), frame["outcome"]), tmp_path / "m.covey")
    assert "does not say which columns" in covey("predict", nameless, tmp_path / "n.csv").err


@pytest.mark.parametrize("columns", ["age", [1], [{"name": "age"}], [{"name": "age", "kind": "category"}]])
def test_a_forged_description_is_refused(covey, model, new, columns):
    forged = save_model(LogisticRegression().fit([[0], [1]], [0, 1]), model, {"columns": columns, "method": "m"})
    found = covey("predict", forged, new())
    assert found.code == 2
    assert "damaged or forged" in found.err


def test_other_learners_take_the_rows_too(covey, frame, new, train):
    for learner in (HistGradientBoostingClassifier(max_iter=3), EnsembleClassifier(n_estimators=3, random_state=0)):
        assert len(rows_of(covey("predict", train(learner, frame, "outcome"), new()).out)) == 20


def test_lightgbm_is_loaded_when_it_is_trusted(covey, frame, new, train, tmp_path, monkeypatch):
    lightgbm = pytest.importorskip("lightgbm")
    model = train(lightgbm.LGBMClassifier(n_estimators=3, min_child_samples=2, verbose=-1), frame, "outcome")
    assert len(rows_of(covey("predict", model, new()).out)) == 20  # it is the user's own
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "somebody-else"))
    found = covey("predict", model, new())
    assert found.code == 2
    assert "holds parts of lightgbm, which covey cannot check." in found.err
    assert "If you know who wrote it, add --trust lightgbm." in found.err
    assert len(rows_of(covey("predict", model, new(), "--trust", "lightgbm").out)) == 20


def test_predictions_are_utf8_whatever_the_terminal(frame, train, tmp_path):
    model = train(LogisticRegression(), frame[["age", "town"]], "town")
    found = subprocess.run(
        [sys.executable, "-m", "covey.cli", "predict", str(model), str(tmp_path / "train.csv"), "-p"],
        capture_output=True, check=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin", "LANG": "C", "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert "probability of Köln" in found.stdout.decode("utf-8")


@pytest.mark.parametrize("name", ["new.csv", "new.parquet"])
@pytest.mark.parametrize("kind", [int, float, bool])
def test_classes_that_are_whole_numbers_are_judged_too(covey, frame, new, tmp_path, name, kind):
    file = new(lambda rows: rows[["age"]].assign(ill=(rows["age"] > 50).astype(kind)), name)
    data = load(file, target="ill")
    model = save_model(C45Classifier().fit(*data.to_xy()), tmp_path / "m.covey", describe_training(data))
    assert "20 right, accuracy 100.0%" in covey("predict", model, file).err


@pytest.mark.parametrize(
    ("said", "truth", "right"),
    [
        ([0, 1, 1], [0.0, 1.0, 0.0], 2),
        (["0", "1.0", "x"], [0.0, 1.0, 2.0], 2),
        ([1, 2, 3], ["1", "2.0", "new"], 2),
        (["01", "1", "a"], ["1", "1", "a"], 2),  # as texts they differ
        ([True, False], ["True", "True"], 1),
    ],
)
def test_labels_are_compared_in_the_same_form(said, truth, right):
    assert n_alike(np.array(said), np.array(truth)) == right
    assert n_alike(np.array(truth, dtype=object), np.array(said)) == right


@pytest.fixture
def model_of_labels(tmp_path):
    """A model that predicts two labels, and rows of both in ``n.csv``."""

    def save(labels, **about):
        rows = pd.DataFrame({"a": [0.0, 1.0] * 5})
        rows.to_csv(tmp_path / "n.csv", index=False)
        return save_model(C45Classifier().fit(rows, np.tile(np.array(labels), 5)), tmp_path / "m.covey", about or None)

    return save


def test_labels_cannot_take_over_a_terminal(covey, model_of_labels, tmp_path, monkeypatch):
    model = model_of_labels(["\x1b[2Jred", "\u202eright"])
    covey("predict", model, "n.csv", "-p", "--out", "out.csv")
    whole = (tmp_path / "out.csv").read_text(encoding="utf-8")
    assert {row["prediction"] for row in rows_of(whole)} == {r"\x1b[2Jred", "\u202eright"}
    assert covey("predict", model, "n.csv", "-p").out == whole  # a pipe is no terminal
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    shown = covey("predict", model, "n.csv", "-p").out
    assert not {"\x1b", "\u202e"} & set(shown)
    assert r"1,\x1b[2Jred,1,0" in shown
    assert r"probability of \u202eright" in shown


@pytest.mark.parametrize(
    ("labels", "written"), [(["=1+1", "a\nb"], ["'=1+1", r"a\nb"]), ([-5.0, 3.0], ["-5.0", "3.0"])]
)
def test_a_spreadsheet_does_not_run_labels(covey, model_of_labels, tmp_path, labels, written):
    covey("predict", model_of_labels(labels), "n.csv", "-p", "--out", "out.csv")
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").split("\n")
    assert [line.split(",")[1] for line in lines[1:3]] == written
    assert len(lines) == 12


def test_members_of_a_combination_are_told_with_their_weights(covey, model_of_labels):
    about = {"method": "covey", "rows": 10, "dataset": "x", "columns": [{"name": "a", "kind": "number"}]}
    about["members"] = {"extra trees": 0.625, "ridge\nError: forged": 0.375, "odd": "much"}
    told = covey("predict", model_of_labels(["b", "c"], **about), "n.csv").err
    assert told == "Model: covey of extra trees 62%, ridge\\nError: forged 38%, trained on 10 rows of x.\n"


def test_what_a_file_says_of_its_model_forges_no_line(covey, model_of_labels):
    about = {"method": "c4.5\nError: forged\x1b[2J\u202e", "rows": 10, "dataset": "x\nError: forged"}
    about |= {"columns": [{"name": "a", "kind": "number"}], "scores": {"a\nError: forged": {"mean": 0.5}}}
    told = covey("predict", model_of_labels(["b", "c"], **about), "n.csv").err
    assert told.startswith(
        r"Model: c4.5\nError: forged\x1b[2J\u202e, trained on 10 rows of x\nError: forged; expect a\nE"
    )
    assert not [line for line in told.splitlines() if line.startswith("Error")]
