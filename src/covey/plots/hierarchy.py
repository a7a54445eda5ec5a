"""The hierarchy of combined strategies: which steps up, from fewer strategies to more, are improvements."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._rounding import write_number
from covey._text import counted, one_line
from covey.analysis.scores import check_alpha
from covey.analysis.significance.records import Records
from covey.plots.levels import Point, label_lines, place_in_levels
from covey.plots.room import distinct_names, figure_of, text_size, wrap
from covey.plots.style import COLOURS, GREY, INK, PLAIN, POINTS, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

# The systems of Webb and Zheng (2004), figure 1, and the ensemble strategies that each combines. C4.5SAS, a single
# tree, is not among them.
MULTISTRATEGY: Mapping[str, frozenset[str]] = {
    "c4.5": frozenset(),
    "boost": frozenset({"boosting"}),
    "wag": frozenset({"wagging"}),
    "sasc": frozenset({"stochastic attributes"}),
    "mb": frozenset({"boosting", "wagging"}),
    "boostsasc": frozenset({"boosting", "stochastic attributes"}),
    "wagsasc": frozenset({"wagging", "stochastic attributes"}),
    "mbsasc": frozenset({"boosting", "wagging", "stochastic attributes"}),
}
# Signs are strokes, for those of letters get lost where text is small: from where to where, and their colours.
SIGNS: Mapping[str, tuple[tuple[Point, ...], str]] = {
    "+": (((-1, 0), (1, 0), (0, -1), (0, 1)), COLOURS[4]),
    "-": (((-1, 0), (1, 0)), COLOURS[5]),
    "=": (((-1, -0.4), (1, -0.4), (-1, 0.4), (1, 0.4)), GREY),
}
WORDS = {"+": "better", "-": "worse", "=": "even"}
# How long and how thick strokes are, in points, and at least, in pixels.
LARGE, SMALL = (13.0, 3.0), (8.0, 1.2)
LEAST_LARGE, LEAST_SMALL = (9.0, 2.4), (5.0, 1.0)
# Inches between neighbours and between levels, at least.
ACROSS, UP = 1.3, 1.15


@dataclass(frozen=True)
class Step:
    """A step up, to a method that adds strategies to those of another.

    Parameters
    ----------
    lower, upper : str
        The methods.
    record : tuple of int
        Wins, draws and losses of the upper method against the lower.
    p_value : float
        Of the two-tailed sign test.
    sign : {"+", "-", "="}
        Whether the upper method wins more often than it loses, less often, or as often.
    significant : bool
        Whether the p-value is less than alpha.
    path : tuple of (float, float)
        The corners of its line, from the lower method to the upper.
    label : (float, float)
        Where on the line the sign is.
    """

    lower: str
    upper: str
    record: tuple[int, int, int]
    p_value: float
    sign: str
    significant: bool
    path: tuple[Point, ...]
    label: Point


@dataclass(frozen=True, eq=False)
class HierarchyDiagram:
    """Methods by the strategies they combine, with the win/draw/loss record of each step up.

    Parameters
    ----------
    methods : tuple of str
        The methods.
    parts : tuple of frozenset of str
        The strategies that each combines.
    places : ndarray of float64 of shape (n_methods, 2)
        Where each is: neighbours are 1 apart, and so are levels. A level holds the methods with as many strategies.
    means : ndarray of float64 of shape (n_methods,), or None
        The mean value of each over the datasets.
    steps : tuple of Step
        From each method to those that add as little as any to its strategies.
    measure : str
        What is measured, "" if that was not said.
    larger_is_better : bool
        Which direction is better.
    n_datasets : int
        On how many datasets.
    alpha : float
        The level of significance.
    digits : int
        Decimals of the means.
    """

    methods: tuple[str, ...]
    parts: tuple[frozenset[str], ...]
    places: Floats
    means: Floats | None
    steps: tuple[Step, ...]
    measure: str
    larger_is_better: bool
    n_datasets: int
    alpha: float
    digits: int

    @property
    def labels(self) -> list[str]:
        """What is written at each method: its name, and its mean below."""
        names = distinct_names(self.methods, 32)
        if self.means is None:
            return names
        written = [write_number(mean, f".{self.digits}f") for mean in self.means]
        return [f"{name}\n{mean}" for name, mean in zip(names, written, strict=True)]

    @property
    def title(self) -> str:
        """How many steps are improvements."""
        subject = f"{one_line(self.measure)}: " if self.measure else ""
        kinds = {sign: [step for step in self.steps if step.sign == sign] for sign in SIGNS}
        total = f" of {counted(len(self.steps), 'step')} up"
        words = [_tell(kinds["+"], "improve", total)]
        words += [_tell(kinds["-"], "decline")] if kinds["-"] else []
        words += [f"{len(kinds['='])} even"] if kinds["="] else []
        text = subject + ", ".join(words)
        return text[:1].upper() + text[1:]

    @property
    def legend(self) -> str:
        """What the signs mean."""
        direction = "larger" if self.larger_is_better else "smaller"
        return (
            f"plus: the upper method wins on more of {self.n_datasets} datasets than it loses; minus: on fewer; "
            f"equals: on as many ({direction} is better); large and bold: a two-tailed sign test has p < {self.alpha:g}"
        )

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        means = (
            "" if self.means is None else f" Means: {', '.join(text.replace(chr(10), ' ') for text in self.labels)}."
        )
        steps = "; ".join(
            f"{step.lower} to {step.upper} {WORDS[step.sign]}{' significantly' if step.significant else ''} "
            f"({'/'.join(map(str, step.record))})"
            for step in self.steps
        )
        return f"Hierarchy of {len(self.methods)} methods. {self.title}.{means} Steps with wins/draws/losses: {steps}."


def _tell(steps: list[Step], verb: str, total: str = "") -> str:
    """Return how many steps do something, and how many of them significantly."""
    certain = sum(step.significant for step in steps)
    how = f" ({certain or 'none'} significantly)" if steps else ""
    return f"{len(steps)}{total} {verb}{'s' if len(steps) == 1 else ''}{how}"


def hierarchy_diagram(
    records: Records,
    means: Mapping[str, float] | None = None,
    parts: Mapping[str, Collection[str]] | None = None,
    *,
    measure: str = "",
    alpha: float = 0.05,
    digits: int = 3,
) -> HierarchyDiagram:
    """Lay out methods by the strategies they combine, as in figures 1 to 6 of Webb and Zheng (2004).

    Parameters
    ----------
    records : Records
        From `win_draw_loss`. Methods without parts are left out.
    means : mapping of str to float, optional
        The mean value of each method over the datasets, written below its name.
    parts : mapping of str to collection of str, optional
        The strategies that each method combines; none for the base learner. Steps lead from each set of strategies
        to those that contain it, with none in between. By default `MULTISTRATEGY`, as far as records has its methods.
    measure : str, default=""
        What was measured, such as "error", for the title.
    alpha : float, default=0.05
        The level of significance of the sign tests.
    digits : int, default=3
        Decimals of the means.

    Returns
    -------
    HierarchyDiagram
    """
    if not isinstance(records, Records):
        raise TypeError(f"records must be Records, as win_draw_loss returns them, not {records!r:.60}.")
    level = check_alpha(alpha)
    if not isinstance(digits, int | np.integer) or not 0 <= digits <= 15:
        raise ValueError(f"digits={digits!r} must be a whole number from 0 to 15.")
    sets = _check_parts(parts, records.methods)
    values = _check_means(means, list(sets))
    covers = _covers(sets)
    if not covers:
        raise ValueError("parts has no two methods of which one adds to the strategies of the other; name their parts.")
    sizes = sorted({len(own) for own in sets.values()})
    places, paths = place_in_levels({name: sizes.index(len(own)) for name, own in sets.items()}, covers)
    steps = []
    for (lower, upper), path, label in zip(covers, paths, label_lines(paths), strict=True):
        wins, draws, losses = records.record(upper, lower)
        p_value = float(records.p_values[records.methods.index(upper), records.methods.index(lower)])
        sign = "+" if wins > losses else "-" if wins < losses else "="
        steps.append(Step(lower, upper, (wins, draws, losses), p_value, sign, p_value < level, path, label))
    return HierarchyDiagram(
        methods=tuple(sets),
        parts=tuple(sets.values()),
        places=np.array([places[name] for name in sets]),
        means=values,
        steps=tuple(steps),
        measure=measure,
        larger_is_better=records.larger_is_better,
        n_datasets=records.n_datasets,
        alpha=level,
        digits=digits,
    )


def _check_parts(parts: Any, methods: tuple[str, ...]) -> dict[str, frozenset[str]]:
    if parts is None:
        known = {name: own for name, own in MULTISTRATEGY.items() if name in methods}
        if len(known) < 2:
            raise ValueError(f"records has none of {', '.join(MULTISTRATEGY)}; give the parts of its methods.")
        return known
    sets: dict[str, frozenset[str]] = {}
    for name, own in parts.items():
        if name not in methods:
            raise ValueError(f"parts has {name!r}, which is no method of records; these are {', '.join(methods)}.")
        if isinstance(own, str):
            raise TypeError(f"parts has {own!r} for {name!r}, but must have a collection of strategies: {{{own!r}}}.")
        twin = next((other for other, there in sets.items() if there == frozenset(own)), None)
        if twin is not None:
            raise ValueError(f"parts has the same strategies for {twin!r} and {name!r}; tell them apart or drop one.")
        sets[name] = frozenset(own)
    return sets


def _check_means(means: Mapping[str, float] | None, methods: list[str]) -> Floats | None:
    if means is None:
        return None
    for name in methods:
        if name not in means or not np.isfinite(means[name]):
            raise ValueError(f"means has no number for {name!r}; give one for each method, or none at all.")
    return np.array([float(means[name]) for name in methods])


def _covers(sets: Mapping[str, frozenset[str]]) -> list[tuple[str, str]]:
    """Return the pairs of methods of which the second has all strategies of the first, with none in between."""
    names = list(sets)
    words = sorted(frozenset().union(*sets.values()))
    has = np.array([[word in sets[name] for word in words] for name in names], dtype=np.int64).reshape(len(names), -1)
    inside = (has @ (1 - has).T == 0) & ~np.eye(len(names), dtype=bool)
    covers = inside & ~((inside.astype(np.int64) @ inside.astype(np.int64)) > 0)
    return [(names[lower], names[upper]) for lower, upper in np.argwhere(covers)]


def draw_hierarchy(diagram: HierarchyDiagram, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the hierarchy: the base learner at the bottom, and a sign on each line up.

    Parameters
    ----------
    diagram : HierarchyDiagram
        From `hierarchy_diagram`.
    ax : matplotlib Axes or None
        Where to draw; text shrinks to what fits. None for a new figure as large as the methods need.
    title : str or None
        By default how many steps are improvements; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the diagram's description, for use as alternative text.
    """
    from covey.plots.refit import keep_fitting

    if not isinstance(diagram, HierarchyDiagram):
        raise TypeError(f"diagram is a {type(diagram).__name__}; give hierarchy_diagram(records).")
    new = ax is None
    ax = axes_of(ax, (6, 5))
    ax.set_axis_off()
    dress(ax, title=diagram.title if title is None else title, description=diagram.description)
    if new:
        _grow(diagram, ax)
    keep_fitting(ax, partial(_paint, diagram))
    return ax


def _needs(diagram: HierarchyDiagram, ax: Axes) -> tuple[float, float, float, float]:
    """Return how many columns and rows there are, and the width and height that one takes, in points."""
    sizes = [text_size(ax, label) for label in diagram.labels]
    (left, _), (right, top) = diagram.places.min(axis=0), diagram.places.max(axis=0)
    # A method takes the room of its text, a frame and a gap.
    text, wide = max(height for _, height in sizes), max(width for width, _ in sizes) + 2 * POINTS
    high = text + 3.5 * POINTS
    for step in diagram.steps:
        # A sign right above or below a method must be clear of its frame.
        for across, up in np.abs(np.array([step.path[-2], step.path[-1]]) - step.label):
            if across * wide < wide / 2 + LARGE[0] / 2:
                high = max(high, (text / 2 + 0.5 * POINTS + LARGE[0] / 2) / up)
    return right - left + 1, top + 0.6, wide, high


def _grow(diagram: HierarchyDiagram, ax: Axes) -> None:
    """Make a new figure as large as the methods need."""
    columns, rows, wide, high = _needs(diagram, ax)
    width = max(columns * max(wide, 72 * ACROSS), 1.15 * text_size(ax, ax.get_title())[0])
    note = text_size(ax, wrap(ax, [diagram.legend], width))[1] + POINTS
    height = rows * max(high, 72 * UP) + note + (28 if ax.get_title() else 12)
    figure_of(ax).set_size_inches(width / 72 + 0.2, height / 72)


def _paint(diagram: HierarchyDiagram, ax: Axes, width: float, height: float) -> None:
    """Draw everything at the size that axes of a width and height have room for, with a legend below."""
    columns, rows, wide, high = _needs(diagram, ax)
    scale = 1.0
    while True:
        legend = wrap(ax, [diagram.legend], width, scale * POINTS)
        note = text_size(ax, legend, size=scale * POINTS)[1] + scale * POINTS
        fits = columns * wide * scale <= width and rows * high * scale <= height - note
        if fits or scale < 0.1:
            break
        scale *= 0.96
    share = min(note / height, 0.9)
    (left, _), (right, top) = diagram.places.min(axis=0), diagram.places.max(axis=0)
    ax.set(xlim=(left - 0.5, right + 0.5), ylim=(-0.3 - rows * share / (1 - share), top + 0.3))
    below: Any = {"transform": ax.transAxes, "ha": "center", "va": "bottom", "color": GREY}
    ax.text(0.5, 0, legend, size=scale * POINTS, **below)
    for step in diagram.steps:
        thick = 1.6 if step.significant else 0.8
        ax.plot(*zip(*step.path, strict=True), color=GREY, linewidth=thick * scale, zorder=1, label="_step")
        _draw_sign(step, ax, scale)
    box: Any = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": INK, "linewidth": 0.8 * scale**0.5}
    for label, (x, y) in zip(diagram.labels, diagram.places, strict=True):
        ax.text(x, y, label, ha="center", va="center", size=scale * POINTS, color=INK, bbox=box, zorder=3, **PLAIN)


def _draw_sign(step: Step, ax: Axes, scale: float) -> None:
    """Draw the strokes of a sign, so long and thick that no resolution loses one, on a white ground."""
    from matplotlib.path import Path

    pixel = 72 / figure_of(ax).dpi
    strokes, colour = SIGNS[step.sign]
    size, least = (LARGE, LEAST_LARGE) if step.significant else (SMALL, LEAST_SMALL)
    length, thick = (max(scale * points, pixel * pixels) for points, pixels in zip(size, least, strict=True))
    mark: Any = {"marker": Path(strokes, [Path.MOVETO, Path.LINETO] * (len(strokes) // 2)), "markerfacecolor": "none"}
    (x, y), edge = step.label, max(2 * scale, pixel)
    mark |= {"linestyle": "", "zorder": 2}
    ax.plot(x, y, markersize=length + 2 * edge, markeredgewidth=thick + 2 * edge, color="white", label="_halo", **mark)
    ax.plot(x, y, markersize=length, markeredgewidth=thick, color=colour, label=f"_sign {step.sign}", **mark)
