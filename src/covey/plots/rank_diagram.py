"""How a critical-difference diagram is drawn: names beside and below a rank axis, in whatever room there is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.plots.room import figure_of, text_size, wrap
from covey.plots.style import COLOURS, GREY, INK, PLAIN, POINTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from covey.plots.critical_difference import CriticalDifferenceDiagram

BAR, BAND = COLOURS[4], COLOURS[0]
# Depths in lines of text below the rank axis.
FIRST_BAR, BAR_STEP, FAN, FIRST_NAME = 0.75, 0.5, 0.9, 0.75
# Lines that go down to names stand at least this share of the axis apart, two bars of a level twice that.
APART = 1 / 90
# The height of a line in sizes of its letters, of a line of notes in such lines, and the space beside text in points.
SPACING, NOTE, PAD = 1.35, 0.82, 4.0
MARK = " (control)"
# How many inches of axis are enough.
AXIS = 3.0


def paint(diagram: CriticalDifferenceDiagram, ax: Axes, width: float, height: float) -> None:
    """Draw everything at the size that axes of a width and height have room for."""
    sheet = _measure(diagram, ax, width, height)
    _draw_axis(diagram, ax, sheet)
    _draw_bars(diagram, ax, sheet)
    _draw_names(diagram, ax, sheet)
    _draw_ruler(diagram, ax, sheet)
    look: Any = {"ha": "center", "va": "top", "color": GREY, "transform": ax.get_yaxis_transform(), **PLAIN}
    ax.text(0.5, diagram.depth + 0.6, sheet.notes, size=0.9 * sheet.size, **look)


@dataclass(frozen=True)
class _Sheet:
    """The size of text, the widths of numbers and of the axis, in points; the notes in lines."""

    size: float
    numbers: float
    axis: float
    notes: str


def _sides(diagram: CriticalDifferenceDiagram, ax: Axes) -> tuple[float, float, float]:
    """Return the widths of numbers, and of the names at the left and at the right with them, at the full size."""
    numbers = max(text_size(ax, number)[0] for number in diagram.numbers)
    weights = ["bold" if method == diagram.control else "normal" for method in range(len(diagram.methods))]
    names = [text_size(ax, *text)[0] for text in zip(_labels(diagram), weights, strict=True)]
    left, right = (max(part) + numbers + 3.5 * PAD for part in (names[: diagram.n_left], names[diagram.n_left :]))
    return numbers, left, right


def _above(diagram: CriticalDifferenceDiagram) -> float:
    """Return how many lines there are above the axis."""
    return 2.8 if diagram.critical_difference is None else 5.0 if _long_ruler(diagram) else 4.0


def grow(diagram: CriticalDifferenceDiagram, ax: Axes) -> None:
    """Make a new figure as large as the methods need."""
    _, left, right = _sides(diagram, ax)
    width = left + right + 72 * (3.2 if len(diagram.methods) <= 10 else max(4.2, len(diagram.methods) / 18))
    width = max(width, 1.15 * text_size(ax, ax.get_title())[0])
    notes = wrap(ax, diagram.notes, width, 0.9 * POINTS)
    lines = _above(diagram) + diagram.depth + NOTE * (2 + notes.count("\n"))
    height = lines * SPACING * POINTS + (28 if ax.get_title() else 12)
    figure_of(ax).set_size_inches(width / 72 + 0.2, height / 72)


def _measure(diagram: CriticalDifferenceDiagram, ax: Axes, width: float, height: float) -> _Sheet:
    """Find the size of text at which all of it fits, and set the limits of the axes, which hold the names too."""
    numbers, left, right = _sides(diagram, ax)
    above = _above(diagram)
    # Where names would leave too little of the width to the axis they get smaller, but for its sake only so much.
    scale = max((width - min(0.4 * width, 72 * AXIS)) / (left + right), min(0.75 * width / (left + right), 0.8))
    scale = min(scale, 1.0)
    while True:
        notes = wrap(ax, diagram.notes, width, 0.9 * scale * POINTS)
        lines = above + diagram.depth + NOTE * (2 + notes.count("\n"))
        if lines * SPACING * POINTS * scale <= height or scale < 0.1:
            break
        scale *= 0.96
    axis = width - scale * (left + right)
    low, high = diagram.edges
    point = (high - low) / axis
    ax.set_xlim(low - scale * left * point, high + scale * right * point)
    ax.set_ylim(max(lines, height / (SPACING * POINTS * scale)) - above, -above)
    return _Sheet(scale * POINTS, scale * numbers, axis, notes)


def _labels(diagram: CriticalDifferenceDiagram) -> list[str]:
    return [name + MARK if method == diagram.control else name for method, name in enumerate(diagram.methods)]


def _long_ruler(diagram: CriticalDifferenceDiagram) -> bool:
    """Whether the critical difference takes so much of the axis that its number stands above it, not beside it."""
    low, high = diagram.axis
    return diagram.critical_difference is not None and diagram.critical_difference > 0.5 * (high - low)


def _draw_axis(diagram: CriticalDifferenceDiagram, ax: Axes, sheet: _Sheet) -> None:
    low, high = diagram.axis
    most = max(sheet.axis / (2.5 * sheet.size), 2)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, high) if (high - low) / step <= most)
    ranks = np.arange(low, high + 1)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.spines["top"].set(visible=True, position=("data", 0), bounds=diagram.axis, color=INK, linewidth=1)
    ax.xaxis.tick_top()
    ax.set_xticks(ranks[ranks % step == 0] if step > 2 else ranks[(ranks - 1) % step == 0])
    if high - low <= sheet.axis / 4:
        ax.set_xticks(ranks, minor=True)
    for kind, length in (("major", 0.45), ("minor", 0.25)):
        ax.tick_params(axis="x", which=kind, colors=INK, labelsize=sheet.size, length=length * sheet.size, pad=2)
    ax.text((low + high) / 2, -2.2, "mean rank (1 is best)", ha="center", va="center", size=sheet.size, color=INK)


def _draw_ruler(diagram: CriticalDifferenceDiagram, ax: Axes, sheet: _Sheet) -> None:
    """Draw a line as long as the critical difference, or as the axis if that is less, and write its length."""
    if diagram.critical_difference is None:
        return
    low, high = diagram.axis
    end = low + diagram.critical_difference
    words, beyond = f"CD = {diagram.critical_difference:.4g}", end > high
    ax.plot([low, min(end, high)], [-3.4, -3.4], color=INK, linewidth=1.2, label="_ruler")
    ax.plot([low] if beyond else [low, end], [-3.4] * (1 if beyond else 2), "|", color=INK, markersize=0.7 * sheet.size)
    if beyond:
        ax.plot([high], [-3.4], ">", color=INK, markersize=0.5 * sheet.size, clip_on=False)
        words += ", more than the axis"
    at, shift, side = (low, (0, PAD), "bottom") if _long_ruler(diagram) else (end, (PAD, 0), "center")
    look: Any = {"textcoords": "offset points", "va": side, "size": sheet.size, "color": INK}
    ax.annotate(words, (at, -3.4), xytext=shift, annotation_clip=False, **look)


def _gap(diagram: CriticalDifferenceDiagram, sheet: _Sheet) -> float:
    """Return the least distance in points of two bars in one row, whose round ends must not meet."""
    low, high = diagram.edges
    bars = sorted(diagram.bars, key=lambda bar: (bar.level, bar.start))
    gaps = [other.start - bar.end for bar, other in pairwise(bars) if bar.level == other.level]
    return min(gaps, default=np.inf) * sheet.axis / (high - low)


def _draw_bars(diagram: CriticalDifferenceDiagram, ax: Axes, sheet: _Sheet) -> None:
    """Draw a bar for each clique, or the interval around the control."""
    width = min(3.5 * sheet.size / POINTS, 0.6 * _gap(diagram, sheet))
    for bar in diagram.bars:
        depth = FIRST_BAR + BAR_STEP * bar.level
        # The ends are round, and show even where all ranks are the same.
        ends: Any = {"solid_capstyle": "butt", "marker": "o", "markersize": width, "markeredgewidth": 0}
        ax.plot([bar.start, bar.end], [depth, depth], color=BAR, linewidth=width, label="_bar", **ends)
    if diagram.interval is None or diagram.control is None:
        return
    low, high = np.clip(diagram.interval, *diagram.edges)
    reached = [end for end in diagram.interval if low <= end <= high]
    ax.fill_between([low, high], 0, diagram.fan[0], color=BAND, alpha=0.2, linewidth=0, label="_interval")
    ax.plot([low, high], [FIRST_BAR] * 2, color=BAND, linewidth=width, solid_capstyle="butt", label="_interval")
    ax.plot(reached, [FIRST_BAR] * len(reached), "|", color=BAND, markersize=3 * width, markeredgewidth=width / 2)
    at = diagram.ranks[diagram.control]
    ax.plot([at], [0], "D", markersize=1.7 * width, color=INK, label="_control", clip_on=False)


def _draw_names(diagram: CriticalDifferenceDiagram, ax: Axes, sheet: _Sheet) -> None:
    """Write the names, each with its mean rank, and join them to the axis."""
    scale = sheet.size / POINTS
    for method, (label, number) in enumerate(zip(_labels(diagram), diagram.numbers, strict=True)):
        corners = diagram.line(method)
        ax.plot(*corners.T, color=INK, linewidth=0.8 * scale**0.5, solid_joinstyle="round", label="_line", zorder=1.5)
        side, align = (-1, "right") if method < diagram.n_left else (1, "left")
        look: Any = {"ha": align, "va": "center", "annotation_clip": False, "textcoords": "offset points", **PLAIN}
        look |= {"xy": corners[-1], "size": sheet.size}
        ax.annotate(number, xytext=(side * scale * PAD, 0), color=GREY, **look)
        weight = "bold" if method == diagram.control else "normal"
        ax.annotate(label, xytext=(side * (2 * scale * PAD + sheet.numbers), 0), color=INK, weight=weight, **look)
