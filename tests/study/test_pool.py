from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from functools import partial
from time import monotonic

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from covey.study import pool
from covey.study.pool import run_tasks
from study import pool_work
from study.pool_watch import LINUX, assert_each_once, children, is_alive, needs_proc, outcomes
from study.pool_work import MEGABYTE, act, identity, process_id
from waiting import PATIENCE, wait_until


@pytest.fixture(autouse=True)
def left_behind(nothing_left_behind):
    """No process, no open file and no word remains of any test."""


# What is done


def test_every_task_comes_back_once_with_its_result():
    found = list(run_tasks(identity, range(3000), n_workers=2))
    assert all(task is result or task == result for task, result in found)
    assert sorted(task for task, _ in found) == list(range(3000))


def test_tasks_come_back_as_they_were_given():
    tasks = [object() for _ in range(3)]
    found = [task for task, _ in run_tasks(process_id, tasks, n_workers=2)]
    assert {id(task) for task in found} == {id(task) for task in tasks}


def test_no_tasks_no_workers():
    assert list(run_tasks(identity, [], n_workers=2)) == []


def test_workers_are_started_only_for_tasks():
    running = run_tasks(process_id, [0], n_workers=4)
    with closing(running):
        next(running)
        assert not LINUX or len(children()) >= 1
        assert list(running) == []
    assert len({worker for _, worker in run_tasks(process_id, [0], n_workers=4)}) == 1


def test_tasks_are_asked_for_as_they_are_needed():
    asked = []
    tasks = (asked.append(value) or value for value in range(2000))
    ahead = [len(asked) - done for done, _ in enumerate(run_tasks(identity, tasks, n_workers=2))]
    assert len(ahead) == 2000
    assert max(ahead) <= 8


def test_results_come_as_they_finish(tmp_path):
    tasks = [("wait_for", tmp_path / "go"), ("identity", 1)]
    running = run_tasks(act, tasks, n_workers=2)
    assert next(running) == (tasks[1], 1)
    (tmp_path / "go").touch()
    assert list(running) == [(tasks[0], "waited")]


def test_no_task_waits_behind_a_long_one(tmp_path):
    """The long one ends when all others are done."""
    tasks = [("mark", tmp_path, value) for value in range(100)]
    tasks.insert(50, ("wait_for_marks", tmp_path, 100))
    found = list(run_tasks(act, tasks, n_workers=2, timeout=PATIENCE))
    assert len(found) == 101
    assert dict(found)[tasks[50]] == "waited"
    assert_each_once(tmp_path, 100)


def test_one_thread_per_worker():
    n_cores, n_threads = outcomes([("threads",)])["threads",]
    assert n_cores == 1
    assert n_threads
    assert set(n_threads) == {1}


def test_workers_import_no_more_than_the_work_does():
    assert outcomes([("loaded",)])["loaded",] == []


def test_big_tasks_and_big_results_pass_each_other():
    tasks = [bytes([value]) * 20 * MEGABYTE for value in range(6)]
    found = list(run_tasks(identity, tasks, n_workers=2))
    assert sorted(task[0] for task, _ in found) == list(range(6))
    assert all(task == result for task, result in found)


def test_big_arrays_come_back_whole():
    size = 50 * MEGABYTE // 8
    np.testing.assert_array_equal(outcomes([("numbers", size)])["numbers", size], np.arange(size))


def test_an_error_of_the_tasks_comes_after_what_is_under_way(tmp_path):
    def tasks():
        yield "wait_for", tmp_path / "go"
        yield "touch", tmp_path / "go"
        raise LookupError("no third task")

    running = run_tasks(act, tasks(), n_workers=2)
    assert {result for _, result in (next(running), next(running))} == {"waited", None}
    with pytest.raises(LookupError, match="no third task"):
        next(running)


# Starting


def test_the_initializer_is_called_once_in_each_worker():
    found = run_tasks(
        act,
        [("letters",)] * 200,
        n_workers=2,
        initializer=pool_work.learn_letters,
        initargs=("a", "b"),
        timeout=PATIENCE,
    )
    workers = {result for _, result in found}
    assert {letters for _, letters in workers} == {"ab"}
    assert os.getpid() not in {worker for worker, _ in workers}


def test_an_initializer_that_fails_is_an_error_with_its_traceback():
    running = run_tasks(identity, range(9), n_workers=2, initializer=pool_work.raise_value_error, initargs=("bad",))
    with pytest.raises(RuntimeError, match="workers cannot start: ValueError: bad") as caught:
        next(running)
    assert "in raise_value_error" in caught.value.__notes__[0]


def test_workers_that_die_while_they_start_are_an_error():
    running = run_tasks(identity, range(9), n_workers=2, initializer=os._exit, initargs=(3,))
    with pytest.raises(RuntimeError, match=r"workers cannot start: .* one exited with status 3"):
        next(running)


def test_workers_that_hang_while_they_start_are_an_error(monkeypatch):
    monkeypatch.setattr(pool, "_START", 0.1)
    running = run_tasks(identity, range(9), n_workers=2, timeout=0.1, initializer=pool_work.hang)
    with pytest.raises(RuntimeError, match=r"workers cannot start: .* one was ended by signal 9"):
        next(running)


# Stopping


def test_closing_early_ends_the_workers(tmp_path):
    running = run_tasks(act, [("identity", 1), ("hang",), ("hang_with_lock",), ("hang",)], n_workers=3)
    assert next(running) == (("identity", 1), 1)
    running.close()


def test_an_error_of_the_caller_ends_the_workers():
    def stumble():
        for _ in run_tasks(act, [("identity", 1), ("hang",)], n_workers=2):
            raise KeyError("caller")

    with pytest.raises(KeyError, match="caller"):
        stumble()


def test_workers_do_not_mind_an_interrupt():
    task = ("interrupt_self",)
    assert outcomes([task])[task] == "still here"


def test_an_interrupt_of_the_parent_ends_the_workers():
    running = run_tasks(act, [("hang_with_lock",), ("interrupt_parent",)], n_workers=2)
    with pytest.raises(KeyboardInterrupt):
        next(running)


PARENT = """
import sys
from covey.study.pool import run_tasks
from study.pool_work import act
list(run_tasks(act, [("hang", sys.argv[1]), ("hang_with_lock", sys.argv[1])], n_workers=2))
"""


@needs_proc
def test_workers_end_when_their_parent_is_killed(tmp_path):
    path = os.pathsep.join(entry for entry in sys.path if entry)
    with subprocess.Popen([sys.executable, "-c", PARENT, tmp_path], env=os.environ | {"PYTHONPATH": path}) as parent:
        wait_until(lambda: len(os.listdir(tmp_path)) == 2)
        workers = os.listdir(tmp_path)
        assert all(is_alive(worker) for worker in workers)
        parent.kill()
    wait_until(lambda: not any(is_alive(worker) for worker in workers))


# One worker and no limits


def test_one_worker_without_limits_is_this_process():
    assert list(run_tasks(process_id, [1], n_workers=1)) == [(1, os.getpid())]
    assert [worker for _, worker in run_tasks(process_id, [1], n_workers=1, timeout=PATIENCE)] != [os.getpid()]


def test_this_process_does_as_workers_do(monkeypatch):
    monkeypatch.setattr(pool_work, "LETTERS", [])
    tasks = [("raise_value_error", "bad"), ("leave",), ("letters",), ("ask_too_much",), ("letters",)]
    found = list(run_tasks(act, tasks, n_workers=1, initializer=pool_work.learn_letters, initargs=("a",)))
    assert [task for task, _ in found] == tasks
    error, left, letters, memory, again = (result for _, result in found)
    assert (error.reason, error.message) == ("raised", "ValueError: bad")
    assert "in raise_value_error" in error.traceback
    assert left.message == "SystemExit: 3"
    assert memory.reason == "memory"
    assert letters == again == (os.getpid(), "a")


def test_this_process_uses_one_thread_for_a_task_and_its_own_number_again_after():
    def count():
        return {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()}

    with threadpool_limits(2):
        before = count()
        assert 2 in before.values()
        for _, (_, during) in run_tasks(act, [("threads",)] * 2, n_workers=1):
            assert set(during) == {1}
            assert count().items() >= before.items()


def test_an_interrupt_in_this_process_goes_on_to_the_caller():
    def interrupt(task):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(run_tasks(interrupt, [1], n_workers=1))


# Arguments


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_workers": 0}, ValueError, "n_workers=0 must be an integer of at least 1"),
        ({"n_workers": True}, ValueError, "n_workers=True"),
        ({"n_workers": 1.5}, TypeError, "float"),
        ({"timeout": 0}, ValueError, "timeout=0 must be a positive number of seconds"),
        ({"timeout": float("nan")}, ValueError, "timeout=nan"),
        ({"memory": -5}, ValueError, "memory=-5 must be a positive number of bytes"),
        ({"memory": 1e9}, TypeError, "float"),
        ({"work": lambda task: task}, TypeError, "top level of a module"),
        ({"initializer": lambda: None}, TypeError, "top level of a module"),
        ({"initargs": (lambda: None,)}, TypeError, "can be pickled"),
    ],
)
def test_bad_arguments_are_refused_at_once(arguments, error, message):
    arguments = {"work": identity, "tasks": range(3), "n_workers": 2} | arguments
    with pytest.raises(error, match=message):
        run_tasks(**arguments)


def test_work_of_the_script_itself_is_refused(monkeypatch):
    monkeypatch.setattr(process_id, "__module__", "__main__")
    with pytest.raises(TypeError, match=r"work=.*process_id.* move it to a module of its own"):
        run_tasks(process_id, [1], n_workers=2)


def test_work_may_have_arguments_of_its_own():
    assert dict(run_tasks(partial(max, 5), [[3, 4], 7][1:], n_workers=2)) == {7: 7}


def test_the_time_ends_what_is_under_way():
    until = monotonic() + 5
    tasks = [("rest", 2 * PATIENCE)] * 3
    assert list(run_tasks(act, tasks, n_workers=2, until=until)) == []
    assert until <= monotonic() < until + PATIENCE


def test_no_task_begins_after_the_time():
    assert list(run_tasks(identity, range(9), n_workers=2, until=monotonic() - 1)) == []
    assert list(run_tasks(identity, range(9), n_workers=1, until=monotonic() - 1)) == []


@pytest.mark.parametrize("n_workers", [1, 2])
def test_tasks_may_tell_of_themselves(n_workers):
    told = []
    running = run_tasks(
        pool_work.say, "ab", n_workers=n_workers, watch=pool_work.listen, notify=lambda *words: told.append(words)
    )
    assert sorted(running) == [("a", "a"), ("b", "b")]
    assert sorted(told) == [("a", "doing a"), ("b", "doing b")]
