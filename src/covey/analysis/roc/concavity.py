"""Concavities of bias curves: how deep they lie beneath their convex hull."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from covey.analysis.numbers import ROUNDING, TIE, Floats
from covey.analysis.tables.result import Finding


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
