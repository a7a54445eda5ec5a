"""Counting votes, one member after the other, with ties broken by a seed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.ensemble.feed import Feed
from covey.ensemble.member import Member
from covey.strategies import Combine
from covey.strategies.combine import Reads

# Scores that differ by less than this share of the total are a tie: sums of the same votes in another order are.
TIE = 1e-12


class Ballot:
    """The votes counted so far.

    A tie goes to the class that the member with the lowest tie key voted for. Keys are drawn once per ensemble, so a
    tie depends on the seed and on who voted for what, not on the order of classes or rows.

    Parameters
    ----------
    combine : Combine
        How votes add up.
    n_samples : int
    class_keys : ndarray of shape (n_classes,)
        Decide between classes that no member put first, all greater than the members' keys; empty for a regression.
    """

    def __init__(self, combine: Combine, n_samples: int, class_keys: NDArray[np.float64]) -> None:
        self.combine = combine
        self.class_keys = class_keys
        self.scores = np.zeros((n_samples, max(len(class_keys), 1)))
        self.total = np.zeros(n_samples)
        self.keys = np.tile(class_keys, (n_samples, 1))

    def add(self, output: NDArray[Any], weight: float, key: float, rows: NDArray[np.intp] | None = None) -> None:
        """Count a member's output, for all rows or for some."""
        if rows is not None:
            some = Ballot(self.combine, len(rows), self.class_keys)
            some.scores, some.total, some.keys = self.scores[rows], self.total[rows], self.keys[rows]
            some.add(output, weight, key)
            self.scores[rows], self.total[rows], self.keys[rows] = some.scores, some.total, some.keys
            return
        self.combine.add(self.scores, output, weight)
        self.total += self.combine.share(weight)
        if len(self.class_keys):
            place = _favourites(output)
            self.keys[place] = np.minimum(self.keys[place], key)

    def shares(self) -> NDArray[np.float64]:
        """Return the scores as shares of the total vote; NaN for a row without votes."""
        with np.errstate(invalid="ignore", divide="ignore"):
            shares: NDArray[np.float64] = self.scores / self.total[:, None]
        return shares

    def winners(self) -> NDArray[np.intp]:
        """Return the code of the class that wins each row."""
        shares = self.shares()
        tied = shares >= shares.max(axis=1, keepdims=True) - TIE
        codes: NDArray[np.intp] = np.where(tied, self.keys, np.inf).argmin(axis=1)
        return codes

    def probabilities(self) -> NDArray[np.float64]:
        """Return the shares, the winner of a tie ahead by as little as makes it the greatest.

        Without that, the class with the greatest probability would be another one than the prediction.
        """
        shares, winners = self.shares(), self.winners()
        rows = np.arange(len(shares))
        others = shares.copy()
        others[rows, winners] = -np.inf
        close = others.max(axis=1) > shares[rows, winners] - TIE if shares.shape[1] > 1 else np.zeros(len(rows), bool)
        shares[rows[close], winners[close]] = others[close].max(axis=1) + TIE
        return shares


def _favourites(output: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows in which a member puts one class first, and that class."""
    if output.ndim == 1:
        return np.arange(len(output)), output
    best = output == output.max(axis=1, keepdims=True)
    rows = np.flatnonzero(np.count_nonzero(best, axis=1) == 1)
    return rows, best[rows].argmax(axis=1)


def member_output(
    member: Member, feed: Feed, reads: Reads, n_classes: int, rows: NDArray[np.intp] | None = None
) -> NDArray[Any]:
    """Return what one member says: class codes, a probability per class, or numbers."""
    X = feed.give(member.model, member.columns, rows)
    if reads == "values":
        return np.asarray(member.model.predict(X), dtype=np.float64)
    if reads == "codes":
        codes = np.asarray(member.model.predict(X)).astype(np.intp)
        return codes if member.classes is None else member.classes[codes]
    known = np.asarray(member.model.classes_).astype(np.intp)
    probabilities = np.zeros((len(feed.table.matrix) if rows is None else len(rows), n_classes))
    probabilities[:, known if member.classes is None else member.classes[known]] = member.model.predict_proba(X)
    return probabilities
