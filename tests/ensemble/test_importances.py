from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification
from sklearn.ensemble import AdaBoostClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey import (
    AdaBoost,
    Bootstrap,
    C45Classifier,
    EnsembleClassifier,
    EnsembleRegressor,
    MultiBoostClassifier,
    OneVsOneClassifier,
    RandomSubspace,
    RotationForestClassifier,
    RotationForestRegressor,
    load_model,
    save_model,
)

# The first three columns tell the classes apart, the other five are noise.
X, y = make_classification(
    400, n_features=8, n_informative=3, n_redundant=0, n_classes=2, class_sep=1.5, shuffle=False, random_state=0
)


def test_bagging_has_the_mean_of_its_members():
    model = EnsembleClassifier(DecisionTreeClassifier(max_depth=4), 20, draw=Bootstrap(), random_state=0).fit(X, y)
    expected = np.mean([tree.feature_importances_ for tree in model.estimators_], axis=0)
    np.testing.assert_allclose(model.feature_importances_, expected)


def test_boosting_has_those_of_scikit_learn():
    rows, classes = load_breast_cancer(return_X_y=True)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    theirs = AdaBoostClassifier(stump, n_estimators=15, random_state=0).fit(rows, classes)
    ours = EnsembleClassifier(stump, 15, reweight=AdaBoost(), random_state=0).fit(rows, classes)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


def test_subspaces_count_a_column_by_the_members_that_see_it():
    base = DecisionTreeRegressor(max_depth=3)
    rows, numbers = load_diabetes(return_X_y=True)
    model = EnsembleRegressor(base, 12, subspace=RandomSubspace(0.5, replacement=True), random_state=0)
    model.fit(rows, numbers)
    expected = np.zeros(rows.shape[1])
    for tree, columns in zip(model.estimators_, model.estimators_features_, strict=True):
        for column, importance in zip(columns, tree.feature_importances_, strict=True):
            expected[column] += importance / 12
    np.testing.assert_allclose(model.feature_importances_, expected)


def test_the_columns_of_categories_count_together():
    rng = np.random.default_rng(0)
    code = rng.integers(0, 5, 300)
    frame = pd.DataFrame({"noise": rng.normal(size=300), "letter": np.array(list("abcde"))[code]})
    classes = np.isin(code, [1, 3])
    trees = EnsembleClassifier(DecisionTreeClassifier(max_depth=3), 5, random_state=0).fit(frame, classes)
    by_member = [[tree.feature_importances_[0], tree.feature_importances_[1:].sum()] for tree in trees.estimators_]
    np.testing.assert_allclose(trees.feature_importances_, np.mean(by_member, axis=0))
    assert trees.feature_importances_[1] > 0.95
    assert MultiBoostClassifier(n_estimators=5, random_state=0).fit(frame, classes).feature_importances_[1] > 0.95


def test_an_axis_shares_its_importance_out_by_squared_loadings():
    model = RotationForestClassifier(n_estimators=6, group_size=3, random_state=0).fit(X, y)
    expected = np.zeros(8)
    for tree, view in zip(model.estimators_, model._rotations, strict=True):
        np.testing.assert_allclose((view.matrix**2).sum(axis=0), 1.0)  # axes of length 1
        expected += view.matrix**2 @ tree.feature_importances_ / 6
    np.testing.assert_allclose(model.feature_importances_, expected)
    within = RotationForestClassifier(RotationForestClassifier(DecisionTreeClassifier(), 2), 2, random_state=0)
    inner = within.fit(X, y)._rotations[0]
    by_hand = inner.base.matrix**2 @ (inner.matrix**2 @ within.estimators_[0].feature_importances_)
    np.testing.assert_allclose(inner.by_column(within.estimators_[0].feature_importances_, 8), by_hand)


@pytest.mark.parametrize(
    "model",
    [
        MultiBoostClassifier(n_estimators=10, random_state=0),
        RotationForestClassifier(n_estimators=20, random_state=0),
        RotationForestRegressor(n_estimators=20, random_state=0),
        OneVsOneClassifier(C45Classifier(), random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_columns_that_matter_lead(model, tmp_path):
    importances = model.fit(X, y).feature_importances_
    assert set(np.argsort(-importances)[:3]) == {0, 1, 2}
    np.testing.assert_array_equal(SelectFromModel(model, max_features=3, prefit=True).transform(X), X[:, :3])
    saved = save_model(model, tmp_path / "model.covey")
    np.testing.assert_array_equal(load_model(saved).feature_importances_, importances)


def test_members_without_importances_are_named():
    model = EnsembleClassifier(GaussianNB(), 2, random_state=0).fit(X, y)
    with pytest.raises(AttributeError, match="those of the members, and GaussianNB has none"):
        _ = model.feature_importances_
