"""The best threshold of a numeric column at a node."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import loop
from covey.kernels.layout import CASE, CLOSE, FIRST_MISSING, NARROW, RANK_BITS, SMALL, Cases, Node, Options
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
def end_of_known(keys: NDArray[np.int64], column: int, start: int, end: int) -> int:
    """Return where the cases end whose value is known."""
    while end > start and keys[column, end - 1] >= FIRST_MISSING:
        end -= 1
    return end


@loop
def start_above(
    keys: NDArray[np.int64], column: int, stop: int, node: Node, cases: Cases, sides: Sides
) -> tuple[Any, Any]:
    """Put all cases whose value is known on the upper side; return their weight and the sum of x log2 x of classes."""
    side, total = sides.weight, node.total
    for c in range(len(total)):
        side[LOWER, c], side[LOWER_TERM, c] = 0.0, 0.0
        side[KNOWN, c], side[KNOWN_TERM, c], side[UPPER_TERM, c] = total[c], node.term[c], node.term[c]
        sides.changed[1, c] = 0
    if stop < node.end:
        for p in range(stop, node.end):
            case = keys[column, p] & CASE
            side[KNOWN, cases.label[case]] -= cases.weight[case]
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
    keys: NDArray[np.int64], column: int, p: int, stop: int, cases: Cases, c: int, up: float, least: float
) -> bool:
    """Whether the values equal to that at p are all of a class, and after them comes an admissible cut."""
    label, weight = cases.label, cases.weight
    if p + 1 < stop and (keys[column, p] ^ keys[column, p + 1]) >> RANK_BITS != 0 and keys[column, p + 1] & CLOSE == 0:
        return bool(up - weight[keys[column, p] & CASE] >= least)
    rank = keys[column, p] >> RANK_BITS
    while p < stop and keys[column, p] >> RANK_BITS == rank:
        case = keys[column, p] & CASE
        if label[case] != c:
            return False
        up -= weight[case]
        p += 1
    return bool(up >= least and (p == stop or keys[column, p] & CLOSE == 0))


@loop
def is_cut(key: int, rank: int, new: int, distinct: Any, first: int) -> bool:
    """Whether a threshold fits between two ranks: C4.5 makes no cut between values that are very near."""
    return bool(new != rank and (key & CLOSE == 0 or distinct[first + rank] + NARROW < distinct[first + new]))


@loop
def pass_over(
    keys: NDArray[np.int64],
    column: int,
    p: int,
    stop: int,
    cases: Cases,
    first: int,
    side: NDArray[np.float64],
    down: float,
    until: float,
) -> tuple[int, int, float]:
    """Send cases below without a look, up to a weight; return where it is reached, the cuts passed and the weight."""
    n_cuts, rank = 0, keys[column, p - 1] >> RANK_BITS
    while p < stop and down < until:
        key = keys[column, p]
        case, new = key & CASE, key >> RANK_BITS
        if is_cut(key, rank, new, cases.distinct, first):
            n_cuts += 1
        side[LOWER, cases.label[case]] += cases.weight[case]
        rank, down, p = new, down + cases.weight[case], p + 1
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
def next_stride(ahead: float, stride: float, pays: bool, pause: int) -> tuple[float, int]:
    """Return how far to look ahead next, which grows with success, and for how many looks not to try if it failed."""
    return 2.0 * stride if ahead >= stride else max(4.0, 1.5 * ahead), 0 if pays else min(2 * pause + 1, 31)


@loop
def renew_all(changed: NDArray[np.int64]) -> int:
    """Mark all classes as changed."""
    for c in range(changed.shape[1]):
        changed[0, c], changed[1, c] = c, 1
    return int(changed.shape[1])


@loop
def best_threshold(j: int, node: Node, cases: Cases, keys: NDArray[np.int64], sides: Sides, options: Options) -> Test:
    """Return the threshold of a numeric column with the greatest information gain at a node."""
    # All cases start above. Those whose value is missing, at the end of the column, are on neither side.
    column = cases.place[j]
    stop = end_of_known(keys, column, node.start, node.end)
    known, above = start_above(keys, column, stop, node, cases, sides)
    least = least_weight(known, len(node.total), options) - SMALL
    if known < 2.0 * least or stop == node.start:
        return no_test()
    reduction, down, n_cuts, low, high = best_cut(keys, column, stop, known, above, least, node, cases, sides)
    return threshold_test(reduction, down, known, n_cuts, node.weight, low, high, options)


@loop
def best_cut(
    keys: NDArray[np.int64],
    column: int,
    stop: int,
    known: float,
    above: float,
    least: float,
    node: Node,
    cases: Cases,
    sides: Sides,
) -> tuple[float, float, int, Any, Any]:
    """Return how much the best cut reduces entropy, the weight below it, how many cuts there are, and its two ranks.

    The sorted cases move one by one from the upper side of a threshold to the lower one, and the cut between two values
    is judged by the sum over both sides of x log2 x of the class weights, less that of the side's weight. Most cuts are
    counted, not looked at: those within a run of one class, which cannot be best (Fayyad and Irani 1992) unless they
    are the first or the last admissible one, and those so near to a bad one that they cannot be better than the best so
    far.
    """
    label, weight, distinct, side, changed = cases.label, cases.weight, cases.distinct, sides.weight, sides.changed
    first, n_classes = cases.offset[column], len(node.total)
    # The score to beat is that of no cut; `below` and `above` are the sums of x log2 x of the two sides' classes as of
    # the last look, `down` is the lower side's weight.
    no_cut = above - xlog2x(known)
    best, below, down, margin = no_cut, 0.0, 0.0, SMALL * node.weight
    n_cuts, low, high, best_down = 0, np.int64(0), np.int64(0), 0.0
    # Cuts are passed over until the lower side weighs `until`; `wait` looks go by before each try, all of few.
    stride, pause, wait, until = 8.0, 0, 0 if stop - node.start > 100 else stop, 0.0
    run: Any = np.int64(label[keys[column, node.start] & CASE])  # the class of all cases of this value, -1 if several
    rank, p, n_changed = keys[column, node.start] >> RANK_BITS, node.start, 0
    while p < stop:
        key = keys[column, p]
        c, w, new = label[key & CASE], weight[key & CASE], key >> RANK_BITS
        if is_cut(key, rank, new, distinct, first):
            if down >= least:
                up = known - down
                if up < least:
                    break
                n_cuts += 1
                if n_cuts == 1 or c != run or not is_inside_run(keys, column, p, stop, cases, c, up, least):
                    # A look: logarithms of the classes that have changed, and the score of this cut.
                    more_below, more_above = renew_terms(side, changed, n_changed)
                    below, above, n_changed = below + more_below, above + more_above, 0
                    down_term, up_term = xlog2x(down), xlog2x(up)
                    score = below + above - down_term - up_term
                    if score > best + margin:
                        best, low, high, best_down = score, rank, new, down
                    # Try to look ahead, and pass over what cannot make up for what this cut lacks.
                    wait -= 1
                    if wait < 0:
                        ahead = safe_weight(side, up, up_term / up - down_term / down, best - score, stride)
                        until = min(down + ahead, known - least - SMALL)
                        stride, pause = next_stride(ahead, stride, until > down + 2.0 + n_classes, pause)
                        wait = pause
                    if wait == 0 and pause == 0:
                        p, passed, down = pass_over(keys, column, p, stop, cases, first, side, down, until)
                        n_cuts, n_changed, run = n_cuts + passed - 1, renew_all(changed), -1
                        rank = keys[column, p - 1] >> RANK_BITS
                        continue
            run = np.int64(c)
        elif c != run:
            run = -1
        # The case goes below; its class needs a new logarithm at the next look.
        side[LOWER, c] += w
        if changed[1, c] == 0:
            changed[1, c], changed[0, n_changed] = 1, c
            n_changed += 1
        rank, down, p = new, down + w, p + 1
    return best - no_cut, best_down, n_cuts, low, high


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
