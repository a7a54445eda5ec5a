"""Predictions of ensembles whose members vote."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.ensemble.ballot import Ballot


class VotingMixin(ABC):
    """Turns the ballots of a classifier's members into its predictions."""

    classes_: NDArray[Any]

    @abstractmethod
    def _ballots(self, X: Any, n_jobs: int | None = 1) -> Iterator[Ballot]:
        """Count the members' votes one after the other, giving the ballot after each."""

    @abstractmethod
    def _ballot(self, X: Any) -> Ballot:
        """Count the votes of all members."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the most votes for each row; the seed breaks ties."""
        winners = self._ballot(X).winners()
        return np.asarray(self.classes_[winners])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return each class's share of the vote, or the mean probability, columns in the order of ``classes_``."""
        return self._ballot(X).probabilities()

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return each class's share of the vote; for two classes the second's lead over the first."""
        shares = self._ballot(X).probabilities()
        return shares[:, 1] - shares[:, 0] if shares.shape[1] == 2 else shares

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Give the prediction of the first member, of the first two, and so on."""
        return (np.asarray(self.classes_[ballot.winners()]) for ballot in self._ballots(X))

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Give the vote shares of the first member, of the first two, and so on."""
        return (ballot.probabilities() for ballot in self._ballots(X))
