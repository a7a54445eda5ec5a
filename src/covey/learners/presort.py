"""The columns of a table, sorted once for all trees that are grown on it, and the growing of one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.learners.per_table import PerTable
from covey.table import Table

_MISSING_RANK = 2**31 - 1

Nodes = tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]

# Columns of no more rows are sorted many at a time, so many numbers in all: one by one, the calls take longer.
FEW_ROWS, TOGETHER = 1000, 2**15

# Keys that the kernel goes through in about a second.
WORK = 2**25

# Room for nodes to begin with, beside a quarter of the rows.
ROOM = 64


@dataclass(frozen=True, eq=False)
class Presort:
    """A table as tree kernels take it."""

    # (numeric column, row): the rows in the order of their values, as rank << 32 | row; equal values have equal ranks,
    # rows whose value is missing come last. Bit 31 marks values within 1e-5 of the next smaller one, where C4.5 makes
    # no cut.
    keys: NDArray[np.int64]
    values: NDArray[np.int32]  # (column, row): rank or category, -1 if it is missing
    n_values: NDArray[np.int32]  # categories per column, at least 1; 0 for a numeric column
    place: NDArray[np.int32]  # where a numeric column is in `keys`; -1 for others
    distinct: NDArray[np.float64]  # the distinct values of the numeric columns in order, one column after the other
    offset: NDArray[np.int64]  # where each column's distinct values start
    apart: NDArray[np.int64]  # values whose ranks in a numeric column differ by so many differ by more than 1e-5

    @cached_property
    def most_values(self) -> int:
        """The largest number of categories of a column, at least 2."""
        return int(self.n_values.max(initial=2))

    @cached_property
    def rows(self) -> NDArray[np.int32]:
        """The values row by row: in pruning one row is looked at in many columns."""
        return np.ascontiguousarray(self.values.T)

    @cached_property
    def has_missing(self) -> NDArray[np.bool_]:
        """Whether a column has missing values."""
        return np.asarray((self.values < 0).any(axis=1))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What the kernel that grows a tree takes, in its order."""
        return self.keys, self.values, self.n_values, self.place, self.distinct, self.offset, self.apart

    def take(self, columns: NDArray[np.intp]) -> Presort:
        """Return the same for some columns, in the given order."""
        n_values = self.n_values[columns]
        numeric = self.place[columns[n_values == 0]]
        parts = [self.distinct[self.offset[j] : self.offset[j + 1]] for j in numeric.tolist()]
        return Presort(
            np.ascontiguousarray(self.keys[numeric]),
            np.ascontiguousarray(self.values[columns]),
            n_values,
            _places(n_values),
            *_joined(parts),
            self.apart[numeric],
        )


def presort(table: Table) -> Presort:
    """Sort the columns of a table, or find them sorted already.

    The result is kept as long as the table is; a table of some of the columns of another takes over its order.
    """

    def find() -> Presort:
        if table.whole is None:
            return _sort(table)
        whole, columns = table.whole
        return presort(whole).take(columns)

    return _SORTED.get(table, find)


_SORTED: PerTable[Presort] = PerTable()


def _sort(table: Table) -> Presort:
    from covey.kernels.order import rank_columns

    n_rows, n_columns = table.shape
    if n_rows > _MISSING_RANK:
        raise ValueError(f"X has {n_rows} rows; a tree takes no more than {_MISSING_RANK}.")
    n_values = np.where(table.categorical, np.maximum(table.schema.n_categories, 1), 0).astype(np.int32)
    place = _places(n_values)
    keys = np.empty((int((n_values == 0).sum()), n_rows), dtype=np.int64)
    values = np.empty((n_columns, n_rows), dtype=np.int32)
    nominal, numeric = np.flatnonzero(n_values), np.flatnonzero(n_values == 0)
    values[nominal] = np.nan_to_num(table.matrix.T[nominal], nan=-1.0)
    apart = np.empty(len(keys), dtype=np.int64)
    step = max(1, TOGETHER // max(n_rows, 1)) if n_rows <= FEW_ROWS else 1
    offset, distinct = np.zeros(len(keys) + 1, dtype=np.int64), np.empty(keys.size)
    for start in range(0, len(numeric), step):
        some = numeric[start : start + step].astype(np.int32)
        columns = np.ascontiguousarray(table.matrix.T[some]) + 0.0  # 0 has no sign
        order = np.argsort(columns, axis=1).astype(np.int32) if n_rows <= FEW_ROWS else _order(columns[0])[None]
        ends, room = offset[start + 1 : start + 1 + step], distinct[offset[start] :]
        rank_columns(columns, order, place[some], some, keys, values, room, ends, apart[start : start + step])
        ends += offset[start]
    if offset[-1] < len(distinct):  # no more memory than is needed
        distinct = distinct[: offset[-1]].copy()
    return Presort(keys, values, n_values, place, distinct, offset, apart)


def _order(column: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the rows in the order of their values, none of them -0.0, of equal ones in their own; NaN comes last."""
    from covey.kernels.order import order_rows

    bits = column.view(np.int64)
    image = bits ^ (bits >> 63 & np.int64(2**63 - 1)) ^ np.int64(-(2**63))
    image[np.isnan(column)] = -1
    order = np.arange(len(column), dtype=np.int32)
    order_rows(image, order, np.empty_like(image), np.empty_like(order))
    return order


def _places(n_values: NDArray[np.int32]) -> NDArray[np.int32]:
    numeric = n_values == 0
    return np.where(numeric, np.cumsum(numeric) - 1, -1).astype(np.int32)


def _joined(parts: list[NDArray[np.float64]]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    offset = np.cumsum([0, *map(len, parts)]).astype(np.int64)
    return np.concatenate([np.empty(0), *parts]), offset


def grow_nodes(
    data: Presort, label: NDArray[np.int32], weight: NDArray[np.float64], n_classes: int, *options: Any
) -> Nodes:
    """Return the nodes of a tree: links, class weights and codes, as of `covey.kernels.layout`.

    The options are those of `covey.kernels.layout.Options`, in its order. The kernel is called as often as it takes,
    for about a second each time, and with room enough.
    """
    from covey.kernels.grow import N_COUNTS, N_FRAME, grow_tree
    from covey.kernels.layout import LANES, N_LINKS

    n_rows, most = len(label), data.most_values
    room = ROOM + 2 * most + n_rows // 4
    # Cases whose value is missing become several. Memory that is not needed after all is not taken from the system.
    rows, labels, weights = np.empty(2 * n_rows, np.int32), np.empty(2 * n_rows, np.uint32), np.empty(2 * n_rows)
    keys = np.empty((len(data.keys) + 1, n_rows + n_rows // 2 + LANES), np.int64)
    used = np.zeros(len(data.distinct) + 1, bool)
    links, totals = np.empty((room, N_LINKS), np.int32), np.empty((room, n_classes))
    codes, frames = np.empty((room, 2), np.int32), np.empty((room, N_FRAME), np.int64)
    counts = np.zeros(N_COUNTS, np.int64)
    while True:
        tree = links, totals, codes
        grow_tree(data.arrays, label, weight, options, rows, labels, weights, keys, used, tree, frames, counts, WORK)
        n_nodes, n_codes, n_frames, _, n_cases, n_keys = counts.tolist()
        if not n_frames:
            return links[:n_nodes].copy(), totals[:n_nodes].copy(), codes[:n_codes].copy()
        links, totals = _with_room(links, n_nodes + most), _with_room(totals, n_nodes + most)
        codes, frames = _with_room(codes, n_codes + most), _with_room(frames, n_frames + most)
        rows, labels, weights = _with_room(rows, n_cases), _with_room(labels, n_cases), _with_room(weights, n_cases)
        if (width := keys.shape[1]) < n_keys:
            keys, narrow = np.empty((len(keys), max(n_keys, width + width // 2)), np.int64), keys
            keys[:, :width] = narrow


def prune_nodes(
    nodes: Nodes, data: Presort, label: NDArray[np.int32], weight: NDArray[np.float64], *options: Any
) -> Nodes:
    """Return what is left of a tree that is collapsed and pruned, with the options of the kernel."""
    from covey.kernels.prune import prune_tree

    n_nodes, n_codes = len(nodes[0]), len(nodes[2])
    while True:  # raised branches may get new leaves
        links = np.empty((n_nodes, nodes[0].shape[1]), np.int32)
        totals, codes = np.empty((n_nodes, nodes[1].shape[1])), np.empty((n_codes, 2), np.int32)
        n_nodes, n_codes = prune_tree(
            nodes, data.rows, data.has_missing, label, weight, data.most_values, options, (links, totals, codes)
        )
        if n_nodes <= len(links) and n_codes <= len(codes):
            return links[:n_nodes].copy(), totals[:n_nodes].copy(), codes[:n_codes].copy()


def _with_room(array: NDArray[Any], needed: int) -> NDArray[Any]:
    """Return an array with room for at least so many rows."""
    if needed <= len(array):
        return array
    larger = np.empty((max(needed, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
