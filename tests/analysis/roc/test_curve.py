"""The bias curve of one class."""

from __future__ import annotations

import numpy as np
import pytest

from covey.analysis.roc import BiasCurve

CURVE = BiasCurve("plus", np.array([0, 0.1, 0.3]), np.array([0.4, 0.2, 0]), np.array([0.8, 0.6, 0.1]), 10, 30)


def test_by_hand():
    assert len(CURVE) == 3
    assert CURVE.point(1).xy == (0.2, 0.6)
    assert [point.xy for point in CURVE.points] == [(0.4, 0.8), (0.2, 0.6), (0, 0.1)]
    np.testing.assert_allclose(CURVE.accuracy, [26 / 40, 30 / 40, 31 / 40])
    assert CURVE.place(0.1) == CURVE.place(0.3 - 0.2) == 1
    assert str(CURVE) == "Bias curve of h+: 3 strengths from 0 at (0.400, 0.800) to 0.3 at (0.000, 0.100)"


def test_only_strengths_that_were_tried():
    with pytest.raises(ValueError, match=r"strength=0\.2 was not tried for plus; give one of 0, 0\.1, 0\.3"):
        CURVE.place(0.2)


def test_it_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        CURVE.fpr[0] = 1
