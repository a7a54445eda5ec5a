from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from select import select
from selectors import DefaultSelector
from socket import MSG_PEEK, socketpair

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from covey.study import crew
from covey.study.pool import Failure, run_tasks
from covey.study.worker import ANSWER, CLAIM, Link
from study import pool_work
from study.pool_work import MEGABYTE, act, identity, process_id

LINUX = Path(f"/proc/self/task/{os.getpid()}/children").exists()
needs_proc = pytest.mark.skipif(not LINUX, reason="needs Linux's /proc")


def children():
    """Return the processes that this one has started and not seen off, dead ones included."""
    return {child for task in Path("/proc/self/task").iterdir() for child in (task / "children").read_text().split()}


def is_alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def nothing_left_behind(capfd):
    """No process, no open file and no word remains of any test."""
    if not LINUX:
        yield
        return
    before = children(), len(os.listdir("/proc/self/fd"))
    yield
    assert (children(), len(os.listdir("/proc/self/fd"))) == before
    assert capfd.readouterr() == ("", "")


def outcomes(tasks, n_workers=2, **limits):
    return dict(run_tasks(act, tasks, n_workers=n_workers, **limits))


def assert_each_once(folder, number):
    counts = Counter(int(name.partition(".")[0]) for name in os.listdir(folder))
    assert counts == dict.fromkeys(range(number), 1)


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
    """The long one ends when all others are done; its worker, quick so far, is given another one with it."""
    tasks = [("mark", tmp_path, value) for value in range(100)]
    tasks.insert(50, ("wait_for_marks", tmp_path, 100))
    found = list(run_tasks(act, tasks, n_workers=2, timeout=20))
    assert len(found) == 101
    assert found[-1] == (tasks[50], "waited")
    assert_each_once(tmp_path, 100)


def test_a_task_that_was_taken_back_is_not_done_again(tmp_path):
    """The worker of the long one goes on when the task that waited behind it has long been given to the other."""
    tasks = [("mark", tmp_path, value) for value in range(20)]
    tasks += [("rest", 0.5), *(("mark", tmp_path, value, 0.005) for value in range(20, 170))]
    assert set(outcomes(tasks)) == set(tasks)
    assert_each_once(tmp_path, 170)


def test_the_claim_of_a_later_task_is_kept_until_its_turn():
    """The second task is given to a worker that has not yet seen that the first was taken back."""
    claims, offers = os.pipe()
    os.set_blocking(claims, False)
    os.write(offers, CLAIM.pack(2))
    ours, theirs = socketpair()
    with ours, theirs:
        link = Link(theirs, claims, os.getpid())
        assert [link.claim(number) for number in (1, 2, 3)] == [False, True, False]
    os.close(claims)
    os.close(offers)


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
    found = outcomes([task, ("identity", 1), ("identity", 2)], n_workers=1, timeout=60)
    assert found[task].reason == "raised"
    assert found[task].message.startswith(message)
    assert "Traceback" in found[task].traceback
    assert [found["identity", value] for value in (1, 2)] == [1, 2]


# Workers that hang, eat or die


def test_tasks_that_hang_are_ended_and_the_rest_is_done(tmp_path):
    tasks = [("hang",), ("hang_with_lock",), *(("mark", tmp_path, value) for value in range(50))]
    found = outcomes(tasks, timeout=1.0)
    for hang in tasks[:2]:
        assert found.pop(hang) == Failure("timeout", "took longer than timeout=1 seconds")
    assert found == {task: task[2] for task in tasks[2:]}
    assert_each_once(tmp_path, 50)


@pytest.mark.parametrize(("before", "after"), [(1, 1), (20 * MEGABYTE, 1), (1, 20 * MEGABYTE)])
def test_time_that_the_caller_takes_does_not_count(before, after):
    tasks = [bytes([value]) * before for value in range(3)]
    running = run_tasks(partial(pool_work.resize, size=after), tasks, n_workers=2, timeout=0.8)
    found = [next(running)]
    time.sleep(1)
    found.extend(running)
    assert sorted(found) == [(task, task[:1] * after) for task in tasks]


def test_an_answer_that_comes_before_the_end_counts():
    """The moment between a look at the time and the end of a worker, in which it may finish its task."""
    setup = pickle.dumps((sys.path, pickle.dumps((identity, None, ()))))
    workers = crew.Crew(setup, ["task"], n_workers=1, timeout=1, memory=None)
    with DefaultSelector() as workers.selector:
        workers.feed()
        (worker,) = workers.workers
        wait_until(
            lambda: select([worker.channel], [], [], 0)[0] and len(worker.channel.recv(99, MSG_PEEK)) > ANSWER.size
        )
        workers.fail(worker, Failure("timeout", "too late"))
        assert list(workers.outcomes) == [("task", "task")]


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
    tasks = [("keep", 80), ("need", 100, 0.5)]
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
        (("die",), "the worker process was ended by signal 9 (SIGKILL)"),
        (("die", signal.SIGTERM), "the worker process was ended by signal 15 (SIGTERM)"),
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
    """Every task is begun once at most, and comes back once; a kill costs the task that it meets, if any."""
    n_killed = 0
    found = {}
    for task, result in run_tasks(act, [("mark_and_name", tmp_path, value) for value in range(300)], n_workers=2):
        assert task not in found
        found[task] = result
        if len(found) % 50 == 0 and not isinstance(result, Failure):
            with suppress(ProcessLookupError):  # killed before, it had answered until then
                os.kill(result, signal.SIGKILL)
                n_killed += 1
    failures = [result for result in found.values() if isinstance(result, Failure)]
    assert len(found) == 300
    assert len(failures) <= n_killed
    assert {failure.reason for failure in failures} <= {"died"}
    begun = [int(name.partition(".")[0]) for name in os.listdir(tmp_path)]
    assert len(begun) == len(set(begun)) >= 300 - len(failures)


@needs_proc
def test_children_of_a_worker_end_with_it(tmp_path):
    found = outcomes([("start_and_hang", tmp_path)], timeout=1)
    assert found["start_and_hang", tmp_path].reason == "timeout"
    (child,) = os.listdir(tmp_path)
    wait_until(lambda: not is_alive(child))


@needs_proc
def test_a_dead_worker_is_noticed_though_its_child_holds_the_line(tmp_path):
    task = ("fork_and_leave", tmp_path, 3)
    assert outcomes([task])[task] == Failure("died", "the worker process exited with status 3")
    (child,) = os.listdir(tmp_path)
    wait_until(lambda: not is_alive(child))


# Starting


def test_the_initializer_is_called_once_in_each_worker():
    found = run_tasks(
        act, [("letters",)] * 200, n_workers=2, initializer=pool_work.learn_letters, initargs=("a", "b"), timeout=60
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
    monkeypatch.setattr(crew, "_START", 0.1)
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
    wait_until(lambda: not any(is_alive(worker) for worker in workers), 5)


# One worker and no limits


def test_one_worker_without_limits_is_this_process():
    assert list(run_tasks(process_id, [1], n_workers=1)) == [(1, os.getpid())]
    assert [worker for _, worker in run_tasks(process_id, [1], n_workers=1, timeout=60)] != [os.getpid()]


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
