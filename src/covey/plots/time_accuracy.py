"""Scores of methods against the time they take, and the methods that no other one beats in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey.analysis.scores import check_direction
from covey.plots.curves import LINE_COLOURS, Floats, about
from covey.plots.members import by_name, check_made, levels, shown_names
from covey.plots.placement import nearest, place_labels
from covey.plots.room import figure_of, settle
from covey.plots.style import GREY, INK, PLAIN, POINTS, axes_of, dress, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Corner = Literal["lower right", "upper left", "lower left", "upper right"]

# From this ratio of the longest time to the shortest, the axis is logarithmic.
LOG_RATIO = 10
# The side of a mark, in points.
SIDE = 6.0
# Where its legend may be, the best first where larger scores are better.
CORNERS: tuple[Corner, ...] = ("lower right", "upper left", "lower left", "upper right")


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
        return tuple(shown_names(self.methods))

    @property
    def logarithmic(self) -> bool:
        """Whether times differ so much that their axis is logarithmic."""
        return bool(self.seconds.min() > 0 and self.seconds.max() >= LOG_RATIO * self.seconds.min())

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"{self.metric[:1].upper()}{self.metric[1:]} against training time"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        better = "larger" if self.larger_is_better else "smaller"
        on_front = set(self.front)
        first = (self._told(method) for method in self.front)
        rest = [self._told(method) for method in range(len(self.methods)) if method not in on_front]
        others = f" The others: {'; '.join(rest)}." if rest else ""
        return f"{self.title}, {better} is better. Not beaten in both: {'; '.join(first)}.{others}"

    def _told(self, method: int) -> str:
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
    names = tuple(map(str, methods))
    if not names or len(set(names)) < len(names):
        raise ValueError(f"methods={list(names)!r:.80} must be one or more names, all different.")
    times = _vector(seconds, "seconds", names)
    if (times < 0).any():
        raise ValueError(f"seconds has {times.min():g}, but nothing takes less than no time.")
    spreads = [
        None if given is None else _vector(given, name, names)
        for given, name in ((accuracy_spread, "accuracy_spread"), (seconds_spread, "seconds_spread"))
    ]
    for spread, name in zip(spreads, ("accuracy_spread", "seconds_spread"), strict=True):
        if spread is not None and (spread < 0).any():
            raise ValueError(f"{name} has {spread.min():g}, but no spread is negative.")
    direction = check_direction(larger_is_better)
    return AccuracyTime(metric, direction, names, _vector(accuracy, "accuracy", names), times, *spreads)


def _vector(given: Any, name: str, methods: Sequence[str]) -> Floats:
    given, count = by_name(given, methods, name), len(methods)
    try:
        values = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, one for each method.") from None
    if values.shape != (count,):
        raise ValueError(f"{name} has shape {values.shape}, but there are {count} methods; give a number for each.")
    if not np.isfinite(values).all():
        wrong = int(np.argmin(np.isfinite(values)))
        raise ValueError(
            f"{name} has {values[wrong]} for method {methods[wrong]!r}; run what is missing, or leave it out."
        )
    return values


def draw_accuracy_time(points: AccuracyTime, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw scores against times, with the methods' names beside them and a line through the Pareto front.

    Methods on the front are filled circles, the others hollow. The line shows the best score that can be had in a time.

    Parameters
    ----------
    points : AccuracyTime
        From `accuracy_time`.
    ax : matplotlib Axes or None
        Where to draw; None for a new one.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the points, for use as alternative text.
    """
    from covey.plots.fitting import fit_texts, place_when_drawn

    check_made(points, AccuracyTime, "accuracy_time")
    many = len(points.methods) > 12
    ax = axes_of(ax, (7.2, 5.2) if many else (6.2, 4.2))
    shown = points.title if title is None else title
    x = "training time in seconds" + (", logarithmic" if points.logarithmic else "")
    dress(ax, title=shown, description=points.description, x=x, y=points.metric, grid="both")
    _scale(ax, points)
    _draw_points(ax, points)
    fit_texts(ax)
    settle(ax)
    place_when_drawn(ax, PointNames(ax, points).place)
    return ax


def _scale(ax: Axes, points: AccuracyTime) -> None:
    """Scale the axes so that all points and bars are seen, but for bars that a logarithmic axis has no end for."""
    from matplotlib.ticker import LogLocator, NullFormatter

    low, high = _ends(points)
    # Close to no time there is no end on a logarithmic axis: such a bar leads out of the picture.
    seen = np.where(low > 0.1 * points.seconds, low, points.seconds) if points.logarithmic else low
    left, right = float(seen.min()), float(high.max())
    if points.logarithmic:
        ax.set_xscale("log")
        ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if right < 300 * left else (1.0,)))
        ax.xaxis.set_major_formatter(plain_number)
        ax.xaxis.set_minor_formatter(NullFormatter())
        room = (right / left) ** 0.1
        ax.set_xlim(left / room, right * room)
    else:
        room = 0.1 * (right - left) or 0.1 * right or 1.0
        ax.set_xlim(left - room, right + room)
    ax.margins(y=0.1)


def plain_number(number: float, _: Any = None) -> str:
    """Return the text of a tick."""
    return f"{number:g}"


def _ends(points: AccuracyTime) -> tuple[Floats, Floats]:
    """Return where the bars of the times begin and end; nothing takes less than no time."""
    spread = np.zeros(len(points.seconds)) if points.seconds_spread is None else points.seconds_spread
    least = 1e-6 * points.seconds if points.logarithmic else 0.0
    return np.maximum(points.seconds - spread, least), points.seconds + spread


def _draw_points(ax: Axes, points: AccuracyTime) -> None:
    low, high = _ends(points)
    bars: Any = {"color": GREY, "linewidth": 0.8, "alpha": 0.7, "zorder": 2}
    if points.seconds_spread is not None:
        ax.hlines(points.scores, low, high, **bars)
    if points.score_spread is not None:
        ax.vlines(points.seconds, points.scores - points.score_spread, points.scores + points.score_spread, **bars)
    front = list(points.front)
    rest = [method for method in range(len(points.methods)) if method not in points.front]
    mark: Any = {"marker": "o", "linestyle": "", "markersize": SIDE}
    hollow: Any = {"markerfacecolor": "white", "markeredgecolor": GREY, "markeredgewidth": 1.1, "zorder": 3}
    ax.plot(points.seconds[rest], points.scores[rest], label="_others", **mark, **hollow)
    ax.plot(points.seconds[front], points.scores[front], color=LINE_COLOURS[0], label="_front", **mark, zorder=4)
    steps: Any = {"color": LINE_COLOURS[0], "linewidth": 1.2, "alpha": 0.6, "drawstyle": "steps-post", "zorder": 2.5}
    ax.plot(*_steps(points, ax.get_xlim()[1]), label="_line", **steps)


def _steps(points: AccuracyTime, right: float) -> tuple[Floats, Floats]:
    front = list(points.front)
    return np.append(points.seconds[front], right), np.append(points.scores[front], points.scores[front[-1]])


class PointNames:
    """The names of methods beside their points, and a legend that says which marks are on the front.

    Parameters
    ----------
    ax : matplotlib Axes
        Where points are drawn.
    points : AccuracyTime
        The points.
    """

    def __init__(self, ax: Axes, points: AccuracyTime) -> None:
        from covey.plots.fitting import add_leader

        self.ax, self.points, on_front = ax, points, set(points.front)
        write: Any = {"fontsize": POINTS, "annotation_clip": False, "textcoords": "offset points", "zorder": 5, **PLAIN}
        self.texts = [
            ax.annotate(
                name,
                (x, y),
                xytext=(0, 0),
                verticalalignment="bottom",
                color=INK if method in on_front else "#555555",
                **write,
            )
            for method, (name, x, y) in enumerate(zip(points.names, points.seconds, points.scores, strict=True))
        ]
        for text in self.texts:
            # They are inside the axes, once they are placed.
            text.set_in_layout(False)
        self.leaders = [add_leader(ax, text.xy, GREY, width=0.6, shrink=SIDE / 2) for text in self.texts]
        self._explain()

    def _explain(self) -> None:
        """Say what the marks and the line are, in a corner of the axes that gets some room for it."""
        drawn = {line.get_label(): line for line in self.ax.lines}
        front, others = drawn["_front"], drawn["_others"]
        both = [(front, drawn["_line"])] if len(self.points.front) > 1 else [front]
        beaten = len(self.points.front) < len(self.points.methods)
        handles, names = [*both, *([others] if beaten else [])], ["on the Pareto front", "not on it"][: 1 + beaten]
        legend(self.ax, handles, names, loc=CORNERS[0], borderaxespad=0.2, handlelength=1.8, borderpad=0.2)
        box, whole = self._legend_box(), self.ax.bbox
        if self._choose_corner() and whole.height > 2 * box.height:
            # No corner is free: one gets as much more room as the legend takes.
            low, high = self.ax.get_ylim()
            room = (high - low) * box.height / (whole.height - box.height)
            self.ax.set_ylim(*((low - room, high) if self.points.larger_is_better else (low, high + room)))
            self._choose_corner()

    def _legend_box(self) -> Any:
        drawn = self.ax.get_legend()
        assert drawn is not None
        return drawn.get_window_extent()

    def _choose_corner(self) -> int:
        """Move the legend to the corner with the fewest points under it, and return how many these are."""
        drawn = self.ax.get_legend()
        assert drawn is not None
        at, pad = self._places(), SIDE * figure_of(self.ax).dpi / 72
        # What is slow and bad is rare.
        order = CORNERS if self.points.larger_is_better else CORNERS[::-1]
        covered = {}
        for corner in order:
            drawn.set_loc(corner)
            box = self._legend_box().padded(pad)
            covered[corner] = int(((at > box.min) & (at < box.max)).all(axis=1).sum())
        best = min(order, key=lambda corner: covered[corner])
        drawn.set_loc(best)
        return covered[best]

    def _places(self) -> Floats:
        both = np.stack([self.points.seconds, self.points.scores], axis=1)
        return np.asarray(self.ax.transData.transform(both), dtype=np.float64)

    def place(self, renderer: Any = None) -> None:
        """Write each name near its point, with a line that leads to it unless it is right beside."""
        from covey.plots.fitting import lead

        ax, at = self.ax, self._places()
        self._choose_corner()
        boxes = [text.get_window_extent(renderer) for text in self.texts]
        sizes = np.array([[box.width, box.height] for box in boxes])
        point = figure_of(ax).dpi / 72
        half = (SIDE / 2 + 0.5) * point
        page, taken = np.array([*ax.bbox.min, *ax.bbox.max]), self._legend_box()
        marks = np.concatenate([np.concatenate([at - half, at + half], axis=1), [[*taken.min, *taken.max]]])
        corners = place_labels(at, sizes, page, marks, _along(ax, self.points))
        for text, leader, corner, size, middle in zip(self.texts, self.leaders, corners, sizes, at, strict=True):
            text.set_position(tuple((corner - middle) / point))
            end = nearest(middle, np.concatenate([corner, corner + size]))
            lead(leader, tuple((end - middle) / point), visible=bool(np.hypot(*(end - middle)) > 2.2 * half))


def _along(ax: Axes, points: AccuracyTime) -> Floats:
    """Return places along the steps and the bars, in pixels, a few apart."""
    x, y = _steps(points, ax.get_xlim()[1])
    corners = ax.transData.transform(np.stack([np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]], axis=1))
    pieces = [corners]
    low, high = _ends(points)
    low = np.maximum(low, ax.get_xlim()[0]) if points.logarithmic else low
    bars = [] if points.seconds_spread is None else [((low, points.scores), (high, points.scores))]
    if points.score_spread is not None:
        down, up = points.scores - points.score_spread, points.scores + points.score_spread
        bars.append(((points.seconds, down), (points.seconds, up)))
    for ends in bars:
        pieces += list(np.stack([ax.transData.transform(np.stack(end, axis=1)) for end in ends], axis=1))
    return np.concatenate([_between(piece) for piece in pieces])


def _between(corners: Floats) -> Floats:
    """Return places on the straight lines from corner to corner, about four pixels apart."""
    parts = [
        start + np.linspace(0, 1, 2 + int(np.hypot(*(end - start)) / 4))[:, None] * (end - start)
        for start, end in pairwise(corners)
    ]
    return np.concatenate(parts)
