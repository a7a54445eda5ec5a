"""Trees, machines and covers are the same in however many calls of a kernel they are made."""

from __future__ import annotations

import numpy as np
import pytest

from covey import (
    C45Classifier,
    LinearSVMClassifier,
    MixedNeighborsClassifier,
    RandomTreeClassifier,
    SphereCoverClassifier,
)
from covey.kernels import sizes
from covey.learners import linear_svm, presort

RNG = np.random.default_rng(0)


def draw(n_rows=600, gaps=0.0):
    X = RNG.normal(size=(n_rows, 5))
    y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * RNG.normal(size=n_rows), [-0.5, 0.5])
    X[:, 4] = RNG.integers(5, size=n_rows)
    X[RNG.random(X.shape) < gaps] = np.nan
    return X, y


def assert_same_trees(one, other):
    for name, value in vars(one.tree_).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, getattr(other.tree_, name), err_msg=name)


@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "model",
    [
        C45Classifier(categorical_features=[4]),
        C45Classifier(categorical_features=[4], attribute_probability=0.5, random_state=1, nominal_splits="binary"),
        RandomTreeClassifier(categorical_features=[4], random_state=1),
    ],
)
def test_a_tree_is_the_same_in_many_calls(monkeypatch, model, gaps, weighted):
    X, y = draw(gaps=gaps)
    weight = RNG.integers(3, size=len(y)).astype(float) if weighted else None
    whole = type(model)(**model.get_params()).fit(X, y, sample_weight=weight)
    monkeypatch.setattr(presort, "WORK", 1)
    monkeypatch.setattr(presort, "ROOM", 1)
    found = type(model)(**model.get_params()).fit(X, y, sample_weight=weight)
    assert whole.tree_.n_children.max() > 1
    assert_same_trees(found, whole)


def test_a_machine_is_the_same_in_many_calls(monkeypatch):
    X, y = draw(1500)
    expected = LinearSVMClassifier().fit(X, y)
    monkeypatch.setattr(linear_svm, "WORK", 1)
    found = LinearSVMClassifier().fit(X, y)
    np.testing.assert_array_equal(found.coef_, expected.coef_)
    np.testing.assert_array_equal(found.intercept_, expected.intercept_)
    np.testing.assert_array_equal(found.n_iter_, expected.n_iter_)


@pytest.mark.parametrize(
    "model",
    [
        SphereCoverClassifier(random_state=0),
        SphereCoverClassifier(cover="greedy"),
        MixedNeighborsClassifier(),
    ],
)
@pytest.mark.parametrize("n_rows", [600, 4000])
def test_covers_and_neighbours_are_the_same_in_many_calls(monkeypatch, model, n_rows):
    X, y = draw(n_rows, gaps=0.1)
    expected = type(model)(**model.get_params()).fit(X, y).predict_proba(X[:300])
    monkeypatch.setattr(sizes, "WORK", 200_000)
    found = type(model)(**model.get_params()).fit(X, y).predict_proba(X[:300])
    np.testing.assert_array_equal(found, expected)
