"""The closest rows to each query along a few coordinates, exactly, by looking only into leaves that may hold them.

A query looks first into the leaf whose box is closest and then into all others whose boxes are no farther than the best
row so far. Boxes and the rows of a leaf are compared in float32; what is within its error is compared exactly. A box
that is exactly as far as the best row is passed over unless it holds a lower row, so that masses of equal rows cost
little; or, where all rows at the same distance vote, looked into.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from covey.kernels.compile import (
    Floats,
    Floats2,
    Ints,
    Ints2,
    OutFloats2,
    OutInts,
    OutInts2,
    Singles2,
    inlined_exactly,
    kernel,
    loop,
)
from covey.kernels.distance import insert, squared_distance, squared_distance_along
from covey.kernels.leaf_lanes import Forest, bound_boxes, measure_leaf
from covey.kernels.leaves import FAN, Chosen, ChosenFields, LeafFields, Leaves
from covey.kernels.sizes import LANES, TIE
from covey.kernels.tiles import ERROR, slack_of, stretch

# Numbers are rounded three times, not once, where they are multiplied by the root of how often they count.
ROUNDINGS = 3.0

# What sums of squares may lose because float32 has no smaller numbers, and some more.
UNDERFLOW = 1e-40

# Larger limits are infinite: a sum of squares is not that large unless nothing is known of it.
LARGEST_LIMIT = 3e38

_F32: Any = np.float32
_INFINITE = _F32(np.inf)


class Quest(NamedTuple):
    """A query."""

    exact: Any  # all queries exactly
    single: Any  # this one's chosen coordinates in float32
    query: int  # which query it is
    slack: float  # by how much distances in float32 may err because numbers are rounded


class Board(NamedTuple):
    """Room for bounds and sums."""

    tops: Any  # how close each bunch may be ...
    bounds: Any  # ... and each leaf of a bunch
    sums: Any  # distances of the rows of a leaf
    halves: Any  # what is needed to find the least of them, ...
    few: Any  # ... or of bounds
    best: Any  # the largest value in float32 of what may be as good as the best so far, and the smallest


class Ballot(NamedTuple):
    """What the closest rows vote for; all that are at the same distance do."""

    starts: Any  # where the votes of each row begin; empty if there is no vote
    codes: Any  # the classes that rows vote for, one row after the other, ...
    votes: Any  # ... and how many votes each gives to each
    keys: Any  # of classes with as many votes the one of the greatest wins
    counted: Any  # the votes of a query


@loop
def _set_limits(worst: float, n_chosen: int, unit: float, slack: float, best: Any) -> None:
    """Note between which values in float32 something must be to be as good as the worst of the best."""
    factor = stretch(n_chosen)
    distance = math.sqrt(worst) * unit
    reach = distance * factor + slack
    limit = reach * reach * factor * (1.0 + 2.0 * ERROR) + UNDERFLOW  # which may be rounded to float32
    best[0] = limit if limit < LARGEST_LIMIT else np.inf
    reach = max(distance / factor - slack, 0.0)
    limit = reach * reach / factor * (1.0 - 2.0 * ERROR) - UNDERFLOW
    best[1] = limit if limit < LARGEST_LIMIT else LARGEST_LIMIT


@loop
def _vote(ballot: Ballot, query: int, row: int, new: float, where: Any, value: Any) -> bool:
    """Let a row vote if no other is closer; say whether it is closer than those that voted before."""
    best, counted = value[query, 0], ballot.counted
    is_closer = where[query, 0] < 0 or new < best * (1.0 - TIE)
    if not is_closer and new > best * (1.0 + TIE):
        return False
    if is_closer:
        for code in range(len(counted)):
            counted[code] = 0.0
        where[query, 0], value[query, 0] = row, new
    for at in range(ballot.starts[row], ballot.starts[row + 1]):
        counted[ballot.codes[at]] += ballot.votes[at]
    return bool(is_closer)


@loop
def _winner(ballot: Ballot) -> int:
    """Return the class with the most votes, -1 if there are none."""
    winner = -1
    for code in range(len(ballot.counted)):
        lead = ballot.counted[code] - (ballot.counted[winner] if winner >= 0 else 0.0)
        is_even = winner >= 0 and -TIE <= lead <= TIE
        if (is_even and ballot.keys[code] > ballot.keys[winner]) or lead > TIE:
            winner = code
    return winner


@inlined_exactly
def _try(forest: Forest, quest: Quest, row: int, best: Any, ballot: Ballot, where: Any, value: Any) -> None:
    """Compare a row exactly and put it among the best so far, the lower before another at the same distance."""
    query, count, chosen = quest.query, where.shape[1], forest.chosen
    if forest.is_paired:
        n_columns = len(chosen.which)
        new = squared_distance(quest.exact, query, forest.exact, row, forest.n_plain, forest.n_numbers, n_columns)
    else:
        new = squared_distance_along(
            quest.exact,
            query,
            forest.exact,
            row,
            chosen.which,
            chosen.times,
            0,
            len(chosen.which),
            forest.n_plain,
            forest.n_numbers,
            False,
        )
    if len(ballot.starts) > 0:
        if _vote(ballot, query, row, new, where, value):
            _set_limits(new * (1.0 + TIE), len(chosen.which), forest.unit, quest.slack, best)
    elif insert(where, value, query, row, new) and where[query, count - 1] >= 0:
        _set_limits(value[query, count - 1], len(chosen.which), forest.unit, quest.slack, best)


@inlined_exactly
def _least(sums: Any, halves: Any) -> Any:
    """Return the least of 64 sums."""
    for lane in range(LANES // 2):
        halves[lane] = sums[lane] if sums[lane] < sums[lane + LANES // 2] else sums[lane + LANES // 2]
    a, b, c, d = halves[0], halves[1], halves[2], halves[3]
    for lane in range(4, LANES // 2, 4):
        a = halves[lane] if halves[lane] < a else a
        b = halves[lane + 1] if halves[lane + 1] < b else b
        c = halves[lane + 2] if halves[lane + 2] < c else c
        d = halves[lane + 3] if halves[lane + 3] < d else d
    return min(a, b, c, d)


@inlined_exactly
def _count_within(sums: Any, limit: Any) -> int:
    """Return how many of 64 sums are within a limit."""
    n_within = np.int32(0)
    for lane in range(LANES):
        n_within += np.int32(sums[lane] <= limit)
    return int(n_within)


@inlined_exactly
def _look(forest: Forest, quest: Quest, leaf: int, board: Board, ballot: Ballot, where: Any, value: Any) -> None:
    """Look for better rows in a leaf, at the closest first."""
    sums, best = board.sums, board.best
    measure_leaf(forest, leaf, quest.single, sums)
    if _count_within(sums, best[0]) == 0:
        return
    start, stop = forest.leaves.starts[leaf], forest.leaves.starts[leaf + 1] - forest.leaves.starts[leaf]
    least, closest = _least(sums, board.halves), 0
    while sums[closest] != least:
        closest += 1
    for lane in range(-1, stop):
        at = closest if lane < 0 else lane
        if lane != closest and sums[at] <= best[0]:
            _try(forest, quest, forest.members[start + at], best, ballot, where, value)
        if lane < 0 and _count_within(sums, best[0]) <= 1:
            break


@loop
def _exact_bound(forest: Forest, quest: Quest, boxes: Leaves, box: int) -> float:
    """Return the least distance that a row in a box may have: each of the same sums is of numbers no larger."""
    chosen = forest.chosen
    even, odd = 0.0, 0.0
    for f in range(chosen.n_numbers):
        number = quest.exact[quest.query, chosen.which[f]]
        if number == np.inf:
            square = 0.0 if boxes.missing[box, f] else 1.0
        else:
            outside = max(boxes.lows[box, f] - number, number - boxes.highs[box, f], 0.0)
            square = outside * outside
            if boxes.missing[box, f]:
                square = min(square, 1.0)
        if forest.is_paired and f % 2 == 1:
            odd += square
        else:
            even += chosen.times[f] * square
    total = even + odd
    for f in range(chosen.n_numbers, len(chosen.which)):
        code = quest.exact[quest.query, chosen.which[f]]
        if code < boxes.lows[box, f] or code > boxes.highs[box, f]:
            total += chosen.times[f]
    return total


@inlined_exactly
def _is_promising(
    forest: Forest, quest: Quest, boxes: Leaves, box: int, bound: Any, best: Any, all_vote: bool, where: Any, value: Any
) -> bool:
    """Whether a box within the limit may hold a row that belongs among the best, or votes with them."""
    if bound < best[1]:
        return True
    worst = where.shape[1] - 1
    row = where[quest.query, worst]
    if row < 0:
        return True
    closest = _exact_bound(forest, quest, boxes, box)
    if all_vote:
        return bool(closest <= value[quest.query, worst] * (1.0 + TIE))
    return bool(closest < value[quest.query, worst]) or bool(
        closest == value[quest.query, worst] and boxes.lowest[box] < row
    )


@inlined_exactly
def _closest_box(bounds: Any, n_boxes: int, lowest: Any, shift: int, least: Any) -> int:
    """Return the box of the least bound, the one with the lowest row of several; boxes are numbered from a shift on."""
    best = 0
    for box in range(n_boxes):
        if bounds[box] == least and (bounds[best] != least or lowest[shift + box] < lowest[shift + best]):
            best = box
    return best


@inlined_exactly
def _least_bound(bounds: Any, n_boxes: int, few: Any) -> Any:
    """Return the least bound; of boxes that make the last block full it is infinite."""
    for lane in range(FAN):
        few[lane] = bounds[lane]
    for start in range(FAN, n_boxes, FAN):
        for lane in range(FAN):
            few[lane] = bounds[start + lane] if bounds[start + lane] < few[lane] else few[lane]
    for lane in range(8):
        few[lane] = few[lane] if few[lane] < few[lane + 8] else few[lane + 8]
    least = few[0]
    for lane in range(1, 8):
        least = few[lane] if few[lane] < least else least
    return least


@inlined_exactly
def _open(forest: Forest, quest: Quest, bunch: int, board: Board, ballot: Ballot, where: Any, value: Any) -> int:
    """Look into the leaves of a bunch, the closest first; return into how many."""
    leaves, bounds, all_vote = forest.leaves, board.bounds, len(ballot.starts) > 0
    start = forest.bunches.starts[bunch]
    n_boxes = forest.bunches.starts[bunch + 1] - start
    bound_boxes(leaves.boxes, bunch, forest, quest.single, bounds, 0)
    for lane in range(n_boxes, FAN):
        bounds[lane] = _INFINITE
    closest = _closest_box(bounds, n_boxes, leaves.lowest, start, _least_bound(bounds, n_boxes, board.few))
    n_looked = 0
    for step in range(-1, n_boxes):
        at = closest if step < 0 else step
        if step == closest or not bounds[at] <= board.best[0]:
            continue
        if _is_promising(forest, quest, leaves, start + at, bounds[at], board.best, all_vote, where, value):
            _look(forest, quest, start + at, board, ballot, where, value)
            n_looked += 1
    return n_looked


@inlined_exactly
def _search_one(
    forest: Forest, quest: Quest, skip: tuple[int, int], board: Board, ballot: Ballot, where: Any, value: Any
) -> tuple[int, int]:
    """Find the best rows of a query; return how many bunches were opened and how many leaves were looked into."""
    bunches, n_bunches, tops = forest.bunches, len(forest.bunches.lowest), board.tops
    all_vote = len(ballot.starts) > 0
    for block in range((n_bunches + FAN - 1) // FAN):
        bound_boxes(bunches.boxes, block, forest, quest.single, tops, block * FAN)
    for bunch in range(n_bunches, len(tops)):
        tops[bunch] = _INFINITE
    for bunch in range(skip[0], skip[1]):
        tops[bunch] = _INFINITE
    board.best[0], board.best[1] = np.inf, np.inf
    closest = _closest_box(tops, n_bunches, bunches.lowest, 0, _least_bound(tops, n_bunches, board.few))
    n_opened, n_looked = 0, 0
    for step in range(-1, n_bunches):
        at = closest if step < 0 else step
        if step == closest or skip[0] <= at < skip[1] or not tops[at] <= board.best[0]:
            continue
        if _is_promising(forest, quest, bunches, at, tops[at], board.best, all_vote, where, value):
            n_opened += 1
            n_looked += _open(forest, quest, at, board, ballot, where, value)
    return n_opened, n_looked


@kernel
def search_leaves(
    single: Singles2,  # the queries in float32 ...
    queries: Floats2,  # ... and in float64
    reach: Floats,  # the largest size of a number of each query
    skip: Ints2,  # (query, 2): bunches from the first to before the second are not searched
    exact: Floats2,  # the rows, and their arrangement as of `Forest`
    members: Ints,
    lanes: Singles2,
    leaf_fields: LeafFields,
    bunch_fields: LeafFields,
    chosen_fields: ChosenFields,
    n_plain: int,
    n_numbers: int,
    rows_reach: float,  # the largest size of a number of the rows
    unit: float,
    is_paired: bool,
    starts: Ints,  # what rows vote for, as of `Ballot`; empty if there is no vote, else the count is 1
    codes: Ints,
    votes: Floats,
    keys: Floats,
    where: OutInts2,  # (query, count), -1 before: rows in order of their distance, as many as there are
    value: OutFloats2,  # (query, count), infinite before: squared distances
    winners: OutInts,  # (query,), with a vote: the class of the closest rows
) -> tuple[int, int]:
    """Find each query's closest rows, or what class those vote for.

    Return how many bunches were opened and leaves looked into, for all queries.
    """
    chosen, leaves, bunches = Chosen(*chosen_fields), Leaves(*leaf_fields), Leaves(*bunch_fields)
    which, times, roots = chosen.which, chosen.times, chosen.roots
    n_chosen, n_plain_chosen = len(which), 0
    weight, number_weight = 0, 0
    for f in range(n_chosen):
        n_plain_chosen += which[f] < n_plain
        weight += int(times[f])
        number_weight += int(times[f]) if which[f] < n_numbers else 0
    forest = Forest(exact, members, lanes, leaves, bunches, chosen, n_plain, n_numbers, n_plain_chosen, unit, is_paired)
    n_blocks = (len(bunches.lowest) + FAN - 1) // FAN
    board = Board(
        np.empty(n_blocks * FAN, dtype=np.float32),
        np.empty(FAN, dtype=np.float32),
        np.empty(LANES, dtype=np.float32),
        np.empty(LANES // 2, dtype=np.float32),
        np.empty(FAN, dtype=np.float32),
        np.empty(2, dtype=np.float32),
    )
    ballot = Ballot(starts, codes, votes, keys, np.zeros(len(keys)))
    asked = np.empty(n_chosen, dtype=np.float32)
    n_opened, n_looked = 0, 0
    for query in range(len(queries)):
        for f in range(n_chosen):
            asked[f] = single[query, which[f]] * roots[f]
        slack = ROUNDINGS * slack_of(rows_reach, reach[query], max(weight, exact.shape[1]), number_weight, unit)
        quest = Quest(queries, asked, query, slack)
        opened, looked = _search_one(forest, quest, (skip[query, 0], skip[query, 1]), board, ballot, where, value)
        n_opened += opened
        n_looked += looked
        if len(starts) > 0:
            winners[query] = _winner(ballot)
    return n_opened, n_looked
