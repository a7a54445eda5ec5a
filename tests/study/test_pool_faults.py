"""Tasks that fail, hang, eat memory or kill their worker."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from functools import partial
from itertools import count
from select import select

import pytest

from covey.study import pool, process
from covey.study.pool import run_tasks
from covey.study.tasks import Failure
from study import pool_work
from study.pool_watch import assert_each_once, is_alive, needs_proc, outcomes
from study.pool_work import MEGABYTE, act
from waiting import PATIENCE, wait_until


@pytest.fixture(autouse=True)
def left_behind(nothing_left_behind):
    """No process, no open file and no word remains of any test."""


# Errors


def test_errors_are_told_in_words():
    task = ("raise_value_error", "bad <thing> \udcff")
    failure = outcomes([task])[task]
    assert failure.reason == "raised"
    assert failure.message == "ValueError: bad <thing> \udcff"
    assert str(failure) == f"raised: {failure.message}"
    assert "in raise_value_error" in failure.traceback
    assert "worker.py" not in failure.traceback


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (("raise_unspeakable",), "UnspeakableError: "),
        (("leave",), "SystemExit: 3"),
        (("unpicklable",), "The result cannot be pickled: "),
        (("sour",), "The result cannot be read: ValueError: invalid literal"),
        (("identity", pool_work.Sour()), "The task cannot be read in a worker: ValueError: invalid literal"),
        (("identity", lambda: None), "The task cannot be pickled: "),
        (("no_such_function",), "KeyError: 'no_such_function'"),
    ],
)
def test_whatever_fails_is_a_failure_and_the_rest_goes_on(task, message):
    found = outcomes([task, ("identity", 1), ("identity", 2)], n_workers=1, timeout=PATIENCE)
    assert found[task].reason == "raised"
    assert found[task].message.startswith(message)
    assert "Traceback" in found[task].traceback
    assert [found["identity", value] for value in (1, 2)] == [1, 2]


# Workers that hang, eat or die


def test_tasks_that_hang_are_ended_and_the_rest_is_done(tmp_path, monkeypatch):
    inbox, marks = tmp_path / "inbox", tmp_path / "marks"
    inbox.mkdir()
    marks.mkdir()
    tasks = [("hang", inbox), ("hang_with_lock", inbox), *(("mark", marks, value) for value in range(50))]
    found, clock = {}, time.monotonic

    def leap():
        """Go on by more than the limit while both hang."""
        return clock() + (2e3 if len(os.listdir(inbox)) == 2 and not found.keys() >= set(tasks[:2]) else 0)

    monkeypatch.setattr(pool, "monotonic", leap)
    found.update(run_tasks(act, tasks, n_workers=2, timeout=1e3))
    for hang in tasks[:2]:
        assert found.pop(hang) == Failure("timeout", "took longer than timeout=1000 seconds")
    assert found == {task: task[2] for task in tasks[2:]}
    assert_each_once(marks, 50)


@pytest.mark.parametrize(("before", "after"), [(1, 1), (20 * MEGABYTE, 1), (1, 20 * MEGABYTE)])
def test_a_task_that_is_done_while_the_caller_is_busy_is_not_late(before, after, monkeypatch):
    tasks = [bytes([value]) * before for value in range(3)]
    late = [0.0]
    clock = time.monotonic
    for module in (pool, process):
        monkeypatch.setattr(module, "monotonic", lambda: clock() + late[0])
    workers = pool._Pool(pool.pickle_setup(partial(pool_work.resize, size=after)), iter(tasks), 2, PATIENCE, None)
    running = workers.run()
    found = [next(running)]
    for worker in workers.workers:
        wait_until(lambda worker=worker: worker.job is None or select([worker.connection], [], [], 0)[0])
    late[0] = 2 * PATIENCE
    found.extend(running)
    assert sorted(found) == [(task, task[:1] * after) for task in tasks]


@needs_proc
def test_a_task_that_eats_memory_is_ended():
    found = outcomes([("eat", 400), ("identity", 1)], memory=150 * MEGABYTE)
    failure = found["eat", 400]
    assert failure.reason == "memory"
    needed = int(failure.message.partition("needed ")[2].partition(" MB")[0])
    assert 150 <= needed <= 500
    assert "memory=150000000 allows 150 MB" in failure.message
    assert found["identity", 1] == 1


def test_a_memory_error_is_about_memory():
    failure = outcomes([("ask_too_much",)])["ask_too_much",]
    assert failure.reason == "memory"
    assert failure.message.startswith("MemoryError")
    assert "in ask_too_much" in failure.traceback


@needs_proc
def test_no_task_is_blamed_for_what_others_left():
    tasks = [("keep", 80), ("need", 100)]
    found = outcomes(tasks, n_workers=1, memory=150 * MEGABYTE)
    worker, size = found[tasks[1]]
    assert size == 100 * MEGABYTE
    assert worker != found[tasks[0]]


@needs_proc
def test_a_memory_that_no_worker_can_do_with_is_refused():
    with pytest.raises(ValueError, match=r"memory=1000000 is too little: a worker has \d+ MB before its first task"):
        outcomes([("identity", 1)], memory=MEGABYTE)


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (("die",), "the worker process was ended by signal 9 (SIGKILL); it was tried 2 times"),
        (("die", signal.SIGTERM), "the worker process was ended by signal 15 (SIGTERM); it was tried 2 times"),
        (("segfault",), "the worker process was ended by signal 11 (SIGSEGV)"),
        (("leave_at_once", 0), "the worker process exited with status 0"),
        (("leave_at_once", 3), "the worker process exited with status 3"),
    ],
)
def test_a_task_whose_worker_dies_fails_and_no_other_does(task, message, tmp_path):
    tasks = [("mark", tmp_path, value) for value in range(100)]
    tasks.insert(50, task)
    found = outcomes(tasks)
    assert found.pop(task) == Failure("died", message)
    assert found == {task: task[2] for task in tasks if task in found}
    assert_each_once(tmp_path, 100)


def test_many_deadly_tasks_end_one_worker_each(tmp_path):
    tasks = [("leave_at_once", value) if value % 2 else ("mark", tmp_path, value // 2) for value in range(10)]
    found = outcomes(tasks)
    assert {task: found[task].message for task in tasks[1::2]} == {
        ("leave_at_once", value): f"the worker process exited with status {value}" for value in range(1, 10, 2)
    }
    assert_each_once(tmp_path, 5)


def test_a_worker_that_is_killed_while_it_has_no_task_costs_none(tmp_path):
    running = run_tasks(act, [("process_id",), ("wait_for", tmp_path / "go")], n_workers=2)
    os.kill(next(running)[1], signal.SIGKILL)
    (tmp_path / "go").touch()
    assert [result for _, result in running] == ["waited"]


def test_workers_may_be_killed_at_any_time(tmp_path):
    """Every task comes back once; a kill costs no more than a second try of the task that it meets, if any."""
    n_killed = 0
    found = {}
    for task, result in run_tasks(act, [("mark_and_name", tmp_path, value) for value in range(300)], n_workers=2):
        assert task not in found
        found[task] = result
        if len(found) % 50 == 0 and not isinstance(result, Failure):
            with suppress(ProcessLookupError):  # killed before, it had answered until then
                os.kill(result, signal.SIGKILL)
                n_killed += 1
    assert len(found) == 300
    assert not any(isinstance(result, Failure) for result in found.values())
    begun = [int(name.partition(".")[0]) for name in os.listdir(tmp_path)]
    assert set(begun) == set(range(300))
    assert len(begun) <= 300 + n_killed


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_task_whose_worker_someone_kills_is_tried_once_more(tmp_path, number):
    first, go = tmp_path / "first", tmp_path / "go"
    running = run_tasks(act, [("note_and_wait", first, go), ("kill_noted", first, go, number)], n_workers=2)
    assert dict(running) == {
        ("note_and_wait", first, go): 2,
        ("kill_noted", first, go, number): "killed",
    }


def test_a_task_whose_worker_is_ended_for_its_limits_is_not_tried_again(tmp_path):
    found = outcomes([("mark_and_hang", tmp_path)], timeout=1)
    assert found["mark_and_hang", tmp_path].reason == "timeout"
    assert_each_once(tmp_path, 1)


@needs_proc
def test_children_of_a_worker_end_with_it(tmp_path, monkeypatch):
    seconds, clock = count(0.0, 2e3), time.monotonic
    monkeypatch.setattr(pool, "monotonic", lambda: clock() + (next(seconds) if os.listdir(tmp_path) else 0.0))
    found = outcomes([("start_and_hang", tmp_path)], timeout=1e3)
    assert found["start_and_hang", tmp_path].reason == "timeout"
    (child,) = os.listdir(tmp_path)
    wait_until(lambda: not is_alive(child))


@needs_proc
def test_a_dead_worker_is_noticed_though_its_child_holds_the_line(tmp_path):
    task = ("fork_and_leave", tmp_path, 3)
    assert outcomes([task])[task] == Failure("died", "the worker process exited with status 3")
    (child,) = os.listdir(tmp_path)
    wait_until(lambda: not is_alive(child))
