"""Triskel over linear machines, for one class against each class after it, where classes have few rows.

With many classes there are so many machines of a handful of rows that a call of Python for each would take a hundred
times as long as the machine itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import (
    Floats,
    Floats2,
    Ints,
    Ints2,
    OutFloats,
    OutFloats2,
    OutInts,
    OutInts2,
    kernel,
    loop,
    part,
)
from covey.kernels.multipliers import STATES, climb
from covey.kernels.smo import load, ranges, unscaled
from covey.kernels.sorting import sort_few

# What is kept of a machine beside its coefficients: its steps, and whether undersampling had to keep a row.
N_ITER, SPARED = 0, 1
# Decision values of either sign that are no farther apart than this are a tie.
_TIE = 1e-12


@part
def _train(
    matrix: Any,
    columns: Any,
    rows: Any,
    n_first: int,
    cost: Any,
    scale: bool,
    tol: float,
    max_iter: int,
    room: Any,
    coefficients: Any,
) -> tuple[float, float, int]:
    """Train a machine on rows, those of its first class first; return its intercept, the gap left, and its steps."""
    n_columns, n_rows = len(columns), len(rows)
    low, width = ranges(matrix, columns, rows, scale)
    points = room[: n_columns * n_rows].reshape((n_columns, n_rows))
    states = room[n_columns * n_rows : (n_columns + STATES) * n_rows].reshape((STATES, n_rows))
    one, other = rows[:n_first], rows[n_first:]
    sign = 1.0 if other[0] < one[0] else -1.0
    load(matrix, columns, cost, one, other, sign, low, width, points, states)
    n_iter, highest, lowest = climb(points, states, np.empty((n_rows, n_rows)), tol, max_iter)
    intercept = unscaled(points, states, highest, lowest, sign, low, width, coefficients)
    return intercept, highest - lowest, n_iter


@part
def _gather(rows: Any, cost: Any, draws: Any, most: int, chosen: Any, n_chosen: int) -> int:
    """Add those rows that have weight to the chosen ones, at most so many of them, by the least draws."""
    n_left = 0
    for row in rows:
        n_left += cost[row] > 0.0
    limit = np.inf
    if n_left > most:
        least = np.empty(n_left)
        at = 0
        for t in range(len(rows)):
            if cost[rows[t]] > 0.0:
                least[at] = draws[t]
                at += 1
        sort_few(least, n_left)
        limit = least[most - 1]
    for t in range(len(rows)):
        if cost[rows[t]] > 0.0 and draws[t] <= limit:
            chosen[n_chosen] = rows[t]
            n_chosen += 1
    return n_chosen


@loop
def _says_second(matrix: Any, columns: Any, row: int, coefficients: Any, intercept: float, counts: Any) -> bool:
    """Whether a machine says the second class of a row; in a tie, whether that class weighed more in training."""
    value = intercept
    for f in range(len(columns)):
        value += coefficients[f] * matrix[row, columns[f]]
    if 2.0 * abs(value) <= _TIE:
        return bool(counts[1] > counts[0])
    return bool(value > 0.0)


@loop
def _count(rows: Any, cost: Any) -> int:
    n_left = 0
    for row in rows:
        n_left += cost[row] > 0.0
    return n_left


@part
def _fit_one(
    matrix: Any,
    columns: Any,
    first: Any,
    second: Any,
    cost: Any,
    draws: Any,
    most: tuple[int, int],
    scale: bool,
    tol: float,
    max_iter: int,
    room: Any,
    chosen: Any,
    coefficients: Any,
    counts: Any,
) -> tuple[float, float, int]:
    """Train a machine on the rows of two classes that have weight, at most so many of each."""
    n_first = _gather(first, cost, draws[: len(first)], most[0], chosen, 0)
    n_rows = _gather(second, cost, draws[len(first) :], most[1], chosen, n_first)
    counts[:] = 0.0
    for t in range(n_rows):
        counts[int(t >= n_first)] += cost[chosen[t]]
    if n_first == 0 or n_first == n_rows:
        coefficients[:] = 0.0
        return 0.0, 0.0, 0
    return _train(matrix, columns, chosen[:n_rows], n_first, cost, scale, tol, max_iter, room, coefficients)


@part
def _reweigh(
    matrix: Any,
    columns: Any,
    one: Any,
    other: Any,
    cost: Any,
    coefficients: Any,
    intercepts: Any,
    counts: Any,
    factors: Any,
    normalize: bool,
) -> bool:
    """Multiply the weights of rows that two machines both get right, and of those left; say whether any is left."""
    n_one, n_rows = len(one), len(one) + len(other)
    right, n_hard = np.empty(n_rows, dtype=np.bool_), 0
    for t in range(n_rows):
        row = one[t] if t < n_one else other[t - n_one]
        right[t] = True
        for at in range(2):
            said = _says_second(matrix, columns, row, coefficients[at], intercepts[at], counts[at])
            right[t] &= said == (t >= n_one)
        n_hard += cost[row] > 0.0 and not right[t]
    if n_hard == 0:
        return False
    before, after = 0.0, 0.0
    for t in range(n_rows):
        row = one[t] if t < n_one else other[t - n_one]
        before += cost[row]
        cost[row] *= factors[0] if right[t] else factors[1]
        after += cost[row]
    for t in range(n_rows if normalize and after > 0.0 else 0):
        cost[one[t] if t < n_one else other[t - n_one]] *= before / after
    return True


@kernel
def grow_pairs(
    matrix: Floats2,  # numbers without missing values
    columns: Ints,  # the columns that count
    order: Ints,  # the rows that count, those of the first class first, in each class from the first to the last
    starts: Ints,  # where each class starts in it, and the end
    weight: Floats,  # what a unit of hinge loss costs in each row
    first: int,  # the class that is told from each after it
    draws: Floats,  # a number for each round and row of each pair, one pair after the other
    wanted: Ints2,  # how many rows h+ keeps of the second class, and h- of the first, by how many there are
    n_rounds: int,  # how many rounds there may be
    factors: Floats,  # what multiplies the weights of easy and of hard rows
    normalize: bool,  # whether weights are brought back to their sum after each round
    scale: bool,  # whether the columns are brought to [0, 1] over a machine's rows
    tol: float,  # the gap between the pulls at which to stop
    max_iter: int,  # how many steps there may be for a machine
    coefficients: OutFloats2,  # of each machine, of the columns as they are; those of one pair after the other
    intercepts: OutFloats,  # positive for the second class
    counts: OutFloats2,  # the weight that each machine's classes had
    gaps: OutFloats,  # the gap that was left
    facts: OutInts2,  # N_ITER, SPARED
    n_members: OutInts,  # how many machines each pair has
) -> None:
    """Grow a Triskel for a class and each class after it; the machines of a pair are h+ and h- of rounds, an arbiter.

    A machine of one class alone is a constant: its coefficients are 0, and so is the weight of the other class.
    """
    largest = 0
    for code in range(len(starts) - 1):  # numba compiles a difference of arrays and its maximum for a second
        largest = max(largest, starts[code + 1] - starts[code])
    chosen, room = np.empty(2 * largest, dtype=np.int64), np.empty((len(columns) + STATES) * 2 * largest)
    cost = weight.copy()
    one = order[starts[first] : starts[first + 1]]
    member, drawn = 0, 0
    for code in range(first + 1, len(starts) - 1):
        other = order[starts[code] : starts[code + 1]]
        both, began = len(one) + len(other), member
        for row in one:
            cost[row] = weight[row]
        for number in range(n_rounds):
            n_one, n_other = _count(one, cost), _count(other, cost)
            if n_one == 0 or n_other == 0:
                break
            now = draws[drawn + number * both : drawn + (number + 1) * both]
            for side in range(2):  # h+ has fewer rows of the second class, h- of the first
                at, few = member + side, wanted[side, n_one if side else n_other]
                most = (max(few, 1), n_other) if side else (n_one, max(few, 1))
                intercepts[at], gaps[at], facts[at, N_ITER] = _fit_one(
                    matrix, columns, one, other, cost, now, most, scale, tol, max_iter, room, chosen,
                    coefficients[at], counts[at],
                )  # fmt: skip
                facts[at, SPARED] = few == 0
            pair, member = slice(member, member + 2), member + 2
            if not _reweigh(
                matrix, columns, one, other, cost, coefficients[pair], intercepts[pair], counts[pair], factors,
                normalize,
            ):  # fmt: skip
                break
        intercepts[member], gaps[member], facts[member, N_ITER] = _fit_one(
            matrix, columns, one, other, cost, draws, (len(one), len(other)), scale, tol, max_iter, room, chosen,
            coefficients[member], counts[member],
        )  # fmt: skip
        facts[member, SPARED] = 0
        member += 1
        n_members[code - first - 1] = member - began
        drawn += n_rounds * both
