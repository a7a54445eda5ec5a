"""Calibration: how often predictions of some confidence are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._text import counted
from covey.analysis.labels import encode_truth
from covey.analysis.numbers import Floats, read_numbers
from covey.analysis.tables.result import Finding, ResultTable, table_of

# Probabilities may be off by this much, for they may come from numbers of few digits.
TOLERANCE = 1e-3
LEVEL = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class ReliabilityBins(Finding):
    """Confidence and accuracy of predictions, in bins of confidence of equal width."""

    edges: Floats  #: where bins begin and end, from 0 to 1, (n_bins + 1,)
    counts: NDArray[np.intp]  #: the rows in each bin, those at an edge in the lower one, (n_bins,)
    confidence: Floats  #: their mean probability of the predicted class; NaN for a bin without rows
    accuracy: Floats  #: the share of them that is predicted right
    low: Floats  #: the lower end of the accuracy's 95% interval (Wilson 1927)
    high: Floats  #: its upper end

    @property
    def n_cases(self) -> int:
        """How many rows there are."""
        return int(self.counts.sum())

    @property
    def error(self) -> float:
        """The expected calibration error: the mean of ``|accuracy - confidence|`` over bins, weighted by their rows."""
        used = self.counts > 0
        return float(self.counts[used] @ np.abs(self.accuracy - self.confidence)[used]) / self.n_cases

    def plot(self, ax: Any = None, *, title: str | None = None) -> Any:
        """Draw accuracy against confidence, and return the axes; see `covey.plots.draw_reliability`."""
        from covey.plots import ReliabilityDiagram, draw_reliability

        return draw_reliability(ReliabilityDiagram({"predictions": self}), ax, title=title)

    def __str__(self) -> str:
        bins = counted(len(self.counts), "bin")
        return f"Expected calibration error {self.error:.4f} of {counted(self.n_cases, 'case')} in {bins}"

    def table(self) -> ResultTable:
        """Return rows, confidence and accuracy of each bin."""
        names = [f"{low:.4g} to {high:.4g}" for low, high in zip(self.edges, self.edges[1:], strict=False)]
        columns = {
            "rows": self.counts,
            "mean confidence": self.confidence,
            "accuracy": self.accuracy,
            "low": self.low,
            "high": self.high,
        }
        return table_of(columns, names, "confidence", caption="Accuracy by confidence", default_format=".4f")


def reliability_bins(y: Any, probabilities: Any, *, classes: Any = None, n_bins: int = 10) -> ReliabilityBins:
    """Return how often predictions are right, in bins of the probability of the predicted class.

    Bins have equal widths from 0 to 1, so that those of several methods are the same, and are as in Guo, Pleiss, Sun
    and Weinberger (2017), "On calibration of modern neural networks".

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels.
    probabilities : array-like of shape (n_samples, n_classes)
        What ``predict_proba`` returns. Rows that are NaN throughout, such as those of ``oof_predictions_`` that no fold
        asks about, are left out.
    classes : array-like of shape (n_classes,), optional
        The model's ``classes_``; by default the labels in y, sorted.
    n_bins : int, default=10
        How many bins.

    Examples
    --------
    >>> from covey.analysis import reliability_bins
    >>> bins = reliability_bins(["a", "b", "a"], [[0.75, 0.25], [0.75, 0.25], [1.0, 0.0]])
    >>> bins.counts[-3:].tolist(), bins.accuracy[-3:].tolist()
    ([2, 0, 1], [0.5, nan, 1.0])
    >>> round(bins.error, 4)
    0.1667
    """
    if not isinstance(n_bins, int | np.integer) or n_bins < 1:
        raise ValueError(f"n_bins={n_bins!r} must be a whole number of 1 or more.")
    sure, right = _judged(y, probabilities, classes)
    edges = np.linspace(0.0, 1.0, int(n_bins) + 1)
    place = np.searchsorted(edges[1:-1], sure)
    counts = np.bincount(place, minlength=len(edges) - 1)
    rights = np.bincount(place[right], minlength=len(counts))
    with np.errstate(invalid="ignore"):
        confidence, accuracy = np.bincount(place, sure, minlength=len(counts)) / counts, rights / counts
    low, high = np.array([_wilson(*pair) for pair in zip(rights.tolist(), counts.tolist(), strict=True)]).T
    return ReliabilityBins(edges, counts, confidence, accuracy, low, high)


def expected_calibration_error(y: Any, probabilities: Any, *, classes: Any = None, n_bins: int = 10) -> float:
    """Return the mean of ``|accuracy - confidence|`` over bins of confidence, weighted by the rows in them.

    Parameters
    ----------
    y, probabilities, classes, n_bins
        As for `reliability_bins`.
    """
    return reliability_bins(y, probabilities, classes=classes, n_bins=n_bins).error


def _judged(y: Any, probabilities: Any, classes: Any) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the probability of the class predicted of each row, and whether that is the true one."""
    known, truth = encode_truth(y, classes)
    if truth is None:
        raise ValueError("y is None, but calibration compares predictions with the truth; give the true labels as y.")
    values = read_numbers(probabilities, "probabilities", "give what predict_proba returns")
    if values.shape != (len(truth), len(known)):
        raise ValueError(
            f"probabilities has shape {values.shape}, but y has {counted(len(truth), 'row')} and "
            f"{'classes' if classes is not None else 'y'} {counted(len(known), 'class', 'classes')}; give a row for "
            "each label and a column for each class, and the model's classes_ as classes if y lacks some."
        )
    there = ~np.isnan(values).all(axis=1)
    values, truth = values[there], truth[there]
    if not len(values):
        raise ValueError("probabilities has no row that is not NaN throughout; give rows that were predicted.")
    # Comparisons with NaN are false.
    proper = ((values >= -TOLERANCE) & (values <= 1 + TOLERANCE)).all(axis=1)
    proper &= np.abs(values.sum(axis=1) - 1) <= TOLERANCE
    if not proper.all():
        row = int(np.flatnonzero(there)[~proper][0])
        raise ValueError(
            f"probabilities has numbers in row {row}, counted from 0, that are missing, not from 0 to 1, or do not add "
            "up to 1; give what predict_proba returns."
        )
    predicted = values.argmax(axis=1)
    return np.clip(values.max(axis=1), 0.0, 1.0), predicted == truth


def _wilson(right: int, count: int) -> tuple[float, float]:
    """Return the ends of Wilson's interval for a share; NaN of no rows."""
    from scipy.stats import binomtest

    if not count:
        return np.nan, np.nan
    interval = binomtest(right, count).proportion_ci(LEVEL, method="wilson")
    return float(interval.low), float(interval.high)
