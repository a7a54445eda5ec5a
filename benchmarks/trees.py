"""C4.5 and its ensembles beside scikit-learn, Weka and aeon: fits, predictions, accuracy, growth with rows, memory.

One thread, minimum of several runs taken in turn; ratio = peer / covey. Run by ``make bench-trees``. Weka is found by
WEKA_JAR or where Debian puts it, and reports its own time, by the wall clock; for aeon see ``aeon_forest.py``.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import aeon_forest
import numpy as np
import weka
from measure import comparison, cpu_time, heading, least_times, peak_memory_gb, verdict
from samples import DATA, numeric_rows, split
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from covey import C45Classifier, method

CART = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
CART_NAME = "scikit-learn's tree"
J48_SECONDS = 13.4  # as measured before on a quiet machine, for runs without Weka
GROWTH_ROWS = (10_000, 20_000, 40_000, 80_000)
GROWTH_TOLERANCE = 1.2  # for noise and for trees that become a little deeper; to a million rows
MEMORY_ROWS, MEMORY_LIMIT_GB = 1_000_000, 4.0
HUNDRED_TREES_MINUTES = 40  # of MEMORY_ROWS, on two cores
SMALL_SYSTEMS = {"bagging": "bagging", "wagging": "wag", "MultiBoost": "multiboost", "boosting": "boost"}
ASKED_ROWS = (5_000, 100_000)


class Settings(NamedTuple):
    """How much to do.

    Parameters
    ----------
    repeats : int
        Runs of what is fast.
    slow_repeats : int
        Runs of what takes ten seconds or more.
    """

    repeats: int
    slow_repeats: int


def one_tree(settings: Settings) -> Iterator[str]:
    """Compare fits of one tree, sorting and pruning included, with and without weights."""
    X_train, X_test, y_train, y_test = data = split(*numeric_rows(100_000, 5))
    weight = np.random.default_rng(0).exponential(size=len(y_train))
    yield f"one tree, {len(y_train):,} x 20, 5 classes (make_classification)"
    ours, theirs = C45Classifier(), clone(CART)
    ours.fit(X_train[:500], y_train[:500])
    times = least_times(
        [lambda: ours.fit(X_train, y_train, weight), lambda: theirs.fit(X_train, y_train, weight)], settings.repeats
    )
    weighted = ours.score(X_test, y_test), theirs.score(X_test, y_test)
    plain = least_times([lambda: ours.fit(X_train, y_train), lambda: theirs.fit(X_train, y_train)], settings.repeats)
    scores = ours.score(X_test, y_test), theirs.score(X_test, y_test)
    yield comparison("  unweighted", *plain, 5, CART_NAME, scores)
    yield comparison("  real weights", *times, 5, CART_NAME, weighted)
    jar = weka.find_jar()
    if jar:
        run = weka.best_run(jar, weka.J48, data, settings.slow_repeats)
        yield comparison("  unweighted", plain[0], run.seconds, 10, "Weka's J48, wall clock", (scores[0], run.accuracy))
    else:
        yield comparison("  unweighted", plain[0], J48_SECONDS, 10, "J48 on another machine; Weka was not found")


class WeightedTrees:
    """100 of scikit-learn's trees, each with real weights, and the mean of their probabilities: wagging by hand."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> WeightedTrees:
        """Grow the trees."""
        random = np.random.default_rng(0)
        self.trees_ = [clone(CART).fit(X, y, sample_weight=random.exponential(size=len(y))) for _ in range(100)]
        return self

    def score(self, X: np.ndarray, y: np.ndarray) -> float:
        """Return the accuracy."""
        votes = np.mean([tree.predict_proba(X) for tree in self.trees_], axis=0)
        return float(np.mean(self.trees_[0].classes_[votes.argmax(axis=1)] == y))


PEERS: tuple[tuple[str, str, Any, float | None, str], ...] = (
    ("bagging", "bagging", BaggingClassifier(CART, 100, random_state=0), 7, f"bagging of {CART_NAME}"),
    ("boosting", "boost", AdaBoostClassifier(CART, n_estimators=100, random_state=0), 8, f"AdaBoost over {CART_NAME}"),
    ("wagging", "wag", BaggingClassifier(CART, 100, random_state=0), 3, f"bagging of {CART_NAME}"),
    ("wagging", "wag", WeightedTrees(), None, f"100 weighted fits of {CART_NAME}"),
)


def hundred_members(name: str, settings: Settings) -> Iterator[str]:
    """Compare ensembles of 100 members on one of the datasets."""
    data = split(*DATA[name]())
    X_train, X_test, y_train, y_test = data
    yield f"100 members, {len(y_train):,} x 20, 2 classes ({name})"
    for work, system, peer, target, label in PEERS:
        ours, theirs = _warm(system, data), clone(peer, safe=False)
        fits = [lambda m=ours: m.fit(X_train, y_train), lambda m=theirs: m.fit(X_train, y_train)]
        times = least_times(fits, settings.slow_repeats)
        scores = ours.score(X_test, y_test), theirs.score(X_test, y_test)
        yield comparison(f"  {work}", *times, target, label, scores)
    yield from _beside_weka(data, settings)
    yield from _beside_aeon(data, settings)


def _warm(system: str, data: Any) -> Any:
    """Return a system of 100 members; three have been grown, so that all that it needs is compiled."""
    X_train, _, y_train, _ = data
    method(system, n_estimators=3, random_state=0).fit(X_train[:200], y_train[:200]).predict(X_train)
    return method(system, random_state=0)


def _timed(system: str, data: Any, settings: Settings) -> tuple[float, float]:
    X_train, X_test, y_train, y_test = data
    model = _warm(system, data)
    return least_times([lambda: model.fit(X_train, y_train)], settings.slow_repeats)[0], model.score(X_test, y_test)


def _beside_weka(data: Any, settings: Settings) -> Iterator[str]:
    jar = weka.find_jar()
    if jar is None:
        yield "  MultiBoost: Weka was not found; name its jar in WEKA_JAR"
        return
    run = weka.best_run(jar, weka.MULTIBOOST, data, settings.slow_repeats)
    seconds, score = _timed("multiboost", data, settings)
    yield comparison(
        "  MultiBoost", seconds, run.seconds, 10, "Weka's MultiBoostAB over J48, wall clock", (score, run.accuracy)
    )


def _beside_aeon(data: Any, settings: Settings) -> Iterator[str]:
    python = aeon_forest.find_python()
    if python is None:
        yield "  rotation forest: aeon was not found; name an interpreter that has it in AEON_PYTHON"
        return
    theirs, their_score = aeon_forest.best_run(python, data, settings.slow_repeats)
    seconds, score = _timed("rotation-forest", data, settings)
    yield comparison("  rotation forest", seconds, theirs, 5, "aeon's rotation forest", (score, their_score))


def predictions(name: str, settings: Settings) -> Iterator[str]:
    """Compare predictions of 100 trees for few and for many rows."""
    X, y = DATA[name]()
    n_train = round(2 * len(y) / 3)
    shape = max(ASKED_ROWS), X.shape[1]
    rows = np.resize(X, shape) + np.random.default_rng(0).normal(0, 0.1, shape)
    yield f"prediction by 100 trees grown on {n_train:,} x 20, 2 classes ({name})"
    ours = method("bagging", random_state=0).fit(X[:n_train], y[:n_train])
    for peer, label in (
        (BaggingClassifier(CART, 100, random_state=0), f"bagging of {CART_NAME}"),
        (RandomForestClassifier(100, random_state=0), "scikit-learn's forest"),
    ):
        theirs = peer.fit(X[:n_train], y[:n_train])
        for n_rows in ASKED_ROWS:
            asked = rows[:n_rows]
            asks = [lambda m=ours, asked=asked: m.predict(asked), lambda m=theirs, asked=asked: m.predict(asked)]
            yield comparison(f"  {n_rows:,} rows", *least_times(asks, settings.repeats), 3, label)


def small(settings: Settings) -> Iterator[str]:
    """Compare fits of 100 trees on few rows, where what Python does for each tree counts."""
    X, y = load_iris(return_X_y=True)
    yield f"100 members, {len(y)} x {X.shape[1]}, 3 classes (iris)"
    forest = RandomForestClassifier(100, random_state=0)
    for work, system in SMALL_SYSTEMS.items():
        ours = method(system, random_state=0).fit(X, y)
        fits = [lambda m=ours: m.fit(X, y), lambda: forest.fit(X, y)]
        scores = ours.score(X, y), forest.fit(X, y).score(X, y)
        yield comparison(f"  {work}", *least_times(fits, settings.repeats), 2, "scikit-learn's forest", scores)


def growth(settings: Settings) -> Iterator[str]:
    """Time fits on more and more rows against n log n."""
    X, y = numeric_rows(max(GROWTH_ROWS), 5)
    yield "growth with the rows, 20 columns, 5 classes (make_classification)"
    first: tuple[float, float] | None = None
    for n_rows in GROWTH_ROWS:
        fits = [
            lambda model=model, n_rows=n_rows: model.fit(X[:n_rows], y[:n_rows])
            for model in (C45Classifier(), clone(CART))
        ]
        times = least_times(fits, settings.repeats)
        each = tuple(1e9 * seconds / (n_rows * math.log2(n_rows)) for seconds in times)
        first = first or each
        yield (
            f"  {n_rows:6,} rows: {times[0]:7.3f} s, {each[0]:6.1f} ns per n log2 n;"
            f"   {CART_NAME} {times[1]:7.3f} s, {each[1]:6.1f} ns"
        )
    relative = each[0] / first[0]
    yield (
        f"  time over n log2 n changed by {relative:.2f} ({CART_NAME}: {each[1] / first[1]:.2f}); "
        f"target: no growth, {GROWTH_TOLERANCE} at most: {verdict(relative <= GROWTH_TOLERANCE)}"
    )


def million() -> Iterator[str]:
    """Fit a million rows in a process of its own; tell its time and memory, and what 100 trees would take."""
    yield f"a million rows, {MEMORY_ROWS:,} x 20, 5 classes (make_classification)"
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "rows.npy")
        np.save(path, np.column_stack(numeric_rows(MEMORY_ROWS, 5)))
        command = [sys.executable, __file__, "--memory-of", str(path)]
        outcome = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, two_seconds, data_gb, peak_gb = map(float, outcome.stdout.split())
    small_X, small_y = numeric_rows(GROWTH_ROWS[0], 5)
    few = least_times([lambda: C45Classifier().fit(small_X, small_y)], 5)[0]
    relative = seconds / few * GROWTH_ROWS[0] * math.log2(GROWTH_ROWS[0]) / (MEMORY_ROWS * math.log2(MEMORY_ROWS))
    minutes = 100 * two_seconds / 2 / 60
    yield (
        f"  fit {seconds:.1f} s, {relative:.2f} times what {GROWTH_ROWS[0]:,} rows take over n log2 n; "
        f"target: {GROWTH_TOLERANCE} at most: {verdict(relative <= GROWTH_TOLERANCE)}"
    )
    yield (
        f"  two wagged trees by two jobs {two_seconds:.1f} s, so 100 in about {minutes:.0f} minutes; "
        f"target: {HUNDRED_TREES_MINUTES} at most: {verdict(minutes <= HUNDRED_TREES_MINUTES)}"
    )
    yield (
        f"  most memory {peak_gb:.2f} GB, of which the data {data_gb:.2f} GB; "
        f"target: under {MEMORY_LIMIT_GB:.0f} GB: {verdict(peak_gb < MEMORY_LIMIT_GB)}"
    )


def fit_and_tell_memory(path: str) -> None:
    """Fit the rows of a file; print the CPU seconds of a tree, the wall clock's of two, GB of rows, most GB held."""
    rows = np.load(path)
    X, y = np.ascontiguousarray(rows[:, :-1]), rows[:, -1].astype(int)
    del rows
    C45Classifier().fit(X[:500], y[:500])
    seconds = cpu_time(lambda: C45Classifier().fit(X, y))
    began = time.perf_counter()
    method("wag", n_estimators=2, n_jobs=2, random_state=0).fit(X, y)
    print(seconds, time.perf_counter() - began, X.nbytes / 1e9, peak_memory_gb())


def main() -> None:
    """Print every comparison as soon as it is made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one run of what is slow, two of the rest")
    parser.add_argument("--data", nargs="+", choices=DATA, default=["classification", "twonorm"])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--memory-of", metavar="FILE", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory_of:
        fit_and_tell_memory(arguments.memory_of)
        return
    settings = Settings(2, 1) if arguments.quick else Settings(5, 2)
    print(f"CPU seconds, one thread, least of {settings.repeats} runs, of what is slow {settings.slow_repeats}")
    print(heading())
    with threadpool_limits(1):
        for part in arguments.parts:
            for line in PARTS[part](arguments.data, settings):
                print(line, flush=True)


PARTS: dict[str, Callable[[list[str], Settings], Iterator[str]]] = {
    "tree": lambda names, settings: one_tree(settings),
    "members": lambda names, settings: (line for name in names for line in hundred_members(name, settings)),
    "predictions": lambda names, settings: (line for name in names for line in predictions(name, settings)),
    "small": lambda names, settings: small(settings),
    "growth": lambda names, settings: growth(settings),
    "million": lambda names, settings: million(),
}


if __name__ == "__main__":
    main()
