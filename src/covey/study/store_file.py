"""The file of a store: made whole, told from files of other kinds, opened, locked, and its errors put in words."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

FORMAT = 3
APPLICATION = int.from_bytes(b"covy", "big")

# A checksum tells values that were damaged on the disk; arrays have their own in the format that packs them. They are
# the last column, so that reading the others does not touch their pages.
_SCHEMA = f"""
    PRAGMA application_id = {APPLICATION};
    BEGIN;
    CREATE TABLE meta (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
    INSERT INTO meta VALUES ('format', '{FORMAT}');
    CREATE TABLE cells (
        key TEXT PRIMARY KEY NOT NULL, status TEXT NOT NULL, labels TEXT NOT NULL, scores TEXT NOT NULL,
        seconds TEXT NOT NULL, warnings TEXT NOT NULL, error TEXT NOT NULL, traceback TEXT NOT NULL,
        checksum INTEGER NOT NULL, finished_at TEXT NOT NULL, npz BLOB
    );
    CREATE TABLE studies (
        name TEXT PRIMARY KEY NOT NULL, record TEXT NOT NULL, cells TEXT NOT NULL, checksum INTEGER NOT NULL
    );
    COMMIT;
    PRAGMA journal_mode = WAL;
"""
_SECONDS_TO_WAIT = 30.0
_SMALLEST_PAGE = 512

_DAMAGED = "it is damaged; go back to a copy, or save what can be saved with .recover of the sqlite3 tool."
_REMEDIES = {
    "SQLITE_FULL": "make room and run again; what was put before is safe.",
    "SQLITE_IOERR": "see whether the disk or a quota is full, or the disk is failing; what was put before is safe.",
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_NOTADB": "it is no file of covey, or its beginning is damaged; name another file.",
    "SQLITE_BUSY": "another program holds it; end that first.",
    "SQLITE_CANTOPEN": "see whether you may read it, and write to its directory.",
    "SQLITE_READONLY": "see whether you may write to it and to its directory.",
    "SQLITE_TOOBIG": "keep fewer or smaller arrays of a cell.",
}


class StoreError(RuntimeError):
    """A store that cannot be used: damaged, foreign, held by another process, or without room on the disk."""


def open_reader(file: Path) -> sqlite3.Connection:
    """Return a connection that leaves a store as it is.

    SQLite has to make its log's index in the directory. Where it may not, a store without a log can still be read.
    """
    if not file.exists():
        raise FileNotFoundError(f"There is no store {file}.")
    with explained(file):
        _refuse_foreign(file)
        try:
            return _connect(file, "mode=ro")
        except sqlite3.OperationalError as error:
            if not _name(error).startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")):
                raise
        if _has_log(file):
            raise StoreError(
                f"{file} has results in {file.name}-wal that cannot be read without writing to the directory; copy "
                "both files to one where you may write."
            )
        return _connect(file, "mode=ro&immutable=1")


def open_writer(file: Path) -> sqlite3.Connection:
    """Return a connection that can write to a store, which is made if it is not there; the lock must be held."""
    with explained(file):
        if not file.exists():
            _create(file)
        connection = _connect(file, "mode=rw")
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            writer = json.dumps({"pid": os.getpid(), "host": platform.node()})
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('coordinator', ?)", (writer,))
        except BaseException:
            connection.close()
            raise
    return connection


def take_lock(file: Path) -> sqlite3.Connection:
    """Return a connection that holds the coordinator's lock until it is closed or the process ends."""
    place = beside(file, ".lock")
    with explained(place):
        lock = sqlite3.connect(place, isolation_level=None, timeout=0)
        try:
            lock.execute("PRAGMA journal_mode = MEMORY")  # nothing is ever written, so that no file is needed
            lock.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            lock.close()
            if _name(error).startswith("SQLITE_BUSY"):
                raise StoreError(
                    f"{file} is being written by {_coordinator(file)}; wait until it is done, or end it."
                ) from error
            raise
    return lock


@contextmanager
def explained(path: Path, connection: sqlite3.Connection | None = None) -> Iterator[None]:
    """Turn errors of SQLite into such as say which file, and what to do; the connection is asked what is damaged."""
    try:
        yield
    except sqlite3.ProgrammingError as error:  # closed, or of another thread
        raise StoreError(f"{path}: {error}") from error
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter from a message that quotes what is damaged
        remedy = next((text for start, text in _REMEDIES.items() if _name(error).startswith(start)), _DAMAGED)
        if remedy is _DAMAGED and connection is not None:
            raise damaged(path, connection, str(error)) from error
        raise StoreError(f"{path}: {error}; {remedy}") from error


def damaged(path: Path, connection: sqlite3.Connection, what: str) -> StoreError:
    """Return the error for a damaged store, with the first thing that SQLite finds wrong if it finds any."""
    finding = ""
    with suppress(sqlite3.Error):
        (checked,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        finding = "" if checked in ("ok", what) else f" ({' '.join(str(checked).split())})"
    return StoreError(f"{path}: {what}{finding}; {_DAMAGED}")


def beside(file: Path, ending: str) -> Path:
    """Return a file that belongs to a store."""
    return file.with_name(file.name + ending)


def _connect(file: Path, how: str) -> sqlite3.Connection:
    """Return a connection to a store, refusing another format."""
    connection = sqlite3.connect(f"{file.as_uri()}?{how}", uri=True, isolation_level=None, timeout=_SECONDS_TO_WAIT)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        (known,) = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone() or (None,)
        if known != str(FORMAT):
            raise StoreError(
                f"{file} has format {known!r}, but this version of covey reads format {FORMAT}; name another file, or "
                "use the version that made it."
            )
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_foreign(file: Path) -> None:
    """Refuse what is no store, from its first page alone and without leaving anything beside it."""
    if not file.is_file():
        raise StoreError(f"{file} is no file; name another.")
    if file.stat().st_size < _SMALLEST_PAGE:  # SQLite would take it for new, and delete a log that is left of it
        raise StoreError(f"{file} is empty or cut off; delete it if it is to be a new store, or go back to a copy.")
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
    except sqlite3.DatabaseError as error:
        if _name(error).startswith("SQLITE_NOTADB"):
            raise
        return  # a process that was killed may have left the file behind its log, with which it is whole
    if application != APPLICATION:
        raise StoreError(f"{file} is a SQLite file of another program; name another file.")


def _create(file: Path) -> None:
    """Make a new store, which appears under its name at once, when it is complete."""
    if _has_log(file):
        raise StoreError(f"{file}-wal is left of a store that is gone; put {file.name} back, or delete what is left.")
    drafts = [beside(file, f".part{ending}") for ending in ("", "-journal", "-wal", "-shm")]
    try:
        for left in drafts:  # of a process that was killed as it made one
            left.unlink(missing_ok=True)
        with closing(sqlite3.connect(drafts[0], isolation_level=None)) as connection:
            connection.executescript(_SCHEMA)
        drafts[0].replace(file)
    except OSError as error:
        raise StoreError(f"{file} cannot be made: {error}.") from error
    finally:
        drafts[0].unlink(missing_ok=True)


def _coordinator(file: Path) -> str:
    """Return in words who holds the lock, as far as it is known."""
    try:
        with closing(open_reader(file)) as connection:
            (writer,) = connection.execute("SELECT value FROM meta WHERE name = 'coordinator'").fetchone()
        known = json.loads(writer)
        return f"process {known['pid']} on {known['host']}"
    except (KeyError, OSError, StoreError, sqlite3.Error, TypeError, ValueError):  # it is only just beginning
        return "another process"


def _has_log(file: Path) -> bool:
    log = beside(file, "-wal")
    return log.exists() and log.stat().st_size > 0


def _name(error: Exception) -> str:
    return str(getattr(error, "sqlite_errorname", ""))
