from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
from itertools import product
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from covey.study import CycledFolds, DataSpec, MethodSpec, Study, cluster, run_study
from covey.study.cluster import run_on_cluster
from covey.study.local_cluster import local_cluster
from covey.study.pool import run_tasks
from covey.study.tasks import Failure
from study import cluster_work, pool_work
from study.cluster_watch import nothing_left_behind
from study.cluster_work import Noted, is_held, use
from study.pool_watch import assert_each_once, needs_proc
from study.pool_work import MEGABYTE, act, identity
from waiting import PATIENCE, wait_until

pytest.importorskip("distributed")
pytestmark = pytest.mark.usefixtures("patient_with_clusters")


@pytest.fixture(scope="module")
def address():
    """A local cluster of two workers, which are replaced when they die."""
    with local_cluster(2) as started:
        yield started


@pytest.fixture
def left_behind(capfd):
    """Nothing remains of a test, once the cluster of all is there."""
    with nothing_left_behind(capfd):
        yield


def run(work, tasks, **arguments):
    return run_on_cluster(work, tasks, **({"shared": {}, "share_of": lambda task: ""} | arguments))


def outcomes(tasks, **arguments):
    return dict(run(act, tasks, **arguments))


def first(task):
    return task[0]


# What is done


def test_results_and_failures_are_those_of_the_pool(address, left_behind):
    tasks = [("identity", value) for value in range(40)]
    tasks += [
        ("raise_value_error", "bad <thing> \udcff"),
        ("raise_unspeakable",),
        ("leave",),
        ("unpicklable",),
        ("sour",),
        ("identity", pool_work.Sour()),
        ("identity", lambda: None),
        ("no_such_function",),
        ("ask_too_much",),
    ]
    found = outcomes(tasks, cluster=address)
    wanted = dict(run_tasks(act, tasks, n_workers=2))
    assert found.keys() == wanted.keys()
    for task in tasks:
        if isinstance(wanted[task], Failure):
            assert (found[task].reason, found[task].message) == (wanted[task].reason, wanted[task].message)
            assert "Traceback" in found[task].traceback
        else:
            assert found[task] == wanted[task]


def test_one_thread_per_task(address, left_behind):
    n_cores, n_threads = outcomes([("threads",)], cluster=address)["threads",]
    assert n_cores == 1
    assert n_threads
    assert set(n_threads) == {1}


def test_tasks_are_asked_for_as_they_are_needed(address, left_behind):
    asked = []
    tasks = (asked.append(value) or value for value in range(200))
    ahead, found = [], []
    for task, _ in run(identity, tasks, cluster=address):
        ahead.append(len(asked) - len(found))
        found.append(task)
    assert sorted(found) == list(range(200))
    assert max(ahead) <= 8


def test_no_task_waits_behind_a_long_one(address, left_behind, tmp_path):
    tasks = [("mark", tmp_path, value) for value in range(40)]
    tasks.insert(20, ("wait_for_marks", tmp_path, 40))
    found = list(run(act, tasks, cluster=address))
    assert len(found) == 41
    assert dict(found)[tasks[20]] == "waited"
    assert_each_once(tmp_path, 40)


def test_no_tasks_no_cluster():
    assert list(run(identity, [], cluster="tcp://127.0.0.1:9")) == []


def test_an_error_of_the_tasks_comes_after_what_is_under_way(address, left_behind, tmp_path):
    def tasks():
        yield "wait_for", tmp_path / "go"
        yield "touch", tmp_path / "go"
        raise LookupError("no third task")

    running = run(act, tasks(), cluster=address)
    assert {result for _, result in (next(running), next(running))} == {"waited", None}
    with pytest.raises(LookupError, match="no third task"):
        next(running)


def test_a_study_has_the_same_results_as_here(address, left_behind, tmp_path):
    data = tuple(DataSpec(name, name) for name in ("iris", "wine"))
    methods = (MethodSpec("tree", "covey:c4.5", {}), MethodSpec("extra", "sklearn.tree.ExtraTreeClassifier", {}))
    folds = CycledFolds(n_cycles=1, n_folds=3)
    study = Study("s", data, methods, protocol=folds, metrics=("accuracy",), seed=0, task="classification")
    here = run_study(study, tmp_path / "here.db")
    there = run_study(study, tmp_path / "there.db", cluster=address)
    columns = ["dataset", "method", "repeat", "fit", "status", "accuracy"]
    pd.testing.assert_frame_equal(here.frame()[columns], there.frame()[columns])
    assert set(here.frame().status) == {"done"}
    for name, method, fit in product(("iris", "wine"), ("tree", "extra"), range(3)):
        ours, theirs = (found.arrays(name, method, fit) for found in (here, there))
        assert ours.keys() == theirs.keys()
        for key in ours:
            np.testing.assert_array_equal(ours[key], theirs[key])


# Shared objects


def test_shared_objects_are_sent_once_and_not_at_all_unless_needed(address, left_behind):
    shared = {name: Noted(name.upper()) for name in ("a", "b", "c")}
    n_packed = cluster_work.N_PACKED
    tasks = [("ab"[value % 2], "rest", 0.01 + value / 1e6) for value in range(60)]
    found = dict(run(use, tasks, cluster=address, shared=shared, share_of=first))
    assert cluster_work.N_PACKED - n_packed == 2
    assert {value for value, _, _ in found.values()} == {"A", "B"}
    assert all(value == task[0].upper() for task, (value, _, _) in found.items())


def test_shared_objects_are_not_held_when_the_task_is_done(address, left_behind):
    tasks = ["", "a", ""]
    found = list(run(is_held, tasks, cluster=address, shared={"a": 1}, share_of=str))
    assert sorted(found) == [("", False), ("", False), ("a", True)]


def test_a_shared_object_that_cannot_be_read_fails_its_tasks(address, left_behind):
    shared = {"sour": pool_work.Sour(), "sweet": Noted(1)}
    found = dict(run(use, [("sour",), ("sweet",)], cluster=address, shared=shared, share_of=first))
    assert found["sweet",][0] == 1
    assert found["sour",].reason == "raised"
    assert found["sour",].message.startswith("ValueError: invalid literal")


@pytest.mark.parametrize(
    ("shared", "error", "message"),
    [({}, ValueError, "share_of names 'a', which is not in shared"), ({"a": lambda: 0}, TypeError, r"shared\['a'\]")],
)
def test_a_shared_object_that_cannot_be_sent_is_an_error(address, left_behind, shared, error, message):
    with pytest.raises(error, match=message):
        list(run(identity, ["a"], cluster=address, shared=shared, share_of=str))


# Limits


def test_a_task_with_limits_has_a_process_of_its_own(address, left_behind):
    arguments = {"cluster": address, "shared": {"a": Noted("A")}, "share_of": first}
    ((_, failure),) = run(use, [("a", "hang")], timeout=0.5, **arguments)
    assert failure == Failure("timeout", "took longer than timeout=0.5 seconds")
    ((_, failure),) = run(use, [("a", "raise_value_error", "bad")], timeout=PATIENCE, **arguments)
    assert (failure.reason, failure.message) == ("raised", "ValueError: bad")
    assert "in raise_value_error" in failure.traceback


@pytest.mark.slow
def test_a_task_that_kills_its_own_process_fails_as_in_the_pool(address, left_behind):
    tasks = [("a", "die"), ("a", "identity", 1), ("a", "threads")]
    shared = {"a": Noted("A")}
    found = dict(run(use, tasks, cluster=address, shared=shared, share_of=first, timeout=PATIENCE))
    assert found[tasks[0]] == Failure(
        "died", "the worker process was ended by signal 9 (SIGKILL); it was tried 2 times"
    )
    assert found[tasks[1]][::2] == ("A", 1)
    n_cores, n_threads = found[tasks[2]][2]
    assert n_cores == 1
    assert set(n_threads) == {1}


@needs_proc
@pytest.mark.slow
def test_a_task_that_eats_memory_is_ended(address, left_behind):
    found = outcomes([("eat", 2000), ("identity", 1)], cluster=address, memory=600 * MEGABYTE)
    assert found["eat", 2000].reason == "memory"
    assert "memory=600000000 allows 600 MB" in found["eat", 2000].message
    assert found["identity", 1] == 1


@needs_proc
@pytest.mark.slow
def test_a_memory_that_no_worker_can_do_with_is_refused(address, left_behind):
    with pytest.raises(ValueError, match=r"memory=1000000 is too little: a worker has \d+ MB before its first task"):
        outcomes([("identity", 1)], cluster=address, memory=MEGABYTE)


# Workers that are lost


def test_a_worker_may_be_killed_in_the_middle_of_a_task(address, left_behind, tmp_path):
    """The task is carried out again by another worker, and no other one comes to harm."""
    tasks = [("hang_once", tmp_path), *(("identity", value) for value in range(20))]
    running = run(cluster_work.act, tasks, cluster=address)
    found = [next(running) for _ in range(10)]
    wait_until(lambda: os.listdir(tmp_path))
    os.kill(int(os.listdir(tmp_path)[0]), signal.SIGKILL)
    found.extend(running)
    assert len(found) == 21
    assert dict(found) == {tasks[0]: "again"} | {task: task[1] for task in tasks[1:]}


@pytest.mark.slow
def test_a_task_whose_workers_die_is_given_up(address, left_behind, tmp_path):
    tasks = [("identity", 1), ("sign_in_and_die", tmp_path), ("identity", 2)]
    found = dict(run(cluster_work.act, tasks, cluster=address))
    failure = found[tasks[1]]
    assert failure.reason == "died"
    assert failure.message.startswith("the Dask worker at tcp://127.0.0.1:")
    assert failure.message.endswith(" was lost; it was tried 4 times")
    assert len(os.listdir(tmp_path)) == 4
    assert [found["identity", value] for value in (1, 2)] == [1, 2]


# Stopping


def test_closing_early_leaves_the_cluster_fit_for_others(address, left_behind, tmp_path):
    running = run(act, [("identity", 1), ("wait_for", tmp_path / "go"), ("identity", 2)], cluster=address)
    assert next(running) == (("identity", 1), 1)
    running.close()
    (tmp_path / "go").touch()
    assert outcomes([("identity", 3)], cluster=address) == {("identity", 3): 3}


def test_an_error_of_the_caller_goes_on(address, left_behind):
    def stumble():
        for _ in run(act, [("identity", 1), ("rest", 0.5)], cluster=address):
            raise KeyError("caller")

    with pytest.raises(KeyError, match="caller"):
        stumble()


def test_a_local_cluster_for_one_call(left_behind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    running = run(act, [("identity", 1), ("hang_with_lock",)], cluster="local", n_workers=1)
    assert next(running) == (("identity", 1), 1)
    running.close()
    assert os.listdir(tmp_path) == ["temporary"]
    assert os.listdir("temporary") == []


# Other versions


def test_workers_with_another_covey_are_refused(address, left_behind, monkeypatch):
    ours = cluster.versions(cluster.PACKAGES) | {"covey": "9.9"}
    monkeypatch.setattr(cluster, "versions", lambda packages: ours)
    with pytest.raises(RuntimeError, match=r"the Dask worker at tcp://.* has covey .*, not 9\.9; install the same"):
        outcomes([("identity", 1)], cluster=address)


def test_workers_with_other_packages_are_told_of(address, left_behind, monkeypatch):
    ours = cluster.versions(cluster.PACKAGES) | {"numpy": "1.22.3"}
    monkeypatch.setattr(cluster, "versions", lambda packages: ours)
    with pytest.warns(UserWarning, match=r"Dask workers have numpy \d+\.\d+, not 1\.22: results may differ") as told:
        assert outcomes([("identity", 1)], cluster=address) == {("identity", 1): 1}
    assert len(told) == 1


def test_workers_that_cannot_import_the_work_are_refused(address, left_behind, monkeypatch):
    module = ModuleType("only_here")
    monkeypatch.setitem(sys.modules, "only_here", module)
    exec("def work(task): return task", module.__dict__)
    with pytest.raises(RuntimeError, match=r"cannot take part: ModuleNotFoundError: No module named 'only_here'"):
        list(run(module.work, [1], cluster=address))


# Arguments


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"cluster": "local", "n_workers": 0}, ValueError, "n_workers=0 must be an integer of at least 1"),
        ({"timeout": 0}, ValueError, "timeout=0 must be a positive number of seconds"),
        ({"cluster": "here"}, ValueError, "cluster='here' is no address; give 'local', or what `dask scheduler`"),
        ({"cluster": "tcp://host"}, ValueError, "is no address"),
        ({"cluster": "file:///scheduler.json"}, ValueError, "is no address"),
        ({"cluster": 8786}, TypeError, "cluster=8786 must be"),
    ],
)
def test_bad_arguments_are_refused_at_once(arguments, error, message):
    arguments = {"work": identity, "tasks": range(3), "cluster": "tcp://127.0.0.1:9"} | arguments
    with pytest.raises(error, match=message):
        run(**arguments)


def test_dask_must_be_installed(monkeypatch):
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r'pip install "covey\[dask\]"'):
        run(identity, [1], cluster="local")


def test_an_address_where_nobody_answers(left_behind, monkeypatch):
    monkeypatch.setattr(cluster, "_CONNECT", 1.0)
    with pytest.raises(ConnectionError, match=r"no Dask scheduler answers at cluster='tcp://127\.0\.0\.1:9' within 1"):
        list(run(identity, [1], cluster="tcp://127.0.0.1:9"))


def test_an_address_where_someone_else_answers(left_behind, monkeypatch):
    monkeypatch.setattr(cluster, "_CONNECT", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as other:
        where = f"127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(ConnectionError, match=f"no Dask scheduler answers at cluster='{where}'"):
            list(run(identity, [1], cluster=where))
