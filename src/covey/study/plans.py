"""Plans: the fits of a protocol on some data, each with the cases that it is trained on and those that it predicts.

A protocol holds parameters only. With data and a seed it makes a `FitPlan`, whose fits can be asked for by number, in
any order and in any process: every random choice is found by its place (see `covey.seeds`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_count, check_number
from covey._sklearn import safe_indexing
from covey.seeds import RandomState, child, seed_sequence
from covey.table import Table, check_numeric_target, encode_classes

Rows = NDArray[np.intp]
Sample = tuple[Any, NDArray[Any]]
Drawn = TypeVar("Drawn")

# The children of a plan's seed: for the test cases, the training samples and the models.
TEST, SAMPLE, MODEL = range(3)

# How often a training sample is drawn again that has one class only.
MOST_DRAWS = 100


@dataclass(frozen=True, eq=False)
class Fit:
    """One model to be trained, and what it is to predict."""

    number: int  #: its place in the plan
    repeat: int  #: the row of the matrix of predictions that it helps to fill
    X: Any  #: the training rows: a copy, which a learner may change
    y: NDArray[Any]  #: their targets
    X_test: Any  #: the rows to predict, a copy too
    test: Rows  #: the positions of those to predict among the rows of the plan
    seed: np.random.SeedSequence  #: for the randomness of the learner


@dataclass(frozen=True, eq=False)
class FitPlan:
    """A protocol with its data and its seed: a sequence of fits."""

    protocol: Protocol
    seed: np.random.SeedSequence
    regression: bool  #: whether the target is a number; if not, every training sample has two classes or more
    X: Any  #: the rows that are predicted in every repeat
    y: NDArray[Any]  #: their targets
    cases: Rows | None  #: their positions in the data that were given; None where the protocol makes its own
    data: Sample  #: all rows that were given, or those to be predicted where the protocol makes its own

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


@dataclass(frozen=True)
class Protocol(ABC):
    """A way to train a learner many times on different cases."""

    # Whether every repeat predicts every case, as bias and variance need it.
    predicts_every_case: ClassVar[bool] = True

    @property
    @abstractmethod
    def n_repeats(self) -> int:
        """How often each case is predicted."""

    @property
    def n_fits(self) -> int:
        """How many models are trained."""
        return self.n_repeats

    def plan(
        self, X: Any = None, y: Any = None, *, regression: bool = False, random_state: RandomState = None
    ) -> FitPlan:
        """Return the fits for some data.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Table of shape (n_samples, n_features), optional
            The data, unless the protocol makes its own.
        y : array-like of shape (n_samples,), optional
            The target.
        regression : bool, default=False
            Whether the target is a number rather than a label.
        random_state : int, None, RandomState, Generator or SeedSequence
            The same integer gives the same fits, and the first of them are the same for any number of repeats.
        """
        if X is None or y is None:
            raise ValueError(f"{type(self).__name__} needs data; give X and y.")
        X, target = read_data(X, y, regression)
        seed = seed_sequence(random_state)
        cases = self._cases(target, regression, child(seed, TEST))
        rows = X if len(cases) == len(target) else take_rows(X, cases)
        return FitPlan(self, seed, regression, rows, target[cases], cases, (X, target))

    def repeat_of(self, number: int) -> int:
        """Return the repeat that a fit belongs to."""
        return number

    def place(self, plan: FitPlan, number: int) -> tuple[int, Rows]:
        """Return the repeat that a fit belongs to, and the positions of the cases that it predicts."""
        return self.repeat_of(number), np.arange(len(plan.y))

    def lasting(self) -> Protocol:
        """Return the protocol with one repeat: what fits depend on, for more repeats leave the first as they are."""
        return replace(self, n_repeats=1)  # type: ignore[call-arg]  # a field of most protocols

    def training(self, plan: FitPlan, number: int) -> Sample:
        """Return the training cases of a fit."""
        X, target = plan.data
        rows = self._training_rows(plan, number)
        return take_rows(X, rows), target[rows]

    def _training_rows(self, plan: FitPlan, number: int) -> Rows:
        """Return the positions of the training cases of a fit, by default of all that are not predicted."""
        assert plan.cases is not None
        return np.setdiff1d(np.arange(len(plan.data[1])), plan.cases)

    def _cases(self, target: NDArray[Any], regression: bool, seed: np.random.SeedSequence) -> Rows:
        """Return the positions of the cases to predict, refusing data that the protocol cannot be used on."""
        return np.arange(len(target))


def take_rows(X: Any, rows: Rows) -> Any:
    """Return a copy of some rows of an array, a sparse matrix, a list, a frame or a table, in the given order."""
    if isinstance(X, Table):
        counted = None if X.counted is None else X.counted[rows]
        return replace(X, matrix=X.matrix[rows], whole=None, counted=counted)
    return safe_indexing(X, rows)


def check_size(name: str, size: float) -> None:
    """Refuse what is neither a share of the data nor a number of cases."""
    if isinstance(size, int | np.integer):
        check_count(name, size, 1)
    else:
        check_number(name, size, 0.0, 1.0)


def count_of(size: float, n: int) -> int:
    """Return how many of n cases a share or a number is."""
    return int(size) if isinstance(size, int | np.integer) else round(size * n)


def check_stratified(stratified: object) -> None:
    """Raise unless it is true or false."""
    if not isinstance(stratified, bool | np.bool_):
        raise TypeError(f"stratified={stratified!r} must be True or False.")


def draw_until(draw: Callable[[int], Drawn], serves: Callable[[Drawn], bool], remedy: str) -> Drawn:
    """Draw until what was drawn serves; draw is told how often it was asked before."""
    for tried in range(MOST_DRAWS):
        drawn = draw(tried)
        if serves(drawn):
            return drawn
    raise ValueError(f"{MOST_DRAWS} draws in a row left one class only to train on; {remedy}")


def has_classes(target: NDArray[Any]) -> bool:
    """Return whether there is more than one class."""
    return bool((target != target[0]).any())


def read_data(X: Any, y: Any, regression: bool) -> Sample:
    """Return rows that can be taken, and the target as labels or as numbers."""
    X = X.tocsr() if hasattr(X, "tocsr") else X
    if not (hasattr(X, "shape") or hasattr(X, "__len__")) or hasattr(X, "collect"):
        raise TypeError(f"X is a {type(X).__name__}, whose rows cannot be taken; give an array, a list or a frame.")
    if regression:
        target: NDArray[Any] = check_numeric_target(y)
    else:
        classes, codes = encode_classes(y)
        target = classes[codes]
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if n_rows != len(target):
        raise ValueError(f"X has {n_rows} rows, but y has {len(target)} values; give one for each row.")
    return X, target
