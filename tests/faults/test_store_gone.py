"""The store is deleted, moved or replaced under the coordinator: it stops and says so, rather than write to nobody."""

from __future__ import annotations

import shutil

import pytest

from covey.study import Results, run_study
from covey.study.store import Store, StoreError
from faults.driving import assert_same, place_of, places, study_of

STUDY = study_of(n_repeats=4)


def deleted(store, before):
    store.unlink()


def deleted_with_all(store, before):
    for path in store.parent.iterdir():
        path.unlink()


def folder_deleted(store, before):
    shutil.rmtree(store.parent)


def moved(store, before):
    store.rename(store.with_name("elsewhere.store"))


def replaced(store, before):
    shutil.copy(before, store.with_name("other"))
    store.with_name("other").replace(store)


@pytest.fixture
def before(tmp_path):
    """Another store."""
    path = tmp_path / "before.store"
    Store.open(path, write=True).close()
    return path


@pytest.mark.parametrize("happen", [deleted, deleted_with_all, folder_deleted, moved, replaced])
def test_a_store_that_is_gone_stops_the_study(tmp_path, before, happen):
    store = tmp_path / "out" / "s.store"
    store.parent.mkdir()
    seen = []

    def progress(one):
        seen.append(one)
        if len(seen) == 5:
            happen(store, before)

    with pytest.raises(StoreError, match=r"s\.store.*(removed|moved|replaced).*run again"):
        run_study(STUDY, store, progress=progress)
    assert len(seen) <= 6
    if happen is moved:  # what was put before is there
        for ending in ("-wal", "-shm"):
            left = store.with_name(store.name + ending)
            if left.exists():
                left.rename(store.with_name("elsewhere.store" + ending))
        assert len(places(Results.in_store(store.with_name("elsewhere.store")))) >= 5
    shutil.rmtree(store.parent, ignore_errors=True)
    store.parent.mkdir()
    assert_same(run_study(STUDY, store), run_study(STUDY, tmp_path / "whole.store"))


def test_a_log_that_is_deleted_is_noticed_before_it_matters(tmp_path):
    """Until the coordinator ends it has all that was in the log, and writes it to the store."""
    store, seen = tmp_path / "s.store", []

    def progress(one):
        seen.append(place_of(one.latest.labels))
        if len(seen) == 5:
            store.with_name("s.store-wal").unlink()

    with pytest.raises(StoreError, match=r"s\.store or its -wal was removed"):
        run_study(STUDY, store, progress=progress)
    assert set(seen) <= places(Results.in_store(store))
    assert_same(run_study(STUDY, store), run_study(STUDY, tmp_path / "whole.store"))


def test_a_store_may_be_moved_and_copied_between_runs(tmp_path):
    first, second = tmp_path / "first.store", tmp_path / "second.store"
    run_study(STUDY, first)
    first.rename(second)
    seen = []
    run_study(STUDY, second, progress=seen.append)
    assert seen == []
