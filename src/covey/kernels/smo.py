"""Linear support vector machines by sequential minimal optimisation, one for each pair of classes.

Few rows are solved at once (`covey.kernels.multipliers`). Of many, a working set is solved at a time: those whose
pulls are most extreme and those of the last set whose multipliers are between their limits, until no two of all rows
are worth moving (decomposition: Joachims, 1999). The products of a working set fit into the processor's cache, and the
pulls of all rows follow from the coefficients. What there is between two calls lies in arrays of the caller.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import Floats, Floats2, Ints, OutFloats, OutFloats2, OutInts, kernel, part
from covey.kernels.multipliers import FALL, LEAST, MOST, PULL, RISE, STATES, VALUE, climb, extremes, set_pulls

# Up to so many rows are solved at once. Of more, a working set has so many at least and at most, and twice as many as
# there are columns in between: about as many multipliers as columns end between their limits.
MOST_AT_ONCE, LEAST_WORKING, MOST_WORKING = 192, 128, 512
# A working set is solved up to this share of the gap between the pulls of all rows.
_SHARE = 0.2
# Extreme pulls are found by counting them in so many bins.
_BINS = 256
# How far the machines are: the pair in hand, its steps so far, and the rows of its last working set; whether the pair
# has been begun.
PAIR, STEPS, N_CHOSEN, BEGUN = range(4)
N_COUNTS = 4
# Columns whose values differ by less do not vary.
_NARROW = 1e-290


@part
def _limit(counts: Any, room: int) -> tuple[int, int]:
    """Return how many bins have room as a whole, and how many of the next bin have."""
    for at in range(len(counts)):
        if counts[at] > room:
            return at, room
        room -= counts[at]
    return len(counts), 0


@part
def _choose(states: Any, highest: float, lowest: float, chosen: Any, n_kept: int, taken: Any) -> int:
    """Choose the rows with the most extreme pulls, beside those kept; return how many there are then."""
    pull, rise, fall = states[PULL], states[RISE], states[FALL]
    scale = (_BINS - 1) / (highest - lowest)
    risers, fallers = np.zeros(_BINS, dtype=np.int64), np.zeros(_BINS, dtype=np.int64)
    for t in range(len(pull)):
        if not taken[t]:
            if rise[t] == 0.0 and pull[t] > lowest:
                risers[int((highest - pull[t]) * scale)] += 1
            if fall[t] == 0.0 and pull[t] < highest:
                fallers[int((pull[t] - lowest) * scale)] += 1
    room = (len(chosen) - n_kept) // 2
    n_high, more_high = _limit(risers, room)
    n_low, more_low = _limit(fallers, room)
    n_chosen = n_kept
    for t in range(len(pull)):
        if taken[t]:
            continue
        wanted = False
        if rise[t] == 0.0 and pull[t] > lowest:
            at = int((highest - pull[t]) * scale)
            wanted = at < n_high or (at == n_high and more_high > 0)
            more_high -= at == n_high
        if fall[t] == 0.0 and pull[t] < highest:
            at = int((pull[t] - lowest) * scale)
            wanted = wanted or at < n_low or (at == n_low and more_low > 0)
            more_low -= at == n_low
        if wanted:
            chosen[n_chosen] = t
            n_chosen += 1
    return n_chosen


@part
def _keep(states: Any, chosen: Any, n_chosen: int, taken: Any) -> int:
    """Keep those of the chosen rows whose multipliers are between their limits, up to half; return how many."""
    taken[:] = False
    n_kept = 0
    for at in range(n_chosen):
        t = chosen[at]
        if states[RISE, t] == 0.0 and states[FALL, t] == 0.0 and 2 * n_kept < len(chosen):
            chosen[n_kept] = t
            taken[t] = True
            n_kept += 1
    return n_kept


@part
def _gather(points: Any, states: Any, chosen: Any, n_chosen: int, some: Any, state: Any) -> None:
    """Fill in the points and the state of the chosen rows; the rest of the room is for rows that do not count."""
    for f in range(len(points)):
        for at in range(n_chosen):
            some[f, at] = points[f, chosen[at]]
    for kind in range(STATES):
        for at in range(n_chosen):
            state[kind, at] = states[kind, chosen[at]]
    some[:, n_chosen:] = 0.0
    state[:, n_chosen:] = 0.0
    state[RISE, n_chosen:] = -np.inf
    state[FALL, n_chosen:] = np.inf


@part
def _scatter(states: Any, chosen: Any, n_chosen: int, some: Any, state: Any, coefficients: Any) -> None:
    """Take over the multipliers of the chosen rows, and what they change of the coefficients."""
    change = np.zeros(some.shape[1])
    for at in range(n_chosen):
        t = chosen[at]
        change[at] = state[VALUE, at] - states[VALUE, t]
        for kind in (VALUE, RISE, FALL):
            states[kind, t] = state[kind, at]
    for f in range(len(coefficients)):
        for at in range(n_chosen):
            coefficients[f] += change[at] * some[f, at]


@part
def _decompose(
    points: Any,
    states: Any,
    labels: Any,
    coefficients: Any,
    chosen: Any,
    counts: Any,
    tol: float,
    max_iter: int,
    work: int,
) -> tuple[float, float, int]:
    """Solve one working set after the other; return the extreme pulls, and the work left: 0 if this is not the end."""
    n_columns, n_rows = points.shape
    n_working = len(chosen)
    some, state = np.empty((n_columns, n_working)), np.empty((STATES, n_working))
    products, taken = np.empty((n_working, n_working)), np.zeros(n_rows, dtype=np.bool_)
    n_iter, n_chosen = counts[STEPS], counts[N_CHOSEN]
    highest, lowest = extremes(states[PULL], states[RISE], states[FALL])
    while highest - lowest > tol and n_iter < max_iter:
        if work <= 0:
            counts[STEPS], counts[N_CHOSEN] = n_iter, n_chosen
            return highest, lowest, 0
        n_kept = _keep(states, chosen, n_chosen, taken)
        n_chosen = _choose(states, highest, lowest, chosen, n_kept, taken)
        _gather(points, states, chosen, n_chosen, some, state)
        enough = max(0.5 * tol, _SHARE * (highest - lowest))
        n_steps, _, _ = climb(some, state, products, enough, max_iter - n_iter)
        if n_steps == 0:
            break
        n_iter += n_steps
        work -= n_steps * n_working + n_rows * (n_columns + 4)
        _scatter(states, chosen, n_chosen, some, state, coefficients)
        set_pulls(points, labels, coefficients, states[PULL])
        highest, lowest = extremes(states[PULL], states[RISE], states[FALL])
    counts[STEPS], counts[N_CHOSEN] = n_iter, n_chosen
    return highest, lowest, max(work, 1)


def working_rows(n_columns: int) -> int:
    """Return how many rows a working set has."""
    return min(max(2 * n_columns + 4, LEAST_WORKING), MOST_WORKING)


@part
def _intercept(states: Any, highest: float, lowest: float) -> float:
    """Return the intercept that the pulls make."""
    total, count = 0.0, 0
    for t in range(states.shape[1]):
        if states[RISE, t] == 0.0 and states[FALL, t] == 0.0:
            total += states[PULL, t]
            count += 1
    # The rows on the margin have the intercept for a pull; without any, it is in the middle of what others allow.
    return total / count if count else (highest + lowest) / 2.0


@part
def ranges(matrix: Any, columns: Any, order: Any, scale: bool) -> tuple[Any, Any]:
    """Return half the lowest value of each column and half the width of its range; halves cannot overflow."""
    low, high = np.full(len(columns), np.inf), np.full(len(columns), -np.inf)
    for row in order:
        for f in range(len(columns)):
            value = matrix[row, columns[f]]
            low[f] = min(low[f], value)
            high[f] = max(high[f], value)
    width = np.full(len(columns), 0.5)
    for f in range(len(columns)):
        low[f] *= 0.5
        if scale and 0.5 * high[f] - low[f] > _NARROW:
            width[f] = 0.5 * high[f] - low[f]
    return low, width


@part
def load(
    matrix: Any,
    columns: Any,
    cost: Any,
    one: Any,
    other: Any,
    sign: float,
    low: Any,
    width: Any,
    points: Any,
    states: Any,
) -> None:
    """Fill in the points and states of two classes in the order of their rows; the sign is that of the second class."""
    i, j = 0, 0
    for t in range(len(one) + len(other)):
        second = i == len(one) or (j < len(other) and other[j] < one[i])
        if second:
            row, label = other[j], sign
            j += 1
        else:
            row, label = one[i], -sign
            i += 1
        positive = label > 0.0
        states[LEAST, t], states[MOST, t] = 0.0 if positive else -cost[row], cost[row] if positive else 0.0
        states[PULL, t], states[VALUE, t] = label, 0.0
        states[RISE, t], states[FALL, t] = 0.0 if positive else -np.inf, np.inf if positive else 0.0
        for f in range(len(columns)):
            points[f, t] = (0.5 * matrix[row, columns[f]] - low[f]) / width[f]


@part
def unscaled(
    points: Any, states: Any, highest: float, lowest: float, sign: float, low: Any, width: Any, coefficients: Any
) -> float:
    """Fill in the coefficients of the columns as they are, and return the intercept."""
    intercept = _intercept(states, highest, lowest)
    for f in range(len(coefficients)):
        total = 0.0
        for t in range(points.shape[1]):
            total += states[VALUE, t] * points[f, t]
        intercept -= total * (low[f] / width[f])
        coefficients[f] = sign * (total / width[f] / 2.0)
    return sign * intercept


@kernel
def improve_pairs(
    matrix: Floats2,  # numbers without missing values
    columns: Ints,  # the columns that count
    order: Ints,  # the rows that count, those of the first class first, in each class from the first to the last
    starts: Ints,  # where each class starts in it, and the end
    cost: Floats,  # what a unit of hinge loss costs in each row
    scale: bool,  # whether the columns are brought to [0, 1] over the rows that count
    tol: float,  # the gap between the pulls at which to stop
    max_iter: int,  # how many steps there may be for a pair
    coefficients: OutFloats2,  # for each pair (0, 1), (0, 2), ..., (1, 2), ...: of the columns as they are, ...
    intercepts: OutFloats,  # ... the intercept, positive for the second class, ...
    gaps: OutFloats,  # ... the gap that was left, ...
    n_iter: OutInts,  # ... and how many steps there were
    room: OutFloats,  # STATES + 1 + n_columns numbers of each row of the largest pair, and a number of each column
    chosen: OutInts,  # room for a working set, `working_rows(n_columns)`
    counts: OutInts,  # how far the machines are (N_COUNTS): 0 before the first call
    work: int,  # how many numbers to go through, but for those of the last working set
) -> None:
    """Train a machine for each pair of classes, until all are trained or enough work is done."""
    low, width = ranges(matrix, columns, order, scale)
    n_columns, pair = len(columns), -1
    for one in range(len(starts) - 1):
        for other in range(one + 1, len(starts) - 1):
            pair += 1
            if pair < counts[PAIR]:
                continue
            first_rows, second_rows = order[starts[one] : starts[one + 1]], order[starts[other] : starts[other + 1]]
            n_rows = len(first_rows) + len(second_rows)
            points = room[: n_columns * n_rows].reshape((n_columns, n_rows))
            rest = room[n_columns * n_rows :]
            states = rest[: STATES * n_rows].reshape((STATES, n_rows))
            labels = rest[STATES * n_rows : (STATES + 1) * n_rows]
            weights = rest[(STATES + 1) * n_rows : (STATES + 1) * n_rows + n_columns]
            # The class of the first row is the positive one, so that the names of the classes make no difference.
            sign = 1.0 if second_rows[0] < first_rows[0] else -1.0
            if counts[BEGUN] == 0:
                load(matrix, columns, cost, first_rows, second_rows, sign, low, width, points, states)
                for t in range(n_rows):  # numba would compile how shapes that differ are told of
                    labels[t] = states[PULL, t]
                weights[:] = 0.0
                counts[BEGUN] = 1
            if n_rows <= max(MOST_AT_ONCE, len(chosen)):
                products = np.empty((n_rows, n_rows))
                counts[STEPS], highest, lowest = climb(points, states, products, tol, max_iter)
                work -= counts[STEPS] * n_rows
            else:
                highest, lowest, work = _decompose(points, states, labels, weights, chosen, counts, tol, max_iter, work)
                if work == 0:
                    return
            intercept = unscaled(points, states, highest, lowest, sign, low, width, coefficients[pair])
            intercepts[pair], gaps[pair], n_iter[pair] = intercept, highest - lowest, counts[STEPS]
            counts[PAIR], counts[STEPS], counts[N_CHOSEN], counts[BEGUN] = pair + 1, 0, 0, 0
            if work <= 0:
                return
