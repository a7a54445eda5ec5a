"""Distances in float32 of a query from boxes and from the rows of a leaf, side by side."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from covey.kernels.compile import inlined
from covey.kernels.leaves import CAP, FAN, HIGH, LOW, SIDES, Chosen, Leaves
from covey.kernels.sizes import LANES

_F32: Any = np.float32
_ZERO, _INFINITE = _F32(0.0), _F32(np.inf)


class Forest(NamedTuple):
    """What is searched: rows, and their arrangement as `covey.kernels.leaves.arrange` fills it in."""

    exact: Any
    members: Any
    lanes: Any
    leaves: Leaves
    bunches: Leaves
    chosen: Chosen
    n_plain: int  # coordinates that are numbers and never missing
    n_numbers: int  # coordinates that are numbers
    n_plain_chosen: int  # how many of those chosen are never missing
    unit: float  # what exact numbers are multiplied by to make single ones
    # Whether all coordinates count once and exact distances are those of `squared_distance`, which adds up every other
    # number by itself; else they are those of `squared_distance_along`.
    is_paired: bool


@inlined
def _outside(boxes: Any, at: int, lane: int, number: Any) -> Any:
    """Return how far a number is outside a box."""
    below = boxes[at + LOW, lane] - number
    above = number - boxes[at + HIGH, lane]
    below = below if below > above else above
    return below if below > _ZERO else _ZERO


@inlined
def _bound_four(boxes: Any, at: int, single: Any, f: int, out: Any, start: int, first: bool) -> None:
    """Add the squared distances from boxes along four plain columns, or set sums to them."""
    a, b, c, d = single[f], single[f + 1], single[f + 2], single[f + 3]
    for lane in range(FAN):
        t, u = _outside(boxes, at, lane, a), _outside(boxes, at + SIDES, lane, b)
        v, w = _outside(boxes, at + 2 * SIDES, lane, c), _outside(boxes, at + 3 * SIDES, lane, d)
        out[start + lane] = ((t * t + u * u) + (v * v + w * w)) + (_ZERO if first else out[start + lane])


@inlined
def _bound_two(boxes: Any, at: int, single: Any, f: int, out: Any, start: int, first: bool) -> None:
    a, b = single[f], single[f + 1]
    for lane in range(FAN):
        t, u = _outside(boxes, at, lane, a), _outside(boxes, at + SIDES, lane, b)
        out[start + lane] = (t * t + u * u) + (_ZERO if first else out[start + lane])


@inlined
def _bound_one(boxes: Any, at: int, single: Any, f: int, out: Any, start: int) -> None:
    a = single[f]
    for lane in range(FAN):
        t = _outside(boxes, at, lane, a)
        out[start + lane] += t * t


@inlined
def _bound_incomplete(boxes: Any, at: int, number: Any, one: Any, out: Any, start: int) -> None:
    """Add the same for a column of which numbers may be missing."""
    if number == _INFINITE:
        for lane in range(FAN):
            out[start + lane] += one if boxes[at + CAP, lane] == _INFINITE else _ZERO
    else:
        for lane in range(FAN):
            t = _outside(boxes, at, lane, number)
            cap = boxes[at + CAP, lane]
            square = t * t
            out[start + lane] += square if square < cap else cap


@inlined
def _bound_categories(boxes: Any, at: int, number: Any, one: Any, out: Any, start: int) -> None:
    for lane in range(FAN):
        out[start + lane] += one if _outside(boxes, at, lane, number) > _ZERO else _ZERO


@inlined
def bound_boxes(boxes: Any, block: int, forest: Forest, single: Any, out: Any, start: int) -> None:
    """Fill in the squared distances of a query from 16 boxes."""
    n_chosen, n_plain = len(single), forest.n_plain_chosen
    base = SIDES * block * n_chosen
    f = 0
    if n_plain >= 4:
        _bound_four(boxes, base, single, 0, out, start, True)
        f = 4
    elif n_plain >= 2:
        _bound_two(boxes, base, single, 0, out, start, True)
        f = 2
    else:
        for lane in range(FAN):
            out[start + lane] = _ZERO
    while f + 4 <= n_plain:
        _bound_four(boxes, base + SIDES * f, single, f, out, start, False)
        f += 4
    if f + 2 <= n_plain:
        _bound_two(boxes, base + SIDES * f, single, f, out, start, False)
        f += 2
    if f < n_plain:
        _bound_one(boxes, base + SIDES * f, single, f, out, start)
    for f in range(n_plain, forest.chosen.n_numbers):
        _bound_incomplete(boxes, base + SIDES * f, single[f], forest.chosen.ones[f], out, start)
    for f in range(forest.chosen.n_numbers, n_chosen):
        _bound_categories(boxes, base + SIDES * f, single[f], forest.chosen.ones[f], out, start)


@inlined
def _add_four(lanes: Any, at: int, single: Any, f: int, sums: Any, first: bool) -> None:
    """Add the squares of four plain columns to the sums of a leaf, or set these to them."""
    a, b, c, d = single[f], single[f + 1], single[f + 2], single[f + 3]
    for lane in range(LANES):
        t, u, v, w = lanes[at, lane] - a, lanes[at + 1, lane] - b, lanes[at + 2, lane] - c, lanes[at + 3, lane] - d
        sums[lane] = ((t * t + u * u) + (v * v + w * w)) + (_ZERO if first else sums[lane])


@inlined
def _add_two(lanes: Any, at: int, single: Any, f: int, sums: Any, first: bool) -> None:
    a, b = single[f], single[f + 1]
    for lane in range(LANES):
        t, u = lanes[at, lane] - a, lanes[at + 1, lane] - b
        sums[lane] = (t * t + u * u) + (_ZERO if first else sums[lane])


@inlined
def _add_one(lanes: Any, at: int, single: Any, f: int, sums: Any) -> None:
    a = single[f]
    for lane in range(LANES):
        t = lanes[at, lane] - a
        sums[lane] += t * t


@inlined
def _add_incomplete(lanes: Any, at: int, number: Any, one: Any, sums: Any) -> None:
    for lane in range(LANES):
        difference = lanes[at, lane] - number
        square = difference * difference
        sums[lane] += _ZERO if square != square else (one if square == _INFINITE else square)


@inlined
def _add_categories(lanes: Any, at: int, number: Any, one: Any, sums: Any) -> None:
    for lane in range(LANES):
        sums[lane] += _ZERO if lanes[at, lane] == number else one


@inlined
def measure_leaf(forest: Forest, leaf: int, single: Any, sums: Any) -> None:
    """Fill in the squared distances of a query from the rows of a leaf."""
    lanes, n_chosen, n_plain = forest.lanes, len(single), forest.n_plain_chosen
    base = leaf * n_chosen
    f = 0
    if n_plain >= 4:
        _add_four(lanes, base, single, 0, sums, True)
        f = 4
    elif n_plain >= 2:
        _add_two(lanes, base, single, 0, sums, True)
        f = 2
    else:
        for lane in range(LANES):
            sums[lane] = _ZERO
    while f + 4 <= n_plain:
        _add_four(lanes, base + f, single, f, sums, False)
        f += 4
    if f + 2 <= n_plain:
        _add_two(lanes, base + f, single, f, sums, False)
        f += 2
    if f < n_plain:
        _add_one(lanes, base + f, single, f, sums)
    for f in range(n_plain, forest.chosen.n_numbers):
        _add_incomplete(lanes, base + f, single[f], forest.chosen.ones[f], sums)
    for f in range(forest.chosen.n_numbers, n_chosen):
        _add_categories(lanes, base + f, single[f], forest.chosen.ones[f], sums)
