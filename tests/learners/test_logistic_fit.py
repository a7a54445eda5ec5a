"""The fit of logistic models, and what members share."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import linprog

from covey.learners import logistic_fit, logistic_fit as module
from covey.learners.logistic_fit import (
    Problem,
    extremes,
    label,
    likelihood_of,
    own_task,
    reference_for,
    shared_task,
    tells_apart,
)
from covey.learners.newton import maximise
from covey.table import as_table


def example(n_rows: int = 80, n_columns: int = 5):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns)) * np.arange(1, n_columns + 1) + 3
    return as_table(X), (X[:, 0] + 2 * rng.normal(size=n_rows) > 3).astype(np.intp)


def test_rows_that_count_come_in_the_order_of_their_classes_with_a_column_of_ones():
    table, codes = example()
    counted = np.arange(80) % 3 > 0
    labelled = label(table, codes, counted)
    assert (np.diff(labelled.labels) >= 0).all()
    assert sorted(labelled.order.tolist()) == np.flatnonzero(counted).tolist()
    np.testing.assert_array_equal(labelled.labels, codes[labelled.order])
    shared = labelled.shared
    np.testing.assert_allclose(
        (shared.values[:-1] * shared.scale[:, None] + shared.centre[:, None]).T, table.matrix[labelled.order]
    )
    np.testing.assert_array_equal(shared.values[-1], 1.0)
    np.testing.assert_array_equal(labelled.lowest[1], shared.values[:, labelled.labels == 1].min(axis=1))
    np.testing.assert_array_equal(labelled.highest[0], shared.values[:, labelled.labels == 0].max(axis=1))


def test_a_class_without_rows_has_no_extremes():
    lowest, highest = extremes(np.array([[1.0, 2.0, 5.0]]), np.array([0, 0, 2]))
    assert lowest[:, 0].tolist() == [1, np.inf, 5]
    assert highest[:, 0].tolist() == [2, -np.inf, 5]


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2)), min_size=2, max_size=10), st.integers(2, 3))
@settings(derandomize=True, deadline=None)
def test_one_column_tells_a_class_apart_if_a_linear_program_says_so(rows, n_classes):
    x = np.array([value for value, _ in rows], dtype=float)
    labels = np.minimum([code for _, code in rows], n_classes - 1)
    if len(np.unique(labels)) < n_classes:
        return
    order = np.argsort(labels)
    found = tells_apart(*extremes(x[order][None], labels[order]))
    assert found == any(separable(x, labels == k) for k in range(n_classes))


def separable(x: np.ndarray, is_one: np.ndarray) -> bool:
    """Whether some slope and intercept raise no margin below 0 and some above."""
    sign = np.where(is_one, 1.0, -1.0)
    rows = sign[:, None] * np.column_stack([x, np.ones(len(x))])
    best = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(x)), bounds=[(-1, 1)] * 2)
    slope = best.x[0]
    return bool(best.fun < -1e-9 and abs(slope) > 1e-9)


def test_the_start_is_the_maximum_where_all_columns_are_kept():
    table, codes = example()
    labelled = label(table, codes, None)
    reference = reference_for(table, labelled, 5)
    likelihood = likelihood_of(labelled.labels, np.full(80, 1 / 80), 2)
    best = maximise(labelled.shared.values, likelihood, np.zeros((1, 6)), np.zeros(6), 1e-10, 50).coefficients
    np.testing.assert_allclose(reference.start(np.arange(6)), best, rtol=1e-3)


def test_the_start_maximises_the_quadratic_approximation_over_some_columns():
    table, codes = example()
    codes = codes + (table.matrix[:, 1] > 4)
    reference = reference_for(table, label(table, codes, None), 5)
    some = np.array([0, 3, 5])
    start = np.zeros_like(reference.pull)
    start[:, some] = reference.start(some)
    slope = reference.pull - np.einsum("abcd,cd->ab", reference.hessian, start)
    np.testing.assert_allclose(slope[:, some], 0, atol=1e-12)


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "seen", "expected"), [(80, 9, 2, False), (80, 9, 3, True), (8, 9, 3, False)]
)
def test_a_model_over_all_columns_is_made_only_where_it_pays(n_rows, n_columns, seen, expected):
    table, codes = example(n_rows, n_columns)
    assert (reference_for(table, label(table, codes, None), seen) is not None) == expected


def test_separable_classes_have_a_model_to_start_from_too():
    table, _ = example()
    codes = (table.matrix[:, 0] > 3).astype(np.intp)
    reference = reference_for(table, label(table, codes, None), 5)
    assert np.isfinite(reference.start(np.arange(6))).all()
    assert len(module._REFERENCES) == 1


def task_example(n_classes: int = 2, seed: int = 0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(90, 6)) * [1, 10, 100, 1, 0.01, 1] + [0, 5, -300, 0, 0, 0]
    score = X[:, 0] + X[:, 1] / 10 + rng.normal(size=90) * 2
    return X, np.digitize(score, np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]))


def test_what_is_shared_goes_with_the_table():
    X, codes = task_example()
    table = as_table(X)
    shared_task(table.take(np.array([0, 1, 2])), codes, np.ones(90)).solve(1e-4, 1e-6, 50)
    gc.collect()
    before = len(logistic_fit._LABELLED), len(logistic_fit._REFERENCES)
    del table
    gc.collect()
    assert (len(logistic_fit._LABELLED), len(logistic_fit._REFERENCES)) == (before[0] - 1, before[1] - 1)


def test_other_labels_of_the_same_table_are_learnt_afresh():
    X, codes = task_example()
    table = as_table(X)
    first = shared_task(table, codes, np.ones(90)).solve(1e-4, 1e-10, 100)
    second = shared_task(table, 1 - codes, np.ones(90)).solve(1e-4, 1e-10, 100)
    np.testing.assert_allclose(second.coefficients, -first.coefficients, rtol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_fewer_dimensions_give_the_same_ridge_solution(n_classes):
    rng = np.random.default_rng(3)
    values = np.vstack([rng.normal(size=(8, 30)), np.ones(30)])
    weight = rng.random(30)
    weight /= weight.sum()
    labels = np.sort(rng.integers(0, n_classes, 30))
    problem = Problem(values, weight, likelihood_of(labels, weight, n_classes), 1e-10, 100)
    direct, ridge, _ = problem.solve(0.05, None, separable=True)
    np.testing.assert_allclose(problem._reduced(0.05).coefficients, direct.coefficients, rtol=1e-6, atol=1e-8)
    assert ridge == 0.05


def test_a_start_among_saturated_probabilities_costs_iterations_but_no_ridge():
    X, codes = task_example()
    task = own_task(as_table(X), codes, np.ones(90))
    values, labels = task.labelled.shared.values, task.labelled.labels
    problem = Problem(values, np.full(90, 1 / 90), likelihood_of(labels, np.full(90, 1 / 90), 2), 1e-10, 100)
    near, _, _ = problem.solve(1e-4, None, separable=False)
    far, ridge, _ = problem.solve(1e-4, np.full((1, 7), 1e4), separable=False)
    np.testing.assert_allclose(far.coefficients, near.coefficients, rtol=1e-6)
    assert ridge == 0.0


def test_more_coefficients_than_there_is_room_for_are_refused(monkeypatch):
    monkeypatch.setattr(logistic_fit, "MOST_BYTES", 8 * 13**2)
    X, codes = task_example(3)
    with pytest.raises(ValueError, match="3 classes and 6 columns, categories counted, make 14 coefficients"):
        own_task(as_table(X), codes, np.ones(90)).solve(1e-4, 1e-6, 50)
    own_task(as_table(X[:, :5]), codes, np.ones(90)).solve(1e-4, 1e-6, 50)
