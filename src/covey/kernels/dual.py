"""Multipliers of a machine over any kernel, for classes and for numbers, moved two at a time.

It is the climb of `covey.kernels.multipliers` over products that are worked out already. A row may have a margin, the
distance from its label within which an error costs nothing: its multiplier, between minus its cost and its cost, pays
that margin per unit of its size, so that the pull upwards is less by the margin from 0 on and more by it below, and the
pull downwards likewise (epsilon-insensitive regression; libsvm has two multipliers for such a row, one of which is 0).
Rows of classes have a margin of 0 here, as their labels are where the hinge loss ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import Floats, Ints, OutFloats, OutFloats2, Singles2, inlined, inlined_without_nan, kernel
from covey.kernels.multipliers import FALL, LEAST, MOST, PULL, RISE, STATES as STATES, VALUE, extremes

# The least curvature along which multipliers are moved, so that equal rows cause no division by 0.
_FLAT = 1e-12


@inlined_without_nan
def _set_gains(first: int, highest: float, row: Any, square: Any, pull: Any, fall: Any, gains: Any) -> float:
    """Fill in what the dual gains if the first multiplier rises and each other falls; return the greatest."""
    best: Any = 0.0
    own, flat = square[first], np.float32(_FLAT)
    for t in range(len(pull)):
        bend = own + square[t] - np.float32(2.0) * row[t]
        gap = highest - (pull[t] + fall[t])
        gap = gap if gap > 0.0 else 0.0
        gain = gap * gap * (np.float32(1.0) / (bend if bend > flat else flat))
        gains[t] = gain
        best = gain if gain > best else best
    return float(best)


@inlined_without_nan
def _follow(pull: Any, step: float, one: Any, other: Any, rise: Any, fall: Any) -> tuple[float, float]:
    """Change the pulls by a step along the products of two rows; return the extremes."""
    highest, lowest = -np.inf, np.inf
    for t in range(len(pull)):
        now = pull[t] - step * (np.float64(one[t]) - other[t])
        pull[t] = now
        high, low = now + rise[t], now + fall[t]
        highest = high if high > highest else highest
        lowest = low if low < lowest else lowest
    return highest, lowest


@inlined
def _find_riser(pull: Any, rise: Any, highest: float) -> int:
    for t in range(len(pull)):
        if pull[t] + rise[t] == highest:
            return t
    return -1


@inlined
def _find(values: Any, value: float) -> int:
    for t in range(len(values)):
        if values[t] == value:
            return t
    return -1


@inlined
def _mark(states: Any, t: int, margin: float) -> None:
    """Set what is added to a row's pull upwards and downwards, which follows from its multiplier."""
    value = states[VALUE, t]
    states[RISE, t] = -np.inf if value >= states[MOST, t] else (margin if value < 0.0 else -margin)
    states[FALL, t] = np.inf if value <= states[LEAST, t] else (-margin if value > 0.0 else margin)


@inlined
def _add(change: float, products: Any, pull: Any) -> None:
    for t in range(len(pull)):
        pull[t] -= change * products[t]


@kernel
def climb_products(
    products: Singles2,  # of all rows with each other
    states: OutFloats2,  # the limits, pull, multiplier and marks of each row (STATES)
    margin: float,  # how far a row may be from its label at no cost
    tol: float,  # the gap between the pulls at which to stop
    max_iter: int,  # how many steps there may be
) -> tuple[int, float, float]:
    """Move multipliers until the gap is small; return how many steps it took, and the extreme pulls."""
    n_rows = len(products)
    square, gains = np.empty(n_rows, dtype=np.float32), np.empty(n_rows)
    for t in range(n_rows):
        square[t] = products[t, t]
        _mark(states, t, margin)
    pull, value, rise, fall = states[PULL], states[VALUE], states[RISE], states[FALL]
    n_iter = 0
    highest, lowest = extremes(pull, rise, fall)
    while highest - lowest > tol and n_iter < max_iter:
        first = _find_riser(pull, rise, highest)
        best = _set_gains(first, highest, products[first], square, pull, fall, gains)
        if best <= 0.0:  # too little to be a number
            break
        second = _find(gains, best)
        bend = float(square[first]) + float(square[second]) - 2.0 * products[first, second]
        # A multiplier is moved up to its limit, or to 0, where its pull changes.
        above = 0.0 if value[first] < 0.0 else states[MOST, first]
        below = 0.0 if value[second] > 0.0 else states[LEAST, second]
        room, depth, before = above - value[first], value[second] - below, value[first]
        step = min((highest - (pull[second] + fall[second])) / max(bend, _FLAT), room, depth)
        value[first] = above if step == room else value[first] + step
        value[second] = below if step == depth else value[second] - step
        # A step that is lost in rounding would be lost again, unless it has brought the second to a limit.
        if value[first] == before and step != depth:
            break
        _mark(states, first, margin)
        _mark(states, second, margin)
        highest, lowest = _follow(pull, step, products[first], products[second], rise, fall)
        n_iter += 1
    return n_iter, highest, lowest


@kernel
def shift_pulls(products: Singles2, places: Ints, change: Floats, pull: OutFloats) -> None:
    """Change the pulls of all rows by what some multipliers have changed, whose products are in those places."""
    for at in range(len(places)):
        _add(change[at], products[places[at]], pull)
