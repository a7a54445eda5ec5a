"""What all learners share: parameters that are named, and fits that fail."""

from __future__ import annotations

import numpy as np
import pytest

from covey import (
    LeastSquaresRegressor,
    LinearSVMClassifier,
    LogisticClassifier,
    MixedNeighborsClassifier,
    SelectedNeighborsClassifier,
    SphereCoverClassifier,
)
from covey.learners.base import TableEstimator

X, Y = np.arange(8.0).reshape(4, 2) ** 2, np.array([1.0, 2.0, 1.0, 2.0])

BAD = {
    LeastSquaresRegressor: {"ridge": [0, -1.0, "auto"]},
    LinearSVMClassifier: {"C": [0.0], "tol": [-1.0], "max_iter": [0], "scale": ["yes"]},
    LogisticClassifier: {"ridge": [0], "tol": [-1.0], "max_iter": [0]},
    MixedNeighborsClassifier: {"n_neighbors": [0, "many"], "max_neighbors": [0]},
    SelectedNeighborsClassifier: {"direction": ["sideways"], "n_neighbors": [0, "auto"]},
    SphereCoverClassifier: {
        "min_sphere_size": [-1, "small", np.nan],
        "cover": ["best"],
        "max_enemies": [-1, 1.5],
        "scale": ["yes"],
    },
}


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [(kind, name, value) for kind, named in BAD.items() for name, values in named.items() for value in values],
)
def test_bad_parameters_are_named(kind, name, value):
    with pytest.raises(ValueError, match=name):
        kind(**{name: value}).fit(X, Y)


def test_one_fold_is_refused():
    with pytest.raises(ValueError, match="cv"):
        SphereCoverClassifier("auto", cv=1).fit(X, Y)


@pytest.mark.parametrize("model", [LeastSquaresRegressor(), MixedNeighborsClassifier()])
def test_a_failed_fit_leaves_the_model_as_it_was(monkeypatch, model):
    model.fit(X, Y)
    before = model.__dict__.copy()
    monkeypatch.setattr(TableEstimator, "_remember_columns", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        model.fit(X[:, ::-1], Y + 1)
    assert model.__dict__ == before


@pytest.mark.parametrize(
    ("y", "message"), [(["a", "b", "c", "d"], "must be numbers"), ([1.0, 2.0, np.inf, 3.0], "infinity"), (None, "y")]
)
def test_a_response_that_is_no_number_is_refused(y, message):
    with pytest.raises(ValueError, match=message):
        LeastSquaresRegressor().fit(X, y)
