"""Bias curves from predictions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from analysis.roc.drawing import biased
from covey.analysis.roc import bias_curves, first_agreement, inclusion_share, roc_point

QUICK = settings(deadline=None, max_examples=60)
Y, BASE = [-1, -1, 1, -1, 1, 1], [-1, -1, -1, 1, 1, 1]
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
        ({"plus": {-0.1: Y}}, "plus has the strength -0.1; give finite numbers above 0"),
        ({"plus": {"0.1": Y}}, "plus has the strength '0.1'"),
        ({"plus": {True: Y}}, "plus has the strength True"),
        ({"plus": {np.inf: Y}}, "plus has the strength inf"),
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
    with pytest.raises(TypeError, match=r"plus=\[\[1, 1\]\] is no mapping; give predictions by strength"):
        bias_curves(Y, BASE, [[1, 1]], MINUS)
