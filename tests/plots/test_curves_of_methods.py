"""ROC curves of methods with intervals, and their precision against recall."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from covey.plots import draw_method_curves, method_curves
from plots.drawn import legend_of, line

RNG = np.random.default_rng(0)
Y = np.where(RNG.random(200) < 0.3, "ill", "well")
SCORE = ((Y == "ill") + RNG.normal(size=200)).round(1)  # with ties
GUESS = RNG.random(200)


@pytest.mark.parametrize(("kind", "area"), [("roc", roc_auc_score), ("precision-recall", average_precision_score)])
def test_areas_are_those_of_scikit_learn_and_within_their_intervals(kind, area):
    curves = method_curves(Y, {"score": SCORE, "guess": GUESS}, kind=kind, n_samples=200)
    for name, given in (("score", SCORE), ("guess", GUESS)):
        curve = curves.methods[name]
        assert curve.area == pytest.approx(area(Y == "ill", given))
        assert curve.area_low < curve.area < curve.area_high
        assert (curve.low <= curve.high).all()
    assert curves.methods["guess"].area_high < curves.methods["score"].area_low


def test_corners_are_those_of_the_roc_curve():
    curve = method_curves(Y, SCORE, n_samples=2).methods["predictions"]
    false, true, _ = roc_curve(Y == "ill", SCORE, drop_intermediate=False)
    np.testing.assert_allclose(curve.x, false)
    np.testing.assert_allclose(curve.y, true)


def test_precision_is_level_up_to_each_row_that_is_found():
    curve = method_curves([1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5], positive=1, kind="precision-recall", n_samples=2)
    assert curve.methods["predictions"].x.tolist() == [0, 0.5, 1]
    assert curve.methods["predictions"].y.tolist() == [1, 1, 0.5]


def test_the_auc_interval_is_about_that_of_the_normal_approximation():
    rng = np.random.default_rng(1)
    truth = np.repeat([0, 1], 2000)
    score = truth + rng.normal(size=4000)
    curve = method_curves(truth, score, positive=1, n_samples=500).methods["predictions"]
    area = curve.area
    # Hanley and McNeil (1982)
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    variance = (area * (1 - area) + 1999 * (first - area**2) + 1999 * (second - area**2)) / 2000**2
    assert (curve.area_high - curve.area_low) / (2 * 1.96 * variance**0.5) == pytest.approx(1, abs=0.15)


def test_which_class_is_found():
    shares = np.column_stack([SCORE, -SCORE])
    by_default = method_curves(Y, shares, n_samples=2)
    assert by_default.label == "ill"
    well = method_curves(Y, shares, positive="well", n_samples=2)
    assert well.label == "well"
    assert well.methods["predictions"].area == pytest.approx(by_default.methods["predictions"].area)
    assert well.share == pytest.approx(1 - by_default.share)
    three = method_curves(list("abcabc"), np.eye(3)[[0, 1, 2, 0, 1, 2]], positive="b", n_samples=2)
    assert three.methods["predictions"].area == 1


def test_words_and_drawing():
    curves = method_curves(Y, {"$score": SCORE}, n_samples=50)
    assert curves.title == "ROC curve of class ill by method"
    assert curves.notes[0].startswith(f"$score: area {curves.methods['$score'].area:.3f} (")
    assert curves.description == f"{curves.title}, with 95% intervals. {curves.notes[0]}."
    ax = draw_method_curves(curves)
    assert legend_of(ax) == [*curves.notes, "guessing (bands, and in parentheses: 95% intervals)"]
    np.testing.assert_allclose(line(ax, "0").get_ydata(), curves.methods["$score"].y)
    level = draw_method_curves(method_curves(Y, SCORE, kind="precision-recall", n_samples=2))
    assert line(level, "guess").get_ydata().tolist() == [curves.share] * 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"y": [0, 1], "probabilities": [1, 2], "kind": "lift"}, "kind='lift' is unknown; give one of 'roc'"),
        ({"y": [0, 0], "probabilities": [1, 2]}, "positive must be given, as there are 1 classes"),
        ({"y": [0, 1], "probabilities": [1, 2], "positive": 2}, "positive=2 is none of the classes"),
        ({"y": [0, 0], "probabilities": [1, 2], "positive": 0}, "y has 2 of 2 rows of class"),
        ({"y": [0, 1], "probabilities": {"a": [1, 2, 3]}}, r"probabilities of 'a' has shape \(3,\)"),
        ({"y": [0, 1], "probabilities": {"a": [1, np.nan]}}, "probabilities of 'a' has values that are missing"),
        ({"y": [0, 1], "probabilities": {}}, "probabilities has 0 methods; give 1 to 6"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        method_curves(**given)
