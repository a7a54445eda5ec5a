"""Clusters whose scheduler or workers are killed, or are not there, or are not as they should be."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from contextlib import closing, suppress

import pytest

from covey.study import cluster
from covey.study.cluster import ClusterLostError, run_on_cluster
from covey.study.local_cluster import local_cluster
from covey.study.tasks import Failure
from study import cluster_work
from study.cluster_watch import Cluster, nothing_left_behind
from study.cluster_work import Noted, act, use
from study.pool_watch import is_alive, needs_proc
from study.pool_work import MEGABYTE
from waiting import PATIENCE, wait_until

pytest.importorskip("distributed")
pytestmark = pytest.mark.usefixtures("patient_with_clusters")


@pytest.fixture(autouse=True)
def left_behind(capfd):
    """Nothing remains of any test."""
    with nothing_left_behind(capfd):
        yield


@pytest.fixture
def remote(tmp_path):
    """A scheduler of its own process; `add_worker` starts workers."""
    with Cluster(tmp_path) as started:
        yield started


@pytest.fixture
def inbox(tmp_path):
    folder = tmp_path / "inbox"
    folder.mkdir()
    return folder


def run(work, tasks, address, **arguments):
    return run_on_cluster(work, tasks, cluster=address, **({"shared": {}, "share_of": lambda task: ""} | arguments))


def first(task):
    return task[0]


def pull(running):
    """Take what a generator yields, and fail rather than wait for ever: an alarm goes to this very thread."""

    def give_up(number, frame):
        raise TimeoutError("waited in vain")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        return list(running)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_scheduler_may_be_killed(remote, inbox):
    remote.add_worker()
    running = run(act, [("identity", 1), ("hang", inbox)], remote.address)
    with closing(running):
        assert next(running) == (("identity", 1), 1)
        wait_until(lambda: os.listdir(inbox))
        remote.scheduler.kill()
        with pytest.raises(ClusterLostError, match=r"is lost .* What is finished is kept; .* run again to go on"):
            pull(running)


def test_the_scheduler_need_not_have_covey(remote):
    from distributed import Client

    remote.add_worker()
    assert [result[0] for _, result in run(use, [("a",)], remote.address, shared={"a": Noted(1)}, share_of=first)] == [
        1
    ]
    with Client(remote.address, set_as_default=False) as client:
        assert client.run_on_scheduler(eval, "'covey' in __import__('sys').modules") is False


def test_a_scheduler_without_workers(remote, monkeypatch):
    monkeypatch.setattr(cluster, "_ALONE", 1.0)
    with pytest.raises(RuntimeError, match=r"no workers for 1 seconds; start some with `dask worker tcp://127"):
        pull(run(act, [("identity", 1)], remote.address))


@pytest.mark.slow
def test_a_scheduler_that_hangs(remote, inbox, monkeypatch):
    remote.add_worker()
    running = run(act, [("identity", 1), ("hang", inbox)], remote.address)
    with closing(running):
        assert next(running) == (("identity", 1), 1)
        wait_until(lambda: os.listdir(inbox))
        monkeypatch.setattr(cluster, "_PATIENCE", 3.0)
        os.kill(remote.scheduler.pid, signal.SIGSTOP)
        with pytest.raises(ClusterLostError, match="TimeoutError"):
            pull(running)


@pytest.mark.slow
def test_shared_objects_are_sent_again_when_all_copies_are_lost(remote, inbox):
    """The one worker that has them is killed, and the next one comes when nobody else has them."""
    worker = remote.add_worker()
    tasks = [("a", "identity", value) for value in range(10)]
    tasks.insert(5, ("a", "hang_once", inbox))
    n_packed = cluster_work.N_PACKED
    running = run(use, tasks, remote.address, shared={"a": Noted("A", b"x" * 5 * MEGABYTE)}, share_of=first)
    with closing(running):
        found = [next(running) for _ in range(5)]
        wait_until(lambda: os.listdir(inbox))
        worker.kill()
        worker.wait()
        remote.add_worker()
        found += pull(running)
    assert {task: result[::2] for task, result in found} == {
        task: ("A", "again" if task[1] == "hang_once" else task[2]) for task in tasks
    }
    assert len(found) == len(tasks)
    assert cluster_work.N_PACKED - n_packed == 2
    assert len({result[1] for _, result in found}) == 2


@pytest.mark.slow
def test_workers_may_be_killed_at_any_time(inbox):
    """Some times, at random moments, in the middle of tasks and of sending; every task is done in the end."""
    tasks = [("abc"[value % 3], "sign_in_and_rest", inbox, 0.05 + value / 1e6) for value in range(300)]
    shared = {name: Noted(name.upper(), b"x" * 2 * MEGABYTE) for name in "abc"}
    chance = random.Random(1)
    ended = threading.Event()
    killed = []

    def kill():
        while len(killed) < 4 and not ended.wait(chance.uniform(0.1, 1.5)):
            alive = sorted(int(worker) for worker in os.listdir(inbox) if is_alive(worker))
            if alive:
                with suppress(ProcessLookupError):
                    killed.append(chance.choice(alive))
                    os.kill(killed[-1], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    with local_cluster(2) as started:
        killer.start()
        try:
            found = pull(run(use, tasks, started, shared=shared, share_of=first))
        finally:
            ended.set()
            killer.join()
    assert len(killed) >= 2
    assert len(found) == 300
    assert not [result for _, result in found if isinstance(result, Failure)]
    assert all(result[0] == task[0].upper() for task, result in found)


@pytest.mark.slow
def test_workers_of_several_threads(remote):
    remote.add_worker(n_threads=2)
    tasks = [("process_id", value) for value in range(4)]
    with pytest.warns(UserWarning, match="workers of several threads carry out each task in a process of its own"):
        found = dict(pull(run(act, tasks, remote.address)))
    assert len(set(found.values())) == 4


SCRIPT = """
import sys
from covey.study.cluster import run_on_cluster
from study.pool_work import act
print("running", flush=True)
tasks = [("identity", 1), ("hang", sys.argv[1])]
for task, result in run_on_cluster(act, tasks, cluster="local", n_workers=2, shared={}, share_of=lambda task: ""):
    print(result, flush=True)
"""


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_script_needs_no_guard_and_takes_its_cluster_with_it(tmp_path, inbox, number):
    (tmp_path / "script.py").write_text(SCRIPT)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    path = os.pathsep.join(entry for entry in sys.path if entry)
    with subprocess.Popen(
        [sys.executable, "script.py", inbox],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as parent:
        too_long = threading.Timer(PATIENCE, parent.kill)
        too_long.start()
        assert [parent.stdout.readline() for _ in range(2)] == ["running\n", "1\n"]
        wait_until(lambda: os.listdir(inbox))
        (worker,) = os.listdir(inbox)
        parent.send_signal(number)
        said, errors = parent.communicate(timeout=PATIENCE)
        too_long.cancel()
    assert said == ""
    if number == signal.SIGINT:
        assert errors.splitlines()[-1] == "KeyboardInterrupt"
        assert errors.count("Traceback") == 1
    wait_until(lambda: not is_alive(worker))
    wait_until(lambda: not os.listdir(temporary))
    assert sorted(os.listdir(tmp_path)) == ["inbox", "script.py", "temporary"]
