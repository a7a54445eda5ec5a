"""Scores against training times."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey.plots.points import accuracy_time, draw_accuracy_time
from plots.drawn import extents, is_on_page, legend_of, line, names_of, overlapping, save

WORDS = {"metric": "accuracy", "larger_is_better": True}
NAMES = [
    "C4.5",
    "C4.5SAS",
    "WAG",
    "BOOST",
    "SASC",
    "MB",
    "BOOSTSASC",
    "WAGSASC",
    "MBSASC",
    "Bagging",
    "Adaboost",
    "MultiBoost",
    "RandS",
    "RandC",
    "RandF",
    "RotF",
    "αRSC",
    "αRSE",
    "αβRSE",
    "αRSSE",
    "Triskel-1",
    "Triskel-W4",
    "MFS1",
    "ERASSEL",
    "RSSL",
]


def crowd(seed=0, count=25, spread=0.7):
    rng = np.random.default_rng(seed)
    seconds = 10 ** rng.normal(0, spread, count)
    return 0.8 + 0.05 * np.log10(seconds) + rng.normal(0, 0.02, count), seconds


def test_the_front_worked_by_hand():
    #         slow best, fast, beaten, between, as good as between but slower, twin of the fast one
    scores, seconds = [0.9, 0.7, 0.6, 0.8, 0.8, 0.7], [9, 1, 2, 3, 4, 1]
    points = accuracy_time(scores, seconds, list("abcdef"), **WORDS)
    assert points.front == (1, 5, 3, 0)
    losses = accuracy_time(1 - np.array(scores), seconds, list("abcdef"), metric="error", larger_is_better=False)
    assert losses.front == (1, 5, 3, 0)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=15), st.booleans())
def test_nobody_beats_the_front(pairs, larger):
    scores, seconds = np.array(pairs, dtype=float).T
    front = accuracy_time(scores, seconds, range(len(pairs)), metric="score", larger_is_better=larger).front
    gain = scores if larger else -scores
    beaten = [
        any((gain >= gain[k]) & (seconds <= seconds[k]) & ((gain > gain[k]) | (seconds < seconds[k])))
        for k in range(len(pairs))
    ]
    assert set(front) == {k for k in range(len(pairs)) if not beaten[k]}
    assert sorted(seconds[list(front)]) == seconds[list(front)].tolist()


def test_in_words():
    points = accuracy_time([0.9, 0.8, 0.7], [1.5, 20, 0.1], ["a", "b", "c"], **WORDS)
    assert points.title == "Accuracy against training time"
    assert points.description == (
        "Accuracy against training time, larger is better. Not beaten in both: c 0.7 in 0.1 s; a 0.9 in 1.5 s. "
        "The others: b 0.8 in 20 s."
    )
    assert points.logarithmic
    assert not accuracy_time([1, 1], [1, 9], ["a", "b"], **WORDS).logarithmic
    assert not accuracy_time([1, 1], [0, 9], ["a", "b"], **WORDS).logarithmic


def test_what_is_drawn():
    points = accuracy_time([0.9, 0.8, 0.7], [1.5, 20, 0.1], ["_a", "$b", "c"], **WORDS)
    ax = draw_accuracy_time(points)
    assert line(ax, "front").get_xydata().tolist() == [[0.1, 0.7], [1.5, 0.9]]
    assert line(ax, "others").get_xydata().tolist() == [[20, 0.8]]
    assert line(ax, "others").get_markerfacecolor() == "white"
    steps = line(ax, "line")
    assert legend_of(ax) == ["on the Pareto front", "not on it"]
    assert steps.get_drawstyle() == "steps-post"
    assert steps.get_ydata().tolist() == [0.7, 0.9, 0.9]
    assert steps.get_xdata()[-1] == ax.get_xlim()[1]
    assert ax.get_xscale() == "log"
    assert [text.get_text() for text in names_of(ax)] == ["_a", "$b", "c"]
    assert (ax.get_title(), ax.get_ylabel()) == (points.title, "accuracy")
    assert ax.get_xlabel() == "training time in seconds, logarithmic"


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "spread", "long"), [(0, 0.7, False), (1, 0.7, True), (2, 0.05, True)])
def test_the_names_of_25_methods_do_not_overlap(seed, spread, long):
    names = [f"{name} of long name" if long else name for name in NAMES]
    ax = draw_accuracy_time(accuracy_time(*crowd(seed, spread=spread), names, **WORDS))
    assert is_on_page(ax)
    boxes = extents(names_of(ax))
    assert len(boxes) == 25
    assert not overlapping(boxes)
    for box in boxes:
        assert ax.bbox.x0 - 1 <= box.x0 < box.x1 <= ax.bbox.x1 + 1
    # Nor do they cover a point.
    marks = np.concatenate([line(ax, label).get_xydata() for label in ("front", "others")])
    for x, y in ax.transData.transform(marks):
        assert not any(box.x0 < x < box.x1 and box.y0 < y < box.y1 for box in boxes)


def test_names_stay_apart_at_another_resolution():
    ax = draw_accuracy_time(accuracy_time(*crowd(), NAMES, **WORDS))
    ax.figure.set_dpi(250)
    ax.figure.canvas.draw()
    assert not overlapping(extents(names_of(ax)))


@pytest.mark.parametrize(("seconds", "scale"), [([1, 2, 3], "linear"), ([1, 20, 300], "log")])
def test_spreads_are_bars(seconds, scale):
    scores = np.array([0.7, 0.8, 0.9])
    spreads = {"accuracy_spread": np.full(3, 0.01), "seconds_spread": 2 * np.array(seconds)}
    ax = draw_accuracy_time(accuracy_time(scores, seconds, NAMES[:3], **WORDS, **spreads))
    assert ax.get_xscale() == scale
    across, up = ([path.vertices for path in bars.get_paths()] for bars in ax.collections)
    np.testing.assert_allclose([bar[1, 0] for bar in across], 3 * np.array(seconds))
    # Nothing takes less than no time, and a logarithmic axis has no place for that.
    np.testing.assert_allclose([bar[0, 0] for bar in across], 0, atol=1e-3)
    assert ax.get_xlim()[0] > (0.4 if scale == "log" else -2)
    np.testing.assert_allclose([bar[:, 1] for bar in up], np.stack([scores - 0.01, scores + 0.01], axis=1))
    assert is_on_page(ax)
    save(ax)
    assert len(draw_accuracy_time(accuracy_time(scores, seconds, NAMES[:3], **WORDS)).collections) == 0


@pytest.mark.parametrize(("scores", "seconds"), [([0.5], [1]), ([0.5] * 5, [0] * 5), ([0, 0], [1e-9, 1e9])])
def test_odd_cases(scores, seconds):
    ax = draw_accuracy_time(accuracy_time(scores, seconds, NAMES[: len(scores)], **WORDS))
    assert is_on_page(ax)
    assert not overlapping(extents(names_of(ax)))
    save(ax)


@pytest.mark.parametrize("kind", [dict, pd.Series])
def test_numbers_with_labels_are_matched_by_them(kind):
    scores, seconds = kind({"a": 0.1, "b": 0.2, "c": 0.3}), kind({"b": 2, "c": 3, "a": 1})
    spreads = {"accuracy_spread": kind({"c": 6, "b": 5, "a": 4}), "seconds_spread": [7, 8, 9]}
    points = accuracy_time(scores, seconds, ["c", "a", "b"], **WORDS, **spreads)
    assert points.scores.tolist() == [0.3, 0.1, 0.2]
    assert points.seconds.tolist() == [3, 1, 2]
    assert points.score_spread.tolist() == [6, 4, 5]
    assert points.seconds_spread.tolist() == [7, 8, 9]
    # Labels that only count are none.
    assert accuracy_time(pd.Series([1, 2]), [1, 2], ["a", "b"], **WORDS).scores.tolist() == [1, 2]


def test_rounding_does_not_beat_anyone():
    points = accuracy_time([0.1 + 0.2, 0.3, 0.2], [1, 1, 0.5], list("abc"), **WORDS)
    assert set(points.front) == {0, 1, 2}
    assert accuracy_time([0.3, 0.1 + 0.2], [1, 2], ["a", "b"], **WORDS).front == (0,)
