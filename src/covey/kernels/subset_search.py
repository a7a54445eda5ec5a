"""The closest rows to each query along many subsets of the coordinates at once, exactly.

Rows lie side by side, 64 in a block. For each query and block the squared differences are taken once, sums that subsets
share once each (`covey.kernels.subset_program`), and a subset then needs a few additions and the least of 64 sums.
Blocks whose least sum is within the error of float32 of the best so far are noted, and in the end, when few of them are
left, looked at exactly, in float64. Nothing is kept but the best of each subset.
"""

from __future__ import annotations

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
from covey.kernels.subset_state import ROOM, Polls, Query, Searched, State, begin, consider, find_winners, measure, note
from covey.kernels.subset_terms import (
    as_bits,
    count_within,
    fill_least,
    fill_squares,
    fill_sums,
    first_within,
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
    if state.factor[subset] < 0.0 and state.where.shape[1] == 1:  # what is noted is no worse than all before
        state.limit[subset] = state.bits[subset, state.noted[subset] - 1]
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


@loop
def _look_everywhere(state: State, program: Program, rows: Searched, query: Query) -> None:
    """Look at all rows exactly: numbers are too large for float32 to tell anything."""
    for subset in range(len(state.limit)):
        for row in range(len(rows.exact)):
            if row != query.own:
                consider(state, program, rows, query, subset, row, np.float32(-1.0))


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
            if note(state, query, subset, first):
                _look_at_one(state, program, rows, query, lanes, subset)
            subset = first_within(state.least, state.limit, subset + 1)
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
    terms: OutSingles2,  # room for n_coordinates + n_entries + 2 terms
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
    limit, spread, factor = np.empty(n_subsets, dtype=np.int32), np.empty(n_subsets), np.empty(n_subsets)
    least, sums = np.empty(n_subsets, dtype=np.int32), np.empty(LANES, dtype=np.float32)
    noted, bits = np.empty(n_subsets, dtype=np.int64), np.empty((n_subsets, ROOM), dtype=np.int32)
    first = np.empty((n_subsets, ROOM), dtype=np.int64)
    polls = Polls(
        codes, weight, keys, np.zeros((n_subsets, n_classes)), np.zeros((n_subsets, n_classes), dtype=np.int64)
    )
    largest = 0.0
    for at in range(len(queries)):
        out = at if len(codes) == 0 else 0
        state = State(where[out], value[out], limit, spread, factor, least, sums, noted, first, bits, polls)
        query = Query(queries, at, asked[at], rows.reach + reach[at], own[at], twin[at])
        if at == 0 or len(counts) > 1:
            size = fill_program(program, counts[at], width, most)
            largest = measure(state, program, rows)
        begin(state)
        if max(rows.reach, reach[at]) <= largest:
            _search_blocks(state, program, size, rows, lanes, query, terms)
        else:
            _look_everywhere(state, program, rows, query)
        if len(codes) > 0:
            find_winners(state, winners[at])
