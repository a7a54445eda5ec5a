"""Counting votes, one member after the other, with ties broken by a seed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import BaseDecisionTree

from covey import seeds
from covey.ensemble.feed import Feed
from covey.ensemble.member import Member
from covey.learners.base import TIE, put_ahead
from covey.strategies import Combine
from covey.strategies.combine import Reads

# What a loaded member's vote may weigh, and all members' at least: products of those of ensembles within ensembles
# stay finite.
MOST_VOTES, LEAST_VOTES = 1e12, 1e-12


class Ballot:
    """The votes counted so far.

    Beside the count itself goes a second one, in which each member's vote is multiplied by a random factor of its own;
    it decides ties. The factors are drawn once per ensemble, so a tie depends on the seed and on who voted for what,
    not on the order of classes or rows.

    Parameters
    ----------
    combine : Combine
        How votes add up.
    n_samples : int
    class_keys : ndarray of shape (n_classes,)
        Random numbers that decide between classes which are equal in the second count too; empty for a regression.
    """

    def __init__(self, combine: Combine, n_samples: int, class_keys: NDArray[np.float64]) -> None:
        self.combine = combine
        self.class_keys = class_keys
        self.scores = np.zeros((n_samples, max(len(class_keys), 1)))
        self.second = np.zeros((n_samples, len(class_keys)))
        self.total = np.zeros(n_samples)

    def add(self, output: NDArray[Any], weight: float, factor: float, rows: NDArray[np.intp] | None = None) -> None:
        """Count a member's output, for all rows or for some."""
        if rows is not None:
            some = Ballot(self.combine, len(rows), self.class_keys)
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


def tie_breakers(
    seed: np.random.SeedSequence, n_members: int, n_classes: int
) -> tuple[list[float], NDArray[np.float64]]:
    """Return what breaks ties: a factor for each member's vote, and a key for each class."""
    factors = 0.5 + np.random.default_rng(seeds.child(seed, 0)).random(n_members)
    return factors.tolist(), np.random.default_rng(seeds.child(seed, 1)).random(n_classes)


def member_output(
    member: Member, feed: Feed, reads: Reads, n_classes: int, rows: NDArray[np.intp] | None = None
) -> NDArray[Any]:
    """Return what one member says: class codes, a probability per class, or numbers."""
    model, X = member.model, feed.give(member.model, member.view, rows)
    # What a tree gets in single precision has been checked already, once for all members.
    options = {"check_input": False} if isinstance(model, BaseDecisionTree) and X.dtype == np.float32 else {}
    if reads == "values":
        return np.asarray(model.predict(X, **options), dtype=np.float64).reshape(-1)
    if reads == "codes":
        codes = np.asarray(model.predict(X, **options)).astype(np.intp, copy=False).reshape(-1)
        return codes if member.classes is None else member.classes[codes]
    found = np.asarray(model.predict_proba(X, **options), dtype=np.float64)
    known = np.asarray(model.classes_).astype(np.intp, copy=False)
    known = known if member.classes is None else member.classes[known]
    if len(known) == n_classes and (known[:-1] < known[1:]).all():
        return found
    probabilities = np.zeros((len(found), n_classes))
    probabilities[:, known] = found
    return probabilities
