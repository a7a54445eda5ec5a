"""Whether Triskel will help, and whether it did."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from analysis.roc.drawing import biased
from covey.analysis.roc import bias_curves, first_agreement, predict_gain, roc_point

QUICK = settings(deadline=None, max_examples=80)
Y, BASE = [-1, -1, 1, -1, 1, 1], [-1, -1, -1, 1, 1, 1]
BETTER, WORSE = {0.1: [-1, -1, -1, -1, 1, 1]}, {0.3: [1, 1, 1, 1, 1, 1]}


def test_yes_by_a_random_arbiter():
    found = predict_gain(bias_curves(Y, BASE, BETTER, {0.1: [-1, -1, 1, 1, 1, 1]}))
    assert found.verdict == "yes by a random arbiter"
    assert found.helps
    assert found.promised == pytest.approx(5 / 6)
    assert str(found) == (
        "Will Triskel help? Yes by a random arbiter: the middle of h+ biased by 0.1 and h- biased by 0.1 is 0.167 more "
        "accurate than h (0.667)"
    )
    assert (found.midpoint_gain, found.reversal_gain) == (pytest.approx(1 / 6), pytest.approx(1 / 3))
    assert found.concavity == pytest.approx(1 / 6)
    assert found.roc_distance > 0
    assert found.pair.strength_plus == 0.1


def test_yes_by_a_constant_arbiter():
    found = predict_gain(bias_curves(Y, BASE, BETTER, {0.3: [1, 1, 1, 1, 1, 1]}))
    assert found.verdict == "yes by a constant arbiter"
    assert found.promised == pytest.approx(5 / 6)
    assert found.reason == (
        "no middle of two biased classifiers is more accurate than h (0.667), but h+ biased by 0.1 is by 0.167, and so "
        "is an arbiter that always says -1"
    )
    other = predict_gain(bias_curves(Y, BASE, {0.3: [-1] * 6}, {0.2: [-1, -1, 1, 1, 1, 1]}))
    assert "h- biased by 0.2 is by 0.167, and so is an arbiter that always says +1" in other.reason


def test_not_by_these():
    found = predict_gain(bias_curves(Y, BASE, {0.1: [-1] * 6}, WORSE))
    assert found.verdict == "not by these"
    assert not found.helps
    assert found.promised == found.base_accuracy
    assert found.reason == (
        "no biased classifier is more accurate than h (0.667), and the best misses it by 0.167; only an arbiter that "
        "learns the hard cases can help"
    )
    level = predict_gain(bias_curves(Y, BASE, {0.1: BASE}, {0.1: BASE}))
    assert "the best is as accurate; only" in level.reason


@pytest.mark.parametrize(
    ("plus", "accuracy", "kept", "reached", "words"),
    [
        (BETTER, 1.0, True, True, "a gain as predicted, no less than a simple arbiter's 0.833"),
        (BETTER, 0.75, True, False, "a gain as predicted, but less than a simple arbiter's 0.833"),
        (BETTER, 4 / 6, False, False, "no gain though one was predicted, which other strengths"),
        ({0.1: [-1] * 6}, 4 / 6, True, True, "no gain, as predicted"),
        ({0.1: [-1] * 6}, 0.9, False, True, "a gain all the same: a trained arbiter does better"),
    ],
)
def test_what_happened(plus, accuracy, kept, reached, words):
    check = predict_gain(bias_curves(Y, BASE, plus, WORSE)).check(accuracy)
    assert (check.kept, check.reached) == (kept, reached)
    assert check.gain == pytest.approx(accuracy - 4 / 6)
    assert str(check).startswith(f"Accuracy {accuracy:.3f} against 0.667 without bias")
    assert words in str(check)


@QUICK
@given(biased(nested=True))
def test_the_simple_arbiters_reach_what_is_promised(drawn):
    """Under inclusion; an arbiter that always says -1 makes the ensemble h+, whatever the paper's sentence says."""
    y, weights, base, plus, minus = drawn
    curves = bias_curves(y, base, plus, minus, 1, weights)
    found = predict_gain(curves)
    best = max(
        roc_point(y, first_agreement([(first, second)], np.full(len(y), said)), 1, weights).accuracy
        for first in plus.values()
        for second in minus.values()
        for said in (-1, 1)
    )
    assert found.single_gain == pytest.approx(best - found.base_accuracy, abs=1e-9)
    assert found.helps == (best > found.base_accuracy + 1e-12) or abs(best - found.base_accuracy) < 1e-9
    # If guessing helps, so does reversing h, by as much again.
    assert found.reversal_gain == pytest.approx(2 * found.midpoint_gain, abs=1e-9)


def test_bad_input():
    found = predict_gain(bias_curves(Y, BASE, BETTER, WORSE))
    with pytest.raises(ValueError, match="accuracy=93 is out of range; give a finite number between 0 and 1"):
        found.check(93)
    with pytest.raises(TypeError, match=r"curves=\[1\] is no BiasCurves; give what bias_curves returns"):
        predict_gain([1])
