"""The best threshold of a numeric column at a node."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import loop
from covey.kernels.cuts import BELOW_BEST, KNOWN, LOWER, TERM, Sides, search_several, search_two
from covey.kernels.layout import CASE, FIRST_MISSING, RANK_BITS, SMALL, Options
from covey.kernels.logarithm import xlog2x


class Test(NamedTuple):
    """A test and its worth; a gain of -1 means that there is none."""

    gain: float
    ratio: float
    low: int  # numeric: the largest rank of the lower side; grouped categories: the class they are sorted by
    high: int  # numeric: the smallest rank of the upper side; grouped categories: how many are in the first group


@loop
def no_test() -> Test:
    """Return the absence of a test."""
    return Test(-1.0, -1.0, 0, 0)


@loop
def least_weight(known: float, n_classes: int, options: Options) -> float:
    """Return the weight that each side of a threshold must have: a tenth of a class's share, within bounds."""
    if not options.by_ratio:
        return float(options.min_cases)
    return float(max(options.min_cases, min(25.0, 0.1 * known / n_classes)))


@loop
def end_of_known(keys: NDArray[np.int64], line: int, start: int, end: int) -> int:
    """Return where the cases end whose value is known."""
    while end > start and keys[line, end - 1] >= FIRST_MISSING:
        end -= 1
    return end


@loop
def start_above(
    keys: NDArray[np.int64],
    line: int,
    stop: int,
    end: int,
    label: Any,
    weight: Any,
    total: Any,
    total_term: Any,
    side: NDArray[np.float64],
) -> tuple[float, float]:
    """Put all cases whose value is known on the upper side; return their weight and the sum of x log2 x of classes."""
    for c in range(len(total)):
        side[KNOWN, c], side[LOWER, c], side[TERM, c] = total[c], 0.0, total_term[c]
    if stop < end:
        for p in range(stop, end):
            case = keys[line, p] & CASE
            side[KNOWN, label[case]] -= weight[case]
        for c in range(len(total)):
            if side[KNOWN, c] < 1e-9 * total[c]:
                side[KNOWN, c] = 0.0
            side[TERM, c] = xlog2x(side[KNOWN, c])
    known, above = 0.0, 0.0
    for c in range(len(total)):
        known += side[KNOWN, c]
        above += side[TERM, c]
    return known, above


@loop
def best_threshold(
    keys: NDArray[np.int64],
    line: int,  # which line of the keys is the column
    start: int,  # the node's cases are from here ...
    end: int,  # ... to before here in the column
    label: NDArray[np.uint32],
    weight: NDArray[np.float64],
    values: NDArray[np.float64],  # those of the column, and what comes after
    apart: int,  # values whose ranks differ by so many are not too near for a cut
    total: NDArray[np.float64],  # the node's weight per class ...
    total_term: NDArray[np.float64],  # ... and x log2 x of it
    all_weight: float,
    sides: Sides,
    options: Options,
) -> Test:
    """Return the threshold with the greatest information gain, the first of those that are as good.

    The cases, in the order of their values, move from the upper side of a threshold to the lower one, a block at a
    time: first what each makes of the weights is noted, then logarithms are taken of all of that, then the cuts are
    compared. With T = x log2 x, a cut has the score sum of T(lower) + T(upper) over classes - T(down) - T(up), where
    ``down`` and ``up`` are the weights of the sides; ``no_cut`` is the score to beat. These logarithms are rough,
    within a fiftieth of the margin by which a cut must be better; the gain of the best is worked out again.
    """
    stop = end_of_known(keys, line, start, end)
    known, above = start_above(keys, line, stop, end, label, weight, total, total_term, sides.weight)
    least = least_weight(known, len(total), options) - SMALL
    if known < 2.0 * least or stop == start:
        return no_test()
    no_cut, margin, row, n_known = above - xlog2x(known), SMALL * all_weight, keys[line, start:], stop - start
    sides.bar[0] = no_cut + margin
    if len(total) == 2:
        best, n_cuts = search_two(row, n_known, label, weight, values, apart, known, least, margin, sides)
    else:
        best, n_cuts = search_several(row, n_known, label, weight, values, apart, known, least, margin, sides, above)
    if best < 0:
        return no_test()
    low, high = row[best] >> RANK_BITS, row[best + 1] >> RANK_BITS
    return threshold_test(no_cut, known, n_cuts, all_weight, low, high, sides.weight, options)


@loop
def threshold_test(
    no_cut: float,
    known: float,
    n_cuts: int,
    all_weight: float,
    low: Any,
    high: Any,
    side: NDArray[np.float64],
    options: Options,
) -> Test:
    """Return a threshold and its worth, less what its choice costs (Quinlan 1996)."""
    down, score = 0.0, -no_cut
    for c in range(side.shape[1]):
        below = side[BELOW_BEST, c]
        down += below
        score += xlog2x(below) + xlog2x(side[KNOWN, c] - below)
    gain = (score - xlog2x(down) - xlog2x(known - down)) / all_weight
    if options.charge_cuts:
        gain -= math.log2(n_cuts) / all_weight
    if gain < SMALL:
        return no_test()
    return Test(gain, gain_ratio(gain, down, known - down, all_weight), low, high)


@loop
def gain_ratio(gain: float, down: float, up: float, all_weight: float) -> float:
    """Return the gain over the information in the split itself, the cases of unknown value being a branch of it."""
    unknown = all_weight - down - up
    information = xlog2x(all_weight) - xlog2x(down) - xlog2x(up)
    if unknown > SMALL:
        information -= xlog2x(unknown)
    return gain * all_weight / information if information > SMALL else 0.0
