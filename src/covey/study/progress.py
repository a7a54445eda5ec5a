"""Progress of a study while it runs: cells by status, who leads so far, and the time that is left."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from covey._text import counted, rough_duration
from covey.analysis.ranking.metrics import describe_metric
from covey.study.cell import Cell
from covey.study.outcome import Outcome

Place = tuple[str, str]  # a dataset and a method
# A mean of fewer cells of a run tells too little of those that are left.
_ENOUGH = 3
_MOST_LEADERS = 3


@dataclass(frozen=True)
class Standing:
    """The best methods on a dataset so far, of those that can be compared: they have the same number of fits."""

    dataset: str
    metric: str  # what it is called
    best: tuple[tuple[str, float], ...]  # method and mean score, errors without a minus sign, best first
    n_fits: int  # how many fits each of the means is over
    even: bool  # whether all methods have as many fits

    def __str__(self) -> str:
        best = ", ".join(f"{method} {score:.4g}" for method, score in self.best[:_MOST_LEADERS])
        over = f"means of {counted(self.n_fits, 'fit')}{'' if self.even else '; others have more or fewer'}"
        return f"{self.metric} on {self.dataset}: {best} ({over})"


@dataclass(frozen=True)
class Progress:
    """How far a study is.

    Parameters
    ----------
    total, done, failed : int
        Cells of the study, and how many of them the store has by now.
    latest : Outcome, optional
        The cell that was finished last.
    standing : Standing, optional
        Who leads on the dataset of that cell.
    seconds_left : float, optional
        About how long the cells that are left will take; None if too little is known.
    news : str
        A line that is worth keeping when all else is done, such as the ranking on a part of the rows.
    """

    total: int
    done: int
    failed: int
    latest: Outcome | None = None
    standing: Standing | None = None
    seconds_left: float | None = None
    news: str = ""

    def lines(self) -> list[str]:
        """Say how far it is, and who leads on the dataset of the latest fit."""
        n_finished, total = self.done + self.failed, counted(self.total, "fit")
        failed = f", {self.failed} failed" if self.failed else ""
        left = f", about {rough_duration(self.seconds_left)} left" if self.seconds_left else ""
        state = f"{n_finished} of {total}{failed}{left}"
        if n_finished == self.total:
            state = f"all {total} finished{failed}"
        return [state] if self.standing is None else [state, str(self.standing)]

    def __str__(self) -> str:
        return self.news or "; ".join(self.lines())


class Tally:
    """What is known of the cells of a study, from the labels of all: those finished before, and those of this run."""

    def __init__(
        self,
        metric: str,
        labels: Iterable[Mapping[str, Any]],
        under_way: Callable[[Sequence[str]], object] | None = None,
    ) -> None:
        self._metric = metric
        self._under_way = under_way
        self._running: dict[str, str] = {}
        self._most_running = 1
        self._left: Counter[Place] = Counter(map(_place, labels))
        self.total = self._left.total()
        self._status: dict[str, str] = {}
        self._states: Counter[str] = Counter()
        self._seconds: defaultdict[Place, float] = defaultdict(float)
        self._counts: Counter[Place] = Counter()
        # How long what is left will take where something was finished, and how many cells are left elsewhere.
        self._expected: defaultdict[Place, float] = defaultdict(float)
        self._work, self._untried = 0.0, self.total
        self._spent, self._n_spent = 0.0, 0
        # The number and the sum of scores, of each method on a dataset.
        self._scores: defaultdict[str, dict[str, tuple[int, float]]] = defaultdict(dict)
        self._finished = 0
        self._new = {method for _, method in self._left}  # methods of which nothing is known

    def add(self, outcome: Outcome, *, again: bool = False) -> None:
        """Count a cell that is in the store, which may be about to be carried out again."""
        self._states[self._status.get(outcome.key, "")] -= 1
        self._states[outcome.status] += 1
        self._status[outcome.key] = outcome.status
        if again:
            return
        place, score = _place(outcome.labels), outcome.scores.get(self._metric, float("nan"))
        self._expect(place, sum(outcome.seconds.values()))
        if isfinite(score):
            count, total = self._scores[place[0]].get(place[1], (0, 0.0))
            self._scores[place[0]][place[1]] = count + 1, total + score

    def _expect(self, place: Place, seconds: float) -> None:
        """Take the cells that are left in a place for as long as those that are finished, by their mean."""
        if not self._counts[place]:
            self._untried -= self._left[place]
        self._left[place] -= 1
        self._counts[place] += 1
        self._new.discard(place[1])
        self._seconds[place] += seconds
        expected = max(self._left[place], 0) * self._seconds[place] / self._counts[place]
        self._work += expected - self._expected[place]
        self._expected[place] = expected
        self._spent += seconds
        self._n_spent += 1

    def begun(self, cells: Iterable[Cell]) -> Iterator[Cell]:
        """Yield cells, each as it begins."""
        for cell in cells:
            self._running[cell.key] = f"{cell.labels['method']} (fit {cell.labels['fit'] + 1})"
            self._most_running = max(self._most_running, len(self._running))
            self._tell()
            yield cell

    def note(self, cell: Cell, text: str) -> None:
        """Take what is told of a cell that is under way."""
        self._running[cell.key] = f"{cell.labels['method']} ({text})"
        self._tell()

    def _tell(self) -> None:
        if self._under_way is not None:
            self._under_way(list(self._running.values()))

    def finish(self, outcome: Outcome) -> Progress:
        """Count a cell of this run, and return how far the study is."""
        self.add(outcome)
        if self._running.pop(outcome.key, None):
            self._tell()
        self._finished += 1
        standing = self._standing(str(outcome.labels["dataset"]))
        counts = self._states["done"], self._states["failed"]
        return Progress(self.total, *counts, outcome, standing, self._seconds_left())

    def _standing(self, dataset: str) -> Standing | None:
        """Compare the methods that have the largest number of fits that two of them have, or else the most."""
        scores = self._scores[dataset]
        if not scores:
            return None
        sizes = Counter(count for count, _ in scores.values())
        n_fits = max([size for size, methods in sizes.items() if methods > 1] or sizes)
        words = describe_metric(self._metric, "")
        means = {method: words.natural(total / n_fits) for method, (count, total) in scores.items() if count == n_fits}
        best = sorted(means.items(), key=lambda pair: pair[1], reverse=words.larger_is_better)
        return Standing(dataset, words.name, tuple(best), n_fits, len(means) == len(scores))

    def _seconds_left(self) -> float | None:
        """Take cells that are left for as long as others of their dataset and method, or else as the mean cell.

        Nothing is said while there are methods that have not finished a cell: they may take a thousand times as long.
        """
        if self._finished < _ENOUGH or self._new:
            return None
        work = max(self._work, 0.0) + self._untried * self._spent / self._n_spent
        return work / self._most_running


def _place(labels: Mapping[str, Any]) -> Place:
    return str(labels["dataset"]), str(labels["method"])
