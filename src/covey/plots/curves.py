"""Curves with names: the common part of figures over a parameter, a number of members or a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.plots.layout import annotate, figure_of, lay_out, legend_outside, settle, spread, spread_apart, text_size
from covey.plots.style import COLOURS, GREY, INK, LINES, MARKERS, POINTS, Entry, Floats, darker, exactly, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

# The colours that show best as thin lines on white come first; ink stands for yellow, which does not show at all.
LINE_COLOURS = (*(COLOURS[code] for code in (4, 5, 2, 0, 6, 1, 8, 9, 7)), INK)
# Twice as many lines as colours can be told apart, since no two with the same colour have the same style.
MOST_CURVES = 2 * len(LINE_COLOURS)
# Longer curves have no marker at each point.
MOST_MARKERS = 25
# Legends of more curves hold their names alone.
MOST_NOTES = 6
# How far, in lines of text, a name may be from the end of its curve.
FARTHEST = 4
# How much wider, in points, a curve is than the same one on top of it, and no more often than so.
WIDER, MOST_WIDER = 1.8, 3
# So many values on a logarithmic axis are written out.
MOST_TICKS = 10


@dataclass(frozen=True, eq=False)
class Curve:
    """A line through points, from left to right."""

    name: str  # "" for a line that needs none
    x: Floats
    y: Floats
    spread: Floats | None = None  # half the width of the band around the line
    best: int | None = None  # the position of the point to mark
    note: str = ""  # what is written under the name

    def coincides(self, other: Curve) -> bool:
        """Whether another curve has the same points, up to what can be seen."""
        if not np.array_equal(self.x, other.x):
            return False
        height = float(np.ptp(self.y)) or abs(float(self.y[0])) or 1.0
        return bool(np.abs(self.y - other.y).max() <= 1e-3 * height)


def looks(count: int, first: int = 0) -> list[dict[str, Any]]:
    """Return a colour, a marker and a line style for each of some curves, no two alike up to `MOST_CURVES`."""
    return [
        {
            "color": LINE_COLOURS[number % len(LINE_COLOURS)],
            "marker": MARKERS[number % len(MARKERS)],
            "linestyle": LINES[number % len(LINES)],
        }
        for number in range(first, first + count)
    ]


def wants_log(values: Floats) -> bool:
    """Whether values are spread over orders of magnitude, so that most of them would crowd in a corner."""
    low, high = float(values.min()), float(values.max())
    return bool(low > 0 and high >= 30 * low and np.median(values) < 0.25 * high)


def draw_curves(ax: Axes, curves: Sequence[Curve], *, first: int = 0, smooth: bool = True) -> list[Line2D]:
    """Draw curves with their bands and a ring around the best point of each, and return their lines.

    The first looks are left to curves elsewhere; a curve that is not smooth stays level up to the next point.
    """
    lines = []
    for number, (curve, look) in enumerate(zip(curves, looks(len(curves), first), strict=True)):
        if curve.spread is not None:
            low, high = curve.y - curve.spread, curve.y + curve.spread
            ax.fill_between(curve.x, low, high, color=look["color"], alpha=0.15, linewidth=0, zorder=1.5)
        hidden = min(sum(map(curve.coincides, curves[number + 1 :])), MOST_WIDER)
        stride = max(1, -(-len(curve.x) // 12)) if len(curve.x) > MOST_MARKERS else 1
        (line,) = ax.plot(
            curve.x,
            curve.y,
            **look,
            label=f"_{curve.name}",
            drawstyle="default" if smooth else "steps-post",
            linewidth=1.5 + WIDER * hidden,
            markersize=4.5 + WIDER * hidden,
            markeredgecolor="white",
            markeredgewidth=0.5,
            # Each curve has its markers elsewhere, so that curves on top of each other can be seen.
            markevery=(number * stride // max(len(curves), 1), stride) if stride > 1 else None,
            zorder=2.5,
        )
        lines.append(line)
        if curve.best is not None:
            draw_ring(ax, curve.x[curve.best], curve.y[curve.best], look["color"], f"_best of {curve.name}")
    return lines


def draw_ring(ax: Axes, x: float, y: float, colour: str, label: str) -> None:
    """Draw a ring around a point."""
    ring: Any = {"marker": "o", "markersize": 10, "markerfacecolor": "none", "markeredgecolor": colour}
    ax.plot([x], [y], linestyle="", label=label, markeredgewidth=1.3, zorder=3, **ring)


def ring_key(text: str) -> Entry:
    """Return the entry of a legend that says what a ring is."""
    from matplotlib.lines import Line2D

    look: Any = {"marker": "o", "markersize": 9, "markerfacecolor": "none", "markeredgecolor": GREY, "linestyle": ""}
    return Line2D([], [], markeredgewidth=1.3, **look), text


def size_of(curves: Sequence[Curve], width: float = 5.6, height: float = 3.6) -> tuple[float, float]:
    """Return the size in inches of a new figure of curves: larger if many names take room on the right."""
    count = len(curves)
    return (width, height) if count <= MOST_NOTES else (1.3 * width, max(height, 0.21 * count + 0.8))


def set_parameter_axis(ax: Axes, values: Floats) -> None:
    """Scale the horizontal axis for a parameter: logarithmic if the values ask for it, whole numbers if they are."""
    from matplotlib.ticker import MaxNLocator

    if wants_log(values):
        ax.set_xscale("log")
        if len(values) <= MOST_TICKS:
            ax.set_xticks(values, [exactly(value) for value in values])
            ax.minorticks_off()
    elif (values == np.round(values)).all():
        ax.xaxis.set_major_locator(MaxNLocator(nbins="auto", integer=True, min_n_ticks=min(2, len(values))))


def set_counting_axis(ax: Axes, last: int, before: float = 0.02) -> None:
    """Let the horizontal axis count from 1 to a last number, with a share of that before it."""
    from matplotlib.ticker import MaxNLocator

    ticks = np.unique(np.maximum(MaxNLocator(8, integer=True, min_n_ticks=1).tick_values(1, last), 1))
    ax.set_xticks(ticks[ticks <= last])
    ax.set_xlim(1 - before * last, 1.02 * last)


def name_curves(ax: Axes, curves: Sequence[Curve], lines: Sequence[Line2D], keys: Sequence[Entry] = ()) -> None:
    """Write the names of curves at their ends if there is room, otherwise into a legend with what keys explain.

    It comes after all else, since it depends on the room that is left.
    """
    lay_out(ax)
    named = [(curve, line) for curve, line in zip(curves, lines, strict=True) if curve.name]
    if not named or _name_ends(ax, named):
        if keys:
            legend(ax, keys, loc="best", handlelength=1.2)
        return
    # As the lines lie above each other at their ends.
    named.sort(key=lambda pair: -pair[0].y[-1])
    noted = len(named) <= MOST_NOTES
    entries = [(line, f"{curve.name} ({curve.note})" if curve.note and noted else curve.name) for curve, line in named]
    rings = [] if noted or all(curve.best is None for curve, _ in named) else [ring_key("best score of each")]
    legend_outside(ax, [*entries, *rings, *keys], handlelength=2.6)


def _name_ends(ax: Axes, named: Sequence[tuple[Curve, Line2D]]) -> bool:
    """Write names at the ends of curves; return whether they fit, and leave nothing behind if not."""
    if len({float(curve.x[-1]) for curve, _ in named}) > 1:
        return False
    ax.autoscale_view()
    names = EndNames(ax, named)
    settle(ax)
    if names.fits(ax):
        lay_out(ax, names.place)
        return True
    for part in (part for parts in names.drawn for part in parts):
        part.remove()
    return False


class EndNames:
    """Names at the ends of curves, which move up and down lest they overlap."""

    def __init__(self, ax: Axes, named: Sequence[tuple[Curve, Line2D]]) -> None:
        self.drawn: list[tuple[Any, Any]] = []
        for curve, line in named:
            text = f"{curve.name}\n{curve.note}" if curve.note else curve.name
            end, colour = (float(curve.x[-1]), float(curve.y[-1])), str(line.get_color())
            look: Any = {"va": "center", "linespacing": 1.1, "line": colour}
            self.drawn.append(annotate(ax, text, end, darker(colour), 0, **look))

    def _wishes(self, ax: Axes) -> tuple[Floats, Floats, tuple[float, float]]:
        """Return where names should be, how high they are, and where their room begins and ends, in points."""
        point = figure_of(ax).dpi / 72
        heights = np.array([text_size(ax, text.get_text())[1] for text, _ in self.drawn]) + 2
        wanted = ax.transData.transform([text.xy for text, _ in self.drawn])[:, 1] / point
        return wanted, heights, (float(ax.bbox.y0) / point, float(ax.bbox.y1 + 0.03 * ax.bbox.height) / point)

    def fits(self, ax: Axes) -> bool:
        """Whether all names have room near the ends of their curves, and leave enough of the axes."""
        widest = max(text.get_window_extent().width for text, _ in self.drawn)
        wanted, heights, room = self._wishes(ax)
        places = spread_apart(wanted, heights, *room)
        near = places is not None and bool(np.abs(places - wanted).max() <= FARTHEST * POINTS)
        return near and bool(widest <= 0.5 * ax.bbox.width)

    def place(self, ax: Axes, width: float, height: float) -> None:
        """Move names apart, and lead to those that are not level with the ends of their curves."""
        wanted, heights, room = self._wishes(ax)
        places = spread_apart(wanted, heights, *room)
        if places is None:
            order = np.argsort(wanted, kind="stable")
            places = np.empty(len(wanted))
            places[order] = spread(wanted[order], float(heights.max()), *room)
        for (text, leader), shift in zip(self.drawn, (places - wanted).tolist(), strict=True):
            text.set_position((9, shift))
            leader.set_position((7.5, shift))
            leader.set_visible(abs(shift) > 0.4 * POINTS)
