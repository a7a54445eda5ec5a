"""Ensembles with two threads beside one: time by the clock, processor time, and what threads must wait for.

Only the clock shows what threads gain, so this wants a quiet machine. Under any load, "cores" says how many were at
work with two threads, "CPU" how much more processor time those took, and "serial" which share of it was spent while the
other thread had nothing to do: two can gain no more than 2 / (1 + serial). Both models are compared, too: they are to
be equal. Run by ``make bench-threads``.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import current_thread
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from measure import verdict
from samples import numeric_rows
from threadpoolctl import threadpool_limits

from covey import method, parallel
from covey.ensemble import base, feature_subsets, growth
from covey.learners import case_base, euclid
from covey.learners.per_table import PerTable

TARGET = 1.8
GET = PerTable.get
# What is measured, with parameters beside the number of members, and how many rows are asked about.
SYSTEMS: dict[str, tuple[str, dict[str, Any], int]] = {
    "100 trees (bagging)": ("bagging", {}, 50_000),
    "100 covers (size 5)": ("alpha-rse", {"min_sphere_size": 5}, 10_000),
    "MFS, size chosen": ("mfs1", {}, 5_000),
    "rotation forest": ("rotation-forest", {"n_estimators": 50}, 50_000),
}


class Spent(NamedTuple):
    """Seconds by the clock, of processor, and of processor while other threads had nothing to do."""

    wall: float
    processor: float
    serial: float


class Serial:
    """Counts what one thread does alone: outside of what is divided, or for others that wait for it."""

    def __init__(self) -> None:
        self.caller, self.divided, self.awaited, self.depth = current_thread(), 0.0, 0.0, 0
        self.asking: Counter[int] = Counter()  # how many threads ask for what is known of a table

    def each(self, *arguments: Any) -> Iterator[Any]:
        """Divide calls among threads, and note what the caller spends on it meanwhile."""
        results = parallel.each(*arguments)
        while True:
            began, self.depth = time.thread_time(), self.depth + 1
            try:
                result = next(results)
            except StopIteration:
                return
            finally:
                self.depth -= 1
                if self.depth == 0 and current_thread() is self.caller:
                    self.divided += time.thread_time() - began
            yield result

    def get(self, cache: Any, table: Any, find: Callable[[], Any], key: Any = None) -> Any:
        """Find what members share, and note what one spends on it if others come to wait for it."""

        def noted() -> Any:
            began = time.thread_time()
            try:
                return find()
            finally:
                self.awaited += time.thread_time() - began if self.asking[id(table)] > 1 else 0.0

        self.asking[id(table)] += 1
        try:
            return GET(cache, table, noted, key)
        finally:
            self.asking[id(table)] -= 1


def measured(work: Callable[[], Any]) -> Spent:
    """Measure some work."""
    serial = Serial()
    with ExitStack() as stack:
        for user in (base, case_base, euclid, feature_subsets, growth):
            stack.enter_context(patch.object(user, "each", serial.each))
        stack.enter_context(patch.object(PerTable, "get", lambda *arguments: serial.get(*arguments)))
        began, used, own = time.perf_counter(), time.process_time(), time.thread_time()
        work()
        alone = time.thread_time() - own - serial.divided + serial.awaited
        return Spent(time.perf_counter() - began, time.process_time() - used, alone)


def best_of(works: list[Callable[[], Any]], repeats: int) -> list[Spent]:
    """Return the quickest run of each work; they take turns."""
    rounds = [[measured(work) for work in works] for _ in range(repeats)]
    return [min(runs) for runs in zip(*rounds, strict=True)]


def line(work: str, one: Spent, two: Spent) -> str:
    """Return a line that sets one thread and two side by side."""
    gain, serial = one.wall / two.wall, two.serial / two.processor
    return (
        f"{work:34}{one.wall:9.2f}{two.wall:9.2f}{gain:7.2f}x{TARGET:7.1f}x  {verdict(gain >= TARGET):9}"
        f"{two.processor / two.wall:6.2f}{two.processor / one.processor:8.2f}x{serial:8.1%}{2 / (1 + serial):7.2f}x"
    )


def compare(title: str, n_rows: int, repeats: int) -> Iterator[str]:
    """Measure a system's fit and prediction with one thread and with two."""
    name, params, n_asked = SYSTEMS[title]
    X, y = numeric_rows(n_rows, 2)
    asked = X[:n_asked]
    method(name, random_state=0, **params | {"n_estimators": 2}).fit(X[:300], y[:300]).predict(X[:300])  # compiles
    one, two = (method(name, random_state=0, n_jobs=n_jobs, **params) for n_jobs in (1, 2))
    yield line(f"{title}, fit", *best_of([lambda m=model: m.fit(X, y) for model in (one, two)], repeats))
    asks = [lambda m=model: m.predict(asked) for model in (one, two)]
    yield line(f"  prediction of {len(asked):,} rows", *best_of(asks, repeats))
    same = np.array_equal(one.predict_proba(asked[:2000]), two.predict_proba(asked[:2000]))
    yield f"  the models {'are equal' if same else 'DIFFER'}"


def main() -> None:
    """Measure, and print each figure once it is known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    settings = parser.parse_args()
    print(f"{settings.rows:,} x 20, 2 classes; seconds by the clock; gain = one thread / two")
    print(
        f"{'':34}{'one':>9}{'two':>9}{'gain':>8}{'target':>8}  {'':9}{'cores':>6}{'CPU':>9}{'serial':>8}{'at most':>8}"
    )
    with threadpool_limits(1):
        for title in settings.systems:
            for text in compare(title, settings.rows, settings.repeats):
                print(text, flush=True)


if __name__ == "__main__":
    main()
