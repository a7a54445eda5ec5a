"""Two methods, dataset by dataset: a point for each, and a diagonal that parts what the one wins from the other's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import one_line, p_text
from covey.analysis.scores import Scores, check_direction, read_scores
from covey.analysis.significance.records import win_draw_loss
from covey.plots.layout import Label, Labels
from covey.plots.reading import distinct_names
from covey.plots.style import BLUE, GREY, ORANGE, POINTS, Floats, begin, darker, draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colour and shape of the datasets that the first method wins, the second wins, and neither.
LOOKS = ((BLUE, "o"), (ORANGE, "s"), (GREY, "D"))


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
