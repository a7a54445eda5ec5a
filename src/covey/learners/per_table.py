"""Knowledge of tables that is worked out once, for all members of an ensemble that are trained on them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from covey.table import Table

Value = TypeVar("Value")


class PerTable(Generic[Value]):
    """A cache of values by table, each kept as long as its table is there.

    A value must not refer to the table itself. Of several threads that ask for the same, one works it out and the
    others wait for it: a lock per table, so that other tables need not wait.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._locks: WeakKeyDictionary[Table, Any] = WeakKeyDictionary()
        self._known: WeakKeyDictionary[Table, dict[Hashable, Value]] = WeakKeyDictionary()

    def __len__(self) -> int:
        return len(self._known)

    def get(self, table: Table, find: Callable[[], Value], key: Hashable = None) -> Value:
        """Return what is known of a table under a key, or find it out.

        Only the last key is kept: all members of an ensemble ask for the same.
        """
        with self._lock:
            lock = self._locks.setdefault(table, Lock())
        with lock:
            known = self._known.get(table, {})
            if key not in known:
                known = {key: find()}
                self._known[table] = known
        return known[key]


def whole_of(table: Table) -> tuple[Table, NDArray[np.intp] | None]:
    """Return the table that a table has columns of, and which; itself and None if it is a whole one."""
    if table.whole is None:
        return table, None
    whole, columns = table.whole
    while whole.whole is not None:  # columns of columns
        columns, whole = whole.whole[1][columns], whole.whole[0]
    return whole, columns
