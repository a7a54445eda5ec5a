"""Triskel beside AdaBoost over the same linear machine, and the machine beside scikit-learn's: accuracy and CPU time.

All methods learn from the same ten folds, in turn; a fold's time is that of ``fit`` alone, on a frame as it was read.
The machine is timed as a member of an ensemble, whose table is read once, and by itself; it scales its columns, while
scikit-learn's gets scaled ones. One thread; ratio = peer / covey. Run by ``make bench-triskel``.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from measure import comparison, cpu_time, heading, least_times, verdict
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC, LinearSVC
from threadpoolctl import threadpool_limits

from covey import LinearSVMClassifier, method
from covey.datasets import DatasetNotFoundError, load
from covey.table import as_table

# On how many of the paper's datasets Triskel-W4 should train in less time than AdaBoost-50.
LEAST_QUICKER = 10
METHODS = (
    "smo",
    "adaboost-3",
    "adaboost-10",
    "adaboost-50",
    "triskel-m1",
    "triskel-1",
    "triskel-w2",
    "triskel-w4",
)
# The paper's pairs: which Triskel is beside which boosting.
PAIRS = (
    ("triskel-m1", "smo"),
    ("triskel-1", "adaboost-3"),
    ("triskel-w2", "adaboost-10"),
    ("triskel-w4", "adaboost-50"),
)
N_FOLDS = 10
# The largest problem of machines of a quick run.
SMALLEST = 100


class Shape(NamedTuple):
    """Where a dataset of the paper is found, and how large it is where it has to be drawn instead."""

    source: str
    n_rows: int
    n_columns: int
    n_classes: int


DATASETS = {
    "annealing": Shape("anneal", 898, 38, 5),
    "annealing-orig": Shape("anneal_orig", 898, 38, 5),
    "audiology": Shape("audiology", 226, 69, 24),
    "automobile": Shape("autos", 205, 25, 6),
    "balance-scale": Shape("balance_scale", 625, 4, 3),
    "glass": Shape("glass", 214, 9, 6),
    "hypothyroid": Shape("hypothyroid", 3772, 29, 4),
    "lymphography": Shape("lymphography", 148, 18, 4),
    "primary-tumor": Shape("primary_tumor", 339, 17, 21),
    "segment": Shape("segment", 2310, 19, 7),
    "soybean": Shape("soybean", 683, 35, 19),
    "vehicle": Shape("vehicle", 846, 18, 4),
    "vowel": Shape("vowel", 990, 13, 11),
    "waveform": Shape("waveform_40", 5000, 40, 3),
    "zoo": Shape("zoo", 101, 17, 7),
}
SMALL = ("balance-scale", "glass", "zoo")


class Settings(NamedTuple):
    """How much to do.

    Parameters
    ----------
    datasets : tuple of str
        Which of the paper's.
    n_folds : int
        How many of the ten folds are tested on.
    repeats : int
        Runs of each machine.
    most_rows : int
        The largest problem of machines.
    """

    datasets: tuple[str, ...]
    n_folds: int
    repeats: int
    most_rows: int


class Task(NamedTuple):
    """A dataset, and whether it is the paper's."""

    X: pd.DataFrame
    y: np.ndarray
    is_found: bool


class Outcome(NamedTuple):
    """Accuracy and CPU seconds of training, each a mean over folds, by method."""

    accuracy: np.ndarray
    seconds: np.ndarray


def task_of(name: str) -> Task:
    """Return a dataset; numbers in classes as many and as large where it is not found."""
    shape = DATASETS[name]
    try:
        X, y = load(shape.source).to_xy()
        return Task(X, np.asarray(y), True)
    except DatasetNotFoundError:
        X, y = make_classification(
            shape.n_rows,
            shape.n_columns,
            n_informative=min(8, shape.n_columns),
            n_redundant=0,
            n_classes=shape.n_classes,
            n_clusters_per_class=1,
            random_state=0,
        )
        return Task(pd.DataFrame(X, columns=[f"x{number}" for number in range(X.shape[1])]), y, False)


def outcome_of(task: Task, n_folds: int) -> Outcome:
    """Train every method on the same folds in turn."""
    folds = list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(task.X, task.y))[:n_folds]
    accuracy, seconds = np.empty((2, n_folds, len(METHODS)))
    for number, (train, test) in enumerate(folds):
        X_train, y_train, X_test, y_test = task.X.iloc[train], task.y[train], task.X.iloc[test], task.y[test]
        for place, id in enumerate(METHODS):
            model = method(id, random_state=number) if id != "smo" else method(id)
            seconds[number, place] = cpu_time(lambda model=model, X=X_train, y=y_train: model.fit(X, y))
            accuracy[number, place] = np.mean(model.predict(X_test) == y_test)
    return Outcome(accuracy.mean(axis=0), seconds.mean(axis=0))


def ensembles(settings: Settings) -> Iterator[str]:
    """Set accuracies and times of training side by side, dataset by dataset."""
    yield f"{settings.n_folds} of ten stratified folds; accuracy in %, and milliseconds of training a fold"
    yield f"{'':26}" + "".join(f"{id:>12}" for id in METHODS) + "   triskel-w4 / adaboost-50"
    tasks = {name: task_of(name) for name in settings.datasets}
    found = {}
    for name, task in tasks.items():
        found[name] = outcome_of(task, settings.n_folds)
        label = f"{task.X.shape[0]:,} x {task.X.shape[1]}, {len(np.unique(task.y))} classes"
        yield f"{name if task.is_found else f'as {name}, generated':26}" + row_of(100 * found[name].accuracy)
        quotient = ratio(found[name], "triskel-w4", "adaboost-50")
        yield f"  {label:24}" + row_of(1000 * found[name].seconds) + f"{quotient:10.2f}"
    yield f"{'mean accuracy':26}" + row_of(100 * np.mean([one.accuracy for one in found.values()], axis=0))
    complete = (
        settings.n_folds == N_FOLDS and list(tasks) == list(DATASETS) and all(one.is_found for one in tasks.values())
    )
    yield from records(list(found.values()), complete)


def row_of(numbers: np.ndarray) -> str:
    """Return numbers in columns of their own."""
    return "".join(f"{number:12.2f}" for number in numbers)


def ratio(outcome: Outcome, ours: str, theirs: str) -> float:
    """Return the time of a method divided by that of another."""
    return float(outcome.seconds[METHODS.index(ours)] / outcome.seconds[METHODS.index(theirs)])


def records(outcomes: list[Outcome], complete: bool) -> Iterator[str]:
    """Give, for each of the paper's pairs, where Triskel takes less time and where it is more accurate."""
    for ours, theirs in PAIRS:
        ratios = np.array([ratio(one, ours, theirs) for one in outcomes])
        gains = np.array([one.accuracy[METHODS.index(ours)] - one.accuracy[METHODS.index(theirs)] for one in outcomes])
        quicker, n_sets = int((ratios < 1).sum()), len(ratios)
        asked = ""
        if complete and (ours, theirs) == PAIRS[-1]:
            asked = f" (target: {LEAST_QUICKER}: {verdict(quicker >= LEAST_QUICKER)})"
        yield (
            f"  {ours} trains in less time than {theirs} on {quicker} of {n_sets}{asked}, "
            f"geometric mean of ratios {np.exp(np.log(ratios).mean()):.2f}; "
            f"more accurate on {int((gains > 0).sum())}, less on {int((gains < 0).sum())}"
        )


# Rows, columns, and how many fits are timed together.
SHAPES = (
    (5, 10, 200),
    (20, 70, 200),
    (100, 30, 50),
    (300, 40, 20),
    (660, 19, 10),
    (3300, 40, 1),
    (3300, 60, 1),
    (20_000, 20, 1),
)
# How far apart classes are, and what a unit of hinge loss costs: a case's weight after four rounds is at most 16.
KINDS = ((0.3, 1.0), (2.0, 1.0), (0.3, 16.0), (2.0, 16.0))


def machines(settings: Settings) -> Iterator[str]:
    """Compare the linear machine with scikit-learn's on the same scaled columns."""
    yield "linear machines, fitted so many times"
    yield heading()
    for n_rows, n_columns, n_fits in SHAPES:
        if n_rows > settings.most_rows:
            continue
        for separation, cost in KINDS if n_rows < 20_000 else KINDS[:2]:
            X, y = make_classification(
                n_rows,
                n_columns,
                n_informative=min(8, n_columns - 1),
                n_redundant=0,
                class_sep=separation,
                random_state=1,
            )
            often = "once" if n_fits == 1 else f"{n_fits} times"
            yield f"  {n_rows:,} x {n_columns}, {often}, class_sep={separation:g}, C={cost:g}"
            yield from beside(X, y, cost, n_fits, settings.repeats if n_rows < 20_000 else 1)


def beside(X: np.ndarray, y: np.ndarray, cost: float, n_fits: int, repeats: int) -> Iterator[str]:
    """Give a line for the machine as a member, and one for it by itself."""
    scaled, table, weight = MinMaxScaler().fit_transform(X), as_table(X), np.full(len(y), cost)
    member, alone, peer = LinearSVMClassifier(), LinearSVMClassifier(C=cost), SVC(kernel="linear", C=cost)
    fits: tuple[Callable[[], Any], ...] = (
        lambda: member._fit_member(table, y, weight),
        lambda: alone.fit(X, y),
        lambda: peer.fit(scaled, y),
    )

    def often(fit: Callable[[], Any]) -> None:
        for _ in range(n_fits):
            fit()

    fits[0]()
    first, second, theirs = least_times([lambda fit=fit: often(fit) for fit in fits], repeats)
    scores = alone.score(X, y), peer.score(scaled, y)
    apart = float(np.abs(alone.decision_function(X) - peer.decision_function(scaled)).max())
    yield comparison("    as a member", first, theirs, None, f"SVC; decision values {apart:.0e} apart", scores)
    yield comparison("    by itself", second, theirs, None, "SVC", scores)


# Rows, columns and classes, and how many times the time of LinearSVC Triskel-W4 may take to train.
MANY_CLASSES, MOST_TIMES = ((400, 4, 100), (600, 4, 200)), 20.0


def classes(settings: Settings) -> Iterator[str]:
    """Compare Triskel over the pairs of many classes with scikit-learn's linear machine; accuracy on the same rows."""
    yield "many classes: a Triskel for each pair of them beside one LinearSVC"
    yield heading()
    small = settings.most_rows <= SMALLEST
    for n_rows, n_columns, n_classes in ((60, 4, 12),) if small else MANY_CLASSES:
        random = np.random.default_rng(0)
        y = np.arange(n_rows) % n_classes
        X = random.normal(size=(n_classes, n_columns))[y] + random.normal(size=(n_rows, n_columns))
        yield f"  {n_rows} x {n_columns}, {n_classes} classes, {n_classes * (n_classes - 1) // 2:,} pairs"
        peer, target = LinearSVC(), None if small else 1 / MOST_TIMES
        for id in ("triskel-1", "triskel-w4", "triskel-m1"):
            model = method(id, random_state=0)
            ours, theirs = least_times([partial(model.fit, X, y), partial(peer.fit, X, y)], settings.repeats)
            told = f"LinearSVC; takes {ours / theirs:.1f}x as long"
            scores = model.score(X, y), peer.score(X, y)
            yield comparison(f"    {id}", ours, theirs, target if id == "triskel-w4" else None, told, scores)
            asked, answered = least_times([partial(model.predict, X), partial(peer.predict, X)], 1)
            yield comparison("      predict", asked, answered, None, "LinearSVC")


PARTS: dict[str, Callable[[Settings], Iterator[str]]] = {
    "ensembles": ensembles,
    "machines": machines,
    "classes": classes,
}


def main() -> None:
    """Print every comparison as soon as it is made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two folds, of three datasets, and small machines once")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--datasets", nargs="+", choices=DATASETS)
    arguments = parser.parse_args()
    datasets = tuple(arguments.datasets or (SMALL if arguments.quick else DATASETS))
    settings = Settings(datasets, 2, 1, SMALLEST) if arguments.quick else Settings(datasets, N_FOLDS, 5, 20_000)
    print(f"CPU time, one thread; of ensembles the mean over folds, of machines the least of {settings.repeats} runs")
    with threadpool_limits(1), warnings.catch_warnings():
        # That classes have fewer cases than there are folds, or than a bias leaves, is no news here.
        warnings.simplefilter("ignore")
        warm_up()
        for part in arguments.parts:
            for line in PARTS[part](settings):
                print(line, flush=True)


def warm_up() -> None:
    """Let everything be loaded and compiled before it is timed."""
    X, y = make_classification(300, 8, n_informative=4, n_classes=3, random_state=0)
    for id in METHODS:
        method(id).fit(X, y).predict(X)


if __name__ == "__main__":
    main()
