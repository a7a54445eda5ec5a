"""Combination rules: how the members' outputs add up to the ensemble's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

Reads = Literal["codes", "probabilities", "values"]
Scores = NDArray[np.float64]


class Combine(BaseEstimator, ABC):
    """Adds up the outputs of members.

    Attributes
    ----------
    reads : {"codes", "probabilities", "values"}
        What it needs of a member: a class code per row, a probability per row and class, or a number per row.
    """

    reads: ClassVar[Reads]

    @abstractmethod
    def share(self, vote_weight: float) -> float:
        """Return what a member with this vote weight adds to the total."""

    @abstractmethod
    def add(self, scores: Scores, output: NDArray[Any], vote_weight: float, factor: float = 1.0) -> None:
        """Add one member's output, times a factor, to the scores (n_samples x n_classes, or x 1 for values)."""


class _Vote(Combine):
    reads = "codes"

    def add(self, scores: Scores, output: NDArray[Any], vote_weight: float, factor: float = 1.0) -> None:
        """Add the member's vote to the class it votes for."""
        scores[np.arange(len(output)), output] += self.share(vote_weight) * factor


class WeightedVote(_Vote):
    """Each member votes for one class with its own weight."""

    def share(self, vote_weight: float) -> float:
        """Return the weight."""
        return vote_weight


class MajorityVote(_Vote):
    """Each member has one vote, or none if its weight is 0."""

    def share(self, vote_weight: float) -> float:
        """Return 1, or 0 for a member without a vote."""
        return 1.0 if vote_weight > 0 else 0.0


class _Mean(Combine):
    def share(self, vote_weight: float) -> float:
        """Return the weight."""
        return vote_weight

    def add(self, scores: Scores, output: NDArray[Any], vote_weight: float, factor: float = 1.0) -> None:
        """Add the member's output times its weight."""
        scores += (vote_weight * factor) * output.reshape(scores.shape)


class MeanProbability(_Mean):
    """The weighted mean of the members' class probabilities."""

    reads = "probabilities"


class MeanValue(_Mean):
    """The weighted mean of the members' predictions."""

    reads = "values"
