"""Demšar's critical-difference diagram: mean ranks on an axis, and bars over methods that do not differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.significance.comparison import RankComparison
from covey.analysis.significance.records import p_text
from covey.analysis.tables.rounding import write_number
from covey.learners.describe import clip, one_line
from covey.plots.room import figure_of, make_room, settle_title, spread, stack, text_size, wrap
from covey.plots.style import COLOURS, GREY, INK, PLAIN, POINTS, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

BAR, BAND = COLOURS[4], COLOURS[0]
# Depths in lines of text below the rank axis.
FIRST_BAR, BAR_STEP, FAN, FIRST_NAME = 0.75, 0.5, 0.9, 0.75
# Lines that go down to names stand at least this share of the axis apart, two bars of a level twice that.
APART = 1 / 90
MOST_PAIRS = 6
# The height of a line in sizes of its letters, of a line of notes in such lines, and the space beside text in points.
SPACING, NOTE, PAD = 1.35, 0.82, 4.0
MARK = " (control)"


@dataclass(frozen=True)
class Bar:
    """A bar over methods that do not differ significantly.

    Parameters
    ----------
    methods : tuple of str
        The methods, best first.
    start, end : float
        The mean ranks of the first and the last.
    level : int
        The row it is drawn in, 0 next to the axis.
    """

    methods: tuple[str, ...]
    start: float
    end: float
    level: int


@dataclass(frozen=True, eq=False)
class CriticalDifferenceDiagram:
    """Where everything is in a critical-difference diagram: ranks to the right, depths in lines of text downwards.

    Parameters
    ----------
    test : str
        The test that compared the methods.
    alpha : float
        Its level of significance.
    n_datasets : int
        On how many datasets.
    methods : tuple of str
        Names, best first.
    ranks : ndarray of float64 of shape (n_methods,)
        Mean ranks, best first; 1 is best.
    axis : tuple of float
        Where the rank axis begins and ends: all ranks of up to ten methods, of more those around the ranks there are.
    feet : ndarray of float64 of shape (n_methods,)
        Where each method's line goes down to its name: at its rank, unless the ranks of others are too near.
    fan : tuple of float
        Between which depths, below all bars, lines lead from ranks to feet.
    depths : ndarray of float64 of shape (n_methods,)
        How far below the axis each name is. The better half is named on the left.
    bars : tuple of Bar
        One for each clique, best first; none if there is a control.
    critical_difference : float or None
        How far apart mean ranks must be to differ significantly, where that is the same for all pairs.
    control : int or None
        The position of the method that all others were compared with.
    alike : tuple of str
        The methods that do not differ significantly from the control, if there is one.
    notes : tuple of str
        What bars mean, and which pairs no bar can join.
    """

    test: str
    alpha: float
    n_datasets: int
    methods: tuple[str, ...]
    ranks: Floats
    axis: tuple[float, float]
    feet: Floats
    fan: tuple[float, float]
    depths: Floats
    bars: tuple[Bar, ...]
    critical_difference: float | None
    control: int | None
    alike: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def n_left(self) -> int:
        """How many methods are named on the left."""
        return (len(self.methods) + 1) // 2

    @property
    def edges(self) -> tuple[float, float]:
        """Where the lines to names end, a little outside the axis."""
        low, high = self.axis
        return low - 0.02 * (high - low), high + 0.02 * (high - low)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ranks less than a critical difference from the control's, if there is a control."""
        if self.control is None or self.critical_difference is None:
            return None
        rank = float(self.ranks[self.control])
        return rank - self.critical_difference, rank + self.critical_difference

    @property
    def numbers(self) -> list[str]:
        """The mean ranks as they are written."""
        return [write_number(rank, ".2f") for rank in self.ranks]

    @property
    def depth(self) -> float:
        """The depth of the whole diagram."""
        return float(self.depths.max()) + 0.75

    def line(self, method: int) -> Floats:
        """Return the corners of the line from a method's rank to its name, as ranks and depths."""
        edge = self.edges[0] if method < self.n_left else self.edges[1]
        rank, foot, depth = self.ranks[method], self.feet[method], self.depths[method]
        top, bottom = self.fan
        return np.array([(rank, 0), (rank, top), (foot, bottom), (foot, depth), (edge, depth)])

    @property
    def title(self) -> str:
        """The test in a line."""
        return f"{self.test} test of {len(self.methods)} methods on {self.n_datasets} datasets, alpha = {self.alpha:g}"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        ranks = ", ".join(f"{name} {rank}" for name, rank in zip(self.methods, self.numbers, strict=True))
        words = [f"{self.title}.", f"Mean ranks, 1 is best: {ranks}."]
        if self.critical_difference is not None:
            words.append(f"Critical difference {self.critical_difference:.4g}.")
        if self.control is not None:
            alike = ", ".join(self.alike) or "none"
            words.append(f"Not significantly different from {self.methods[self.control]}: {alike}.")
        elif self.bars:
            words.append(f"Bars join {'; '.join(', '.join(bar.methods) for bar in self.bars)}.")
        return " ".join((*words, *self.notes))


def critical_difference_diagram(comparison: RankComparison) -> CriticalDifferenceDiagram:
    """Lay out a critical-difference diagram (Demšar 2006, section 3.2.2).

    Methods stand at their mean ranks, the best at the left, and each clique of the comparison has a bar. The bars are
    in as few rows as can be without overlap. Against a control there are no cliques: an interval of one critical
    difference on each side of the control takes their place.

    Parameters
    ----------
    comparison : RankComparison
        From `nemenyi`, `bonferroni_dunn` or `wilcoxon_holm`.

    Returns
    -------
    CriticalDifferenceDiagram
    """
    if not isinstance(comparison, RankComparison):
        raise TypeError(f"comparison must be a RankComparison, as nemenyi returns it, not {comparison!r:.60}.")
    order = np.asarray(comparison.order)
    ranks = np.asarray(comparison.mean_ranks, dtype=np.float64)[order]
    given = [comparison.methods[position] for position in order]
    names = [clip(one_line(name), 48) for name in given]
    axis = _axis(ranks, comparison.critical_difference)
    cliques = [] if comparison.control is not None else [[given.index(m) for m in c] for c in comparison.cliques]
    gap = APART * (axis[1] - axis[0])
    levels = stack([(ranks[c[0]], ranks[c[-1]]) for c in cliques], 2 * gap)
    control = None if comparison.control is None else given.index(comparison.control)
    differs = np.ones(len(order), dtype=bool) if control is None else comparison.significant[order[control], order]
    feet = spread(ranks, gap, *axis)
    rows = max(levels, default=-1) + 1 if comparison.control is None else 1
    top = FIRST_BAR + BAR_STEP * (rows - 0.5) if rows else 0.3
    bottom = top if np.array_equal(feet, ranks) else top + FAN
    return CriticalDifferenceDiagram(
        test=comparison.test,
        alpha=comparison.alpha,
        n_datasets=comparison.n_datasets,
        methods=tuple(names),
        ranks=ranks,
        axis=axis,
        feet=feet,
        fan=(top, bottom),
        # The outer methods are named nearest the axis, so that no line crosses another.
        depths=bottom + FIRST_NAME + np.minimum(np.arange(len(ranks)), np.arange(len(ranks))[::-1]),
        bars=tuple(
            Bar(tuple(names[member] for member in clique), float(ranks[clique[0]]), float(ranks[clique[-1]]), level)
            for clique, level in zip(cliques, levels, strict=True)
        ),
        critical_difference=comparison.critical_difference,
        control=control,
        alike=tuple(name for i, name in enumerate(names) if i != control and not differs[i]),
        notes=_notes(comparison),
    )


def _axis(ranks: Floats, difference: float | None) -> tuple[float, float]:
    """Return where the rank axis begins and ends, wide enough for the critical difference if the ranks are."""
    n_methods = len(ranks)
    low, high = float(np.floor(ranks[0])), float(np.ceil(ranks[-1]))
    if n_methods <= 10:
        return 1.0, float(n_methods)
    while high - low < min(max(2.0, difference or 0.0), n_methods - 1):
        low, high = max(low - 1, 1.0), min(high + 1, float(n_methods))
    return low, high


def _notes(comparison: RankComparison) -> tuple[str, ...]:
    """Return what bars or the interval mean, the pairs that no bar can join, and whether all may be alike."""
    notes, pairs = [], comparison.skipping_pairs
    if comparison.control is not None:
        control = clip(one_line(comparison.control), 48)
        notes.append(f"Methods within one critical difference of {control} do not differ significantly from it.")
    elif comparison.cliques:
        notes.append("Bars join methods that do not differ significantly.")
    else:
        notes.append("No bar: all methods that follow each other differ significantly.")
    if pairs and comparison.control is None:
        shown = "; ".join(" and ".join(clip(one_line(name), 48) for name in pair) for pair in pairs[:MOST_PAIRS])
        more = f"; and {len(pairs) - MOST_PAIRS} more pairs" if len(pairs) > MOST_PAIRS else ""
        notes.append(f"Not different either, though some methods from one to the other in rank are: {shown}{more}.")
    if comparison.friedman.p_value > comparison.alpha:
        notes.append(f"The Friedman test finds no difference among all ({p_text(comparison.friedman.p_value)}).")
    return tuple(notes)


def draw_critical_difference(
    diagram: CriticalDifferenceDiagram, ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Draw a critical-difference diagram.

    Parameters
    ----------
    diagram : CriticalDifferenceDiagram
        From `critical_difference_diagram`.
    ax : matplotlib Axes or None
        Where to draw: names take room from both sides of the axes, and text shrinks to what fits. None for a new
        figure as high as the methods need.
    title : str or None
        By default the test and the numbers of methods and datasets; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the diagram's description, for use as alternative text.
    """
    new = ax is None
    ax = axes_of(ax, (8, 4))
    dress(ax, title=diagram.title if title is None else title, description=diagram.description)
    ax.set(xticks=[], yticks=[])
    sheet = _measure(diagram, ax, new=new)
    _draw_axis(diagram, ax, sheet)
    _draw_bars(diagram, ax, sheet.size / POINTS)
    _draw_names(diagram, ax, sheet)
    _draw_ruler(diagram, ax, sheet)
    middle: Any = {"xytext": ((sheet.right - sheet.left) / 2, 0), "textcoords": "offset points"}
    below, look = (0.5, diagram.depth + 0.6), {"ha": "center", "va": "top", "color": GREY, **PLAIN}
    ax.annotate(sheet.notes, below, xycoords=("axes fraction", "data"), size=0.9 * sheet.size, **middle, **look)
    return ax


@dataclass(frozen=True)
class _Sheet:
    """The size of text, the width of numbers, of names at both sides and of the axis, in points; the notes in lines."""

    size: float
    numbers: float
    left: float
    right: float
    axis: float
    notes: str


def _measure(diagram: CriticalDifferenceDiagram, ax: Axes, *, new: bool) -> _Sheet:
    """Set the limits of the axes, and the size of the text such that all of it fits; a new figure grows instead."""
    numbers = max(text_size(ax, number)[0] for number in diagram.numbers)
    weights = ["bold" if method == diagram.control else "normal" for method in range(len(diagram.methods))]
    names = [text_size(ax, *text)[0] for text in zip(_labels(diagram), weights, strict=True)]
    left, right = (max(part) + numbers + 3.5 * PAD for part in (names[: diagram.n_left], names[diagram.n_left :]))
    above = 2.8 if diagram.critical_difference is None else 5.0 if _long_ruler(diagram) else 4.0
    if new:
        width = left + right + 72 * (3.2 if len(diagram.methods) <= 10 else max(4.2, len(diagram.methods) / 18))
        width = max(width, 1.15 * text_size(ax, ax.get_title())[0] + abs(left - right))
        lines = above + diagram.depth + NOTE * (2 + wrap(ax, diagram.notes, width, 0.9 * POINTS).count("\n"))
        height = lines * SPACING * POINTS + (28 if ax.get_title() else 12)
        figure_of(ax).set_size_inches(width / 72 + 0.2, height / 72)
    width, height = settle_title(ax)
    scale = min(1.0, 0.75 * width / (left + right))
    while True:
        notes = wrap(ax, diagram.notes, width, 0.9 * scale * POINTS)
        lines = above + diagram.depth + NOTE * (2 + notes.count("\n"))
        if lines * SPACING * POINTS * scale <= height or scale < 0.1:
            break
        scale *= 0.95
    ax.set(xlim=diagram.edges, ylim=(max(lines, height / (SPACING * POINTS * scale)) - above, -above))
    make_room(ax, left=scale * left / width, right=scale * right / width)
    axis = width - scale * (left + right)
    return _Sheet(scale * POINTS, scale * numbers, scale * left, scale * right, axis, notes)


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


def _draw_bars(diagram: CriticalDifferenceDiagram, ax: Axes, scale: float) -> None:
    """Draw a bar for each clique, or the interval around the control."""
    width = 3.5 * scale
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
    ax.plot([at], [0], "D", markersize=6 * scale, color=INK, label="_control", clip_on=False)


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
