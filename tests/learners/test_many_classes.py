from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from covey.learners import logistic_fit
from covey.learners.logistic_fit import Problem, is_many, likelihood_of, own_task, shared_task
from covey.learners.many_classes import EveryClass
from covey.learners.newton import ManyClasses, hessian, maximise
from covey.table import as_table


def example(n_classes: int = 12, n_rows: int = 240, spread: float = 1.0):
    """Return columns with one of ones at the end, labels in order, and weights."""
    rng = np.random.default_rng(n_classes)
    labels = np.sort(np.arange(n_rows) % n_classes)
    columns = spread * rng.normal(size=(4, n_classes))[:, labels] + rng.normal(size=(4, n_rows))
    weight = 0.5 + rng.random(n_rows)
    return np.vstack([columns, np.ones(n_rows)]), labels, weight / weight.sum()


@pytest.mark.parametrize("ridge", [0.0, 0.01])
def test_the_direction_is_newtons(ridge, monkeypatch):
    monkeypatch.setattr("covey.learners.many_classes.SHARE", 1e-10)
    columns, labels, weight = example()
    every, exact = EveryClass(labels, weight, 12), ManyClasses(labels, weight, 12)
    penalty = np.array([ridge] * 4 + [0.0])
    at = np.random.default_rng(0).normal(size=(11, 5)) / 3
    by_class = exact.by_class(at)
    gradient = exact.residuals(at @ columns) @ columns.T + at * penalty
    slope = every.residuals(by_class @ columns) @ columns.T + by_class * penalty
    np.testing.assert_allclose(slope, exact.by_class(gradient), atol=1e-12)
    newton = -np.linalg.solve(hessian(columns, exact.curvatures(), 11, penalty), gradient.ravel()).reshape(11, 5)
    step = every.by_class(every.direction(columns, slope, penalty))
    np.testing.assert_allclose(step, exact.by_class(newton), atol=1e-7)


@pytest.mark.parametrize("ridge", [0.0, 1e-4, 0.1])
def test_the_maximum_is_that_of_all_second_derivatives(ridge):
    columns, labels, weight = example()
    penalty = np.array([ridge] * 4 + [0.0])
    every, exact = EveryClass(labels, weight, 12), ManyClasses(labels, weight, 12)
    fit = maximise(columns, every, np.zeros((12, 5)), penalty, 1e-11, 100)
    other = maximise(columns, exact, np.zeros((11, 5)), penalty, 1e-11, 100)
    assert fit.outcome == other.outcome == "converged"
    np.testing.assert_allclose(every.by_class(fit.coefficients), exact.by_class(other.coefficients), atol=1e-7)


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_penalised_coefficients_are_those_of_scikit_learn(C):
    columns, labels, weight = example(30)
    every = EveryClass(labels, weight, 30)
    penalty = np.append(np.full(4, 1 / (C * len(labels))), 0.0)
    fit = maximise(columns, every, np.zeros((30, 5)), penalty, 1e-11, 100)
    theta = every.by_class(fit.coefficients)
    peer = LogisticRegression(C=C, solver="newton-cg", tol=1e-11).fit(columns[:4].T, labels, weight * len(labels))
    np.testing.assert_allclose(theta[:, :4], peer.coef_, atol=1e-7)
    np.testing.assert_allclose(theta[:, 4], peer.intercept_ - peer.intercept_.mean(), atol=1e-7)


def test_a_class_that_one_logit_tells_apart_is_a_proof_but_not_by_rounding():
    labels = np.array([0, 0, 1, 1, 2, 2])
    every = EveryClass(labels, np.full(6, 1 / 6), 3)
    logits = np.array([[0.3, 0.2, 0.1, -1, -2, 0.1], [0, 0, 1, 0.4, 0.4, 0], [0, 0, 0, 0, 0, 0.0]])
    assert every.tells_one(logits)
    logits[0, 5] = np.nextafter(0.2, 0.0)
    assert not every.tells_one(logits)
    assert not every.tells_one(np.zeros((3, 6)))


def test_classes_that_are_apart_have_a_ridge_as_with_all_second_derivatives(monkeypatch):
    columns, labels, _ = example(12, 48, spread=3.0)
    codes = labels[np.random.default_rng(0).permutation(48)]
    table = as_table(columns[:4, np.argsort(np.argsort(codes, kind="stable"))].T)
    many = own_task(table, codes, np.ones(48)).solve(1e-3, 1e-10, 100)
    monkeypatch.setattr(logistic_fit, "MOST_CLASSES", 50)
    exact = own_task(table, codes, np.ones(48)).solve(1e-3, 1e-10, 100)
    assert many.ridge == exact.ridge == 1e-3
    np.testing.assert_allclose(many.coefficients, exact.coefficients, atol=1e-6)


def test_what_conjugate_gradients_do_not_end_all_second_derivatives_do(monkeypatch):
    columns, labels, weight = example()
    problem = Problem(columns, weight, likelihood_of(labels, weight, 12), 1e-10, 100)
    expected, _, _ = problem.solve(1e-4, None, separable=False)
    monkeypatch.setattr(logistic_fit, "MOST_ITERATIONS", 2)
    fit, ridge, _ = problem.solve(1e-4, None, separable=False)
    np.testing.assert_allclose(fit.coefficients, problem.likelihood.by_class(expected.coefficients), atol=1e-6)
    assert (fit.outcome, ridge) == ("converged", 0.0)
    monkeypatch.setattr(logistic_fit, "MOST_EXACT", 10)
    assert problem.solve(1e-4, None, separable=False)[1] == 1e-4


def test_dependent_columns_have_a_ridge():
    columns, labels, weight = example()
    columns = np.vstack([columns[:2], columns[0] - columns[1], columns[4]])
    fit, ridge, singular = Problem(columns, weight, likelihood_of(labels, weight, 12), 1e-8, 100).solve(
        1e-4, None, separable=False
    )
    assert (fit.outcome, ridge, singular) == ("converged", 1e-4, True)


@pytest.mark.parametrize(
    ("n_classes", "n_columns", "expected"), [(2, 10_000, False), (3, 100, False), (3, 101, True), (6, 1, True)]
)
def test_few_classes_of_few_columns_have_all_second_derivatives(n_classes, n_columns, expected):
    assert is_many(n_classes, n_columns) == expected


def test_members_over_the_same_columns_and_rows_are_fitted_once():
    columns, labels, _ = example()
    table = as_table(columns[:4].T)
    some = table.take(np.array([0, 2]))
    first, again = (shared_task(some, labels, np.ones(240)).solve(1e-4, 1e-6, 100) for _ in range(2))
    assert again is first
    assert shared_task(some, labels, np.ones(240)).solve(1e-4, 1e-7, 100) is not first
    weight = np.where(np.arange(240) % 7, 1.0, 2.0)
    assert shared_task(some, labels, weight).solve(1e-4, 1e-6, 100) is not first
