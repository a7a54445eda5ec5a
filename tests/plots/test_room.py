"""Room for text, and places that are kept apart."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.plots.room import figure_of, make_room, settle, spread, stack, text_size, wrap

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
