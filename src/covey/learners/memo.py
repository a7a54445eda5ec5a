"""What is found out about a table once, for all learners that are trained on it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from covey.table import Table

Found = TypeVar("Found")


class PerTable(Generic[Found]):
    """Keeps what was found out about tables, each as long as its table is there.

    What is kept must not refer to the table itself. Of several threads that ask for the same, one works it out and the
    others wait for it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._locks: WeakKeyDictionary[Table, Any] = WeakKeyDictionary()
        self._found: WeakKeyDictionary[Table, dict[Hashable, Found]] = WeakKeyDictionary()

    def __len__(self) -> int:
        return len(self._found)

    def get(self, table: Table, find: Callable[[], Found], key: Hashable = None) -> Found:
        """Return what is known of a table under a key, or find it out.

        Only the last key is kept: all members of an ensemble ask for the same.
        """
        with self._lock:
            lock = self._locks.setdefault(table, Lock())
        with lock:
            known = self._found.get(table, {})
            if key not in known:
                known = {key: find()}
                self._found[table] = known
        return known[key]
