"""The ROC space of hard cases, and spaces inside each other."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from analysis.roc.drawing import labelled, rounds, signs
from covey.analysis.roc import (
    RocPoint,
    embedded_space,
    first_agreement,
    inclusion_share,
    nested_spaces,
    roc_point,
    round_points,
)

QUICK = settings(deadline=None, max_examples=120)


def weights_of(weights, chosen):
    return None if weights is None else weights[chosen]


def test_by_hand():
    """Ten cases of each class; h+ finds 4 positive ones and errs on 1, h- finds 8 and errs on 6."""
    space = embedded_space(RocPoint(0.1, 0.4, 10, 10), RocPoint(0.6, 0.8, 10, 10))
    assert (space.n_positive, space.n_negative) == (pytest.approx(4), pytest.approx(5))
    assert space.best.xy == (0.1, 0.8)
    assert space.worst.xy == (0.6, 0.4)
    assert space.centre.xy == pytest.approx((0.35, 0.6))
    assert space.outer(RocPoint(0.2, 0.75, 4, 5)).xy == pytest.approx((0.2, 0.7))
    inner = space.inner(RocPoint(0.2, 0.7, 10, 10))
    assert inner.xy == pytest.approx((0.2, 0.75))
    assert (inner.n_positive, inner.n_negative) == (pytest.approx(4), pytest.approx(5))
    assert str(space) == (
        "Embedded ROC space from (0.100, 0.400) to (0.600, 0.800): 4 positive and 5 negative cases are hard; accuracy "
        "0.625 with a random arbiter, 0.850 with the best"
    )


@QUICK
@given(rounds(most_rounds=1))
def test_proposition_1_is_exact_where_inclusion_holds(drawn):
    y, weights, pairs, arbiter = drawn
    ((plus, minus),) = pairs
    assert inclusion_share(plus, minus, 1) == 0
    space = embedded_space(roc_point(y, plus, 1, weights), roc_point(y, minus, 1, weights))
    ensemble = roc_point(y, first_agreement(pairs, arbiter), 1, weights)
    hard = plus != minus
    if hard.any():
        inner = roc_point(y[hard], arbiter[hard], 1, weights_of(weights, hard))
        assert space.outer(inner).xy == pytest.approx(ensemble.xy, rel=0, abs=1e-12)
        assert space.n_positive == pytest.approx(inner.n_positive, abs=1e-9)
        assert space.n_negative == pytest.approx(inner.n_negative, abs=1e-9)
        assert space.contains(ensemble)
        np.testing.assert_allclose(space.inner(ensemble).xy, inner.xy, rtol=0, atol=1e-9)
    else:
        assert space.plus.xy == space.minus.xy == ensemble.xy
        assert np.isnan(space.inner(ensemble).xy).all()


@QUICK
@given(rounds())
def test_proposition_1_holds_round_by_round(drawn):
    y, weights, pairs, arbiter = drawn
    points = round_points(y, pairs, 1, weights)
    spaces = nested_spaces(points)
    hard = np.ones(len(y), dtype=bool)
    for number, ((plus, minus), space) in enumerate(zip(pairs, spaces, strict=False), start=1):
        for said, corner in ((-1, space.plus), (1, space.minus)):
            # An arbiter that always says -1 makes the ensemble the corner h+, one that says +1 the corner h-.
            constant = first_agreement(pairs[:number], np.full(len(y), said))
            assert roc_point(y, constant, 1, weights).xy == pytest.approx(corner.xy, rel=0, abs=1e-12)
        hard &= plus != minus
    assert len(spaces) == len(pairs) or not hard.any()
    ensemble = roc_point(y, first_agreement(pairs, arbiter), 1, weights)
    if hard.any():
        inner = roc_point(y[hard], arbiter[hard], 1, weights_of(weights, hard))
        assert spaces[-1].outer(inner).xy == pytest.approx(ensemble.xy, rel=0, abs=1e-12)
    for outside, inside in pairwise(spaces):
        assert outside.contains(inside.plus)
        assert outside.contains(inside.minus)
        assert inside.best.accuracy <= outside.best.accuracy + 1e-12


@QUICK
@given(labelled(), st.data())
def test_the_best_arbiter_reaches_the_best_point(cases, data):
    y, weights = cases
    one, other = data.draw(signs(len(y))), data.draw(signs(len(y)))
    plus, minus = np.minimum(one, other), np.maximum(one, other)
    space = embedded_space(roc_point(y, plus, 1, weights), roc_point(y, minus, 1, weights))
    for arbiter, point in ((y, space.best), (-y, space.worst)):
        ensemble = roc_point(y, first_agreement([(plus, minus)], arbiter), 1, weights)
        assert ensemble.xy == pytest.approx(point.xy, rel=0, abs=1e-12)


@QUICK
@given(labelled(), st.data())
def test_a_random_arbiter_reaches_the_centre_inclusion_or_not(cases, data):
    """The mean of what an arbiter and its opposite reach is that of guessing."""
    y, weights = cases
    plus, minus, arbiter = (data.draw(signs(len(y))) for _ in range(3))
    both = [roc_point(y, first_agreement([(plus, minus)], one), 1, weights) for one in (arbiter, -arbiter)]
    ends = [roc_point(y, one, 1, weights) for one in (plus, minus)]
    assert np.mean([point.xy for point in both], axis=0) == pytest.approx(np.mean([p.xy for p in ends], axis=0))


def test_without_inclusion_the_proposition_fails():
    y = np.array([-1, -1, 1, 1])
    plus, minus, arbiter = np.array([1, -1, 1, -1]), np.array([-1, 1, 1, 1]), np.array([1, -1, 1, 1])
    assert inclusion_share(plus, minus, 1) == 0.25
    space = embedded_space(roc_point(y, plus), roc_point(y, minus))
    hard = plus != minus
    promised = space.outer(roc_point(y[hard], arbiter[hard], 1))
    assert promised.xy == (0.5, 1)
    assert roc_point(y, first_agreement([(plus, minus)], arbiter)).xy == (0.5, 1)
    # Half of the negative hard cases are called positive, but the space is not wide at all.
    assert (space.width, roc_point(y[hard], arbiter[hard], 1).fpr) == (0, 0.5)
    worse = np.array([1, 1, 1, 1])
    assert space.outer(roc_point(y[hard], worse[hard], 1)).fpr == 0.5
    assert roc_point(y, first_agreement([(plus, minus)], worse)).fpr == 1


def test_rounds_end_with_the_hard_cases():
    y = [-1, 1, -1, 1]
    easy = ([-1, 1, 1, 1], [-1, 1, 1, 1])
    assert len(round_points(y, [easy, easy, easy])) == 1
    assert nested_spaces([]) == []


def test_hard_cases_of_one_class():
    y = np.array([-1, -1, 1, 1])
    pairs = [([-1, -1, -1, 1], [-1, -1, 1, 1]), ([-1, -1, -1, 1], [-1, -1, 1, 1])]
    points = round_points(y, pairs)
    assert (points[1][0].n_positive, points[1][0].n_negative) == (1, 0)
    first, second = nested_spaces(points)
    assert (first.plus.xy, first.minus.xy) == (second.plus.xy, second.minus.xy) == ((0, 0.5), (0, 1))
    alone = embedded_space(*points[1])
    assert (alone.width, alone.height, alone.n_negative) == (0, 1, 0)
    assert alone.centre.tpr == 0.5
    assert alone.contains(alone.centre)


def test_bad_spaces():
    low, high = RocPoint(0.1, 0.4, 10, 10), RocPoint(0.6, 0.8, 10, 10)
    with pytest.raises(ValueError, match="so there is no space between them; exchange them, or bias more"):
        embedded_space(high, low)
    with pytest.raises(ValueError, match="h_minus of 5 and 10; measure both on the same cases"):
        embedded_space(low, RocPoint(0.6, 0.8, 5, 10))
    with pytest.raises(TypeError, match=r"h_plus=\(0, 0\) is no RocPoint; give what roc_point returns"):
        embedded_space((0, 0), high)
    space = embedded_space(low, high)
    with pytest.raises(ValueError, match=r"outer=\(0, 1\) lies outside the embedded space from \(0\.1, 0\.4\) to"):
        space.inner(RocPoint(0, 1, 10, 10))
    with pytest.raises(TypeError, match="is no RocPoint"):
        space.outer((0, 1))


def test_bad_rounds():
    low, high = RocPoint(0.1, 0.4, 10, 10), RocPoint(0.6, 0.8, 10, 10)
    with pytest.raises(ValueError, match=r"h_plus=.* calls a greater share"):
        nested_spaces([(high, low)])
    with pytest.raises(TypeError, match=r"pairs has .* for round 1; give"):
        nested_spaces([low])
    with pytest.raises(ValueError, match="round 2 is of 10 positive and 10 negative cases, but round 1 leaves 4 and 5"):
        nested_spaces([(low, high), (low, high)])
    first, second = nested_spaces([(low, high), (low, high)], strict=False)
    assert first.contains(second.plus)
    assert second.plus.xy == pytest.approx((0.15, 0.56))
    with pytest.raises(ValueError, match=r"pairs\[0\]\[1\] has the label 3"):
        round_points([-1, 1], [([-1, 1], [-1, 3])])
    with pytest.raises(ValueError, match="binary problems"):
        round_points([0, 1, 2], [([0, 1, 1], [0, 1, 1])])
