from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from covey.study.store import Outcome, Store, StoreError
from covey.study.store_file import APPLICATION


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def content_of(file):
    """A hash, which pytest can show at once if it is not as it should be."""
    return sha256(file.read_bytes()).hexdigest()


def contents(folder):
    return {file.name: content_of(file) for file in folder.iterdir() if file.is_file()}


def put_some(path):
    with Store.open(path, write=True) as store:
        for number in range(5):
            store.put(Outcome.done(str(number), {}, {"a": number}, {}))
    return path


def refused(path, message):
    for write in (False, True):
        with pytest.raises(StoreError, match=message):
            Store.open(path, write=write)


def test_a_new_store_appears_whole_and_only_its_lock_stays_beside_it(path):
    with Store.open(path, write=True) as store:
        assert len(store) == 0
        assert not [name for name in names(path.parent) if name.endswith((".part", "-journal"))]
    assert names(path.parent) == ["results.sqlite", "results.sqlite.lock"]
    assert path.with_name("results.sqlite.lock").read_bytes() == b""
    with Store.open(path, write=False) as store:
        assert store.counts() == {"done": 0, "failed": 0}
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
        assert connection.execute("SELECT * FROM meta").fetchall() == [("format", "3")]


def test_a_store_that_could_not_be_made_leaves_nothing_but_the_lock(path, monkeypatch):
    monkeypatch.setattr(Path, "replace", lambda self, target: (_ for _ in ()).throw(OSError("no room")))
    with pytest.raises(StoreError, match=r"results\.sqlite cannot be made: no room"):
        Store.open(path, write=True)
    assert names(path.parent) == ["results.sqlite.lock"]
    monkeypatch.undo()
    put_some(path)


def test_missing_files_and_folders_are_said(tmp_path, path):
    with pytest.raises(FileNotFoundError, match=r"There is no store .*results\.sqlite"):
        Store.open(path, write=False)
    with pytest.raises(FileNotFoundError, match=r"There is no directory .*none to keep results\.sqlite in"):
        Store.open(tmp_path / "none" / "results.sqlite", write=True)
    assert names(tmp_path) == []
    refused(tmp_path, "is no file")


def change(path, *queries):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for query in queries:
            connection.execute(query)
    path.with_name("results.sqlite.lock").unlink()
    return content_of(path)


def test_other_formats_are_refused_and_left_alone(path):
    put_some(path)
    content = change(path, "UPDATE meta SET value = '4' WHERE name = 'format'", "DROP TABLE cells")
    refused(path, "has format '4', but this version of covey reads format 3; .*use the version that made it")
    assert content_of(path) == content
    assert not path.with_name("results.sqlite.lock").exists()


@pytest.mark.parametrize("query", ["DROP TABLE meta", "DELETE FROM meta"])
def test_a_store_without_its_format_is_refused(path, query):
    put_some(path)
    content = change(path, query)
    refused(path, "no such table: meta; it is damaged|has format None")
    assert content_of(path) == content


def test_a_second_coordinator_is_refused_by_name(path, tmp_path):
    with Store.open(path, write=True) as store:
        message = rf"results\.sqlite is being written by process {os.getpid()} on .+; wait until it is done"
        (tmp_path / "other name").symlink_to(path)
        for name in (path, tmp_path / "other name"):
            with pytest.raises(StoreError, match=message):
                Store.open(name, write=True)
        assert store.put(Outcome.done("0", {}, {}, {}))
        with Store.open(path, write=False) as reader:
            assert len(reader) == 1
        assert store.put(Outcome.done("1", {}, {}, {}))
    with Store.open(path, write=True) as store:
        assert len(store) == 2


def test_a_coordinator_that_has_not_yet_said_who_it_is_is_refused_too(path):
    lock = sqlite3.connect(path.with_name("results.sqlite.lock"), isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="is being written by another process"):
        Store.open(path, write=True)
    assert not path.exists()
    lock.close()
    put_some(path)


def test_the_lock_is_let_go_when_opening_fails(path, monkeypatch):
    put_some(path)
    monkeypatch.setattr("covey.study.store_file.platform.node", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        Store.open(path, write=True)
    monkeypatch.undo()
    put_some(path)


def test_a_lock_file_of_another_kind_is_left_alone(path):
    lock = path.with_name("results.sqlite.lock")
    lock.write_text("something else " * 100)
    with pytest.raises(StoreError, match=r"results\.sqlite\.lock: file is not a database"):
        Store.open(path, write=True)
    assert names(path.parent) == ["results.sqlite.lock"]
    assert lock.read_text() == "something else " * 100


def test_a_log_without_its_store_is_not_taken_for_that_of_a_new_one(path):
    with Store.open(path, write=True) as store:
        store.put(Outcome.done("0", {}, {}, {}))
        log = path.with_name("results.sqlite-wal").read_bytes()
    path.unlink()
    path.with_name("results.sqlite-wal").write_bytes(log)
    with pytest.raises(StoreError, match="is left of a store that is gone"):
        Store.open(path, write=True)
    path.write_bytes(b"")
    refused(path, "is empty or cut off")
    assert content_of(path.with_name("results.sqlite-wal")) == sha256(log).hexdigest()


def leave_log(path, *endings):
    """Copy a store as a killed process would leave it: some results are in its log only."""
    there = path.with_name("there.sqlite")
    with Store.open(there, write=True) as store:
        for number in range(5):
            store.put(Outcome.done(str(number), {}, {"a": number}, {}))
        for ending in ("", *endings):
            shutil.copy(f"{there}{ending}", f"{path}{ending}")
    return path


def test_the_log_of_a_killed_process_is_read_and_left(path):
    leave_log(path, "-wal")
    content, log = content_of(path), content_of(path.with_name("results.sqlite-wal"))
    with Store.open(path, write=False) as store:
        assert store.finished(map(str, range(9))) == dict.fromkeys("01234", "done")
    assert content_of(path) == content
    assert content_of(path.with_name("results.sqlite-wal")) == log
    with Store.open(path, write=True) as store:
        assert len(store) == 5
    assert not path.with_name("results.sqlite-wal").exists()
    with Store.open(path, write=False) as store:
        assert len(store) == 5


@contextmanager
def sealed(folder, permissions=0o444):
    """Forbid writing to a folder; root, who may do anything, becomes nobody meanwhile."""
    root = os.geteuid() == 0
    os.chmod(folder, 0o555)
    for file in folder.iterdir():
        os.chmod(file, permissions)
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        os.chmod(folder, 0o755)


@pytest.fixture
def open_folder():
    """A folder that others can reach, which pytest's own is not."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder).resolve()


@pytest.mark.skipif(os.name != "posix", reason="needs the permissions of POSIX")
def test_a_store_in_a_folder_that_cannot_be_written_is_read(open_folder):
    path = put_some(open_folder / "results.sqlite")
    before = contents(open_folder)
    with sealed(open_folder):
        with Store.open(path, write=False) as store:
            assert len(list(store.read(store.keys()))) == 5
        with pytest.raises(StoreError, match=r"results\.sqlite.*see whether you may"):
            Store.open(path, write=True)
    assert contents(open_folder) == before


@pytest.mark.skipif(os.name != "posix", reason="needs the permissions of POSIX")
@pytest.mark.parametrize("endings", [("-wal",), ("-wal", "-shm")])
def test_a_log_in_a_folder_that_cannot_be_written_is_never_passed_over(open_folder, tmp_path, endings):
    shutil.copytree(leave_log(tmp_path / "results.sqlite", *endings).parent, open_folder, dirs_exist_ok=True)
    with sealed(open_folder):
        if "-shm" in endings:
            with Store.open(open_folder / "results.sqlite", write=False) as store:
                assert len(store) == 5
        else:
            with pytest.raises(StoreError, match=r"has results in results\.sqlite-wal that cannot be read"):
                Store.open(open_folder / "results.sqlite", write=False)


@pytest.mark.skipif(os.name != "posix", reason="needs the permissions of POSIX")
def test_a_store_that_may_not_be_read_is_said(open_folder):
    path = put_some(open_folder / "results.sqlite")
    with (
        sealed(open_folder, 0),
        pytest.raises(StoreError, match=r"results\.sqlite: unable to open database file; see whether you may"),
    ):
        Store.open(path, write=False)
