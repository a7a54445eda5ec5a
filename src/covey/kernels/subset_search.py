"""The closest rows to each query along many subsets of the coordinates at once, exactly.

Rows lie side by side, 64 in a block. For each query and block the squared differences are taken once, sums that subsets
share once each (`covey.kernels.subset_program`), and a subset then needs a few additions and the least of 64 sums; all
of that in whole numbers of 16 bits, rounded down. Blocks whose least sum may belong to one of the best are noted, and
looked at in the end, when few of them are left: in float32, and what is within its error of the best in float64.
Nothing is kept but the best of each subset.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from covey.kernels.compile import (
    Floats,
    Floats2,
    Ints,
    Ints3,
    OutFloats3,
    OutInts2,
    OutInts3,
    OutSingles2,
    Singles2,
    fields_of,
    inlined_exactly,
    kernel,
    loop,
)
from covey.kernels.sizes import LANES
from covey.kernels.subset_program import Program, Size, fill_program, new_program
from covey.kernels.subset_state import (
    ROOM,
    Polls,
    Query,
    Searched,
    State,
    begin,
    consider,
    find_winners,
    measure,
    note,
    take_back,
)
from covey.kernels.subset_terms import (
    FULL,
    as_bits,
    count_within,
    fill_least,
    fill_squares,
    fill_sums,
    first_within,
    hide,
    most_promising,
    sum_along,
)


@inlined_exactly
def _look(state: State, program: Program, rows: Searched, query: Query, subset: int, first: int) -> None:
    """Look exactly at the rows of a block that may be among the best, given their sums, most promising ones first."""
    best = most_promising(state.sums)
    if as_bits(state.sums[best]) <= state.limit[subset]:
        consider(state, program, rows, query, subset, first + best, state.sums[best])
    state.sums[best] = np.inf
    if count_within(state.sums, state.limit[subset]) == 0:
        return
    for lane in range(LANES):
        if as_bits(state.sums[lane]) <= state.limit[subset]:
            consider(state, program, rows, query, subset, first + lane, state.sums[lane])


@inlined_exactly
def _look_at_noted(state: State, program: Program, rows: Searched, query: Query, lanes: Any, subset: int) -> None:
    """Look at the blocks noted for a subset that may still hold one of the best."""
    n_rows, n_coordinates = rows.exact.shape
    take_back(state, query, subset, rows.unit)
    start, stop = program.along_starts[subset], program.along_starts[subset + 1]
    for at in range(state.noted[subset]):
        if state.terms[subset, at] > state.cut[subset]:
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


@loop
def _look_everywhere(state: State, program: Program, rows: Searched, query: Query) -> None:
    """Look at all rows exactly: numbers are too large for float32 to tell anything."""
    for subset in range(len(state.limit)):
        for row in range(len(rows.exact)):
            if row != query.own:
                consider(state, program, rows, query, subset, row, np.float32(-1.0))


@loop
def _farthest(
    program: Program, size: Size, rows: Searched, lanes: Any, single: Any, at: int, own: int, most: int, sums: Any
) -> float:
    """Return a distance that the closest row has at most along any subset: that of one of a few along all of them."""
    n_rows, n_coordinates = rows.exact.shape
    block = at % ((n_rows + LANES - 1) // LANES)
    first, kinds, one = block * LANES, (rows.n_plain, rows.n_numbers), np.float32(rows.unit * rows.unit)
    sum_along(lanes, block * n_coordinates, single, program.used, program.once, 0, size.n_used, kinds, one, sums)
    least = np.inf
    for lane in range(min(LANES, n_rows - first)):
        if first + lane != own:
            least = min(least, float(sums[lane]))
    return least * most


@loop
def _scale_of(farthest: float, share: float) -> float:
    """Return how many terms make 1, given that most of the closest rows are within a share of a distance."""
    reach = farthest * min(share, 1.0)
    return 2.0 ** math.floor(math.log2(FULL / reach)) if 1e-30 < reach < 1e30 else 1.0


@loop
def _share_of(state: State, rows: Searched, farthest: float, before: float) -> float:
    """Return within which share of a distance the closest rows were, and some more, or a little less than before."""
    share = 0.9 * before
    for subset in range(len(state.limit)):
        best = state.value[subset, state.where.shape[1] - 1] * rows.unit * rows.unit
        if best < np.inf and farthest > 0.0:
            share = max(share, 4.0 * best / farthest)
    return max(share, 1e-9)


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
    scale = np.float32(query.scale)
    for first in range(0, n_rows, LANES):
        base = first // LANES * n_coordinates
        fill_squares(lanes, base, query.single, program, size.n_used, kinds, one, scale, terms)
        if first <= query.own < first + LANES:
            hide(terms, size.n_used, query.own - first)
        for lane in range(n_rows - first, LANES):
            hide(terms, size.n_used, lane)
        fill_sums(program, size, terms)
        fill_least(terms, program, spare, state.least)
        subset = first_within(state.least, state.cut, 0)
        while subset < len(state.limit):
            if note(state, query, subset, first, rows.unit):
                _look_at_one(state, program, rows, query, lanes, subset)
            subset = first_within(state.least, state.cut, subset + 1)
    _look_at_all(state, program, rows, query, lanes)


@kernel
def search_subsets(
    lanes: Singles2,  # the rows' coordinates, block by block
    asked: Singles2,  # the queries' coordinates in float32 ...
    queries: Floats2,  # ... and exactly
    reach: Floats,  # the largest size of a number of each query
    searched: Annotated[tuple[Any, ...], fields_of(Searched)],
    own: Ints,  # a row that is not searched for the query, -1 for none
    counts: Ints3,  # (1 or query, subset, coordinate): how often each coordinate counts, for all queries or for each
    width: int,  # how many coordinates make a block of the program
    n_entries: int,  # how many numbers of one query's counts are not 0 at most
    most: int,  # the largest of the counts
    room: OutSingles2,  # room for n_coordinates + n_entries + 2 terms, each of half as many numbers as there are lanes
    codes: Ints,  # who votes for what, as of `Polls`; empty if there is no vote
    weight: Floats,
    keys: Floats2,
    twin: Ints,
    n_classes: int,
    # (query, subset, count): the closest rows, -1 where there are no more, and their squared distances. With a vote it
    # is room for one query and a count of 1.
    where: OutInts3,
    value: OutFloats3,
    winners: OutInts2,  # (query, subset), with a vote: the class of the closest rows
) -> None:
    """Find each query's closest rows along each subset, or what class those vote for."""
    rows = Searched(*searched)
    n_subsets = counts.shape[1]
    program = new_program(n_subsets, counts.shape[2], n_entries, width, most)
    size = Size(0, 0)
    terms = room.view(np.uint16)
    limit, cut = np.empty(n_subsets, dtype=np.int32), np.empty(n_subsets, dtype=np.int32)
    spread, factor, total = np.empty(n_subsets), np.empty(n_subsets), np.empty(n_subsets)
    least, sums = np.empty(n_subsets, dtype=np.int32), np.empty(LANES, dtype=np.float32)
    noted, first = np.empty(n_subsets, dtype=np.int64), np.empty((n_subsets, ROOM), dtype=np.int64)
    noted_terms = np.empty((n_subsets, ROOM), dtype=np.int32)
    polls = Polls(
        codes, weight, keys, np.zeros((n_subsets, n_classes)), np.zeros((n_subsets, n_classes), dtype=np.int64)
    )
    largest, share = 0.0, 1.0
    for at in range(len(queries)):
        out = at if len(codes) == 0 else 0
        state = State(
            where[out], value[out], limit, cut, spread, factor, total, least, sums, noted, first, noted_terms, polls
        )
        if at == 0 or len(counts) > 1:
            size = fill_program(program, counts[at], width, most)
            largest = measure(state, program, rows)
        begin(state)
        farthest = _farthest(program, size, rows, lanes, asked[at], at, own[at], most, sums)
        scale = _scale_of(farthest, share)
        query = Query(queries, at, asked[at], rows.reach + reach[at], scale, own[at], twin[at])
        if max(rows.reach, reach[at]) <= largest:
            _search_blocks(state, program, size, rows, lanes, query, terms)
            share = _share_of(state, rows, farthest, share)
        else:
            _look_everywhere(state, program, rows, query)
        if len(codes) > 0:
            find_winners(state, winners[at])
