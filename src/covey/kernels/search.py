"""The closest rows to each query, exactly: a fast pass finds where they can be, an exact one looks there.

Rows are spheres: a centre and a radius. By centre, a query's closest rows are those of the spheres it lies in whose
centres are closest; points without a size are spheres of infinite radius, so this is also the search for nearest
neighbours. By edge, the closest row is that of the sphere whose edge is closest.

The fast pass reckons in float32 for 64 queries at a time and keeps the least value of each tile of rows. No row outside
the tiles whose least value is within the error of float32 of the best exact value can be better.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from covey.kernels.compile import kernel, loop, read_only
from covey.kernels.distance import squared_distance
from covey.kernels.lanes import LANES
from covey.kernels.tiles import Board, Rows, fill_bounds, fill_tile, slack_of, stretch


@loop
def _limit(best: float, slack: float, largest: float, rows: Rows) -> float:
    """Return how large a least value may be in a tile that holds something as good as the best, in its unit."""
    factor = stretch(rows.exact.shape[1])
    best *= rows.unit
    if rows.by_edge:
        return best + slack + 2.0 * (factor - 1.0) * (abs(best) + 2.0 * largest)
    reach = math.sqrt(best * rows.unit) * factor + slack
    return reach * reach * factor


@loop
def _value(queries: Any, query: int, rows: Rows, row: int) -> float:
    """Return the exact value by which a row is judged."""
    squared = squared_distance(queries, query, rows.exact, row, rows.n_plain, rows.n_numbers, rows.exact.shape[1])
    radius = rows.radius[row]
    if rows.by_edge:
        return math.sqrt(squared) - float(radius)
    return squared if radius == math.inf or math.sqrt(squared) < radius else math.inf


@loop
def _insert(where: Any, value: Any, query: int, row: int, new: float, rank: Any) -> None:
    """Put a row among the best so far, the one of lower rank before another of the same value."""
    place = where.shape[1]
    while place > 0:
        other = where[query, place - 1]
        old = value[query, place - 1]
        if other >= 0 and (old < new or (old == new and rank[other] < rank[row])):
            break
        if place < where.shape[1]:
            where[query, place] = other
            value[query, place] = old
        place -= 1
    if place < where.shape[1]:
        where[query, place] = row
        value[query, place] = new


@loop
def _look(queries: Any, query: int, rows: Rows, ranges: Any, where: Any, value: Any) -> None:
    """Look at the rows of a tile exactly."""
    worst = where.shape[1] - 1
    for half in range(2):
        first, last = ranges[half]
        for row in range(first, last):
            new = _value(queries, query, rows, row)
            if new <= value[query, worst] and new < np.inf:
                _insert(where, value, query, row, new, rows.rank)


@loop
def _ranges(tile: int, height: int, n_rows: int, skip_from: int, skip_to: int) -> tuple[tuple[int, int], ...]:
    """Return the rows of a tile as those before and those after what is skipped."""
    first, last = tile * height, min((tile + 1) * height, n_rows)
    return (first, min(last, skip_from)), (max(first, skip_to), last)


@loop
def _settle(
    queries: Any,
    members: Any,
    block: int,
    rows: Rows,
    board: Board,
    height: int,
    skip: tuple[int, int],
    slack: float,
    largest: float,
    where: Any,
    value: Any,
) -> None:
    """Find the best rows of a block's queries exactly: each looks into its most promising tile, then into the others
    that may hold something as good.
    """
    n_rows, worst = len(rows.exact), where.shape[1] - 1
    for lane in range(LANES):
        query = members[block, lane]
        board.limit[lane] = -np.inf
        if query < 0 or (board.lowest[lane] == np.inf and not rows.by_edge):
            continue
        board.limit[lane] = np.inf
        _look(queries, query, rows, _ranges(board.start[lane], height, n_rows, skip[0], skip[1]), where, value)
        if where[query, worst] >= 0:
            board.limit[lane] = _limit(value[query, worst], slack, largest, rows)
    for tile in range(len(board.least)):
        promising = 0
        for lane in range(LANES):
            promising += board.least[tile, lane] <= board.limit[lane]
        if promising == 0:
            continue
        for lane in range(LANES):
            if not board.least[tile, lane] <= board.limit[lane] or tile == board.start[lane]:
                continue
            query = members[block, lane]
            _look(queries, query, rows, _ranges(tile, height, n_rows, skip[0], skip[1]), where, value)
            if where[query, worst] >= 0:
                board.limit[lane] = _limit(value[query, worst], slack, largest, rows)


@kernel(
    types.void(
        read_only(types.float32, 2),
        read_only(types.int64, 2),
        read_only(types.int64, 2),
        read_only(types.float64, 2),
        read_only(types.float64, 1),
        read_only(types.float32, 2),
        read_only(types.float64, 2),
        read_only(types.int64, 1),
        read_only(types.float64, 1),
        types.float64,
        types.int64,
        types.int64,
        types.float64,
        types.boolean,
        types.int64[:, ::1],
        types.float64[:, ::1],
    )
)
def search(
    lanes: Any,
    members: Any,
    skip: Any,
    queries: Any,
    reach: Any,
    single: Any,
    exact: Any,
    rank: Any,
    radius: Any,
    rows_reach: float,
    n_plain: int,
    n_numbers: int,
    unit: float,
    by_edge: bool,
    where: Any,
    value: Any,
) -> None:
    """Find the closest rows of the queries in some blocks.

    Parameters
    ----------
    lanes : float32 of shape (n_blocks * n_columns, LANES)
        The queries' coordinates, block by block.
    members : int64 of shape (n_blocks, LANES)
        Which query is in a lane, -1 for none.
    skip : int64 of shape (n_blocks, 2)
        Rows from the first to before the second of these are not searched for the queries of a block.
    queries, reach : float64
        The queries' exact coordinates, and the largest size of a number among those of each.
    single, exact, rank, radius, rows_reach, n_plain, n_numbers, unit, by_edge
        The rows, as of `Rows`.
    where : int64 of shape (n_queries, count)
        Filled with -1; what is filled in are rows in order of their value, as many as there are.
    value : float64 of shape (n_queries, count)
        Filled with infinity; what is filled in are squared distances from centres, or distances from edges.
    """
    rows = Rows(single, exact, rank, radius, rows_reach, n_plain, n_numbers, unit, by_edge)
    n_rows, n_columns = single.shape
    # The more rows in a tile, the more are looked at exactly; the fewer, the more least values there are to go through.
    height = 4 * max(2, int(np.sqrt(n_rows / max(n_columns, 1)) / 4.0 + 0.5))
    n_tiles = (n_rows + height - 1) // height
    board = Board(
        np.empty((4, LANES), dtype=np.float32),
        np.empty(n_rows, dtype=np.float32),
        np.empty((n_tiles, LANES), dtype=np.float32),
        np.empty(LANES, dtype=np.float32),
        np.empty(LANES, dtype=np.int32),
        np.empty(LANES),
    )
    for block in range(len(members)):
        farthest = rows_reach
        for lane in range(LANES):
            board.lowest[lane] = np.inf
            board.start[lane] = 0
            if members[block, lane] >= 0:
                farthest = max(farthest, reach[members[block, lane]])
        slack = slack_of(rows_reach, farthest, n_columns, n_numbers, unit)
        largest, smallest = fill_bounds(rows, slack, board.bound)
        skipped = (skip[block, 0], skip[block, 1])
        for tile in range(n_tiles):
            ranges = _ranges(tile, height, n_rows, skipped[0], skipped[1])
            fill_tile(lanes, block * n_columns, rows, board, tile, ranges, smallest == np.inf)
        _settle(queries, members, block, rows, board, height, skipped, slack, largest, where, value)
