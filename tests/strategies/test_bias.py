from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.strategies.bias import downweighted, moved_threshold, oversampled, undersampled

CLASS = np.repeat([True, False], [20, 30])
ONES = np.ones(50)


@given(st.floats(0, 0.999), st.integers(0, 99))
@settings(derandomize=True, deadline=None)
def test_undersampling_keeps_the_share_and_all_others(bias, seed):
    kept, spared = undersampled(ONES, CLASS, bias, np.random.default_rng(seed))
    assert (kept[~CLASS] == 1).all()
    assert kept[CLASS].sum() == max(1, round((1 - bias) * 20))
    assert spared == (round((1 - bias) * 20) == 0)


def test_weights_are_kept_and_absent_cases_stay_absent():
    weight = np.where(np.arange(50) % 2, 3.0, 0.0)
    kept, _ = undersampled(weight, CLASS, 0.5, np.random.default_rng(0))
    assert set(kept) == {0.0, 3.0}
    assert (kept[weight == 0] == 0).all()
    drawn = oversampled(weight, CLASS, 0.5, np.random.default_rng(0))
    assert (drawn[weight == 0] == 0).all()


@pytest.mark.parametrize("bias", [0.0, 0.1, 0.5, 0.9])
def test_all_ways_bring_about_the_same_proportion(bias):
    rng = np.random.default_rng(1)
    ways = [
        undersampled(ONES, CLASS, bias, rng)[0],
        oversampled(ONES, CLASS, bias, rng),
        downweighted(ONES, CLASS, bias),
    ]
    if bias == 0:
        np.testing.assert_array_equal(ways, [ONES] * 3)
    shares = [some[CLASS].sum() / some.sum() for some in ways]
    np.testing.assert_allclose(shares, 20 * (1 - bias) / (20 * (1 - bias) + 30), atol=0.01)


@pytest.mark.parametrize("bias", [0.2, 0.5, 0.8])
def test_a_threshold_leaves_the_share_on_either_side(bias):
    values = np.random.default_rng(2).normal(size=1000)
    above, below = (values > 0).sum(), (values <= 0).sum()
    assert (values > moved_threshold(values, bias, positive=True)).sum() == pytest.approx((1 - bias) * above, abs=1)
    assert (values <= moved_threshold(values, bias, positive=False)).sum() == pytest.approx((1 - bias) * below, abs=1)


def test_equal_values_stay_on_both_sides_alike():
    values = np.repeat([-1.0, 1.0], 10)
    assert (values > moved_threshold(values, 0.5, positive=True)).sum() == 10
    assert (values <= moved_threshold(values, 0.5, positive=False)).sum() == 10
    assert moved_threshold(values, 0.0, positive=True) == 0.0
    assert moved_threshold(np.array([-1.0, -2.0]), 0.5, positive=True) == 0.0  # nothing is said to be positive
