"""Progress of a study while it runs: cells by status, who leads so far, and the time that is left."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from covey.analysis.ranking.metrics import describe_metric
from covey.study.outcome import Outcome

Place = tuple[str, str]  # a dataset and a method
# A mean of fewer cells of a run tells too little of those that are left.
_ENOUGH = 3


@dataclass(frozen=True)
class Standing:
    """The best methods on a dataset so far, of those that can be compared: they have the same number of fits."""

    dataset: str
    metric: str  # what it is called
    best: tuple[tuple[str, float], ...]  # method and mean score, errors without a minus sign, best first
    n_fits: int  # how many fits each of the means is over
    even: bool  # whether all methods have as many fits


@dataclass(frozen=True)
class Progress:
    """How far a study is.

    Parameters
    ----------
    total, done, failed : int
        Cells of the study, and how many of them the store has by now.
    latest : Outcome
        The cell that was finished last.
    standing : Standing, optional
        Who leads on the dataset of that cell.
    seconds_left : float, optional
        About how long the cells that are left will take; None if too little is known.
    """

    total: int
    done: int
    failed: int
    latest: Outcome
    standing: Standing | None = None
    seconds_left: float | None = None


class Tally:
    """What is known of the cells of a study, from the labels of all: those finished before, and those of this run."""

    def __init__(self, metric: str, labels: Iterable[Mapping[str, Any]]) -> None:
        self._metric = metric
        self._left: Counter[Place] = Counter(map(_place, labels))
        self.total = self._left.total()
        self._status: dict[str, str] = {}
        self._states: Counter[str] = Counter()
        self._seconds: defaultdict[Place, float] = defaultdict(float)
        self._counts: Counter[Place] = Counter()
        self._scores: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        self._began = time.monotonic()
        self._spent, self._finished = 0.0, 0

    def add(self, outcome: Outcome, *, again: bool = False) -> None:
        """Count a cell that is in the store, which may be about to be carried out again."""
        self._states[self._status.get(outcome.key, "")] -= 1
        self._states[outcome.status] += 1
        self._status[outcome.key] = outcome.status
        if again:
            return
        place, score = _place(outcome.labels), outcome.scores.get(self._metric, float("nan"))
        self._left[place] -= 1
        self._seconds[place] += sum(outcome.seconds.values())
        self._counts[place] += 1
        if isfinite(score):
            self._scores[place[0]][place[1]].append(score)

    def finish(self, outcome: Outcome) -> Progress:
        """Count a cell of this run, and return how far the study is."""
        self.add(outcome)
        self._spent += sum(outcome.seconds.values())
        self._finished += 1
        standing = self._standing(str(outcome.labels["dataset"]))
        return Progress(
            self.total, self._states["done"], self._states["failed"], outcome, standing, self._seconds_left()
        )

    def _standing(self, dataset: str) -> Standing | None:
        """Compare the methods that have the largest number of fits that two of them have, or else the most."""
        scores = self._scores[dataset]
        if not scores:
            return None
        sizes = Counter(map(len, scores.values()))
        n_fits = max([size for size, methods in sizes.items() if methods > 1] or sizes)
        words = describe_metric(self._metric, "")
        means = {
            method: words.natural(sum(values) / n_fits) for method, values in scores.items() if len(values) == n_fits
        }
        best = sorted(means.items(), key=lambda pair: pair[1], reverse=words.larger_is_better)
        return Standing(dataset, words.name, tuple(best), n_fits, len(means) == len(scores))

    def _seconds_left(self) -> float | None:
        """Take cells that are left for as long as others of their dataset and method, or else as the mean cell."""
        if self._finished < _ENOUGH or self._spent <= 0:
            return None
        mean = sum(self._seconds.values()) / sum(self._counts.values())
        work = sum(
            count * (self._seconds[place] / self._counts[place] if self._counts[place] else mean)
            for place, count in self._left.items()
            if count > 0
        )
        # Cells run at a time, so that the clock counts less than the sum of their seconds.
        return work * (time.monotonic() - self._began) / self._spent


def _place(labels: Mapping[str, Any]) -> Place:
    return str(labels["dataset"]), str(labels["method"])
