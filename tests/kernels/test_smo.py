from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.svm import SVC

from covey._progress import Progress
from covey.kernels.smo import LEAST_WORKING, MOST_AT_ONCE
from covey.learners.linear_svm import fit_pairs


def machines(X, y, cost, *, tol=1e-9, scale=False, max_iter=10**7):
    """Train a machine for each pair of classes; return coefficients, intercepts, gaps and steps."""
    columns = np.arange(X.shape[1])
    order, starts = np.argsort(y, kind="stable"), np.concatenate([[0], np.cumsum(np.bincount(y))])
    told = Progress("machines", 1, 0)
    return fit_pairs(X, columns, order, starts, np.broadcast_to(cost, len(y)).copy(), scale, tol, max_iter, told)


def loss(X, y, cost, coefficients, intercept):
    """The primal objective."""
    margin = (2 * y - 1) * (X @ coefficients + intercept)
    return 0.5 * coefficients @ coefficients + cost @ np.maximum(0, 1 - margin)


def greatest_dual(X, y, cost):
    """The dual's optimum, by trying which multipliers are 0, at their cost or between; and its coefficients."""
    sign = 2.0 * y - 1
    gram = X @ X.T
    best, coefficients = -np.inf, None
    for places in product([0, 1, 2], repeat=len(y)):
        places = np.array(places)
        value = np.where(places == 1, sign * cost, 0.0)
        free = np.flatnonzero(places == 2)
        if len(free):
            system = np.zeros((len(free) + 1, len(free) + 1))
            system[:-1, :-1], system[-1, :-1], system[:-1, -1] = gram[np.ix_(free, free)], 1, 1
            right = np.append(sign[free] - gram[free] @ value, -value.sum())
            value[free] = np.linalg.lstsq(system, right, rcond=None)[0][:-1]
        inside = (sign * value >= -1e-9) & (sign * value <= cost + 1e-9)
        if inside.all() and abs(value.sum()) < 1e-9:
            objective = np.abs(value).sum() - 0.5 * value @ gram @ value
            if objective > best:
                best, coefficients = objective, value @ X
    return best, coefficients


POINTS = st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(0, 1), st.integers(-4, 4))


@given(st.lists(POINTS, min_size=2, max_size=6))
@settings(derandomize=True, deadline=None, max_examples=150)
def test_few_points_have_the_optimum_that_trying_every_case_finds(rows):
    data = np.array(rows, dtype=float)
    X, y, cost = np.ascontiguousarray(data[:, :2]), data[:, 2].astype(int), 2.0 ** data[:, 3]
    if len(np.unique(y)) < 2:
        return
    coefficients, intercepts, gaps, _ = machines(X, y, cost)
    best, expected = greatest_dual(X, y, cost)
    assert gaps[0] <= 1e-9
    np.testing.assert_allclose(loss(X, y, cost, coefficients[0], intercepts[0]), best, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(coefficients[0], expected, atol=1e-6)


@pytest.mark.parametrize(("cost", "slope", "intercept"), [(10.0, 0.5, -1.5), (0.0625, 0.25, -0.75)])
def test_two_points_by_hand(cost, slope, intercept):
    # Points at 1 and 5: the multipliers would be 2 / 4^2 = 0.125, unless that costs too much.
    coefficients, intercepts, _, n_iter = machines(np.array([[1.0], [5.0]]), np.array([0, 1]), cost)
    np.testing.assert_allclose([coefficients[0, 0], intercepts[0]], [slope, intercept])
    assert n_iter.tolist() == [1]


def test_a_point_in_both_classes_says_nothing():
    coefficients, intercepts, _, _ = machines(np.array([[3.0, 1.0], [3.0, 1.0]]), np.array([0, 1]), 2.0)
    np.testing.assert_array_equal(coefficients, [[0.0, 0.0]])
    np.testing.assert_array_equal(intercepts, [0.0])


KINDS = ["separable", "overlapping", "duplicated", "coarse", "lonely"]


def example(kind, n_cases, n_columns, seed=0):
    rng = np.random.default_rng([seed, n_cases, n_columns])
    X = rng.random((n_cases, n_columns))
    noise = 0.0 if kind == "separable" else 0.3
    y = (X[:, 0] + noise * rng.normal(size=n_cases) > 0.5).astype(int)
    if kind == "duplicated":
        X[n_cases // 2 :] = X[: n_cases - n_cases // 2]
    if kind == "coarse":
        X = np.round(2 * X) / 2
    if kind == "lonely":
        y[:] = 0
        y[n_cases // 2] = 1
    y[:2] = [0, 1]
    return X, y, 2.0 ** rng.integers(-4, 5, n_cases)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("n_cases", "n_columns"), [(2, 3), (30, 60), (MOST_AT_ONCE, 5), (MOST_AT_ONCE + 1, 5), (500, 1), (400, 90)]
)
def test_the_optimum_is_that_of_scikit_learn(kind, n_cases, n_columns):
    X, y, cost = example(kind, n_cases, n_columns)
    other = SVC(kernel="linear", tol=1e-6).fit(X, y, cost)
    dual = np.abs(other.dual_coef_).sum() - 0.5 * (other.coef_**2).sum()
    coefficients, intercepts, gaps, _ = machines(X, y, cost, tol=1e-8)
    assert gaps[0] <= 1e-8
    # No dual is greater than any primal, so both are within this of the optimum.
    np.testing.assert_allclose(loss(X, y, cost, coefficients[0], intercepts[0]), dual, rtol=1e-6, atol=1e-6)
    # Its products are in single precision.
    np.testing.assert_allclose(X @ coefficients[0] + intercepts[0], other.decision_function(X), atol=2e-3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_cases", [50, 600])
def test_a_loose_tolerance_is_close_to_the_optimum(kind, n_cases):
    X, y, cost = example(kind, n_cases, 10)
    loose, tight = machines(X, y, cost, tol=1e-3), machines(X, y, cost, tol=1e-10)
    assert loose[2][0] <= 1e-3
    assert loose[3][0] <= tight[3][0]
    np.testing.assert_allclose(X @ loose[0][0] + loose[1][0], X @ tight[0][0] + tight[1][0], atol=0.05)


@pytest.mark.parametrize("n_cases", [40, 3 * LEAST_WORKING])
def test_weights_count_cases(n_cases):
    X, y, _ = example("overlapping", n_cases, 6)
    times = np.random.default_rng(1).integers(1, 4, n_cases)
    weighted = machines(X, y, times.astype(float))
    repeated = machines(np.repeat(X, times, axis=0), np.repeat(y, times), 1.0)
    np.testing.assert_allclose(weighted[0], repeated[0], atol=1e-6)
    np.testing.assert_allclose(weighted[1], repeated[1], atol=1e-6)


@pytest.mark.parametrize("n_cases", [40, 3 * LEAST_WORKING])
def test_names_of_classes_make_no_difference(n_cases):
    X, y, cost = example("overlapping", n_cases, 6)
    one, other = machines(X, y, cost, tol=1e-3), machines(X, 1 - y, cost, tol=1e-3)
    np.testing.assert_array_equal(one[0], -other[0])
    np.testing.assert_array_equal(one[1], -other[1])


def test_ranges_may_be_as_wide_and_as_narrow_as_numbers_are():
    y = np.array([0, 0, 1, 1])
    X = np.column_stack([[-1.7e308, -1e308, 1e308, 1.7e308], [0, 5e-324, 0, 5e-324], [1e-280, 2e-280, 3e-280, 4e-280]])
    coefficients, intercepts, _, _ = machines(X, y, 1.0, scale=True)
    assert np.isfinite(coefficients).all()
    assert coefficients[0, 1] == 0.0
    np.testing.assert_array_equal(X @ coefficients[0] + intercepts[0] > 0, y)


def test_without_columns_the_heavier_class_is_said():
    X, y = np.zeros((5, 0)), np.array([0, 0, 0, 1, 1])
    _, intercepts, _, _ = machines(X, y, 1.0)
    np.testing.assert_allclose(intercepts, [-1.0])


@pytest.mark.parametrize("n_cases", [60, 500])
def test_a_tolerance_beyond_rounding_comes_to_an_end(n_cases):
    X, y, cost = example("overlapping", n_cases, 5)
    _, _, gaps, n_iter = machines(X, y, cost, tol=1e-300, max_iter=200_000)
    assert gaps[0] < 1e-10
    assert n_iter[0] <= 200_000
