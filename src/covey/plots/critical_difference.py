"""Demšar's critical-difference diagram: mean ranks on an axis, and bars over methods that do not differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from covey._rounding import write_number
from covey._text import p_text
from covey.analysis.significance.comparison import RankComparison
from covey.plots.rank_diagram import APART, BAR_STEP, FAN, FIRST_BAR, FIRST_NAME, grow, paint
from covey.plots.room import distinct_names, spread, stack
from covey.plots.style import axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

MOST_PAIRS = 6


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
    names = distinct_names(given, 48)
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
        notes=_notes(comparison, dict(zip(given, names, strict=True))),
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
    from covey.plots.refit import keep_fitting

    if not isinstance(diagram, CriticalDifferenceDiagram):
        raise TypeError(f"diagram is a {type(diagram).__name__}; give critical_difference_diagram(comparison).")
    new = ax is None
    ax = axes_of(ax, (8, 4))
    dress(ax, title=diagram.title if title is None else title, description=diagram.description)
    ax.set(xticks=[], yticks=[])
    if new:
        grow(diagram, ax)
    keep_fitting(ax, partial(paint, diagram))
    return ax
