"""Rows in compact leaves of 64, by halving them again and again at the median of the coordinate that spreads most.

Leaves lie side by side in bunches of 16. Of each leaf and of each bunch a box is known that holds its rows: the lowest
and the highest number of each coordinate (or code, of categories), and what a missing number costs at most.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from covey.kernels.compile import (
    Floats,
    Floats2,
    Ints,
    OutFlags2,
    OutFloats2,
    OutInts,
    OutSingles2,
    Singles,
    Singles2,
    fields_of,
    kernel,
    loop,
    part,
)
from covey.kernels.sizes import LANES

# How many leaves make a bunch; boxes lie side by side as many at a time.
FAN = 16

# A box has three rows of numbers for each coordinate.
LOW, HIGH, CAP, SIDES = 0, 1, 2, 3

# How many rows tell how far a coordinate spreads, and how many keys are sorted by insertion.
SAMPLE, FEW = 64, 24

_F32: Any = np.float32
_ZERO, _INFINITE = _F32(0.0), _F32(np.inf)
_LOWER_HALF = 0xFFFFFFFF


class Chosen(NamedTuple):
    """The coordinates by which rows are told apart, in ascending order."""

    which: Ints  # the coordinates
    times: Floats  # how often each counts
    roots: Singles  # what numbers in float32 are multiplied by for that, 1 for categories
    ones: Singles  # the square of a distance of 1 in float32, for each
    n_numbers: int  # how many of them are numbers


class Leaves(NamedTuple):
    """Leaves, or bunches of them, and the box of each."""

    starts: OutInts  # the first row of each leaf in their order, or the first leaf of each bunch
    lowest: OutInts  # the lowest row of each
    lows: OutFloats2  # (leaf, coordinate): the lowest number, ...
    highs: OutFloats2  # ... the highest, ...
    missing: OutFlags2  # ... and whether any is missing
    # The same in float32, 16 side by side: boxes[SIDES * (block * n_chosen + f) + side, lane] is the lowest number, the
    # highest, or the square of a distance of 1 if one is missing, else infinite.
    boxes: OutSingles2


# As kernels are given them.
ChosenFields = Annotated[tuple[Any, ...], fields_of(Chosen)]
LeafFields = Annotated[tuple[Any, ...], fields_of(Leaves)]


@loop
def _sort(keys: Any, first: int, last: int) -> None:
    """Sort a few keys."""
    for i in range(first + 1, last):
        key = keys[i]
        j = i
        while j > first and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = key


@loop
def _pivot(keys: Any, first: int, last: int, place: int, sample: Any) -> int:
    """Return a key a little beyond the one that belongs at a place, so that few remain on its side of it."""
    size = last - first
    n_sampled = 31 if size > 1000 else 11
    for i in range(n_sampled):
        sample[i] = keys[first + i * size // n_sampled]
    _sort(sample, 0, n_sampled)
    share = (place - first) / size
    margin = 0.06 if size > 1000 else 0.1
    share += margin if share < 0.5 else -margin
    # Another of the sample is less than the key returned, so that neither side is ever empty.
    return int(sample[min(max(int(share * n_sampled), 1), n_sampled - 1)])


@loop
def _select(keys: Any, first: int, last: int, place: int, sample: Any) -> None:
    """Bring the least keys before a place; no two are the same."""
    while first < place < last:
        if last - first <= FEW:
            _sort(keys, first, last)
            return
        pivot = _pivot(keys, first, last, place, sample)
        middle = first
        for i in range(first, last):
            key = keys[i]
            keys[i] = keys[middle]
            keys[middle] = key
            middle += key < pivot
        if place <= middle:
            last = middle
        else:
            first = middle


@loop
def _spread(column: Any, keys: Any, first: int, last: int, is_number: bool, one: Any) -> Any:
    """Return the square of how far some rows are apart along a coordinate, as a sample of them tells."""
    step = max((last - first) // SAMPLE, 1)
    low, high, n_missing, n_seen = _INFINITE, -_INFINITE, 0, 0
    for i in range(first, last, step):
        number = column[keys[i] & _LOWER_HALF]
        if number == _INFINITE:
            n_missing += 1
        else:
            low = min(low, number)
            high = max(high, number)
        n_seen += 1
    if n_missing == n_seen:
        return _ZERO
    if not is_number:
        return one if low < high else _ZERO
    width = (high - low) * (high - low)
    return max(width, one) if n_missing > 0 else width


@loop
def _halve(columns: Any, bits: Any, keys: Any, chosen: Chosen, first: int, last: int, sample: Any) -> int:
    """Split some rows at the median of the coordinate that spreads most, and return where the second half begins."""
    unit = LANES * FAN if last - first > LANES * FAN else LANES
    middle = first + ((last - first + unit - 1) // unit // 2) * unit
    widest, best = 0, _F32(-1.0)
    for f in range(len(columns)):
        spread = _spread(columns[f], keys, first, last, f < chosen.n_numbers, chosen.ones[f])
        if spread > best:
            widest, best = f, spread
    # Rows that are equal stay in their order: the number of the row is part of the key.
    for i in range(first, last):
        row = keys[i] & _LOWER_HALF
        keys[i] = (np.int64(bits[widest, row]) << 32) | row
    _select(keys, first, last, middle, sample)
    return middle


@part
def _in_order(columns: Any) -> Any:
    """Return whole numbers that are in the order of the numbers in float32."""
    bits = columns.view(np.int32)
    ordered = np.empty(bits.shape, dtype=np.int32)
    for f in range(len(bits)):
        for row in range(bits.shape[1]):
            ordered[f, row] = bits[f, row] ^ ((bits[f, row] >> np.int32(31)) & np.int32(0x7FFFFFFF))
    return ordered


@part
def _arrange(columns: Any, bits: Any, keys: Any, chosen: Chosen, starts: Any) -> None:
    """Bring the rows of each group into the order of the leaves."""
    waiting = np.empty((64, 2), dtype=np.int64)
    sample = np.empty(32, dtype=np.int64)
    for group in range(len(starts) - 1):
        waiting[0, 0], waiting[0, 1], n_waiting = starts[group], starts[group + 1], 1
        while n_waiting > 0:
            n_waiting -= 1
            first, last = waiting[n_waiting, 0], waiting[n_waiting, 1]
            if last - first <= LANES:
                continue
            middle = _halve(columns, bits, keys, chosen, first, last, sample)
            waiting[n_waiting, 0], waiting[n_waiting, 1] = first, middle
            waiting[n_waiting + 1, 0], waiting[n_waiting + 1, 1] = middle, last
            n_waiting += 2


@loop
def _fill_leaf(columns: Any, members: Any, first: int, last: int, lanes: Any, base: int) -> None:
    """Lay the rows of a leaf side by side, the last of them again and again if there are too few."""
    for f in range(len(columns)):
        for lane in range(LANES):
            lanes[base + f, lane] = columns[f, members[min(first + lane, last - 1)]]


@loop
def _range(lanes: Any, at: int, halves: Any) -> tuple[Any, Any]:
    """Return a leaf's lowest number along a coordinate, missing ones being infinite, and the highest finite one."""
    for lane in range(LANES // 2):
        one, other = lanes[at, lane], lanes[at, lane + LANES // 2]
        halves[LOW, lane] = one if one < other else other
        one = -_INFINITE if one == _INFINITE else one
        other = -_INFINITE if other == _INFINITE else other
        halves[HIGH, lane] = one if one > other else other
    for lane in range(LANES // 4):
        one, other = halves[LOW, lane], halves[LOW, lane + LANES // 4]
        halves[LOW, lane] = one if one < other else other
        one, other = halves[HIGH, lane], halves[HIGH, lane + LANES // 4]
        halves[HIGH, lane] = one if one > other else other
    low, high = halves[LOW, 0], halves[HIGH, 0]
    for lane in range(1, LANES // 4):
        low = halves[LOW, lane] if halves[LOW, lane] < low else low
        high = halves[HIGH, lane] if halves[HIGH, lane] > high else high
    return low, high


@loop
def _bound_leaf(
    lanes: Any, exact: Any, members: Any, leaves: Leaves, leaf: int, chosen: Chosen, at: int, box: int, halves: Any
) -> None:
    """Find the box of a leaf: only the rows at its sides in float32 can be at its sides exactly."""
    first, last = leaves.starts[leaf], leaves.starts[leaf + 1]
    for i in range(first, last):
        leaves.lowest[leaf] = min(leaves.lowest[leaf], members[i])
    for f in range(len(chosen.which)):
        base, side = leaf * len(chosen.which) + f, at + SIDES * f
        low, high = _range(lanes, base, halves)
        leaves.boxes[side + LOW, box], leaves.boxes[side + HIGH, box] = low, high
        for i in range(last - first):
            number = lanes[base, i]
            if number in (low, high):
                precise = exact[members[first + i], chosen.which[f]]
                if precise < np.inf:
                    leaves.lows[leaf, f] = min(leaves.lows[leaf, f], precise)
                    leaves.highs[leaf, f] = max(leaves.highs[leaf, f], precise)
            if number == _INFINITE:
                leaves.missing[leaf, f] = True
                leaves.boxes[side + CAP, box] = chosen.ones[f]


@loop
def _bound_bunch(leaves: Leaves, bunches: Leaves, bunch: int) -> None:
    """Find the box of a bunch of leaves, and its lowest row."""
    n_chosen = leaves.lows.shape[1]
    for leaf in range(bunches.starts[bunch], bunches.starts[bunch + 1]):
        bunches.lowest[bunch] = min(bunches.lowest[bunch], leaves.lowest[leaf])
        lane = leaf - bunches.starts[bunch]
        for f in range(n_chosen):
            at, top = SIDES * (bunch * n_chosen + f), SIDES * (bunch // FAN * n_chosen + f)
            bunches.lows[bunch, f] = min(bunches.lows[bunch, f], leaves.lows[leaf, f])
            bunches.highs[bunch, f] = max(bunches.highs[bunch, f], leaves.highs[leaf, f])
            bunches.missing[bunch, f] = bunches.missing[bunch, f] or leaves.missing[leaf, f]
            sides, boxes = bunches.boxes, leaves.boxes
            sides[top + LOW, bunch % FAN] = min(sides[top + LOW, bunch % FAN], boxes[at + LOW, lane])
            sides[top + HIGH, bunch % FAN] = max(sides[top + HIGH, bunch % FAN], boxes[at + HIGH, lane])
            sides[top + CAP, bunch % FAN] = min(sides[top + CAP, bunch % FAN], boxes[at + CAP, lane])


def no_leaves(n_leaves: int, n_blocks: int, n_chosen: int) -> Leaves:
    """Return boxes that hold nothing yet."""
    boxes = np.full((SIDES * n_blocks * n_chosen, FAN), _INFINITE)
    boxes[HIGH::SIDES] = -_INFINITE
    return Leaves(
        np.zeros(n_leaves + 1, dtype=np.int64),
        np.full(n_leaves, np.iinfo(np.int64).max),
        np.full((n_leaves, n_chosen), np.inf),
        np.full((n_leaves, n_chosen), -np.inf),
        np.zeros((n_leaves, n_chosen), dtype=np.bool_),
        boxes,
    )


@part
def _fill(
    columns: Any,
    exact: Any,
    members: Any,
    starts: Any,
    chosen: Chosen,
    lanes: Any,
    leaves: Leaves,
    bunches: Leaves,
    bunch_starts: Any,
) -> None:
    """Make leaves and bunches of rows that are in their order."""
    n_chosen = len(columns)
    halves = np.empty((2, LANES // 2), dtype=np.float32)
    leaf = 0
    for group in range(len(starts) - 1):
        for bunch in range(bunch_starts[group], bunch_starts[group + 1]):
            begin = starts[group] + (bunch - bunch_starts[group]) * FAN * LANES
            end = min(begin + FAN * LANES, starts[group + 1])
            bunches.starts[bunch] = leaf
            for first in range(begin, end, LANES):
                leaves.starts[leaf], leaves.starts[leaf + 1] = first, min(first + LANES, end)
                _fill_leaf(columns, members, first, leaves.starts[leaf + 1], lanes, leaf * n_chosen)
                at, box = SIDES * bunch * n_chosen, leaf - bunches.starts[bunch]
                _bound_leaf(lanes, exact, members, leaves, leaf, chosen, at, box, halves)
                leaf += 1
            bunches.starts[bunch + 1] = leaf
            _bound_bunch(leaves, bunches, bunch)


@kernel
def arrange(
    single: Singles2,  # the rows in float32 ...
    exact: Floats2,  # ... and in float64
    chosen_fields: ChosenFields,
    starts: Ints,  # where each group of rows starts; no leaf has rows of two groups
    bunch_starts: Ints,  # the first bunch of each group
    members: OutInts,  # the rows in the order of their groups, which are put in the order of the leaves
    lanes: OutSingles2,  # (leaf x coordinate, LANES): the rows' coordinates, leaf by leaf
    leaf_fields: LeafFields,  # leaves and bunches are filled in, as of `no_leaves`
    bunch_fields: LeafFields,
) -> None:
    """Arrange rows in leaves."""
    chosen, leaves, bunches = Chosen(*chosen_fields), Leaves(*leaf_fields), Leaves(*bunch_fields)
    which, roots = chosen.which, chosen.roots
    columns = np.empty((len(which), len(single)), dtype=np.float32)
    for row in range(len(single)):
        for f in range(len(which)):
            columns[f, row] = single[row, which[f]] * roots[f]
    if len(which) > 0:
        _arrange(columns, _in_order(columns), members, chosen, starts)
    for i in range(len(members)):
        members[i] &= _LOWER_HALF
    _fill(columns, exact, members, starts, chosen, lanes, leaves, bunches, bunch_starts)
