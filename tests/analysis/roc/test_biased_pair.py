"""A pair of biased classifiers beside the unbiased one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from analysis.roc.drawing import biased
from covey.analysis.roc import bias_curves, roc_point

QUICK = settings(deadline=None, max_examples=60)


def test_the_layered_cake_in_six_cases():
    """The unbiased classifier is wrong on the two inner cases and only there; reversed there, nothing is wrong."""
    y, base = [-1, -1, 1, -1, 1, 1], [-1, -1, -1, 1, 1, 1]
    pair = bias_curves(y, base, {0.1: [-1, -1, -1, -1, 1, 1]}, {0.2: [-1, -1, 1, 1, 1, 1]}).pair(0.1, 0.2)
    assert (pair.strength_plus, pair.strength_minus) == (0.1, 0.2)
    assert pair.plus.xy == pytest.approx((0, 2 / 3))
    assert pair.minus.xy == pytest.approx((1 / 3, 1))
    assert pair.centre.accuracy == pytest.approx(5 / 6)
    assert pair.reversed.xy == pytest.approx((0, 1))
    assert pair.space.best.xy == pytest.approx((0, 1))
    assert pair.base_on_hard.xy == pytest.approx((1, 0))
    assert (pair.hard_share, pair.excluded) == (pytest.approx(1 / 3), 0)
    gains = pair.midpoint_gain, pair.single_gain, pair.reversal_gain, pair.depth
    assert gains == pytest.approx((1 / 6, 1 / 6, 1 / 3, 1 / 6))
    assert str(pair) == (
        "h+ biased by 0.1 and h- by 0.2: 33.3% of the cases are hard; accuracy 0.667 of h, 0.833 with a random "
        "arbiter, 1.000 with h reversed on hard cases"
    )


@QUICK
@given(biased())
def test_the_base_on_hard_cases_is_what_counting_finds(drawn):
    y, weights, base, plus, minus = drawn
    curves = bias_curves(y, base, plus, minus, 1, weights)
    first, second = plus[0.1], minus[0.1]
    pair, hard = curves.pair(0.1, 0.1), first != second
    if not hard.any():
        assert np.isnan(pair.base_on_hard.xy).all()
        return
    expected = roc_point(y[hard], base[hard], 1, None if weights is None else weights[hard])
    if expected.n_positive and expected.n_negative:
        assert pair.base_on_hard.xy == pytest.approx(expected.xy, abs=1e-9)
        assert pair.base_on_hard.accuracy == pytest.approx(expected.accuracy, abs=1e-9)


@QUICK
@given(biased(nested=True))
def test_under_inclusion_reversing_gains_twice_what_guessing_does(drawn):
    y, weights, base, plus, minus = drawn
    curves = bias_curves(y, base, plus, minus, 1, weights)
    for one in plus:
        for other in minus:
            pair = curves.pair(one, other)
            assert pair.excluded == 0
            assert pair.reversal_gain == pytest.approx(2 * pair.midpoint_gain, abs=1e-9)
            assert pair.space.contains(pair.base)
            assert pair.depth > -np.inf
            inner = pair.space.inner(pair.base)
            for found, expected in zip(pair.base_on_hard.xy, inner.xy, strict=True):
                assert np.isnan(found) or np.isnan(expected) or found == pytest.approx(expected, abs=1e-9)


def test_the_depth_is_that_of_the_chord_at_as_many_cases_called_positive():
    y, base = [-1, -1, 1, -1, 1, 1], [-1, -1, -1, 1, 1, 1]
    everything = bias_curves(y, base, {1: [-1] * 6}, {1: [1] * 6}).pair(1, 1)
    assert everything.depth == pytest.approx(0.5 - 4 / 6)
    outside = bias_curves(y, base, {1: [1] * 6}, {1: [-1] * 6}).pair(1, 1)
    assert outside.depth == -np.inf
    with pytest.raises(ValueError, match="there is no space between them"):
        outside.space


def test_rounding_makes_no_case_hard():
    y, base, everything = np.repeat([-1, 1, -1], [1, 1, 9]), np.full(11, -1), np.ones(11, dtype=int)
    pair = bias_curves(y, base, {0.1: everything}, {0.1: everything}, 1).pair(0.1, 0.1)
    assert pair.hard_share == 0.0
    assert np.isnan(pair.base_on_hard.xy).all()
