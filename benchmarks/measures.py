"""The measures of covey.analysis at full size: CPU time and memory on one thread, beside their targets.

Each size runs in a process of its own, whose most memory held is that of the interpreter, the libraries, the data and
the work.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
from measure import cpu_time, least_times, peak_memory_gb, verdict
from sklearn.metrics import cohen_kappa_score
from threadpoolctl import threadpool_limits

from covey.analysis import (
    domingos,
    kohavi_wolpert,
    kong_dietterich,
    measure_diversity,
    nemenyi,
    pairwise,
    squared_loss,
    win_draw_loss,
)

DIVERSITY_SECONDS, DIVERSITY_GB = 5.0, 1.0
OTHER_SECONDS = 2.0


class Settings(NamedTuple):
    """How much to do.

    Parameters
    ----------
    repeats : int
        Runs, of which the fastest counts.
    shrink : int
        By what the numbers of cases and members are divided.
    """

    repeats: int
    shrink: int

    def judge(self, is_met: bool) -> str:
        """Say whether a target is met; what has been made smaller has none."""
        return verdict(is_met) if self.shrink == 1 else ""


# Diversity


class Votes(NamedTuple):
    """Predictions to measure.

    Parameters
    ----------
    n_cases, n_members, n_classes : int
    kind : {"codes", "numbers", "text", "objects"}
        Codes as an ensemble's ``member_predictions(X, codes=True)`` gives; whole numbers; text as NumPy holds it; or
        Python strings.
    """

    n_cases: int
    n_members: int
    n_classes: int
    kind: str = "codes"

    def __str__(self) -> str:
        return f"{self.n_cases:,} x {self.n_members}, {self.n_classes} classes, {self.kind}"


DIVERSITY = (
    Votes(10_000, 500, 2),
    Votes(10_000, 500, 10),
    Votes(10_000, 500, 26),
    Votes(10_000, 500, 200),
    Votes(10_000, 500, 26, "numbers"),
    Votes(10_000, 500, 26, "text"),
    Votes(10_000, 500, 26, "objects"),
)


def cast(votes: Votes) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Draw predictions of members that know 0.5 to 0.9 of the cases, the truth, and the classes of codes."""
    random = np.random.default_rng(0)
    y = random.integers(votes.n_classes, size=votes.n_cases)
    predictions = np.empty((votes.n_cases, votes.n_members), dtype=np.int16)
    for column, skill in enumerate(random.uniform(0.5, 0.9, size=votes.n_members)):
        guesses = random.integers(votes.n_classes, size=votes.n_cases)
        predictions[:, column] = np.where(random.random(votes.n_cases) < skill, y, guesses)
    names = np.array([f"class {code:03}" for code in range(votes.n_classes)])
    if votes.kind == "codes":
        return predictions, names[y], names
    if votes.kind == "numbers":
        return predictions.astype(np.int64), y, None
    kind = object if votes.kind == "objects" else names.dtype
    return names.astype(kind)[predictions], names[y], None


def diversity(settings: Settings) -> Iterator[str]:
    """Measure the diversity of votes, and compare one of the measures with scikit-learn's."""
    yield f"all measures of diversity; targets: under {DIVERSITY_SECONDS:.0f} s and {DIVERSITY_GB:.0f} GB"
    for full in DIVERSITY:
        votes = full._replace(n_cases=full.n_cases // settings.shrink, n_members=full.n_members // settings.shrink)
        seconds, before, peak = in_a_process("--votes", *map(str, votes), "--repeats", str(settings.repeats))
        outcome = settings.judge(seconds < DIVERSITY_SECONDS and peak < DIVERSITY_GB)
        yield f"  {votes!s:40}{seconds:8.3f} s{peak:8.3f} GB, of which {before:.3f} before {outcome}"
    yield from kappas(settings)


def kappas(settings: Settings) -> Iterator[str]:
    """Compare the kappa of all pairs with scikit-learn's, timed on a few of them."""
    predictions, y, classes = cast(Votes(10_000 // settings.shrink, 500 // settings.shrink, 26))
    n_pairs, n_timed = predictions.shape[1] * (predictions.shape[1] - 1) // 2, 100
    timed = list(islice(combinations(predictions.T, 2), n_timed))
    work = [
        lambda: pairwise(predictions, y, classes=classes).kappa,
        lambda: [cohen_kappa_score(one, other) for one, other in timed],
    ]
    ours, theirs = least_times(work, settings.repeats)
    theirs *= n_pairs / len(timed)
    yield f"  kappa of all {n_pairs:,} pairs {ours:.3f} s; scikit-learn's, reckoned from {n_timed}, {theirs:.1f} s"


def measure_and_tell(votes: Votes, repeats: int) -> None:
    """Print the CPU seconds of all measures, and the most memory held before and in all, in GB."""
    predictions, y, classes = cast(votes)
    weights = np.random.default_rng(1).random(votes.n_members)
    before = peak_memory_gb()
    seconds = min(cpu_time(lambda: measure_diversity(predictions, y, weights, classes=classes)) for _ in range(repeats))
    print(seconds, before, peak_memory_gb())


# Decompositions


def decompositions(settings: Settings) -> Iterator[str]:
    """Time each decomposition on repeated predictions of many cases."""
    n_repeats, n_cases = 200, 100_000 // settings.shrink
    yield f"decompositions of {n_repeats} x {n_cases:,}; target: under {OTHER_SECONDS:.0f} s"
    for n_classes, kind in ((2, "numbers"), (10, "numbers"), (2, "text"), (26, "text")):
        predictions, y, _ = cast(Votes(n_cases, n_repeats, n_classes, kind))
        runs = np.ascontiguousarray(predictions.T)
        yield from _timed(
            f"{n_classes} classes, {kind}", (domingos, kong_dietterich, kohavi_wolpert), (runs, y), settings
        )
    random = np.random.default_rng(0)
    numbers = random.normal(size=(n_repeats, n_cases)), random.normal(size=n_cases)
    yield from _timed("numbers", (squared_loss,), numbers, settings)


def _timed(
    what: str, functions: tuple[Callable[..., object], ...], arguments: tuple[np.ndarray, ...], settings: Settings
) -> Iterator[str]:
    for function in functions:
        seconds = min(cpu_time(partial(function, *arguments)) for _ in range(settings.repeats))
        yield f"  {function.__name__ + ', ' + what:40}{seconds:8.3f} s {settings.judge(seconds < OTHER_SECONDS)}"


# Rank tests


def ranks(settings: Settings) -> Iterator[str]:
    """Time rank tests of many methods."""
    n_methods, n_datasets = 500 // settings.shrink, 200
    yield f"tests of {n_methods} methods on {n_datasets} datasets; target of Nemenyi's: under {OTHER_SECONDS:.0f} s"
    random = np.random.default_rng(0)
    alike = random.normal(size=(n_datasets, n_methods))
    for name, scores in (("methods alike", alike), ("methods apart", alike + np.linspace(0, 3, n_methods))):
        for test in (nemenyi, win_draw_loss):
            seconds = min(cpu_time(partial(_told, test, scores)) for _ in range(settings.repeats))
            yield f"  {test.__name__ + ', ' + name:40}{seconds:8.3f} s {settings.judge(seconds < OTHER_SECONDS)}"


def _told(test: Callable[..., object], scores: np.ndarray) -> str:
    return str(test(scores, larger_is_better=True))


# All parts: a further one is a function of the settings that yields lines, and has its entry in PARTS.


def in_a_process(*arguments: str) -> list[float]:
    """Return the numbers that this script prints when it is run with these arguments."""
    outcome = subprocess.run([sys.executable, __file__, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return [float(number) for number in outcome.stdout.split()]


PARTS: dict[str, Callable[[Settings], Iterator[str]]] = {
    "diversity": diversity,
    "decompositions": decompositions,
    "ranks": ranks,
}


def main() -> None:
    """Print every measurement as soon as it is made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one run, of a tenth of the cases and members")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--votes", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with threadpool_limits(1):
        if arguments.votes:
            *sizes, kind = arguments.votes
            measure_and_tell(Votes(*map(int, sizes), kind), arguments.repeats)
            return
        settings = Settings(1, 10) if arguments.quick else Settings(3, 1)
        print(f"CPU seconds, one thread, least of {settings.repeats} runs")
        for part in arguments.parts:
            for line in PARTS[part](settings):
                print(line, flush=True)


if __name__ == "__main__":
    main()
