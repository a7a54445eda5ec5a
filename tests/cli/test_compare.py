import json
import shutil
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import covey.comparison.budget  # noqa: F401  # the command reads a budget before it imports what is replaced here
from covey.cli.compare import _name_of
from covey.study import Results

QUICK = ["--folds", 2, "--repeats", 1, "-w", 1, "-q"]


@pytest.fixture
def patients(tmp_path):
    rng = np.random.default_rng(0)
    ages = rng.normal(50, 10, 60).round(1)
    frame = pd.DataFrame({"id": range(60), "age": ages, "town": rng.choice(["Ely", "[red]Bath"], 60)})
    file = tmp_path / "patients [x].csv"
    frame.assign(outcome=np.where(ages > 50, "ill", "well")).to_csv(file, index=False)
    return file


@pytest.fixture
def asked(monkeypatch):
    """Stands in for `covey.compare` and keeps what it was given."""
    given = {}

    def compare(data, target=None, **settings):
        given.update(settings, data=data, target=target)
        raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "covey.comparison", SimpleNamespace(compare=compare))
    return given


def test_every_option_is_handed_on(covey, asked, tmp_path):
    found = covey(
        "compare", "a.csv", "wine", "--target", "y", "--drop", "id", "--drop", "day", "--task", "regression",
        "--metric", "r2", "--metric", "error", "--method", "mbsasc", "--method", "sklearn.svm.SVR", "--folds", 4,
        "--positive", "ill", "--balanced", "--log-target", "--repeats", 2, "--budget", "90s", "--members", 7,
        "--seed", 9, "--workers", 3, "--dask", "local", "--timeout", 1.5,
        "--memory", "2GB", "--retry-failed", "--trust", "pkg", "--out", "folder", "--save-best", "m.covey", "--quiet",
        "--categorical", "zip", "--text", "comment", "--missing", "-999", "--missing", "gone", "--keep", "no",
    )  # fmt: skip
    assert found.code == 130
    assert found.err == "Stopped. What is finished is kept; the same command goes on from there.\n"
    progress = asked.pop("progress")
    assert asked.pop("budget").seconds == 90
    assert progress._quiet
    assert asked.pop("out").name == "folder"
    assert asked.pop("save_best").name == "m.covey"
    assert asked == {
        "data": ["a.csv", "wine"], "target": "y", "drop": ("id", "day"), "task": "regression",
        "metrics": ["r2", "error"], "methods": ["mbsasc", "sklearn.svm.SVR"],
        "n_folds": 4, "n_repeats": 2, "n_estimators": 7, "seed": 9,
        "positive": "ill", "class_weight": "balanced",
        "n_workers": 3, "cluster": "local", "timeout": 1.5, "memory": 2 * 10**9,
        "retry_failed": True, "trust": ("pkg",), "log_target": True, "overwrite": False,
        "categorical": ("zip",), "text": ("comment",), "missing": ("-999", "gone"), "keep": ("no",),
    }  # fmt: skip
    assert list(tmp_path.iterdir()) == []


def test_defaults_are_left_to_the_comparison(covey, asked):
    covey("compare", "wine")
    assert (asked["data"], asked["target"], asked["out"].name) == ("wine", None, "covey-wine")
    assert (asked["metrics"], asked["methods"], asked["task"], asked["n_folds"]) == (None, None, None, 5)


@pytest.mark.parametrize(
    ("data", "name"),
    [(["wine"], "wine"), (["sklearn:iris"], "iris"), (["a/b/patients.csv.gz"], "patients"), (["a", "b"], "comparison")],
)
def test_the_folder_is_called_after_the_data(data, name):
    assert _name_of(data) == name


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--folds", "1"], "--folds"),
        (["--task", "guessing"], "--task"),
        (["--memory", "much"], "--memory 'much' is no size"),
        (["--workers", "0"], "--workers"),
        (["--timeout", "soon"], "--timeout"),
        (["--save-best", "m.covey"], "m.covey is there already"),
    ],
)
def test_wrong_values_are_told(covey, asked, tmp_path, arguments, words):
    (tmp_path / "m.covey").write_text("precious")
    found = covey("compare", "wine", *arguments)
    assert found.code == 2
    assert words in found.err
    assert asked == {}


PATIENTS = "patients [x].csv"
TWO_CLASSES = "'iris': --metric roc_auc is for two classes, and there are 3; try 'roc_auc_ovr'."
BLIND = "Warning: it is baseline, which looks at no column and says the same of every row."
NO_BEST = "there is no best model, for no method could be ranked. MultinomialNB: 2 of 2 fits failed"
NO_PROBABILITIES = "--metric neg_log_loss needs probabilities, which LinearSVC does not give"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([PATIENTS, "--target", "income"], "has no column 'income'"),
        ([PATIENTS], "pass --target with one of"),
        ([PATIENTS, "-t", "age", "--task", "classification"], "of 'patients [x]' holds numbers that are not whole"),
        ([PATIENTS, "-t", "age", "--task", "classification"], "give --task regression."),
        (["iris", "-m", "sklearn.svm.LinearSVC", "-m", "baseline", "--metric", "neg_log_loss"], NO_PROBABILITIES),
        (["iris", "-m", "baseline", "--metric", "roc_auc"], TWO_CLASSES),
    ],
)
def test_what_cannot_be_compared_is_told_and_leaves_nothing(covey, patients, tmp_path, arguments, words):
    found = covey("compare", *arguments, *QUICK, "--out", "found")
    assert found.code == 2
    assert words in found.err
    assert not (tmp_path / "found").exists()


def test_from_a_table_to_predictions(covey, patients, tmp_path):
    before = {path.name for path in tmp_path.iterdir()}
    found = covey(
        "compare", patients, "--target", "outcome", "--drop", "id", "--method", "c4.5", "--method", "baseline",
        "--folds", 2, "--repeats", 2, "--workers", 1, "--save-best", "m.covey", "--out", "found", "--quiet",
    )  # fmt: skip
    assert found.code == 0, found.err
    assert "C4.5 tree has the best accuracy" in found.out
    assert "Report, to open in a browser: found/report.html" in found.out
    assert "Use it with: covey predict m.covey NEW.csv" in found.out
    assert {path.name for path in tmp_path.iterdir()} - before == {"found", "m.covey"}
    assert (tmp_path / "found" / "report.html").stat().st_size > 10_000
    predicted = covey("predict", "m.covey", patients)
    assert predicted.code == 0
    assert "Against the 60 known values of outcome" in predicted.err


def test_the_ranking_as_json_and_csv(covey, patients, tmp_path):
    settings = ["-t", "outcome", "--drop", "id", "-m", "c4.5", "-m", "baseline", *QUICK, "--out", "found"]
    found = covey("compare", patients, *settings, "--json", "--csv", "r.csv", "--save-best", "m.covey")
    assert found.code == 0, found.err
    made = json.loads(found.out)
    assert (made["report"], made["model"], made["remarks"]) == ("found/report.html", "m.covey", [])
    assert made["notes"] == ["patients [x]: left out as asked: 'id'."]
    frame = Results.in_store("found/results.store").frame()
    metrics = ["accuracy", "balanced_accuracy", "neg_log_loss"]
    assert [ranking["scorer"] for ranking in made["rankings"]] == made["metrics"] == metrics
    assert made["rankings"][2]["metric"] == "log_loss"
    written = pd.read_csv(tmp_path / "r.csv")
    for ranking in made["rankings"]:
        means = frame.groupby("method")[ranking["scorer"]].mean().sort_values(ascending=False)
        means = means if ranking["larger_is_better"] else -means
        assert [row["method"] for row in ranking["methods"]] == list(means.index)
        assert ranking["best"] == means.index[0]
        of_csv = written[written["metric"] == ranking["metric"]]
        for means_of in ([row["mean"] for row in ranking["methods"]], of_csv["mean"]):
            np.testing.assert_allclose(means_of, means)
        assert list(of_csv["place"]) == [1, 2]
        assert len(ranking["methods"][0]["scores"]) == 2
    again = covey("compare", patients, *settings, "--csv", "r.csv")
    assert (again.code, again.out) == (2, "")
    assert "Ranking as CSV: r.csv" in covey("compare", patients, *settings, "--csv", "r.csv", "--force").out


def test_what_is_not_installed_is_told_in_one_line(covey, monkeypatch):
    monkeypatch.setattr("covey.study.shortlist.find_spec", lambda name: None)
    monkeypatch.setattr("covey.study.shortlist.CANDIDATES", {"classification": few_candidates()})
    found = covey("compare", "iris", *QUICK)
    assert found.code == 0, found.err
    assert found.out.count("Not tried") == 2
    assert "Not tried, because not installed: LightGBM, XGBoost, CatBoost\n" in found.out
    assert "Not tried: baseline: 150 rows take it too long" in found.out


def few_candidates():
    """The boosting packages, a baseline that is tried on few rows, and naive Bayes."""
    from covey.study import MethodSpec
    from covey.study.shortlist import CANDIDATES, Candidate

    boosters = tuple(candidate for candidate in CANDIDATES["classification"] if candidate.package)
    baseline = next(one.method for one in CANDIDATES["classification"] if one.method.name == "baseline")
    return (*boosters, Candidate(baseline, 10), Candidate(MethodSpec("bayes", "sklearn.naive_bayes.GaussianNB")))


def test_several_datasets(covey, monkeypatch):
    settings = ["--method", "c4.5", "--method", "baseline", *QUICK]
    few = covey("compare", "iris", "wine", *settings)
    assert few.code == 0, few.err
    assert "Methods over 2 datasets" in few.out
    assert few.out.count("C4.5 tree has the best accuracy") == 2
    monkeypatch.setattr("covey.cli.compare._MOST_IN_FULL", 1)
    both = json.loads(covey("compare", "iris", "wine", *settings, "--json").out)
    assert [(one["dataset"], one["metric"]) for one in both["rankings"]][::3] == [
        ("iris", "accuracy"),
        ("wine", "accuracy"),
    ]
    assert [row["method"] for row in both["overall"][0]["methods"]] == ["c4.5", "baseline"]
    many = covey("compare", "iris", "wine", *settings)
    assert "unclear" in many.out
    assert "has the best accuracy" not in many.out
    assert "Report, to open in a browser: covey-comparison/report.html" in many.out


def test_the_exit_codes_are_told(covey):
    for command in (["compare"], ["study", "run"]):
        told = " ".join(covey(*command, "--help").out.split())
        assert "exit code is 3 if fits have failed, and 130 if it was stopped by Ctrl-C" in told


FAILS = "sklearn.naive_bayes.MultinomialNB"  # on values below zero


@pytest.mark.parametrize(
    ("methods", "code", "words"),
    [
        (
            [FAILS, "sklearn.naive_bayes.ComplementNB"],
            3,
            "No method finished all of its fits on ringnorm, so there is no ranking.",
        ),
        ([FAILS, "sklearn.naive_bayes.ComplementNB"], 3, "Not ranked are MultinomialNB (2 of 2 fits failed"),
        ([FAILS, "sklearn.naive_bayes.ComplementNB"], 3, "--retry-failed tries again what failed."),
        ([FAILS, "baseline", "--save-best", "m.covey"], 3, "Not ranked is MultinomialNB: 2 of 2 fits failed"),
        (["baseline", "--save-best", "m.covey"], 0, BLIND),
        ([FAILS, "--save-best", "m.covey"], 1, NO_BEST),
        ([FAILS, "--save-best", "m.covey"], 1, "The report is covey-ringnorm/report.html."),
    ],
)
def test_methods_that_fail_and_baselines_that_are_saved_are_told(covey, tmp_path, methods, code, words):
    named = [part for one in methods for part in (["-m", one] if one[0] != "-" and one != "m.covey" else [one])]
    found = covey("compare", "generator:ringnorm", *named, *QUICK)
    assert found.code == code, found.err
    assert words in (found.err if code == 1 else found.out)
    assert (tmp_path / "m.covey").exists() == ("m.covey" in methods and code != 1)
    assert "see failed" not in found.err


def test_what_was_done_to_the_data_is_told(covey, patients):
    frame = pd.read_csv(patients)
    frame["outcome"] = (frame["outcome"] == "ill").where(frame.index > 4).astype("Float64")
    frame.to_csv(patients, index=False)
    found = covey("compare", patients, "-t", "outcome", "--drop", "id", "-m", "baseline", *QUICK)
    assert found.code == 0, found.err
    assert "patients [x]: 5 rows without a target (outcome) were dropped." in found.out
    assert "taken for classes; --task regression takes them for numbers." in found.out
    assert "patients [x]: left out as asked: 'id'." in found.out


def test_the_report_of_another_comparison_is_not_written_over(covey, patients, tmp_path):
    named = ["-m", "baseline", *QUICK, "--out", "found"]
    target = ["--target", "outcome"]
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / patients.name
    pd.read_csv(patients).head(-1).to_csv(other, index=False)
    assert covey("compare", patients, *target, *named).code == 0
    for data, wished in ((patients, ["--target", "age"]), (other, target), ("iris", [])):
        found = covey("compare", data, *wished, *named)
        assert found.code == 2
        assert found.err == (
            f"Error: found/report.html is of another comparison (target outcome of {patients}); name another --out, or "
            "add --force.\n"
        )
    assert covey("compare", patients, *target, "--drop", "id", "-m", "c4.5", *named).code == 0
    report = (tmp_path / "found" / "report.html").read_bytes()
    assert covey("compare", patients, "--target", "typo", *named, "--force").code == 2
    assert (tmp_path / "found" / "report.html").read_bytes() == report
    assert covey("compare", other, *target, *named, "--force").code == 0


def test_the_report_counts_where_a_store_has_several_comparisons(covey, patients, tmp_path):
    """Review: after --force the store had both, so that the first comparison wrote over the report of the second."""
    named, target = ["-m", "baseline", *QUICK, "--out", "found"], ["--target", "outcome"]
    second = tmp_path / "second & last.csv"
    pd.read_csv(patients).head(-1).to_csv(second, index=False)
    assert covey("compare", patients, *target, *named).code == 0
    assert covey("compare", second, *target, *named, "--force").code == 0
    for data, wished in ((patients, target), ("iris", [])):
        found = covey("compare", data, *wished, *named)
        assert found.code == 2
        assert f"is of another comparison (target outcome of {second}); name" in found.err
    assert covey("compare", second, *target, *named).code == 0
    assert covey("report", "found", "--force").code == 0  # of both
    assert covey("compare", patients, *target, *named).code == 0


def test_a_comparison_goes_on_from_another_directory(covey, patients, tmp_path, monkeypatch):
    """Review: the file was sought where the second call was made, and its own report refused as another's."""
    named = ["--target", "outcome", "-m", "baseline", *QUICK]
    assert covey("compare", patients.name, *named, "--out", "made").code == 0
    below = tmp_path / "below"
    below.mkdir()
    pd.read_csv(patients).head(-1).to_csv(below / patients.name, index=False)
    monkeypatch.chdir(below)
    assert covey("compare", f"../{patients.name}", *named, "--out", "../made").code == 0
    refused = covey("compare", patients.name, *named, "--out", "../made")
    assert refused.code == 2
    assert f"is of another comparison (target outcome of {patients})" in refused.err
    moved = shutil.move(patients, tmp_path / "moved.csv")
    assert covey("compare", moved, *named, "--out", "../made").code == 0


def test_what_must_be_known_first_stands_before_the_ranking(covey, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    frame = pd.DataFrame({"x": rng.normal(size=60), "result code": 10 * y + 5, "y": y})
    frame.to_csv(tmp_path / "leak.csv", index=False)
    found = covey("compare", tmp_path / "leak.csv", "-t", "y", "-m", "c4.5", *QUICK, "--out", tmp_path / "out")
    text = " ".join(found.out.split())
    assert text.startswith("Warning: 'result code' is 'y' under another name: each value stands for one class.")
    assert "leave it out: --drop 'result code'. Without it c4.5 reaches" in text
