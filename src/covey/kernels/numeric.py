"""The best threshold of a numeric attribute at a node."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import part
from covey.kernels.layout import CASE, FIRST_MISSING, NARROW, RANK_BITS, SMALL, Cases, Options, sum_of
from covey.kernels.logarithm import xlog2x


class Test(NamedTuple):
    """A test and its worth; a gain of -1 means that there is none."""

    gain: float
    ratio: float
    low: int  # numeric: the largest rank of the lower side; grouped categories: the class they are sorted by
    high: int  # numeric: the smallest rank of the upper side; grouped categories: how many are in the first group


class Sides(NamedTuple):
    """Scratch: class weights below a threshold and in all, and their x log2 x as of the last look."""

    known: NDArray[np.float64]
    known_term: NDArray[np.float64]
    lower: NDArray[np.float64]
    lower_term: NDArray[np.float64]
    upper_term: NDArray[np.float64]
    changed: NDArray[np.int64]
    is_changed: NDArray[np.bool_]
    table: NDArray[np.float64]  # x log2 x of whole numbers; empty if weights are not whole


@part
def term_of(x: float, table: NDArray[np.float64]) -> float:
    """Return x log2 x, looked up if x is whole."""
    if x < len(table):
        i = np.uint64(max(x, 0.0))
        if i == x:
            return float(table[i])
    return xlog2x(x)


@part
def no_test() -> Test:
    """Return the absence of a test."""
    return Test(-1.0, -1.0, 0, 0)


@part
def least_weight(known: float, n_classes: int, options: Options) -> float:
    """Return the weight that each side of a threshold must have: a tenth of a class's share, within bounds."""
    if not options.by_ratio:
        return float(options.min_cases)
    return float(max(options.min_cases, min(25.0, 0.1 * known / n_classes)))


@part
def end_of_known(keys: NDArray[np.int64], a: int, start: int, end: int) -> int:
    """Return where the cases end whose value is known."""
    while end > start and keys[a, end - 1] >= FIRST_MISSING:
        end -= 1
    return end


@part
def start_above(
    keys: NDArray[np.int64],
    a: int,
    stop: int,
    end: int,
    label: Any,
    weight: Any,
    total: Any,
    total_term: Any,
    sides: Sides,
) -> tuple[float, float]:
    """Put all cases whose value is known on the upper side; return their weight and the sum of x log2 x of classes."""
    for c in range(len(total)):
        sides.lower[c], sides.lower_term[c] = 0.0, 0.0
        sides.known[c], sides.known_term[c], sides.upper_term[c] = total[c], total_term[c], total_term[c]
        sides.is_changed[c] = False
    if stop < end:
        for p in range(stop, end):
            case = keys[a, p] & CASE
            sides.known[label[case]] -= weight[case]
        for c in range(len(total)):
            if sides.known[c] < 1e-9 * total[c]:
                sides.known[c] = 0.0
            sides.known_term[c] = xlog2x(sides.known[c])
            sides.upper_term[c] = sides.known_term[c]
    return sum_of(sides.known), sum_of(sides.upper_term)


@part
def is_inside_run(
    keys: NDArray[np.int64], a: int, p: int, stop: int, label: Any, weight: Any, c: int, up: float, least: float
) -> bool:
    """Whether the values equal to that at p are all of a class, and the cut after them is admissible too."""
    rank = keys[a, p] >> RANK_BITS
    while p < stop and keys[a, p] >> RANK_BITS == rank:
        case = keys[a, p] & CASE
        if label[case] != c:
            return False
        up -= weight[case]
        p += 1
    return up >= least


@part
def pass_over(
    keys: NDArray[np.int64], a: int, p: int, stop: int, label: Any, weight: Any, sides: Sides, down: float, until: float
) -> tuple[int, int, float]:
    """Send cases below without a look, up to a weight; return where it is reached, the cuts passed and the weight."""
    n_cuts, rank, lower = 0, keys[a, p - 1] >> RANK_BITS, sides.lower
    while p < stop and down < until:
        key = keys[a, p]
        n_cuts += key >> RANK_BITS != rank
        rank = key >> RANK_BITS
        case = key & CASE
        lower[label[case]] += weight[case]
        down += weight[case]
        p += 1
    return p, n_cuts, down


@part
def renew_terms(sides: Sides, n_changed: int) -> tuple[float, float]:
    """Take the logarithms of the classes whose weights have changed; return how the two sums change."""
    below, above = 0.0, 0.0
    for i in range(n_changed):
        c = sides.changed[i]
        sides.is_changed[c] = False
        term = term_of(sides.lower[c], sides.table)
        below += term - sides.lower_term[c]
        sides.lower_term[c] = term
        term = term_of(sides.known[c] - sides.lower[c], sides.table)
        above += term - sides.upper_term[c]
        sides.upper_term[c] = term
    return below, above


@part
def safe_weight(sides: Sides, down: float, up: float, slope: float, deficit: float, stride: float) -> float:
    """Return a weight of cases that can be sent below without a cut among them making up a deficit of bits.

    What two sides know of the classes is convex in the weights moved between them: the most there is to gain is gained
    by moving one of the larger classes alone, and all of the smaller ones. A large one gains at most its weight times
    the slope at a distance, for which the integral of a logarithm over an interval is at most its length times the
    logarithm of its middle, and at least its length times the mean of the logarithms of its ends. ``slope`` is what all
    classes share, log2(up / down); up to ``stride`` is looked ahead.
    """
    over, under = 0.0, 1.0  # the largest ratio, and with it the slope, of a class
    for c in range(len(sides.known)):
        rest = sides.known[c] - sides.lower[c]
        if rest >= 2.0 * stride:
            middle, mean = sides.lower[c] + 0.5 * stride, rest - 0.6 * stride
            if middle * under > over * mean:
                over, under = middle, mean
        elif rest > 0.0:
            deficit -= max(0.0, sides.known_term[c] - sides.lower_term[c] - sides.upper_term[c] + rest * slope)
    if deficit <= 0.0:
        return 0.0
    if over == 0.0:
        return up
    slope += math.log2(over / under)
    return stride if slope * stride <= deficit else deficit / slope


@part
def send_below(sides: Sides, c: int, weight: float, n_changed: int) -> int:
    """Move a case below, and return how many classes have changed since the last look."""
    sides.lower[c] += weight
    if sides.is_changed[c]:
        return n_changed
    sides.is_changed[c] = True
    sides.changed[n_changed] = c
    return n_changed + 1


@part
def renew_all(sides: Sides) -> int:
    """Mark all classes as changed."""
    for c in range(len(sides.known)):
        sides.changed[c], sides.is_changed[c] = c, True
    return len(sides.known)


@part
def best_threshold(
    keys: NDArray[np.int64],
    a: int,
    start: int,
    end: int,
    label: NDArray[np.uint32],
    weight: NDArray[np.float64],
    total: NDArray[np.float64],
    total_term: NDArray[np.float64],
    all_weight: float,
    sides: Sides,
    options: Options,
) -> Test:
    """Return the threshold with the greatest information gain.

    Most cuts are counted, not looked at: those within a run of one class, which cannot be best (Fayyad and Irani 1992)
    unless they are the first or the last admissible one, and those so near to a bad one that they cannot be better than
    the best so far.
    """
    stop = end_of_known(keys, a, start, end)
    known, above = start_above(keys, a, stop, end, label, weight, total, total_term, sides)
    least = least_weight(known, len(total), options) - SMALL
    if known < 2.0 * least or stop == start:
        return no_test()
    nothing = above - xlog2x(known)
    best, slack, stride, worthwhile = nothing, SMALL * all_weight, 8.0, 4.0 + 2.0 * len(total)
    pause, wait, until = 0, 0 if stop - start > 100 else stop, 0.0
    below, down, n_changed, n_cuts, low, high, best_down = 0.0, 0.0, 0, 0, np.int64(0), np.int64(0), 0.0
    run: Any = np.int64(label[keys[a, start] & CASE])  # the class of all cases with the value in hand, -1 if several
    rank, p = keys[a, start] >> RANK_BITS, start
    while p < stop:
        case = keys[a, p] & CASE
        c = label[case]
        if keys[a, p] >> RANK_BITS != rank:
            if down >= least:
                up = known - down
                if up < least:
                    break
                n_cuts += 1
                if n_cuts == 1 or c != run or not is_inside_run(keys, a, p, stop, label, weight, c, up, least):
                    more_below, more_above = renew_terms(sides, n_changed)
                    below, above, n_changed = below + more_below, above + more_above, 0
                    down_term, up_term = term_of(down, sides.table), term_of(up, sides.table)
                    score = below + above - down_term - up_term
                    if score > best + slack:
                        best, low, high, best_down = score, rank, keys[a, p] >> RANK_BITS, down
                    wait -= 1
                    if wait < 0:
                        ahead = safe_weight(sides, down, up, up_term / up - down_term / down, best - score, stride)
                        until = min(down + ahead, known - least - SMALL)
                        stride = 2.0 * stride if ahead >= stride else max(4.0, 1.5 * ahead)
                        pause = 0 if until > down + worthwhile else min(2 * pause + 1, 31)
                        wait = pause
                    if wait == 0 and pause == 0:
                        p, passed, down = pass_over(keys, a, p, stop, label, weight, sides, down, until)
                        n_cuts, n_changed, run = n_cuts + passed - 1, renew_all(sides), -1
                        rank = keys[a, p - 1] >> RANK_BITS
                        continue
            rank, run = keys[a, p] >> RANK_BITS, np.int64(c)
        elif c != run:
            run = -1
        n_changed = send_below(sides, c, weight[case], n_changed)
        down += weight[case]
        p += 1
    return threshold_test(best - nothing, best_down, known, n_cuts, all_weight, low, high, options)


@part
def best_wide_threshold(
    keys: NDArray[np.int64],
    a: int,
    start: int,
    end: int,
    cases: Cases,
    total: NDArray[np.float64],
    total_term: NDArray[np.float64],
    all_weight: float,
    sides: Sides,
    options: Options,
    values: NDArray[np.float64],
) -> Test:
    """Return the best threshold that does not lie between values next to each other; every cut is looked at."""
    stop = end_of_known(keys, a, start, end)
    known, above = start_above(keys, a, stop, end, cases.label, cases.weight, total, total_term, sides)
    least = least_weight(known, len(total), options) - SMALL
    if known < 2.0 * least or stop == start:
        return no_test()
    nothing = above - xlog2x(known)
    best, below, down, n_cuts, low, high, best_down = nothing, 0.0, 0.0, 0, np.int64(0), np.int64(0), 0.0
    for p in range(start, stop):
        rank, case = keys[a, p] >> RANK_BITS, keys[a, p] & CASE
        last = keys[a, max(p - 1, start)] >> RANK_BITS
        if values[last] + NARROW < values[rank] and down >= least and known - down >= least:
            n_cuts += 1
            more_below, more_above = renew_terms(sides, renew_all(sides))
            below, above = below + more_below, above + more_above
            score = below + above - xlog2x(down) - xlog2x(known - down)
            if score > best + SMALL * all_weight:
                best, low, high, best_down = score, last, rank, down
        sides.lower[cases.label[case]] += cases.weight[case]
        down += cases.weight[case]
    return threshold_test(best - nothing, best_down, known, n_cuts, all_weight, low, high, options)


@part
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


@part
def gain_ratio(gain: float, down: float, up: float, all_weight: float) -> float:
    """Return the gain over the information in the split itself, the cases of unknown value being a branch of it."""
    unknown = all_weight - down - up
    information = xlog2x(all_weight) - xlog2x(down) - xlog2x(up)
    if unknown > SMALL:
        information -= xlog2x(unknown)
    return gain * all_weight / information if information > SMALL else 0.0
