"""Demšar's critical-difference diagram: mean ranks on an axis, and bars over methods that do not differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._rounding import write_number
from covey._text import p_text
from covey.analysis.significance.comparison import RankComparison
from covey.plots.layout import lay_out, spread, stack, text_size
from covey.plots.reading import distinct_names
from covey.plots.style import BLUE, COLOURS, GREY, INK, PLAIN, POINTS, Floats, begin, draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PAIRS = 6
# Depths in lines of text below the rank axis.
FIRST_BAR, BAR_STEP, FAN, FIRST_NAME = 0.75, 0.5, 0.9, 0.75
# Lines that go down to names stand at least this share of the axis apart, two bars of a level twice that.
APART = 1 / 90
# The height of a line in points, and the space beside text.
LINE, PAD = 1.35 * POINTS, 4.0


@dataclass(frozen=True)
class Bar:
    """A bar over methods that do not differ significantly."""

    methods: tuple[str, ...]  # best first
    start: float  # the mean rank of the first
    end: float  # and of the last
    level: int  # the row it is drawn in, 0 next to the axis


@dataclass(frozen=True, eq=False)
class CriticalDifferenceDiagram:
    """Where everything is in a critical-difference diagram: ranks to the right, depths in lines of text downwards."""

    test: str  #: the test that compared the methods
    alpha: float  #: its level of significance
    n_datasets: int  #: on how many datasets
    methods: tuple[str, ...]  #: names, best first
    ranks: Floats  #: mean ranks, best first; 1 is best, (n_methods,)
    #: where the rank axis begins and ends: all ranks of up to ten methods, of more those around the ranks there are
    axis: tuple[float, float]
    #: where each method's line goes down to its name: at its rank, unless the ranks of others are too near
    feet: Floats
    fan: tuple[float, float]  #: between which depths, below all bars, lines lead from ranks to feet
    depths: Floats  #: how far below the axis each name is. The better half is named on the left, (n_methods,)
    bars: tuple[Bar, ...]  #: one for each clique, best first; none if there is a control
    #: how far apart mean ranks must be to differ significantly, where that is the same for all pairs
    critical_difference: float | None
    control: int | None  #: the position of the method that all others were compared with
    alike: tuple[str, ...]  #: the methods that do not differ significantly from the control, if there is one
    notes: tuple[str, ...]  #: what bars mean, and which pairs no bar can join

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
    """
    if not isinstance(comparison, RankComparison):
        raise TypeError(f"comparison must be a RankComparison, as nemenyi returns it, not {comparison!r:.60}.")
    order = np.asarray(comparison.order)
    ranks = np.asarray(comparison.mean_ranks, dtype=np.float64)[order]
    methods = [comparison.methods[position] for position in order]
    names = distinct_names(methods, 48)
    axis = _axis(ranks, comparison.critical_difference)
    cliques = [] if comparison.control is not None else [[methods.index(m) for m in c] for c in comparison.cliques]
    gap = APART * (axis[1] - axis[0])
    levels = stack([(ranks[c[0]], ranks[c[-1]]) for c in cliques], 2 * gap)
    control = None if comparison.control is None else methods.index(comparison.control)
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
        notes=_notes(comparison, dict(zip(methods, names, strict=True))),
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


def _notes(comparison: RankComparison, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return what bars or the interval mean, the pairs that no bar can join, and whether all may be alike."""
    notes, pairs = [], comparison.skipping_pairs
    if comparison.control is not None:
        control = names[comparison.control]
        notes.append(f"Methods within one critical difference of {control} do not differ significantly from it.")
    elif comparison.cliques:
        notes.append("Bars join methods that do not differ significantly.")
    else:
        notes.append("No bar: all methods that follow each other differ significantly.")
    if pairs and comparison.control is None:
        shown = "; ".join(" and ".join(names[name] for name in pair) for pair in pairs[:MOST_PAIRS])
        more = f"; and {len(pairs) - MOST_PAIRS} more pairs" if len(pairs) > MOST_PAIRS else ""
        notes.append(f"Not different either, though some methods from one to the other in rank are: {shown}{more}.")
    if comparison.friedman.p_value > comparison.alpha:
        notes.append(f"The Friedman test finds no difference among all ({p_text(comparison.friedman.p_value)}).")
    return tuple(notes)


@draws(CriticalDifferenceDiagram, "critical_difference_diagram")
def draw_critical_difference(
    diagram: CriticalDifferenceDiagram, ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Draw a critical-difference diagram; names take room from both sides of the axes."""
    above = 2.8 if diagram.critical_difference is None else 5.0 if _is_long(diagram) else 4.0
    lines = above + diagram.depth
    new, ax = ax is None, begin(diagram, ax, (8, 4), title, x="\n".join(diagram.notes))
    ax.set(xticks=[], yticks=[])
    ax.xaxis.label.set(color=GREY, size=0.9 * POINTS)
    ax.spines[["left", "bottom"]].set_visible(False)
    numbers = max(text_size(ax, number)[0] for number in diagram.numbers)
    weights = ["bold" if method == diagram.control else "normal" for method in range(len(diagram.methods))]
    names = [f"{name} (control)" if method == diagram.control else name for method, name in enumerate(diagram.methods)]
    wide = [text_size(ax, name, weight=weight)[0] for name, weight in zip(names, weights, strict=True)]
    sides = [max(part) + numbers + 3.5 * PAD for part in (wide[: diagram.n_left], wide[diagram.n_left :])]
    if new:
        axis = 72 * (3.2 if len(names) <= 10 else max(4.2, len(names) / 18))
        height = lines * LINE + 0.9 * LINE * len(diagram.notes) + (30 if ax.get_title() else 14)
        width = max(sum(sides) + axis, 5.6 * 72)
        ax.get_figure(root=True).set_size_inches(width / 72 + 0.2, height / 72 + 0.1)  # type: ignore[union-attr]
    _draw_axis(diagram, ax)
    _draw_bars(diagram, ax)
    texts = []
    for method, (name, number, weight) in enumerate(zip(names, diagram.numbers, weights, strict=True)):
        corners = diagram.line(method)
        ax.plot(*corners.T, color=INK, linewidth=0.8, solid_joinstyle="round", label="_line", zorder=1.5)
        side, align = (-1, "right") if method < diagram.n_left else (1, "left")
        look: Any = {"ha": align, "va": "center", "annotation_clip": False, "textcoords": "offset points", **PLAIN}
        for text, shift, colour, kind in ((number, PAD, GREY, "normal"), (name, 2 * PAD + numbers, INK, weight)):
            written = ax.annotate(text, corners[-1], (side * shift, 0), color=colour, weight=kind, **look)
            texts.append((written, side * shift))
    for part in ax.texts:
        part.set_in_layout(False)
    lay_out(ax, partial(_scale, diagram, texts, sides, (above, lines)))
    return ax


def _is_long(diagram: CriticalDifferenceDiagram) -> bool:
    """Whether the critical difference takes so much of the axis that its number stands above it, not beside it."""
    low, high = diagram.axis
    return diagram.critical_difference is not None and diagram.critical_difference > 0.5 * (high - low)


def _scale(
    diagram: CriticalDifferenceDiagram,
    texts: list[tuple[Any, float]],
    sides: list[float],
    rows: tuple[float, float],
    ax: Axes,
    width: float,
    height: float,
) -> None:
    """Set the limits of axes of a width and height such that all text fits, smaller if there is too little room."""
    above, lines = rows
    scale = float(np.clip(min(0.7 * width / sum(sides), height / (lines * LINE)), 0.1, 1))
    low, high = diagram.edges
    point = (high - low) / (width - scale * sum(sides))
    ax.set_xlim(low - scale * sides[0] * point, high + scale * sides[1] * point)
    ax.set_ylim(max(lines, height / (LINE * scale)) - above, -above)
    for text in ax.texts:
        text.set_fontsize(scale * POINTS)
    for text, shift in texts:
        text.set_position((scale * shift, 0))
    first, last = diagram.axis
    most = max((last - first) / point / (2.5 * scale * POINTS), 2)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, last) if (last - first) / step <= most)
    ranks = np.arange(first, last + 1)
    ax.set_xticks(ranks[ranks % step == 0] if step > 2 else ranks[(ranks - 1) % step == 0])
    ax.set_xticks(ranks if last - first <= (last - first) / point / 4 else [], minor=True)
    ax.tick_params(axis="x", labelsize=scale * POINTS)
    # Bars of a row are apart, whose round ends must not meet.
    bars = sorted(diagram.bars, key=lambda bar: (bar.level, bar.start))
    gaps = [other.start - bar.end for bar, other in pairwise(bars) if bar.level == other.level]
    thick = min(3.5 * scale, 0.6 * min(gaps, default=np.inf) / point)
    for line in ax.lines:
        if line.get_label() == "_bar":
            line.set(linewidth=thick, markersize=thick)


def _draw_axis(diagram: CriticalDifferenceDiagram, ax: Axes) -> None:
    """Draw the rank axis and a line as long as the critical difference, or as the axis if that is less."""
    low, high = diagram.axis
    # The ticks are at a spine that is not seen: its ends would stay when the axes are cleared.
    ax.spines["top"].set(visible=False, position=("data", 0))
    ax.plot([low, high], [0, 0], color=INK, linewidth=1, label="_axis")
    ax.xaxis.tick_top()
    for kind, length in (("major", 4), ("minor", 2.2)):
        ax.tick_params(axis="x", which=kind, colors=INK, length=length, pad=2)
    ax.text((low + high) / 2, -2.2, "mean rank (1 is best)", ha="center", va="center", color=INK)
    if diagram.critical_difference is None:
        return
    end = low + diagram.critical_difference
    words, beyond = f"CD = {diagram.critical_difference:.4g}", end > high
    ax.plot([low, min(end, high)], [-3.4, -3.4], color=INK, linewidth=1.2, label="_ruler")
    ax.plot([low] if beyond else [low, end], [-3.4] * (1 if beyond else 2), "|", color=INK, markersize=6)
    if beyond:
        ax.plot([high], [-3.4], ">", color=INK, markersize=4.5, clip_on=False)
        words += ", more than the axis"
    at, shift, side = (low, (0, PAD), "bottom") if _is_long(diagram) else (end, (PAD, 0), "center")
    look: Any = {"textcoords": "offset points", "va": side, "color": INK}
    ax.annotate(words, (at, -3.4), xytext=shift, annotation_clip=False, **look)


def _draw_bars(diagram: CriticalDifferenceDiagram, ax: Axes) -> None:
    """Draw a bar for each clique, or the interval around the control."""
    for bar in diagram.bars:
        depth = FIRST_BAR + BAR_STEP * bar.level
        # The ends are round, and show even where all ranks are the same.
        ends: Any = {"solid_capstyle": "butt", "marker": "o", "markeredgewidth": 0}
        ax.plot([bar.start, bar.end], [depth, depth], color=BLUE, label="_bar", **ends)
    if diagram.interval is None or diagram.control is None:
        return
    low, high = np.clip(diagram.interval, *diagram.edges)
    reached = [end for end in diagram.interval if low <= end <= high]
    band: Any = {"color": COLOURS[0], "label": "_interval"}
    ax.fill_between([low, high], 0, diagram.fan[0], alpha=0.2, linewidth=0, **band)
    ax.plot([low, high], [FIRST_BAR] * 2, linewidth=3.5, solid_capstyle="butt", **band)
    ax.plot(reached, [FIRST_BAR] * len(reached), "|", color=COLOURS[0], markersize=10, markeredgewidth=1.8)
    at = diagram.ranks[diagram.control]
    ax.plot([at], [0], "D", markersize=6, color=INK, label="_control", clip_on=False)
