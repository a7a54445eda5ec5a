"""The store of a study's results: one SQLite file, written by one coordinator and read by anyone.

Every outcome is a transaction of its own in SQLite's write-ahead log. Once `Store.put` has returned, the outcome is
with the operating system and survives the death of the process, by SIGKILL too. The log is forced to the disk at most
once a second (``synchronous=FULL`` for that commit, ``NORMAL`` for the others). So a power failure can take the
outcomes of the one second that followed the last such commit and no others: the file stays whole, and these cells are
run again.

The coordinator's lock is a lock of SQLite's on an empty file beside the store, ``<store>.lock``, which stays there. The
system drops the lock when the process ends, however it ends, and a forked worker does not inherit it. It is as sound as
the locks of the file system. On a network file system SQLite's log works for the processes of one machine only, so keep
stores on a local disk. While a store is open for writing, and after its process was killed, ``<store>-wal`` is a part
of it: copy or move both.

A store is used by the process and the thread that opened it, and only ever through SQLite: on POSIX systems a process
that closes a file of its own loses all its locks on it, those of SQLite's connections too.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any
from zlib import crc32

from numpy.typing import NDArray

from covey.study.outcome import COLUMNS, STATUSES, Outcome, Status, from_row, pack_arrays, to_row, unpack_arrays
from covey.study.record import StudyRecord
from covey.study.store_file import StoreError, beside, damaged, explained, open_reader, open_writer, take_lock

__all__ = ["Outcome", "Store", "StoreError"]

_WRITTEN = (*COLUMNS, "checksum", "finished_at", "npz")
_PUT = f"""
    INSERT INTO cells ({", ".join(_WRITTEN)}) VALUES ({", ".join("?" * len(_WRITTEN))})
    ON CONFLICT (key) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _WRITTEN[1:])}
    WHERE cells.status = 'failed'
"""

# Keys per query: within what every SQLite takes, and few rows to hold at a time.
_BATCH = 500
_SECONDS_BETWEEN_SYNCS = 1.0


class Store:
    """The outcomes of cells by their keys, in one file.

    Open it with `Store.open`, best in a ``with`` statement.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: sqlite3.Connection | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock
        self._process = os.getpid()
        self._files = _identities(path)
        self._synced = float("-inf")

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, write: bool) -> Store:
        """Open a store.

        Parameters
        ----------
        path : path
            The file.
        write : bool
            Whether to be the coordinator, of whom there is one at a time; a new store is made if there is none. Readers
            are let in at any time, and leave the file as it is.

        Raises
        ------
        FileNotFoundError
            There is no store to read, or no directory to make one in.
        StoreError
            Another process is the coordinator, or the file is damaged, of another format or no store at all. It is left
            as it was.
        """
        file = Path(path).resolve()
        if not write:
            return cls(file, open_reader(file), None)
        if file.exists():
            open_reader(file).close()  # so that a file of another kind is refused before a lock is put beside it
        elif not file.parent.is_dir():
            raise FileNotFoundError(f"There is no directory {file.parent} to keep {file.name} in.")
        lock = take_lock(file)
        try:
            return cls(file, open_writer(file), lock)
        except BaseException:
            lock.close()
            raise

    def close(self) -> None:
        """Close the file, and let go of the coordinator's lock."""
        with explained(self.path):
            if self._lock is not None:
                with suppress(sqlite3.Error):
                    self._connection.execute("DELETE FROM meta WHERE name = 'coordinator'")
            self._connection.close()
            if self._lock is not None:
                self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return sum(self.counts().values())

    def __str__(self) -> str:
        return f"{self.path.name}: " + ", ".join(f"{count} {status}" for status, count in self.counts().items())

    def counts(self) -> dict[Status, int]:
        """Return how many cells are done and how many failed."""
        counts = dict(self._ask("SELECT status, count(*) FROM cells GROUP BY status"))
        for status in counts:
            self._check_status(status)
        return {status: counts.get(status, 0) for status in STATUSES}

    def keys(self) -> list[str]:
        """Return the keys of all cells in the order in which they first came."""
        return [key for (key,) in self._ask("SELECT key FROM cells ORDER BY rowid")]

    def finished(self, keys: Iterable[str]) -> dict[str, Status]:
        """Return the status of those of some cells that are in the store, by their keys."""
        rows = (row for batch in _batches(keys) for row in self._ask_for(batch, ("key", "status")))
        return {key: self._check_status(status) for key, status in rows}

    def read(self, keys: Iterable[str]) -> Iterator[Outcome]:
        """Yield the outcomes of those of some cells that are in the store, in the order of the keys, without arrays."""
        for batch in _batches(keys):
            rows = {row[0]: row for row in self._ask_for(batch, (*COLUMNS, "checksum"))}
            for key in batch:
                if key in rows:
                    *columns, checksum = rows[key]
                    with self._sound(f"cell {key}"):
                        _check(checksum, columns)
                        outcome = from_row(columns)
                    yield outcome

    def arrays(self, key: str) -> dict[str, NDArray[Any]]:
        """Return the arrays of a cell, none if it was put without.

        Raises
        ------
        KeyError
            The cell is not in the store.
        """
        rows = self._ask_for([key], ["npz"])
        if not rows:
            raise KeyError(f"{self.path} has no cell {key!r}.")
        (content,) = rows[0]
        with self._sound(f"cell {key}"):
            return {} if content is None else unpack_arrays(content)

    def put(self, outcome: Outcome) -> bool:
        """Keep an outcome, and return whether it was kept.

        A cell that failed is replaced. One that is done stays as it is, and what comes later is let go. When this
        returns, the outcome survives the death of the process.

        Raises
        ------
        StoreError
            There is no room on the disk, or the store is open for reading only: what was put before is safe. Or the
            file was removed, moved or replaced.
        TypeError, ValueError
            The outcome holds what cannot be written down, such as an array of objects.
        """
        row = to_row(outcome)
        content = pack_arrays(outcome.arrays) if outcome.arrays else None
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._transaction():
            return self._connection.execute(_PUT, (*row, _checksum(row), now, content)).rowcount == 1

    def put_study(self, record: StudyRecord, keys: Mapping[str, Mapping[str, Any]]) -> None:
        """Keep what a study is and which cells it has, in the place of one of the same name.

        Parameters
        ----------
        record : StudyRecord
        keys : mapping of str to mapping
            The labels of each cell, by its key; the cells need not be there yet.
        """
        row = (record.name, record.to_json(), json.dumps({key: dict(labels) for key, labels in keys.items()}))
        with self._transaction():
            self._connection.execute("INSERT OR REPLACE INTO studies VALUES (?, ?, ?, ?)", (*row, _checksum(row)))

    def studies(self) -> dict[str, StudyRecord]:
        """Return the records of the studies that were carried out on this store, by name."""
        with self._sound("studies"):
            return {name: StudyRecord.from_json(record) for name, record, _ in self._study_rows()}

    def study_cells(self, name: str) -> dict[str, Mapping[str, Any]]:
        """Return the labels of a study's cells, by their keys."""
        with self._sound(f"study {name!r}"):
            cells = {row[0]: row[2] for row in self._study_rows()}
            if name not in cells:
                raise StoreError(f"{self.path} has no study {name!r}.")
            return dict(json.loads(cells[name]))

    def _study_rows(self) -> Iterator[Sequence[str]]:
        for *row, checksum in self._ask("SELECT name, record, cells, checksum FROM studies ORDER BY name"):
            _check(checksum, row)
            yield row

    @contextmanager
    def _sound(self, what: str) -> Iterator[None]:
        """Say that the store is damaged if what is read makes no sense."""
        try:
            yield
        except StoreError:
            raise
        except Exception as error:  # damaged content can fail in any way
            raise damaged(self.path, self._connection, f"{what}: {error}") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._lock is None:
            raise StoreError(f"{self.path} is open for reading only; open it with write=True.")
        now = time.monotonic()
        sync = now - self._synced >= _SECONDS_BETWEEN_SYNCS
        with self._used():
            self._connection.execute(f"PRAGMA synchronous = {'FULL' if sync else 'NORMAL'}")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        if _identities(self.path) != self._files:  # what is written would be found by nobody
            raise StoreError(
                f"{self.path} or its -wal was removed, moved or replaced while it was written to; put back what you "
                "have of it, and run again."
            )
        if sync:
            self._synced = now

    def _ask(self, query: str, values: Sequence[str] = ()) -> list[Any]:
        """Return all rows at once: a query left open would keep the log from being worked off."""
        with self._used():
            return self._connection.execute(query, values).fetchall()

    def _ask_for(self, keys: Sequence[str], columns: Sequence[str]) -> list[Any]:
        places = ", ".join("?" * len(keys))
        return self._ask(f"SELECT {', '.join(columns)} FROM cells WHERE key IN ({places})", keys)

    @contextmanager
    def _used(self) -> Iterator[None]:
        if os.getpid() != self._process:
            raise StoreError(f"{self.path} was opened by process {self._process}; open it again in this one.")
        with explained(self.path, self._connection):
            yield

    def _check_status(self, status: Any) -> Status:
        for known in STATUSES:
            if status == known:
                return known
        raise damaged(self.path, self._connection, f"a cell has the status {status!r}")


def _checksum(columns: Iterable[str]) -> int:
    return crc32("\0".join(columns).encode())


def _check(checksum: int, columns: Iterable[str]) -> None:
    if _checksum(columns) != checksum:
        raise ValueError("it is not what was put")


def _identities(path: Path) -> list[tuple[int, int] | None]:
    """Return which files a store and its log are, whatever their names; None for one that is not there."""
    identities: list[tuple[int, int] | None] = []
    for file in (path, beside(path, "-wal")):
        try:
            state = file.stat()
            identities.append((state.st_dev, state.st_ino))
        except OSError:
            identities.append(None)
    return identities


def _batches(keys: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(keys)
    while batch := list(islice(rest, _BATCH)):
        yield batch
