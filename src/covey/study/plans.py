"""The fits of a protocol on some data: which cases each is trained on and which it predicts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._sklearn import safe_indexing
from covey.seeds import child
from covey.table import Table

if TYPE_CHECKING:
    from covey.study.protocols import Protocol

Rows = NDArray[np.intp]
Sample = tuple[Any, NDArray[Any]]

# The children of a plan's seed: for the test cases, the training samples and the models.
TEST, SAMPLE, MODEL = range(3)


@dataclass(frozen=True, eq=False)
class Fit:
    """One model to be trained, and what it is to predict.

    Parameters
    ----------
    number : int
        Its place in the plan.
    repeat : int
        The row of the matrix of predictions that it helps to fill.
    X, y, X_test : array-like or frame, ndarray, and array-like or frame
        The training cases and the cases to predict: copies, which a learner may change.
    test : ndarray of int
        The positions of those to predict among the cases of the plan.
    seed : SeedSequence
        For the randomness of the learner.
    """

    number: int
    repeat: int
    X: Any
    y: NDArray[Any]
    X_test: Any
    test: Rows
    seed: np.random.SeedSequence


@dataclass(frozen=True, eq=False)
class FitPlan:
    """A protocol with its data and its seed: a sequence of fits.

    Parameters
    ----------
    protocol : Protocol
    seed : SeedSequence
    regression : bool
        Whether the target is a number; if not, every training sample has two classes or more.
    X, y : array-like or frame, and ndarray
        The cases that are predicted in every repeat.
    cases : ndarray of int, or None
        Their positions in the data that were given; None where the protocol makes its own.
    data : tuple of (array-like or frame, ndarray)
        All cases that were given, or those to be predicted where the protocol makes its own.
    """

    protocol: Protocol
    seed: np.random.SeedSequence
    regression: bool
    X: Any
    y: NDArray[Any]
    cases: Rows | None
    data: Sample

    @property
    def shape(self) -> tuple[int, int]:
        """Number of repeats and of cases: the shape of the matrix of predictions."""
        return self.protocol.n_repeats, len(self.y)

    def __len__(self) -> int:
        return self.protocol.n_fits

    def __getitem__(self, number: int) -> Fit:
        repeat, test = self.place(number)
        X, y = self.protocol.training(self, number)
        return Fit(number, repeat, X, y, take_rows(self.X, test), test, child(self.seed, MODEL, number))

    def place(self, number: int) -> tuple[int, Rows]:
        """Return the repeat that a fit belongs to, and the positions of the cases that it predicts."""
        if not 0 <= number < len(self):
            raise IndexError(f"fit {number} is not in a plan of {len(self)} fits, numbered from 0.")
        return self.protocol.place(self, number)


def take_rows(X: Any, rows: Rows) -> Any:
    """Return a copy of some rows of an array, a sparse matrix, a list, a frame or a table, in the given order."""
    if isinstance(X, Table):
        counted = None if X.counted is None else X.counted[rows]
        return replace(X, matrix=X.matrix[rows], whole=None, counted=counted)
    return safe_indexing(X, rows)
