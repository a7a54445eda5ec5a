"""Distances between rows of mixed types: fast ones of many at a time, and exact ones; and the closest so far.

Coordinates come in three kinds, in this order: numbers none of which is missing (an even number of them), numbers of
which some may be missing, and categories. A missing number is infinite: it is at distance 1 from any other number and
at distance 0 from another missing one. Two categories are at distance 0 or 1.

Fast distances are in float32, for 64 rows side by side: ``lanes[base + f, lane]`` is coordinate ``f`` of the row in a
lane. They are in a unit of their own, in which the square of 1 may be another number, ``one``. Exact ones are in
float64, always added up in the same order, so that they can be compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import fused, inlined, inlined_exactly, loop
from covey.kernels.sizes import LANES

_F32: Any = np.float32
_ZERO, _INFINITE = _F32(0.0), _F32(np.inf)


@loop
def squared_distance(left: Any, i: int, right: Any, j: int, n_plain: int, n_numbers: int, n_columns: int) -> float:
    """Return the exact squared distance of two rows."""
    even = 0.0
    odd = 0.0
    for f in range(0, n_plain, 2):
        first = left[i, f] - right[j, f]
        second = left[i, f + 1] - right[j, f + 1]
        even += first * first
        odd += second * second
    # Each column adds to the same sum, whether or not some number in it may be missing.
    for f in range(n_plain, n_numbers):
        first = left[i, f] - right[j, f]
        square = first * first
        if square == np.inf:
            square = 1.0
        elif square != square:
            square = 0.0
        if f % 2 == 0:
            even += square
        else:
            odd += square
    total = even + odd
    for f in range(n_numbers, n_columns):
        if left[i, f] != right[j, f]:
            total += 1.0
    return total


@loop
def squared_distance_along(
    left: Any,
    i: int,
    right: Any,
    j: int,
    which: Any,
    times: Any,
    start: int,
    stop: int,
    n_plain: int,
    n_numbers: int,
    is_paired: bool,
) -> float:
    """Return the exact squared distance of two rows along the ascending coordinates ``which[start:stop]``.

    Each counts as often as ``times`` says. Numbers are added up one after the other, or paired: those of either kind in
    turn to one sum and to another, as `squared_distance` does with rows that have no other coordinates.
    """
    even = 0.0
    odd = 0.0
    at = start
    while at < stop and which[at] < n_plain:
        difference = left[i, which[at]] - right[j, which[at]]
        square = times[at] * (difference * difference)
        if is_paired and (at - start) & 1:
            odd += square
        else:
            even += square
        at += 1
    incomplete = at
    while at < stop and which[at] < n_numbers:
        difference = left[i, which[at]] - right[j, which[at]]
        square = difference * difference
        if square == np.inf:
            square = 1.0
        elif square != square:
            square = 0.0
        if is_paired and (at - incomplete) & 1:
            odd += times[at] * square
        else:
            even += times[at] * square
        at += 1
    total = even + odd
    while at < stop:
        if left[i, which[at]] != right[j, which[at]]:
            total += times[at]
        at += 1
    return total


@inlined_exactly
def insert(where: Any, value: Any, line: int, row: int, new: float) -> bool:
    """Put a row in its place on a line of the best, of rows of the same value the lowest first; say whether it has one.

    Places without a row hold -1.
    """
    count = where.shape[1]
    place = count
    while place > 0:
        other, old = where[line, place - 1], value[line, place - 1]
        if other >= 0 and (old < new or (old == new and other < row)):
            break
        if place < count:
            where[line, place] = other
            value[line, place] = old
        place -= 1
    if place < count:
        where[line, place] = row
        value[line, place] = new
    return bool(place < count)


@inlined
def _of_number(difference: Any, one: Any) -> Any:
    """Return the square of a difference of numbers of which either may be missing."""
    square = difference * difference
    return _ZERO if square != square else (one if square == _INFINITE else square)


@fused
def four_distances(
    lanes: Any,
    base: int,
    rows: Any,
    which: tuple[int, int, int, int],
    n_plain: int,
    n_numbers: int,
    one: Any,
    sums: Any,
) -> None:
    """Fill in the squared distances of four rows from those in the lanes."""
    fours = n_plain - n_plain % 4
    if fours:
        _add_four_columns(lanes, base, rows, which, 0, sums, True)
    else:
        for lane in range(LANES):
            sums[0, lane] = _ZERO
            sums[1, lane] = _ZERO
            sums[2, lane] = _ZERO
            sums[3, lane] = _ZERO
    for f in range(4, fours, 4):
        _add_four_columns(lanes, base, rows, which, f, sums, False)
    for f in range(fours, n_plain, 2):
        _add_two_columns(lanes, base, rows, which, f, sums)
    for f in range(n_plain, n_numbers):
        _add_incomplete(lanes, base, rows, which, f, one, sums)
    for f in range(n_numbers, rows.shape[1]):
        _add_categories(lanes, base, rows, which, f, one, sums)


@inlined
def _add_four_columns(
    lanes: Any, base: int, rows: Any, which: tuple[int, int, int, int], f: int, sums: Any, first: bool
) -> None:
    """Add the squares of four columns to the sums, or set these to them."""
    a, b, c, d = which
    a0, a1, a2, a3 = rows[a, f], rows[a, f + 1], rows[a, f + 2], rows[a, f + 3]
    b0, b1, b2, b3 = rows[b, f], rows[b, f + 1], rows[b, f + 2], rows[b, f + 3]
    c0, c1, c2, c3 = rows[c, f], rows[c, f + 1], rows[c, f + 2], rows[c, f + 3]
    d0, d1, d2, d3 = rows[d, f], rows[d, f + 1], rows[d, f + 2], rows[d, f + 3]
    at = base + f
    for lane in range(LANES):
        q0, q1, q2, q3 = lanes[at, lane], lanes[at + 1, lane], lanes[at + 2, lane], lanes[at + 3, lane]
        t, u, v, w = q0 - a0, q1 - a1, q2 - a2, q3 - a3
        sums[0, lane] = ((t * t + u * u) + (v * v + w * w)) + (_ZERO if first else sums[0, lane])
        t, u, v, w = q0 - b0, q1 - b1, q2 - b2, q3 - b3
        sums[1, lane] = ((t * t + u * u) + (v * v + w * w)) + (_ZERO if first else sums[1, lane])
        t, u, v, w = q0 - c0, q1 - c1, q2 - c2, q3 - c3
        sums[2, lane] = ((t * t + u * u) + (v * v + w * w)) + (_ZERO if first else sums[2, lane])
        t, u, v, w = q0 - d0, q1 - d1, q2 - d2, q3 - d3
        sums[3, lane] = ((t * t + u * u) + (v * v + w * w)) + (_ZERO if first else sums[3, lane])


@inlined
def _add_two_columns(lanes: Any, base: int, rows: Any, which: tuple[int, int, int, int], f: int, sums: Any) -> None:
    a, b, c, d = which
    a0, a1, b0, b1 = rows[a, f], rows[a, f + 1], rows[b, f], rows[b, f + 1]
    c0, c1, d0, d1 = rows[c, f], rows[c, f + 1], rows[d, f], rows[d, f + 1]
    at = base + f
    for lane in range(LANES):
        q0, q1 = lanes[at, lane], lanes[at + 1, lane]
        t, u = q0 - a0, q1 - a1
        sums[0, lane] += t * t + u * u
        t, u = q0 - b0, q1 - b1
        sums[1, lane] += t * t + u * u
        t, u = q0 - c0, q1 - c1
        sums[2, lane] += t * t + u * u
        t, u = q0 - d0, q1 - d1
        sums[3, lane] += t * t + u * u


@inlined
def _add_incomplete(
    lanes: Any, base: int, rows: Any, which: tuple[int, int, int, int], f: int, one: Any, sums: Any
) -> None:
    a, b, c, d = which
    ra, rb, rc, rd = rows[a, f], rows[b, f], rows[c, f], rows[d, f]
    for lane in range(LANES):
        q = lanes[base + f, lane]
        sums[0, lane] += _of_number(q - ra, one)
        sums[1, lane] += _of_number(q - rb, one)
        sums[2, lane] += _of_number(q - rc, one)
        sums[3, lane] += _of_number(q - rd, one)


@inlined
def _add_categories(
    lanes: Any, base: int, rows: Any, which: tuple[int, int, int, int], f: int, one: Any, sums: Any
) -> None:
    a, b, c, d = which
    ra, rb, rc, rd = rows[a, f], rows[b, f], rows[c, f], rows[d, f]
    for lane in range(LANES):
        q = lanes[base + f, lane]
        sums[0, lane] += _ZERO if q == ra else one
        sums[1, lane] += _ZERO if q == rb else one
        sums[2, lane] += _ZERO if q == rc else one
        sums[3, lane] += _ZERO if q == rd else one
