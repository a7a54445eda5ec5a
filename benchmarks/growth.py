"""Studies of very many cells: what one coordinator feeds, what its store holds, and what a kill half-way costs.

A study of learners that learn nothing is carried out by a coordinator in a process of its own, which is killed with
SIGKILL when half of the cells are kept and started again: on local processes, and on a Dask cluster of many workers of
one thread on this machine. Then cells that only rest show how many workers are kept busy. Run by ``make bench-growth``;
docs/growth.md has the figures. Processor time tells more than the clock wherever other work goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from measure import verdict
from sklearn.base import BaseEstimator, ClassifierMixin

from covey.study import CycledFolds, DataSpec, MethodSpec, Outcome, Store, Study, run_study
from covey.study.layout import lay_out
from covey.study.local_cluster import local_cluster
from covey.study.process import resident_bytes

DATASETS, STRATEGIES, FOLDS = ("iris", "wine"), ("prior", "most_frequent", "stratified", "uniform"), 5
CELLS_PER_REPEAT = len(DATASETS) * len(STRATEGIES) * FOLDS
MEGABYTE = 1e6
# What a coordinator may grow by from a quarter of the cells to all of them, and what it may take to go on after a kill.
MEMORY_LIMIT, SECONDS_LIMIT = 100 * MEGABYTE, 20.0
RESTS = 0.5
PARTS = ("store", "local", "busy", "dask")


class Resting(ClassifierMixin, BaseEstimator):
    """A learner that rests, so that there may be more workers than cores."""

    def __init__(self, seconds: float = RESTS) -> None:
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> Resting:
        """Rest, and remember the first class."""
        time.sleep(self.seconds)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Say the first class."""
        return np.repeat(self.classes_[:1], len(X))


def tiny_cells(n_cells: int) -> Study:
    """Return a study of so many cells of learners that learn nothing."""
    data = tuple(DataSpec(name, name) for name in DATASETS)
    methods = tuple(MethodSpec(name, "sklearn.dummy.DummyClassifier", {"strategy": name}) for name in STRATEGIES)
    return Study("growth", data, methods, CycledFolds(-(-n_cells // CELLS_PER_REPEAT), FOLDS), ("error",), seed=0)


def coordinate(n_cells: int, store: str, options: dict[str, Any]) -> None:
    """Carry out the study, and print a line now and then: cells that are kept, bytes of memory, processor seconds."""
    told = 0

    def tell(progress: Any) -> None:
        nonlocal told
        if not told or progress.done >= told + n_cells // 200 or progress.done == progress.total:
            told = progress.done
            print(json.dumps([told, resident_bytes(os.getpid()), time.process_time()]), flush=True)

    run_study(tiny_cells(n_cells), store, progress=tell, **options)


class Coordinator:
    """A coordinator in a process of its own, whose lines are kept with the seconds since it was started."""

    def __init__(self, n_cells: int, store: Path, options: dict[str, Any], until: float = float("inf")) -> None:
        """Let it run until it has kept so many cells, then kill it; by default let it end by itself."""
        own = [sys.executable, __file__, "--cells", str(n_cells), "--coordinate", str(store), json.dumps(options)]
        began = time.perf_counter()
        self.lines: list[list[float]] = []
        with subprocess.Popen(own, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                self.lines.append([time.perf_counter() - began, *json.loads(line)])
                if self.lines[-1][1] >= until:
                    process.kill()
                    break
        if process.returncode not in (0, -signal.SIGKILL):
            raise SystemExit(f"the coordinator exited with status {process.returncode}")

    def __str__(self) -> str:
        (began, first, _, used), (ended, last, _, using) = self.lines[0], self.lines[-1]
        n_cells = max(last - first, 1)
        each = 1e3 * (using - used) / n_cells
        return f"{n_cells / max(ended - began, 1e-9):7,.0f} cells a second, {each:.2f} ms of the coordinator's CPU each"


def killed_half_way(n_cells: int, options: dict[str, Any], folder: Path) -> Iterator[str]:
    """Kill a coordinator when half is kept, let another go on, and ask a third that has nothing left to do."""
    store = folder / "growth.store"
    before = Coordinator(n_cells, store, options, until=n_cells // 2)
    with Store.open(store, write=False) as kept:
        n_kept = len(kept)
    yield f"  to half, then killed   {before}"
    after = Coordinator(n_cells, store, options)
    yield f"  from half to the end   {after}"
    seconds, _, small, used = after.lines[0]
    lost = max(before.lines[-1][1] - n_kept, 0)
    yield (
        f"  went on after          {seconds:7.1f} s, {used:.1f} s of CPU, starting Python included "
        f"(limit {SECONDS_LIMIT:g} s: {verdict(used <= SECONDS_LIMIT)}); of what it had told of {lost:g} were lost"
    )
    empty, large = before.lines[0][2], after.lines[-1][2]
    yield (
        f"  coordinator's memory   {empty / MEGABYTE:7.0f} MB at the first cell, {large / MEGABYTE:.0f} MB at the end; "
        f"{(large - small) / MEGABYTE:+.0f} MB since half (limit {MEMORY_LIMIT / MEGABYTE:g} MB: "
        f"{verdict(large - small <= MEMORY_LIMIT)})"
    )
    yield from reread(n_cells, store)


def reread(n_cells: int, store: Path) -> Iterator[str]:
    """Tell how large a store is, and how long it takes to see that nothing is left to do and to make a table."""
    began = time.process_time()
    results = run_study(tiny_cells(n_cells), store)
    seen = time.process_time()
    n_done = int((results.frame().status == "done").sum())
    ended = time.process_time()
    size = store.stat().st_size
    yield (
        f"  the store              {size / MEGABYTE:7.0f} MB, {size / n_cells:,.0f} bytes a cell; {n_done:,} are done: "
        f"to see that {seen - began:.1f} s of CPU, to make a table {ended - seen:.1f} s"
    )


def store_alone(n_cells: int, folder: Path) -> Iterator[str]:
    """Tell what the store does by itself: cells put one by one, as a coordinator does, then asked for."""
    from covey.study.cell import run_cell

    cells = lay_out(tiny_cells(n_cells)).cells
    done = run_cell(cells[0])
    path = folder / "alone.store"
    with Store.open(path, write=True) as store:
        began, used = time.perf_counter(), time.process_time()
        for cell in cells:
            store.put(Outcome.done(cell.key, cell.labels, done.scores, done.seconds, (), done.arrays))
        wall, processor = time.perf_counter() - began, time.process_time() - used
        began = time.process_time()
        n_known = len(store.finished(cell.key for cell in cells))
        asked = time.process_time() - began
    yield (
        f"  {n_known:,} cells: {n_known / wall:,.0f} puts a second by the clock, {n_known / processor:,.0f} of CPU; "
        f"{path.stat().st_size / n_known:,.0f} bytes a cell; to find which are finished {asked:.2f} s of CPU"
    )


def kept_busy(n_workers: int, cluster: str | None, folder: Path) -> str:
    """Tell what share of their time workers spend on cells that rest for half a second."""
    n_repeats = 4 * n_workers
    seen: list[float] = []
    options: dict[str, Any] = {"n_workers": n_workers, "cluster": cluster}
    method = MethodSpec("resting", held=Resting())
    study = Study("resting", (DataSpec("iris", "iris"),), (method,), CycledFolds(n_repeats, 2), ("error",), seed=0)
    run_study(
        study, folder / f"{n_workers}-{cluster is None}", progress=lambda _: seen.append(time.perf_counter()), **options
    )
    steady = seen[n_workers : -n_workers or None]  # without the start and the end
    rate = (len(steady) - 1) / (steady[-1] - steady[0])
    return f"  {n_workers:3d} workers are busy {rate * RESTS / n_workers:4.0%} of the time: {rate:.1f} cells a second"


def parts(settings: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Measure what was asked for."""
    n_cells = -(-settings.cells // CELLS_PER_REPEAT) * CELLS_PER_REPEAT
    if "store" in settings.parts:
        yield "the store alone"
        yield from store_alone(n_cells, folder)
    if "local" in settings.parts:
        yield f"{n_cells:,} cells on {settings.workers} local processes"
        (folder / "local").mkdir()
        yield from killed_half_way(n_cells, {"n_workers": settings.workers}, folder / "local")
    if "busy" in settings.parts:
        yield f"cells that rest for {RESTS:g} s, on local processes"
        for n_workers in settings.busy:
            yield kept_busy(n_workers, None, folder)
    if "dask" in settings.parts:
        with local_cluster(settings.dask_workers) as address:
            yield f"{n_cells:,} cells on a Dask cluster of {settings.dask_workers} workers of one thread"
            (folder / "dask").mkdir()
            yield from killed_half_way(n_cells, {"cluster": address}, folder / "dask")
            yield f"cells that rest for {RESTS:g} s, on that cluster"
            yield kept_busy(settings.dask_workers, address, folder)


def main() -> None:
    """Measure, and print each figure once it is known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2, help="local processes; as many as there are cores")
    parser.add_argument("--dask-workers", type=int, default=16)
    parser.add_argument("--busy", type=int, nargs="+", default=[4, 16, 32], help="numbers of processes that rest")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--coordinate", nargs=2, metavar=("STORE", "OPTIONS"), help=argparse.SUPPRESS)
    settings = parser.parse_args()
    if settings.coordinate:
        coordinate(settings.cells, settings.coordinate[0], json.loads(settings.coordinate[1]))
        return
    with TemporaryDirectory(prefix="covey-growth-") as folder:
        for line in parts(settings, Path(folder)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
