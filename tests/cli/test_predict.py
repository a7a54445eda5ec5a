import csv
import io
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression

from covey import C45Classifier, EnsembleClassifier, save_model
from covey.cli.predict import n_alike
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
def model(frame, tmp_path):
    """A model of the first 40 rows, as ``covey compare --save-best`` writes it."""
    file = tmp_path / "train.csv"
    frame.iloc[:40].to_csv(file, index=False)
    data = load(file, target="outcome", drop=["id"])
    fitted = C45Classifier().fit(*data.to_xy())
    about = describe_training(data, method="c4.5", scores={"accuracy": {"mean": 0.9, "low": 0.8, "high": 1.0}})
    return save_model(fitted, tmp_path / "model.covey", about)


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
    assert found.err == "Model: c4.5, trained on 40 rows of train; expect accuracy 0.9 (0.8 to 1).\n"
    rows = rows_of(found.out)
    assert [row["row"] for row in rows] == [str(place) for place in range(1, 21)]
    truth = frame["outcome"].iloc[40:].to_numpy()
    assert np.mean([row["prediction"] for row in rows] == truth) > 0.9


def test_with_the_target_it_says_how_well_it_did(covey, model, new):
    found = covey("predict", model, new())
    assert "Note: columns that the model does not know are left out: 'id'" in found.err
    assert "Against the 20 known values of outcome: " in found.err
    assert "accuracy" in found.err
    assert "accuracy" not in found.out


def test_rows_whose_target_is_missing_are_predicted_too(covey, model, new):
    found = covey("predict", model, new(lambda rows: rows.assign(outcome=rows["outcome"].where(rows.index < 5))))
    assert len(rows_of(found.out)) == 20
    assert "Against the 5 known values" in found.err


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


def test_files_are_not_written_over(covey, model, new, tmp_path):
    file = tmp_path / "out.csv"
    file.write_text("precious")
    found = covey("predict", model, new(), "--out", file)
    assert (found.code, file.read_text()) == (2, "precious")
    assert "Error: out.csv is there already; name another --out, or add --force." in found.err
    assert covey("predict", model, new(), "--out", file, "--force").code == 0
    assert file.read_text().startswith("row,prediction")


def test_missing_columns_are_named(covey, model, new):
    found = covey("predict", model, new(lambda rows: rows.drop(columns=["age", "town"])))
    assert found.code == 2
    assert "lacks 2 of the 3 columns that the model was trained on: 'age', 'town'" in found.err


def test_categories_never_seen_are_named(covey, model, new):
    found = covey("predict", model, new(lambda rows: rows.assign(town="[blue]Paris")))
    assert found.code == 0
    assert "the column 'town' has categories that were never seen in training" in found.err
    assert "'[blue]Paris' (rows: 20)" in found.err


def test_text_where_there_were_numbers(covey, model, new):
    found = covey("predict", model, new(lambda rows: rows.assign(age="old")))
    assert found.code == 2
    assert "the column 'age' holds 'old' in row 1 of the data, but the model was trained on numbers there" in found.err


def test_missing_values_and_dates_that_the_model_does_not_know_do_no_harm(covey, model, new):
    changed = new(lambda rows: rows.assign(age=np.nan, town=None, seen="2024-01-31"))
    assert covey("predict", model, changed).code == 0


@pytest.mark.parametrize("name", ["none.csv", "model.covey"])
def test_files_that_are_no_data(covey, model, name):
    found = covey("predict", model, name)
    assert found.code == 2
    assert "Traceback" not in found.err


def test_files_that_are_no_models(covey, new):
    found = covey("predict", new(), new())
    assert found.code == 2
    assert "is not a model" in found.err
    assert covey("predict", "none.covey", new()).code == 2


def test_a_regression(covey, frame, tmp_path):
    file = tmp_path / "train.csv"
    frame[["age", "id"]].assign(cost=frame["age"] * 2.5).to_csv(file, index=False)
    data = load(file, target="cost")
    model = save_model(LinearRegression().fit(*data.to_xy()), tmp_path / "m.covey", describe_training(data))
    found = covey("predict", model, file)
    assert "root mean squared error" in found.err
    assert "R2 1.000" in found.err
    assert covey("predict", model, file, "-p").code == 2


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


def test_other_learners_take_the_rows_too(covey, frame, new, tmp_path):
    file = tmp_path / "train.csv"
    frame.to_csv(file, index=False)
    data = load(file, target="outcome", drop=["id"])
    for fitted in (HistGradientBoostingClassifier(max_iter=3), EnsembleClassifier(n_estimators=3, random_state=0)):
        model = save_model(fitted.fit(*data.to_xy()), tmp_path / "m.covey", describe_training(data))
        assert len(rows_of(covey("predict", model, new()).out)) == 20


def test_lightgbm_is_loaded_when_it_is_trusted(covey, frame, new, tmp_path, monkeypatch):
    lightgbm = pytest.importorskip("lightgbm")
    file = tmp_path / "train.csv"
    frame.to_csv(file, index=False)
    data = load(file, target="outcome", drop=["id"])
    fitted = lightgbm.LGBMClassifier(n_estimators=3, min_child_samples=2, verbose=-1).fit(*data.to_xy())
    model = save_model(fitted, tmp_path / "m.covey", describe_training(data))
    assert len(rows_of(covey("predict", model, new()).out)) == 20  # it is the user's own
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "somebody-else"))
    found = covey("predict", model, new())
    assert found.code == 2
    assert "holds parts of lightgbm, which covey cannot check." in found.err
    assert "if you know who wrote it, give trust=['lightgbm']." in found.err
    assert len(rows_of(covey("predict", model, new(), "--trust", "lightgbm").out)) == 20


def test_a_large_file_is_read_where_it_is_allowed(covey, model, new):
    found = covey("predict", model, new(), "--max-bytes", "1000")
    assert found.code == 2
    assert "and at most 1000 are read; raise max_bytes if you expect as many" in found.err
    assert covey("predict", model, new(), "--max-bytes", "100000").code == 0


def test_predictions_are_utf8_whatever_the_terminal(frame, tmp_path):
    file = tmp_path / "train.csv"
    frame[["age", "town"]].to_csv(file, index=False)
    data = load(file, target="town")
    model = save_model(LogisticRegression().fit(*data.to_xy()), tmp_path / "m.covey", describe_training(data))
    found = subprocess.run(
        [sys.executable, "-m", "covey.cli", "predict", str(model), str(file), "-p"],
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
    assert "20 right, accuracy 1.000" in covey("predict", model, file).err


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


def test_labels_cannot_take_over_a_terminal(covey, tmp_path, monkeypatch):
    labels = np.array(["\x1b[2Jred", "\u202eright"])
    rows = pd.DataFrame({"a": [0.0, 1.0] * 5})
    model = save_model(C45Classifier().fit(rows, np.tile(labels, 5)), tmp_path / "m.covey")
    rows.to_csv(tmp_path / "n.csv", index=False)
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
    ("labels", "written"),
    [(["=1+1", "a\nb"], ["'=1+1", r"a\nb"]), ([-5.0, 3.0], ["-5.0", "3.0"])],
)
def test_a_spreadsheet_does_not_run_labels(covey, tmp_path, labels, written):
    rows = pd.DataFrame({"a": [0.0, 1.0] * 5})
    model = save_model(C45Classifier().fit(rows, np.tile(np.array(labels), 5)), tmp_path / "m.covey")
    rows.to_csv(tmp_path / "n.csv", index=False)
    covey("predict", model, "n.csv", "-p", "--out", "out.csv")
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").split("\n")
    assert [line.split(",")[1] for line in lines[1:3]] == written
    assert len(lines) == 12


def test_what_a_file_says_of_its_model_forges_no_line(covey, tmp_path):
    rows = pd.DataFrame({"a": [0.0, 1.0] * 5, "y": ["b", "c"] * 5})
    rows.to_csv(tmp_path / "n.csv", index=False)
    about = describe_training(load(tmp_path / "n.csv", target="y"), method="c4.5\nError: forged\x1b[2J\u202e")
    about |= {"dataset": "x\nError: forged", "scores": {"a\nError: forged": {"mean": 0.5}}}
    model = save_model(C45Classifier().fit(rows[["a"]], rows["y"]), tmp_path / "m.covey", about)
    told = covey("predict", model, "n.csv").err
    assert told.startswith(
        r"Model: c4.5\nError: forged\x1b[2J\u202e, trained on 10 rows of x\nError: forged; expect a\nE"
    )
    assert not [line for line in told.splitlines() if line.startswith("Error")]


def test_classes_that_were_never_seen_are_told(covey, model, new):
    found = covey("predict", model, new(lambda rows: rows.assign(outcome=["new"] * 3 + ["ill"] * 17)))
    assert "The model never saw 'new' in training, and cannot predict that." in found.err
    assert "never saw" not in covey("predict", model, new()).err
