"""Predictions of a learner that is trained many times by a protocol."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from covey._interrupts import raise_interrupt
from covey._progress import Progress
from covey.seeds import RandomState
from covey.study.cell import key_of
from covey.study.fingerprint import describe, digest, hash_of
from covey.study.fits import fit_and_predict
from covey.study.held import check_estimator, describe_unseeded
from covey.study.outcome import Outcome
from covey.study.plans import FitPlan, Protocol
from covey.study.store import Store

# The store of fits in a folder.
STORE = "fits.store"


@dataclass(frozen=True, eq=False, repr=False)
class Repeats:
    """What a learner predicted, trained many times."""

    predictions: NDArray[Any]  #: labels, or float64 of a regressor, of shape (n_repeats, n_cases)
    y: NDArray[Any]  #: what is true, of shape (n_cases,)
    X: Any  #: the cases; with them the best possible predictions of a generated task can be found
    #: their positions in the data that were given; None where the protocol made its own, of shape (n_cases,)
    cases: NDArray[np.intp] | None
    protocol: Protocol  #: how they came about
    seconds: NDArray[np.float64]  #: time that each fit took, its predictions included, of shape (n_fits,)
    regression: bool  #: whether the predictions are numbers

    @property
    def errors(self) -> NDArray[np.float64]:
        """The share of wrong predictions in each repeat; of a regressor the mean squared error."""
        wrong = (self.predictions - self.y) ** 2 if self.regression else self.predictions != self.y
        return np.asarray(wrong.mean(axis=1, dtype=np.float64))

    def __str__(self) -> str:
        n_repeats, n_cases = self.predictions.shape
        measure = "mean squared error" if self.regression else "error"
        return (
            f"{n_repeats} repeats x {n_cases} cases by {self.protocol}: {measure} {self.errors.mean():.4g} on average, "
            f"{len(self.seconds)} fits in {self.seconds.sum():.1f} s"
        )

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, eq=False)
class Run:
    """A fit that has been carried out."""

    number: int  #: its place in the plan
    predictions: NDArray[Any]  #: what it predicts for its test cases, of shape (n_test,)
    seconds: float  #: time that it took, its predictions included


class FitFailedError(RuntimeError):
    """A fit that went wrong; its cause is the learner's own error.

    Parameters
    ----------
    message : str
        Which repeat, and what the learner said.
    number, repeat : int
        The fit's place in the plan, and the repeat that it belongs to.
    """

    def __init__(self, message: str, number: int, repeat: int) -> None:
        super().__init__(message)
        self.number = number
        self.repeat = repeat

    def __reduce__(self) -> tuple[Any, ...]:
        # The cause may be of a type that no other process can read: it gets the traceback as text.
        text = "".join(traceback.format_exception(self.__cause__)) if self.__cause__ else ""
        return _failure_from_text, (str(self), self.number, self.repeat, text)


def _failure_from_text(message: str, number: int, repeat: int, text: str) -> FitFailedError:
    failure = FitFailedError(message, number, repeat)
    if text:
        failure.add_note(text)
    return failure


def repeat_predictions(
    estimator: Any,
    protocol: Protocol,
    X: Any = None,
    y: Any = None,
    *,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    verbose: int = 0,
) -> Repeats:
    """Train a learner many times and collect what it predicts, for bias and variance.

    Every fit trains a clone all of whose ``random_state`` parameters, nested ones too and whether they were set or not,
    are seeded anew: a learner's own randomness varies from repeat to repeat, as its training cases do. Splits, samples
    and seeds are the same for any number of jobs.

    Parameters
    ----------
    estimator : classifier or regressor
        Any scikit-learn estimator.
    protocol : Protocol
        `BootstrapSamples`, `CycledFolds` or `FreshSamples`.
    X : array-like, sparse matrix, frame or Table of shape (n_samples, n_features), optional
        The data; left out for `FreshSamples`.
    y : array-like of shape (n_samples,), optional
        The target: labels of any kind for a classifier, numbers for a regressor.
    random_state : int, None, RandomState, Generator or SeedSequence
        An integer makes the predictions repeatable.
    n_jobs : int, optional
        How many fits to carry out at a time, by default one; in processes, which take seconds to start, unless
        ``joblib.parallel_config(backend="threading")`` says otherwise.
    folder : path, optional
        Where to keep each fit's predictions as soon as it is done, in a store as studies have it. A later call with the
        same arguments carries out only the fits that the folder lacks, and one with more repeats only the further ones.
        It needs a random_state. Fits by another protocol, estimator (by its class and parameters), seed or on other
        data are kept beside them. What is not noticed is that the code of a class or a function has changed: name
        another folder then.
    verbose : int, default=0
        1 prints how many fits are done at most once a second, 2 every time.

    Returns
    -------
    Repeats

    Raises
    ------
    FitFailedError
        A fit went wrong; no further ones are begun, those under way are finished, and what is done stays in the folder.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from covey.study import CycledFolds, repeat_predictions
    >>> X, y = load_iris(return_X_y=True)
    >>> runs = repeat_predictions(DecisionTreeClassifier(), CycledFolds(), X, y, random_state=0)
    >>> runs.predictions.shape
    (10, 150)
    """
    regression = check_estimator(estimator) == "regression"
    if not isinstance(protocol, Protocol):
        raise TypeError(f"protocol={protocol!r} is none; give one such as BootstrapSamples() or CycledFolds().")
    if not protocol.predicts_every_case:
        raise ValueError(
            f"protocol={protocol!r} predicts other cases in every repeat, but bias and variance need the same ones; "
            "give BootstrapSamples() or CycledFolds()."
        )
    if folder is not None and random_state is None:
        raise ValueError("folder needs a random_state: without one a later call could not go on with the same splits.")
    effective_n_jobs(n_jobs)  # refuses 0
    plan = protocol.plan(X, y, regression=regression, random_state=random_state)
    with ExitStack() as stack:
        keys, store = [], None
        if folder is not None:
            keys = _keys(estimator, plan)
            Path(folder).mkdir(parents=True, exist_ok=True)
            store = stack.enter_context(Store.open(Path(folder) / STORE, write=True))
        runs = {} if store is None else _read_runs(store, keys)
        progress = Progress(type(estimator).__name__, len(plan), verbose, unit="fits", done=len(runs))
        for run in _carry_out(estimator, plan, [number for number in range(len(plan)) if number not in runs], n_jobs):
            if store is not None:
                labels = {"method": type(estimator).__name__, "fit": run.number}
                arrays = {"predictions": run.predictions}
                store.put(Outcome.done(keys[run.number], labels, {}, {"fit": run.seconds}, arrays=arrays))
            runs[run.number] = run
            progress.advance()
    return _gather(plan, [runs[number] for number in range(len(plan))])


def run_fit(estimator: Any, plan: FitPlan, number: int) -> Run:
    """Carry out one fit of a plan.

    Parameters
    ----------
    estimator : classifier or regressor
        A clone of it is seeded and trained.
    plan : FitPlan
    number : int
        Which fit.

    Raises
    ------
    FitFailedError
        The learner, or drawing its training cases, failed.
    """
    repeat, _ = plan.place(number)
    try:
        predictions, seconds = fit_and_predict(clone(estimator), plan[number], plan)
        return Run(number, predictions, sum(seconds.values()))
    except Exception as error:
        raise_interrupt(error)
        raise FitFailedError(
            f"Repeat {repeat} (fit {number} of {len(plan)}, both counted from 0) of {type(estimator).__name__} failed: "
            f"{type(error).__name__}: {error}",
            number,
            repeat,
        ) from error


def _attempt(estimator: Any, plan: FitPlan, number: int) -> Run | FitFailedError:
    try:
        return run_fit(estimator, plan, number)
    except FitFailedError as failure:
        return failure


def _carry_out(estimator: Any, plan: FitPlan, numbers: Sequence[int], n_jobs: int | None) -> Iterator[Run]:
    """Yield fits as they are done.

    They run in processes, since many learners hold Python's global lock while they train. joblib would throw away what
    is under way when one raises; so failures are results, after which no more is begun.
    """
    if effective_n_jobs(n_jobs) == 1 or len(numbers) < 2:
        yield from (run_fit(estimator, plan, number) for number in numbers)
        return
    failures: list[FitFailedError] = []

    def calls() -> Iterator[Any]:
        for number in numbers:
            if failures:
                return
            yield delayed(_attempt)(estimator, plan, number)

    for run in Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)(calls()):
        if isinstance(run, FitFailedError):
            failures.append(run)
        else:
            yield run
    if failures:
        raise min(failures, key=lambda failure: failure.number)


def _keys(estimator: Any, plan: FitPlan) -> list[str]:
    """Return the key of each fit: a hash of what its predictions depend on.

    The estimator's ``random_state`` parameters do not count, since each fit sets them.
    """
    rows, target = plan.data
    content = hash_of({"X": digest(rows), "y": digest(target)})
    method, protocol = describe_unseeded(clone(estimator), "estimator"), describe(plan.protocol.lasting(), "protocol")
    seed = describe({"entropy": plan.seed.entropy, "spawn_key": plan.seed.spawn_key})
    return [key_of(content, method, protocol, number, seed) for number in range(len(plan))]


def _read_runs(store: Store, keys: Sequence[str]) -> dict[int, Run]:
    """Return the fits that a store has, by their numbers."""
    numbers = {key: number for number, key in enumerate(keys)}
    runs = {}
    for outcome in store.read(keys):
        number = numbers[outcome.key]
        runs[number] = Run(number, store.arrays(outcome.key)["predictions"], outcome.seconds["fit"])
    return runs


def _gather(plan: FitPlan, runs: Sequence[Run]) -> Repeats:
    kind = np.result_type(*{run.predictions.dtype for run in runs})
    predictions = np.empty(plan.shape, dtype=kind)
    for run in runs:
        predictions[plan.place(run.number)] = run.predictions
    seconds = np.array([run.seconds for run in runs])
    return Repeats(predictions, plan.y, plan.X, plan.cases, plan.protocol, seconds, plan.regression)
