"""Nearest neighbours from many feature subsets beside scikit-learn: CPU time, accuracy, and memory.

The peer is bagging of scikit-learn's nearest neighbour over random columns, by brute force and by kd-trees, whichever
is faster. One thread, least of several runs taken in turn; ratio = peer / covey. Run by ``make bench-neighbours``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from machine import machine
from measure import comparison, heading, least_times, peak_memory_gb, verdict
from samples import split
from sklearn.ensemble import BaggingClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler
from threadpoolctl import threadpool_limits

from covey import FeatureSubsetNeighborsClassifier
from covey.datasets import DatasetNotFoundError, load, make_twonorm, make_waveform

CHOICE_SECONDS, LARGE_ROWS, LARGE_COLUMNS, TIMES_DATA, MORE_GB = 20.0, 1_000_000, 20, 3.0, 0.2
ALGORITHMS = ("brute", "kd_tree")
Rows = tuple[np.ndarray, np.ndarray]


class Settings(NamedTuple):
    """How much to do.

    Parameters
    ----------
    repeats : int
        Runs of each.
    shrink : int
        By what the numbers of rows and members are divided.
    """

    repeats: int
    shrink: int

    def asked(self, target: float | None) -> float | None:
        """Return a target; what has been made smaller has none."""
        return target if self.shrink == 1 else None


def letters() -> Rows:
    """Return the images of letters, whole numbers from 0 to 15; numbers as coarse where they are not found."""
    try:
        data = load("letter")
        return data.frame.to_numpy(dtype=np.float64), np.asarray(data.target)
    except DatasetNotFoundError:
        X, y = make_twonorm(20_000, n_features=16, random_state=0)
        return np.clip(np.rint(7.5 + 2.5 * X), 0, 15), y


class Task(NamedTuple):
    """Data, how many columns each member sees, and how many times as long the peer should take."""

    name: str
    draw: Callable[[], Rows]
    subset_size: int
    target: float


TASKS = (
    Task("twonorm", lambda: make_twonorm(7400, random_state=0), 7, 10),
    Task("waveform", lambda: make_waveform(5000, n_noise_features=19, random_state=0), 14, 5),
    Task("letter", letters, 5, 4),
)


def peers(subset_size: int, n_members: int) -> list[Any]:
    """Return bagged nearest neighbours over random columns, one per algorithm."""
    return [
        BaggingClassifier(
            KNeighborsClassifier(1, algorithm=algorithm),
            n_members,
            max_features=subset_size,
            bootstrap=False,
            random_state=0,
        )
        for algorithm in ALGORITHMS
    ]


def beside(
    name: str, train: Rows, test: Rows, subset_size: int, target: float | None, n_members: int, repeats: int
) -> str:
    """Return a line that compares training and prediction with the faster of the peers."""
    ours = FeatureSubsetNeighborsClassifier(n_members, subset_size=subset_size, replacement=False, random_state=0)
    models = [ours, *peers(subset_size, n_members)]
    said: dict[int, np.ndarray] = {}

    def work(at: int) -> None:
        said[at] = models[at].fit(*train).predict(test[0])

    times = least_times([lambda at=at: work(at) for at in range(len(models))], repeats)
    best = 1 + int(np.argmin(times[1:]))
    scores = float(np.mean(said[0] == test[1])), float(np.mean(said[best] == test[1]))
    label = f"scikit-learn's bagging, {ALGORITHMS[best - 1]}"
    size = f"  {name}{len(train[1]):,} x {train[0].shape[1]}, {subset_size} each"
    return comparison(size, times[0], times[best], target, label, scores)


def scaled(X_train: np.ndarray, X_test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers from 0 to 1, so that the peers see what covey sees."""
    scaler = MinMaxScaler().fit(X_train)
    return scaler.transform(X_train), scaler.transform(X_test)


def members(settings: Settings) -> Iterator[str]:
    """Compare ensembles on three sets of data."""
    n_members = 100 // settings.shrink
    yield f"fit and predict, {n_members} members"
    for task in TASKS:
        X, y = task.draw()
        X_train, X_test, y_train, y_test = split(X[:: settings.shrink], y[:: settings.shrink])
        train, test = scaled(X_train, X_test)
        target = settings.asked(task.target)
        yield beside(
            f"{task.name} ", (train, y_train), (test, y_test), task.subset_size, target, n_members, settings.repeats
        )


# Rows, columns, and columns of each member: 35 %, and as few as kd-trees are made for.
SHAPES = tuple(
    (n_rows, n_columns, size)
    for n_columns, size in ((20, 7), (10, 3))
    for n_rows in (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
)


def sizes(settings: Settings) -> Iterator[str]:
    """Compare ensembles from few rows to many, with half as many rows to predict, a thousand at most."""
    n_members = 100 // settings.shrink
    yield f"from few rows to many, {n_members} members (twonorm)"
    for n_rows, n_columns, subset_size in SHAPES:
        n_train = max(n_rows // settings.shrink, 50)
        X, y = make_twonorm(n_train + min(n_train // 2, 1_000), n_features=n_columns, random_state=0)
        train, test = scaled(X[:n_train], X[n_train:])
        repeats = settings.repeats if n_rows <= 10_000 else 1
        target = settings.asked(10 if (n_rows, n_columns) == (100_000, 20) else 1)
        yield beside("", (train, y[:n_train]), (test, y[n_train:]), subset_size, target, n_members, repeats)


ASKED, ASKED_MEMBERS = 100_000, 10


def prediction(settings: Settings) -> Iterator[str]:
    """Compare predictions of many rows with those of bagged neighbours, and of one over all columns."""
    n_train, n_asked = 5_000 // settings.shrink, ASKED // settings.shrink
    X, y = make_twonorm(n_train + n_asked, random_state=0)
    train, test = scaled(X[:n_train], X[n_train:])
    ours = FeatureSubsetNeighborsClassifier(ASKED_MEMBERS, subset_size=7, replacement=False, random_state=0)
    models = [ours, *peers(7, ASKED_MEMBERS), KNeighborsClassifier(1)]
    labels = [*(f"bagging of {ASKED_MEMBERS}, {algorithm}" for algorithm in ALGORITHMS), "1-NN along all columns"]
    for model in models:
        model.fit(train, y[:n_train])
        model.predict(test[:200])
    yield f"prediction of {n_asked:,} rows, {ASKED_MEMBERS} members, {n_train:,} x {X.shape[1]} (twonorm)"
    times = least_times([lambda model=model: model.predict(test) for model in models], 1)
    for seconds, label in zip(times[1:], labels, strict=True):
        yield comparison("  7 columns each", times[0], seconds, None, f"scikit-learn's {label}")


def choice(settings: Settings) -> Iterator[str]:
    """Choose the subset size by leave-one-out, on two threads."""
    try:
        data = load("segment")
        X, y, name = data.frame.to_numpy(dtype=np.float64), np.asarray(data.target), "segment"
    except DatasetNotFoundError:
        X, y = make_twonorm(2_310, n_features=19, random_state=0)
        name = "twonorm"
    X, y = X[:: settings.shrink], y[:: settings.shrink]
    yield f"leave-one-out over ten subset sizes, {len(y):,} x {X.shape[1]} ({name}), two threads, by the clock"
    for resample in ("fit", "query"):
        model = FeatureSubsetNeighborsClassifier(100, resample=resample, n_jobs=2, random_state=0)
        model.fit(X[:50], y[:50])
        began = time.perf_counter()
        model.fit(X, y)
        seconds = time.perf_counter() - began
        asked = settings.asked(CHOICE_SECONDS)
        outcome = f"; target: under {asked:.0f} s: {verdict(seconds < asked)}" if asked else ""
        yield f"  resample={resample!r}: {seconds:.2f} s, {model.subset_size_} columns chosen{outcome}"


def large(settings: Settings) -> Iterator[str]:
    """Train on many rows in a process of its own and tell the most memory that it held beyond the data."""
    n_rows = LARGE_ROWS // settings.shrink
    data_gb = n_rows * LARGE_COLUMNS * 8 / 1e9
    yield f"100 members, {n_rows:,} x {LARGE_COLUMNS}, 100 rows to predict: {data_gb:.3f} GB of data"
    outcome = subprocess.run(
        [sys.executable, __file__, "--memory-rows", str(n_rows)], check=True, stdout=subprocess.PIPE, text=True
    )
    peak_gb = float(outcome.stdout)
    limit = TIMES_DATA * data_gb + MORE_GB
    asked = f"; target: under {limit:.2f} GB: {verdict(peak_gb < limit)}" if settings.asked(limit) else ""
    yield f"  most memory beyond the data and Python itself {peak_gb:.2f} GB{asked}"


def train_and_tell(n_rows: int) -> None:
    """Train and predict, and print by how much the most memory held is above that before, in GB."""
    random = np.random.default_rng(0)
    X, y = random.random((n_rows, LARGE_COLUMNS)), random.integers(0, 2, n_rows)
    model = FeatureSubsetNeighborsClassifier(100, subset_size=7, random_state=0)
    model.fit(X[:100], y[:100]).predict(X[:10])
    before = peak_memory_gb()
    model.fit(X, y).predict(X[:100])
    print(peak_memory_gb() - before)


PARTS: dict[str, Callable[[Settings], Iterator[str]]] = {
    "members": members,
    "sizes": sizes,
    "prediction": prediction,
    "choice": choice,
    "large": large,
}


def main() -> None:
    """Print every comparison as soon as it is made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one run, of a twentieth of the rows and members")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--memory-rows", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory_rows:
        train_and_tell(arguments.memory_rows)
        return
    settings = Settings(1, 20) if arguments.quick else Settings(3, 1)
    print(f"CPU seconds, one thread, least of {settings.repeats} runs; accuracies are covey's and the peer's")
    with threadpool_limits(1):
        print(machine())
        print(heading())
        for part in arguments.parts:
            for line in PARTS[part](settings):
                print(line, flush=True)


if __name__ == "__main__":
    main()
