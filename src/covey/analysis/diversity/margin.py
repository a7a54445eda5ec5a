"""Margins of votes: how far the true class is ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.diversity.reading import read_judged, shares_of
from covey.analysis.finding import Finding
from covey.analysis.labels import TIE
from covey.analysis.numbers import Floats

if TYPE_CHECKING:
    from covey.analysis.tables import ResultTable


@dataclass(frozen=True, eq=False, repr=False)
class Margins(Finding):
    """The margin of each case: the share of the votes for its true class less the largest share of another class.

    Margins are equal if they differ by no more than 1e-12, which the order of a sum may make; a tie is 0 exactly.

    Parameters
    ----------
    values : ndarray of float64 of shape (n_cases,)
        From -1, all votes are for one wrong class, to 1, all are for the true one; in the order of the cases.
    """

    values: Floats

    @property
    def minimum(self) -> float:
        """The least margin."""
        return float(self.values.min())

    @property
    def mean(self) -> float:
        """The mean margin."""
        return float(self.values.mean())

    @property
    def negative(self) -> float:
        """The share of cases whose true class loses the vote: the vote's error, but for ties."""
        return float(np.mean(self.values < 0))

    @property
    def tied(self) -> float:
        """The share of cases whose true class wins only together with another."""
        return float(np.mean(self.values == 0))

    def share_up_to(self, margin: float) -> float:
        """Return the share of cases with this margin or a smaller one."""
        return float(np.mean(self.values <= margin + TIE))

    def cumulative(self) -> tuple[Floats, Floats]:
        """Return the different margins, the least first, and the share of cases with each or a smaller one."""
        ordered = np.sort(self.values)
        last = np.flatnonzero(np.append(np.diff(ordered) > TIE, True))
        return ordered[last], (last + 1) / len(ordered)

    def plot(self, ax: Any = None, *, title: str | None = None) -> Any:
        """Draw the distribution of the margins, and return the axes; see `covey.plots.draw_margins`."""
        from covey.plots import draw_margins, margin_distribution

        return draw_margins(margin_distribution(self), ax, title=title)

    def table(self) -> ResultTable:
        """Return the least, the quartiles, the greatest and the mean margin, and the shares of lost and tied cases."""
        import pandas as pd

        from covey.analysis.tables import ResultTable

        quartiles = np.quantile(self.values, [0.25, 0.5, 0.75])
        rows = {
            "minimum": self.minimum,
            "first quartile": quartiles[0],
            "median": quartiles[1],
            "third quartile": quartiles[2],
            "maximum": self.values.max(),
            "mean": self.mean,
            "share of negative margins": self.negative,
            "share of ties": self.tied,
        }
        frame = pd.DataFrame({"value": pd.Series(rows)}).rename_axis("margin")
        return ResultTable(frame, caption=f"Margins of {len(self.values):,} cases")

    def __str__(self) -> str:
        return (
            f"Margins of {len(self.values):,} cases: minimum {self.minimum:z.3f}, mean {self.mean:z.3f}; "
            f"{self.negative:.1%} negative, {self.tied:.1%} tied"
        )


def margins(predictions: Any, y: Any, weights: Any = None, *, classes: Any = None) -> Margins:
    r"""Return the margin of each case.

    .. math:: \frac{\sum_j W_j 1(C_j(x_i) = y_i) - \max_{y \ne y_i} \sum_j W_j 1(C_j(x_i) = y)}{\sum_j W_j}

    Schapire, Freund, Bartlett and Lee (1998).

    Parameters
    ----------
    predictions : array-like of shape (n_cases, n_members)
        What each member says of each case: labels, or codes if classes is given.
    y : array-like of shape (n_cases,)
        The true labels.
    weights : array-like of shape (n_members,), optional
        Vote weights W, not negative; by default all alike.
    classes : array-like of shape (n_classes,), optional
        An ensemble's ``classes_``, when predictions are the codes that its ``member_predictions`` gives.
    """
    labels, truth = read_judged(predictions, y, classes)
    return margins_of(shares_of(labels, weights), truth)


def margins_of(shares: Floats, truth: NDArray[np.intp]) -> Margins:
    """Return the margins of shares of the votes, of shape (n_cases, n_classes)."""
    every = np.arange(len(truth))
    others = np.ones(shares.shape, dtype=bool)
    others[every, truth] = False
    values = shares[every, truth] - shares.max(axis=1, where=others, initial=0.0)
    values[np.abs(values) <= TIE] = 0.0
    return Margins(values)
