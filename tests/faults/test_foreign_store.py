"""A store that is damaged, cut off or something else altogether: it is said so, and left as it was, byte for byte.

What the store finds out by itself is tested in tests/study/test_store_faults.py.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

import pytest

from covey.report import write_report
from covey.study import Results, run_study
from covey.study.store import StoreError
from faults.driving import contents, study_of


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    store = tmp_path_factory.mktemp("sound") / "s.store"
    run_study(study_of(n_repeats=10), store)
    return store.read_bytes()


def text(path, sound):
    path.write_text("accuracy,method\n0.9,forest\n" * 100)


def image(path, sound):
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)


def empty(path, sound):
    path.touch()


def noise(path, sound):
    path.write_bytes(os.urandom(8192))


def a_line(path, sound):
    path.write_text("dataset,method,accuracy\n")


def cut_off(path, sound):
    path.write_bytes(sound[: len(sound) // 2])


def zeros_inside(path, sound):
    path.write_bytes(sound[:4096] + bytes(8192) + sound[3 * 4096 :])


def no_beginning(path, sound):
    path.write_bytes(bytes(100) + sound[100:])


def another_program(path, sound):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE cells (key TEXT, status TEXT)")
        connection.commit()


def another_format(path, sound):
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE name = 'format'")
        connection.commit()
        connection.execute("PRAGMA journal_mode = DELETE")


CASES = [
    (text, "no file of covey"),
    (image, "no file of covey"),
    (empty, "empty or cut off"),
    (a_line, "empty or cut off"),
    (noise, "no file of covey"),
    (cut_off, "damaged"),
    (zeros_inside, "damaged"),
    (no_beginning, "no file of covey, or its beginning is damaged"),
    (another_program, "SQLite file of another program"),
    (another_format, "format '999'.*reads format"),
]


def open_to_write(store, out):
    run_study(study_of(n_repeats=10), store)


def open_to_read(store, out):
    Results.in_store(store).frame()


def report(store, out):
    write_report(Results.in_store(store), out / "report.html")


@pytest.mark.parametrize("use", [open_to_write, open_to_read, report])
@pytest.mark.parametrize(("make", "message"), CASES, ids=[make.__name__ for make, _ in CASES])
def test_what_is_no_store_is_refused_and_left_alone(tmp_path, sound, make, message, use):
    store, out = tmp_path / "here" / "s.store", tmp_path / "out"
    store.parent.mkdir()
    out.mkdir()
    make(store, sound)
    before = contents(store.parent)
    with pytest.raises(StoreError, match=rf"s\.store.*{message}"):
        use(store, out)
    after = contents(store.parent)
    assert after.pop("s.store") == before.pop("s.store")
    assert set(after) <= {"s.store.lock", "s.store-wal", "s.store-shm"} | set(before)
    assert not list(out.iterdir())


def test_a_folder_is_no_store(tmp_path):
    (tmp_path / "s.store").mkdir()
    with pytest.raises(StoreError, match="is no file; name another"):
        run_study(study_of(), tmp_path / "s.store")
    assert list(tmp_path.rglob("*")) == [tmp_path / "s.store"]


@pytest.mark.slow
@pytest.mark.parametrize(("make", "message"), [CASES[0], CASES[3], CASES[6]], ids=["text", "cut off", "another"])
def test_the_command_line_says_it_in_a_sentence(room, sound, make, message):
    store, study = room.out / "s.store", room.folder / "study.toml"
    study.write_text(
        'name = "a"\nseed = 0\ndatasets = ["iris"]\n[protocol]\nkind = "cross-validation"\n[[method]]\nid = "c4.5"\n'
    )
    make(store, sound)
    before = contents(room.out)
    for command in (
        ["study", "run", study, "--store", store],
        ["report", store],
        ["study", "status", study, "--store", store],
    ):
        ended = room.covey(*command)
        assert ended.returncode in (1, 2)
        assert message in " ".join(ended.stderr.split())
        assert "Traceback" not in ended.stderr
        assert contents(room.out)["s.store"] == before["s.store"]
    assert not list(room.out.glob("*.html"))
    room.assert_untouched()
