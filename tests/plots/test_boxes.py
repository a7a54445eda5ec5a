"""Box plots of scores by method."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.cbook import boxplot_stats

from covey.plots.rows import MOST_POINTS, draw_score_boxes, score_boxes
from plots.drawn import extents, is_on_page, overlapping, published_accuracies, row_names

WORDS = {"metric": "accuracy", "larger_is_better": True}


def points_of(ax):
    return [line.get_xydata() for line in ax.lines if line.get_label() == "_scores"]


def test_worked_by_hand():
    boxes = score_boxes({"a": [1, 2, 3, 4, 10], "b": [5, 5]}, **WORDS)
    assert boxes.methods == ("b", "a")
    assert boxes.boxes[1] == (1, 2, 3, 4, 4, 4, (10.0,))
    assert boxes.boxes[0] == (5, 5, 5, 5, 5, 5, ())
    assert boxes.title == "Accuracy by method, 2 to 5 scores each"
    assert boxes.description == (
        "Box plots. Accuracy by method, 2 to 5 scores each, larger is better, the best median first. "
        "b: median 5, quartiles 5 and 5, mean 5. a: median 3, quartiles 2 and 4, mean 4."
    )


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 50])
def test_boxes_are_those_of_matplotlib(count):
    values = np.random.default_rng(count).standard_t(2, count)
    (box,) = score_boxes({"a": values}, **WORDS).boxes
    (expected,) = boxplot_stats(values)
    for mine, theirs in zip(box[:6], ("whislo", "q1", "med", "q3", "whishi", "mean"), strict=True):
        assert mine == pytest.approx(expected[theirs])
    np.testing.assert_allclose(box.outliers, np.sort(expected["fliers"]))


def test_the_best_median_is_first():
    scores = np.array([[1, 3, 2, 3], [1, 3, 2, 3], [1, 4, 2, 3]])
    assert score_boxes(scores, **WORDS).methods == ("2", "4", "3", "1")
    assert score_boxes(scores, metric="error", larger_is_better=False).methods == ("1", "3", "4", "2")
    # Equal in median and mean: as they were given.
    assert score_boxes({"z": [1, 2], "a": [2, 1]}, **WORDS).methods == ("z", "a")


def test_published_accuracies():
    frame = published_accuracies(2)
    boxes = score_boxes(frame, **WORDS)
    assert boxes.methods == tuple(frame.median().sort_values(ascending=False).index)
    assert len(boxes.scores[0]) == 16
    renamed = score_boxes(frame.to_numpy(), **WORDS, methods=list(frame.columns))
    assert renamed.methods == boxes.methods


def test_what_is_drawn():
    rng = np.random.default_rng(0)
    boxes = score_boxes({"_low": rng.random(20), "$high": 1 + rng.random(20)}, **WORDS)
    ax = draw_score_boxes(boxes)
    assert row_names(ax) == ["$high", "_low"]
    # The first is on top.
    assert ax.transData.transform((0, 0))[1] > ax.transData.transform((0, 1))[1]
    for place, (points, values) in enumerate(zip(points_of(ax), boxes.scores, strict=True)):
        assert points[:, 0].tolist() == sorted(values.tolist())
        assert (np.abs(points[:, 1] - place) < 0.25).all()
        assert len(set(points[:, 1].tolist())) == 20
    (means,) = (line for line in ax.lines if line.get_label() == "_mean")
    assert means.get_xdata().tolist() == [box.mean for box in boxes.boxes]
    assert [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches[:2]] == [
        pytest.approx((box.first, box.third)) for box in boxes.boxes
    ]
    assert (ax.get_title(), ax.get_xlabel()) == (
        boxes.title,
        "accuracy (line: median, diamond: mean, dots: all scores)",
    )


def test_of_many_scores_only_outliers_are_points():
    values = np.random.default_rng(0).standard_t(2, MOST_POINTS + 1)
    boxes = score_boxes({"a": values}, **WORDS)
    (points,) = points_of(draw_score_boxes(boxes))
    assert points[:, 0].tolist() == list(boxes.boxes[0].outliers)
    assert 0 < len(points) < MOST_POINTS


def test_unequal_numbers_of_scores_are_told():
    ax = draw_score_boxes(score_boxes({"a": [1, 2, 3], "b": [0]}, **WORDS))
    assert row_names(ax) == ["a (3)", "b (1)"]


@pytest.mark.parametrize("new", [True, False])
def test_forty_names_do_not_overlap(new):
    rng = np.random.default_rng(0)
    boxes = score_boxes({f"a method by the name of {n}": rng.random(9) for n in range(40)}, **WORDS)
    ax = draw_score_boxes(boxes, None if new else plt.subplots(figsize=(6, 4), layout="constrained")[1])
    assert is_on_page(ax)
    assert not overlapping(extents(ax.get_yticklabels()))


def test_dots_are_explained():
    few, many = np.arange(5.0), np.random.default_rng(0).standard_t(2, MOST_POINTS + 1)
    even = np.linspace(0, 1, MOST_POINTS + 1)
    for scores, words in (
        ({"a": few}, "mean, dots: all scores)"),
        ({"a": many}, "mean, dots: outliers)"),
        ({"a": even}, "diamond: mean)"),
        ({"a": few, "b": many}, "dots: all scores, but only outliers of more than 100)"),
    ):
        ax = draw_score_boxes(score_boxes(scores, **WORDS))
        assert ax.get_xlabel().replace("\n", " ").endswith(words)
