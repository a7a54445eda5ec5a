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

# C4.5 makes no cut between values that are so near to each other, but in a column whose values span less than this,
# Release 8's rule does not hold.
NARROW = 1e-5
SMALLEST_RANGE = 1e-2

Nodes = tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]

# Columns of no more rows are sorted many at a time, so many numbers in all: one by one, the calls take longer.
FEW_ROWS, TOGETHER = 1000, 2**18

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
    n_rows, n_columns = table.shape
    if n_rows > _MISSING_RANK:
        raise ValueError(f"X has {n_rows} rows; a tree takes no more than {_MISSING_RANK}.")
    n_values = np.where(table.categorical, np.maximum(table.schema.n_categories, 1), 0).astype(np.int32)
    place = _places(n_values)
    keys = np.empty((int((n_values == 0).sum()), n_rows), dtype=np.int64)
    values = np.empty((n_columns, n_rows), dtype=np.int32)
    if n_rows <= FEW_ROWS:
        distinct, offset = _sort_few(table.matrix, n_values, keys, values)
        return Presort(keys, values, n_values, place, distinct, offset, _apart(distinct, offset))
    parts: list[NDArray[np.float64]] = []
    for j in range(n_columns):
        column = np.ascontiguousarray(table.matrix[:, j])
        if n_values[j]:
            values[j] = np.nan_to_num(column, nan=-1.0)
        else:
            parts.append(_sort_column(column, keys[place[j]], values[j]))
    distinct, offset = _joined(parts)
    return Presort(keys, values, n_values, place, distinct, offset, _apart(distinct, offset))


def _sort_few(
    matrix: NDArray[np.float64], n_values: NDArray[np.int32], keys: NDArray[np.int64], values: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Fill in the keys, ranks and codes of all columns, of few rows; return the distinct values and where they start.

    The same as column by column.
    """
    nominal, numeric = np.flatnonzero(n_values), np.flatnonzero(n_values == 0)
    values[nominal] = np.nan_to_num(matrix.T[nominal], nan=-1.0)
    sizes, parts = [np.zeros(1, dtype=np.int64)], [np.empty(0)]
    step = max(1, TOGETHER // max(len(matrix), 1))
    for start in range(0, len(numeric), step):
        some = numeric[start : start + step]
        columns = matrix.T[some] + 0.0  # 0 has no sign
        order = np.argsort(columns, axis=1)
        ordered = np.take_along_axis(columns, order, axis=1)
        known = ~np.isnan(ordered)
        is_new = known.copy()
        is_new[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
        tied = np.flatnonzero(~is_new.all(axis=1))  # rows of the same value stay in their own order
        order[tied] = np.argsort(columns[tied], axis=1, kind="stable")
        rank = np.broadcast_to(np.arange(len(matrix)), order.shape).copy()
        rank[tied] = np.cumsum(is_new[tied], axis=1) - 1
        sizes.append(np.count_nonzero(is_new, axis=1))
        parts.append(ordered[is_new])
        keys[start : start + step] = np.where(known, rank, _MISSING_RANK) << 32 | order
        keys[start : start + step] |= _close_few(ordered, is_new, known).astype(np.int64) << 31
        ranks = np.empty(columns.shape, dtype=np.int32)
        np.put_along_axis(ranks, order, np.where(known, rank, -1).astype(np.int32), axis=1)
        values[some] = ranks
    return np.concatenate(parts), np.cumsum(np.concatenate(sizes)).astype(np.int64)


def _close_few(ordered: NDArray[np.float64], is_new: NDArray[np.bool_], known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say of sorted columns which values are within 1e-5 of the next smaller one, as `_is_close` does of one column."""
    last = np.maximum(np.count_nonzero(known, axis=1) - 1, 0)
    span = ordered[np.arange(len(ordered)), last] - ordered[:, 0]
    close = is_new & (span >= SMALLEST_RANGE)[:, None]
    close[:, 0] = False
    close[:, 1:] &= ordered[:, :-1] + NARROW >= ordered[:, 1:]
    if close.any():  # rows of the same value go by the first of them
        first = np.maximum.accumulate(np.where(is_new, np.arange(ordered.shape[1]), 0), axis=1)
        close = np.take_along_axis(close, first, axis=1) & known
    return np.asarray(close)


def _sort_column(
    column: NDArray[np.float64], keys: NDArray[np.int64], values: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Fill in a column's keys and ranks, and return its distinct values."""
    column = column + 0.0  # 0 has no sign
    order = _order(column)
    ordered = column[order]
    n_known = len(column) - int(np.count_nonzero(np.isnan(column)))
    is_new = np.ones(n_known, dtype=bool)
    np.not_equal(ordered[1:n_known], ordered[: max(n_known - 1, 0)], out=is_new[1:])
    rank = np.full(len(column), _MISSING_RANK, dtype=np.int64)
    rank[:n_known] = np.cumsum(is_new) - 1
    distinct = ordered[:n_known][is_new]
    keys[:] = rank << 32 | order
    close = _is_close(distinct)
    if close.any():
        keys |= close[np.minimum(rank, len(distinct))].astype(np.int64) << 31
    rank[n_known:] = -1
    values[order] = rank
    return distinct


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


def _is_close(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Say which of the values in order are within 1e-5 of the one before, but in a column of small numbers none."""
    close = np.zeros(len(values) + 1, dtype=bool)  # the last stands for missing values
    if len(values) > 1 and values[-1] - values[0] >= SMALLEST_RANGE:
        close[1:-1] = values[:-1] + NARROW >= values[1:]
    return close


def _apart(distinct: NDArray[np.float64], offset: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each column a difference of ranks, a power of two, from which on values differ by more than 1e-5.

    Values of a node of a deep tree are far apart in the column, and need not be looked up to see that.
    """
    apart = np.ones(len(offset) - 1, dtype=np.int64)
    near = np.append(distinct[:-1] + NARROW >= distinct[1:], False)
    n_near = np.append(0, np.cumsum(near))
    pairs = np.maximum(offset[1:] - 1, offset[:-1])  # the last value of a column has no next one
    for j in np.flatnonzero(n_near[pairs] > n_near[offset[:-1]]):
        values = distinct[offset[j] : offset[j + 1]]
        while apart[j] < len(values) and (values[: -apart[j]] + NARROW >= values[apart[j] :]).any():
            apart[j] *= 2
    return apart


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
