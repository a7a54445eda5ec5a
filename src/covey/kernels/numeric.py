"""The best threshold of a numeric column at a node."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import loop
from covey.kernels.layout import CASE, CLOSE, FIRST_MISSING, NARROW, RANK_BITS, SMALL, Options
from covey.kernels.logarithm import xlog2x


class Test(NamedTuple):
    """A test and its worth; a gain of -1 means that there is none."""

    gain: float
    ratio: float
    low: int  # numeric: the largest rank of the lower side; grouped categories: the class they are sorted by
    high: int  # numeric: the smallest rank of the upper side; grouped categories: how many are in the first group


# Rows of `Sides.weight`: class weights of all cases whose value is known and of those below the threshold, and x log2 x
# of these and of the rest above, as of the last look.
KNOWN, LOWER, KNOWN_TERM, LOWER_TERM, UPPER_TERM = range(5)


class Sides(NamedTuple):
    """Room for the class weights on the two sides of a threshold."""

    weight: NDArray[np.float64]  # (KNOWN, ..., UPPER_TERM) x class
    changed: NDArray[np.int64]  # the classes that have changed since the last look, and whether a class has


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
    changed: NDArray[np.int64],
) -> tuple[float, float]:
    """Put all cases whose value is known on the upper side; return their weight and the sum of x log2 x of classes."""
    for c in range(len(total)):
        side[LOWER, c], side[LOWER_TERM, c] = 0.0, 0.0
        side[KNOWN, c], side[KNOWN_TERM, c], side[UPPER_TERM, c] = total[c], total_term[c], total_term[c]
        changed[1, c] = 0
    if stop < end:
        for p in range(stop, end):
            case = keys[line, p] & CASE
            side[KNOWN, label[case]] -= weight[case]
        for c in range(len(total)):
            if side[KNOWN, c] < 1e-9 * total[c]:
                side[KNOWN, c] = 0.0
            side[KNOWN_TERM, c] = xlog2x(side[KNOWN, c])
            side[UPPER_TERM, c] = side[KNOWN_TERM, c]
    known, above = 0.0, 0.0
    for c in range(len(total)):
        known += side[KNOWN, c]
        above += side[UPPER_TERM, c]
    return known, above


@loop
def is_inside_run(
    keys: NDArray[np.int64], line: int, p: int, stop: int, label: Any, weight: Any, c: int, up: float, least: float
) -> bool:
    """Whether the values equal to that at p are all of a class, and after them comes an admissible cut."""
    if p + 1 < stop and (keys[line, p] ^ keys[line, p + 1]) >> RANK_BITS != 0 and keys[line, p + 1] & CLOSE == 0:
        return bool(up - weight[keys[line, p] & CASE] >= least)
    rank = keys[line, p] >> RANK_BITS
    while p < stop and keys[line, p] >> RANK_BITS == rank:
        case = keys[line, p] & CASE
        if label[case] != c:
            return False
        up -= weight[case]
        p += 1
    return bool(up >= least and (p == stop or keys[line, p] & CLOSE == 0))


@loop
def is_cut(key: Any, rank: Any, apart: int, distinct: Any, first: int) -> bool:
    """Whether C4.5 may cut between a smaller rank and that of a key; values are read only where ranks do not tell."""
    new = key >> RANK_BITS
    return bool(key & CLOSE == 0 or new - rank >= apart or distinct[first + rank] + NARROW < distinct[first + new])


@loop
def pass_over(
    keys: NDArray[np.int64],
    line: int,
    p: int,
    stop: int,
    label: Any,
    weight: Any,
    distinct: Any,
    first: int,
    apart: int,
    side: NDArray[np.float64],
    down: float,
    until: float,
) -> tuple[int, int, float]:
    """Send cases below without a look, up to a weight; return where it is reached, the cuts passed and the weight."""
    n_cuts, rank = 0, keys[line, p - 1] >> RANK_BITS
    while p < stop and down < until:
        key = keys[line, p]
        case, new = key & CASE, key >> RANK_BITS
        if new != rank and is_cut(key, rank, apart, distinct, first):
            n_cuts += 1
        side[LOWER, label[case]] += weight[case]
        rank, down, p = new, down + weight[case], p + 1
    return p, n_cuts, down


@loop
def renew_terms(side: NDArray[np.float64], changed: NDArray[np.int64], n_changed: int) -> tuple[float, float]:
    """Take the logarithms of the classes whose weights have changed; return how the two sums change."""
    below, above = 0.0, 0.0
    for i in range(n_changed):
        c = changed[0, i]
        changed[1, c] = 0
        term = xlog2x(side[LOWER, c])
        below += term - side[LOWER_TERM, c]
        side[LOWER_TERM, c] = term
        term = xlog2x(side[KNOWN, c] - side[LOWER, c])
        above += term - side[UPPER_TERM, c]
        side[UPPER_TERM, c] = term
    return below, above


@loop
def safe_weight(side: NDArray[np.float64], up: float, slope: float, deficit: float, stride: float) -> float:
    """Return a weight of cases that can be sent below without a cut among them making up a deficit of bits.

    What two sides know of the classes is convex in the weights moved between them: the most there is to gain is gained
    by moving one of the larger classes alone, and all of the smaller ones. A large one gains at most its weight times
    the slope at a distance, for which the integral of a logarithm over an interval is at most its length times the
    logarithm of its middle, and at least its length times the mean of the logarithms of its ends. ``slope`` is what all
    classes share, log2(up / down); up to ``stride`` is looked ahead.
    """
    over, under = 0.0, 1.0  # the largest ratio, and with it the slope, of a class
    for c in range(side.shape[1]):
        rest = side[KNOWN, c] - side[LOWER, c]
        if rest >= 2.0 * stride:
            middle, mean = side[LOWER, c] + 0.5 * stride, rest - 0.6 * stride
            if middle * under > over * mean:
                over, under = middle, mean
        elif rest > 0.0:
            deficit -= max(0.0, side[KNOWN_TERM, c] - side[LOWER_TERM, c] - side[UPPER_TERM, c] + rest * slope)
    if deficit <= 0.0:
        return 0.0
    if over == 0.0:
        return up
    slope += math.log2(over / under)
    return stride if slope * stride <= deficit else deficit / slope


@loop
def renew_all(changed: NDArray[np.int64]) -> int:
    """Mark all classes as changed."""
    for c in range(changed.shape[1]):
        changed[0, c], changed[1, c] = c, 1
    return int(changed.shape[1])


@loop
def best_threshold(
    keys: NDArray[np.int64],
    line: int,  # which line of the keys is the column
    start: int,  # the node's cases are from here ...
    end: int,  # ... to before here in the column
    label: NDArray[np.uint32],
    weight: NDArray[np.float64],
    distinct: NDArray[np.float64],  # the values of all numeric columns
    first: int,  # where those of the column start
    apart: int,  # values whose ranks differ by so many are not too near for a cut
    total: NDArray[np.float64],  # the node's weight per class ...
    total_term: NDArray[np.float64],  # ... and x log2 x of it
    all_weight: float,
    side: NDArray[np.float64],  # room, as of `Sides`
    changed: NDArray[np.int64],
    options: Options,
) -> Test:
    """Return the threshold with the greatest information gain.

    The cases, in the order of their values, move one by one from the upper side of a threshold to the lower one; those
    whose value is missing come last and are on neither. A cut between two values is judged by the sum over both sides
    of x log2 x of the class weights, less x log2 x of the side's weight: ``below`` and ``above`` are the two sums over
    classes as of the last look, ``down`` and ``up`` the weights of the sides, and ``no_cut`` is the score to beat.

    Most cuts are counted, not looked at: those within a run of one class, which cannot be best (Fayyad and Irani 1992)
    unless they are the first or the last admissible one, and those so near to a bad one that they cannot be better than
    the best so far. These are passed over until the lower side weighs ``goal``. How far ahead is looked, the
    ``stride``, grows with success; after a failure ``pause`` looks go by before the next try, and with few cases it is
    never tried.
    """
    stop = end_of_known(keys, line, start, end)
    known, above = start_above(keys, line, stop, end, label, weight, total, total_term, side, changed)
    least = least_weight(known, len(total), options) - SMALL
    if known < 2.0 * least or stop == start:
        return no_test()
    no_cut = above - xlog2x(known)
    best, below, down, margin = no_cut, 0.0, 0.0, SMALL * all_weight
    n_cuts, low, high, best_down = 0, np.int64(0), np.int64(0), 0.0
    stride, pause, wait, goal = 8.0, 0, 0 if stop - start > 100 else stop, 0.0
    run: Any = np.int64(label[keys[line, start] & CASE])  # the class of all cases of this value, -1 if several
    rank, p, n_changed = keys[line, start] >> RANK_BITS, start, 0
    while p < stop:
        key = keys[line, p]
        c, w, new = label[key & CASE], weight[key & CASE], key >> RANK_BITS
        if new != rank and is_cut(key, rank, apart, distinct, first):
            if down >= least:
                up = known - down
                if up < least:
                    break
                n_cuts += 1
                if n_cuts == 1 or c != run or not is_inside_run(keys, line, p, stop, label, weight, c, up, least):
                    # A look: logarithms of the classes that have changed, and the score of this cut.
                    more_below, more_above = renew_terms(side, changed, n_changed)
                    below, above, n_changed = below + more_below, above + more_above, 0
                    down_term, up_term = xlog2x(down), xlog2x(up)
                    score = below + above - down_term - up_term
                    if score > best + margin:
                        best, low, high, best_down = score, rank, new, down
                    wait -= 1  # look ahead, and pass over what cannot make up for what this cut lacks
                    if wait < 0:
                        ahead = safe_weight(side, up, up_term / up - down_term / down, best - score, stride)
                        goal = min(down + ahead, known - least - SMALL)
                        stride = 2.0 * stride if ahead >= stride else max(4.0, 1.5 * ahead)
                        wait = pause = 0 if goal > down + 2.0 + len(total) else min(2 * pause + 1, 31)
                    if wait == 0 and pause == 0:
                        p, more, down = pass_over(
                            keys, line, p, stop, label, weight, distinct, first, apart, side, down, goal
                        )
                        n_cuts, n_changed, run = n_cuts + more - 1, renew_all(changed), -1
                        rank = keys[line, p - 1] >> RANK_BITS
                        continue
            run = np.int64(c)
        elif c != run:
            run = -1
        # The case goes below; its class needs a new logarithm at the next look.
        side[LOWER, c] += w
        if changed[1, c] == 0:
            changed[1, c], changed[0, n_changed], n_changed = 1, c, n_changed + 1
        rank, down, p = new, down + w, p + 1
    return threshold_test(best - no_cut, best_down, known, n_cuts, all_weight, low, high, options)


@loop
def threshold_test(
    reduction: float, down: float, known: float, n_cuts: int, all_weight: float, low: Any, high: Any, options: Options
) -> Test:
    """Return a threshold and its worth, less what its choice costs (Quinlan 1996)."""
    if down == 0.0:
        return no_test()
    gain = reduction / all_weight
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
