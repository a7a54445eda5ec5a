"""Lines of equal accuracy in ROC space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from covey._arguments import check_number
from covey.analysis.finding import Finding
from covey.analysis.labels import TIE
from covey.analysis.numbers import Floats
from covey.analysis.roc.point import RocPoint, check_point


@dataclass(frozen=True, repr=False)
class IsoAccuracy(Finding):
    """The classifiers of one accuracy: a line in ROC space.

    Parameters
    ----------
    accuracy : float
        The accuracy A.
    n_positive, n_negative : float
        The numbers of positive and of negative cases, P and N.
    """

    accuracy: float
    n_positive: float
    n_negative: float

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

    Returns
    -------
    IsoAccuracy

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
    for name, count in (("n_positive", n_positive), ("n_negative", n_negative)):
        if count is None:
            raise ValueError(f"{name} is not given, but an accuracy alone has no line; give the number of cases.")
        check_number(name, count, 0.0)
        if not count > 0:
            raise ValueError(f"{name}={count!r}: a class without cases has no rate; give cases of both classes.")
    assert n_positive is not None
    assert n_negative is not None
    if isinstance(of, RocPoint):
        accuracy = RocPoint(of.fpr, of.tpr, n_positive, n_negative).accuracy
    else:
        check_number("of", of, 0.0, 1.0)
        accuracy = float(of)
    return IsoAccuracy(accuracy, float(n_positive), float(n_negative))
