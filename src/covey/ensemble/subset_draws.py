"""Random choices of columns, one for each member of an ensemble or for each member and row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covey import seeds

# Places of the seeds, beside those that break ties of votes: of members, of rows that are asked, of cases left out, and
# of ties within members.
_MEMBERS, ASKED, LEFT_OUT, _LIKINGS = 2, 3, 4, 5


@dataclass(frozen=True)
class SubsetDraws:
    """Columns in the order they are drawn: the first so many make a subset, so that small ones are part of large ones.

    Parameters
    ----------
    seed : SeedSequence
        A member's columns depend on it and on the member's place alone.
    n_members, n_columns : int
        How many orders are drawn, of how many columns.
    size : int
        How many columns are in a subset, at most all without replacement.
    replacement : bool
        Whether a column may be drawn more than once.
    """

    seed: np.random.SeedSequence
    n_members: int
    n_columns: int
    size: int
    replacement: bool

    def of_members(self) -> NDArray[np.int64]:
        """Return the columns of each member, of shape (n_members, size)."""
        drawn = [self._draw(seeds.child(self.seed, _MEMBERS, member), 1)[0] for member in range(self.n_members)]
        return np.stack(drawn)

    def of_rows(self, place: int, rows: Iterable[int]) -> NDArray[np.int64]:
        """Return the columns of each member for each row, of shape (n_rows, n_members, size)."""
        return np.stack([self._draw(seeds.child(self.seed, place, row), self.n_members) for row in rows])

    def likings(self, n_classes: int) -> NDArray[np.float64]:
        """Return which class each member prefers where its nearest cases do not say: one key per member and class."""
        return np.random.default_rng(seeds.child(self.seed, _LIKINGS)).random((self.n_members, n_classes))

    def _draw(self, seed: np.random.SeedSequence, times: int) -> NDArray[np.int64]:
        rng = np.random.default_rng(seed)
        if self.replacement:  # as many for all sizes, so that members of one size do not depend on another
            drawn = rng.integers(self.n_columns, size=(times, max(self.n_columns, self.size)))
        else:
            drawn = rng.permuted(np.tile(np.arange(self.n_columns), (times, 1)), axis=1)
        return drawn[:, : self.size]


def multiplicities(drawn: NDArray[np.int64], n_columns: int) -> NDArray[np.int64]:
    """Return how often each column is in each subset: from (..., size) to (..., n_columns)."""
    n_subsets = int(np.prod(drawn.shape[:-1]))
    starts = n_columns * np.arange(n_subsets)[:, None]
    counts = np.bincount((starts + drawn.reshape(n_subsets, -1)).ravel(), minlength=n_subsets * n_columns)
    return counts.reshape(*drawn.shape[:-1], n_columns)
