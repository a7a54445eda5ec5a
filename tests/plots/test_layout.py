"""Room for text, labels beside points, and places that are kept apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from matplotlib import pyplot as plt

from covey.plots.layout import (
    Label,
    Labels,
    candidates,
    figure_of,
    lay_out,
    legend_below,
    legend_outside,
    nearest,
    place_labels,
    settle,
    spread,
    stack,
    text_size,
    wrap,
)
from plots.drawn import extents, is_on_page, names_of, overlapping

LONG = "a title of many words, too long for a small figure, with a word more"


def test_sizes_are_in_points_whatever_the_resolution():
    coarse, fine = (plt.figure(figsize=(4, 3), dpi=dpi).add_axes((0.25, 0, 0.5, 1)) for dpi in (72, 288))
    assert settle(coarse) == pytest.approx((144, 216))
    assert settle(fine) == pytest.approx((144, 216))
    assert text_size(fine, "a word")[0] == pytest.approx(text_size(coarse, "a word")[0], rel=0.1)
    assert text_size(fine, "a word", size=18)[0] == pytest.approx(2 * text_size(fine, "a word")[0], rel=0.05)
    assert text_size(fine, "a word", weight="bold")[0] > text_size(fine, "a word")[0]
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
    broken = wrap(ax, f"{text}\nshort", 120)
    *lines, last = broken.split("\n")
    assert last == "short"
    assert " ".join(lines) == text
    widths = [text_size(ax, line)[0] for line in lines]
    assert max(widths) <= 120
    assert min(widths) > 60
    assert wrap(ax, text, 1000) == text
    assert wrap(ax, "onewordthatistoolong", 20) == "onewordthatistoolong"
    assert wrap(ax, "", 20) == ""


def test_titles_and_names_follow_the_size_and_what_others_write():
    figure, ax = plt.subplots(figsize=(3.4, 2.6), layout="constrained")
    ax.set(title=LONG, xlabel=LONG, ylabel=LONG)
    lay_out(ax)
    assert is_on_page(ax)
    assert "\n" in ax.get_title()
    assert " ".join(ax.get_ylabel().split()) == LONG
    figure.set_size_inches(12, 9)
    figure.canvas.draw()
    assert ax.get_title() == ax.get_xlabel() == ax.get_ylabel() == LONG
    ax.set_title("another")
    figure.set_size_inches(3.4, 2.6)
    figure.canvas.draw()
    assert ax.get_title() == "another"


def test_things_are_placed_when_the_size_changes_and_not_for_another_resolution():
    (figure, ax), sizes = plt.subplots(figsize=(4, 2)), []
    lay_out(ax, lambda ax, width, height: sizes.append(round(width)))
    before = len(sizes)
    figure.canvas.draw()
    figure.set_dpi(50)
    figure.canvas.draw()
    assert len(sizes) == before
    figure.set_size_inches(2, 2)
    figure.canvas.draw()
    assert sizes[-1] == pytest.approx(sizes[0] / 2, abs=1)


def test_a_legend_is_outside_and_below_where_it_is_wide():
    ax = plt.subplots(figsize=(4, 5), layout="constrained")[1]
    lines = ax.plot([1, 2], [[1, 2], [2, 3]])
    ax.set_xlabel("x")
    legend_outside(ax, [(line, "short") for line in lines])
    assert is_on_page(ax)
    assert ax.get_legend().get_window_extent().x0 >= ax.bbox.x1
    for draw, name in ((legend_outside, "a name that is nearly as long as the axes are wide"), (legend_below, "short")):
        draw(ax, [(line, name) for line in lines])
        assert is_on_page(ax)
        assert ax.get_legend().get_window_extent().y1 <= ax.xaxis.get_tightbbox().y0 + 1


@pytest.mark.parametrize("size", [(5, 5.2), (3.4, 2.6)])
def test_labels_do_not_overlap_and_stay_inside(size):
    points = np.array([*([0.01 * n, 1 - 0.01 * n] for n in range(5)), [1.0, 1.0]])
    labels = [Label(tuple(point), f"mark {number}") for number, point in enumerate(points)]
    labels.append(Label((0, 1), "words that are in a corner of the axes", corner=True))
    ax = plt.subplots(figsize=size, layout="constrained")[1]
    ax.set(xlim=(-0.04, 1.04), ylim=(-0.04, 1.04))
    Labels(ax, labels, points, 6, [np.array([[0.0, 0.0], [1.0, 1.0]])])
    ax.figure.canvas.draw()
    assert len(names_of(ax)) == 7
    assert not overlapping(extents(names_of(ax)))
    page = ax.get_window_extent().padded(1)
    for box in extents(names_of(ax)):
        assert page.x0 <= box.x0 < box.x1 <= page.x1
        assert page.y0 <= box.y0 < box.y1 <= page.y1


PAGE = np.array([0.0, 0, 600, 400])
NO_LINES = np.zeros((0, 2))


def placed(points, sizes, lines=NO_LINES, page=PAGE):
    marks = np.concatenate([points - 4, points + 4], axis=1)
    corners = place_labels(points, sizes, page, marks, lines)
    return np.concatenate([corners, corners + sizes], axis=1), marks


def common(boxes, others):
    low, high = np.maximum(boxes[:, None, :2], others[:, :2]), np.minimum(boxes[:, None, 2:], others[:, 2:])
    return np.maximum(high - low, 0).prod(axis=2)


def test_a_lone_label_is_on_the_right():
    boxes, _ = placed(np.array([[300.0, 200]]), np.array([[50.0, 12]]))
    left, low, _, high = boxes[0]
    assert 304 < left < 310
    assert (low + high) / 2 == pytest.approx(200)


def test_at_the_right_edge_it_is_elsewhere():
    boxes, marks = placed(np.array([[595.0, 200]]), np.array([[50.0, 12]]))
    assert boxes[0, 2] <= 600
    assert common(boxes, marks).max() == 0


def test_it_keeps_off_lines():
    line = np.stack([np.arange(0.0, 600, 4), np.full(150, 200.0)], axis=1)
    boxes, _ = placed(np.array([[300.0, 200]]), np.array([[50.0, 12]]), lines=line)
    assert boxes[0, 1] > 200 or boxes[0, 3] < 200


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1), st.integers(1, 25), st.floats(0.02, 1))
def test_nothing_overlaps(seed, count, crowd):
    rng = np.random.default_rng(seed)
    points = PAGE[2:] * (0.5 + crowd * (rng.random((count, 2)) - 0.5) * 0.95)
    sizes = np.stack([rng.uniform(20, 70, count), np.full(count, 12.0)], axis=1)
    boxes, marks = placed(points, sizes)
    shared = common(boxes, boxes)
    np.fill_diagonal(shared, 0)
    assert shared.max() == 0
    assert common(boxes, marks).max() == 0
    assert (boxes[:, :2] >= 0).all()
    assert (boxes[:, 2:] <= PAGE[2:]).all()


def test_equal_points_have_labels_apart_and_always_the_same():
    points, sizes = np.full((9, 2), 200.0), np.tile([[40.0, 12]], (9, 1))
    boxes, _ = placed(points, sizes)
    shared = common(boxes, boxes)
    np.fill_diagonal(shared, 0)
    assert shared.max() == 0
    np.testing.assert_array_equal(placed(points, sizes)[0], boxes)


def test_more_labels_than_room_are_placed_all_the_same():
    boxes, _ = placed(np.full((30, 2), 20.0), np.tile([[40.0, 12]], (30, 1)), page=np.array([0.0, 0, 50, 50]))
    assert np.isfinite(boxes).all()


def test_candidates_do_not_touch_the_point():
    point, size = np.array([10.0, 20]), np.array([50.0, 12])
    boxes = candidates(point, size)
    away = np.hypot(*(nearest(point, boxes) - point).T)
    assert away.min() > 0.5 * 0.55 * 12
    np.testing.assert_allclose(boxes[:, 2:] - boxes[:, :2], np.tile(size, (len(boxes), 1)))


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
