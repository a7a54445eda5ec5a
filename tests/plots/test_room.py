"""Room for text, and places that are kept apart."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.plots.layout import (
    distinct_names,
    figure_of,
    give_back_room,
    make_room,
    make_room_right,
    place_width,
    settle,
    spread,
    stack,
    text_size,
    wrap,
)

mpl.use("Agg")

from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def no_figure_left_open():
    yield
    plt.close("all")


def test_sizes_are_in_points_whatever_the_resolution():
    coarse, fine = (plt.figure(figsize=(4, 3), dpi=dpi).add_axes((0.25, 0, 0.5, 1)) for dpi in (72, 288))
    assert settle(coarse) == pytest.approx((144, 216))
    assert settle(fine) == pytest.approx((144, 216))
    assert text_size(fine, "a word")[0] == pytest.approx(text_size(coarse, "a word")[0], rel=0.1)
    assert text_size(fine, "a word", size=18)[0] == pytest.approx(2 * text_size(fine, "a word")[0], rel=0.05)
    assert text_size(fine, "a word", "bold")[0] > text_size(fine, "a word")[0]
    assert text_size(fine, "$x_{")[0] > 0  # as it is, no formula
    assert not fine.texts
    assert figure_of(fine) is fine.figure


def test_a_layout_engine_settles_first():
    figure, ax = plt.subplots(figsize=(4, 3), layout="constrained")
    narrow = settle(ax)[0]
    ax.set_ylabel("name")
    assert settle(ax)[0] < narrow
    assert settle(ax)[0] < 72 * figure.get_figwidth()


def test_a_fixed_shape_is_settled_too():
    ax = plt.figure(figsize=(4, 3)).add_axes((0, 0, 1, 1), aspect="equal")
    assert settle(ax) == pytest.approx((216, 216))


def test_lines_are_not_too_wide_and_alike():
    ax = plt.figure().add_subplot()
    text = "some words that go on for a while and then end in a short word: x"
    broken = wrap(ax, [text, "short"], 120)
    *lines, last = broken.split("\n")
    assert last == "short"
    assert " ".join(lines) == text
    widths = [text_size(ax, line)[0] for line in lines]
    assert max(widths) <= 120
    assert min(widths) > 60
    assert wrap(ax, [text], 1000) == text
    assert wrap(ax, ["onewordthatistoolong"], 20) == "onewordthatistoolong"
    assert wrap(ax, [""], 20) == ""


@pytest.mark.parametrize("in_grid", [True, False])
def test_room_is_taken_from_the_sides(in_grid):
    figure = plt.figure(figsize=(4, 4))
    ax = figure.add_subplot() if in_grid else figure.add_axes((0.2, 0.2, 0.6, 0.6))
    before = ax.get_position()
    make_room(ax, left=0.25, right=0.125, bottom=0.5)
    after = ax.get_position()
    assert after.x0 == pytest.approx(before.x0 + 0.25 * before.width)
    assert after.x1 == pytest.approx(before.x1 - 0.125 * before.width)
    assert after.y0 == pytest.approx(before.y0 + 0.5 * before.height)
    assert after.y1 == pytest.approx(before.y1)


def test_a_layout_engine_makes_room_itself():
    ax = plt.subplots(layout="constrained")[1]
    before = ax.get_position().frozen()
    make_room(ax, left=0.25)
    assert ax.get_position().bounds == before.bounds


@pytest.mark.parametrize("in_grid", [True, False])
def test_room_is_not_taken_twice(in_grid):
    figure = plt.figure(figsize=(4, 4))
    ax = figure.add_subplot() if in_grid else figure.add_axes((0.2, 0.2, 0.6, 0.6))
    before = ax.get_position().bounds
    make_room(ax, left=0.25, bottom=0.5)
    once = ax.get_position().bounds
    make_room(ax, left=0.25, bottom=0.5)
    assert ax.get_position().bounds == pytest.approx(once)
    ax.clear()
    make_room(ax, right=0.5)
    assert ax.get_position().bounds == pytest.approx((before[0], before[1], before[2] / 2, before[3]))
    give_back_room(ax)
    assert ax.get_position().bounds == pytest.approx(before)
    give_back_room(ax)
    assert ax.get_position().bounds == pytest.approx(before)


def test_axes_that_were_moved_stay_there():
    ax = plt.figure().add_axes((0.2, 0.2, 0.6, 0.6))
    make_room(ax, left=0.25)
    ax.set_position((0.5, 0.5, 0.4, 0.4))
    give_back_room(ax)
    assert ax.get_position().bounds == pytest.approx((0.5, 0.5, 0.4, 0.4))


def test_room_at_the_right_is_the_same_each_time():
    ax = plt.figure(figsize=(6, 4)).add_subplot()
    widths = []
    for _ in range(3):
        ax.clear()
        make_room_right(ax, ax.text(1.02, 0.5, "a text outside", transform=ax.transAxes))
        widths.append(ax.get_position().width)
    assert widths == pytest.approx([widths[0]] * 3)


def test_a_fixed_shape_leaves_its_place_as_it_is():
    ax = plt.figure(figsize=(4, 3)).add_axes((0, 0, 0.5, 1), aspect="equal")
    settle(ax)
    assert place_width(ax) == pytest.approx(144)


def test_clipped_names_stay_distinct():
    long = [f"RandomForestClassifier(max_depth={k}, n_estimators=100, random_state=0)" for k in (3, 5, 9)]
    short = distinct_names([*long, "tree"], 32)
    assert [text[text.index("depth=") + 6] for text in short[:3]] == ["3", "5", "9"]
    assert all(text.startswith("RandomFore") for text in short[:3])
    assert short[3] == "tree"
    # Names differ in two places far from each other: numbers.
    far = [a + "x" * 60 + b + "x" * 60 + c for a in "pq" for b in "rs" for c in "tu"]
    assert len(set(distinct_names(far, 20))) == 8
    assert distinct_names(["a\nb", "a\\nb"], 20) == ["a\\nb (1)", "a\\nb (2)"]
    assert distinct_names(["y" * 70, "y" * 70], 20)[0] == distinct_names(["y" * 70], 20)[0]
    assert distinct_names([], 20) == []


letters = st.text(st.sampled_from("ab(1…"), max_size=40)


@settings(deadline=None, max_examples=100)
@given(st.lists(letters, unique=True, max_size=12))
def test_different_names_are_different_when_clipped(names):
    short = distinct_names(names, 12)
    assert len(set(short)) == len(names)
    assert max(map(len, short), default=0) <= 12


places = st.lists(st.floats(0, 10), min_size=1, max_size=30).map(lambda values: np.sort(np.array(values)))


@settings(deadline=None, max_examples=60)
@given(places, st.floats(0.01, 2))
def test_spread_places_are_in_order_apart_and_in_range(values, gap):
    apart = spread(values, gap, 0, 10)
    least = min(gap, 10 / max(len(values) - 1, 1))
    assert (np.diff(apart) >= least - 1e-7).all()
    assert apart.min() >= -1e-7
    assert apart.max() <= 10 + 1e-7
    # Whoever has room stays.
    if (np.diff(values) >= least).all():
        np.testing.assert_array_equal(apart, values)


def test_places_move_no_farther_than_they_must():
    np.testing.assert_allclose(spread(np.array([5.0, 5.0, 9.0]), 1, 0, 10), [4.5, 5.5, 9])
    np.testing.assert_allclose(spread(np.array([0.0, 0.0, 9.0]), 1, 0, 10), [0, 1, 9])


bars = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 8)), max_size=20).map(
    lambda pairs: sorted((float(start), float(start + length)) for start, length in pairs)
)


@settings(deadline=None, max_examples=100)
@given(bars)
def test_rows_hold_no_overlap_and_are_as_few_as_can_be(intervals):
    rows = stack(intervals, 0.5)
    assert len(rows) == len(intervals)
    for i, (start, end) in enumerate(intervals):
        for j, (other, last) in enumerate(intervals):
            assert i == j or rows[i] != rows[j] or end + 0.5 <= other or last + 0.5 <= start
    # As many rows as intervals that are all within reach of some place.
    deepest = max((sum(s <= at < e + 0.5 for s, e in intervals) for at, _ in intervals), default=0)
    assert max(rows, default=-1) + 1 == deepest
