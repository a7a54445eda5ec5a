"""Points of ROC space, the lines of equal accuracy through them, and the concavities beneath their convex hull."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, isnan
from typing import Any

import numpy as np

from covey._arguments import check_number
from covey.analysis.numbers import LONG_SUM, ROUNDING, TIE, Floats
from covey.analysis.roc.binary import BinaryCases, Bools, read_cases
from covey.analysis.tables.result import Finding


@dataclass(frozen=True, repr=False)
class RocPoint(Finding):
    """Where a classifier lies in ROC space, and how many cases of each class there are."""

    #: the false positive rate: the share of the negative rows that it calls positive; NaN where there are none
    fpr: float
    tpr: float  #: the true positive rate: the same of the positive rows
    n_positive: float  #: the number of positive rows, P, or their weight
    n_negative: float  #: the number of negative rows, N, or their weight

    def __post_init__(self) -> None:
        for name, count in (("n_positive", self.n_positive), ("n_negative", self.n_negative)):
            if not isfinite(count) or count < 0:
                raise ValueError(f"{name}={count!r} must be a number of cases; give 0 or more.")
        for name, rate, count in (("fpr", self.fpr, self.n_negative), ("tpr", self.tpr, self.n_positive)):
            if isnan(rate) and count == 0:
                continue
            if not -TIE <= rate <= 1 + TIE:
                raise ValueError(f"{name}={rate!r} is no rate; give a share from 0 to 1.")
            object.__setattr__(self, name, min(max(float(rate), 0.0), 1.0))

    @property
    def xy(self) -> tuple[float, float]:
        """The place in a figure: false positive rate, true positive rate."""
        return self.fpr, self.tpr

    @property
    def n_cases(self) -> float:
        """The number of cases, or their weight."""
        return self.n_positive + self.n_negative

    @property
    def accuracy(self) -> float:
        """The share of cases that are classified rightly; NaN if there is none."""
        return self._share(self.tpr, 1.0 - self.fpr)

    @property
    def called_positive(self) -> float:
        """The share of cases that are called positive; NaN if there is no case."""
        return self._share(self.tpr, self.fpr)

    def _share(self, of_positive: float, of_negative: float) -> float:
        """Return which share of all cases a share of each class makes; a class without cases has none."""
        cases = (self.n_positive * of_positive if self.n_positive else 0.0) + (
            self.n_negative * of_negative if self.n_negative else 0.0
        )
        return cases / self.n_cases if self.n_cases else float("nan")

    @property
    def reversed(self) -> RocPoint:
        """The classifier that says the opposite of every case: the mirror image in (0.5, 0.5) (figure 3a)."""
        return self.at(1.0 - self.fpr, 1.0 - self.tpr)

    def at(self, fpr: float, tpr: float) -> RocPoint:
        """Return another point of the same space."""
        return RocPoint(fpr, tpr, self.n_positive, self.n_negative)

    def __str__(self) -> str:
        return (
            f"ROC point: false positive rate {self.fpr:.3f}, true positive rate {self.tpr:.3f}, accuracy "
            f"{self.accuracy:.3f} of {self.n_positive:g} positive and {self.n_negative:g} negative cases"
        )


def roc_point(y_true: Any, predicted: Any, positive: Any = None, sample_weight: Any = None) -> RocPoint:
    """Return where a classifier lies in ROC space.

    Khoussainov, Heß and Kushmerick, "Ensembles of biased classifiers" (2005), section 5. Of binary problems only; a
    problem of more classes has as many spaces as it has binary problems.

    Parameters
    ----------
    y_true : array-like of shape (n_cases,)
        The true labels, of two classes; or of one, if positive is given: the rate of the other class is NaN then.
    predicted : array-like of shape (n_cases,)
        What the classifier says.
    positive : label, optional
        The positive class, the paper's +1; by default the greater label.
    sample_weight : array-like of shape (n_cases,), optional
        What each case counts; by default 1.

    Examples
    --------
    >>> from covey.analysis import roc_point
    >>> roc_point([-1, -1, 1, 1], [-1, 1, 1, 1])
    ROC point: false positive rate 0.500, true positive rate 1.000, accuracy 0.750 of 2 positive and 2 negative cases
    """
    cases = read_cases(y_true, positive, sample_weight)
    return point_of(cases, cases.says_positive(predicted, "predicted"))


def point_of(cases: BinaryCases, called: Bools) -> RocPoint:
    """Return the point of a classifier that says positive of some cases."""
    fpr, tpr = cases.share(called, positive=False), cases.share(called, positive=True)
    return RocPoint(fpr, tpr, cases.n_positive, cases.n_negative)


def check_point(point: Any, name: str) -> RocPoint:
    """Refuse what is no point."""
    if not isinstance(point, RocPoint):
        raise TypeError(f"{name}={point!r:.60} is no RocPoint; give what roc_point returns.")
    return point


def same_cases(first: RocPoint, second: RocPoint) -> bool:
    """Whether two points have the same numbers of cases, up to rounding."""
    slack = LONG_SUM * max(first.n_cases, second.n_cases)
    return abs(first.n_positive - second.n_positive) <= slack and abs(first.n_negative - second.n_negative) <= slack


@dataclass(frozen=True, repr=False)
class IsoAccuracy(Finding):
    """The classifiers of one accuracy: a line in ROC space."""

    accuracy: float  #: the accuracy A
    n_positive: float  #: the number of positive cases, P
    n_negative: float  #: the number of negative cases, N

    @property
    def slope(self) -> float:
        """N / P: how many more positive cases must be found for each negative one that is called positive."""
        return self.n_negative / self.n_positive

    def at(self, fpr: float) -> float:
        """Return the true positive rate on the line; beyond 0 and 1 where the line leaves the ROC space."""
        return self.accuracy + self.slope * (self.accuracy + fpr - 1.0)

    def gain(self, point: RocPoint) -> float:
        """Return by how much a point's accuracy is greater, on as many cases of each class as the line's."""
        right = self.n_positive * check_point(point, "point").tpr + self.n_negative * (1.0 - point.fpr)
        return right / (self.n_positive + self.n_negative) - self.accuracy

    def is_above(self, point: RocPoint) -> bool:
        """Whether a point lies above the line, by more than rounding: a classifier of a greater accuracy."""
        return self.gain(point) > TIE

    def ends(self) -> Floats:
        """Return where the line enters and leaves the ROC space, of shape (2, 2): a row (FPr, TPr) for each end."""
        left, right = (float(np.clip((rate - self.at(0.0)) / self.slope, 0.0, 1.0)) for rate in (0.0, 1.0))
        return np.array([[fpr, np.clip(self.at(fpr), 0.0, 1.0)] for fpr in (left, right)])

    def __str__(self) -> str:
        return f"Line of accuracy {self.accuracy:.3f}: TPr = {self.at(0.0):z.3f} + {self.slope:.3f} FPr"


def iso_accuracy(of: RocPoint | float, n_positive: float | None = None, n_negative: float | None = None) -> IsoAccuracy:
    """Return the line of all classifiers that are as accurate as a given one.

    ``TPr = A + N/P (A + FPr - 1)`` (section 5 of the Triskel paper): a line of slope N/P.

    Parameters
    ----------
    of : RocPoint or float
        A classifier, or an accuracy.
    n_positive, n_negative : float, optional
        The numbers of cases of each class; by default those of the point. An accuracy alone needs them.

    Examples
    --------
    >>> from covey.analysis import iso_accuracy
    >>> line = iso_accuracy(0.75, n_positive=50, n_negative=100)
    >>> line.slope, line.at(0.25)
    (2.0, 0.75)
    """
    if isinstance(of, RocPoint):
        n_positive = of.n_positive if n_positive is None else n_positive
        n_negative = of.n_negative if n_negative is None else n_negative
    if n_positive is None or n_negative is None:
        raise ValueError("n_positive or n_negative is not given, but an accuracy alone has no line; give both.")
    for name, count in (("n_positive", n_positive), ("n_negative", n_negative)):
        check_number(name, count, 0.0)
        if not count > 0:
            raise ValueError(f"{name}={count!r}: a class without cases has no rate; give cases of both classes.")
    if isinstance(of, RocPoint):
        accuracy = RocPoint(of.fpr, of.tpr, n_positive, n_negative).accuracy
    else:
        check_number("of", of, 0.0, 1.0)
        accuracy = float(of)
    return IsoAccuracy(accuracy, float(n_positive), float(n_negative))


@dataclass(frozen=True, eq=False, repr=False)
class Concavity(Finding):
    """The depth of bias curves, from h+ over h to h-, beneath the convex hull of their points, (0, 0) and (1, 1)."""

    points: Floats  #: (FPr, TPr) row by row, from the strongest h+ over h to the strongest h-
    strengths: Floats  #: of each point, negative on the side of h+
    hull: Floats  #: the corners of the upper hull, (FPr, TPr) row by row, from (0, 0) to (1, 1)
    #: how deep each point lies, in accuracy: the accuracy on the hull at the same share of cases called positive, less
    #: its own; points on the hull are random choices between two classifiers, so that one there is as accurate
    accuracies: Floats
    distances: Floats  #: how far each point is from the hull in ROC space, by the shortest way

    @property
    def accuracy(self) -> float:
        """The greatest depth in accuracy; 0 if the curves have no concavity."""
        return float(self.accuracies.max())

    @property
    def distance(self) -> float:
        """The greatest distance in ROC space; 0 if the curves have no concavity."""
        return float(self.distances.max())

    @property
    def deepest(self) -> int:
        """The position of the point that lies deepest in accuracy; of equal ones that of the least bias."""
        ties = np.flatnonzero(self.accuracies >= self.accuracies.max() - TIE)
        return int(ties[np.abs(self.strengths[ties]).argmin()])

    def __str__(self) -> str:
        if self.accuracy <= TIE:
            return "No concavity: all points lie on their convex hull"
        strength = float(self.strengths[self.deepest])
        who = "h" if strength == 0 else f"h{'+' if strength < 0 else '-'} biased by {abs(strength):g}"
        return f"Concavity {self.accuracy:.3f} deep in accuracy, {self.distance:.3f} in ROC space; deepest is {who}"


def concavity_of(points: Floats, strengths: Floats, share: float) -> Concavity:
    """Return the concavity of curves, from the strongest h+ to the strongest h-; share is that of positive cases."""
    hull = upper_hull(points)
    called, accuracy = _turned(points, share)
    on_hull = np.interp(called, *_turned(hull, share))
    depth = np.maximum(on_hull - accuracy, 0.0)
    return Concavity(points, strengths, hull, np.where(depth > TIE, depth, 0.0), _distances(points, hull))


def upper_hull(points: Floats) -> Floats:
    """Return the corners of the upper convex hull of points of ROC space, (0, 0) and (1, 1), from left to right."""
    every = np.unique(np.concatenate([points, [[0.0, 0.0], [1.0, 1.0]]]), axis=0)
    corners: list[Floats] = []
    # Along equal false positive rates the highest comes last, and puts out the others.
    for point in every:
        while len(corners) > 1 and _turn(corners[-2], corners[-1], point) >= -ROUNDING:
            corners.pop()
        corners.append(point)
    return np.array(corners)


def _turn(first: Floats, second: Floats, third: Floats) -> float:
    """Return a positive number for a turn to the left at the second of three points, a negative one to the right."""
    (x, y), (across, up) = second - first, third - second
    return float(x * up - y * across)


def _turned(points: Floats, positive_share: float) -> tuple[Floats, Floats]:
    """Return the share of cases called positive, and the accuracy, at points of ROC space."""
    right, wrong = positive_share * points[:, 1], (1.0 - positive_share) * points[:, 0]
    return wrong + right, 1.0 - positive_share - wrong + right


def _distances(points: Floats, hull: Floats) -> Floats:
    """Return the shortest distance of each point to the lines of the hull."""
    start, along = hull[:-1], np.diff(hull, axis=0)
    apart = points[:, None] - start
    share = np.clip((apart * along).sum(axis=2) / (along**2).sum(axis=1), 0.0, 1.0)
    nearest = np.hypot(*(apart - share[:, :, None] * along).transpose(2, 0, 1)).min(axis=1)
    return np.where(nearest > TIE, nearest, 0.0)
