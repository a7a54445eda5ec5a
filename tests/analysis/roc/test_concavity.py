"""How deep bias curves lie beneath their convex hull."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.spatial import ConvexHull

from analysis.roc.drawing import biased
from covey.analysis.roc import BiasCurve, bias_curves
from covey.analysis.roc.point import concavity_of, upper_hull

QUICK = settings(deadline=None, max_examples=60)
UNIT = st.integers(0, 50).map(lambda n: n / 50)


def curves(plus, minus, n_positive=10, n_negative=10):
    return [
        BiasCurve(side, 0.1 * np.arange(len(points)), *np.array(points, dtype=float).T, n_positive, n_negative)
        for side, points in (("plus", plus), ("minus", minus))
    ]


def test_by_hand():
    """The hull from (0, 0.5) to (0.5, 1) lies above h at (0.4, 0.6): by 0.3 upwards, by 0.3 / sqrt(2) across."""
    found = concavity_of(*curves([(0.4, 0.6), (0, 0.5)], [(0.4, 0.6), (0.5, 1)]))
    assert found.points.tolist() == [[0, 0.5], [0.4, 0.6], [0.5, 1]]
    assert found.strengths.tolist() == [-0.1, 0, 0.1]
    assert found.hull.tolist() == [[0, 0], [0, 0.5], [0.5, 1], [1, 1]]
    # (0.25, 0.75) is on the hull and calls as many cases positive: half of them, with an accuracy of 0.75, not 0.6.
    np.testing.assert_allclose(found.accuracies, [0, 0.15, 0])
    np.testing.assert_allclose(found.distances, [0, 0.3 / np.sqrt(2), 0])
    assert (found.accuracy, found.deepest) == (pytest.approx(0.15), 1)
    assert str(found) == "Concavity 0.150 deep in accuracy, 0.212 in ROC space; deepest is h"


def test_the_deepest_may_be_a_biased_classifier():
    found = concavity_of(*curves([(0.4, 0.6), (0.3, 0.3), (0, 0.5)], [(0.4, 0.6), (0.5, 1)]))
    assert found.deepest == 1
    assert "deepest is h+ biased by 0.1" in str(found)


def test_no_concavity():
    found = concavity_of(*curves([(0.2, 0.8), (0, 0.5)], [(0.2, 0.8), (0.5, 1)]))
    assert (found.accuracy, found.distance) == (0, 0)
    assert str(found) == "No concavity: all points lie on their convex hull"
    assert found.deepest == 1


@QUICK
@given(st.lists(st.tuples(UNIT, UNIT), min_size=1, max_size=12))
def test_the_hull_is_that_of_scipy(points):
    points = np.array(points)
    hull = upper_hull(points)
    assert hull[0].tolist() == [0, 0]
    assert hull[-1].tolist() == [1, 1]
    every = np.concatenate([points, [[0, 0], [1, 1]]])
    # Below the diagonal the lower hull is scipy's; (1, 0) takes its place, and all else is the upper hull.
    theirs = ConvexHull(np.concatenate([every, [[1, 0]]]))
    corners = {tuple(point) for point in theirs.points[theirs.vertices]} - {(1.0, 0.0)}
    assert corners == {tuple(point) for point in hull} or len(hull) == 2


@QUICK
@given(biased(), st.data())
def test_no_mixture_of_two_points_lies_above_the_hull(drawn, data):
    y, weights, base, plus, minus = drawn
    found = bias_curves(y, base, plus, minus, 1, weights).concavity
    assert (found.accuracies >= 0).all()
    n_points = len(found.points)
    one, other = (data.draw(st.integers(0, n_points - 1)) for _ in range(2))
    share = data.draw(st.floats(0, 1))
    x, height = share * found.points[one] + (1 - share) * found.points[other]
    assert height <= np.interp(x, *_highest(found.hull)) + 1e-9
    # A point is as deep in accuracy as it is in ROC space, or not at all.
    np.testing.assert_array_equal(found.accuracies > 1e-9, found.distances > 1e-9)


def _highest(hull):
    """A hull that begins straight up, as a function."""
    start = 1 if len(hull) > 1 and hull[1, 0] == 0 else 0
    return hull[start:, 0], hull[start:, 1]


@QUICK
@given(biased(nested=True))
def test_a_gain_by_guessing_is_a_concavity(drawn):
    y, weights, base, plus, minus = drawn
    curves = bias_curves(y, base, plus, minus, 1, weights)
    best = curves.best_pair("concavity")
    assert curves.concavity.accuracy >= best.depth - 1e-9
    if curves.best_pair("centre").midpoint_gain > 1e-9:
        assert max(curves.single_gain, best.depth) > 0
