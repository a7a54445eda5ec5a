"""Scores of methods against the time they take, and the methods that no other one beats in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.analysis.scores import check_direction
from covey.plots.curves import LINE_COLOURS, about
from covey.plots.layout import Label, Labels, legend_below
from covey.plots.reading import by_name, check_finite, check_methods, check_spread, distinct_names, levels
from covey.plots.style import GREY, INK, Entry, Floats, begin, capitalised, draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# From this ratio of the longest time to the shortest, the axis is logarithmic.
LOG_RATIO = 10
# The side of a mark, in points.
SIDE = 6.0


@dataclass(frozen=True, eq=False)
class AccuracyTime:
    """Scores and times of methods.

    Parameters
    ----------
    metric : str
        What the scores are.
    larger_is_better : bool
        Whether the greatest score is the best.
    methods : tuple of str
        The names of the methods, in the order given.
    scores, seconds : ndarray of float64 of shape (n_methods,)
        The score and the training time of each.
    score_spread, seconds_spread : ndarray of float64 of shape (n_methods,), or None
        How far to go up and down from each, for example a standard deviation.
    """

    metric: str
    larger_is_better: bool
    methods: tuple[str, ...]
    scores: Floats
    seconds: Floats
    score_spread: Floats | None
    seconds_spread: Floats | None

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

    Returns
    -------
    AccuracyTime
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
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

    # Close to no time there is no end on a logarithmic axis: such a bar leads out of the picture.
    seen = np.where(low > 0.1 * points.seconds, low, points.seconds) if points.logarithmic else low
    left, right = float(seen.min()), float(high.max())
    if points.logarithmic:
        ax.set_xscale("log")
        ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if right < 300 * left else (1.0,)))
        ax.xaxis.set_major_formatter(FormatStrFormatter("%g"))
        ax.xaxis.set_minor_formatter(NullFormatter())
        room = (right / left) ** 0.1
        ax.set_xlim(left / room, right * room)
    else:
        room = 0.1 * (right - left) or 0.1 * right or 1.0
        ax.set_xlim(left - room, right + room)
    ax.margins(y=0.1)


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
