"""Two methods, dataset by dataset: a point for each, and a diagonal that parts what the one wins from the other's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import one_line, p_text
from covey.analysis.scores import Scores, check_direction, read_scores
from covey.analysis.significance.records import win_draw_loss
from covey.plots.placement import nearest, place_labels
from covey.plots.room import distinct_names, figure_of, wrap
from covey.plots.style import COLOURS, GREY, INK, PLAIN, POINTS, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

# Colour and shape of the datasets that the first method wins, the second wins, and neither.
LOOKS = ((COLOURS[4], "o"), (COLOURS[5], "s"), (GREY, "D"))
# Where words may be written, as shares of the axes: above the diagonal, and just below it. The first free one counts.
SPOTS = ((0.02, 0.98), (0.02, 0.86), (0.14, 0.98), (0.02, 0.74), (0.26, 0.98), (0.02, 0.62))
EQUAL = ((0.8, 0.75), (0.2, 0.15), (0.7, 0.65), (0.3, 0.25), (0.55, 0.5))


@dataclass(frozen=True, eq=False)
class MethodScatter:
    """The scores of two methods on the same datasets.

    Parameters
    ----------
    first, second : str
        The methods, on the horizontal and on the vertical axis.
    datasets : tuple of str
        Names.
    scores : ndarray of float64 of shape (n_datasets, 2)
        The scores of both methods.
    winners : ndarray of int of shape (n_datasets,)
        Which method is better on each dataset: 0 the first, 1 the second, 2 neither.
    record : tuple of int
        Wins, draws and losses of the first method.
    p_value : float
        Of the two-tailed sign test.
    larger_is_better : bool
        Which direction is better.
    farthest : tuple of int
        The datasets on which the methods differ most, the largest difference first.
    limits : tuple of float
        Where both axes begin and end.
    measure : str
        What the scores are, "" if that was not said.
    """

    first: str
    second: str
    datasets: tuple[str, ...]
    scores: Floats
    winners: NDArray[np.intp]
    record: tuple[int, int, int]
    p_value: float
    larger_is_better: bool
    farthest: tuple[int, ...]
    limits: tuple[float, float]
    measure: str

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
        far = ", ".join(
            f"{self.datasets[row]} ({' and '.join(_apart(*self.scores[row].tolist()))})" for row in self.farthest
        )
        return f"{self.title}. {direction}" + (f" They differ most on {far}." if far else "")


def _apart(first: float, second: float) -> tuple[str, str]:
    """Return two numbers with the fewest digits, four or more, that tell them apart."""
    pairs = ((f"{first:.{digits}g}", f"{second:.{digits}g}") for digits in range(4, 18))
    return next(pair for pair in pairs if pair[0] != pair[1])


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

    Returns
    -------
    MethodScatter
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


def draw_method_scatter(scatter: MethodScatter, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a point for each dataset, the diagonal of equal scores, and in words which side is whose.

    Parameters
    ----------
    scatter : MethodScatter
        From `method_scatter`.
    ax : matplotlib Axes or None
        Where to draw, made square; None for a new one.
    title : str or None
        By default the record; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the scatter's description, for use as alternative text.
    """
    from covey.plots.refit import keep_fitting

    if not isinstance(scatter, MethodScatter):
        raise TypeError(f"scatter is a {type(scatter).__name__}; give method_scatter(scores, first, second, ...).")
    ax = axes_of(ax, (5.2, 5.4))
    of = f"{one_line(scatter.measure)} of " if scatter.measure else ""
    x, y = (of + name for name in scatter.names)
    record = scatter.title.replace("p = ", "p\u00a0=\u00a0")  # not to be broken between lines
    dress(ax, title=record if title is None else title, description=scatter.description, x=x, y=y)
    ax.set(xlim=scatter.limits, ylim=scatter.limits, aspect="equal")
    ax.set_yticks(ax.get_xticks())
    ax.set(xlim=scatter.limits, ylim=scatter.limits)
    side = _draw_points(scatter, ax)
    keep_fitting(ax, partial(_write, scatter, side))
    return ax


def _write(scatter: MethodScatter, side: float, ax: Axes, width: float, height: float) -> None:
    """Write what must not cover the points, at the size that axes of a width and height have room for."""
    size = POINTS * float(np.clip(min(width, height) / 180, 0.5, 1))
    _write_datasets(scatter, ax, side, size, _write_words(scatter, ax, width, size))


def _draw_points(scatter: MethodScatter, ax: Axes) -> float:
    """Draw the two sides, the diagonal and the points, and return the size of the points."""
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
    return side


def _write_words(scatter: MethodScatter, ax: Axes, width: float, size: float) -> Floats:
    """Name the winner of each side in its corner, or along its edges where fewer points are, and return the boxes."""
    at = ax.transData.transform(scatter.scores)
    boxes = []
    for winner, words in enumerate(scatter.words):
        if not words:
            continue
        spots: Sequence[tuple[float, float]] = EQUAL if winner == 2 else SPOTS
        side: Any = {"ha": "left", "va": "top"}
        if winner < 2 and (winner == 0) == scatter.larger_is_better:
            spots, side = [(1 - across, 1 - up) for across, up in spots], {"ha": "right", "va": "bottom"}
        look: Any = {"color": _darker(LOOKS[winner][0]), "size": size, "zorder": 4, "transform": ax.transAxes}
        drawn = ax.text(0, 0, wrap(ax, [words], 0.5 * width, size), **side, **look, **PLAIN)
        crowds = []
        for spot in spots:
            drawn.set_position(spot)
            left, bottom, right, top = drawn.get_window_extent().padded(size / 2).extents
            crowds.append(np.count_nonzero((at >= (left, bottom)).all(axis=1) & (at <= (right, top)).all(axis=1)))
        drawn.set_position(spots[int(np.argmin(crowds))])
        boxes.append(drawn.get_window_extent().extents)
    return np.array(boxes)


def _darker(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    red, green, blue = (0.75 * part for part in to_rgb(colour))
    return red, green, blue


def _write_datasets(scatter: MethodScatter, ax: Axes, side: float, size: float, words: Floats) -> None:
    """Write the names of the farthest datasets where they cover nothing, with lines to points that are not beside."""
    if not scatter.farthest:
        return
    point = figure_of(ax).dpi / 72
    rows = list(scatter.farthest)
    write: Any = {
        "textcoords": "offset points",
        "size": 0.9 * size,
        "va": "bottom",
        "zorder": 5,
        "color": INK,
        **PLAIN,
    }
    names = distinct_names([scatter.datasets[row] for row in rows], 32)
    texts = [
        ax.annotate(name, tuple(scatter.scores[row]), xytext=(0, 0), annotation_clip=False, **write)
        for name, row in zip(names, rows, strict=True)
    ]
    sizes = np.array([text.get_window_extent().size for text in texts])
    at, half = ax.transData.transform(scatter.scores), (side / 2 + 0.5) * point
    marks = np.concatenate([np.concatenate([at - half, at + half], axis=1), words])
    page = np.array(ax.get_window_extent().padded(-2 * point).extents)
    corner = np.array(ax.transData.transform([(end, end) for end in scatter.limits]))
    line = corner[0] + np.linspace(0, 1, 150)[:, None] * (corner[1] - corner[0])
    for text, lower, extent, middle in zip(
        texts, place_labels(at[rows], sizes, page, marks, line), sizes, at[rows], strict=True
    ):
        text.set_position(tuple((lower - middle) / point))
        end = nearest(middle, np.concatenate([lower, lower + extent]))
        if np.hypot(*(end - middle)) > 2.2 * half:
            look: Any = {"arrowstyle": "-", "color": GREY, "linewidth": 0.6, "shrinkA": 0, "shrinkB": side / 2}
            where: Any = {"xytext": tuple((end - middle) / point), "textcoords": "offset points"}
            ax.annotate("", text.xy, **where, arrowprops=look, annotation_clip=False)
