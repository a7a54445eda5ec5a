"""The state of a search along many subsets: the best rows so far, and which others can be as good."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from covey.kernels.compile import Flags, Floats2, inlined_exactly, loop
from covey.kernels.distance import insert, squared_distance_along
from covey.kernels.sizes import LARGEST_SUM, TIE
from covey.kernels.subset_program import Program
from covey.kernels.subset_terms import FULL, as_bits, as_number
from covey.kernels.tiles import ERROR, stretch

# The largest finite float32, as an integer: what is not there is infinite, and above it.
ANY = np.int32(0x7F7FFFFF)
_NONE = np.int32(-1)

# How many blocks are noted for a subset before they are looked at.
ROOM = 16

# By what share a sum of terms may be too large because float32 rounds.
ROUNDING = 1e-6

# How often coordinates of whole numbers may count for float32 to hold their sums without an error.
MOST_WHOLE = 1000


class Searched(NamedTuple):
    """The rows to search."""

    exact: Floats2
    reach: float  # the largest size of a number
    unit: float  # what exact coordinates are multiplied by to make single ones
    n_plain: int  # coordinates that are numbers and never missing
    n_numbers: int  # coordinates that are numbers
    # Of each coordinate, whether squared differences from all queries are small whole numbers, which float32 holds and
    # adds without an error.
    whole: Flags
    # Whether exact distances are those that `squared_distance` gives for rows of a subset's coordinates alone.
    is_paired: bool


class Query(NamedTuple):
    """What is asked for."""

    exact: Any  # the exact coordinates of all queries ...
    at: int  # ... and which of them this is
    single: Any  # its own in float32
    size: float  # the largest size of its numbers and that of the rows'
    scale: float  # how many terms make 1 in float32, a power of two
    own: int  # a row that is not searched, -1 for none
    twin: int  # a row whose vote counts one less, -1 for none


class Polls(NamedTuple):
    """What the closest rows vote for; all that are at the same distance do."""

    codes: Any  # the class of each row; empty if there is no vote
    weight: Any  # how many votes each row has
    keys: Any  # (subset, class): of even votes the class of the greatest wins; if empty, it is that of the first row
    votes: Any  # (subset, class)
    leader: Any  # (subset, class): the first row that gave one


class State(NamedTuple):
    """What is known of a query, for each subset."""

    where: Any  # the best rows ...
    value: Any  # ... and their squared distances
    limit: Any  # the bits of a float32; a sum above it is of no interest
    cut: Any  # the same for a sum of terms
    spread: Any  # by how much distances in float32 may err, per size of the numbers, ...
    factor: Any  # ... and by which factor; a negative one says that they never do
    total: Any  # how many coordinates each subset has, each as often as it counts
    least: Any  # the least sum of terms of a block of rows
    sums: Any  # all sums of a block along one subset
    noted: Any  # how many blocks are noted, ...
    first: Any  # ... the first row of each, ...
    terms: Any  # ... and its least sum of terms
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
        state.total[subset] = total
        state.spread[subset] = ERROR * math.sqrt(total) * rows.unit
        state.factor[subset] = -1.0 if is_whole and total <= MOST_WHOLE else stretch(math.ceil(total) + 2)
    return 0.5 * math.sqrt(LARGEST_SUM / largest) / rows.unit


@loop
def begin(state: State) -> None:
    """Forget the last query."""
    for subset in range(len(state.limit)):
        state.limit[subset] = ANY
        state.cut[subset] = FULL
        state.noted[subset] = 0
        for k in range(state.where.shape[1]):
            state.where[subset, k] = -1
            state.value[subset, k] = np.inf


@inlined_exactly
def narrow(state: State, query: Query, subset: int, bits: Any) -> None:
    """Note what a later row's sum in float32 may be, and so that of its terms."""
    state.limit[subset] = bits
    most = float(as_number(bits)) * query.scale if bits >= 0 else -1.0
    if state.factor[subset] >= 0.0:
        most = most * (1.0 + ROUNDING) + 1.0
    state.cut[subset] = np.int32(min(most, float(FULL)))


@inlined_exactly
def is_exact(state: State, query: Query, subset: int, unit: float) -> bool:
    """Whether terms that are not full are squares, and not only less than them."""
    return bool(state.factor[subset] < 0.0 and query.scale * unit * unit >= 1.0)


@inlined_exactly
def _set_limit(state: State, query: Query, subset: int, unit: float) -> None:
    """Note what a later row's sum may be for it to be better than the worst of the best."""
    worst = state.where.shape[1] - 1
    if state.where[subset, worst] < 0:
        return
    best = state.value[subset, worst]
    all_vote = len(state.polls.codes) > 0
    if all_vote:
        best *= 1.0 + TIE
    if best == 0.0 and not all_vote:
        narrow(state, query, subset, _NONE)
    elif state.factor[subset] < 0.0:  # without a vote, a row of the same distance comes after this one
        bits = as_bits(np.float32(best * unit * unit))
        narrow(state, query, subset, bits if all_vote else bits - np.int32(1))
    else:
        reach = math.sqrt(best) * unit * state.factor[subset] + state.spread[subset] * query.size
        upper = as_bits(np.float32(reach * reach * state.factor[subset]))
        narrow(state, query, subset, min(upper, ANY - np.int32(1)) + np.int32(1))


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
            rows.is_paired,
        )
    if len(state.polls.codes) > 0:
        if _vote(state, query, subset, row, new):
            _set_limit(state, query, subset, rows.unit)
    elif new <= state.value[subset, state.where.shape[1] - 1]:
        insert(state.where, state.value, subset, row, new)
        _set_limit(state, query, subset, rows.unit)


@inlined_exactly
def note(state: State, query: Query, subset: int, first: int, unit: float) -> bool:
    """Note a block for a subset; say whether what is noted should be looked at now."""
    least = state.least[subset]
    if state.where.shape[1] > 1:
        state.first[subset, 0] = first
        state.terms[subset, 0] = least
        state.noted[subset] = 1
        return True
    place = state.noted[subset]
    if least < FULL and is_exact(state, query, subset, unit):
        bits = as_bits(np.float32(least / query.scale))
        if len(state.polls.codes) == 0:  # it is better than all before, and no later one of the same distance is
            place = 0
            narrow(state, query, subset, bits - np.int32(1))
        elif bits < state.limit[subset]:
            place = 0
            narrow(state, query, subset, bits)
    elif least < FULL:
        factor, slack = max(state.factor[subset], 1.0), state.spread[subset] * query.size
        # The row's distance may be larger than its terms say, and the sum of a better one larger than its distance.
        number = (least + state.total[subset]) / query.scale
        reach = (math.sqrt(number) * factor + slack) * factor + slack
        upper = as_bits(np.float32(reach * reach * factor))
        if upper < state.limit[subset]:
            narrow(state, query, subset, upper)
    state.first[subset, place] = first
    state.terms[subset, place] = least
    state.noted[subset] = place + 1
    return bool(place + 1 == ROOM)


@inlined_exactly
def take_back(state: State, query: Query, subset: int, unit: float) -> None:
    """Let what is noted be of interest again, which is no worse than all before where terms are exact."""
    last = state.terms[subset, state.noted[subset] - 1]
    if state.where.shape[1] == 1 and last < FULL and is_exact(state, query, subset, unit):
        narrow(state, query, subset, as_bits(np.float32(last / query.scale)))
