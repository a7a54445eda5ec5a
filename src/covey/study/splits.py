"""Protocols that divide the data into a training and a test part: many times at random, or once as the data are given.

They are for scores. Bias and variance need every case predicted many times: see `covey.study.protocols`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_count
from covey._text import counted
from covey.seeds import child
from covey.study.plans import (
    SAMPLE,
    FitPlan,
    Protocol,
    Rows,
    check_size,
    check_stratified,
    count_of,
    draw_until,
    has_classes,
)


@dataclass(frozen=True)
class Resamples(Protocol):
    """Random divisions into a training and a test part (Younsi and Bagnall 2014, section 5: 30 of them).

    Each repeat divides the data anew, trains on one part and predicts the other, so a case is predicted in some repeats
    only. A training part with one class only is drawn again, at most 100 times.

    Parameters
    ----------
    n_repeats : int, default=30
        Number of divisions.
    train_size : float or int, default=2/3
        The training part: a share of the data, rounded to whole cases, or a number of cases.
    stratified : bool, default=False
        Whether each class is divided in the same proportion: its cases for training are its share of the training part,
        rounded up or down at random. All cases stay equally likely to be in the training part.
    """

    n_repeats: int = 30
    train_size: float = 2 / 3
    stratified: bool = False

    predicts_every_case: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_count("n_repeats", self.n_repeats, 1)
        check_size("train_size", self.train_size)
        check_stratified(self.stratified)

    def place(self, plan: FitPlan, number: int) -> tuple[int, Rows]:
        """Return the repeat, and the positions of the cases in its test part."""
        return number, np.flatnonzero(~self._is_training(plan, number))

    def _training_rows(self, plan: FitPlan, number: int) -> Rows:
        return np.flatnonzero(self._is_training(plan, number))

    def _is_training(self, plan: FitPlan, number: int) -> NDArray[np.bool_]:
        """Return for each case whether a repeat trains on it."""
        rng, n = np.random.default_rng(child(plan.seed, SAMPLE, number)), len(plan.y)
        n_train = count_of(self.train_size, n)

        def divide(_: int) -> NDArray[np.bool_]:
            order = rng.permutation(n)
            if not self.stratified:
                return np.isin(np.arange(n), order[:n_train])
            # Every (n / n_train)-th case of a list sorted by class, from a random start: a run of cases of one class
            # then has its share of the training part, rounded up or down.
            order = order[np.argsort(plan.y[order], kind="stable")]
            steps = (np.arange(n + 1) * n_train + rng.integers(n)) // n
            chosen = np.empty(n, dtype=bool)
            chosen[order] = np.diff(steps) == 1
            return chosen

        return draw_until(
            divide,
            lambda chosen: plan.regression or has_classes(plan.y[chosen]),
            "give a larger train_size, more cases of the rare classes, or stratified=True.",
        )

    def _cases(self, target: NDArray[Any], regression: bool, seed: np.random.SeedSequence) -> Rows:
        n = len(target)
        given = f"train_size={self.train_size!r} of {counted(n, 'case')}"
        if self.stratified and regression:
            raise ValueError("stratified=True needs classes, but the target of a regression has none; leave it False.")
        if not 1 <= count_of(self.train_size, n) < n:
            raise ValueError(f"{given} leaves one part empty; give both parts cases.")
        if not regression and count_of(self.train_size, n) < 2:
            raise ValueError(f"{given} trains on one case, which has one class only; give a larger train_size.")
        if not regression and not has_classes(target):
            raise ValueError(f"All cases of y are of one class, {target[0].item()!r}; give cases of other classes.")
        return np.arange(n)


@dataclass(frozen=True)
class FixedSplit(Protocol):
    """The division into a training and a test part that comes with the data, as Satimage's and Vowel's (Bay 1999).

    There is one repeat. Give one of the parameters.

    Parameters
    ----------
    n_train : int, optional
        The first so many rows are for training and the others for the test.
    test : sequence of int, optional
        The rows of the test part, counted from 0 in any order; the others are for training.

    Notes
    -----
    Rows count in the data as they are given to `plan`. A dataset whose rows without a target were left out on loading
    has other row numbers than its file.
    """

    n_train: int | None = None
    test: Sequence[int] | None = None

    def __post_init__(self) -> None:
        if (self.n_train is None) == (self.test is None):
            given = "neither" if self.test is None else "both"
            raise ValueError(f"n_train and test: {given} of them given; give one, such as n_train=100.")
        if self.n_train is not None:
            check_count("n_train", self.n_train, 1)
            object.__setattr__(self, "n_train", int(self.n_train))
        else:
            object.__setattr__(self, "test", _check_rows("test", self.test))

    @property
    def n_repeats(self) -> int:
        """One."""
        return 1

    def lasting(self) -> FixedSplit:
        """Return the protocol, which has one repeat."""
        return self

    def _cases(self, target: NDArray[Any], regression: bool, seed: np.random.SeedSequence) -> Rows:
        n = len(target)
        if self.test is None:
            assert self.n_train is not None
            test = np.arange(min(self.n_train, n), n)
            given = f"n_train={self.n_train}"
        else:
            test = np.array(self.test, dtype=np.intp)
            given = f"test with {counted(len(test), 'row')}"
            if test[-1] >= n:
                raise ValueError(f"test names row {test[-1]}, but there are {n}, counted from 0; leave it out.")
        if not 1 <= len(test) < n:
            raise ValueError(f"{given} of {n} leaves one part empty; give both parts cases.")
        part = np.delete(target, test)
        if not regression and not has_classes(part):
            raise ValueError(
                f"{given}: the training part has one class only, {part[0].item()!r}; choose a part with other classes."
            )
        return test


def _check_rows(name: str, rows: Any) -> tuple[int, ...]:
    """Return row numbers in ascending order."""
    remedy = "give the row numbers of the test part, such as [3, 5, 8]."
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise TypeError(f"{name}={rows!r} is no sequence; {remedy}")
    listed = list(rows)
    for position, row in enumerate(listed):
        check_count(f"{name}[{position}]", row, 0)
    numbers = sorted(int(row) for row in listed)
    if not numbers:
        raise ValueError(f"{name}={rows!r} is empty; {remedy}")
    for first, second in pairwise(numbers):
        if first == second:
            raise ValueError(f"{name} names row {first} twice; name each once.")
    return tuple(numbers)
