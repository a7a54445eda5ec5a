"""Nearest neighbours from multiple feature subsets, for numbers."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import lsq_linear
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from covey import FeatureSubsetNeighborsClassifier, FeatureSubsetNeighborsRegressor
from covey.ensemble import feature_subset_regressor
from covey.ensemble.subset_neighbors import multiplicities
from covey.learners import case_base
from covey.models.fields import RefusedError
from learners.neighbors_twin import left_out, squared_distances
from learners.test_neighbors import CATEGORICAL, mixed_data
from models.files import reread

X, Y = (part[:120] for part in load_diabetes(return_X_y=True))


def mfs(n_estimators=5, **params):
    return FeatureSubsetNeighborsRegressor(n_estimators, random_state=0, **params)


def mean_of_nearest(squared, values, k):
    """Return the mean of the k nearest, those as near as the last sharing its place."""
    k = min(k, len(squared))
    bound = np.sort(squared)[k - 1]
    nearer = squared < bound * (1 - 1e-9)
    as_near = ~nearer & (squared <= bound * (1 + 1e-9))
    return (values[nearer].sum() + (k - nearer.sum()) * values[as_near].mean()) / k


def left_out_means(X, y, columns, k):
    """Return the mean of each row's nearest others along some columns."""
    squared = squared_distances(X, X, CATEGORICAL, np.bincount(columns, minlength=4))
    parts = (left_out(squared, i) for i in range(len(y)))
    return np.array([mean_of_nearest(away, y[others], k) for away, others in parts])


def mixed_values(seed, n_rows):
    X, _ = mixed_data(seed, n_rows)
    return X, np.random.default_rng(seed).standard_normal(n_rows)


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([1, 3, 5]))
@settings(max_examples=25, deadline=None)
def test_members_are_the_twins(seed, replacement, k):
    X, y = mixed_values(seed, 30)
    asked, _ = mixed_values(seed + 1, 10)
    model = mfs(replacement=replacement, subset_size=3, n_neighbors=k, categorical_features=[0, 2]).fit(X, y)
    said = model.member_predictions(asked)
    for member, columns in enumerate(model.estimators_features_):
        squared = squared_distances(X, asked, CATEGORICAL, np.bincount(columns, minlength=4))
        np.testing.assert_allclose(said[:, member], [mean_of_nearest(row, y, k) for row in squared], atol=1e-9)
    np.testing.assert_allclose(model.predict(asked), model.intercept_ + said @ model.estimator_weights_)


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=10, deadline=None)
def test_the_curve_is_the_twins_and_the_best_pair_is_taken(seed, replacement):
    X, y = mixed_values(seed, 20)
    model = mfs(4, replacement=replacement, weighting="uniform", categorical_features=[0, 2]).fit(X, y)
    model.subset_size_, chosen = 4, (model.subset_size_, model.n_neighbors_)
    drawn = model._draws(4).of_members()
    errors = {}
    for size in (1, 2, 3, 4):
        for k in (1, 2, 3, 5):
            outputs = np.mean([left_out_means(X, y, columns, k) for columns in drawn[:, :size]], axis=0)
            errors[size, k] = np.sqrt(np.mean((outputs - y) ** 2))
    assert model.size_curve_ == pytest.approx({s: min(errors[s, k] for k in (1, 2, 3, 5)) for s in (1, 2, 3, 4)})
    assert errors[chosen] == pytest.approx(min(errors.values()))
    np.testing.assert_array_equal(model.estimator_weights_, np.full(4, 0.25))


def test_members_are_the_classifiers():
    few = mfs(8, subset_size=4).fit(X, Y)
    votes = FeatureSubsetNeighborsClassifier(8, subset_size=4, random_state=0).fit(X, Y > 100)
    np.testing.assert_array_equal(np.stack(few.estimators_features_), np.stack(votes.estimators_features_))


class TestWeights:
    def left_out(self, model):
        means = [left_out_means(self.X, self.y, columns, model.n_neighbors_) for columns in model.estimators_features_]
        return np.stack(means, axis=1) - self.y.mean(), self.y - self.y.mean()

    X, y = mixed_values(3, 60)
    y = y + 2 * np.nan_to_num(X[:, 0])
    options: ClassVar = {"subset_size": 2, "n_neighbors": 2, "categorical_features": [0, 2]}

    def test_they_have_the_least_penalised_error(self):
        model = mfs(12, **self.options).fit(self.X, self.y)
        said, true = self.left_out(model)
        penalty = feature_subset_regressor.SHRINKAGE * 12 * (true @ true)
        stacked = np.vstack([said, np.sqrt(penalty) * np.eye(12)])
        best = lsq_linear(stacked, [*true, *[np.sqrt(penalty) / 12] * 12], bounds=(0, np.inf), tol=1e-14).x
        np.testing.assert_allclose(model.estimator_weights_, best, atol=1e-6)
        assert (model.estimator_weights_ == 0).any()
        assert model.intercept_ == pytest.approx(self.y.mean() * (1 - best.sum()), abs=1e-6)

    def test_outputs_left_out_are_of_weights_found_without_the_row(self):
        model = mfs(12, **self.options).fit(self.X, self.y)
        said, true = self.left_out(model)
        penalty = feature_subset_regressor.SHRINKAGE * 12 * (true @ true)
        active = model.estimator_weights_ > 0
        outputs = []
        for i in range(len(true)):
            A, t = np.delete(said[:, active], i, axis=0), np.delete(true, i)
            weights = np.linalg.solve(A.T @ A + penalty * np.eye(active.sum()), A.T @ t + penalty / 12)
            outputs.append(self.y.mean() + said[i, active] @ weights)
        np.testing.assert_allclose(model._left_out_outputs(), outputs, atol=1e-9)

    def test_of_many_rows_some_weigh_and_others_only_get_outputs(self, monkeypatch):
        monkeypatch.setattr(feature_subset_regressor, "WEIGHING", 40)
        model = mfs(12, **self.options).fit(self.X, self.y)
        said, _ = self.left_out(model)
        rest = np.setdiff1d(np.arange(60), model._left_out(model._cases.layout, 40))
        expected = model.intercept_ + (said + self.y.mean()) @ model.estimator_weights_
        outputs = model._left_out_outputs()
        np.testing.assert_allclose(outputs[rest], expected[rest], atol=1e-9)
        assert np.mean((outputs - self.y) ** 2) > np.mean((expected - self.y) ** 2)


def test_uniform_outputs_left_out_are_the_twins():
    X, y = mixed_values(5, 40)
    model = mfs(6, subset_size=2, n_neighbors=3, weighting="uniform", categorical_features=[0, 2]).fit(X, y)
    means = [left_out_means(X, y, columns, 3) for columns in model.estimators_features_]
    np.testing.assert_allclose(model._left_out_outputs(), np.mean(means, axis=0), atol=1e-9)


@pytest.mark.parametrize("weighting", ["optimal", "uniform"])
def test_rows_without_weight_get_no_output_and_others_are_as_repeated(weighting):
    weight = np.arange(len(Y)) % 3
    weighted = mfs(8, weighting=weighting).fit(X, Y, sample_weight=weight)
    repeated = mfs(8, weighting=weighting).fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight))
    outputs = weighted._left_out_outputs()
    assert np.isnan(outputs[weight == 0]).all()
    np.testing.assert_allclose(np.repeat(outputs, weight), repeated._left_out_outputs())
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X))


def test_columns_that_say_nothing_get_no_weight():
    X, y = make_friedman1(600, n_features=15, noise=1.0, random_state=0)
    errors = {}
    for name, model in {
        "optimal": mfs(100),
        "uniform": mfs(100, weighting="uniform"),
        "sklearn": make_pipeline(MinMaxScaler(), KNeighborsRegressor(5, weights="distance")),
    }.items():
        errors[name] = np.sqrt(np.mean((model.fit(X[:400], y[:400]).predict(X[400:]) - y[400:]) ** 2))
    assert errors["optimal"] < 0.75 * min(errors["uniform"], errors["sklearn"])


def test_what_is_chosen_is_what_is_given():
    model = mfs(20).fit(X, Y)
    given = mfs(20, subset_size=model.subset_size_, n_neighbors=model.n_neighbors_).fit(X, Y)
    assert not hasattr(given, "size_curve_")
    np.testing.assert_array_equal(model.predict(X), given.predict(X))


def test_chunks_and_jobs_do_not_matter(monkeypatch):
    X, y = mixed_values(5, 60)
    model = mfs(categorical_features=[0, 2]).fit(X, y)
    monkeypatch.setattr(case_base, "CHUNK_BYTES", 20000)
    again = mfs(categorical_features=[0, 2], n_jobs=2).fit(X, y)
    assert again.size_curve_ == model.size_curve_
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_one_column_has_a_curve_of_one_size():
    assert list(mfs(n_neighbors=2).fit(X[:, :1], Y).size_curve_) == [1]


class TestFewRows:
    def test_one_row(self):
        model = mfs().fit([[1.0, 2.0]], [3.0])
        assert model.predict([[0.0, 5.0]]).tolist() == pytest.approx([3.0])
        assert model._left_out_outputs().tolist() == pytest.approx([3.0])

    def test_a_constant_target(self):
        model = mfs().fit(X, np.full(len(X), 2.5))
        np.testing.assert_allclose(model.predict(X), 2.5)
        assert set(model.size_curve_.values()) == {0.0}

    @pytest.mark.parametrize("factor", [1e140, 1e-140])
    def test_very_large_and_small_targets(self, factor):
        np.testing.assert_allclose(mfs().fit(X, factor * Y).predict(X), factor * mfs().fit(X, Y).predict(X))


def test_progress(capsys):
    mfs(verbose=2).fit(X, Y)
    assert "10 of 10 sizes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda model: model._cases.codes.__setitem__(0, 1), "rows of several classes"),
        (lambda model: setattr(model, "_values", model._values[1:]), "rows"),
        (lambda model: model.estimators_features_.__setitem__(0, np.array([99])), "points beyond the 10 features"),
    ],
)
def test_forged_files_are_refused(spoil, message):
    model = mfs(subset_size=1).fit(X, Y)
    np.testing.assert_array_equal(reread(model).predict(X), model.predict(X))
    np.testing.assert_array_equal(reread(model)._left_out_outputs(), model._left_out_outputs())
    spoil(model)
    with pytest.raises(RefusedError, match=message):
        reread(model)


@pytest.mark.parametrize(
    ("name", "value"), [("subset_size", 0), ("n_neighbors", 0), ("n_neighbors", "all"), ("weighting", "best")]
)
def test_bad_parameters(name, value):
    with pytest.raises(ValueError, match=name):
        mfs().set_params(**{name: value}).fit(X, Y)


def test_more_neighbours_than_cases():
    with pytest.raises(ValueError, match="n_neighbors=200 is more than the 120 cases"):
        mfs(n_neighbors=200).fit(X, Y)


def test_subsets_hold_columns_as_often_as_they_are_drawn():
    model = mfs(30, subset_size=8).fit(X, Y)
    times = multiplicities(np.stack(model.estimators_features_), 10)
    assert (times.sum(axis=1) == 8).all()
    assert times.max() > 1
