"""Protocols: ways to train a learner many times, so that its bias and its variance can be told apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_count
from covey.seeds import RandomState, child, seed_sequence
from covey.study.plans import (
    SAMPLE,
    TEST,
    FitPlan,
    Protocol,
    Rows,
    Sample,
    check_size,
    check_stratified,
    count_of,
    draw_until,
    has_classes,
    read_data,
)

__all__ = ["BootstrapSamples", "CycledFolds", "DisjointSamples", "FreshSamples", "Protocol"]


@dataclass(frozen=True)
class BootstrapSamples(Protocol):
    """Samples drawn with replacement from a training part, and one test part (Younsi and Bagnall 2014, section 6).

    The data are divided once at random. Each repeat trains on cases drawn uniformly with replacement from the training
    part and predicts all cases of the test part. A sample with one class only, from which many classifiers cannot
    learn, is drawn again, at most 100 times.

    Parameters
    ----------
    n_repeats : int, default=200
        Number of samples.
    sample_size : int, default=200
        Cases per sample. There may be more than the training part has, as on the paper's heart data.
    test_size : float or int, default=1/3
        The test part: a share of the data, rounded to whole cases, or a number of cases.
    """

    n_repeats: int = 200
    sample_size: int = 200
    test_size: float = 1 / 3

    def __post_init__(self) -> None:
        check_count("n_repeats", self.n_repeats, 1)
        check_count("sample_size", self.sample_size, 2)
        check_size("test_size", self.test_size)

    def _training_rows(self, plan: FitPlan, number: int) -> Rows:
        part, target = super()._training_rows(plan, number), plan.data[1]
        rng = np.random.default_rng(child(plan.seed, SAMPLE, number))
        return draw_until(
            lambda _: rng.choice(part, size=self.sample_size),
            lambda drawn: plan.regression or has_classes(target[drawn]),
            f"give a larger sample_size than {self.sample_size}, or more cases of the rare classes.",
        )

    def _cases(self, target: NDArray[Any], regression: bool, seed: np.random.SeedSequence) -> Rows:
        n = len(target)
        n_test = count_of(self.test_size, n)
        if not 1 <= n_test < n:
            raise ValueError(f"test_size={self.test_size!r} of {n} cases leaves one part empty; give both parts cases.")
        order = np.random.default_rng(seed).permutation(n)
        part = target[order[n_test:]]
        if not regression and not has_classes(part):
            raise ValueError(
                f"The training part of {len(part)} cases has one class only, {part[0].item()!r}; give more data, a "
                "smaller test_size or another random_state."
            )
        return np.sort(order[:n_test])


@dataclass(frozen=True)
class CycledFolds(Protocol):
    """Cycles of cross-validation on fresh random partitions (Webb and Zheng 2004, section 4).

    Each cycle divides the data anew into folds; each fold is predicted by a model trained on the others. So every case
    is predicted once per cycle, and by default is in ten test sets and twenty training sets. A partition that leaves
    one class only to train on is drawn again, at most 100 times.

    Parameters
    ----------
    n_cycles : int, default=10
        Number of cycles: the repeats.
    n_folds : int, default=3
        Number of folds, whose sizes differ by one case at most.
    stratified : bool, default=False
        Whether the cases of each class are spread evenly over the folds too.
    """

    n_cycles: int = 10
    n_folds: int = 3
    stratified: bool = False

    def __post_init__(self) -> None:
        check_count("n_cycles", self.n_cycles, 1)
        check_count("n_folds", self.n_folds, 2)
        check_stratified(self.stratified)

    @property
    def n_repeats(self) -> int:
        """The cycles."""
        return self.n_cycles

    @property
    def n_fits(self) -> int:
        """One model per cycle and fold."""
        return self.n_cycles * self.n_folds

    def repeat_of(self, number: int) -> int:
        """Return the cycle."""
        return number // self.n_folds

    def place(self, plan: FitPlan, number: int) -> tuple[int, Rows]:
        """Return the cycle, and the positions of the cases in the fold."""
        cycle, fold = divmod(number, self.n_folds)
        return cycle, np.flatnonzero(self._folds(plan, cycle) == fold)

    def lasting(self) -> CycledFolds:
        """Return the protocol with one repeat."""
        return replace(self, n_cycles=1)

    def _training_rows(self, plan: FitPlan, number: int) -> Rows:
        cycle, fold = divmod(number, self.n_folds)
        return np.flatnonzero(self._folds(plan, cycle) != fold)

    def _folds(self, plan: FitPlan, cycle: int) -> Rows:
        """Return the fold of each case in a cycle."""
        rng, n = np.random.default_rng(child(plan.seed, SAMPLE, cycle)), len(plan.y)

        def deal(_: int) -> Rows:
            order = rng.permutation(n)
            if self.stratified:
                order = order[np.argsort(plan.y[order], kind="stable")]
            folds = np.empty(n, dtype=np.intp)
            folds[order] = np.arange(n) % self.n_folds
            return folds

        return draw_until(
            deal,
            lambda folds: plan.regression or all(has_classes(plan.y[folds != fold]) for fold in range(self.n_folds)),
            "give more cases of the rare classes, or stratified=True.",
        )

    def _cases(self, target: NDArray[Any], regression: bool, seed: np.random.SeedSequence) -> Rows:
        n = len(target)
        if self.stratified and regression:
            raise ValueError("stratified=True needs classes, but the target of a regression has none; leave it False.")
        if self.n_folds > n:
            raise ValueError(f"n_folds={self.n_folds} is more than the {n} cases; give fewer folds or more data.")
        if not regression and n - np.unique(target, return_counts=True)[1].max() < 2:
            raise ValueError(
                "All cases of y, or all but one, are of one class, which some fold would be left to train on alone; "
                "give cases of other classes."
            )
        return np.arange(n)


@dataclass(frozen=True)
class FreshSamples(Protocol):
    """Independent training sets and one test set from a generator (Bay 1999, section 5).

    A training set with one class only is drawn again, at most 100 times.

    Parameters
    ----------
    task : object with ``sample(n_samples, random_state)``, or callable
        A task of `covey.datasets` such as ``twonorm_task()``, or a function ``make(n_samples, random_state=...)`` that
        returns X and y. It must draw from one and the same distribution whatever the random state, an integer: where
        a function draws the parameters of its distribution too, as `make_simulated_regression` and scikit-learn's
        ``make_classification`` do, every training set would pose another problem.
    n_repeats : int, default=100
        Number of training sets.
    train_size : int, default=300
        Cases per training set.
    test_size : int, default=3000
        Cases of the test set.
    """

    task: Any
    n_repeats: int = 100
    train_size: int = 300
    test_size: int = 3000

    def __post_init__(self) -> None:
        if isinstance(self.task, type) or not callable(getattr(self.task, "sample", self.task)):
            raise TypeError(
                f"task={self.task!r} cannot be sampled; give a task of covey.datasets, such as twonorm_task() or "
                "WaveformTask(), or a function of n_samples and random_state that returns X and y."
            )
        check_count("n_repeats", self.n_repeats, 1)
        check_count("train_size", self.train_size, 2)
        check_count("test_size", self.test_size, 1)

    def plan(
        self, X: Any = None, y: Any = None, *, regression: bool = False, random_state: RandomState = None
    ) -> FitPlan:
        """Return the fits; X and y must be left out. See `Protocol.plan`."""
        if X is not None or y is not None:
            raise ValueError("FreshSamples draws its own cases from its task; leave X and y out.")
        seed = seed_sequence(random_state)
        test = self._sample(self.test_size, child(seed, TEST), regression)
        return FitPlan(self, seed, regression, *test, None, test)

    def training(self, plan: FitPlan, number: int) -> Sample:
        """Return a fresh training set."""
        return draw_until(
            lambda tried: self._sample(self.train_size, child(plan.seed, SAMPLE, number, tried), plan.regression),
            lambda sample: plan.regression or has_classes(sample[1]),
            f"give a larger train_size than {self.train_size}, or a task with other classes.",
        )

    def _sample(self, n_samples: int, seed: np.random.SeedSequence, regression: bool) -> Sample:
        make = getattr(self.task, "sample", self.task)
        X, y = make(n_samples, random_state=int(seed.generate_state(1)[0]))
        X, target = read_data(X, y, regression)
        if len(target) != n_samples:
            raise ValueError(f"task={self.task!r} was asked for {n_samples} cases and gave {len(target)}.")
        return X, target


@dataclass(frozen=True)
class DisjointSamples(Protocol):
    """Training sets that share no case, and one test set, all from one large sample (Bay 1999, section 5).

    The data are shuffled once. The first cases are for the test, those after them for the first training set, and so
    on. Where the data are a sample from a generator, the training sets are independent, as those of `FreshSamples`. A
    training set with one class only is refused.

    Parameters
    ----------
    n_repeats : int, default=100
        Number of training sets.
    train_size : int, default=300
        Cases per training set.
    test_size : int, default=3000
        Cases of the test set.
    """

    n_repeats: int = 100
    train_size: int = 300
    test_size: int = 3000

    def __post_init__(self) -> None:
        check_count("n_repeats", self.n_repeats, 1)
        check_count("train_size", self.train_size, 2)
        check_count("test_size", self.test_size, 1)

    def _training_rows(self, plan: FitPlan, number: int) -> Rows:
        target = plan.data[1]
        start = self.test_size + number * self.train_size
        rows = np.sort(self._order(len(target), child(plan.seed, TEST))[start : start + self.train_size])
        if not plan.regression and not has_classes(target[rows]):
            raise ValueError(
                f"Training set {number} of {self.train_size} cases has one class only, {target[rows[0]].item()!r}; "
                "give a larger train_size, or more cases of the rare classes."
            )
        return rows

    def _order(self, n: int, seed: np.random.SeedSequence) -> Rows:
        return np.random.default_rng(seed).permutation(n)

    def _cases(self, target: NDArray[Any], regression: bool, seed: np.random.SeedSequence) -> Rows:
        n, needed = len(target), self.test_size + self.n_repeats * self.train_size
        if needed > n:
            raise ValueError(
                f"n_repeats={self.n_repeats} training sets of train_size={self.train_size} and test_size="
                f"{self.test_size} need {needed} cases, but there are {n}; give more data or fewer repeats."
            )
        return np.sort(self._order(n, seed)[: self.test_size])
