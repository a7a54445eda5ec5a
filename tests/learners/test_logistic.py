from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from covey import Bootstrap, EnsembleClassifier, LogisticClassifier, MeanProbability, RandomSubspace
from covey.table import as_table
from learners.examples import members

RIDGE = "kept finite by a small ridge"


def example(n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = make_classification(
        400, 8, n_informative=6, n_redundant=0, n_classes=n_classes, flip_y=0.2, random_state=n_classes
    )
    return X * [1, 10, 100, 1, 1e-3, 1, 1, 1] + [0, 5, 1000, 0, 0, 0, 0, 0], y


@pytest.mark.parametrize("n_classes", [2, 3, 5, 9])
@pytest.mark.parametrize("weighted", [False, True])
def test_coefficients_are_those_of_scikit_learn_without_a_penalty(n_classes, weighted):
    X, y = example(n_classes)
    weight = np.random.default_rng(0).integers(0, 4, len(y)).astype(float) if weighted else None
    model = LogisticClassifier(tol=1e-10).fit(X, y, weight)
    other = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12, max_iter=500).fit(X, y, weight)
    np.testing.assert_allclose(model.coef_, other.coef_ - (n_classes > 2) * other.coef_.mean(axis=0), rtol=1e-5)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-7)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))
    assert model.ridge_ == 0.0


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_default_tolerance_is_close_to_the_maximum(n_classes):
    X, y = example(n_classes)
    loose, tight = LogisticClassifier().fit(X, y), LogisticClassifier(tol=1e-12).fit(X, y)
    np.testing.assert_allclose(loose.predict_proba(X), tight.predict_proba(X), atol=1e-5)


@given(st.lists(st.tuples(*[st.integers(-3, 3)] * 2, st.integers(0, 1)), min_size=8, max_size=25))
@settings(derandomize=True, deadline=None)
@pytest.mark.filterwarnings(f"ignore:.*{RIDGE}")
def test_at_the_maximum_errors_are_uncorrelated_with_columns(rows):
    data = np.array(rows, dtype=float)
    X, y = data[:, :2], data[:, 2]
    if len(np.unique(y)) < 2:
        return
    model = LogisticClassifier(tol=1e-9).fit(X, y)
    assert np.isfinite(model.coef_).all()
    error = model.predict_proba(X)[:, 1] - y
    np.testing.assert_allclose(error.sum(), 0, atol=1e-6)
    if not model.ridge_:
        np.testing.assert_allclose(error @ X, 0, atol=1e-6)


@pytest.mark.parametrize("draw", [None, Bootstrap(0.7)])
@pytest.mark.parametrize("n_classes", [2, 3, 9])
def test_members_are_what_they_would_be_alone(draw, n_classes):
    X, y = example(n_classes)
    parts = {"subspace": RandomSubspace(4), "draw": draw, "combine": MeanProbability()}
    ensemble = EnsembleClassifier(LogisticClassifier(tol=1e-10), 8, **parts, random_state=0)
    for model, columns, weight in members(ensemble, X, y):
        alone = LogisticClassifier(tol=1e-10).fit(X[:, columns], y, weight)
        np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-6)
        assert model.ridge_ == alone.ridge_ == 0.0


def test_a_column_that_tells_the_classes_apart_leaves_finite_coefficients():
    X = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0], [4.0, 2.0], [5.0, 3.0], [6.0, 3.5]])
    y = np.array([0, 0, 0, 1, 1, 1])
    with pytest.warns(UserWarning, match="tell classes apart without an error.*small ridge of 0.0001"):
        model = LogisticClassifier().fit(X, y)
    assert model.ridge_ == 1e-4
    assert np.isfinite(model.coef_).all()
    assert model.coef_[0, 0] > 1
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_classes_separable_by_several_columns_are_found_out(load):
    X, y = load(return_X_y=True)
    with pytest.warns(UserWarning, match="tell classes apart without an error"):
        model = LogisticClassifier().fit(X, y)
    assert model.score(X, y) > 0.97
    assert np.isfinite(model.coef_).all()


@pytest.mark.filterwarnings(f"ignore:.*{RIDGE}")
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_ridge_is_that_of_scikit_learn_on_standardised_columns(n_classes):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < n_classes], y[y < n_classes]
    scale = X.std(axis=0)
    model = LogisticClassifier(ridge=1e-3, tol=1e-10).fit(X, y)
    other = LogisticRegression(C=1 / (1e-3 * len(y)), tol=1e-10, max_iter=10_000).fit(X / scale, y)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X / scale), atol=1e-4)
    np.testing.assert_allclose(model.coef_ * scale, other.coef_, rtol=1e-2, atol=1e-2)


def test_dependent_columns_are_told_of():
    X, y = example(2)
    with pytest.warns(UserWarning, match="linearly dependent"):
        model = LogisticClassifier().fit(np.column_stack([X, X[:, 0] - X[:, 3]]), y)
    assert model.ridge_ > 0


def test_columns_that_do_not_vary_have_coefficient_0():
    X, y = example(3)
    more = np.column_stack([X, np.full(len(y), 0.3)])
    model = LogisticClassifier(tol=1e-10).fit(more, y)
    np.testing.assert_array_equal(model.coef_[:, -1], 0.0)
    np.testing.assert_allclose(model.coef_[:, :-1], LogisticClassifier(tol=1e-10).fit(X, y).coef_, rtol=1e-6)
    assert model.ridge_ == 0.0
    only = LogisticClassifier().fit(np.ones((5, 2)), [0, 1, 1, 1, 1])
    np.testing.assert_allclose(only.predict_proba([[1.0, 1.0]]), [[0.2, 0.8]], atol=1e-6)


def test_a_member_without_rows_of_a_class_does_not_know_it():
    X, y = example(3)
    weight = (y != 1).astype(float)
    model = LogisticClassifier(tol=1e-10)._fit_member(as_table(X), y, weight)
    assert model.classes_.tolist() == [0, 2]
    alone = LogisticClassifier(tol=1e-10).fit(X[y != 1], y[y != 1])
    np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-6)
    only = LogisticClassifier()._fit_member(as_table(X), y, (y == 1).astype(float))
    assert only.predict(X).tolist() == [1] * len(y)


def test_coefficients_of_several_classes_add_up_to_0():
    X, y = example(3)
    model = LogisticClassifier().fit(X, y)
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(model.decision_function(X).sum(axis=1), 0, atol=1e-6)


def test_extreme_logits_are_probabilities_0_and_1():
    X, y = example(2)
    model = LogisticClassifier().fit(X, y)
    far = X[:2] + np.sign(model.coef_[0]) * [[1e6], [-1e6]] * np.ones(8)
    np.testing.assert_array_equal(model.predict_proba(far), [[0, 1], [1, 0]])


def test_too_few_iterations_are_told_of():
    X, y = example(2)
    with pytest.warns(ConvergenceWarning, match="max_iter=1 iterations were not enough"):
        model = LogisticClassifier(max_iter=1).fit(X, y)
    assert (model.n_iter_, model.ridge_) == (1, 0.0)


def test_categories_and_gaps():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"size": rng.normal(size=200), "town": rng.choice(["a", "b", "c"], 200)})
    y = frame["size"] + (frame["town"] == "c") + rng.normal(size=200) > 0
    frame.loc[::9, "town"] = None
    frame.loc[::7, "size"] = np.nan
    model = LogisticClassifier(tol=1e-10).fit(frame, y)
    known = pd.get_dummies(frame["town"], dtype=float)[["b", "c"]].where(frame["town"].notna())
    filled = pd.concat([frame[["size"]], known], axis=1)
    filled = filled.fillna(filled.mean())
    other = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12).fit(filled, y)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-6)
    assert model.coef_names_.tolist() == ["size", "town=b", "town=c"]
    np.testing.assert_allclose(model.predict_proba(frame), other.predict_proba(filled), atol=1e-8)
