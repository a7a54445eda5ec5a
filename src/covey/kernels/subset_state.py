"""What a search along many subsets knows of a query: the best rows so far, and which others can be as good."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from covey.kernels.best_rows import insert
from covey.kernels.compile import inlined_exactly, loop
from covey.kernels.lanes import LARGEST_SUM
from covey.kernels.subset_distance import squared_distance_along
from covey.kernels.subset_program import Program
from covey.kernels.subset_terms import as_bits, as_number
from covey.kernels.tiles import ERROR, stretch

# The largest finite float32, as an integer: what is not there is infinite, and above it.
ANY = np.int32(0x7F7FFFFF)
_NONE = np.int32(-1)

# So many blocks are noted for a subset before they are looked at.
ROOM = 16

# So often may coordinates of whole numbers count that their sums are still held without an error.
MOST_WHOLE = 1000

# Distances that differ by less than this share are the same: differences of scaled numbers are rounded.
TIE = 1e-9


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
    twin
        A row whose vote counts one case less, -1 for none.
    """

    exact: Any
    at: int
    single: Any
    size: float
    own: int
    twin: int


class Polls(NamedTuple):
    """What the closest rows vote for; all that are at the same distance do.

    Attributes
    ----------
    codes, weight
        The class of each row and how many cases it stands for; empty if there is no vote.
    keys
        Which class a subset prefers if the votes are even, the one with the greatest; empty if it is that of the first
        row.
    votes, leader
        The votes of each subset for each class, and the first row that gave one.
    """

    codes: Any
    weight: Any
    keys: Any
    votes: Any
    leader: Any


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
    polls
        The votes.
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
    polls: Polls


@loop
def measure(state: State, program: Program, rows: Searched) -> float:
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
def begin(state: State) -> None:
    """Forget the last query."""
    for subset in range(len(state.limit)):
        state.limit[subset] = ANY
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
    all_vote = len(state.polls.codes) > 0
    if all_vote:
        best *= 1.0 + TIE
    if best == 0.0 and not all_vote:
        state.limit[subset] = _NONE
    elif state.factor[subset] < 0.0:  # without a vote, a row of the same distance comes after this one
        bits = as_bits(np.float32(best * unit * unit))
        state.limit[subset] = bits if all_vote else bits - np.int32(1)
    else:
        reach = math.sqrt(best) * unit * state.factor[subset] + state.spread[subset] * size
        upper = as_bits(np.float32(reach * reach * state.factor[subset]))
        state.limit[subset] = min(upper, ANY - np.int32(1)) + np.int32(1)


@inlined_exactly
def _vote(state: State, query: Query, subset: int, row: int, new: float) -> bool:
    """Let a row vote if no other is closer; say whether it is closer than those that voted before."""
    polls, best = state.polls, state.value[subset, 0]
    is_closer = state.where[subset, 0] < 0 or new < best * (1.0 - TIE)
    if not is_closer and new > best * (1.0 + TIE):
        return False
    if is_closer:
        for code in range(polls.votes.shape[1]):
            polls.votes[subset, code] = 0.0
            polls.leader[subset, code] = -1
        state.where[subset, 0] = row
        state.value[subset, 0] = new
    code = polls.codes[row]
    polls.votes[subset, code] += polls.weight[row] - (1.0 if row == query.twin else 0.0)
    if polls.leader[subset, code] < 0 or row < polls.leader[subset, code]:
        polls.leader[subset, code] = row
    return bool(is_closer)


@loop
def find_winners(state: State, winners: Any) -> None:
    """Fill in the class with the most votes of each subset, -1 where there are none."""
    polls = state.polls
    for subset in range(len(winners)):
        winners[subset] = -1
        if state.where[subset, 0] < 0:
            continue
        for code in range(polls.votes.shape[1]):
            if polls.leader[subset, code] < 0:
                continue
            best = winners[subset]
            lead = np.inf if best < 0 else polls.votes[subset, code] - polls.votes[subset, best]
            if -TIE <= lead <= TIE:
                if len(polls.keys) > 0:
                    lead = 1.0 if polls.keys[subset, code] > polls.keys[subset, best] else -1.0
                else:
                    lead = 1.0 if polls.leader[subset, code] < polls.leader[subset, best] else -1.0
            if lead > 0.0:
                winners[subset] = code


@inlined_exactly
def consider(state: State, program: Program, rows: Searched, query: Query, subset: int, row: int, single: Any) -> None:
    """Take the exact distance of a row, given its sum in float32 or -1, and keep it if it is among the best."""
    start, stop = program.along_starts[subset], program.along_starts[subset + 1]
    if state.factor[subset] < 0.0 and single >= 0.0:
        new = float(single) / (rows.unit * rows.unit)
    else:
        new = squared_distance_along(
            query.exact,
            query.at,
            rows.exact,
            row,
            program.along,
            program.often,
            start,
            stop,
            rows.n_plain,
            rows.n_numbers,
        )
    if len(state.polls.codes) > 0:
        if _vote(state, query, subset, row, new):
            _set_limit(state, subset, query.size, rows.unit)
    elif new <= state.value[subset, state.where.shape[1] - 1]:
        insert(state.where, state.value, subset, row, new)
        _set_limit(state, subset, query.size, rows.unit)


@inlined_exactly
def note(state: State, query: Query, subset: int, first: int) -> bool:
    """Note a block for a subset; say whether what is noted should be looked at now."""
    bits = state.least[subset]
    if state.where.shape[1] > 1:
        state.first[subset, 0] = first
        state.bits[subset, 0] = bits
        state.noted[subset] = 1
        return True
    place = state.noted[subset]
    if state.factor[subset] < 0.0:
        if len(state.polls.codes) == 0:  # it is better than all before, and no later one of the same distance is
            place = 0
            state.limit[subset] = bits - np.int32(1)
        elif bits < state.limit[subset]:
            place = 0
            state.limit[subset] = bits
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
