"""Methods as points: their scores against their times, and two of them against each other, dataset by dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import one_line, p_text
from covey.analysis.scores import Scores, check_direction, read_scores
from covey.analysis.significance.records import win_draw_loss
from covey.plots.curves import LINE_COLOURS
from covey.plots.layout import Label, Labels, legend_below
from covey.plots.reading import by_name, check_finite, check_methods, check_spread, distinct_names, levels
from covey.plots.style import BLUE, GREY, INK, ORANGE, POINTS, Entry, Floats, about, begin, capitalised, darker, draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# From this ratio of the longest time to the shortest, the axis is logarithmic.
LOG_RATIO = 10
# The side of a mark, in points.
SIDE = 6.0

# Colour and shape of the datasets that the first method wins, the second wins, and neither.
LOOKS = ((BLUE, "o"), (ORANGE, "s"), (GREY, "D"))


@dataclass(frozen=True, eq=False)
class AccuracyTime:
    """Scores and times of methods."""

    metric: str  #: what the scores are
    larger_is_better: bool  #: whether the greatest score is the best
    methods: tuple[str, ...]  #: the names of the methods, in the order given
    scores: Floats  #: the score of each, (n_methods,)
    seconds: Floats  #: its training time, (n_methods,)
    score_spread: Floats | None  #: how far to go up and down from each score, for example a standard deviation
    seconds_spread: Floats | None  #: how far to go left and right from each time

    @cached_property
    def front(self) -> tuple[int, ...]:
        """The positions of the methods on the Pareto front, the fastest first.

        No other method is at least as fast and at least as good as one of these, and better in one of both. Methods
        that are equal in both, up to rounding, are all on it, or none is.
        """
        gain, time = levels(self.scores if self.larger_is_better else -self.scores), levels(self.seconds)
        best, at, front = -1, -1, []
        for method in np.lexsort((-gain, time)).tolist():
            if gain[method] > best or (gain[method] == best and time[method] == at):
                best, at = int(gain[method]), int(time[method])
                front.append(method)
        return tuple(front)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The methods' names as they are drawn."""
        return tuple(distinct_names(self.methods))

    @property
    def logarithmic(self) -> bool:
        """Whether times differ so much that their axis is logarithmic."""
        return bool(self.seconds.min() > 0 and self.seconds.max() >= LOG_RATIO * self.seconds.min())

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"{capitalised(self.metric)} against training time"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        better = "larger" if self.larger_is_better else "smaller"
        on_front = set(self.front)
        first = (self._words(method) for method in self.front)
        rest = [self._words(method) for method in range(len(self.methods)) if method not in on_front]
        others = f" The others: {'; '.join(rest)}." if rest else ""
        return f"{self.title}, {better} is better. Not beaten in both: {'; '.join(first)}.{others}"

    def _words(self, method: int) -> str:
        return f"{self.names[method]} {about(self.scores[method])} in {about(self.seconds[method])} s"


def accuracy_time(
    accuracy: Any,
    seconds: Any,
    methods: Sequence[str],
    *,
    metric: str,
    larger_is_better: bool,
    accuracy_spread: Any = None,
    seconds_spread: Any = None,
) -> AccuracyTime:
    """Return the scores and training times of methods, and find the ones that no other beats in both.

    Parameters
    ----------
    accuracy, seconds : array-like of shape (n_methods,), or mapping or series of method to number
        The score of each method, and how long it takes. Those with labels are matched by them, others by their order.
    methods : sequence of str
        Their names.
    metric : str
        What the scores are.
    larger_is_better : bool
        True for accuracies, False for errors.
    accuracy_spread, seconds_spread : array-like of shape (n_methods,), mapping or series, optional
        How far to go up and down from each, for example a standard deviation.
    """
    names, direction = check_methods(methods), check_direction(larger_is_better)
    scores, times = (
        check_finite(by_name(given, names, what), names, what)
        for given, what in ((accuracy, "accuracy"), (seconds, "seconds"))
    )
    if (times < 0).any():
        raise ValueError(f"seconds has {times.min():g}, but nothing takes less than no time.")
    spreads = [
        None if given is None else check_spread(check_finite(by_name(given, names, what), names, what), what)
        for given, what in ((accuracy_spread, "accuracy_spread"), (seconds_spread, "seconds_spread"))
    ]
    return AccuracyTime(metric, direction, names, scores, times, *spreads)


@draws(AccuracyTime, "accuracy_time")
def draw_accuracy_time(points: AccuracyTime, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw scores against times, with the methods' names beside them and a line through the Pareto front.

    Methods on the front are filled circles, the others hollow. The line shows the best score that can be had in a time.
    """
    size = (7.2, 5.4) if len(points.methods) > 12 else (6.2, 4.4)
    x = "training time in seconds" + (", logarithmic" if points.logarithmic else "")
    ax = begin(points, ax, size, title, x=x, y=points.metric, grid="both")
    spread = np.zeros(len(points.methods)) if points.seconds_spread is None else points.seconds_spread
    least = 1e-6 * points.seconds if points.logarithmic else 0.0
    low, high = np.maximum(points.seconds - spread, least), points.seconds + spread
    _scale(ax, points, low, high)
    bars: Any = {"color": GREY, "linewidth": 0.8, "alpha": 0.7, "zorder": 2}
    lines = []
    if points.seconds_spread is not None:
        lines.append(ax.hlines(points.scores, low, high, **bars))
    if points.score_spread is not None:
        ends = points.scores - points.score_spread, points.scores + points.score_spread
        lines.append(ax.vlines(points.seconds, *ends, **bars))
    legend_below(ax, _draw_points(ax, points), handlelength=1.8)
    xy, names = np.stack([points.seconds, points.scores], axis=1), []
    for method, name in enumerate(points.names):
        colour = INK if method in points.front else "#555555"
        names.append(Label(tuple(xy[method].tolist()), name, colour, SIDE))
    front = list(points.front)
    # Its corners: each score holds until the next method is faster than that.
    right = np.append(points.seconds[front][1:], ax.get_xlim()[1])
    line = np.stack([[points.seconds[front], right], [points.scores[front]] * 2]).transpose(2, 1, 0).reshape(-1, 2)
    Labels(ax, names, xy, SIDE, [line, *(bar for drawn in lines for bar in drawn.get_segments())])
    return ax


def _scale(ax: Axes, points: AccuracyTime, low: Floats, high: Floats) -> None:
    """Scale the axes so that all points and bars are seen, but for bars that a logarithmic axis has no end for."""
    # Close to no time there is no end on a logarithmic axis: such a bar leads out of the picture.
    seen = np.where(low > 0.1 * points.seconds, low, points.seconds) if points.logarithmic else low
    scale_axis(ax, "x", float(seen.min()), float(high.max()), logarithmic=points.logarithmic)
    ax.margins(y=0.1)


def scale_axis(ax: Axes, side: str, low: float, high: float, *, logarithmic: bool, room: float = 0.1) -> None:
    """Let an axis, "x" or "y", show numbers from low to high, and at either end that share of room more."""
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

    if not logarithmic:
        more = room * (high - low) or room * high or 1.0
        ax.set(**{f"{side}lim": (low - more, high + more)})
        return
    ax.set(**{f"{side}scale": "log"})
    axis = ax.xaxis if side == "x" else ax.yaxis
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 300 * low else (1.0,)))
    axis.set_major_formatter(FormatStrFormatter("%g"))
    axis.set_minor_formatter(NullFormatter())
    more = (high / low) ** room
    ax.set(**{f"{side}lim": (low / more, high * more)})


def _draw_points(ax: Axes, points: AccuracyTime) -> list[Entry]:
    """Draw the points and the front, and return what a legend says of them."""
    front = list(points.front)
    rest = [method for method in range(len(points.methods)) if method not in points.front]
    mark: Any = {"marker": "o", "linestyle": "", "markersize": SIDE}
    hollow: Any = {"markerfacecolor": "white", "markeredgecolor": GREY, "markeredgewidth": 1.1, "zorder": 3}
    (others,) = ax.plot(points.seconds[rest], points.scores[rest], label="_others", **mark, **hollow)
    colour = LINE_COLOURS[0]
    (best,) = ax.plot(points.seconds[front], points.scores[front], color=colour, label="_front", **mark, zorder=4)
    seconds = np.append(points.seconds[front], ax.get_xlim()[1])
    scores = np.append(points.scores[front], points.scores[front[-1]])
    steps: Any = {"color": colour, "linewidth": 1.2, "alpha": 0.6, "drawstyle": "steps-post", "zorder": 2.5}
    (line,) = ax.plot(seconds, scores, label="_line", **steps)
    entries: list[Entry] = [((best, line) if len(front) > 1 else best, "on the Pareto front")]
    return [*entries, (others, "not on it")] if rest else entries


@dataclass(frozen=True, eq=False)
class MethodScatter:
    """The scores of two methods on the same datasets."""

    first: str  #: the method on the horizontal axis
    second: str  #: the method on the vertical axis
    datasets: tuple[str, ...]  #: names
    scores: Floats  #: the scores of both methods, (n_datasets, 2)
    #: which method is better on each dataset: 0 the first, 1 the second, 2 neither, (n_datasets,)
    winners: NDArray[np.intp]
    record: tuple[int, int, int]  #: wins, draws and losses of the first method
    p_value: float  #: of the two-tailed sign test
    larger_is_better: bool  #: which direction is better
    farthest: tuple[int, ...]  #: the datasets on which the methods differ most, the largest difference first
    limits: tuple[float, float]  #: where both axes begin and end
    measure: str  #: what the scores are, "" if that was not said

    @property
    def names(self) -> tuple[str, str]:
        """The names of the methods, in a line each and not too long."""
        first, second = distinct_names([self.first, self.second], 48)
        return first, second

    @property
    def words(self) -> tuple[str, str, str]:
        """What is written at the first method's side of the diagonal, at the second's, and at the diagonal."""
        wins, draws, losses = self.record
        equal = f"equal on {draws}" if draws else ""
        return f"{self.names[0]} better on {wins}", f"{self.names[1]} better on {losses}", equal

    @property
    def title(self) -> str:
        """The record in a line."""
        record = "/".join(map(str, self.record))
        against = f"{self.names[0]} against {self.names[1]} on {len(self.datasets)} datasets"
        return f"{against}: {record} wins/draws/losses ({p_text(self.p_value)})"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        measure = f" The measure is {self.measure}." if self.measure else ""
        direction = f"{'Larger' if self.larger_is_better else 'Smaller'} is better.{measure}"
        far = ", ".join("{} ({:.5g} and {:.5g})".format(self.datasets[row], *self.scores[row]) for row in self.farthest)
        return f"{self.title}. {direction}" + (f" They differ most on {far}." if far else "")


def method_scatter(
    scores: Any,
    first: str,
    second: str,
    *,
    larger_is_better: bool,
    methods: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    measure: str = "",
    label_farthest: int = 3,
) -> MethodScatter:
    """Compare two methods dataset by dataset.

    Parameters
    ----------
    scores : array-like or data frame of shape (n_datasets, n_methods), or mapping of method to scores
        One score per dataset and method, as `win_draw_loss` takes them.
    first, second : str
        The names of two of the methods.
    larger_is_better : bool
        True for accuracies, False for errors.
    methods, datasets : sequence of str, optional
        Names; by default a frame's columns and index, otherwise "1", "2", ...
    measure : str, default=""
        What the scores are, such as "accuracy", for the names of the axes.
    label_farthest : int, default=3
        How many datasets to name, those with the largest differences; datasets without a difference are not named.
    """
    direction = check_direction(larger_is_better)
    if not isinstance(label_farthest, int | np.integer) or label_farthest < 0:
        raise ValueError(f"label_farthest={label_farthest!r} must be a whole number of 0 or more.")
    read = read_scores(scores, methods=methods, datasets=datasets)
    first, second = str(first), str(second)
    for argument, name in (("first", first), ("second", second)):
        if name not in read.methods:
            raise ValueError(f"{argument}={name!r} is none of the methods, which are {', '.join(read.methods)}.")
    if first == second:
        raise ValueError(f"first and second are both {first!r}; name two different methods.")
    pair = read.values[:, [read.methods.index(first), read.methods.index(second)]]
    both = Scores(pair, (first, second), read.datasets)
    records = win_draw_loss(both, larger_is_better=direction)
    # Ties are those of the records: scores that differ by no more than rounding.
    lead = np.diff(both.ranks(larger_is_better=direction), axis=1)[:, 0]
    difference = np.where(lead == 0, 0.0, np.abs(pair[:, 0] - pair[:, 1]))
    order = np.argsort(-difference, kind="stable")[:label_farthest]
    return MethodScatter(
        first=first,
        second=second,
        datasets=read.datasets,
        scores=pair,
        winners=np.select([lead > 0, lead < 0], [0, 1], 2),
        record=records.record(first, second),
        p_value=float(records.p_values[0, 1]),
        larger_is_better=direction,
        farthest=tuple(int(row) for row in order if lead[row] != 0),
        limits=_limits(pair),
        measure=measure,
    )


def _limits(pair: Floats) -> tuple[float, float]:
    """Return where axes begin and end that hold all scores with a margin, even if all are the same."""
    low, high = float(pair.min()), float(pair.max())
    margin = 0.07 * (high - low) or 0.05 * abs(low) or 0.5
    return low - margin, high + margin


@draws(MethodScatter, "method_scatter")
def draw_method_scatter(scatter: MethodScatter, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a point for each dataset, the diagonal of equal scores, and in words which side is whose."""
    of = f"{one_line(scatter.measure)} of " if scatter.measure else ""
    x, y = (of + name for name in scatter.names)
    record = scatter.title.replace("p = ", "p\u00a0=\u00a0")  # not to be broken between lines
    ax = begin(scatter, ax, (5.2, 5.4), record if title is None else title, x=x, y=y)
    ax.set(xlim=scatter.limits, ylim=scatter.limits, aspect="equal")
    ax.set_yticks(ax.get_xticks())
    ax.set(xlim=scatter.limits, ylim=scatter.limits)
    low, high = scatter.limits
    lower, upper = (0, 1) if scatter.larger_is_better else (1, 0)
    ax.fill_between([low, high], [low, low], [low, high], color=LOOKS[lower][0], alpha=0.05, linewidth=0)
    ax.fill_between([low, high], [low, high], [high, high], color=LOOKS[upper][0], alpha=0.05, linewidth=0)
    ax.plot([low, high], [low, high], color=GREY, linewidth=1, label="_diagonal", zorder=1.5)
    side = float(np.clip(6 * (40 / len(scatter.datasets)) ** 0.3, 2.5, 6))
    for winner, (colour, marker) in enumerate(LOOKS):
        points = scatter.scores[scatter.winners == winner]
        mark: Any = {"marker": marker, "markersize": side, "markeredgecolor": "white", "markeredgewidth": 0.08 * side}
        ax.plot(*points.T, color=colour, linestyle="", label=f"_{winner}", alpha=0.9, zorder=3, **mark)
    corners = {lower: (1.0, 0.0), upper: (0.0, 1.0), 2: (0.8, 0.8)}
    labels = [
        Label(corners[winner], words, darker(LOOKS[winner][0], 0.25), corner=True)
        for winner, words in enumerate(scatter.words)
        if words
    ]
    names = distinct_names([scatter.datasets[row] for row in scatter.farthest])
    for row, name in zip(scatter.farthest, names, strict=True):
        labels.append(Label(tuple(scatter.scores[row].tolist()), name, side=side))
    diagonal = np.array([scatter.limits, scatter.limits]).T
    Labels(ax, labels, scatter.scores, side, [diagonal], size=0.95 * POINTS)
    return ax
