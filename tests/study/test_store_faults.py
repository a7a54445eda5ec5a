from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from hashlib import sha256

import numpy as np
import pytest

import covey.study
from covey.study.store import Store, StoreError
from study.outcomes import filled, key, make, record_of
from waiting import wait_until

# Forking a process of several threads is warned of.
ONE_THREAD = os.environ | {"OPENBLAS_NUM_THREADS": "1"}

on_posix = pytest.mark.skipif(os.name != "posix", reason="needs fork, signals and limits")


def read_all(path, n):
    """Everything that a store knows of the first cells, in things that can be compared."""
    keys = [key(number) for number in range(n)]
    with Store.open(path, write=False) as store:
        known = store.finished(keys)
        rows = [(one.key, one.status, one.labels, one.scores, one.seconds, one.warnings) for one in store.read(keys)]
        studies = {name: (record, store.study_cells(name)) for name, record in store.studies().items()}
        return known, rows, [store.arrays(one)["predictions"].tolist() for one in known], store.counts(), studies


def test_a_full_disk_is_said_and_loses_nothing_that_was_put(path):
    with Store.open(path, write=True) as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 30}")
        rng = np.random.default_rng(0)
        large = (make(number, arrays={"predictions": rng.random(1000)}) for number in range(100))
        with pytest.raises(StoreError, match=r"results\.sqlite: database or disk is full; make room"):
            list(map(store.put, large))
        n = len(store)
        assert 0 < n < 100
        store._connection.execute("PRAGMA max_page_count = 100000")
        assert store.put(make(n))
    assert len(read_all(path, n + 1)[1]) == n + 1


def script(text, *arguments):
    """How to run a script in a process of its own, without waiting for what else `covey.study` imports."""
    package = covey.study.__path__[0]
    light = f"import sys, types; module = types.ModuleType('covey.study'); module.__path__ = [{package!r}]"
    return [sys.executable, "-W", "error", "-c", f"{light}; sys.modules['covey.study'] = module\n{text}", *arguments]


LIMITED = """
import resource
import numpy as np
from covey.study.store import Outcome, Store, StoreError

rng = np.random.default_rng(0)
with Store.open(sys.argv[1], write=True) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    for number in range(1000):
        try:
            store.put(Outcome.done(str(number), {}, {}, {}, (), {"predictions": rng.random(500)}))
        except StoreError as error:
            print(error)
            break
        print(number)
    assert store.finished(map(str, range(1000))).keys() == set(map(str, range(number)))
"""


@on_posix
def test_a_file_that_cannot_grow_is_said_and_loses_nothing_that_was_put(path):
    run = subprocess.run(script(LIMITED, path), capture_output=True, text=True, check=False)
    *numbers, said = run.stdout.splitlines()
    assert run.returncode == 0, run.stderr
    assert said.startswith(f"{path}: disk I/O error; see whether the disk or a quota is full")
    assert 10 < len(numbers) < 1000
    with Store.open(path, write=True) as store:
        assert store.finished(numbers) == dict.fromkeys(numbers, "done")
        assert all(store.arrays(number)["predictions"].shape == (500,) for number in numbers)
        assert store.put(make(0))


COORDINATOR = """
import os, signal, time
from covey.study.store import Outcome, Store, StoreError

signal.alarm(3600)
with Store.open(sys.argv[1], write=True) as store:
    if os.fork() == 0:
        signal.alarm(3600)
        said = "the worker may read"
        try:
            len(store)
        except StoreError as error:
            said = str(error)
        print(os.getpid(), said, flush=True)
        time.sleep(3600)
        os._exit(0)
    number = 0
    while True:
        store.put(Outcome.done(str(number), {}, {}, {}))
        number += 1
        time.sleep(0.001)
"""


@on_posix
def test_one_writes_while_others_read_until_it_dies(path):
    first = subprocess.Popen(script(COORDINATOR, path), stdout=subprocess.PIPE, text=True, env=ONE_THREAD)
    worker, _, said = first.stdout.readline().partition(" ")
    try:
        assert f"was opened by process {first.pid}; open it again" in said
        with pytest.raises(StoreError, match=rf"is being written by process {first.pid} on {os.uname().nodename}"):
            Store.open(path, write=True)
        with Store.open(path, write=False) as reader:
            before = len(reader)
            wait_until(lambda: len(reader) >= before + 20)
            assert first.poll() is None
            assert list(reader.finished(reader.keys()).values()).count("done") >= before + 20
            first.kill()
            first.wait()
            n = len(reader)
        with Store.open(path, write=False) as reader:
            assert len(reader) == len(list(reader.read(reader.keys()))) >= n
        with Store.open(path, write=True) as store:  # though a worker of the one that was killed lives on
            os.kill(int(worker), 0)
            assert store.put(make(0))
    finally:
        first.kill()
        first.wait()
        first.stdout.close()
        os.kill(int(worker), signal.SIGKILL)


@pytest.mark.parametrize("width", [1, 40, 4096])
def test_damage_is_said_or_does_no_harm(path, width):
    n = 60
    with Store.open(filled(path, n), write=True) as store:
        store.put_study(record_of("a study"), {key(number): {"fit": number} for number in range(n)})
    content = path.read_bytes()
    sound = read_all(path, n)
    assert list(sound[-1]) == ["a study"]
    rng = np.random.default_rng(width)
    said = []
    for _ in range(60):
        place = int(rng.integers(0, len(content) - width))
        path.write_bytes(content[:place] + rng.bytes(width) + content[place + width :])
        try:
            known, rows, arrays, _, studies = read_all(path, n)
        except StoreError as error:
            said.append(str(error))
            continue
        assert studies == sound[-1]
        assert known.items() <= sound[0].items()  # a cell that is not found is run again
        assert all(row in sound[1] for row in rows)
        assert all(array in sound[2] for array in arrays)
    assert len(said) > 10
    assert all(str(path) in text for text in said)


@pytest.mark.parametrize("write", [False, True])
def test_a_store_that_was_cut_off_is_refused(path, write):
    content = filled(path, 60).read_bytes()
    for size in [0, 1, 100, 511, 512, 4096, 5000, len(content) // 2, len(content) - 4096]:
        path.write_bytes(content[:size])
        with pytest.raises(StoreError, match=r"results\.sqlite.*(cut off|damaged)"):
            Store.open(path, write=write)
        assert sha256(path.read_bytes()).digest() == sha256(content[:size]).digest()


@pytest.mark.parametrize(
    ("change", "call"),
    [
        ("UPDATE cells SET scores = '{\"accuracy\":0.99}'", lambda store: list(store.read([key(0)]))),
        ("UPDATE cells SET labels = 3.5", lambda store: list(store.read([key(0)]))),
        ("UPDATE cells SET status = 'dome'", lambda store: store.finished([key(0)])),
        ("UPDATE cells SET status = x'ff'", lambda store: store.counts()),
        ("UPDATE cells SET npz = x'00'", lambda store: store.arrays(key(0))),
        ("UPDATE cells SET npz = 'text'", lambda store: store.arrays(key(0))),
        ("DROP TABLE cells", len),
    ],
)
def test_content_that_was_not_put_is_not_believed(path, change, call):
    filled(path, 1)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(change)
    connection.close()
    with Store.open(path, write=False) as store, pytest.raises(StoreError, match="damaged; go back to a copy"):
        call(store)
