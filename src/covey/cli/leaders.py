"""Who leads while a study runs: means of the fits that are finished, for methods that have as many of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True)
class Standing:
    """The best methods on a dataset so far.

    Parameters
    ----------
    dataset : str
    best : tuple of (method, mean score)
        Best first, of those that can be compared.
    n_fits : int
        How many fits each of the means is over.
    n_compared, n_methods : int
        How many methods have that many fits, and how many there are.
    """

    dataset: str
    best: tuple[tuple[str, float], ...]
    n_fits: int
    n_compared: int
    n_methods: int

    def __str__(self) -> str:
        names = ", ".join(f"{method} {score:.4g}" for method, score in self.best)
        return f"{self.dataset}: {names} (n = {self.n_fits})"


class Leaders:
    """Scores by dataset and method.

    Parameters
    ----------
    larger_is_better : callable
        From a metric to whether its larger values are better.
    """

    def __init__(self, larger_is_better: Callable[[str], bool]) -> None:
        self._larger_is_better = larger_is_better
        self._metric = ""
        self._sums: dict[str, defaultdict[str, float]] = {}
        self._counts: dict[str, Counter[str]] = {}

    def add(self, dataset: str, method: str, metric: str, score: float) -> None:
        """Note the score of a fit."""
        self._metric = metric
        counts = self._counts.setdefault(dataset, Counter())
        if isfinite(score):
            counts[method] += 1
            self._sums.setdefault(dataset, defaultdict(float))[method] += score

    @property
    def metric(self) -> str:
        """What is compared, "" before anything is known."""
        return self._metric

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets on which something is known, the latest new one last."""
        return tuple(dataset for dataset in self._counts if self._counts[dataset])

    def standing(self, dataset: str, n_best: int = 3) -> Standing:
        """Return the best methods on a dataset.

        Methods are compared that have the largest number of fits that two of them have; where no two have the same, the
        one with most stands alone.
        """
        counts, sums = self._counts[dataset], self._sums[dataset]
        sizes = Counter(counts.values())
        shared = [n for n, methods in sizes.items() if methods > 1]
        n_fits = max(shared or sizes)
        means = {method: sums[method] / n_fits for method, count in counts.items() if count == n_fits}
        sign = -1 if self._larger_is_better(self._metric) else 1
        best = sorted(means.items(), key=lambda one: sign * one[1])[:n_best]
        return Standing(dataset, tuple(best), n_fits, len(means), len(counts))
