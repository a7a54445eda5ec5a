"""Lines of equal accuracy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.analysis.roc import RocPoint, iso_accuracy

RATES, COUNTS = st.floats(0, 1), st.floats(0.5, 500)


def test_by_hand():
    line = iso_accuracy(RocPoint(0.25, 0.5, 20, 40))
    assert line.accuracy == pytest.approx(40 / 60)
    assert line.slope == 2
    assert line.at(0.25) == pytest.approx(0.5)
    assert line.at(0.5) == pytest.approx(1.0)
    assert str(line) == "Line of accuracy 0.667: TPr = 0.000 + 2.000 FPr"
    np.testing.assert_allclose(line.ends(), [[0, 0], [0.5, 1]], atol=1e-12)
    np.testing.assert_allclose(iso_accuracy(0.5, 10, 10).ends(), [[0, 0], [1, 1]], atol=1e-12)
    np.testing.assert_allclose(iso_accuracy(1.0, 10, 10).ends(), [[0, 1], [0, 1]], atol=1e-12)


@settings(deadline=None, max_examples=80)
@given(RATES, RATES, COUNTS, COUNTS, RATES)
def test_all_on_the_line_are_as_accurate(fpr, tpr, n_positive, n_negative, x):
    point = RocPoint(fpr, tpr, n_positive, n_negative)
    line = iso_accuracy(point)
    assert line.at(fpr) == pytest.approx(tpr, abs=1e-9)
    if 0 <= line.at(x) <= 1:
        assert point.at(x, line.at(x)).accuracy == pytest.approx(point.accuracy, abs=1e-9)
    for one in line.ends():
        assert point.at(*one).accuracy == pytest.approx(point.accuracy, abs=1e-9)
    assert not line.is_above(point)


@settings(deadline=None, max_examples=80)
@given(RATES, RATES, RATES, RATES, COUNTS, COUNTS)
def test_above_is_more_accurate(fpr, tpr, x, y, n_positive, n_negative):
    base = RocPoint(fpr, tpr, n_positive, n_negative)
    other, line = base.at(x, y), iso_accuracy(base)
    assert line.gain(other) == pytest.approx(other.accuracy - base.accuracy, abs=1e-12)
    assert line.is_above(other) == (line.gain(other) > 1e-12)
    if abs(y - line.at(x)) > 1e-6:
        assert line.is_above(other) == (y > line.at(x))


def test_other_numbers_of_cases():
    point = RocPoint(0.2, 0.6, 10, 10)
    assert iso_accuracy(point).accuracy == pytest.approx(0.7)
    assert iso_accuracy(point, 10, 30).accuracy == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.5,), "n_positive is not given, but an accuracy alone has no line"),
        ((0.5, 10), "n_negative is not given"),
        ((0.5, 0, 10), "n_positive=0: a class without cases has no rate"),
        ((1.5, 10, 10), r"of=1\.5 is out of range"),
        ((0.5, -1, 10), "n_positive=-1 is out of range"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        iso_accuracy(*arguments)


def test_only_points_are_judged():
    with pytest.raises(TypeError, match=r"point=\(0, 1\) is no RocPoint"):
        iso_accuracy(0.5, 1, 1).is_above((0, 1))
