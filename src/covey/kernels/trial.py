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
    OutCodes2,
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
def _ask_inside(asked: Any, slot: int, reach: Any, label: Any, best: Any, winner: Any) -> None:
    """Let a sphere decide the queries in it that are closer to its centre than to those of others."""
    for query in range(len(best)):
        value = asked[slot, query]
        is_closer = (value < reach) & (value < best[query])
        best[query] = value if is_closer else best[query]
        winner[query] = label if is_closer else winner[query]


@inlined_exactly
def _ask_edges(asked: Any, slot: int, reach: Any, label: Any, best: Any, winner: Any) -> None:
    """Let a sphere decide the queries that are closer to its edge than to those of others."""
    radius = np.sqrt(reach)
    for query in range(len(best)):
        value = np.sqrt(asked[slot, query]) - radius
        is_closer = value < best[query]
        best[query] = value if is_closer else best[query]
        winner[query] = label if is_closer else winner[query]


@kernel
def try_sizes(
    squared: Singles2,  # (row, row): squared distances
    nearest: Codes,  # everyone's nearest enemy
    starts: Ints,
    labels: Ints,  # the class of each row
    weight: Floats,  # of the rows to cover; 0 for others
    draws: Ints,  # the rows to cover, in the order in which they are drawn
    queries: Ints,
    sizes: Floats,  # the least sizes
    inside: OutCodes2,  # (row, rows of a class): room for the rows in each sphere ...
    asked: OutSingles2,  # (row, query): ... and for its squared distances from the queries
    codes: OutInts2,  # (size, row): the classes of the queries
    is_regular: OutFlags,  # whether there are spheres of each size; if not, nothing is decided
) -> None:
    """Cover rows by spheres of each least size, all with the same draws, and let the covers decide queries."""
    present, covered = weight > 0, np.zeros(len(labels), np.bool_)
    n_slots, slot_of = 0, np.full(len(labels), -1, np.int64)
    reach, size = np.empty(len(draws), np.float32), np.empty(len(draws))
    kept, n_inside = np.empty(len(draws), np.int64), np.empty(len(draws), np.int64)
    best, edge = np.empty(len(queries), np.float32), np.empty(len(queries), np.float32)
    winner, at_edge = np.empty(len(queries), np.int32), np.empty(len(queries), np.int32)
    for at in range(len(sizes)):
        covered[:] = False
        n_kept = 0
        for row in draws:
            if covered[row]:
                continue
            first, last = starts[labels[row]], starts[labels[row] + 1]
            slot = slot_of[row]
            if slot < 0:
                slot_of[row] = slot = n_slots
                n_slots += 1
                reach[slot] = _reach(squared, nearest, row, first, last, present)
                n_inside[slot] = _look_inside(squared, row, reach[slot], first, last, present, inside[slot])
                size[slot] = _weigh(weight, inside[slot], n_inside[slot], reach[slot])
                for query in range(len(queries)):
                    asked[slot, query] = squared[row, queries[query]]
            if size[slot] >= sizes[at]:
                kept[n_kept] = row
                n_kept += 1
                for k in range(n_inside[slot]):
                    covered[inside[slot, k]] = True
        if n_kept == 0:
            is_regular[at] = False
            continue
        best[:], edge[:] = np.inf, np.inf
        winner[:] = -1
        for k in range(n_kept):
            _ask_inside(asked, slot_of[kept[k]], reach[slot_of[kept[k]]], np.int32(labels[kept[k]]), best, winner)
        if winner.min() < 0:
            for k in range(n_kept):
                _ask_edges(asked, slot_of[kept[k]], reach[slot_of[kept[k]]], np.int32(labels[kept[k]]), edge, at_edge)
        for query in range(len(queries)):
            codes[at, queries[query]] = winner[query] if winner[query] >= 0 else at_edge[query]
