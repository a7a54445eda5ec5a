from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.kernels.dual import climb_products, shift_pulls
from covey.kernels.multipliers import LEAST, MOST, PULL, STATES, VALUE


def climb(gram, label, least, most, margin, tol=1e-6):
    """Climb to the optimum; return the multipliers and the pulls."""
    states = np.zeros((STATES, len(label)))
    states[LEAST], states[MOST], states[PULL] = least, most, label
    n_iter, highest, lowest = climb_products(gram.astype(np.float32), states, margin, tol, 10**6)
    assert n_iter >= 0
    assert highest - lowest <= tol
    return states[VALUE], states[PULL]


def dual(gram, label, value, margin):
    return label @ value - margin * np.abs(value).sum() - 0.5 * value @ gram @ value


def greatest_dual(gram, label, least, most, margin):
    """The dual's optimum, by trying which multipliers are at a limit, at 0, or between on either side."""
    best = -np.inf
    for places in product(["least", "zero", "most", "below", "above"], repeat=len(label)):
        places = np.array(places)
        value = np.select([places == "least", places == "most"], [least, most], 0.0)
        free = np.flatnonzero((places == "below") | (places == "above"))
        if len(free):
            system = np.zeros((len(free) + 1, len(free) + 1))
            system[:-1, :-1], system[-1, :-1], system[:-1, -1] = gram[np.ix_(free, free)], 1, 1
            target = label[free] - margin * np.where(places[free] == "above", 1, -1)
            value[free] = np.linalg.lstsq(system, np.append(target - gram[free] @ value, -value.sum()), rcond=None)[0][
                :-1
            ]
        if (value >= least - 1e-9).all() and (value <= most + 1e-9).all() and abs(value.sum()) < 1e-9:
            best = max(best, dual(gram, label, value, margin))
    return best


POINTS = st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3))


@given(st.lists(POINTS, min_size=2, max_size=4), st.sampled_from([0.0, 0.25, 1.0]), st.sampled_from([0.25, 2.0]))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_few_numbers_have_the_optimum_that_trying_every_case_finds(rows, margin, cost):
    data = np.array(rows, dtype=float)
    distance = ((data[:, None, :2] - data[None, :, :2]) ** 2).sum(axis=2)
    gram = np.exp(-0.3 * distance).astype(np.float32).astype(float)
    limits = np.full(len(data), -cost), np.full(len(data), cost)
    value, pull = climb(gram, data[:, 2], *limits, margin)
    assert abs(value.sum()) < 1e-9
    np.testing.assert_allclose(pull, data[:, 2] - gram @ value, atol=1e-9)
    best = greatest_dual(gram, data[:, 2], *limits, margin)
    np.testing.assert_allclose(dual(gram, data[:, 2], value, margin), best, atol=1e-5)


def test_two_numbers_by_hand():
    # Labels 0 and 1 with a margin of 0.25 and products 1 and 0.5: the multipliers are (1 - 0.5) / (1 + 1 - 1) = 0.5.
    gram = np.array([[1.0, 0.5], [0.5, 1.0]])
    value, pull = climb(gram, np.array([0.0, 1.0]), -2.0, 2.0, 0.25)
    np.testing.assert_allclose(value, [-0.5, 0.5])
    np.testing.assert_allclose(pull, [0.25, 0.75])


def test_equal_rows_come_to_an_end():
    value, _ = climb(
        np.ones((4, 4)), np.array([1.0, 1.0, -1.0, 1.0]), np.array([0, 0, -1, 0]), np.array([1, 1, 0, 1]), 0.0
    )
    np.testing.assert_allclose([value[[0, 1, 3]].sum(), value[2]], [1.0, -1.0])


@pytest.mark.parametrize("n_rows", [1, 7])
def test_pulls_follow_from_what_changed(n_rows):
    rng = np.random.default_rng(0)
    products = rng.random((5, n_rows)).astype(np.float32)
    pull = rng.random(n_rows)
    places, change = np.array([3, 0]), np.array([0.5, -2.0])
    expected = pull - 0.5 * products[3].astype(float) + 2.0 * products[0].astype(float)
    shift_pulls(products, places, change, pull)
    np.testing.assert_allclose(pull, expected)
