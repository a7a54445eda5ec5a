from __future__ import annotations

import pickle
import re
import sys
from dataclasses import replace

import pytest

from covey.study import CycledFolds
from covey.study.checks import Problems, StudyError, check_study, is_file_name
from covey.study.spec import DataSpec, MethodSpec, Study

STUDY = Study("ours", (DataSpec("wine", "wine"),), (MethodSpec("mb", "covey:mb"),), CycledFolds(), ("accuracy",), 0)


def problems_of(study, **options) -> list[str]:
    with pytest.raises(StudyError) as caught:
        check_study(study, **options)
    return list(caught.value.problems)


def test_a_sound_study_passes():
    methods = (
        MethodSpec("a", "covey:random-forest", {"n_estimators": 5}),
        MethodSpec("b", "covey.EnsembleClassifier", {"subspace": {"estimator": "covey.RandomSubspace"}}),
        MethodSpec("c", "pipeline", {"steps": [{"estimator": "sklearn.preprocessing.StandardScaler"}, {"id": "c4.5"}]}),
    )
    check_study(replace(STUDY, methods=methods, metrics=("error", "neg_log_loss", "roc_auc_ovr")))
    trees = MethodSpec("trees", "covey.RotationForestRegressor")
    sugar = DataSpec("sugar", "sklearn:diabetes")
    check_study(replace(STUDY, datasets=(sugar,), methods=(trees,), task="regression", metrics=("r2",)))


def test_everything_that_is_wrong_is_said_at_once():
    methods = (
        MethodSpec("typo", "sklearn.svm.SCV"),
        MethodSpec("good", "covey:mb"),
        MethodSpec("bad value", "sklearn.tree.DecisionTreeClassifier", {"max_depth": 0}),
        MethodSpec("numbers", "sklearn.svm.SVR"),
        MethodSpec("strategy", "covey.Bootstrap"),
        MethodSpec("clusters", "sklearn.cluster.KMeans"),
        MethodSpec("no odds", "sklearn.svm.LinearSVC"),
        MethodSpec("steps", "pipeline", {"steps": [{"id": "mb"}, {"id": "mb"}]}),
    )
    data = (*STUDY.datasets, DataSpec("mine", "mine.csv"), DataSpec("typo", "wnie"))
    found = problems_of(replace(STUDY, datasets=data, methods=methods, metrics=("accuracy", "roc_auc"), file="a.toml"))
    expected = [
        "in method 'typo', method[0].estimator='sklearn.svm.SCV': sklearn.svm has no 'SCV'; did you mean",
        "in method 'bad value', method[2].params.max_depth=0 is refused: ",
        "in method 'numbers', method[3].estimator='sklearn.svm.SVR' is no classifier, but the study is for",
        "in method 'strategy', method[4].estimator='covey.Bootstrap' does not predict",
        "in method 'clusters', method[5].estimator='sklearn.cluster.KMeans' is no classifier",
        "in method 'no odds', method[6].estimator='sklearn.svm.LinearSVC' gives no probabilities as configured",
        "in method 'steps', method[7].pipeline[0].id='mb' has no transform",
        "dataset 'mine': there is no file 'mine.csv'",
        "dataset 'typo': source='wnie' is no dataset that is there; did you mean 'wine'",
    ]
    assert len(found) == len(expected)
    for said, beginning in zip(found, expected, strict=True):
        assert said.startswith(beginning)


def test_data_are_looked_for_but_not_read(tmp_path):
    file = tmp_path / "data.csv"
    file.write_text("this is \0 no table")
    check_study(replace(STUDY, datasets=(DataSpec("a", str(file)), DataSpec("b", "Breast Cancer"))))
    check_study(replace(STUDY, datasets=(DataSpec("a", "openml:61"), DataSpec("b", "SKLearn:iris"))))
    wrong = (str(tmp_path / "other.csv"), "sklearn:sonar", "nowhere:iris")
    absent = replace(STUDY, datasets=tuple(DataSpec(source, source) for source in wrong))
    assert len(problems_of(absent)) == 3
    check_study(absent, data=False)


def test_a_classifier_has_to_say_that_it_is_one(tmp_path, monkeypatch):
    text = (
        "class Old:\n"
        "    def get_params(self, deep=True): return {}\n"
        "    def fit(self, X, y): return self\n"
        "    def predict(self, X): return X\n"
    )
    (tmp_path / "old_package.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        (said,) = problems_of(replace(STUDY, methods=(MethodSpec("old", "old_package.Old"),)))
    finally:
        sys.modules.pop("old_package", None)
    silent = "does not say what it is; derive its class from BaseEstimator"
    assumed = "is no classifier, but the study is for classification"  # as scikit-learn before 1.8 has it
    assert re.search(rf"method\[0\]\.estimator='old_package\.Old' ({silent}|{assumed})", said)


def test_the_error_names_the_file_and_says_one_thing_in_one_line():
    one, two = StudyError("a.toml", ["seed is missing."]), StudyError("a.toml", ["seed is missing.", "x=3 is bad."])
    assert str(one) == "a.toml: seed is missing."
    assert str(two) == "a.toml has 2 errors:\n- seed is missing.\n- x=3 is bad."
    again = pickle.loads(pickle.dumps(two))
    assert (str(again), again.problems, again.where) == (str(two), two.problems, "a.toml")
    with pytest.raises(ValueError, match=r"^study 'ours': in method"):
        check_study(replace(STUDY, methods=(MethodSpec("svr", "sklearn.svm.SVR"),)))


def test_problems_are_gathered_but_other_errors_are_not_hidden():
    problems = Problems()
    with problems.noting("a."):
        raise TypeError("b=3 is bad")
    assert problems == ["a.b=3 is bad"]
    with pytest.raises(KeyError), problems.noting():
        raise KeyError("a mistake of ours")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("wine", False),
        ("patients.csv", True),
        ("patients.CSV.gz", True),
        ("data/patients", True),
        ("sklearn:iris", False),
        ("openml:some/name.csv", False),
        ("there.txt", True),
        ("there", False),
        ("absent.txt", False),
        ("breast-w.data", False),
    ],
)
def test_files_are_told_from_names(source, expected, tmp_path):
    (tmp_path / "there.txt").touch()
    (tmp_path / "there").touch()
    assert is_file_name(source, tmp_path) is expected
