"""Linear and logistic models over random columns beside scikit-learn: CPU time, accuracy, coefficients, and memory.

The peer is scikit-learn's bagging of linear or logistic regression over random columns, with the same tolerance. It
gets standardised columns, which spare it iterations, but for one line of what people type; covey gets the data as they
are. One thread, least of several runs taken in turn; ratio = peer / covey. Run by ``make bench-subspaces``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from measure import comparison, cpu_time, heading, least_times, peak_memory_gb, verdict
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import BaggingClassifier, BaggingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from covey import LogisticClassifier, RandomSubspaceClassifier, RandomSubspaceRegressor
from covey.datasets import DatasetNotFoundError, load

LOGISTIC_TARGET, LINEAR_TARGET, AGREEMENT = 4.0, 5.0, 1e-6
# Of one LogisticRegression's time, so many times as much for twenty members; of plain credit's for conditional credit.
MOST_TIMES, MOST_CREDIT = 30.0, 5.0
SHARE, TOLERANCE, LOGISTIC_COLUMNS, LINEAR_COLUMNS = 0.7, 1e-4, 33, 3
WIDE_ROWS, WIDE_COLUMNS, WIDE_SIZE = 60, 12_000, 110
MEMORY_ROWS, MEMORY_COLUMNS = 37_758, 6
Rows = tuple[np.ndarray, np.ndarray]


class Settings(NamedTuple):
    """How much to do.

    Parameters
    ----------
    repeats, slow_repeats : int
        Runs of each, and of what takes long.
    shrink : int
        By what the numbers of rows and members are divided.
    """

    repeats: int
    slow_repeats: int
    shrink: int

    def asked(self, target: float | None) -> float | None:
        """Return a target; what has been made smaller has none."""
        return target if self.shrink == 1 else None

    @property
    def n_members(self) -> int:
        """How many members ensembles have."""
        return 200 // self.shrink


class Task(NamedTuple):
    """Data in two parts, and what they are called."""

    name: str
    train: Rows
    test: Rows

    @property
    def size(self) -> str:
        """Rows and columns."""
        return f"{len(self.train[1]):,} x {self.train[0].shape[1]:,}"

    def standardised(self) -> Task:
        """Return the same on the scale that the peer needs fewest iterations on."""
        scaler = StandardScaler().fit(self.train[0])
        train, test = (scaler.transform(X) for X in (self.train[0], self.test[0]))
        return Task(self.name, (train, self.train[1]), (test, self.test[1]))


def mail(shrink: int = 1) -> Task:
    """Return 70 % of the mails for training; classes as large and as hard where they are not found."""
    try:
        data = load("spambase")
        X, y, name = data.frame.to_numpy(dtype=np.float64), np.asarray(data.target), "spambase"
    except DatasetNotFoundError:
        X, y = make_classification(4601, 57, n_informative=20, n_redundant=10, flip_y=0.1, random_state=0)
        name = "generated"
    return parted(name, X, y, shrink, y)


def diamonds(shrink: int = 1) -> Task:
    """Return 70 % of the diamonds for training, to tell their weight; as many numbers where they are not found."""
    try:
        data = load("diamonds", target="carat", drop=["cut", "color", "clarity"])
        X, y, name = data.frame.to_numpy(dtype=np.float64), np.asarray(data.target), "diamonds"
    except DatasetNotFoundError:
        X, y = make_regression(53_940, 6, n_informative=4, effective_rank=3, noise=0.1, random_state=0)
        name = "generated"
    return parted(name, X, y, shrink, None)


def parted(name: str, X: np.ndarray, y: np.ndarray, shrink: int, classes: np.ndarray | None) -> Task:
    """Divide rows into 70 % for training and 30 % for test."""
    classes = None if classes is None else classes[::shrink]
    X_train, X_test, y_train, y_test = train_test_split(
        X[::shrink], y[::shrink], train_size=SHARE, stratify=classes, random_state=0
    )
    return Task(name, (X_train, y_train), (X_test, y_test))


def timed(models: list[Any], tasks: list[Task], repeats: int) -> tuple[np.ndarray, list[float]]:
    """Return the least seconds of training, of prediction and of both (a row per model), and the scores."""
    rounds = np.empty((repeats, len(models), 3))
    for number in range(repeats):
        for at, (model, task) in enumerate(zip(models, tasks, strict=True)):
            fit = cpu_time(lambda model=model, task=task: model.fit(*task.train))
            ask = cpu_time(lambda model=model, task=task: model.predict(task.test[0]))
            rounds[number, at] = fit, ask, fit + ask
    return rounds.min(axis=0), [model.score(*task.test) for model, task in zip(models, tasks, strict=True)]


def beside(
    models: list[Any], tasks: list[Task], labels: list[str], target: float | None, repeats: int
) -> Iterator[str]:
    """Give lines that compare the first model with each of the others, in training, prediction, and both."""
    models[0].fit(*(part[:200] for part in tasks[0].train)).predict(tasks[0].test[0][:10])
    times, scores = timed(models, tasks, repeats)
    for at, label in enumerate(labels, 1):
        for place, (what, asked) in enumerate((("fit", target), ("predict", None), ("fit and predict", target))):
            pair = float(times[0, place]), float(times[at, place])
            yield comparison(f"    {what}", *pair, asked, label, (scores[0], scores[at]))


def draw_of(share: float | None) -> tuple[str, dict[str, Any]]:
    """Return what a share of rows is called, and how scikit-learn's bagging is told of it."""
    name = "all rows" if share is None else f"a bootstrap sample of {share:.0%} of the rows"
    return name, {"bootstrap": share is not None, "max_samples": 1.0 if share is None else share, "random_state": 0}


# Logistic members

# What the peer is called, its parameters, and whether it gets standardised columns.
PEERS: tuple[tuple[str, dict[str, Any], bool], ...] = (
    ("lbfgs, C=1, columns as they are", {}, False),
    ("lbfgs, C=1", {}, True),
    ("lbfgs, no penalty", {"C": np.inf, "max_iter": 100_000}, True),
    ("newton-cholesky, no penalty", {"C": np.inf, "solver": "newton-cholesky", "max_iter": 1_000}, True),
)


def logistic(settings: Settings) -> Iterator[str]:
    """Compare ensembles of logistic regressions."""
    task, n_members = mail(settings.shrink), settings.n_members
    scaled = task.standardised()
    yield f"{n_members} logistic members, {task.size} ({task.name}), {LOGISTIC_COLUMNS} columns each"
    for share in (None, SHARE):
        name, rows = draw_of(share)
        yield f"  {name}"
        base = LogisticClassifier(tol=TOLERANCE)
        ours = RandomSubspaceClassifier(
            base, n_members, subspace_size=LOGISTIC_COLUMNS, bootstrap=share or False, random_state=0
        )
        theirs = [
            BaggingClassifier(
                LogisticRegression(tol=TOLERANCE, **params), n_members, max_features=LOGISTIC_COLUMNS, **rows
            )
            for _, params, _ in PEERS
        ]
        tasks = [task, *(scaled if is_scaled else task for *_, is_scaled in PEERS)]
        labels = [label for label, *_ in PEERS]
        yield from beside([ours, *theirs], tasks, labels, settings.asked(LOGISTIC_TARGET), settings.repeats)


def classes(settings: Settings) -> Iterator[str]:
    """Compare twenty members, the choice of their number of columns included, with one model of many classes."""
    shapes = ((400, 4, 100), (600, 4, 200)) if settings.shrink == 1 else ((60, 4, 12),)
    yield "many classes: 20 logistic members beside one LogisticRegression of all columns; accuracy on the same rows"
    for n_rows, n_columns, n_classes in shapes:
        X, y = many_classes(n_rows, n_columns, n_classes)
        yield f"  {n_rows} x {n_columns}, {n_classes} classes"
        ways: dict[str, dict[str, Any]] = {
            "subspace_size='auto'": {},
            "2 columns, all rows": {"subspace_size": 2},
            "2 columns, bootstrap": {"subspace_size": 2, "bootstrap": True},
            "all columns, bootstrap": {"subspace_size": 1.0, "bootstrap": True},
        }
        models = [RandomSubspaceClassifier(None, 20, random_state=0, **way) for way in ways.values()]
        peer = LogisticRegression()
        *times, theirs = least_times([partial(m.fit, X, y) for m in (*models, peer)], settings.repeats)
        for way, model, seconds in zip(ways, models, times, strict=True):
            scores = model.score(X, y), peer.score(X, y)
            target = settings.asked(1 / MOST_TIMES)
            yield comparison(f"    {way}", seconds, theirs, target, f"takes {seconds / theirs:.1f}x as long", scores)


def many_classes(n_rows: int, n_columns: int, n_classes: int) -> Rows:
    """Return rows that are normal about the centres of their classes, which are normal too."""
    random = np.random.default_rng(0)
    y = np.arange(n_rows) % n_classes
    return random.normal(size=(n_classes, n_columns))[y] + random.normal(size=(n_rows, n_columns)), y


# Linear members


def linear(settings: Settings) -> Iterator[str]:
    """Compare ensembles of linear regressions."""
    task, n_members = diamonds(settings.shrink), settings.n_members
    yield f"{n_members} linear members, {task.size} ({task.name}), {LINEAR_COLUMNS} columns each; scores are R²"
    for share in (None, SHARE):
        name, rows = draw_of(share)
        yield f"  {name}"
        ours = RandomSubspaceRegressor(
            None, n_members, subspace_size=LINEAR_COLUMNS, bootstrap=share or False, random_state=0
        )
        theirs = BaggingRegressor(LinearRegression(), n_members, max_features=LINEAR_COLUMNS, **rows)
        target = settings.asked(LINEAR_TARGET)
        yield from beside([ours, theirs], [task, task], ["bagged LinearRegression"], target, settings.repeats)


def coefficients(settings: Settings) -> Iterator[str]:
    """Compare the coefficients of members with those of scikit-learn's linear regression on the same columns."""
    task = diamonds(settings.shrink)
    X, y = task.train
    counts = np.random.default_rng(0).multinomial(len(y), np.full(len(y), 1 / len(y))).astype(np.float64)
    yield f"coefficients of members beside those of LinearRegression ({task.name})"
    for name, weight in (("all rows", np.ones(len(y))), ("rows with weights of a bootstrap sample", counts)):
        model = RandomSubspaceRegressor(None, settings.n_members, subspace_size=LINEAR_COLUMNS, random_state=0)
        model.fit(X, y, weight)
        farthest = 0.0
        for member, columns in zip(model.estimators_, model.estimators_features_, strict=True):
            exact = LinearRegression().fit(X[:, columns], y, weight).coef_
            farthest = max(farthest, float((np.abs(member.coef_ - exact) / np.abs(exact)).max()))
        outcome = verdict(farthest <= AGREEMENT) if settings.asked(AGREEMENT) else ""
        asked = f"; target: {AGREEMENT:.0e}: {outcome}" if outcome else ""
        yield f"  {name}: relative differences are at most {farthest:.0e}{asked}"


# Weights that learn


def evolving(settings: Settings) -> Iterator[str]:
    """Compare ERASSEL, by each kind of credit, with bagging, which learns nothing of the columns."""
    n_members, sizes = settings.n_members, (LOGISTIC_COLUMNS, LINEAR_COLUMNS)
    peers = (
        BaggingClassifier(LogisticRegression(tol=TOLERANCE), n_members, max_features=sizes[0], **draw_of(SHARE)[1]),
        BaggingRegressor(LinearRegression(), n_members, max_features=sizes[1], **draw_of(SHARE)[1]),
    )
    families: tuple[tuple[Any, Task, tuple[str, ...]], ...] = (
        (RandomSubspaceClassifier, mail(settings.shrink), ("accuracy", "error", "conditional")),
        (RandomSubspaceRegressor, diamonds(settings.shrink), ("error", "conditional")),
    )
    yield f"weights that learn, {n_members} members; fit and predict"
    for (family, task, credits), size, peer in zip(families, sizes, peers, strict=True):
        yield f"  {task.size} ({task.name}), {size} columns each"
        models = [
            family(None, n_members, weighting="evolving", credit=credit, subspace_size=size, random_state=0)
            for credit in credits
        ]
        tasks = [*[task] * len(models), task.standardised()]
        times, scores = timed([*models, peer], tasks, settings.slow_repeats)
        for credit, seconds, score in zip(credits, times[:, 2].tolist(), scores, strict=False):
            label = f"bagging{', lbfgs, C=1' if size == LOGISTIC_COLUMNS else ''}"
            yield comparison(f"    credit={credit!r}", seconds, float(times[-1, 2]), None, label, (score, scores[-1]))
        plain, conditional = float(times[len(credits) - 2, 2]), float(times[len(credits) - 1, 2])
        target = settings.asked(1 / MOST_CREDIT)
        label = f"credit='error'; takes {conditional / plain:.1f}x as long"
        yield comparison("    credit='conditional'", conditional, plain, target, label)


def choice(settings: Settings) -> Iterator[str]:
    """Time the choice of the number of columns together with the training of the ensemble chosen."""
    families: tuple[tuple[Any, Task], ...] = (
        (RandomSubspaceClassifier, mail(settings.shrink)),
        (RandomSubspaceRegressor, diamonds(settings.shrink)),
    )
    yield f"training with subspace_size='auto', {settings.n_members} members"
    for family, task in families:
        for weighting in ("uniform", "evolving"):
            model = family(None, settings.n_members, weighting=weighting, random_state=0)
            (seconds,) = least_times([lambda model=model, task=task: model.fit(*task.train)], settings.slow_repeats)
            curve = model.size_curve_
            chosen = f"{curve.chosen} columns chosen, by the {curve.reason}, {len(curve.sizes)} sizes tried"
            yield f"  {task.size} ({task.name}), {weighting}: {seconds:.2f} s; {chosen}"


# Many columns


def wide_data(shrink: int) -> tuple[Task, Task]:
    """Return few rows of many columns, a twentieth of which tell something: for classes and for numbers."""
    random = np.random.default_rng(0)
    y, n_columns = random.normal(size=2 * WIDE_ROWS), WIDE_COLUMNS // shrink
    X = random.normal(size=(len(y), n_columns))
    X[:, : n_columns // 20] += 0.3 * y[:, None]
    halves = slice(None, WIDE_ROWS), slice(WIDE_ROWS, None)
    classes, numbers = (Task("normal", *((X[half], target[half]) for half in halves)) for target in (y > 0, y))
    return classes, numbers


def wide(settings: Settings) -> Iterator[str]:
    """Compare ensembles where there are far more columns than rows."""
    n_members, tasks = settings.n_members, wide_data(settings.shrink)
    size = WIDE_SIZE // settings.shrink
    common: dict[str, Any] = {"max_features": size, "bootstrap": False, "random_state": 0}
    peers = (
        BaggingClassifier(LogisticRegression(tol=TOLERANCE), n_members, **common),
        BaggingRegressor(LinearRegression(), n_members, **common),
    )
    yield f"{n_members} members, {tasks[0].size}, {size} columns each; fit and predict"
    for family, task, peer in zip((RandomSubspaceClassifier, RandomSubspaceRegressor), tasks, peers, strict=True):
        models = [
            family(None, n_members, weighting=weighting, subspace_size=size, random_state=0)
            for weighting in ("uniform", "relevance", "evolving")
        ]
        times, scores = timed([*models, peer], [task] * 4, settings.slow_repeats)
        label = f"bagged {type(peer.estimator).__name__}"
        for model, seconds, score in zip(models, times[:, 2].tolist(), scores, strict=False):
            yield comparison(f"  {model.weighting}", seconds, float(times[-1, 2]), None, label, (score, scores[-1]))


def memory(settings: Settings) -> Iterator[str]:
    """Train linear members in a process of its own and tell the most memory that it held beyond the data."""
    n_rows, n_members = MEMORY_ROWS // settings.shrink, settings.n_members
    data_mb = n_rows * (MEMORY_COLUMNS + 1) * 8 / 1e6
    yield f"{n_members} linear members, {n_rows:,} x {MEMORY_COLUMNS}, 10 rows to predict: {data_mb:.1f} MB of data"
    for kind in WAYS:
        outcome = subprocess.run(
            [sys.executable, __file__, "--memory-of", kind, "--shrink", str(settings.shrink)],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        yield f"  {kind}: most memory beyond the data and Python itself {float(outcome.stdout) * 1000:.1f} MB"


# How the members whose memory is told draw their rows and columns.
WAYS: dict[str, dict[str, Any]] = {
    "uniform": {},
    "adaptive": {"bootstrap": SHARE},
    "evolving": {"weighting": "evolving"},
}


def train_and_tell(kind: str, shrink: int) -> None:
    """Train and predict, and print by how much the most memory held is above that before, in GB."""
    random = np.random.default_rng(0)
    X = random.normal(size=(MEMORY_ROWS // shrink, MEMORY_COLUMNS))
    y = X[:, 0] + random.normal(size=len(X))
    model = RandomSubspaceRegressor(None, 200 // shrink, subspace_size=LINEAR_COLUMNS, random_state=0, **WAYS[kind])
    model.fit(X[:100], y[:100]).predict(X[:10])
    before = peak_memory_gb()
    model.fit(X, y).predict(X[:10])
    print(peak_memory_gb() - before)


PARTS: dict[str, Callable[[Settings], Iterator[str]]] = {
    "logistic": logistic,
    "classes": classes,
    "linear": linear,
    "coefficients": coefficients,
    "evolving": evolving,
    "choice": choice,
    "wide": wide,
    "memory": memory,
}


def main() -> None:
    """Print every comparison as soon as it is made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one run, of a twentieth of the rows and members")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)
    parser.add_argument("--shrink", type=int, default=1, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory_of:
        train_and_tell(arguments.memory_of, arguments.shrink)
        return
    settings = Settings(1, 1, 20) if arguments.quick else Settings(5, 3, 1)
    print(f"CPU seconds, one thread, least of {settings.repeats} runs, of what is slow {settings.slow_repeats}")
    print(heading())
    with threadpool_limits(1), warnings.catch_warnings():
        # That iterations did not suffice or a ridge was needed is no news here.
        warnings.simplefilter("ignore")
        for part in arguments.parts:
            for line in PARTS[part](settings):
                print(line, flush=True)


if __name__ == "__main__":
    main()
