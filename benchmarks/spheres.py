"""Sphere covers and their ensembles beside scikit-learn: CPU time, accuracy, and memory.

One thread, minimum of several runs taken in turn; ratio = peer / covey, so that 0.33x means three times as long as the
peer. Run by ``make bench-spheres``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from machine import machine
from measure import comparison, cpu_time, heading, least_times, peak_memory_gb, verdict
from numpy.typing import NDArray
from samples import DATA, split
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import pairwise_distances_argmin_min
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler
from threadpoolctl import threadpool_limits

from covey import (
    BorderSphereEnsembleClassifier,
    SphereCoverClassifier,
    SphereEnsembleClassifier,
    SubspaceSphereEnsembleClassifier,
)
from covey.datasets import DatasetNotFoundError, load, make_twonorm
from covey.learners.euclid import EuclideanRows
from covey.learners.space import Points, space_of
from covey.table import as_table

LARGE_ROWS, LARGE_SECONDS, LARGE_GB = 100_000, 30.0, 2.0
AGREEMENT = 1e-6  # scikit-learn adds products up, which is inexact for cases that are close


class Settings(NamedTuple):
    """How much to do.

    Parameters
    ----------
    repeats, slow_repeats : int
        Runs of what is fast, and of ensembles.
    shrink : int
        By what the numbers of rows and members are divided.
    """

    repeats: int
    slow_repeats: int
    shrink: int

    def asked(self, target: float | None) -> float | None:
        """Return a target; what has been made smaller has none."""
        return target if self.shrink == 1 else None


# Nearest enemies


class Shape(NamedTuple):
    """Data to find enemies in.

    Parameters
    ----------
    n_rows, n_columns, n_classes : int
    target : float
        How many times as long the peer should take.
    kind : {"normal", "letter", "ties"}
        Normal classes; the images of letters, normal classes if they are not found; or small whole numbers.
    """

    n_rows: int
    n_columns: int
    n_classes: int
    target: float = 1
    kind: str = "normal"


SHAPES = (
    Shape(20_000, 16, 26, 3, "letter"),
    Shape(4_934, 20, 2),
    Shape(2_000, 200, 2),
    Shape(1_000, 4, 3),
    Shape(500, 2_000, 2, 2),
    Shape(5_000, 9, 2, 1, "ties"),
)


def drawn(shape: Shape) -> tuple[np.ndarray, np.ndarray, str]:
    """Return rows, class codes, and what they are."""
    if shape.kind == "letter":
        try:
            data = load("letter")
        except DatasetNotFoundError:
            return drawn(shape._replace(kind="normal"))
        codes = np.unique(np.asarray(data.target), return_inverse=True)[1]
        return data.frame.to_numpy(dtype=np.float64)[: shape.n_rows], codes[: shape.n_rows], "letter"
    random = np.random.default_rng(0)
    codes = np.arange(shape.n_rows) % shape.n_classes
    if shape.kind == "ties":
        rows = random.binomial(9, np.where(codes == 0, 0.2, 0.5)[:, None], size=(shape.n_rows, shape.n_columns))
        return rows.astype(np.float64), codes, "whole numbers 0 to 9"
    centers = random.normal(size=(shape.n_classes, shape.n_columns))
    return centers[codes] + random.normal(size=(shape.n_rows, shape.n_columns)), codes, "normal classes"


def covey_enemies(points: Points, codes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return each case's distance from the nearest case of another class; nothing but the points is known before."""
    fresh = Points(points.exact, points.n_plain, points.n_numbers)
    return EuclideanRows(codes, fresh).all_enemies(1).distances[:, 0]


def their_enemies(X: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the same by a search for the cases of each class among all others."""
    distances = np.empty(len(X))
    for code in range(codes.max() + 1):
        own = codes == code
        distances[own] = pairwise_distances_argmin_min(X[own], X[~own])[1]
    return distances


def enemies(settings: Settings) -> Iterator[str]:
    """Compare searches for the nearest enemy of every case."""
    yield "nearest enemies of all cases"
    farthest = 0.0
    for shape in SHAPES:
        X, codes, kind = drawn(shape._replace(n_rows=max(shape.n_rows // settings.shrink, 200)))
        X = MinMaxScaler().fit_transform(X)
        # The first time, what is needed gets compiled.
        points = space_of(as_table(X))[1]
        farthest = max(farthest, float(np.abs(covey_enemies(points, codes) - their_enemies(X, codes)).max()))
        works = [
            lambda points=points, codes=codes: covey_enemies(points, codes),
            lambda X=X, codes=codes: their_enemies(X, codes),
        ]
        size = f"  {len(X):,} x {X.shape[1]:,}, {shape.n_classes} classes"
        label = f"scikit-learn's search per class; {kind}"
        yield comparison(size, *least_times(works, settings.repeats), settings.asked(shape.target), label)
    yield f"  distances differ by {farthest:.0e} at most: {'they agree' if farthest < AGREEMENT else 'THEY DISAGREE'}"


# Ensembles


def ensembles(n_members: int) -> list[tuple[str, Any, float | None]]:
    """Return what to compare with a random forest, with the targets."""
    given: dict[str, Any] = {"min_sphere_size": 5, "random_state": 0}
    subspaces: dict[str, Any] = {"subspace_size": 13, "min_sphere_size": 2, "random_state": 0}
    return [
        ("alpha-RSE, size 5", SphereEnsembleClassifier(n_members, **given), 1),
        ("alpha-RSE, size chosen", SphereEnsembleClassifier(n_members, random_state=0), 1),
        ("alpha-beta-RSE, size 5", BorderSphereEnsembleClassifier(n_members, **given), None),
        ("alpha-beta-RSE, size chosen", BorderSphereEnsembleClassifier(n_members, random_state=0), 1 / 1.5),
        ("alpha-RSSE, 13 columns, size 2", SubspaceSphereEnsembleClassifier(n_members, **subspaces), 1 / 3),
        ("alpha-RSSE, both chosen", SubspaceSphereEnsembleClassifier(n_members, random_state=0), 1 / 1.5),
    ]


def members(name: str, settings: Settings) -> Iterator[str]:
    """Compare training and prediction of ensembles with a random forest of as many trees."""
    X, y = DATA[name]()
    X_train, X_test, y_train, y_test = split(X[:: settings.shrink], y[:: settings.shrink])
    n_members = 100 // settings.shrink
    yield f"fit and predict, {n_members} members, {len(y_train):,} x {X.shape[1]}, 2 classes ({name})"
    pairs = ensembles(n_members)
    models = [*(model for _, model, _ in pairs), RandomForestClassifier(n_members, n_jobs=1, random_state=0)]
    for model in models:
        model.fit(X_train[:200], y_train[:200]).predict(X_test[:200])
    said: dict[int, np.ndarray] = {}

    def work(at: int) -> None:
        said[at] = models[at].fit(X_train, y_train).predict(X_test)

    times = least_times([lambda at=at: work(at) for at in range(len(models))], settings.slow_repeats)
    scores = [float(np.mean(said[at] == y_test)) for at in range(len(models))]
    for (label, _, target), seconds, score in zip(pairs, times, scores, strict=False):
        asked, accuracies = settings.asked(target), (score, scores[-1])
        yield comparison(f"  {label}", seconds, times[-1], asked, "scikit-learn's random forest", accuracies)


# One cover


def prediction(name: str, settings: Settings) -> Iterator[str]:
    """Compare predictions of one cover with those of the nearest neighbour."""
    X, y = DATA[name]()
    X_train, X_test, y_train, y_test = split(X[:: settings.shrink], y[:: settings.shrink])
    cover = SphereCoverClassifier(5, random_state=0).fit(X_train, y_train)
    neighbour = KNeighborsClassifier(1).fit(X_train, y_train)
    yield f"prediction of {len(y_test):,} rows by {len(cover.radii_):,} spheres ({name})"
    scores = cover.score(X_test, y_test), neighbour.score(X_test, y_test)
    times = least_times([lambda: cover.predict(X_test), lambda: neighbour.predict(X_test)], settings.repeats)
    yield comparison("  one cover", *times, None, f"scikit-learn's 1-NN of {len(y_train):,} cases", scores)


ASKED = 100_000


def many(settings: Settings) -> Iterator[str]:
    """Compare predictions of many rows by an ensemble over random columns with those of the nearest neighbour."""
    n_train, n_asked, n_members = 5_000 // settings.shrink, ASKED // settings.shrink, 100 // settings.shrink
    X, y = make_twonorm(n_train + n_asked, random_state=0)
    ensemble = SubspaceSphereEnsembleClassifier(n_members, subspace_size=13, min_sphere_size=5, random_state=0)
    models = [ensemble, KNeighborsClassifier(1)]
    for model in models:
        model.fit(X[:n_train], y[:n_train]).predict(X[:200])
    yield f"prediction of {n_asked:,} rows, {n_train:,} x {X.shape[1]} (twonorm)"
    times = least_times([lambda model=model: model.predict(X[n_train:]) for model in models], 1)
    yield comparison(f"  alpha-RSSE, {n_members} covers", *times, None, "scikit-learn's 1-NN")


def large(settings: Settings) -> Iterator[str]:
    """Cover many cases in a process of its own and tell the CPU seconds and the most memory it held."""
    n_rows = LARGE_ROWS // settings.shrink
    yield f"one cover, {n_rows:,} x 20, 2 classes (twonorm), size 5"
    outcome = subprocess.run(
        [sys.executable, __file__, "--cover-rows", str(n_rows)], check=True, stdout=subprocess.PIPE, text=True
    )
    seconds, peak_gb = map(float, outcome.stdout.split())
    for text, value, limit, unit in (("fit", seconds, LARGE_SECONDS, "s"), ("most memory", peak_gb, LARGE_GB, "GB")):
        asked = f"; target: under {limit:.0f} {unit}: {verdict(value < limit)}" if settings.asked(limit) else ""
        yield f"  {text} {value:.2f} {unit}{asked}"


def cover_and_tell(n_rows: int) -> None:
    """Cover cases, and print the CPU seconds and the most memory held, in GB."""
    X, y = make_twonorm(n_rows, random_state=0)
    model = SphereCoverClassifier(5, random_state=0)
    with threadpool_limits(1):
        model.fit(X[:500], y[:500])
        seconds = cpu_time(lambda: model.fit(X, y))
    print(seconds, peak_memory_gb())


PARTS: dict[str, Callable[[list[str], Settings], Iterator[str]]] = {
    "enemies": lambda names, settings: enemies(settings),
    "members": lambda names, settings: (line for name in names for line in members(name, settings)),
    "prediction": lambda names, settings: (line for name in names for line in prediction(name, settings)),
    "many": lambda names, settings: many(settings),
    "large": lambda names, settings: large(settings),
}


def main() -> None:
    """Print every comparison as soon as it is made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one run, of a twentieth of the rows and members")
    parser.add_argument("--data", nargs="+", choices=DATA, default=["twonorm", "classification"])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--cover-rows", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.cover_rows:
        cover_and_tell(arguments.cover_rows)
        return
    settings = Settings(1, 1, 20) if arguments.quick else Settings(5, 3, 1)
    print(f"CPU seconds, one thread, least of {settings.repeats} runs, of ensembles {settings.slow_repeats}")
    with threadpool_limits(1):
        print(machine())
        print(heading())
        for part in arguments.parts:
            for line in PARTS[part](arguments.data, settings):
                print(line, flush=True)


if __name__ == "__main__":
    main()
