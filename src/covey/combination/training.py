"""Members in training: fitted on folds, asked about the other rows, then fitted on all, within a budget of time."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import clone

from covey import seeds
from covey._interrupts import raise_interrupt
from covey._text import one_line, rough_duration
from covey.combination.folds import Fold
from covey.ensemble.fit import TrainingData, fit_member, takes_weights
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.ensemble.voting import member_output
from covey.kernels.compiling import working_time
from covey.parallel import each, one_openmp_thread
from covey.strategies.combine import Reads

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

# A fit on all rows takes about this many times one on the rows of a fold.
_WHOLE = 1.3
# Tried before others, since they take little time on many rows.
_QUICK = ("logistic regression", "ridge regression", "gradient boosting")


@dataclass(eq=False)
class Trial:
    """A member in training."""

    name: str
    estimator: Any
    seed: np.random.SeedSequence
    outputs: list[Floats] = field(default_factory=list)  # for the asked rows of each fold so far
    seconds: float = 0.0  # of all its fits and predictions so far
    left_out: str = ""  # why it is not trained any more
    failed: bool = False  # whether that is an error, or a lack of time, rather than a choice
    late: bool = False  # whether there was no time for it, or for fitting it on all rows
    first: Member | None = None  # as it was fitted on the first fold
    member: Member | None = None  # as it was fitted on all rows

    def left(self, n_folds: int, whole: float = _WHOLE) -> float:
        """Return about how many seconds the other folds, and all rows, will take it."""
        each_fold = self.seconds / max(len(self.outputs), 1)
        return each_fold * (n_folds - len(self.outputs) + whole)


@dataclass(frozen=True)
class _Done:
    """What came of one fit: a member with its output, or why there is none."""

    estimator: Any  # with what it chose
    member: Member | None
    output: Floats | None
    seconds: float
    error: str = ""


@dataclass(eq=False)
class Training:
    """Trials over the same rows and folds, and the time they have."""

    data: TrainingData
    folds: Sequence[Fold]
    trials: list[Trial]
    columns: Rows  # those that members see
    budget: float | None  # in seconds
    n_jobs: int | None
    tell: Any  # called with a line for each member that is done
    began: float = field(default_factory=lambda: working_time())

    def left(self) -> float:
        """Return how many seconds are left."""
        return np.inf if self.budget is None else self.budget - (working_time() - self.began)

    @property
    def running(self) -> list[Trial]:
        """The trials that are still members."""
        return [trial for trial in self.trials if not trial.left_out]

    def first_fold(self) -> None:
        """Fit each member on the first fold, quick ones first; leave out those for which there is no time."""
        jobs = effective_n_jobs(self.n_jobs)
        started: list[Trial] = []

        def due() -> Iterator[tuple[Trial, int]]:
            for trial in sorted(self.trials, key=lambda trial: trial.name not in _QUICK):
                waiting = sum(other.left(len(self.folds)) for other in started if other.outputs) / jobs
                if started and self.left() <= waiting:
                    self._run_out(trial, "no time was left to try it")
                    continue
                started.append(trial)
                yield trial, 0

        self._run(due())
        self._keep_affordable()

    def _keep_affordable(self) -> None:
        """Leave out the members whose other folds would take longer than there is time, the dearest first."""
        n_folds, jobs = len(self.folds), effective_n_jobs(self.n_jobs)
        for trial in sorted(self.running, key=lambda trial: -trial.seconds):
            needed = sum(other.left(n_folds, 0.0) for other in self.running) / jobs
            if needed <= max(self.left(), 0.0) or len(self.running) == 1:
                return
            wanted = rough_duration(trial.left(n_folds))
            self._run_out(trial, f"it would have taken about {wanted} more, for which there is no time")

    def _run_out(self, trial: Trial, why: str) -> None:
        trial.left_out, trial.failed, trial.late = why, True, True
        self.tell(trial)

    def other_folds(self) -> None:
        """Fit each member on the other folds."""
        self._run((trial, fold) for trial in self.running for fold in range(1, len(self.folds)))

    def all_rows(self) -> None:
        """Fit each member on all rows, quick ones first; those for which there is no time stay as of the first fold."""
        n_folds, jobs = len(self.folds), effective_n_jobs(self.n_jobs)
        started: list[Trial] = []

        def due() -> Iterator[tuple[Trial, None]]:
            for trial in sorted(self.running, key=lambda trial: trial.seconds):
                waiting = sum(other.left(n_folds) for other in started if other.member is None) / jobs
                if waiting + trial.left(n_folds) <= self.left():
                    started.append(trial)
                    yield trial, None
                else:
                    trial.member, trial.late = trial.first, True
                    self.tell(trial)

        self._run(due())

    def _run(self, due: Iterable[tuple[Trial, int | None]]) -> None:
        """Fit and ask trials on folds (None for all rows), and note what comes of it."""
        asked: list[tuple[Trial, int | None]] = []
        view = None if len(self.columns) == self.data.inputs.table.shape[1] else self.columns

        def jobs() -> Iterator[tuple[Any, ...]]:
            for trial, fold in due:
                if trial.left_out:
                    continue
                asked.append((trial, fold))
                rows = (None, None) if fold is None else self.folds[fold]
                seed = seeds.child(trial.seed, len(self.folds) if fold is None else fold)
                yield trial.estimator, self.data, *rows, view, seed

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a member warns of, its score tells
            for place, done in enumerate(each(_fit_and_ask, jobs(), self.n_jobs)):
                self._note(*asked[place], done)

    def _note(self, trial: Trial, fold: int | None, done: _Done) -> None:
        trial.seconds += done.seconds
        if done.error:
            trial.left_out, trial.failed = trial.left_out or done.error, True
            self.tell(trial)
        if trial.left_out:  # what was under way when it failed is of no use
            return
        if fold is None:
            trial.member = done.member
            self.tell(trial)
        elif done.output is not None and done.member is not None:
            trial.outputs.append(done.output)
            if fold == 0:
                trial.first = done.member
                trial.estimator = done.estimator

    def outputs(self, trials: Sequence[Trial], n_folds: int | None = None) -> tuple[Rows, Floats]:
        """Return the rows that were asked, in order, and what each of some trials says of them.

        A row that was asked several times has the mean of the answers.
        """
        folds = self.folds[:n_folds]
        asked = np.concatenate([rows for _, rows in folds])
        rows, place, count = np.unique(asked, return_inverse=True, return_counts=True)
        sums = np.zeros((len(trials), len(rows), *trials[0].outputs[0].shape[1:]))
        for total, trial in zip(sums, trials, strict=True):
            np.add.at(total, place, np.concatenate(trial.outputs[:n_folds]))
        return rows, sums / count.reshape(-1, *(1,) * (sums.ndim - 2))

    def known(self, rows: Rows) -> NDArray[np.bool_]:
        """Return which of the asked rows have a class that the fold's members had seen; all rows in a regression."""
        known = np.ones(len(self.data.y), dtype=bool)
        if self.data.n_classes:
            for train, asked in self.folds:
                known[asked] &= np.isin(self.data.y[asked], self.data.y[train])
        return known[rows]


def ask(member: Member, inputs: Inputs, n_classes: int, rows: Rows | None = None) -> Floats:
    """Return what a member says of rows, on one thread of OpenMP: probabilities of so many classes, or numbers."""
    reads: Reads = "probabilities" if n_classes else "values"
    with one_openmp_thread():
        return member_output(member, inputs, reads, n_classes, rows)


def _fit_and_ask(
    estimator: Any,
    data: TrainingData,
    train: Rows | None,
    asked: Rows | None,
    view: Rows | None,
    seed: np.random.SeedSequence,
) -> _Done:
    """Fit an estimator on some rows and ask it about others; None stands for all rows, and for none."""
    began = working_time()
    weight = data.weight
    if train is not None:
        weight = np.zeros(len(data.weight))
        weight[train] = data.weight[train]
    data = replace(data, weighs=takes_weights(estimator))
    try:
        with one_openmp_thread():
            member = fit_member(estimator, data, weight, view, np.random.default_rng(seed))
            fixed = tuned(estimator, member.model)
            if fixed is not estimator:  # asked as it will be in other folds
                estimator, member = fixed, fit_member(fixed, data, weight, view, np.random.default_rng(seed))
        rows = np.flatnonzero(weight)[:1] if asked is None else asked  # one row shows that it can answer at all
        output = ask(member, data.inputs, data.n_classes, rows)
        if not np.isfinite(output).all():
            raise ValueError("its predictions are not finite")
    except Exception as error:  # whatever it is, the other members go on
        raise_interrupt(error)
        first, _, _ = str(error).strip().partition("\n")  # more lines are advice for whoever called it
        text = one_line(f"{type(error).__name__}: {first}".removesuffix("."))
        return _Done(estimator, None, None, working_time() - began, text)
    return _Done(estimator, replace(member, left_out=None), output, working_time() - began)


def tuned(estimator: Any, model: Any) -> Any:
    """Return an estimator whose "auto" parameters are what a fitted model of it chose, so that it chooses once."""
    chosen = {
        name: getattr(model, f"{name}_")
        for name, value in estimator.get_params(deep=False).items()
        if isinstance(value, str) and value == "auto" and hasattr(model, f"{name}_")
    }
    return clone(estimator).set_params(**chosen) if chosen else estimator
