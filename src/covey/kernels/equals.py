"""Sums by class over all rows at the same distance as one that was found, however many they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import Floats, Floats2, Ints, Ints2, Ints3, OutFloats, OutFloats2, OutInts2, kernel, loop

# How many rows are looked at together.
_TILE = 256


@loop
def _add_squares(value: float, times: float, tile: Any, f: int, kind: int, sums: Any) -> None:
    """Add the squared distances along a coordinate to the sums."""
    if kind == 0:
        for lane in range(_TILE):
            difference = value - tile[f, lane]
            sums[lane] += times * (difference * difference)
    elif kind == 1:  # a missing number is infinite
        for lane in range(_TILE):
            difference = value - tile[f, lane]
            square = difference * difference
            sums[lane] += times * (0.0 if square != square else (1.0 if square == np.inf else square))
    else:
        for lane in range(_TILE):
            sums[lane] += 0.0 if value == tile[f, lane] else times


@loop
def _fill_sums(queries: Any, query: int, counts: Any, n_plain: int, n_numbers: int, tile: Any, sums: Any) -> None:
    """Fill in the squared distances of a query from the rows of a tile."""
    for lane in range(_TILE):
        sums[lane] = 0.0
    for f in range(len(counts)):
        if counts[f] > 0:
            kind = 0 if f < n_plain else (1 if f < n_numbers else 2)
            _add_squares(queries[query, f], float(counts[f]), tile, f, kind, sums)


@loop
def _count_in(codes: Any, weights: Any, n_known: int, code: int, mass: float) -> int:
    """Add the weight to that of its class, or append the class; return how many there are."""
    for at in range(n_known):
        if codes[at] == code:
            weights[at] += mass
            return n_known
    codes[n_known] = code
    weights[n_known] = mass
    return n_known + 1


@kernel
def sum_equals(
    pairs: Ints2,  # a query and a subset each
    queries: Floats2,
    rows: Floats2,
    counts: Ints3,  # (1 or query, subset, coordinate): how often coordinates count
    n_plain: int,  # coordinates that are numbers and never missing
    n_numbers: int,  # coordinates that are numbers
    squared: Floats,  # the squared distance of each pair
    slack: float,  # the share of it by which others may differ and count as the same
    codes: Ints,  # the rows' classes, ...
    weight: Floats,  # ... weights ...
    values: Floats,  # ... and numbers; empty if those are not summed up
    own: Ints,  # a row that has one less weight for a query, -1 for none
    sum_codes: OutInts2,  # (pair, class): the classes in the order of their first rows ...
    sum_weight: OutFloats2,  # ... and their weights; 0 beyond
    sum_values: OutFloats,  # of each pair the sum of numbers times weights, if there are numbers
) -> None:
    """Sum up the weights of the rows at a given distance from a query along a subset of the coordinates."""
    sums = np.empty(_TILE)
    tile = np.empty((rows.shape[1], _TILE))
    n_known = np.zeros(len(pairs), dtype=np.int64)
    sum_codes[:] = 0
    sum_weight[:] = 0.0
    sum_values[:] = 0.0
    for start in range(0, len(rows), _TILE):
        stop = min(start + _TILE, len(rows))
        for row in range(start, stop):
            for f in range(rows.shape[1]):
                tile[f, row - start] = rows[row, f]
        for pair in range(len(pairs)):
            query, subset = pairs[pair, 0], pairs[pair, 1]
            chosen = counts[query if counts.shape[0] > 1 else 0, subset]
            _fill_sums(queries, query, chosen, n_plain, n_numbers, tile, sums)
            least, most = squared[pair] * (1.0 - slack), squared[pair] * (1.0 + slack)
            for row in range(start, stop):
                if least <= sums[row - start] <= most:
                    mass = weight[row] - 1.0 if row == own[query] else weight[row]
                    if mass > 0.0:
                        n_known[pair] = _count_in(sum_codes[pair], sum_weight[pair], n_known[pair], codes[row], mass)
                        if len(values) > 0:
                            sum_values[pair] += mass * values[row]
