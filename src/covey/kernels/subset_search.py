"""The closest rows to each query along many subsets of the coordinates at once, exactly.

Rows lie side by side, 64 in a block. For each query and block the squared differences are taken once, sums that subsets
share once each (`covey.kernels.subset_program`), and a subset then needs a few additions and the least of 64 sums.
Blocks whose least sum is within the error of float32 of the best so far are noted, and in the end, when few of them are
left, looked at exactly, in float64. Nothing is kept but the best of each subset.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from covey.kernels.compile import inlined_exactly, kernel, loop, read_only
from covey.kernels.lanes import LANES, LARGEST_SUM
from covey.kernels.subset_distance import squared_distance_along
from covey.kernels.subset_program import Program, Size, fill_program, new_program
from covey.kernels.subset_terms import (
    as_bits,
    as_number,
    count_within,
    fill_least,
    fill_squares,
    fill_sums,
    first_within,
    most_promising,
    sum_along,
)
from covey.kernels.tiles import ERROR, stretch

# The largest finite float32, as an integer: what is not there is infinite, and above it.
_ANY = np.int32(0x7F7FFFFF)
_NONE = np.int32(-1)

# So many blocks are noted for a subset before they are looked at.
ROOM = 8

# So often may coordinates of whole numbers count that their sums are still held without an error.
MOST_WHOLE = 1000


class Searched(NamedTuple):
    """The rows to search: their exact coordinates, the largest size of a number, their unit, and what is whole.

    Attributes
    ----------
    exact, reach, unit
        As of `covey.learners.points.Points`.
    n_plain, n_numbers
        What kinds of coordinates there are.
    whole
        Of each coordinate, whether squared differences from all queries are small whole numbers, which float32 holds
        and adds without an error.
    """

    exact: Any
    reach: float
    unit: float
    n_plain: int
    n_numbers: int
    whole: Any


class Query(NamedTuple):
    """What is asked for.

    Attributes
    ----------
    exact, at
        The exact coordinates of all queries, and which of them this is.
    single
        Its own in float32.
    size
        The largest size of its numbers and that of the rows'.
    own
        A row that is not searched, -1 for none.
    """

    exact: Any
    at: int
    single: Any
    size: float
    own: int


class State(NamedTuple):
    """What is known of a query: the best rows and their squared distances, and what a sum may be to be looked at.

    Attributes
    ----------
    where, value
        For each subset.
    limit
        The bits of a float32; a sum above it is of no interest.
    spread, factor
        By how much distances in float32 may err, per size of the numbers, and by which factor; a negative one says that
        they never do.
    least, sums
        The bits of the least sum of a block of rows along each subset, and all its sums along one.
    noted, first, bits
        How many blocks are noted for each subset, and of each its first row and the bits of its least sum.
    """

    where: Any
    value: Any
    limit: Any
    spread: Any
    factor: Any
    least: Any
    sums: Any
    noted: Any
    first: Any
    bits: Any


@loop
def _measure(state: State, program: Program, rows: Searched) -> float:
    """Note how much distances along each subset may err; return how large a number float32 can tell anything about."""
    largest = 1.0
    for subset in range(len(state.limit)):
        total, is_whole = 0.0, True
        for at in range(program.along_starts[subset], program.along_starts[subset + 1]):
            total += program.often[at]
            is_whole = is_whole and rows.whole[program.along[at]]
        largest = max(largest, total)
        state.spread[subset] = ERROR * math.sqrt(total) * rows.unit
        state.factor[subset] = -1.0 if is_whole and total <= MOST_WHOLE else stretch(math.ceil(total) + 2)
    return 0.5 * math.sqrt(LARGEST_SUM / largest) / rows.unit


@loop
def _begin(state: State) -> None:
    """Forget the last query."""
    for subset in range(len(state.limit)):
        state.limit[subset] = _ANY
        state.noted[subset] = 0
        for k in range(state.where.shape[1]):
            state.where[subset, k] = -1
            state.value[subset, k] = np.inf


@inlined_exactly
def _set_limit(state: State, subset: int, size: float, unit: float) -> None:
    """Note what a later row's sum may be for it to be better than the worst of the best."""
    worst = state.where.shape[1] - 1
    if state.where[subset, worst] < 0:
        return
    best = state.value[subset, worst]
    if best == 0.0:
        state.limit[subset] = _NONE
    elif state.factor[subset] < 0.0:  # a row of the same distance comes after this one
        state.limit[subset] = as_bits(np.float32(best * unit * unit)) - np.int32(1)
    else:
        reach = math.sqrt(best) * unit * state.factor[subset] + state.spread[subset] * size
        upper = as_bits(np.float32(reach * reach * state.factor[subset]))
        state.limit[subset] = min(upper, _ANY - np.int32(1)) + np.int32(1)


@inlined_exactly
def _insert(state: State, subset: int, row: int, new: float) -> None:
    """Put a row among the best, of rows at the same distance the lowest first."""
    where, value = state.where, state.value
    place = where.shape[1]
    while place > 0:
        other, old = where[subset, place - 1], value[subset, place - 1]
        if other >= 0 and (old < new or (old == new and other < row)):
            break
        if place < where.shape[1]:
            where[subset, place] = other
            value[subset, place] = old
        place -= 1
    if place < where.shape[1]:
        where[subset, place] = row
        value[subset, place] = new


@inlined_exactly
def _consider(state: State, program: Program, rows: Searched, query: Query, subset: int, row: int) -> None:
    """Take the exact distance of a row and keep it if it is among the best."""
    start, stop = program.along_starts[subset], program.along_starts[subset + 1]
    new = squared_distance_along(
        query.exact, query.at, rows.exact, row, program.along, program.often, start, stop, rows.n_plain, rows.n_numbers
    )
    if new <= state.value[subset, state.where.shape[1] - 1]:
        _insert(state, subset, row, new)
        _set_limit(state, subset, query.size, rows.unit)


@inlined_exactly
def _look(state: State, program: Program, rows: Searched, query: Query, subset: int, first: int) -> None:
    """Look exactly at the rows of a block that may be among the best, given their sums, most promising ones first."""
    best = most_promising(state.sums)
    if as_bits(state.sums[best]) <= state.limit[subset]:
        _consider(state, program, rows, query, subset, first + best)
    state.sums[best] = np.inf
    if count_within(state.sums, state.limit[subset]) == 0:
        return
    for lane in range(LANES):
        if as_bits(state.sums[lane]) <= state.limit[subset]:
            _consider(state, program, rows, query, subset, first + lane)


@inlined_exactly
def _look_at_noted(state: State, program: Program, rows: Searched, query: Query, lanes: Any, subset: int) -> None:
    """Look at the blocks noted for a subset that may still hold one of the best."""
    n_rows, n_coordinates = rows.exact.shape
    is_whole = state.factor[subset] < 0.0
    if is_whole:  # what is noted is better than all before
        state.limit[subset] = _ANY
    start, stop = program.along_starts[subset], program.along_starts[subset + 1]
    for at in range(state.noted[subset]):
        if state.bits[subset, at] > state.limit[subset]:
            continue
        first = state.first[subset, at]
        kinds, one = (rows.n_plain, rows.n_numbers), np.float32(rows.unit * rows.unit)
        base = first // LANES * n_coordinates
        sum_along(lanes, base, query.single, program.along, program.often, start, stop, kinds, one, state.sums)
        if first <= query.own < first + LANES:
            state.sums[query.own - first] = np.inf
        for lane in range(n_rows - first, LANES):
            state.sums[lane] = np.inf
        _look(state, program, rows, query, subset, first)
    state.noted[subset] = 0


@loop
def _look_at_one(state: State, program: Program, rows: Searched, query: Query, lanes: Any, subset: int) -> None:
    _look_at_noted(state, program, rows, query, lanes, subset)


@loop
def _look_at_all(state: State, program: Program, rows: Searched, query: Query, lanes: Any) -> None:
    for subset in range(len(state.limit)):
        if state.noted[subset] > 0:
            _look_at_noted(state, program, rows, query, lanes, subset)


@inlined_exactly
def _note(state: State, query: Query, subset: int, first: int) -> bool:
    """Note a block for a subset; say whether what is noted should be looked at now."""
    bits = state.least[subset]
    if state.where.shape[1] > 1:
        state.first[subset, 0] = first
        state.bits[subset, 0] = bits
        state.noted[subset] = 1
        return True
    place = state.noted[subset]
    if state.factor[subset] < 0.0:  # it is better than all before, and no later one of the same distance is
        place = 0
        state.limit[subset] = bits - np.int32(1)
    else:
        factor, slack = state.factor[subset], state.spread[subset] * query.size
        # The row's distance may be larger than its sum says, and the sum of a better one larger than its distance.
        reach = (math.sqrt(as_number(bits)) * factor + slack) * factor + slack
        upper = as_bits(np.float32(reach * reach * factor))
        state.limit[subset] = min(state.limit[subset], upper)
    state.first[subset, place] = first
    state.bits[subset, place] = bits
    state.noted[subset] = place + 1
    return bool(place + 1 == ROOM)


@loop
def _look_everywhere(state: State, program: Program, rows: Searched, query: Query) -> None:
    """Look at all rows exactly: numbers are too large for float32 to tell anything."""
    for subset in range(len(state.limit)):
        for row in range(len(rows.exact)):
            if row != query.own:
                _consider(state, program, rows, query, subset, row)


@loop
def _hide(terms: Any, n_used: int, lane: int) -> None:
    """Put the row in a lane infinitely far away along any subset."""
    for term in range(n_used + 1):
        terms[term, lane] = np.inf


@loop
def _search_blocks(
    state: State,
    program: Program,
    size: Size,
    rows: Searched,
    lanes: Any,
    query: Query,
    terms: Any,
) -> None:
    """Go through the blocks of rows for one query."""
    n_rows, n_coordinates = rows.exact.shape
    one = np.float32(rows.unit * rows.unit)
    kinds = (rows.n_plain, rows.n_numbers)
    spare = size.n_used + 1 + size.n_steps
    for first in range(0, n_rows, LANES):
        base = first // LANES * n_coordinates
        fill_squares(lanes, base, query.single, program, size.n_used, kinds, one, terms)
        if first <= query.own < first + LANES:
            _hide(terms, size.n_used, query.own - first)
        for lane in range(n_rows - first, LANES):
            _hide(terms, size.n_used, lane)
        fill_sums(program, size, terms)
        fill_least(terms, program.parts, program.starts, program.order, spare, state.least)
        subset = first_within(state.least, state.limit, 0)
        while subset < len(state.limit):
            if _note(state, query, subset, first):
                _look_at_one(state, program, rows, query, lanes, subset)
            subset = first_within(state.least, state.limit, subset + 1)
    _look_at_all(state, program, rows, query, lanes)


@kernel(
    types.void(
        read_only(types.float32, 2),
        read_only(types.float32, 2),
        read_only(types.float64, 2),
        read_only(types.float64, 1),
        read_only(types.float64, 2),
        types.float64,
        types.float64,
        types.int64,
        types.int64,
        read_only(types.boolean, 1),
        read_only(types.int64, 1),
        read_only(types.int64, 3),
        types.int64,
        types.int64,
        types.int64,
        types.float32[:, ::1],
        types.int64[:, :, ::1],
        types.float64[:, :, ::1],
    )
)
def search_subsets(
    lanes: Any,
    asked: Any,
    queries: Any,
    reach: Any,
    exact: Any,
    rows_reach: float,
    unit: float,
    n_plain: int,
    n_numbers: int,
    whole: Any,
    own: Any,
    counts: Any,
    width: int,
    n_entries: int,
    most: int,
    terms: Any,
    where: Any,
    value: Any,
) -> None:
    """Find each query's closest rows along each subset.

    Parameters
    ----------
    lanes : float32 of shape (n_blocks * n_coordinates, LANES)
        The rows' coordinates, block by block.
    asked, queries, reach : float32, float64, float64
        The queries' coordinates in float32 and exactly, and the largest size of a number among those of each.
    exact, rows_reach, unit, n_plain, n_numbers, whole
        The rows, as of `Searched`.
    own : int64 of shape (n_queries,)
        A row that is not searched for the query, -1 for none.
    counts : int64 of shape (1 or n_queries, n_subsets, n_coordinates)
        How often each coordinate counts in each subset, for all queries or for each.
    width, n_entries, most : int
        How many coordinates make a block of the program, how many numbers of one query's counts are not 0 at most,
        and the largest of them.
    terms : float32 of shape (n_coordinates + n_entries + 2, LANES)
        Room to reckon in.
    where, value : int64 and float64 of shape (n_queries, n_subsets, count)
        What is filled in: the closest rows, -1 where there are no more, and their squared distances.
    """
    rows = Searched(exact, rows_reach, unit, n_plain, n_numbers, whole)
    n_subsets = counts.shape[1]
    program = new_program(n_subsets, counts.shape[2], n_entries, width, most)
    size = Size(0, 0)
    limit, spread, factor = np.empty(n_subsets, dtype=np.int32), np.empty(n_subsets), np.empty(n_subsets)
    least, sums = np.empty(n_subsets, dtype=np.int32), np.empty(LANES, dtype=np.float32)
    noted, bits = np.empty(n_subsets, dtype=np.int64), np.empty((n_subsets, ROOM), dtype=np.int32)
    first = np.empty((n_subsets, ROOM), dtype=np.int64)
    largest = 0.0
    for at in range(len(queries)):
        state = State(where[at], value[at], limit, spread, factor, least, sums, noted, first, bits)
        query = Query(queries, at, asked[at], rows_reach + reach[at], own[at])
        if at == 0 or len(counts) > 1:
            size = fill_program(program, counts[at], width, most)
            largest = _measure(state, program, rows)
        _begin(state)
        if max(rows_reach, reach[at]) <= largest:
            _search_blocks(state, program, size, rows, lanes, query, terms)
        else:
            _look_everywhere(state, program, rows, query)
