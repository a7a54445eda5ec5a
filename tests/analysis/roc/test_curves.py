"""Bias curves of both classes, what pairs of their points make, and the best pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from analysis.roc.drawing import biased
from covey.analysis.roc import BiasCurve, bias_curves, first_agreement, inclusion_share, roc_point

QUICK = settings(deadline=None, max_examples=60)


Y, BASE = [-1, -1, 1, -1, 1, 1], [-1, -1, -1, 1, 1, 1]


SURE, SURER = [-1, -1, -1, -1, 1, 1], [-1, -1, -1, -1, -1, 1]


def by_hand():
    return bias_curves(Y, BASE, {0.1: SURE, 0.2: SURER}, {0.2: [-1, -1, 1, 1, 1, 1], 0.3: [-1, 1, 1, 1, 1, 1]})


def test_gains_by_hand():
    curves = by_hand()
    assert curves.base.accuracy == pytest.approx(4 / 6)
    assert curves.midpoint_gain == pytest.approx(1 / 6)
    assert curves.single_gain == pytest.approx(1 / 6)
    assert curves.reversal_gain == pytest.approx(2 / 6)
    assert curves.line.at(1 / 3) == pytest.approx(2 / 3)
    assert str(curves) == (
        "Bias curves of 2 strengths for h+ and 2 for h- on 6 cases: accuracy of h 0.667; gains +0.167 with a random "
        "arbiter, +0.167 by one biased classifier, +0.333 with h reversed on hard cases (strengths 0.1 and 0.2)"
    )


def test_pairs_by_hand():
    curves = by_hand()
    for by in ("reversal", "centre", "concavity"):
        best = curves.best_pair(by)
        assert (best.strength_plus, best.strength_minus) == (0.1, 0.2)
    same = curves.best_pair(symmetric=True)
    assert (same.strength_plus, same.strength_minus) == (0.2, 0.2)


def test_the_table_goes_from_one_end_to_the_other():
    frame = by_hand().table().to_frame()
    assert frame.index.tolist() == ["h+", "h+", "h", "h-", "h-"]
    assert frame["strength"].tolist() == [0.2, 0.1, 0, 0.2, 0.3]
    assert frame["accuracy"].tolist() == pytest.approx([4 / 6, 5 / 6, 4 / 6, 5 / 6, 4 / 6])


@QUICK
@given(biased(), st.sampled_from(["reversal", "centre", "concavity"]))
def test_no_pair_is_better_than_the_best(drawn, by):
    y, weights, base, plus, minus = drawn
    curves = bias_curves(y, base, plus, minus, 1, weights)
    value = {
        "reversal": lambda pair: pair.reversed.accuracy,
        "centre": lambda pair: pair.centre.accuracy,
        "concavity": lambda pair: pair.depth,
    }[by]
    pairs = [curves.pair(one, other) for one in plus for other in minus]
    best = curves.best_pair(by)
    top = max(map(value, pairs))
    assert value(best) == pytest.approx(top, abs=1e-9)
    equal = [pair for pair in pairs if value(pair) >= top]
    total = best.strength_plus + best.strength_minus
    assert total <= min(pair.strength_plus + pair.strength_minus for pair in equal) + 1e-9
    assert curves.midpoint_gain == pytest.approx(max(pair.midpoint_gain for pair in pairs), abs=1e-9)
    assert curves.single_gain == pytest.approx(max(pair.single_gain for pair in pairs), abs=1e-9)
    assert curves.reversal_gain == pytest.approx(max(pair.reversal_gain for pair in pairs), abs=1e-9)
    # Guessing never does better than the better of two classifiers.
    assert curves.midpoint_gain <= curves.single_gain + 1e-12


def test_bad_questions():
    curves = by_hand()
    with pytest.raises(ValueError, match="by='best' is unknown; choose one of 'reversal', 'centre', 'concavity'"):
        curves.best_pair("best")
    apart = bias_curves(Y, BASE, {0.1: SURE}, {0.2: Y})
    with pytest.raises(ValueError, match="plus and minus have no strength in common"):
        apart.best_pair(symmetric=True)
    with pytest.raises(ValueError, match=r"strength=0\.15 was not tried for plus"):
        curves.pair(0.15, 0.2)


CURVE = BiasCurve("plus", np.array([0, 0.1, 0.3]), np.array([0.4, 0.2, 0]), np.array([0.8, 0.6, 0.1]), 10, 30)


def test_by_hand():
    assert len(CURVE) == 3
    assert CURVE.point(1).xy == (0.2, 0.6)
    assert [point.xy for point in CURVE.points] == [(0.4, 0.8), (0.2, 0.6), (0, 0.1)]
    np.testing.assert_allclose(CURVE.accuracy, [26 / 40, 30 / 40, 31 / 40])
    assert CURVE.place(0.1) == CURVE.place(0.3 - 0.2) == 1
    assert str(CURVE) == "Bias curve of h+: 3 strengths from 0 at (0.400, 0.800) to 0.3 at (0.000, 0.100)"


PLUS, MINUS = {0.1: [-1, -1, -1, -1, 1, 1]}, {0.1: [-1, -1, 1, 1, 1, 1]}


@QUICK
@given(biased())
def test_every_pair_is_what_counting_finds(drawn):
    y, weights, base, plus, minus = drawn
    curves = bias_curves(y, base, plus, minus, 1, weights)
    assert curves.base.xy == pytest.approx(roc_point(y, base, 1, weights).xy)
    for strength, said in plus.items():
        assert curves.plus.point(curves.plus.place(strength)) == roc_point(y, said, 1, weights)
    for strength, said in minus.items():
        assert curves.minus.point(curves.minus.place(strength)) == roc_point(y, said, 1, weights)
    total = np.ones(len(y)) if weights is None else weights
    for one, first in {0.0: base, **plus}.items():
        for other, second in {0.0: base, **minus}.items():
            pair = curves.pair(one, other)
            reversed_on_hard = first_agreement([(first, second)], -base)
            assert pair.reversed.xy == pytest.approx(roc_point(y, reversed_on_hard, 1, weights).xy, abs=1e-9)
            assert pair.excluded == pytest.approx(inclusion_share(first, second, 1, weights), abs=1e-12)
            hard = first != second
            assert pair.hard_positive == pytest.approx(total[hard & (y == 1)].sum(), abs=1e-9)
            assert pair.hard_negative == pytest.approx(total[hard & (y == -1)].sum(), abs=1e-9)


def test_strengths_in_any_order_and_0_among_them():
    curves = bias_curves(Y, BASE, {0.3: Y, 0: BASE, 0.1: BASE}, MINUS)
    assert curves.plus.strengths.tolist() == [0, 0.1, 0.3]
    assert curves.plus.point(2).accuracy == 1
    assert curves.positive == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"plus": {}}, "plus has no strength above 0"),
        ({"minus": {0: BASE}}, "minus has no strength above 0"),
        ({"plus": {0: Y, 0.1: Y}}, r"plus\[0\] differs from base"),
        ({"plus": {-0.1: Y}}, "strength of plus=-0.1 is out of range"),
        ({"minus": {0.1: [1]}}, r"minus\[0\.1\] has 1 labels for 6 cases"),
        ({"base": [0] * 6}, "base has the label 0, but the classes are 1 .positive. and -1"),
        ({"y_true": [0, 1, 2, 0, 1, 2]}, "y_true has 3 classes .* binary problems"),
        ({"y_true": [1] * 6, "positive": 1}, "y_true has cases of one class alone"),
        ({"sample_weight": [0, 0, 1, 0, 1, 1]}, "y_true has cases of one class alone, as weighted"),
    ],
)
def test_bad_input(change, message):
    arguments = {"y_true": Y, "base": BASE, "plus": PLUS, "minus": MINUS, **change}
    with pytest.raises(ValueError, match=message):
        bias_curves(**arguments)


def test_strengths_must_be_named():
    with pytest.raises(TypeError, match=r"plus=\[\[1, 1\]\] is no mapping; give labels by strength"):
        bias_curves(Y, BASE, [[1, 1]], MINUS)


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
