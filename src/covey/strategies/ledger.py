"""Ledgers of what members with a column were worth, by which the next columns are drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.models.fields import Array, Field, Number, OrNone, Whole

Values = NDArray[np.float64]

# A column whose presence always helped as much, or never did, has no spread; it counts as far apart as this.
_MOST_SPREADS = 10.0


@dataclass(frozen=True, eq=False, slots=True)
class Round:
    """What became of one member."""

    chain: int  #: the chain it belongs to
    columns: NDArray[np.intp]  #: the columns it saw
    loss: float  #: its loss on the rows that it had not seen; NaN if there were none
    gains: Values | None = None  #: how much greater the loss is without each of its columns, where that was asked for

    _state: ClassVar[dict[str, Field]] = {
        "chain": Whole(),
        "columns": Array(np.intp, "columns", low=0, shared=True),
        "loss": Number(low=-np.inf, high=np.inf, nan=True, infinite=True),
        "gains": OrNone(Array(np.float64, "columns", low=-np.inf, high=np.inf, nan=True, infinite=True)),
    }


class Ledger(ABC):
    """What a chain has learnt of each column so far.

    Parameters
    ----------
    n_columns : int
    start : float
        What a column counts for before it was ever drawn.
    """

    def __init__(self, n_columns: int, start: float) -> None:
        self.start = start
        self.standing: Values = np.full(n_columns, start)
        self.n_rounds = 0

    @abstractmethod
    def learn(self, columns: NDArray[np.intp], value: float | Values) -> None:
        """Take in what a member with these columns was worth; ``standing`` is then up to date."""

    def pooled(self, others: Sequence[Ledger]) -> Values:
        """Return the standing of columns by all that this ledger and others of its kind have learnt."""
        return np.asarray(np.mean([ledger.standing for ledger in (self, *others)], axis=0))


class MeanLedger(Ledger):
    """The mean of the values of the members that drew a column."""

    def __init__(self, n_columns: int, start: float) -> None:
        super().__init__(n_columns, start)
        self.sums = np.zeros((3, n_columns))  # how often a column was drawn, its values and their squares

    def learn(self, columns: NDArray[np.intp], value: float | Values) -> None:
        """Count a member's value for each of its columns."""
        with np.errstate(over="ignore"):
            for row, addend in enumerate((1.0, value, np.square(value))):
                self.sums[row, columns] += addend
        self.standing[columns] = self._means(*self.sums[:, columns])

    def pooled(self, others: Sequence[Ledger]) -> Values:
        """Return the mean over the members of all chains."""
        sums = [ledger.sums for ledger in (self, *others) if isinstance(ledger, MeanLedger)]
        return self._means(*np.sum(sums, axis=0))

    def _means(self, count: Values, total: Values, squares: Values) -> Values:
        return np.where(count > 0, total / np.maximum(count, 1), self.start)


class SpreadLedger(MeanLedger):
    """The mean of a column's gains as a multiple of their spread, its sign reversed so that less is better.

    A gain of the same size says less of a column whose gains go up and down; and the multiple has no unit. Until a
    column was drawn twice there is no spread, and it keeps its start.
    """

    def _means(self, count: Values, total: Values, squares: Values) -> Values:
        mean = total / np.maximum(count, 1)
        spread = np.sqrt(np.maximum(squares / np.maximum(count, 1) - mean**2, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            multiple = np.where(mean == 0, 0.0, mean / spread)
        return np.where(count > 1, -np.clip(multiple, -_MOST_SPREADS, _MOST_SPREADS), self.start)


class HeldLedger(Ledger):
    """The mean over all rounds of the last value that a column had, its start among them (appendix A, for numbers).

    A column that was not drawn keeps its last value for another round.
    """

    def __init__(self, n_columns: int, start: float) -> None:
        super().__init__(n_columns, start)
        self.last = np.full(n_columns, start)
        self.total = np.full(n_columns, start)

    def learn(self, columns: NDArray[np.intp], value: float | Values) -> None:
        """Hold a member's value for its columns, and the last ones for the others."""
        self.last[columns] = value
        self.total += self.last
        self.n_rounds += 1
        self.standing = self.total / (self.n_rounds + 1)


class FadingLedger(Ledger):
    """A mean over all rounds, its start among them, in which an undrawn column repeats its mean (appendix A, classes).

    A value thus counts for less the later it comes.
    """

    def learn(self, columns: NDArray[np.intp], value: float | Values) -> None:
        """Take a member's value into the mean of its columns."""
        self.n_rounds += 1
        self.standing[columns] = (self.n_rounds * self.standing[columns] + value) / (self.n_rounds + 1)


class PrintedLedger(Ledger):
    """The update as printed in section 3.2: the sum of a column's earlier standings and the value, by the round.

    A column that is drawn seldom has few large standings in its sum, so what it counts for depends on when it was
    drawn more than on what it was worth.
    """

    def __init__(self, n_columns: int, start: float) -> None:
        super().__init__(n_columns, start)
        self.total = np.zeros(n_columns)

    def learn(self, columns: NDArray[np.intp], value: float | Values) -> None:
        """Take in a member's value."""
        self.n_rounds += 1
        self.standing[columns] = (self.total[columns] + value) / self.n_rounds
        self.total += self.standing
