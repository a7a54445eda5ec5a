"""The fast pass of a search: the least value of each tile of rows, for 64 queries at a time, in float32."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from covey.kernels.compile import Floats, Floats2, Ints, Singles2, fused, loop
from covey.kernels.distance import four_distances
from covey.kernels.sizes import LANES, LARGEST_SUM

# Half a unit in the last place of a float32 between 1/2 and 1, and some more: it also bounds what the sums lose.
ERROR = 6.2e-8

_F32: Any = np.float32
_INFINITE = _F32(np.inf)


class Rows(NamedTuple):
    """What is searched: spheres, or points, which are spheres of infinite radius."""

    single: Singles2  # the centres' coordinates in float32 ...
    exact: Floats2  # ... and in float64
    rank: Ints  # of rows of the same value the one of lowest rank comes first
    radius: Floats
    reach: float  # the largest size of a number
    n_plain: int  # coordinates that are numbers and never missing
    n_numbers: int  # coordinates that are numbers
    unit: float  # what exact coordinates are multiplied by to make single ones
    by_edge: bool  # judged by the distance from the edge, else by that from the centre of what holds the query


class Board(NamedTuple):
    """What is known of the queries of a block."""

    sums: Any  # (4, LANES): distances of four rows
    bound: Any  # each row's radius in float32, as much larger as float32 may err
    least: Any  # (tile, lane): the least value of each tile
    lowest: Any  # the lowest of these of each lane ...
    start: Any  # ... and in which tile it is
    limit: Any  # how large a least value may be in a tile that holds something as good as the best of a lane
    nearest: Any  # the lowest of the least values of one lane, as many as rows are sought


@loop
def slack_of(reach: float, other: float, n_columns: int, n_numbers: int, unit: float) -> float:
    """Return by how much distances in float32 may err because the numbers are rounded, in the unit of float32.

    Numbers too large to be squared in it are cut off: then nothing is known.
    """
    if max(reach, other) * unit > math.sqrt(LARGEST_SUM / max(n_columns, 1)) * 0.5:
        return math.inf
    return ERROR * math.sqrt(n_numbers) * (reach + other) * unit


@loop
def stretch(n_columns: int) -> float:
    """Return by which factor a distance in float32 may be too large."""
    return 1.0 + ERROR * (0.5 * n_columns + 6.0)


@loop
def fill_bounds(rows: Rows, slack: float, bound: Any) -> tuple[float, float]:
    """Fill in the radii for the fast pass, by centre squared; return the largest and the smallest in its unit."""
    largest, smallest = 0.0, np.inf
    factor = stretch(rows.single.shape[1])
    for row in range(len(bound)):
        radius = rows.radius[row] * rows.unit
        largest, smallest = max(largest, radius), min(smallest, radius)
        reach = radius * factor + slack
        bound[row] = radius if rows.by_edge else reach * reach * factor
    return largest, smallest


@loop
def fill_tile(lanes: Any, base: int, rows: Rows, board: Board, tile: int, ranges: Any, all_infinite: bool) -> None:
    """Fill in the least values of a tile, given as two ranges of rows, and keep track of the lowest so far."""
    least = board.least
    for lane in range(LANES):
        least[tile, lane] = _INFINITE
    for half in range(2):
        first, last = ranges[half]
        if first >= last:
            continue
        if rows.by_edge:
            _lower_by_edge(lanes, base, rows, board, tile, first, last)
        elif all_infinite:
            _lower_by_distance(lanes, base, rows, board, tile, first, last)
        else:
            _lower_by_center(lanes, base, rows, board, tile, first, last)
    for lane in range(LANES):
        is_lower = least[tile, lane] < board.lowest[lane]
        board.start[lane] = tile if is_lower else board.start[lane]
        board.lowest[lane] = least[tile, lane] if is_lower else board.lowest[lane]


@fused
def _lower_by_distance(lanes: Any, base: int, rows: Rows, board: Board, tile: int, first: int, last: int) -> None:
    """Lower each lane's least squared distance from points."""
    sums, least, end = board.sums, board.least, last - 1
    one = _F32(rows.unit * rows.unit)
    for a in range(first, last, 4):
        b, c, d = min(a + 1, end), min(a + 2, end), min(a + 3, end)
        four_distances(lanes, base, rows.single, (a, b, c, d), rows.n_plain, rows.n_numbers, one, sums)
        for lane in range(LANES):
            va, vb, vc, vd = sums[0, lane], sums[1, lane], sums[2, lane], sums[3, lane]
            va = va if va < vb else vb
            vc = vc if vc < vd else vd
            va = va if va < vc else vc
            least[tile, lane] = va if va < least[tile, lane] else least[tile, lane]


@fused
def _lower_by_center(lanes: Any, base: int, rows: Rows, board: Board, tile: int, first: int, last: int) -> None:
    """Lower each lane's least squared distance from the centres of the spheres that may hold it."""
    sums, bound, least, end = board.sums, board.bound, board.least, last - 1
    one = _F32(rows.unit * rows.unit)
    for a in range(first, last, 4):
        b, c, d = min(a + 1, end), min(a + 2, end), min(a + 3, end)
        four_distances(lanes, base, rows.single, (a, b, c, d), rows.n_plain, rows.n_numbers, one, sums)
        ba, bb, bc, bd = bound[a], bound[b], bound[c], bound[d]
        for lane in range(LANES):
            va, vb, vc, vd = sums[0, lane], sums[1, lane], sums[2, lane], sums[3, lane]
            va = va if va <= ba else _INFINITE
            vb = vb if vb <= bb else _INFINITE
            vc = vc if vc <= bc else _INFINITE
            vd = vd if vd <= bd else _INFINITE
            va = va if va < vb else vb
            vc = vc if vc < vd else vd
            va = va if va < vc else vc
            least[tile, lane] = va if va < least[tile, lane] else least[tile, lane]


@fused
def _lower_by_edge(lanes: Any, base: int, rows: Rows, board: Board, tile: int, first: int, last: int) -> None:
    """Lower each lane's least distance from the spheres' edges."""
    sums, radius, least, end = board.sums, board.bound, board.least, last - 1
    one = _F32(rows.unit * rows.unit)
    for a in range(first, last, 4):
        b, c, d = min(a + 1, end), min(a + 2, end), min(a + 3, end)
        four_distances(lanes, base, rows.single, (a, b, c, d), rows.n_plain, rows.n_numbers, one, sums)
        ra, rb, rc, rd = radius[a], radius[b], radius[c], radius[d]
        for lane in range(LANES):
            va, vb = np.sqrt(sums[0, lane]) - ra, np.sqrt(sums[1, lane]) - rb
            vc, vd = np.sqrt(sums[2, lane]) - rc, np.sqrt(sums[3, lane]) - rd
            va = va if va < vb else vb
            vc = vc if vc < vd else vd
            va = va if va < vc else vc
            least[tile, lane] = va if va < least[tile, lane] else least[tile, lane]
