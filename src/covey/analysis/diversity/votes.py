"""Diversity, error and margins of weighted votes: what the shares of the votes tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.labels import Labels, read_judged, read_labels, relative_weights, shares_of
from covey.analysis.numbers import TIE, Floats
from covey.analysis.tables.result import Finding, ResultTable, table_of


@dataclass(frozen=True, eq=False, repr=False)
class Margins(Finding):
    """The margin of each case: the share of the votes for its true class less the largest share of another class.

    Margins are equal if they differ by no more than 1e-12, which the order of a sum may make; a tie is 0 exactly.
    """

    values: Floats  #: of each case, from -1, all votes are for one wrong class, to 1, all are for the true one

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
        caption = f"Margins of {len(self.values):,} cases"
        return table_of({"value": list(rows.values())}, list(rows), "margin", caption=caption)

    def __str__(self) -> str:
        return (
            f"Margins of {len(self.values):,} cases: minimum {self.minimum:z.3f}, mean {self.mean:z.3f}; "
            f"{self.negative:.1%} negative, {self.tied:.1%} tied"
        )


def weighted_variance(predictions: Any, weights: Any = None, *, classes: Any = None) -> float:
    r"""Return the variance of the votes, averaged over the cases: the multi-strategy paper's *diversity*.

    .. math:: \frac{1}{m} \sum_{i=1}^m \Bigl(1 - \sum_{y \in Y} \Bigl(
        \frac{\sum_j W_j 1(C_j(x_i) = y)}{\sum_j W_j} \Bigr)^2 \Bigr)

    0 if all members agree about every case; at most 1 - 1/K with K classes. Webb and Zheng (2004), equation 2.

    Parameters
    ----------
    predictions : array-like of shape (n_cases, n_members)
        What each member says of each case: labels, or codes if classes is given.
    weights : array-like of shape (n_members,), optional
        Vote weights W, not negative; by default all alike.
    classes : array-like of shape (n_classes,), optional
        An ensemble's ``classes_``, when predictions are codes: ``member_predictions(X, codes=True)``.
    """
    return variance_of(shares_of(read_labels(predictions, classes=classes), weights))


def vote_entropy(predictions: Any, weights: Any = None, *, y: Any = None, classes: Any = None) -> float:
    r"""Return the entropy of the votes, averaged over the cases, as a share of the greatest possible.

    .. math:: -\frac{1}{m \log K} \sum_{i=1}^m \sum_{y \in Y} p_{iy} \log p_{iy}

    with the share :math:`p_{iy}` of the votes that class y gets in case i. 0 if all members agree about every case (or
    there is one class only), 1 if all classes get the same votes in every case. Cunningham and Carney (2000), there
    without the division by log K.

    Parameters
    ----------
    predictions, weights
        As for `weighted_variance`.
    y : array-like of shape (n_cases,), optional
        The true labels. Their classes count among the K even if no member names them.
    classes : array-like of shape (n_classes,), optional
        An ensemble's ``classes_``, which are the K classes, when predictions are codes.
    """
    return entropy_of(shares_of(read_labels(predictions, y, classes=classes), weights))


def individual_error(predictions: Any, y: Any, weights: Any = None, *, classes: Any = None) -> float:
    r"""Return the weighted mean of the members' errors.

    .. math:: \frac{\sum_i \sum_j W_j 1(C_j(x_i) \ne y_i)}{m \sum_j W_j}

    Webb and Zheng (2004), equation 3, where an equals sign is printed by mistake (MS-I01): that would be accuracy.

    Parameters
    ----------
    predictions, weights, classes
        As for `weighted_variance`.
    y : array-like of shape (n_cases,)
        The true labels.
    """
    labels, _ = read_judged(predictions, y, classes)
    return mean_error(member_errors(labels), weights)


def ensemble_error(predictions: Any, y: Any, weights: Any = None, *, classes: Any = None) -> float:
    r"""Return the error of the weighted vote.

    .. math:: \frac{1}{m} \sum_i 1(K(x_i) \ne y_i)

    where K(x) is the class with the most votes. Where classes are tied, a fair draw among them is taken for the vote
    and its expected error is counted: 1 - 1/c if the true class is one of c tied, otherwise 1. So neither the order of
    the classes nor a seed matters. Webb and Zheng (2004), equation 4.

    Parameters
    ----------
    predictions, y, weights, classes
        As for `individual_error`.
    """
    labels, truth = read_judged(predictions, y, classes)
    return vote_error(shares_of(labels, weights), truth)


def margins(predictions: Any, y: Any, weights: Any = None, *, classes: Any = None) -> Margins:
    r"""Return the margin of each case.

    .. math:: \frac{\sum_j W_j 1(C_j(x_i) = y_i) - \max_{y \ne y_i} \sum_j W_j 1(C_j(x_i) = y)}{\sum_j W_j}

    Schapire, Freund, Bartlett and Lee (1998).

    Parameters
    ----------
    predictions, y, weights, classes
        As for `individual_error`.
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


def variance_of(shares: Floats) -> float:
    """Return equation 2 of shares of shape (n_cases, n_classes)."""
    return float(np.mean(1 - np.einsum("ij,ij->i", shares, shares)))


def entropy_of(shares: Floats) -> float:
    """Return the mean entropy of shares over the logarithm of the number of classes."""
    n_classes = shares.shape[1]
    if n_classes == 1:
        return 0.0
    logs = np.zeros_like(shares)
    np.log(shares, out=logs, where=shares > 0)
    bits = -np.einsum("ij,ij->i", shares, logs).mean() / np.log(n_classes)
    return min(max(float(bits), 0.0), 1.0)  # rounding may lead out of the range by a last digit


def member_errors(labels: Labels) -> Floats:
    """Return the share of cases that each member is wrong about."""
    return np.asarray(np.count_nonzero(~labels.correct, axis=1) / labels.codes.shape[1])


def mean_error(errors: Floats, weights: Any) -> float:
    """Return equation 3 of the errors of the members."""
    return float(np.average(errors, weights=relative_weights(weights, len(errors))))


def vote_error(shares: Floats, truth: NDArray[np.intp]) -> float:
    """Return equation 4, a tie counted as the expected error of a fair draw."""
    tied = shares.max(axis=1, keepdims=True) - shares <= TIE
    wins = tied[np.arange(len(truth)), truth]
    return float(np.mean(1 - wins / np.count_nonzero(tied, axis=1)))
