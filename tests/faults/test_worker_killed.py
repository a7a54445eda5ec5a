"""A worker process on this machine is killed at a cell: it is tried again, then fails; the others are done.

What the pool does when workers die is tested in tests/study/test_pool_faults.py.
"""

from __future__ import annotations

import signal

from covey.study import run_study
from faults.driving import NAIVE, NOTED, assert_same, kill_in_flight, needs_proc, study_of, told
from waiting import PATIENCE


@needs_proc
def test_the_cell_of_a_worker_that_is_killed_is_tried_once_more(tmp_path):
    flag, store = tmp_path / "flag", tmp_path / "s.store"
    flag.touch()
    study = study_of([NAIVE, NOTED, told("wait", flag)])
    thread = kill_in_flight(flag, then=flag.unlink)
    results = run_study(study, store, n_workers=1, timeout=PATIENCE)
    thread.join()
    assert (results.frame().status == "done").sum() == 9
    assert_same(results, run_study(study, tmp_path / "whole.store"))


@needs_proc
def test_the_cell_of_a_worker_that_is_killed_twice_is_a_failed_row_and_heals(tmp_path):
    flag, store = tmp_path / "flag", tmp_path / "s.store"
    flag.touch()
    study = study_of([NAIVE, NOTED, told("wait", flag)])
    thread = kill_in_flight(flag, then=flag.unlink, times=2)
    results = run_study(study, store, n_workers=1, timeout=300)
    thread.join()
    frame = results.frame()
    failed = frame[frame.status == "failed"]
    assert failed.method.tolist() == ["wait"]
    assert failed.failure.tolist() == ["died: the worker process was ended by signal 9 (SIGKILL); it was tried 2 times"]
    assert (frame.status == "done").sum() == 8
    assert results.scores().isna().to_numpy().tolist() == [[False, False, True]]

    again = []
    results = run_study(study, store, progress=again.append)
    assert again == []
    results = run_study(study, store, retry_failed=True, progress=again.append)
    assert [(one.done, one.failed) for one in again] == [(9, 0)]
    assert_same(results, run_study(study, tmp_path / "whole.store"))


@needs_proc
def test_killing_one_worker_leaves_the_other_at_work(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.touch()
    second.touch()
    study = study_of([told("wait", first, "first"), told("wait", second, "second")])
    thread = kill_in_flight(first, signal.SIGSEGV, then=first.unlink)
    frame = run_study(
        study, tmp_path / "s.store", n_workers=2, progress=lambda one: second.unlink(missing_ok=True)
    ).frame()
    thread.join()
    assert frame[frame.status == "failed"].method.tolist() == ["first"]
    assert "signal 11 (SIGSEGV)" in frame[frame.status == "failed"].failure.item()
    assert (frame.status == "done").sum() == 5
