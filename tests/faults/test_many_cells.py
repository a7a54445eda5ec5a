"""A study of thousands of tiny cells: memory stays flat, and a second run finds all of it done.

Times are printed, with ``pytest -s``, not judged: they are the machine's.
"""

from __future__ import annotations

import json
import resource
import time

import pytest

from covey.study import Results, read_study, run_study
from faults.driving import Coordinator, needs_proc

TOML = """
name = "many"
seed = 0
datasets = ["iris", "wine"]
metrics = ["accuracy"]
[protocol]
kind = "cross-validation"
n_folds = 5
n_repeats = {n_repeats}
[[method]]
name = "prior"
estimator = "sklearn.dummy.DummyClassifier"
params = {{ strategy = "prior" }}
[[method]]
name = "uniform"
estimator = "sklearn.dummy.DummyClassifier"
params = {{ strategy = "uniform" }}
"""
MEGABYTE = 1_000_000


@needs_proc
@pytest.mark.parametrize("n_cells", [1000, pytest.param(5000, marks=pytest.mark.slow)])
def test_memory_stays_flat_and_nothing_is_run_again(room, n_cells):
    file, store = room.folder / "study.toml", room.out / "s.store"
    file.write_text(TOML.format(n_repeats=n_cells // 20))
    with Coordinator(room, file, store, n_workers=2) as coordinator:
        assert coordinator.finish() == 0, coordinator.errors
    cells = coordinator.cells
    assert len(cells) == len({tuple(cell[:3]) for cell in cells}) == n_cells
    assert {cell[3] for cell in cells} == {"done"}
    grown = cells[-1][4] - cells[n_cells // 4][4]
    assert grown < 50 * MEGABYTE
    _, wall, processor = json.loads(coordinator.lines[-1])

    began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_utime
    seen = []
    results = run_study(read_study(file), store, progress=seen.append)
    again = time.perf_counter() - began
    processor_again = resource.getrusage(resource.RUSAGE_SELF).ru_utime - used
    assert seen == []
    assert len(results.keys) == n_cells
    began = time.perf_counter()
    assert (Results.in_store(store).frame().status == "done").all()
    reading = time.perf_counter() - began
    print(
        f"\n{n_cells} cells on 2 processes: {1e3 * wall / n_cells:.2f} ms a cell by the clock, "
        f"{1e3 * processor / n_cells:.2f} ms of the coordinator's processor, {grown / MEGABYTE:+.1f} MB between a "
        f"quarter and all; store {store.stat().st_size / MEGABYTE:.0f} MB. A second run takes {again:.2f} s "
        f"({processor_again:.2f} s of processor), a table of all {reading:.2f} s."
    )
    room.assert_untouched()
