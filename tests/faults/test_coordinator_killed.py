"""The coordinator is killed again and again, and what comes out is what a run without a break gives."""

from __future__ import annotations

import time
from textwrap import dedent

import numpy as np
import pytest

from covey.study import Results, read_study, run_study
from faults.driving import NAIVE, Coordinator, assert_same, contents, needs_proc, place_of, places, study_of
from faults.methods import LOG
from waiting import wait_until

FILE = """
    name = "killed often"
    seed = 3
    datasets = ["iris", "wine"]
    [protocol]
    kind = "cross-validation"
    n_folds = 5
    n_repeats = {n_repeats}
    [[method]]
    name = "noted"
    estimator = "faults.methods.Noted"
    params = {{ seconds = 0.01 }}
    [[method]]
    name = "forest"
    estimator = "sklearn.ensemble.RandomForestClassifier"
    params = {{ n_estimators = 3 }}
"""


@pytest.fixture
def file(room):
    return write(room, 2)


def write(room, n_repeats):
    path = room.folder / "study.toml"
    path.write_text(dedent(FILE).format(n_repeats=n_repeats))
    return path


def let_it_run(coordinator, moment, chance):
    """Wait until some moment: while it starts, while it opens the store, or when it has kept some cells."""
    if moment % 4 == 0:
        time.sleep(chance.uniform(0, 1.5))
    else:
        coordinator.wait_for(1 if moment % 4 == 1 else int(chance.integers(2, 11)))
        time.sleep(chance.uniform(0, 0.6 if moment % 4 == 1 else 0.02))


@needs_proc
@pytest.mark.parametrize("n_kills", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_a_study_that_is_killed_again_and_again_ends_as_if_it_had_not_been(room, monkeypatch, n_kills):
    file = write(room, n_kills)
    study, store = read_study(file, trust=["faults"]), room.out / "s.store"
    chance = np.random.default_rng(n_kills)
    kept, at = [], []  # after each kill: the cells in the store, and how many fits had been begun by then
    for moment in range(1, n_kills + 1):
        with Coordinator(room, file, store, most=15) as coordinator:  # so that it cannot have ended by any kill
            let_it_run(coordinator, moment, chance)
            coordinator.kill()
            assert coordinator.process.returncode == -9, coordinator.errors
        wait_until(lambda: not room.processes())
        found = places(Results.of(study, store)) if store.exists() else set()
        assert {tuple(cell[:3]) for cell in coordinator.cells} <= found, "what was acknowledged is lost"
        assert not kept or kept[-1] <= found
        kept.append(found)
        at.append(len(room.fits()))
    with Coordinator(room, file, store) as coordinator:
        assert coordinator.finish() == 0, coordinator.errors
    results = Results.of(study, store)
    assert len(coordinator.cells) == len(results.keys) - len(kept[-1])

    monkeypatch.setenv(LOG, str(room.folder / "undisturbed"))
    order = []
    whole = run_study(study, room.folder / "whole.store", progress=lambda one: order.append(one.latest.labels))
    assert_same(results, whole)

    noted = [place_of(one) for one in order if one["method"] == "noted"]
    known = dict(zip((room.folder / "undisturbed").read_text().split(), noted, strict=True))
    fits = [known[line] for line in room.fits()]
    for found, begun in zip(kept, at, strict=True):
        assert not found & set(fits[begun:]), "what was kept is run again"
    assert set(fits) == set(noted)
    # Each of two workers has one cell under way and one to go on with; as many may be through and not yet kept.
    assert len(fits) <= len(noted) + 8 * n_kills, "more is lost than what was under way"
    room.assert_untouched()
    assert set(contents(room.out)) <= {"s.store", "s.store-wal", "s.store-shm", "s.store.lock"}


@needs_proc
@pytest.mark.slow
def test_a_local_dask_cluster_ends_with_its_coordinator(room, file):
    pytest.importorskip("distributed")
    study, store = read_study(file, trust=["faults"]), room.out / "s.store"
    with Coordinator(room, file, store, cluster="local") as coordinator:
        coordinator.wait_for(6)
        assert len(room.processes()) >= 4  # it, the scheduler, and two workers
        coordinator.kill()
    wait_until(lambda: not room.processes())
    kept = places(Results.of(study, store))
    assert {tuple(cell[:3]) for cell in coordinator.cells} <= kept
    room.assert_untouched()
    seen = []
    results = run_study(study, store, progress=seen.append)
    assert len(seen) == len(results.keys) - len(kept)
    assert_same(results, run_study(study, room.folder / "whole.store"))


def test_what_a_coordinator_leaves_that_is_killed_as_it_makes_the_store_is_cleared_away(tmp_path):
    drafts = [tmp_path / f"a[b].store.part{more}" for more in ("", "-journal")]
    others = [tmp_path / name for name in ("other.store.part", "a[b].store.notes.part")]
    for path in (*drafts, *others):
        path.write_bytes(b"half of it")
    run_study(study_of([NAIVE]), tmp_path / "a[b].store")
    assert not any(path.exists() for path in drafts)
    assert all(path.exists() for path in others)
