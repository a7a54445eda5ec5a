"""The division of a node's cases among its branches, in the order of every sorted column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import loop, part
from covey.kernels.layout import BELOW_RANK, CASE, FIRST_MISSING, RANK_BITS, SMALL, Cases, largest_of, sum_of

UNKNOWN = -1


class Branches(NamedTuple):
    """The branches of the test in hand."""

    side: NDArray[np.int32]  # the branch of each case, UNKNOWN if its value is missing
    total: NDArray[np.float64]  # (branch, class), fractions included
    share: NDArray[np.float64]  # of the known weight
    goes_on: NDArray[np.bool_]  # whether the branch is divided further
    start: NDArray[np.int64]  # of the branch in the sorted columns
    size: NDArray[np.int64]  # the known cases
    next: NDArray[np.int64]  # the next free place


@part
def no_branches(side: NDArray[np.int32], n_classes: int) -> Branches:
    """Return scratch for branches, without room for any."""
    none = np.empty(0, np.int64)
    return Branches(side, np.empty((0, n_classes)), np.empty(0), np.empty(0, np.bool_), none, none, none)


@part
def room_for_branches(branches: Branches, n_branches: int, side: NDArray[np.int32]) -> Branches:
    """Return scratch for so many branches."""
    if n_branches <= len(branches.share):
        _, total, share, goes_on, start, size, following = branches
        return Branches(side, total, share, goes_on, start, size, following)
    n = 2 * n_branches
    total, share, goes_on = np.empty((n, branches.total.shape[1])), np.empty(n), np.empty(n, np.bool_)
    return Branches(side, total, share, goes_on, np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64))


@loop
def sort_by_rank(keys: NDArray[np.int64], a: int, start: int, end: int, cut: int, side: NDArray[np.int32]) -> None:
    """Send the cases up to a rank one way and those above the other."""
    last = (np.int64(cut) << RANK_BITS) | BELOW_RANK
    for p in range(start, end):
        key = keys[a, p]
        if key <= last:
            side[key & CASE] = 0
        elif key < FIRST_MISSING:
            side[key & CASE] = 1
        else:
            side[key & CASE] = UNKNOWN


@loop
def sort_by_code(
    cases: Cases,
    keys: NDArray[np.int64],
    start: int,
    end: int,
    j: int,
    branch: NDArray[np.int32],
    side: NDArray[np.int32],
) -> None:
    """Send each case down the branch of its category."""
    for p in range(start, end):
        case = keys[len(keys) - 1, p]
        code = cases.values[j, cases.row[case]]
        side[case] = branch[code] if code >= 0 else UNKNOWN


@loop
def weigh_branches(
    cases: Cases, keys: NDArray[np.int64], start: int, end: int, branches: Branches, n_branches: int
) -> int:
    """Sum the class weights of each branch, count its known cases, and return how many are unknown."""
    n_classes, n_unknown, known, size = branches.total.shape[1], 0, 0.0, branches.size
    for b in range(n_branches):
        size[b], branches.share[b] = 0, 0.0
        for c in range(n_classes):
            branches.total[b, c] = 0.0
    for p in range(start, end):
        case = keys[len(keys) - 1, p]
        b = branches.side[case]
        if b == UNKNOWN:
            n_unknown += 1
        else:
            branches.total[b, cases.label[case]] += cases.weight[case]
            branches.share[b] += cases.weight[case]
            known += cases.weight[case]
            size[b] += 1
    for b in range(n_branches):
        branches.share[b] /= known
    if n_unknown > 0:
        for p in range(start, end):
            case = keys[len(keys) - 1, p]
            if branches.side[case] == UNKNOWN:
                for b in range(n_branches):
                    if branches.share[b] > SMALL:
                        branches.total[b, cases.label[case]] += cases.weight[case] * branches.share[b]
    return n_unknown


@loop
def is_final(total: NDArray[np.float64], min_cases: float) -> bool:
    """Whether a node cannot be divided: too few cases, or all of one class."""
    weight = sum_of(total)
    return bool(weight < 2.0 * min_cases - SMALL or weight - largest_of(total) < SMALL)


@loop
def lay_out(start: int, branches: Branches, n_branches: int, n_unknown: int, min_cases: float) -> tuple[int, int]:
    """Find each branch its place in the sorted columns; return where the last that goes on ends, and the space needed.

    Branches that end here share a place beyond the others.
    """
    end, waste, size = start, 0, branches.size
    for b in range(n_branches):
        branches.goes_on[b] = not is_final(branches.total[b], min_cases)
        if branches.goes_on[b]:
            branches.start[b] = end
            end += size[b] + (n_unknown if branches.share[b] > SMALL else 0)
        else:
            waste = max(waste, size[b])
    for b in range(n_branches):
        if not branches.goes_on[b]:
            branches.start[b] = end
    return end, end + waste


@loop
def split_unknown(
    cases: Cases, keys: NDArray[np.int64], start: int, end: int, branches: Branches, n_branches: int, free: int
) -> int:
    """Make of each case of unknown value one case per branch, numbered from ``free`` on; return the next free number.

    Its side becomes ``UNKNOWN - 1 - (number of its first fraction)``.
    """
    for p in range(start, end):
        case = keys[len(keys) - 1, p]
        if branches.side[case] == UNKNOWN:
            branches.side[case] = UNKNOWN - 1 - free
            for b in range(n_branches):
                cases.row[free + b] = cases.row[case]
                cases.label[free + b] = cases.label[case]
                cases.weight[free + b] = cases.weight[case] * branches.share[b]
            free += n_branches
    return free


class Spare(NamedTuple):
    """Scratch: the cases of a second branch while those of the first are moved together."""

    key: NDArray[np.int64]
    row: NDArray[np.int32]
    label: NDArray[np.uint32]
    weight: NDArray[np.float64]


@part
def new_spare(n_keys: int, n_cases: int) -> Spare:
    """Return scratch for so many keys and cases."""
    return Spare(
        np.empty(n_keys, np.int64), np.empty(n_cases, np.int32), np.empty(n_cases, np.uint32), np.empty(n_cases)
    )


@part
def room_to_divide(spare: Spare, n_keys: int) -> Spare:
    """Return scratch for at least so many keys."""
    if n_keys <= len(spare.key):
        return spare
    return Spare(np.empty(n_keys + n_keys // 2, np.int64), spare.row, spare.label, spare.weight)


@loop
def move_cases(cases: Cases, start: int, end: int, branches: Branches, spare: Spare) -> None:
    """Number the cases of two branches anew, by their places, where the node's cases are numbered so.

    What is read of the cases of a node then lies side by side, however few of the rows they are. The side of a case
    becomes ``(new number) << 1 | branch``.
    """
    first, second, place = start, 0, branches.start[1]
    for case in range(start, end):
        b = branches.side[case]
        branches.side[case] = np.uint32(place + second if b else first) << np.uint32(1) | np.uint32(b)
        row, label, weight = cases.row[case], cases.label[case], cases.weight[case]
        cases.row[first], cases.label[first], cases.weight[first] = row, label, weight
        spare.row[second], spare.label[second], spare.weight[second] = row, label, weight
        first += 1 - b
        second += b
    for k in range(second):
        cases.row[place + k], cases.label[place + k] = spare.row[k], spare.label[k]
        cases.weight[place + k] = spare.weight[k]


@loop
def keep_cases(keys: NDArray[np.int64], start: int, end: int, branches: Branches) -> None:
    """Leave the cases of two branches their numbers; the side of a case becomes ``number << 1 | branch``."""
    for p in range(start, end):
        case = keys[len(keys) - 1, p]
        branches.side[case] = np.uint32(case) << np.uint32(1) | np.uint32(branches.side[case])


@loop
def divide_in_two(
    keys: NDArray[np.int64], a: int, start: int, end: int, branches: Branches, spare: NDArray[np.int64]
) -> None:
    """Move a column's keys to one or both of two branches, keeping their order, where every case goes one way."""
    side, one, row = branches.side, np.uint64(1), keys[a, start:end]
    first, second = np.uint64(0), np.uint64(0)
    for p in range(end - start):
        key = row[p]
        place = np.uint64(np.uint32(side[key & CASE]))
        b = place & one
        key = key & ~CASE | np.int64(place >> one)
        row[first] = key
        spare[second] = key
        first += one - b
        second += b
    if branches.goes_on[1]:
        row = keys[a, branches.start[1] :]
        for p in range(second):
            row[p] = spare[p]


@loop
def divide_column(
    keys: NDArray[np.int64],
    a: int,
    start: int,
    end: int,
    last: int,
    branches: Branches,
    n_branches: int,
    spare: NDArray[np.int64],
) -> None:
    """Move a column's keys to those of the branches that go on, keeping their order."""
    side, following = branches.side, branches.next
    for b in range(n_branches):
        following[b] = branches.start[b]
    for p in range(start, end):
        key = keys[a, p]
        b = side[key & CASE]
        if b >= 0:
            spare[following[b]] = key
            following[b] += 1
        else:
            first = UNKNOWN - 1 - np.int64(b)
            rank = key & ~CASE
            for c in range(n_branches):
                if branches.goes_on[c] and branches.share[c] > SMALL:
                    spare[following[c]] = rank | (first + c)
                    following[c] += 1
    for p in range(start, last):
        keys[a, p] = spare[p]


@loop
def divide(
    cases: Cases,
    keys: NDArray[np.int64],
    start: int,
    end: int,
    last: int,
    branches: Branches,
    n_branches: int,
    spare: Spare,
    two_ways: bool,
    moves: bool,
) -> None:
    """Move the keys of all columns to those of the branches that go on, and the cases where they are moved too."""
    if moves:
        move_cases(cases, start, end, branches, spare)
    elif two_ways:
        keep_cases(keys, start, end, branches)
    for column in range(len(keys)):
        if two_ways:
            divide_in_two(keys, column, start, end, branches, spare.key)
        else:
            divide_column(keys, column, start, end, last, branches, n_branches, spare.key)
