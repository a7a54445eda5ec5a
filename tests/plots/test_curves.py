"""Named lines: their looks, their names, and the room for these."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from matplotlib import pyplot as plt

from covey.plots.curves import (
    LINE_COLOURS,
    MOST_CURVES,
    Curve,
    draw_curves,
    looks,
    name_curves,
    ring_key,
    size_of,
    wants_log,
)
from covey.plots.layout import spread_apart
from covey.plots.style import about, exactly
from plots.drawn import extents, is_on_page, legend_of, line, names_of, overlapping

X = np.arange(1.0, 6)


def fan(count, gap=1.0, note=""):
    """Straight lines that end a gap apart."""
    return [Curve(f"curve {number}", X, number * gap * X, note=note) for number in range(count)]


def bundle(count):
    """Lines that end nearly at the same place."""
    return [Curve(f"curve {number}", X, number * (5 - X + 1e-6)) for number in range(count)]


def drawn(curves, layout="constrained", keys=()):
    ax = plt.subplots(figsize=size_of(curves), layout=layout)[1]
    name_curves(ax, curves, draw_curves(ax, curves), keys)
    return ax


def test_no_two_curves_look_alike():
    assert len(set(LINE_COLOURS)) == 10
    every = looks(MOST_CURVES)
    assert len({tuple(look.values()) for look in every}) == MOST_CURVES == 20
    # Without colours, neighbours still differ.
    for one, other in pairwise(every):
        assert one["marker"] != other["marker"]
        assert one["linestyle"] != other["linestyle"]
    assert looks(2, first=3) == every[3:5]


def test_a_line_with_its_band_and_its_best_point():
    ax = plt.subplots()[1]
    (drawn_line,) = draw_curves(ax, [Curve("a", X, X**2, spread=np.ones(5), best=3)])
    np.testing.assert_allclose(drawn_line.get_xydata(), np.stack([X, X**2], axis=1))
    assert line(ax, "best of a").get_xydata().tolist() == [[4, 16]]
    (band,) = ax.collections
    heights = band.get_paths()[0].vertices
    assert {(5.0, 24.0), (5.0, 26.0)} <= set(map(tuple, heights.tolist()))
    assert draw_curves(ax, [Curve("b", X, X)], smooth=False)[0].get_drawstyle() == "steps-post"


def test_long_curves_have_a_few_markers_each_elsewhere():
    long = np.arange(500.0)
    ax = plt.subplots()[1]
    one, other = draw_curves(ax, [Curve("a", long, long), Curve("b", long, long)])
    assert one.get_markevery()[1] == other.get_markevery()[1] == 42
    assert one.get_markevery()[0] != other.get_markevery()[0]
    assert draw_curves(ax, [Curve("c", X, X)])[0].get_markevery() is None


@pytest.mark.parametrize("layout", ["constrained", "tight", None])
@pytest.mark.parametrize("gap", [1.0, 0.001, 0.0])
def test_names_are_at_the_ends_of_few_curves_and_do_not_overlap(layout, gap):
    ax = drawn(fan(3, gap, note="a note"), layout)
    names = names_of(ax)
    assert [text.get_text() for text in names] == [f"curve {number}\na note" for number in range(3)]
    assert ax.get_legend() is None
    ax.figure.canvas.draw()
    assert not overlapping(extents(names))
    assert is_on_page(ax)
    heights = [box.y0 for box in extents(names)]
    assert heights == sorted(heights)


def test_a_name_that_had_to_move_is_led_to():
    for gap, count in ((1.0, 0), (0.0, 2)):
        leaders = [text for text in drawn(fan(3, gap)).texts if not text.get_text()]
        assert len([leader for leader in leaders if leader.get_visible()]) == count


def test_many_names_are_a_legend_in_the_order_of_the_ends():
    ax = drawn(bundle(12))
    assert legend_of(ax) == [f"curve {number}" for number in range(12)][::-1]
    assert names_of(ax) == []
    assert is_on_page(ax)
    assert ax.get_legend().get_window_extent().x0 >= ax.bbox.x1
    few = [Curve("short", X[:3], X[:3], note="3 points"), Curve("long", X, X, note="5 points")]
    assert legend_of(drawn(few)) == ["long (5 points)", "short (3 points)"]


def test_keys_go_to_the_legend():
    key = ring_key("best")
    assert legend_of(drawn(fan(2), keys=[key])) == ["best"]
    assert legend_of(drawn(bundle(12), keys=[key]))[-1] == "best"
    alone = drawn([Curve("", X, X)], keys=[key])
    assert legend_of(alone) == ["best"]
    assert names_of(alone) == []
    assert drawn([Curve("", X, X)]).get_legend() is None


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0.5, 5)), min_size=1, max_size=12))
def test_spread_apart(things):
    wanted, heights = np.array(things).T
    places = spread_apart(wanted, heights, 0, 100)
    order = np.argsort(wanted, kind="stable")
    gaps = np.diff(places[order]) - (heights[order][1:] + heights[order][:-1]) / 2
    assert (gaps > -1e-9).all()
    assert (places - heights / 2 > -1e-9).all()
    assert (places + heights / 2 < 100 + 1e-9).all()
    assert spread_apart(wanted, heights + 100, 0, 100) is None


def test_spread_apart_moves_no_more_than_it_must():
    np.testing.assert_allclose(spread_apart(np.array([10.0, 50, 90]), np.full(3, 8.0), 0, 100), [10, 50, 90])
    np.testing.assert_allclose(spread_apart(np.array([50.0, 50, 90]), np.full(3, 8.0), 0, 100), [46, 54, 90])


def test_numbers_in_words():
    assert [about(value) for value in (0.95321, 95.321, 0, 1234.5, 123456.7)] == [
        "0.953",
        "95.32",
        "0",
        "1234",
        "123457",
    ]
    assert [exactly(value) for value in (5.0, 0.25, 128, 0.00316)] == ["5", "0.25", "128", "0.00316"]


def test_a_logarithmic_axis_is_for_orders_of_magnitude():
    assert wants_log(np.array([1.0, 2, 4, 8, 16, 32, 64]))
    assert not wants_log(np.arange(1.0, 100))
    assert not wants_log(np.array([0, 1.0, 10, 1000]))


def test_rings_of_many_curves_are_explained():
    many = [Curve(f"curve {number}", X, number * (5 - X + 1e-6), best=0, note="best") for number in range(8)]
    assert legend_of(drawn(many))[-1] == "best score of each"


def test_the_same_curve_under_another_is_seen():
    ax = plt.subplots()[1]
    lowest, middle, top, other = draw_curves(ax, [*(Curve(name, X, X**2) for name in "abc"), Curve("d", X, X)])
    assert lowest.get_linewidth() > middle.get_linewidth() > top.get_linewidth() == other.get_linewidth()
    assert lowest.get_markersize() > middle.get_markersize() > top.get_markersize()
