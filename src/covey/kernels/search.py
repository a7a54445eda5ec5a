"""The closest rows to each query, exactly: a fast pass finds where they can be, an exact one looks there.

Rows are spheres: a centre and a radius. By centre, a query's closest rows are those of the spheres it lies in whose
centres are closest; points without a size are spheres of infinite radius, so this is also the search for nearest
neighbours. By edge, the closest row is that of the sphere whose edge is closest.

The fast pass reckons in float32 for 64 queries at a time and keeps the least value of each tile of rows. No row outside
the tiles whose least value is within the error of float32 of the best exact value can be better.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from covey.kernels.compile import (
    Floats,
    Floats2,
    Ints,
    Ints2,
    OutFloats2,
    OutInts2,
    Singles,
    Singles2,
    fields_of,
    kernel,
    loop,
)
from covey.kernels.distance import squared_distance
from covey.kernels.sizes import LANES
from covey.kernels.tiles import ERROR, Board, Rows, fill_bounds, fill_tile, slack_of, stretch


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
def _first_limit(board: Board, lane: int, slack: float, rows: Rows) -> float:
    """Return such a limit before any row was looked at, for points: as many tiles as rows are sought hold one each."""
    nearest = board.nearest
    count = len(nearest)
    for k in range(count):
        nearest[k] = np.inf
    for tile in range(len(board.least)):
        place, least = count, board.least[tile, lane]
        while place > 0 and least < nearest[place - 1]:
            if place < count:
                nearest[place] = nearest[place - 1]
            place -= 1
        if place < count:
            nearest[place] = least
    reach = (math.sqrt(float(nearest[count - 1])) * stretch(rows.exact.shape[1]) + slack) / rows.unit
    return _limit(reach * reach, slack, 0.0, rows)


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
    is_simple: bool,
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
        board.limit[lane] = _first_limit(board, lane, slack, rows) if worst > 0 and is_simple else np.inf
        _look(queries, query, rows, _ranges(board.start[lane], height, n_rows, skip[0], skip[1]), where, value)
        if where[query, worst] >= 0:
            board.limit[lane] = min(board.limit[lane], _limit(value[query, worst], slack, largest, rows))
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
                board.limit[lane] = min(board.limit[lane], _limit(value[query, worst], slack, largest, rows))


@kernel
def search(
    lanes: Singles2,  # the queries' coordinates, block by block
    members: Ints2,  # (block, lane): which query is there, -1 for none
    skip: Ints2,  # (block, 2): rows from the first to before the second are not searched for the queries of a block
    queries: Floats2,  # the queries' exact coordinates
    reach: Floats,  # the largest size of a number of each query
    given: Annotated[tuple[Any, ...], fields_of(Rows)],  # what is searched
    where: OutInts2,  # (query, count), -1 before: rows in order of their value, as many as there are
    value: OutFloats2,  # (query, count), infinite before: squared distances from centres, or distances from edges
) -> None:
    """Find the closest rows of the queries in some blocks."""
    rows = Rows(*given)
    n_rows, n_columns = rows.single.shape
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
        np.empty(where.shape[1], dtype=np.float32),
    )
    for block in range(len(members)):
        farthest = rows.reach
        for lane in range(LANES):
            board.lowest[lane] = np.inf
            board.start[lane] = 0
            if members[block, lane] >= 0:
                farthest = max(farthest, reach[members[block, lane]])
        slack = slack_of(rows.reach, farthest, n_columns, rows.n_numbers, rows.unit)
        largest, smallest = fill_bounds(rows, slack, board.bound)
        skipped = (skip[block, 0], skip[block, 1])
        for tile in range(n_tiles):
            ranges = _ranges(tile, height, n_rows, skipped[0], skipped[1])
            fill_tile(lanes, block * n_columns, rows, board, tile, ranges, smallest == np.inf)
        is_simple = smallest == np.inf and not rows.by_edge
        _settle(queries, members, block, rows, board, height, skipped, slack, largest, is_simple, where, value)


@kernel
def search_products(
    products: Singles2,  # (member, other): the inner products of some queries and rows, centred somewhere
    members: Ints,  # which queries ...
    others: Ints,  # ... and which rows these are
    queries: Floats2,  # all queries exactly
    rows: Floats2,  # all rows exactly
    rank: Ints,  # of rows at the same distance the one of lowest rank is taken
    query_norms: Singles,  # the squared lengths of these queries ...
    row_norms: Singles,  # ... and rows in the centred coordinates
    where: OutInts2,  # as of `search` for a count of 1; the lines of these queries are filled in
    value: OutFloats2,
) -> None:
    """Find the closest row of some queries among some rows, all of them complete numbers.

    Of many columns the fast pass is a product of matrices, which NumPy makes.
    """
    n_columns = rows.shape[1]
    n_even = n_columns - n_columns % 2
    longest = np.float32(0.0)
    for j in range(len(others)):
        longest = max(longest, row_norms[j])
    for i in range(len(members)):
        query = members[i]
        lowest, nearest = np.float32(np.inf), 0
        for j in range(len(others)):
            squared = row_norms[j] - products[i, j] - products[i, j]
            if squared < lowest:
                lowest, nearest = squared, j
        best = squared_distance(queries, query, rows, others[nearest], n_even, n_columns, n_columns)
        chosen = others[nearest]
        # What sums of so many products may lose, in whatever order they are taken.
        length = np.sqrt(np.float64(query_norms[i])) + np.sqrt(np.float64(longest))
        error = 2.0 * ERROR * (n_columns + 8.0) * length * length
        limit = best - query_norms[i] + error
        for j in range(len(others)):
            if row_norms[j] - products[i, j] - products[i, j] <= limit and j != nearest:
                other = others[j]
                exact = squared_distance(queries, query, rows, other, n_even, n_columns, n_columns)
                if exact < best or (exact == best and rank[other] < rank[chosen]):
                    best, chosen = exact, other
                    limit = best - query_norms[i] + error
        where[query, 0] = chosen
        value[query, 0] = best
