"""The bias curve of one class: where a classifier lies in ROC space as its bias grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from covey.analysis.finding import Finding
from covey.analysis.numbers import Floats
from covey.analysis.roc.point import RocPoint


@dataclass(frozen=True, eq=False, repr=False)
class BiasCurve(Finding):
    """The points of a classifier at growing strengths of bias to one class.

    Parameters
    ----------
    side : {"plus", "minus"}
        Whether it is biased to class +1 (h+, towards (0, 0)) or to class -1 (h-, towards (1, 1)).
    strengths : ndarray of float64 of shape (n_strengths,)
        Ascending; the first is 0, the classifier without bias.
    fpr, tpr : ndarray of float64 of shape (n_strengths,)
        Its rates at each strength.
    n_positive, n_negative : float
        The numbers of cases, or their weights.
    """

    side: str
    strengths: Floats
    fpr: Floats
    tpr: Floats
    n_positive: float
    n_negative: float

    def __len__(self) -> int:
        return len(self.strengths)

    def point(self, place: int) -> RocPoint:
        """Return the point at a place among the strengths."""
        return RocPoint(float(self.fpr[place]), float(self.tpr[place]), self.n_positive, self.n_negative)

    @property
    def points(self) -> tuple[RocPoint, ...]:
        """The point at each strength."""
        return tuple(self.point(place) for place in range(len(self)))

    @property
    def accuracy(self) -> Floats:
        """The accuracy at each strength."""
        return np.array([point.accuracy for point in self.points])

    def place(self, strength: float) -> int:
        """Return the place of a strength, refusing one that was not tried."""
        nearest = int(np.abs(self.strengths - strength).argmin())
        if not np.isclose(self.strengths[nearest], strength, rtol=1e-9, atol=1e-12):
            tried = ", ".join(f"{one:g}" for one in self.strengths)
            raise ValueError(f"strength={strength!r} was not tried for {self.side}; give one of {tried}.")
        return nearest

    def __str__(self) -> str:
        last = self.point(-1)
        return (
            f"Bias curve of h{'+' if self.side == 'plus' else '-'}: {len(self)} strengths from 0 at "
            f"({self.fpr[0]:.3f}, {self.tpr[0]:.3f}) to {self.strengths[-1]:g} at ({last.fpr:.3f}, {last.tpr:.3f})"
        )
