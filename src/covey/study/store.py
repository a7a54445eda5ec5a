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

A store is used by the process and the thread that opened it.
"""

from __future__ import annotations

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
from covey.study.store_file import StoreError, damaged, explained, open_reader, open_writer, take_lock
from covey.study.store_studies import read_studies, read_study_cells, write_study

__all__ = ["Outcome", "Store", "StoreError"]

_WRITTEN = (*COLUMNS, "checksum", "npz_checksum", "finished_at")
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
        self._place = _identities(path)
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
        found = dict(self._ask("SELECT status, count(*) FROM cells GROUP BY status"))
        for status in found:
            self._check_status(status)
        return {status: found.get(status, 0) for status in STATUSES}

    def keys(self) -> list[str]:
        """Return the keys of all cells in the order in which they first came."""
        return [key for (key,) in self._ask("SELECT key FROM cells ORDER BY rowid")]

    def finished(self, keys: Iterable[str]) -> dict[str, Status]:
        """Return the status of those of some cells that are in the store, by their keys."""
        found: dict[str, Status] = {}
        missing: set[str] = set()
        for batch in _batches(keys):
            for key, status in self._ask_for(batch, ("key", "status")):
                found[key] = self._check_status(status)
            missing.update(key for key in batch if key not in found)
        self._check_missing(missing)
        return found

    def read(self, keys: Iterable[str]) -> Iterator[Outcome]:
        """Yield the outcomes of those of some cells that are in the store, in the order of the keys, without arrays."""
        missing: set[str] = set()
        for batch in _batches(keys):
            rows = {row[0]: row for row in self._ask_for(batch, (*COLUMNS, "checksum"))}
            missing.update(key for key in batch if key not in rows)
            for key in batch:
                if key in rows:
                    yield self._decode(rows[key])
        self._check_missing(missing)

    def arrays(self, key: str) -> dict[str, NDArray[Any]]:
        """Return the arrays of a cell, none if it was put without.

        Raises
        ------
        KeyError
            The cell is not in the store.
        """
        query = "SELECT npz, npz_checksum FROM cells LEFT JOIN arrays USING (key) WHERE cells.key = ?"
        rows = self._ask(query, (key,))
        if not rows:
            self._check_missing({key})
            raise KeyError(f"{self.path} has no cell {key!r}.")
        content, checksum = rows[0]
        try:
            if checksum != (None if content is None else crc32(content)):
                raise ValueError("its arrays are not those that were put")
            return {} if content is None else unpack_arrays(content)
        except Exception as error:  # forged content can fail in any way
            raise damaged(self.path, self._connection, f"cell {key}: {error}") from error

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
        self._refuse_reader()
        row = to_row(outcome)
        content = pack_arrays(outcome.arrays) if outcome.arrays else None
        checksums = _checksum(row), None if content is None else crc32(content)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._transaction():
            kept = self._connection.execute(_PUT, (*row, *checksums, now)).rowcount == 1
            if kept:
                self._connection.execute("DELETE FROM arrays WHERE key = ?", (outcome.key,))
            if kept and content is not None:
                self._connection.execute("INSERT INTO arrays VALUES (?, ?)", (outcome.key, content))
        return kept

    def put_study(self, record: StudyRecord, keys: Mapping[str, Mapping[str, Any]]) -> None:
        """Keep what a study is and which cells it has, in the place of one of the same name.

        Parameters
        ----------
        record : StudyRecord
        keys : mapping of str to mapping
            The labels of each cell, by its key; the cells need not be there yet.
        """
        self._refuse_reader()
        with self._transaction():
            write_study(self._connection, record, keys)

    def studies(self) -> dict[str, StudyRecord]:
        """Return the records of the studies that were carried out on this store, by name."""
        with self._used(), self._sound("studies"):
            return read_studies(self._connection)

    def study_cells(self, name: str) -> dict[str, Mapping[str, Any]]:
        """Return the labels of a study's cells, by their keys."""
        with self._used(), self._sound(f"study {name!r}"):
            return read_study_cells(self._connection, name)

    def _refuse_reader(self) -> None:
        if self._lock is None:
            raise StoreError(f"{self.path} is open for reading only; open it with write=True.")

    @contextmanager
    def _sound(self, what: str) -> Iterator[None]:
        """Say that the store is damaged if what is read makes no sense."""
        try:
            yield
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise damaged(self.path, self._connection, f"{what}: {error}") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
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
        self._check_place()
        if sync:
            self._synced = now

    def _check_place(self) -> None:
        """Say that the file is no longer there, rather than go on writing to one that nobody can open."""
        if _identities(self.path) != self._place:
            raise StoreError(
                f"{self.path} or its -wal was removed, moved or replaced while it was written to; put back what you "
                "have of it, and run again."
            )

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

    def _check_missing(self, keys: set[str]) -> None:
        """Look among the rows themselves for cells that the index does not know: if it is damaged, it hides some."""
        if not keys:
            return
        with self._used():
            rows = self._connection.execute("SELECT key FROM cells NOT INDEXED")
            there = [key for (key,) in rows if key in keys]
        for batch in _batches(there):  # asked again, for the coordinator may have put them just now
            known = {key for (key,) in self._ask_for(batch, ("key",))}
            if hidden := [key for key in batch if key not in known]:
                raise damaged(self.path, self._connection, f"the index does not know cell {hidden[0]}")

    def _check_status(self, status: Any) -> Status:
        for known in STATUSES:
            if status == known:
                return known
        raise damaged(self.path, self._connection, f"a cell has the status {status!r}")

    def _decode(self, row: Sequence[Any]) -> Outcome:
        *columns, checksum = row
        try:
            if _checksum(columns) != checksum:
                raise ValueError("its row is not what was put")
            return from_row(columns)
        except (AttributeError, TypeError, ValueError) as error:
            raise damaged(self.path, self._connection, f"cell {row[0]}: {error}") from error


def _checksum(columns: Iterable[str]) -> int:
    return crc32("\0".join(columns).encode())


def _identities(path: Path) -> list[tuple[int, int] | None]:
    """Return which files a store and its log are, whatever their names; None for one that is not there."""
    found: list[tuple[int, int] | None] = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        try:
            state = file.stat()
            found.append((state.st_dev, state.st_ino))
        except OSError:
            found.append(None)
    return found


def _batches(keys: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(keys)
    while batch := list(islice(rest, _BATCH)):
        yield batch
