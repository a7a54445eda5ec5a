"""Vote counts: what members say, added up one after the other, with ties broken by a seed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import BaseDecisionTree

from covey import seeds
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.learners.base import TIE, put_ahead
from covey.strategies import Combine
from covey.strategies.combine import Reads

# The most that a loaded member's vote may weigh, and the least that all votes together may: products of those of
# ensembles within ensembles stay finite.
MOST_VOTES, LEAST_VOTES = 1e12, 1e-12


class VoteCount:
    """The votes counted so far.

    Beside the count itself goes a second one, in which each member's vote is multiplied by a random factor of its own;
    it decides ties. The factors are drawn once per ensemble, so a tie depends on the seed and on who voted for what,
    not on the order of classes or rows. Random keys decide between classes that are equal in the second count too;
    there are none in a regression.
    """

    def __init__(self, combine: Combine, n_rows: int, class_keys: NDArray[np.float64]) -> None:
        self.combine = combine
        self.class_keys = class_keys
        self.scores = np.zeros((n_rows, max(len(class_keys), 1)))
        self.second = np.zeros((n_rows, len(class_keys)))
        self.total = np.zeros(n_rows)

    def add(self, output: NDArray[Any], weight: float, factor: float, rows: NDArray[np.intp] | None = None) -> None:
        """Count a member's output, for all rows or for some."""
        if rows is not None:
            some = VoteCount(self.combine, len(rows), self.class_keys)
            some.add(output, weight, factor)
            self.scores[rows] += some.scores
            self.second[rows] += some.second
            self.total[rows] += some.total
            return
        self.combine.add(self.scores, output, weight)
        self.total += self.combine.share(weight)
        if len(self.class_keys):
            self.combine.add(self.second, output, weight, factor)

    def shares(self) -> NDArray[np.float64]:
        """Return the scores as shares of the total vote; NaN for a row without votes."""
        with np.errstate(invalid="ignore", divide="ignore"):
            shares: NDArray[np.float64] = self.scores / self.total[:, None]
        return shares

    def winners(self) -> NDArray[np.intp]:
        """Return the code of the class that wins each row."""
        shares = self.shares()
        best: NDArray[np.intp] = shares.argmax(axis=1)
        tied = shares >= shares.max(axis=1, keepdims=True) - TIE
        rows = np.flatnonzero(np.count_nonzero(tied, axis=1) > 1)
        if len(rows):
            second = np.where(tied[rows], self.second[rows] / self.total[rows, None], -np.inf)
            tied = second >= second.max(axis=1, keepdims=True) - TIE
            best[rows] = np.where(tied, self.class_keys, -np.inf).argmax(axis=1)
        return best

    def probabilities(self) -> NDArray[np.float64]:
        """Return the shares, the winner of a tie ahead by as little as makes it the greatest."""
        return put_ahead(self.shares(), self.winners())


def final(counts: Iterator[VoteCount]) -> VoteCount:
    """Return the last of the counts, that of all members."""
    return deque(counts, maxlen=1).pop()


def count_codes(
    codes: NDArray[Any],
    weights: NDArray[np.float64],
    combine: Combine,
    seed: np.random.SeedSequence,
    n_classes: int,
) -> Iterator[VoteCount]:
    """Count class codes of shape (n_rows, n_members), one member after the other, giving the count after each."""
    factors, class_keys = tie_breakers(seed, codes.shape[1], n_classes)
    count = VoteCount(combine, len(codes), class_keys)
    for output, weight, factor in zip(codes.T, weights.tolist(), factors, strict=True):
        count.add(output, weight, factor)
        yield count


def tie_breakers(
    seed: np.random.SeedSequence, n_members: int, n_classes: int
) -> tuple[list[float], NDArray[np.float64]]:
    """Return what breaks ties: a factor for each member's vote, and a key for each class."""
    factors = 0.5 + np.random.default_rng(seeds.child(seed, 0)).random(n_members)
    return factors.tolist(), np.random.default_rng(seeds.child(seed, 1)).random(n_classes)


def member_output(
    member: Member, inputs: Inputs, reads: Reads, n_classes: int, rows: NDArray[np.intp] | None = None
) -> NDArray[Any]:
    """Return the output of one member: class codes, a probability per class, or numbers."""
    model, X = member.model, inputs.for_model(member.model, member.view, rows)
    # What a tree gets in single precision has been checked already, once for all members.
    options = {"check_input": False} if isinstance(model, BaseDecisionTree) and X.dtype == np.float32 else {}
    if reads == "values":
        return np.asarray(model.predict(X, **options), dtype=np.float64).reshape(-1)
    if reads == "codes":
        codes = np.asarray(model.predict(X, **options)).astype(np.intp, copy=False).reshape(-1)
        return codes if member.classes is None else member.classes[codes]
    own = np.asarray(model.predict_proba(X, **options), dtype=np.float64)
    known = np.asarray(model.classes_).astype(np.intp, copy=False)
    known = known if member.classes is None else member.classes[known]
    if len(known) == n_classes and (known[:-1] < known[1:]).all():
        return own
    probabilities = np.zeros((len(own), n_classes))
    probabilities[:, known] = own
    return probabilities


def losses_of(output: NDArray[Any], true: NDArray[Any], reads: Reads) -> NDArray[np.float64]:
    """Return the loss of each row: of numbers squared errors, of codes 0 or 1, of probabilities Brier scores."""
    if reads == "values":
        return np.asarray(np.square(output - true))
    if reads == "codes":
        return np.asarray(output != true, dtype=np.float64)
    return np.asarray(np.square(output - np.eye(output.shape[1])[true]).sum(axis=1))


class VotingMixin(ABC):
    """Turns the vote counts of a classifier's members into its predictions."""

    classes_: NDArray[Any]
    n_jobs: int | None

    @abstractmethod
    def _vote_counts(self, X: Any, n_jobs: int | None = 1) -> Iterator[VoteCount]:
        """Count the members' votes one after the other, giving the count after each."""

    def _vote_count(self, X: Any) -> VoteCount:
        return final(self._vote_counts(X, self.n_jobs))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the most votes for each row; the seed breaks ties."""
        winners = self._vote_count(X).winners()
        return np.asarray(self.classes_[winners])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return each class's share of the vote, or the mean probability, columns in the order of ``classes_``."""
        return self._vote_count(X).probabilities()

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return each class's share of the vote; for two classes the second's lead over the first."""
        shares = self._vote_count(X).probabilities()
        return shares[:, 1] - shares[:, 0] if shares.shape[1] == 2 else shares

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Give the prediction of the first member, of the first two, and so on."""
        return (np.asarray(self.classes_[count.winners()]) for count in self._vote_counts(X))

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Give the vote shares of the first member, of the first two, and so on."""
        return (count.probabilities() for count in self._vote_counts(X))
