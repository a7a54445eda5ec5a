from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import linprog

from covey.learners import labelled_design as module
from covey.learners.labelled_design import extremes, label, likelihood_of, reference_for, tells_apart
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
