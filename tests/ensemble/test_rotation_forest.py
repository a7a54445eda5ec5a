"""Rotation forests: every promise of an ensemble kept with members that see rotated columns."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey import (
    AdaBoost,
    Bootstrap,
    EnsembleClassifier,
    RandomSubspace,
    RotationForestClassifier,
    RotationForestRegressor,
    load_model,
    save_model,
)
from covey.strategies.rotation import Rotation
from covey.strategies.view import Rotated, as_numbers
from covey.table import as_table

X, y = load_iris(return_X_y=True)
TREE = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)


def mixed(n_samples=200, gaps=False):
    rng = np.random.default_rng(0)
    code = rng.integers(0, 4, n_samples)
    frame = pd.DataFrame(
        {
            "letter": pd.Categorical.from_codes(code, list("abcd")),
            "size": rng.normal(size=n_samples) + (code == 2),
            "open": rng.random(n_samples) < 0.5,
            "same": 1.0,
        }
    )
    target = np.where(np.isin(code, [0, 2]), "yes", "no")
    if gaps:
        frame.loc[::7, "size"] = np.nan
        frame.loc[::9, "letter"] = None
    return frame, target


def test_probabilities_are_the_mean_of_members_trained_on_their_rotations():
    model = RotationForestClassifier(TREE, 5, random_state=0).fit(X, y)
    table = as_table(X)
    expected = 0
    for member in model._members:
        seen = member.view.see(table).matrix.astype(np.float32)
        alone = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=member.model.random_state)
        expected = expected + alone.fit(seen, y).predict_proba(seen) / 5
    np.testing.assert_allclose(model.decision_function(X), expected, atol=1e-10)


def test_votes_are_counted_where_there_are_no_probabilities():
    model = RotationForestClassifier(LinearSVC(), 4, random_state=0).fit(X, y)
    assert set(np.unique(model.decision_function(X).round(6) * 4)) <= {0, 1, 2, 3, 4}
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize(
    "base", [TREE, GaussianNB(), KNeighborsClassifier(3), HistGradientBoostingClassifier(max_iter=3)], ids=str
)
def test_categories_become_columns_for_any_base(base):
    frame, target = mixed()
    model = RotationForestClassifier(base, 8, random_state=0).fit(frame, target)
    assert model.score(frame, target) > 0.9
    assert all(features.tolist() == [0, 1, 2] for features in model.estimators_features_)  # one column never varies
    assert {member.n_features_in_ for member in model.estimators_} == {6}


def test_missing_values_are_told_of_once_in_fit_and_never_in_predict():
    frame, target = mixed(gaps=True)
    model = RotationForestClassifier(GaussianNB(), 8, random_state=0)  # which knows no missing values
    with pytest.warns(UserWarning, match="Missing values in column 'letter' and 1 more are replaced") as told:
        model.fit(frame, target)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert model.__sklearn_tags__().input_tags.allow_nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.score(frame, target) > 0.85
        RotationForestClassifier(GaussianNB(), 2).fit(*mixed()).predict(frame)


def test_an_identifier_is_warned_of_whatever_the_base():
    frame, target = mixed()
    frame["name"] = [f"person {i}" for i in range(200)]
    with pytest.warns(UserWarning, match="'name' has 200 categories in 200 rows, of which the 30 most frequent"):
        RotationForestClassifier(HistGradientBoostingClassifier(max_iter=1), 1).fit(frame, target)


def test_of_many_categories_the_most_frequent_are_told_apart():
    rng = np.random.default_rng(0)
    codes = np.r_[np.repeat(np.arange(30), 8), np.arange(30, 60)]  # eight rows of each of 30, and one of 30 others
    towns = [f"town {code}" for code in rng.permutation(60)[codes]]
    frame = pd.DataFrame({"x": rng.normal(size=len(codes)), "town": towns})
    model = RotationForestClassifier(TREE, 1, random_state=0).fit(frame, np.isin(codes, range(0, 60, 3)))
    numbers = model._rotations[0].numbers
    kept = numbers.category[~np.isnan(numbers.category)].astype(int)
    often = frame["town"].value_counts()
    assert {model.schema_.categories[1][code] for code in kept} == set(often.index[often == 8])
    assert model._rotations[0].n_columns == 31
    # A row of another category is in none of the columns, and another one than a row without a value.
    others = numbers.of(as_table(frame).matrix, None)[1:, -30:]
    assert (others == -1.0).all()


@pytest.mark.parametrize(("n_categories", "n_columns"), [(2, 1), (3, 3), (30, 30), (31, 30)])
def test_few_categories_have_a_column_each(n_categories, n_columns):
    table = as_table(pd.DataFrame({"town": [f"town {i % n_categories}" for i in range(200)]}))
    assert len(as_numbers(table, np.ones(200))) == n_columns


def test_too_many_categories_are_refused_before_work_starts(monkeypatch):
    monkeypatch.setattr("covey.table.design.MOST_BYTES", 1000)
    with pytest.raises(ValueError, match="column 'letter' has 4 categories; with a column for each"):
        RotationForestClassifier(TREE, 1).fit(*mixed())


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.filterwarnings("ignore:Missing values in column")
def test_saved_and_loaded_it_is_the_same(tmp_path, gaps):
    frame, target = mixed(gaps=gaps)
    model = RotationForestClassifier(TREE, 5, random_state=0, warm_start=True).fit(frame, target)
    loaded = load_model(save_model(model, tmp_path / "forest.covey"))
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frame))
    assert len({id(rotation.numbers) for rotation in loaded._rotations}) == 1
    for one in (model, loaded):
        one.set_params(n_estimators=8).fit(frame, target)
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frame))


def test_a_forest_within_a_subspace_within_a_bootstrap():
    forest = RotationForestClassifier(TREE, 3, group_size=2)
    model = EnsembleClassifier(forest, 6, draw=Bootstrap(), subspace=RandomSubspace(3), random_state=0).fit(X, y)
    assert len(model.estimators_) == 18
    assert all(len(features) == 3 for features in model.estimators_features_)
    assert (np.mean(model.member_predictions(X) == y[:, None], axis=0) > 0.8).all()


def test_forests_within_rotations_and_subspaces_within_forests():
    for inner in (RotationForestClassifier(TREE, 3), EnsembleClassifier(TREE, 3, subspace=RandomSubspace(3))):
        model = RotationForestClassifier(inner, 5, random_state=0).fit(X, y)
        assert len(model.estimators_) == 15
        assert all(isinstance(rotation, Rotated) for rotation in model._rotations)
        assert (np.mean(model.member_predictions(X) == y[:, None], axis=0) > 0.8).all()


def test_gaps_reach_a_forest_within_an_ensemble():
    frame, target = mixed(gaps=True)
    model = EnsembleClassifier(RotationForestClassifier(GaussianNB(), 3), 2, random_state=0)
    with pytest.warns(UserWarning, match="are replaced by the mean"):
        model.fit(frame, target)
    assert model.score(frame, target) > 0.8


def test_out_of_bag_and_boosting_with_rotations():
    bagged = EnsembleClassifier(TREE, 40, draw=Bootstrap(), subspace=Rotation(), oob_score=True, random_state=0)
    held_out = cross_val_score(bagged, X, y, cv=10).mean()
    assert bagged.fit(X, y).oob_score_ == pytest.approx(held_out, abs=0.03)
    stump = DecisionTreeClassifier(max_depth=2)
    boosted = EnsembleClassifier(stump, 10, subspace=Rotation(2), reweight=AdaBoost(), random_state=0).fit(X, y)
    assert len(set(boosted.estimator_weights_)) > 1
    assert boosted.score(X, y) > 0.95


def test_parameters_of_a_rotation_can_be_searched_and_are_checked():
    model = EnsembleClassifier(TREE, 2, subspace=Rotation()).set_params(subspace__group_size=0)
    with pytest.raises(ValueError, match="group_size=0"):
        model.fit(X, y)
    for params in ({"group_size": 0}, {"sample_share": 1.2}, {"sample_share": 0.0}):
        with pytest.raises(ValueError, match=next(iter(params))):
            RotationForestClassifier(TREE, 2, **params).fit(X, y)


def test_regression():
    X, y = load_diabetes(return_X_y=True)
    folds = KFold(5, shuffle=True, random_state=0)
    tree = DecisionTreeRegressor(min_samples_leaf=5)
    forest = cross_val_score(RotationForestRegressor(tree, 30, random_state=0), X, y, cv=folds).mean()
    single = cross_val_score(tree.set_params(random_state=0), X, y, cv=folds).mean()
    assert forest > single + 0.15
    # What is linear in the columns is linear in any rotation of them.
    linear = RotationForestRegressor(LinearRegression(), 3, random_state=0).fit(X, y)
    np.testing.assert_allclose(linear.predict(X), LinearRegression().fit(X, y).predict(X))


def scores(model, X, y, n_repeats=2):
    folds = RepeatedStratifiedKFold(n_splits=4, n_repeats=n_repeats, random_state=0)
    return cross_val_score(model.set_params(random_state=1), X, y, cv=folds)


@pytest.mark.slow
@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_digits])
def test_as_accurate_as_aeon(load):
    peer = pytest.importorskip("aeon.classification.sklearn").RotationForestClassifier(n_estimators=50)
    X, y = load(return_X_y=True)
    tree = DecisionTreeClassifier(criterion="entropy")  # the peer's
    found = scores(RotationForestClassifier(tree, 50), X, y, 5) - scores(peer, X, y, 5)
    error = np.sqrt((1 / 20 + 1 / 3) * found.var(ddof=1))
    assert abs(found.mean()) < 2.1 * error + 0.005  # the 95 % point of t with 19 degrees of freedom
