"""Sphere covers of few rows that are tried and not kept: all least sizes of spheres at once, by all distances.

Rows are in the order of their classes. Distances are in float32, without fused multiplication: they are the same on
all machines.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import (
    Codes,
    Floats,
    Ints,
    OutCodes,
    OutFlags,
    OutInts2,
    OutSingles2,
    Singles2,
    inlined_exactly,
    inlined_without_nan,
    kernel,
)

# Coordinates that are numbers and never missing, those that may be (infinite if they are), and categories.
PLAIN, INCOMPLETE, CATEGORY = 0, 1, 2

# How many distances are looked through at a time, for the least and for those below a bound.
PIECE, FEW = 128, 16

_ZERO, _INFINITE = np.float32(0.0), np.float32(np.inf)


@inlined_exactly
def _add_squares(squared: Any, row: int, values: Any, f: int, kind: int, one: Any) -> None:
    """Add the squares of one coordinate's differences from a row."""
    own = values[f, row]
    n_rows = squared.shape[1]
    if kind == PLAIN:
        for other in range(n_rows):
            difference = values[f, other] - own
            squared[row, other] += difference * difference
    elif kind == INCOMPLETE:
        for other in range(n_rows):
            difference = values[f, other] - own
            square = difference * difference
            squared[row, other] += _ZERO if square != square else (one if square == _INFINITE else square)
    else:
        for other in range(n_rows):
            squared[row, other] += _ZERO if values[f, other] == own else one


@inlined_without_nan
def _least(squared: Any, row: int, first: int, last: int) -> Any:
    """Return the least of some squared distances from a row, infinity if there are none."""
    least = _INFINITE
    for other in range(first, last):
        value = squared[row, other]
        least = value if value < least else least
    return least


@inlined_exactly
def _closest(squared: Any, row: int, first: int, last: int, so_far: int) -> int:
    """Return the closest of some rows to a row, the first of equals, unless one that is known is as close."""
    best = squared[row, so_far] if so_far >= 0 else _INFINITE
    closest, piece = so_far, -1
    for start in range(first, last, PIECE):
        least = _least(squared, row, start, min(start + PIECE, last))
        if least < best:
            best, piece = least, start
    if piece >= 0:
        closest = piece
        while squared[row, closest] != best:
            closest += 1
    return closest


@kernel
def add_coordinates(
    values: Singles2,  # (coordinate, row): those to add
    kinds: Ints,  # of the coordinates
    one: float,  # the square of a distance of 1
    starts: Ints,  # where each class starts
    squared: OutSingles2,  # (row, row): squared distances
    nearest: OutCodes,  # the nearest row of another class of each, -1 if there is none
) -> None:
    """Add coordinates to the distances of all rows, and find everyone's nearest enemy."""
    n_rows = squared.shape[0]
    for label in range(len(starts) - 1):
        first, last = starts[label], starts[label + 1]
        for row in range(first, last):
            for f in range(len(kinds)):
                _add_squares(squared, row, values, f, kinds[f], np.float32(one))
            nearest[row] = _closest(squared, row, 0, first, -1)
            nearest[row] = _closest(squared, row, last, n_rows, nearest[row])


@inlined_without_nan
def _least_present(squared: Any, row: int, first: int, last: int, present: Any) -> Any:
    """Return the least of some squared distances from a row, of those rows that are present."""
    least = _INFINITE
    for other in range(first, last):
        value = squared[row, other] if present[other] else _INFINITE
        least = value if value < least else least
    return least


@inlined_exactly
def _reach(squared: Any, nearest: Any, row: int, first: int, last: int, present: Any) -> Any:
    """Return the squared distance of a row's nearest enemy that is present, infinity if there is none."""
    closest = nearest[row]
    if closest < 0:
        return _INFINITE
    if present[closest]:
        return squared[row, closest]
    below = _least_present(squared, row, 0, first, present)
    above = _least_present(squared, row, last, squared.shape[1], present)
    return min(below, above)


@inlined_without_nan
def _any_below(squared: Any, row: int, start: int, bound: Any) -> bool:
    """Whether one of a few squared distances from a row is below a bound."""
    least = _INFINITE
    for k in range(FEW):
        value = squared[row, start + k]
        least = value if value < least else least
    return bool(least < bound)


@inlined_exactly
def _look_inside(squared: Any, row: int, reach: Any, first: int, last: int, present: Any, inside: Any) -> int:
    """List the rows of its class that are present in the sphere of a row; return how many there are."""
    count = 0
    for start in range(first, last, FEW):
        if start + FEW <= last and not _any_below(squared, row, start, reach):
            continue
        for other in range(start, min(start + FEW, last)):
            if squared[row, other] < reach and present[other]:
                inside[count] = other
                count += 1
    if count == 0:  # without a radius it holds its centre alone
        inside[0] = row
        count = 1
    return count


@inlined_exactly
def _weigh(weight: Any, inside: Any, count: int, reach: Any) -> float:
    """Return what the rows in a sphere weigh, one case at most in one that has no radius."""
    total = 0.0
    for k in range(count):
        total += weight[inside[k]]
    return min(total, 1.0) if reach == _ZERO else total


@inlined_exactly
def _ask(squared: Any, row: int, queries: Any, reach: Any, asked: Any, past: Any) -> None:
    """Fill in the squared distances of the queries from a row, and how far they are beyond the edge of its sphere."""
    radius = np.sqrt(reach)
    for query in range(len(queries)):
        asked[query] = squared[row, queries[query]]
    for query in range(len(queries)):
        past[query] = np.sqrt(asked[query]) - radius


@inlined_exactly
def _decide(value: Any, bound: Any, label: Any, at: int, best: Any, winner: Any) -> None:
    """Let a sphere decide, for one least size, the queries that are below a bound, and closer to it than to others."""
    for query in range(len(value)):
        new = value[query]
        is_closer = (new < bound) & (new < best[at, query])
        best[at, query] = new if is_closer else best[at, query]
        winner[at, query] = label if is_closer else winner[at, query]


@kernel
def try_sizes(
    squared: Singles2,  # (row, row): squared distances
    nearest: Codes,  # everyone's nearest enemy
    starts: Ints,
    labels: Ints,  # the class of each row
    weight: Floats,  # of the rows to cover; 0 for others
    draws: Ints,  # the rows to cover, in the order in which they are drawn
    queries: Ints,
    sizes: Floats,  # the least sizes, 60 at most
    codes: OutInts2,  # (size, row): the classes of the queries
    is_regular: OutFlags,  # whether there are spheres of each size; if not, nothing is decided
) -> None:
    """Cover rows by spheres of each least size, all with the same draws, and let the covers decide queries.

    A row is looked at once, for all sizes, while its distances are at hand.
    """
    n_sizes = len(sizes)
    present, every = weight > 0, (1 << n_sizes) - 1
    covered = np.zeros(len(labels), np.int64)  # a bit for each size
    inside, asked, past = (
        np.empty(len(labels), np.int32),
        np.empty(len(queries), np.float32),
        np.empty(len(queries), np.float32),
    )
    best, edge = np.empty((n_sizes, len(queries)), np.float32), np.empty((n_sizes, len(queries)), np.float32)
    winner, at_edge = np.empty((n_sizes, len(queries)), np.int32), np.empty((n_sizes, len(queries)), np.int32)
    best[:], edge[:] = np.inf, np.inf
    winner[:] = -1
    done = 0
    for row in draws:
        left = every & ~covered[row]
        if left == 0:
            continue
        first, last = starts[labels[row]], starts[labels[row] + 1]
        reach = _reach(squared, nearest, row, first, last, present)
        n_inside = _look_inside(squared, row, reach, first, last, present, inside)
        size = _weigh(weight, inside, n_inside, reach)
        kept = 0
        for at in range(n_sizes):
            kept |= int(size >= sizes[at]) << at
        kept &= left
        if kept == 0:
            continue
        done |= kept
        for k in range(n_inside):
            covered[inside[k]] |= kept
        _ask(squared, row, queries, reach, asked, past)
        for at in range(n_sizes):
            if kept >> at & 1:
                _decide(asked, reach, np.int32(labels[row]), at, best, winner)
                _decide(past, _INFINITE, np.int32(labels[row]), at, edge, at_edge)
    for at in range(n_sizes):
        if not done >> at & 1:
            is_regular[at] = False
            continue
        for query in range(len(queries)):
            codes[at, queries[query]] = winner[at, query] if winner[at, query] >= 0 else at_edge[at, query]
