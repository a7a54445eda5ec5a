"""Multipliers of a support vector machine's rows, moved two at a time.

The dual of a machine with hinge loss is solved in terms of signed multipliers: that of a row of the positive class is
between 0 and its cost, that of a negative one between minus its cost and 0, and all add up to 0. A row's pull is its
label less what the machine without its intercept says of it: the derivative of the dual by its multiplier. At the
optimum no multiplier that can rise has a greater pull than one that can fall, and the intercept lies between.

Two multipliers are moved at a time: of those that can rise the one with the greatest pull, and of those that can fall
the one with which the dual gains most (second-order working set selection: Fan, Chen and Lin, 2005).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import fused, inlined, inlined_without_nan, part

# What is kept of each row: the limits of its multiplier, its pull and its multiplier; and what is added to the pull
# of those that cannot rise, or fall, so that none is more extreme: minus or plus infinity, else 0.
LEAST, MOST, PULL, VALUE, RISE, FALL, STATES = 0, 1, 2, 3, 4, 5, 6
# So many products are worked out together.
_TILE = 512
# The least curvature along which multipliers are moved, so that equal rows cause no division by 0.
_FLAT = 1e-12


@inlined
def _add_column(weight: float, points: Any, f: int, start: int, stop: int, sums: Any) -> None:
    for t in range(start, stop):
        sums[t] += weight * points[f, t]


@inlined
def _add_columns(a: float, b: float, c: float, d: float, points: Any, f: int, start: int, stop: int, sums: Any) -> None:
    for t in range(start, stop):
        left = a * points[f, t] + b * points[f + 1, t]
        sums[t] += left + (c * points[f + 2, t] + d * points[f + 3, t])


@fused
def _multiply(points: Any, i: int, products: Any) -> None:
    """Fill in the inner products of a row with all others; points are columns x rows."""
    n_columns, n_rows = points.shape
    n_fours = n_columns - n_columns % 4
    for start in range(0, n_rows, _TILE):
        stop = min(start + _TILE, n_rows)
        products[start:stop] = 0.0
        for f in range(0, n_fours, 4):
            a, b, c, d = points[f, i], points[f + 1, i], points[f + 2, i], points[f + 3, i]
            _add_columns(a, b, c, d, points, f, start, stop, products)
        for f in range(n_fours, n_columns):
            _add_column(points[f, i], points, f, start, stop, products)


@fused
def set_pulls(points: Any, labels: Any, coefficients: Any, pulls: Any) -> None:
    """Fill in the pulls that follow from the coefficients."""
    n_columns, n_rows = points.shape
    n_fours = n_columns - n_columns % 4
    for start in range(0, n_rows, _TILE):
        stop = min(start + _TILE, n_rows)
        for t in range(start, stop):
            pulls[t] = labels[t]
        for f in range(0, n_fours, 4):
            a, b, c, d = coefficients[f], coefficients[f + 1], coefficients[f + 2], coefficients[f + 3]
            _add_columns(-a, -b, -c, -d, points, f, start, stop, pulls)
        for f in range(n_fours, n_columns):
            _add_column(-coefficients[f], points, f, start, stop, pulls)


@inlined_without_nan
def extremes(pull: Any, rise: Any, fall: Any) -> tuple[float, float]:
    """Return the greatest pull of those that can rise and the least of those that can fall."""
    highest, lowest = -np.inf, np.inf
    for t in range(len(pull)):
        high, low = pull[t] + rise[t], pull[t] + fall[t]
        highest = high if high > highest else highest
        lowest = low if low < lowest else lowest
    return highest, lowest


@inlined_without_nan
def _follow(pull: Any, step: float, one: Any, other: Any, rise: Any, fall: Any) -> tuple[float, float]:
    """Change the pulls by a step along the products of two rows; return the extremes."""
    highest, lowest = -np.inf, np.inf
    for t in range(len(pull)):
        now = pull[t] - step * (one[t] - other[t])
        pull[t] = now
        high, low = now + rise[t], now + fall[t]
        highest = high if high > highest else highest
        lowest = low if low < lowest else lowest
    return highest, lowest


@inlined_without_nan
def _set_bends(first: int, square: Any, products: Any, inverse: Any) -> None:
    """Fill in the inverse curvature of the dual as the first multiplier rises and each other falls."""
    own = square[first]
    for t in range(len(products)):
        bend = own + square[t] - 2.0 * products[t]
        inverse[t] = 1.0 / (bend if bend > _FLAT else _FLAT)


@inlined_without_nan
def _set_gains(pull: Any, fall: Any, highest: float, inverse: Any, gains: Any) -> float:
    """Fill in what the dual gains if the first multiplier rises and each other falls; return the greatest."""
    best = 0.0
    for t in range(len(pull)):
        gap = highest - (pull[t] + fall[t])
        gap = gap if gap > 0.0 else 0.0
        gain = gap * gap * inverse[t]
        gains[t] = gain
        best = gain if gain > best else best
    return best


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
def _move(states: Any, first: int, second: int, bend: float) -> float:
    """Raise one multiplier and lower another as far as the dual gains; return by how much."""
    value, least, most = states[VALUE], states[LEAST], states[MOST]
    room, depth = most[first] - value[first], value[second] - least[second]
    step: float = min((states[PULL, first] - states[PULL, second]) / max(bend, _FLAT), room, depth)
    value[first] = most[first] if step == room else value[first] + step
    value[second] = least[second] if step == depth else value[second] - step
    for t in (first, second):
        states[RISE, t] = 0.0 if value[t] < most[t] else -np.inf
        states[FALL, t] = 0.0 if value[t] > least[t] else np.inf
    return step


@part
def climb(points: Any, states: Any, products: Any, tol: float, max_iter: int) -> tuple[int, float, float]:
    """Move multipliers until the gap is small; return how many steps it took, and the extreme pulls.

    ``products`` is room for those of all states with each other.
    """
    n_rows = points.shape[1]
    known, bent = np.zeros(n_rows, dtype=np.bool_), np.zeros(n_rows, dtype=np.bool_)
    inverse = np.empty((n_rows, n_rows))
    square, gains = np.zeros(n_rows), np.empty(n_rows)
    for f in range(len(points)):
        for t in range(n_rows):
            square[t] += points[f, t] * points[f, t]
    pull, rise, fall = states[PULL], states[RISE], states[FALL]
    n_iter = 0
    highest, lowest = extremes(pull, rise, fall)
    while highest - lowest > tol and n_iter < max_iter:
        first = _find_riser(pull, rise, highest)
        if not known[first]:
            known[first] = True
            _multiply(points, first, products[first])
        if not bent[first]:
            bent[first] = True
            _set_bends(first, square, products[first], inverse[first])
        best = _set_gains(pull, fall, highest, inverse[first], gains)
        second = _find(gains, best)
        if not known[second]:
            known[second] = True
            _multiply(points, second, products[second])
        before = states[VALUE, first]
        step = _move(states, first, second, square[first] + square[second] - 2.0 * products[first, second])
        # A step that is lost in rounding would be lost again, unless it has brought the second to its limit.
        if states[VALUE, first] == before and states[FALL, second] == 0.0:
            break
        highest, lowest = _follow(pull, step, products[first], products[second], rise, fall)
        n_iter += 1
    return n_iter, highest, lowest
