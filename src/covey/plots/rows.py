"""Rows of methods, the best on top: box plots of scores, and mean scores with confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.analysis.scores import check_alpha, check_direction
from covey.plots.curves import LINE_COLOURS
from covey.plots.layout import lay_out, settle
from covey.plots.reading import by_name, check_finite, check_methods, column_methods, distinct_names, labels_of, levels
from covey.plots.style import GREY, INK, PALE, PLAIN, POINTS, Floats, about, begin, capitalised, draws, width_or

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# How many characters of a method's name are written where it may take two lines.
LONGEST = 64
# So many scores of a method are drawn each, more only as a box with outliers.
MOST_POINTS = 100
# Steps of this share of a turn never come near the same place twice.
GOLDEN = (5**0.5 - 1) / 2
# How a method with each verdict is drawn: the mark, whether it is filled, and what it means.
LOOKS: dict[str, tuple[str, bool, str]] = {
    "best": ("D", True, "best mean"),
    "tie": ("o", True, "ties with the best"),
    "unclear": ("o", False, "too close to call"),
    "behind": ("X", True, "behind"),
    "": ("o", True, ""),
}
# The verdicts as the name of the axis explains their marks.
KEYS = {"best": "diamond: best", "tie": "dot: tie", "unclear": "ring: too close to call", "behind": "cross: behind"}


# The width of a figure in inches unless another is asked for, the share of it that names may take, and of a letter in
# points.
WIDTH, NAMES, LETTER = 6.2, 0.4, 5.2


def begin_rows(
    data: Any, ax: Axes | None, title: str | None, names: Sequence[str], *, x: str, height: float
) -> tuple[Axes, float]:
    """Return axes with a row of some inches for each name, the first on top, and the height of a row in points."""
    count, names = len(names), _broken(names) if ax is None else names
    lines = 1 + max(name.count("\n") for name in names)
    height *= 1 + 0.25 * (lines - 1)
    # Rows that do not fit a page are closer.
    ax = begin(
        data, ax, (WIDTH, 1.15 + height * (max(count, 2) if count <= 12 else 12 + 0.72 * (count - 12))), title, x=x
    )
    ax.grid(True, axis="x", color=PALE, linewidth=0.6, linestyle="-")
    ax.set_axisbelow(True)
    ax.set_yticks(range(count), list(names), **PLAIN)
    ax.set_ylim(count - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    room = settle(ax)[1] / count
    for text in ax.get_yticklabels():
        text.set(color=INK, size=min(POINTS + 0.5, 0.85 * room / lines), linespacing=1.0)
    return ax, room


def _broken(names: Sequence[str]) -> Sequence[str]:
    """Return names in two lines at most, so that they leave room for what is drawn, if they still differ then."""
    columns = max(int(NAMES * 72 * width_or(WIDTH) / LETTER), 12)
    broken = [
        "\n".join(wrap(name, columns, max_lines=2, placeholder="…")) if len(name) > columns else name for name in names
    ]
    return broken if len({*broken}) == len({*names}) else distinct_names(names, columns)


class Box(NamedTuple):
    """Tukey's summary of scores: quartiles, and whiskers to the last score within 1.5 times their distance."""

    low: float  # where the lower whisker ends
    first: float
    median: float
    third: float
    high: float
    mean: float
    outliers: tuple[float, ...]  # the scores beyond the whiskers


@dataclass(frozen=True, eq=False)
class ScoreBoxes:
    """Scores of methods on datasets or in runs."""

    metric: str  #: what the scores are
    larger_is_better: bool  #: whether the greatest scores are the best
    #: the names of the methods, the best median first; equal ones by their means, then as they were given
    methods: tuple[str, ...]
    scores: tuple[Floats, ...]  #: the scores of each method

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The box of each method."""
        return tuple(_box(values) for values in self.scores)

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        counts = sorted({len(values) for values in self.scores})
        each = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        return f"{capitalised(self.metric)} by method, {each} {'score' if each == '1' else 'scores'} each"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        better = "larger" if self.larger_is_better else "smaller"
        parts = (
            f"{name}: median {about(box.median)}, quartiles {about(box.first)} and {about(box.third)}, "
            f"mean {about(box.mean)}"
            for name, box in zip(distinct_names(self.methods), self.boxes, strict=True)
        )
        return f"Box plots. {self.title}, {better} is better, the best median first. {'. '.join(parts)}."


def _box(values: Floats) -> Box:
    first, median, third = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    reach = 1.5 * (third - first)
    inside = (values >= first - reach) & (values <= third + reach)
    # A quartile between two scores may have none within reach on its side; then there is no whisker.
    low, high = min(first, float(values[inside].min())), max(third, float(values[inside].max()))
    return Box(low, first, median, third, high, float(values.mean()), tuple(np.sort(values[~inside]).tolist()))


def score_boxes(
    scores: Any, *, metric: str, larger_is_better: bool, methods: Sequence[str] | None = None
) -> ScoreBoxes:
    """Return the scores of methods as boxes, the best median first.

    Quartiles are those of `numpy.quantile`; whiskers reach to the last score within 1.5 times the distance of the
    quartiles (Tukey, 1977).

    Parameters
    ----------
    scores : array-like or data frame of shape (n_datasets, n_methods), or mapping of method to scores
        A score for each dataset or run, and each method. In a mapping methods may differ in the number of scores.
    metric : str
        The name of the axis.
    larger_is_better : bool
        True for accuracies, False for errors and times.
    methods : sequence of str, optional
        Names; by default a frame's columns or a mapping's keys, otherwise "1", "2", ...
    """
    sign = -1.0 if check_direction(larger_is_better) else 1.0
    columns, known = _read(scores)
    if not columns:
        raise ValueError("scores has no method; give a column for each.")
    names = column_methods(methods, known, len(columns))
    for name, values in zip(names, columns, strict=True):
        if not len(values):
            raise ValueError(f"scores: method {name!r} has no scores; run what is missing, or leave it out.")
        if not np.isfinite(values).all():
            row = int(np.isfinite(values).argmin())
            labels = None if isinstance(scores, Mapping) else labels_of(scores)
            place = f"in row {row}, counted from 0" if labels is None else f"on dataset {str(labels[row])!r}"
            raise ValueError(
                f"scores: method {name!r} has {values[row]} {place}; run what is missing, or leave that out."
            )
    order = sorted(range(len(columns)), key=lambda k: (sign * np.median(columns[k]), sign * columns[k].mean()))
    return ScoreBoxes(
        metric=metric,
        larger_is_better=bool(larger_is_better),
        methods=tuple(names[method] for method in order),
        scores=tuple(columns[method] for method in order),
    )


def _read(scores: Any) -> tuple[list[Floats], Any]:
    """Return the scores of each method, and the methods' names if they are known."""
    try:
        if isinstance(scores, Mapping):
            return [np.array(values, dtype=np.float64).reshape(-1) for values in scores.values()], list(scores)
        matrix = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("scores must be numbers, a row per dataset or run and a column per method.") from None
    if matrix.ndim != 2:
        raise ValueError(f"scores has {matrix.ndim} dimensions, but needs two: a row per dataset, a column per method.")
    return list(matrix.T), getattr(scores, "columns", None)


@draws(ScoreBoxes, "score_boxes")
def draw_score_boxes(boxes: ScoreBoxes, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a box for each method, one below the other: quartiles, the median as a line, the mean as a diamond.

    Up to 100 scores of a method are drawn too, at random heights that are always the same; of more, only outliers.
    """
    counts = [len(values) for values in boxes.scores]
    names = distinct_names(boxes.methods)
    if len(set(counts)) > 1:
        names = [f"{name} ({count})" for name, count in zip(names, counts, strict=True)]
    ax, room = begin_rows(boxes, ax, title, names, x=_explain_boxes(boxes), height=0.32)
    places = np.arange(len(names), dtype=np.float64)
    _draw_points(boxes, ax, room)
    low, first, median, third, high, mean = np.array([box[:6] for box in boxes.boxes]).T
    line: Any = {"color": INK, "linewidth": 0.9, "zorder": 3}
    fill: Any = {"color": LINE_COLOURS[0], "alpha": 0.3, "linewidth": 0, "zorder": 2}
    edge: Any = {"color": "none", "edgecolor": INK, "linewidth": 0.9, "zorder": 3}
    for look in (fill, edge):
        for bar in ax.barh(places, third - first, 0.56, first, **look):
            # Bars hold the axis to where they start, which would put a box without width onto its edge.
            bar.sticky_edges.x.clear()
    ax.hlines(np.tile(places, 2), np.concatenate([low, third]), np.concatenate([first, high]), **line)
    ax.vlines(np.concatenate([low, high]), np.tile(places, 2) - 0.14, np.tile(places, 2) + 0.14, **line)
    ax.vlines(median, places - 0.28, places + 0.28, color=INK, linewidth=2, zorder=4)
    mark: Any = {"marker": "D", "linestyle": "", "markersize": min(4.5, 0.35 * room), "markeredgewidth": 0.8}
    ax.plot(mean, places, color="white", markeredgecolor=INK, label="_mean", zorder=5, **mark)
    lay_out(ax)
    return ax


def _explain_boxes(boxes: ScoreBoxes) -> str:
    """Return the name of the axis, which says what is drawn."""
    many = [len(values) > MOST_POINTS for values in boxes.scores]
    outliers = any(box.outliers for box, more in zip(boxes.boxes, many, strict=True) if more)
    if not any(many):
        dots = ", dots: all scores"
    elif all(many):
        dots = ", dots: outliers" if outliers else ""
    else:
        dots = f", dots: all scores, but only outliers of more than {MOST_POINTS}"
    return f"{boxes.metric} (line: median, diamond: mean{dots})"


def _draw_points(boxes: ScoreBoxes, ax: Axes, room: float) -> None:
    """Draw the scores of each method, or its outliers if they are many; room is the height of a row in points."""
    for place, (box, values) in enumerate(zip(boxes.boxes, boxes.scores, strict=True)):
        x = np.sort(values) if len(values) <= MOST_POINTS else np.array(box.outliers)
        y = place + 0.44 * (((np.arange(len(x)) + 0.5) * GOLDEN) % 1 - 0.5)
        size = min(3.4 if len(values) <= 40 else 2.6, 0.25 * room)
        look: Any = {"linestyle": "", "marker": "o", "markersize": size, "markeredgewidth": 0}
        ax.plot(x, y, color=LINE_COLOURS[0], alpha=0.6, label="_scores", zorder=1.8, **look)


@dataclass(frozen=True, eq=False)
class MethodIntervals:
    """Mean scores of methods, and how far off they may be."""

    metric: str  #: what the scores are
    larger_is_better: bool  #: whether the greatest score is the best
    alpha: float  #: the intervals hold the true mean with a confidence of 1 - alpha
    #: the names of the methods, the best mean first; those that are equal up to rounding as they were given
    methods: tuple[str, ...]
    means: Floats  #: (n_methods,)
    lows: Floats  #: where the intervals begin; NaN where there is none, (n_methods,)
    highs: Floats  #: where they end, (n_methods,)
    verdicts: tuple[str, ...]  #: "best", "tie", "unclear" or "behind" for each method, or "" where nothing was tested

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"Mean {self.metric} by method"

    @property
    def confidence(self) -> str:
        """The confidence of the intervals as a text."""
        return f"{100 * (1 - self.alpha):g}%"

    @property
    def has_intervals(self) -> bool:
        """Whether some method has an interval."""
        return bool(np.isfinite(self.lows).any())

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        better = "larger" if self.larger_is_better else "smaller"
        parts = []
        for place, name in enumerate(distinct_names(self.methods)):
            low, high = self.lows[place], self.highs[place]
            between = f" ({about(low)} to {about(high)})" if isfinite(low) else ""
            verdict = LOOKS[self.verdicts[place]][2]
            parts.append(f"{name}: {about(self.means[place])}{between}{', ' if verdict else ''}{verdict}")
        sure = f", with {self.confidence} confidence intervals" if self.has_intervals else ""
        return f"{self.title}{sure}, {better} is better, the best first. {'. '.join(parts)}."


def method_intervals(
    means: Any,
    lows: Any,
    highs: Any,
    methods: Sequence[str],
    *,
    metric: str,
    larger_is_better: bool,
    alpha: float = 0.05,
    verdicts: Sequence[str] | None = None,
) -> MethodIntervals:
    """Return mean scores with their confidence intervals, the best first.

    Parameters
    ----------
    means, lows, highs : array-like of shape (n_methods,), or mapping or series of method to number
        The mean score of each method and the ends of its interval, NaN for none. Those with labels are matched by
        them, others by their order.
    methods : sequence of str
        Their names.
    metric : str
        What the scores are.
    larger_is_better : bool
        True for accuracies, False for errors.
    alpha : float, default=0.05
        The intervals were made for a confidence of 1 - alpha.
    verdicts : sequence of str, optional
        What a test said of each method: "best", "tie", "unclear" or "behind"; "" for nothing.
    """
    names = check_methods(methods)
    direction, level = check_direction(larger_is_better), check_alpha(alpha)
    middle, low, high = (
        by_name(given, names, what) for given, what in ((means, "means"), (lows, "lows"), (highs, "highs"))
    )
    _check_ends(middle, low, high, names)
    given = ("",) * len(names) if verdicts is None else tuple(map(str, verdicts))
    if len(given) != len(names) or not set(given) <= set(LOOKS):
        known = ", ".join(map(repr, LOOKS))
        raise ValueError(f"verdicts={list(given)!r:.80} must be one for each of {len(names)} methods, of {known}.")
    order = np.argsort(levels(-middle if direction else middle), kind="stable").tolist()
    return MethodIntervals(
        metric=metric,
        larger_is_better=direction,
        alpha=level,
        methods=tuple(names[place] for place in order),
        means=middle[order],
        lows=low[order],
        highs=high[order],
        verdicts=tuple(given[place] for place in order),
    )


def _check_ends(means: Floats, lows: Floats, highs: Floats, methods: Sequence[str]) -> None:
    check_finite(means, methods, "means")
    for name, mean, low, high in zip(methods, means, lows, highs, strict=True):
        if np.isnan(low) and np.isnan(high):
            continue
        if not (np.isfinite(low) and np.isfinite(high) and low <= mean <= high):
            raise ValueError(
                f"lows and highs have {low} and {high} for method {name!r}, whose mean is {mean}; give an interval "
                "around it, or NaN for both."
            )


@draws(MethodIntervals, "method_intervals")
def draw_method_intervals(intervals: MethodIntervals, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a mark for the mean of each method, one below the other, with its interval as a line.

    The best is a diamond, methods that tie with it are dots, those too close to call rings, the others crosses.
    """
    keys = [f"line: {intervals.confidence} confidence interval"] if intervals.has_intervals else []
    verdicts = [verdict for verdict in KEYS if verdict in intervals.verdicts]
    keys += [KEYS[verdict] for verdict in verdicts] if len(verdicts) > 1 else []
    x = f"{intervals.metric} ({', '.join(keys)})" if keys else intervals.metric
    names = distinct_names(intervals.methods, 32 if ax is not None else LONGEST)
    ax, room = begin_rows(intervals, ax, title, names, x=x, height=0.3)
    places, known = np.arange(len(intervals.methods), dtype=np.float64), np.isfinite(intervals.lows)
    ax.axvline(intervals.means[0], color=PALE, linewidth=1.4, zorder=1)
    for verdict, (marker, filled, _) in LOOKS.items():
        chosen = np.array([given == verdict for given in intervals.verdicts])
        if not chosen.any():
            continue
        shade = GREY if verdict == "behind" else LINE_COLOURS[0]
        there = chosen & known
        line: Any = {"colors": shade, "linewidth": min(2.0, 0.15 * room), "zorder": 2}
        ax.hlines(places[there], intervals.lows[there], intervals.highs[there], **line)
        look: Any = {"marker": marker, "markersize": min(6.5, 0.42 * room), "linestyle": "", "zorder": 3}
        look |= {"markerfacecolor": shade if filled else "white", "markeredgecolor": shade, "markeredgewidth": 1.3}
        ax.plot(intervals.means[chosen], places[chosen], label=f"_{verdict or 'untested'}", **look)
    lay_out(ax)
    return ax
