"""The study of families: its methods can be made, and its figures are those of plain computations on the stores."""

from __future__ import annotations

import accuracy
import families
import families_report
import numpy as np
import pandas as pd
import pytest
from accuracy_report import read

from covey.datasets import load
from covey.study import CycledFolds, DataSpec, MethodSpec, Study, run_study

SETS = ("iris", "wine", "breast_cancer")
MODELS = {
    "covey": ("covey.EnsembleClassifier", {"n_estimators": 5}),
    "c4.5": ("covey:c4.5", {}),
    "SVM": ("sklearn.naive_bayes.GaussianNB", {}),
}


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("families")
    specs = tuple(DataSpec(name, f"sklearn:{name}") for name in SETS)
    for name, (path, params) in MODELS.items():
        protocol, metrics = CycledFolds(2, 2, stratified=True), accuracy.METRICS["classification"]
        study = Study("families", specs, (MethodSpec(name, path, params),), protocol, metrics, 0)
        run_study(study, accuracy.store_of(folder, name))
    return read(folder)


def test_every_method_has_a_family_and_can_be_made():
    every = list(families.methods())
    assert {method.name for method in every} == set(families.families())
    for method in every:
        if method.name not in ("LightGBM", "XGBoost"):
            method.make()


def test_parents_of_combinations_are_in_the_study():
    names = {method.name for method in families.methods()}
    assert all(set(one.parents) <= names for one in families.COMBINATIONS)
    assert len(families.COMBINATIONS) >= 5


def test_bias_and_variance_add_up_to_the_error(compared):
    parts = families_report.bias_and_variance(compared)
    accuracies = compared.scores["accuracy"].mean()
    np.testing.assert_allclose(parts["bias"] + parts["variance"], 1 - accuracies[parts.index], atol=0.005)


def test_only_methods_with_members_have_a_diversity(compared):
    members = families_report.diversity(compared)
    assert list(members.index) == ["covey"]
    assert members.loc["covey", "individual error"] > members.loc["covey", "ensemble error"]


def test_losses_are_points_behind_the_best_family(compared):
    behind = families_report.losses(compared, families.families(), without=("combination",))
    accuracies = compared.scores["accuracy"]
    best = accuracies[["c4.5", "SVM"]].max(axis=1)
    np.testing.assert_allclose(behind["trees"], 100 * (best - accuracies["c4.5"]))
    assert (behind.min(axis=1) == 0).all()


def test_the_tree_over_properties_tells_data_apart_by_what_matters():
    known = pd.DataFrame({"rows": np.arange(40), "columns": np.arange(40) % 5})
    behind = pd.DataFrame(
        {"spheres": np.where(known["rows"] < 20, 0.0, 4.0), "trees": np.where(known["rows"] < 20, 3.0, 0.0)}
    )
    lines = families_report.which_family(known, behind)
    assert lines == [
        "rows <= 19.5: 20 datasets; spheres 0.0, trees 3.0",
        "rows > 19.5: 20 datasets; trees 0.0, spheres 4.0",
    ]
    pays = families_report.advice_pays(known, behind)
    assert pays["by the tree"] < 0.2 < pays["always the same"]


def test_the_page_has_every_method_and_figure(compared, tmp_path):
    loaded = [load(f"sklearn:{name}") for name in SETS]
    text, table, drawn = families_report.page(compared, loaded, families.families(), {"covey": ("c4.5", "SVM")})
    assert set(table.index) == set(MODELS)
    assert set(drawn) == {"ranks", "time", "bias-variance"}
    assert all(f"families-{name}.svg" in text for name in drawn)
    assert "3 datasets" in text
    assert "| covey" in text
