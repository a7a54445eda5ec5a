"""Points of ROC space, lines of equal accuracy, and concavities beneath the convex hull."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.spatial import ConvexHull
from sklearn.metrics import accuracy_score, recall_score

from analysis.roc.drawing import biased, labelled, signs
from covey.analysis.roc import RocPoint, bias_curves, iso_accuracy, roc_point
from covey.analysis.roc.point import concavity_of, upper_hull

QUICK = settings(deadline=None, max_examples=60)


def test_by_hand():
    point = roc_point([-1, -1, -1, -1, 1, 1], [1, -1, -1, -1, 1, -1])
    assert point.xy == (0.25, 0.5)
    assert (point.n_positive, point.n_negative, point.n_cases) == (2, 4, 6)
    assert point.accuracy == pytest.approx(4 / 6)
    assert point.called_positive == pytest.approx(2 / 6)
    assert str(point) == (
        "ROC point: false positive rate 0.250, true positive rate 0.500, accuracy 0.667 of 2 positive and 4 negative "
        "cases"
    )


@QUICK
@given(labelled(), st.data())
def test_as_scikit_learn_has_it(cases, data):
    y, weights = cases
    said = data.draw(signs(len(y)))
    point = roc_point(y, said, sample_weight=weights)
    kept = {"sample_weight": weights, "zero_division": 0}
    assert point.tpr == pytest.approx(recall_score(y, said, pos_label=1, **kept))
    assert point.fpr == pytest.approx(1 - recall_score(y, said, pos_label=-1, **kept))
    assert point.accuracy == pytest.approx(accuracy_score(y, said, sample_weight=weights))
    assert point.called_positive == pytest.approx(np.average(said == 1, weights=weights))


@QUICK
@given(labelled(), st.data())
def test_reversing_mirrors_in_the_middle(cases, data):
    """Figure 3a."""
    y, weights = cases
    said = data.draw(signs(len(y)))
    point, opposite = roc_point(y, said, sample_weight=weights), roc_point(y, -said, sample_weight=weights)
    assert opposite.xy == pytest.approx(point.reversed.xy, abs=1e-12)
    assert point.reversed.accuracy == pytest.approx(1 - point.accuracy)


def test_the_other_class_as_positive_turns_the_space():
    y, said = ["a", "a", "b"], ["a", "b", "b"]
    one, other = roc_point(y, said, "b"), roc_point(y, said, "a")
    assert other.xy == (1 - one.tpr, 1 - one.fpr)
    assert one.accuracy == other.accuracy


def test_a_class_without_cases_has_no_rate():
    point = roc_point([1, 1], [1, -1], positive=1)
    assert np.isnan(point.fpr)
    assert (point.tpr, point.accuracy, point.called_positive) == (0.5, 0.5, 0.5)
    negative = roc_point([-1, -1], [1, -1], positive=1)
    assert np.isnan(negative.tpr)
    assert negative.accuracy == 0.5
    assert np.isnan(RocPoint(np.nan, np.nan, 0, 0).accuracy)
    assert np.isnan(RocPoint(np.nan, np.nan, 0, 0).called_positive)


def test_rounding_does_not_leave_the_space():
    assert RocPoint(-1e-16, 1 + 1e-15, 1, 1).xy == (0, 1)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((0.5, 1.5, 1, 1), r"tpr=1\.5 is no rate; give a share from 0 to 1"),
        ((np.nan, 0.5, 1, 1), "fpr=nan is no rate"),
        ((0.5, 0.5, -1, 1), "n_positive=-1 must be a number of cases"),
        ((0.5, 0.5, 1, np.inf), "n_negative=inf must be a number"),
    ],
)
def test_what_is_no_point(values, message):
    with pytest.raises(ValueError, match=message):
        RocPoint(*values)


RATES, COUNTS = st.floats(0, 1), st.floats(0.5, 500)


def test_line_by_hand():
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
        ((0.5,), "n_positive or n_negative is not given, but an accuracy alone has no line"),
        ((0.5, 0, 10), "n_positive=0: a class without cases has no rate"),
        ((1.5, 10, 10), r"of=1\.5 is out of range"),
        ((0.5, -1, 10), "n_positive=-1 is out of range"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        iso_accuracy(*arguments)


UNIT = st.integers(0, 50).map(lambda n: n / 50)


def concavity(points, n_plus=1):
    """Of points from the strongest h+ to the strongest h-, as many cases of each class."""
    return concavity_of(np.array(points), 0.1 * np.arange(-n_plus, len(points) - n_plus), 0.5)


def test_concavity_by_hand():
    """The hull from (0, 0.5) to (0.5, 1) lies above h at (0.4, 0.6): by 0.3 upwards, by 0.3 / sqrt(2) across."""
    found = concavity([(0, 0.5), (0.4, 0.6), (0.5, 1)])
    assert found.hull.tolist() == [[0, 0], [0, 0.5], [0.5, 1], [1, 1]]
    # (0.25, 0.75) is on the hull and calls as many cases positive: half of them, with an accuracy of 0.75, not 0.6.
    np.testing.assert_allclose(found.accuracies, [0, 0.15, 0])
    np.testing.assert_allclose(found.distances, [0, 0.3 / np.sqrt(2), 0])
    assert (found.accuracy, found.deepest) == (pytest.approx(0.15), 1)
    assert str(found) == "Concavity 0.150 deep in accuracy, 0.212 in ROC space; deepest is h"


def test_the_deepest_may_be_a_biased_classifier():
    found = concavity([(0, 0.5), (0.3, 0.3), (0.4, 0.6), (0.5, 1)], n_plus=2)
    assert found.deepest == 1
    assert "deepest is h+ biased by 0.1" in str(found)


def test_no_concavity():
    found = concavity([(0, 0.5), (0.2, 0.8), (0.5, 1)])
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
