"""The cuts of a numeric column at a node, a block of cases at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import fused, loop, part
from covey.kernels.layout import CASE, CLOSE, LANES, NARROW, RANK_BITS
from covey.kernels.logarithm import rough_xlog2x

# Rows of `Sides.weight`: class weights of all cases whose value is known, of those below the case in hand, those below
# the block in hand and those below the best cut so far, and what the logarithms of a class add to the score.
KNOWN, LOWER, BEFORE, BELOW_BEST, TERM = range(5)
# Rows of `Sides.block`: for each case of the block the weight of its class below it and above, and that of all classes
# below, each with the case itself below, and the score of a cut after it. Of two classes, only the cuts are noted that
# may be best, and the first is the weight of the second class.
OWN, REST, DOWN, SCORE = range(4)
# How many cases are taken at a time, so that what is noted of them stays in the first cache.
BLOCK = 512


class Sides(NamedTuple):
    """Room for the two sides of a threshold."""

    weight: NDArray[np.float64]  # (KNOWN, ..., TERM) x class
    block: NDArray[np.float64]  # (OWN, ..., SCORE) x case or cut
    place: NDArray[np.int64]  # the case before each cut that is noted
    bar: NDArray[np.float64]  # the score to beat


@part
def new_sides(n_classes: int) -> Sides:
    """Return such room."""
    return Sides(np.zeros((5, n_classes)), np.zeros((4, BLOCK)), np.zeros(BLOCK, np.int64), np.zeros(1))


@loop
def in_lanes(n: int) -> int:
    """Return how many numbers logarithms are taken of, several at a time: those behind the last may be anything."""
    return (n + LANES - 1) // LANES * LANES


@loop
def unmarked(keys: Any, i: int, apart: int, values: Any) -> int:
    """Take the mark of a value too close for a cut off a key, where it is not so close to the one before it here.

    It is not in the nodes below either. Values are read only where ranks do not tell.
    """
    last, key = keys[i - 1], keys[i]
    rank, new = last >> RANK_BITS, key >> RANK_BITS
    if last & CLOSE == 0 if rank == new else new - rank >= apart or values[rank] + NARROW < values[new]:
        key &= ~CLOSE
        keys[i] = key
    return int(key)


@loop
def lower_two(
    keys: Any,  # from the first case of the block on
    n: int,
    end: int,  # the last case whose value is known
    label: Any,
    weight: Any,
    values: Any,
    apart: int,
    lower: Any,
    known: float,
    least: float,
    second: Any,
    down: Any,
    place: Any,
) -> tuple[int, int, int]:
    """Send cases of two classes below, and note the cuts that may be best.

    A cut between two cases of a class is not the best if there are cuts before the one and after the other (Fayyad and
    Irani 1992): what is known of the classes is convex between those. Returned are how many are noted, how many cuts
    there are, and how many cases were taken: all, or those up to where the upper side has too little weight for cuts.
    """
    x, below, last, key, i = lower[1], lower[0] + lower[1], np.uint32(0), keys[0], 0
    while i < n and below + weight[key & CASE] < least:
        last = label[key & CASE]
        x, below = x + weight[key & CASE] * np.float64(last), below + weight[key & CASE]
        i += 1
        key = keys[min(i, end)]
    n_noted, n_cuts, cut_before, cut = 0, 0, False, False
    for p in range(i, n):
        case, following = key & CASE, keys[min(p + 1, end)]
        if following & CLOSE != 0:
            following = unmarked(keys, min(p + 1, end), apart, values)
        c, w = label[case], weight[case]
        second[n_noted], down[n_noted], place[n_noted] = x, below, p - 1
        if known - below - w < least:
            n = p
            break
        cut_after = ((following ^ key) >> RANK_BITS != 0) & (following & CLOSE == 0)
        n_noted += int(cut & ((c != last) | (not cut_before) | (not cut_after)))
        n_cuts += int(cut_after)
        x, below, last, key, cut_before, cut = x + w * np.float64(c), below + w, c, following, cut, cut_after
    if cut:
        second[n_noted], down[n_noted], place[n_noted] = x, below, n - 1
        n_noted += 1
    lower[0], lower[1] = below - x, x
    return n_noted, n_cuts, n


@fused
def score_two(n: int, second: Any, down: Any, score: Any, of_first: float, of_second: float) -> None:
    """Score cuts between cases of two classes."""
    known = of_first + of_second
    for i in range(n):
        a, x = second[i], down[i]
        b = x - a
        below = rough_xlog2x(a) + rough_xlog2x(b) - rough_xlog2x(x)
        above = rough_xlog2x(of_second - a) + rough_xlog2x(of_first - b) - rough_xlog2x(known - x)
        score[i] = below + above


@loop
def search_two(
    keys: Any,
    n_known: int,
    label: Any,
    weight: Any,
    values: Any,
    apart: int,
    known: float,
    least: float,
    margin: float,
    sides: Sides,
) -> tuple[int, int]:
    """Find the best cut between cases of two classes; return the case before it, -1 if there is none, and all cuts."""
    side, second, down, score = sides.weight, sides.block[OWN], sides.block[DOWN], sides.block[SCORE]
    best, n_cuts = -1, 0
    for p in range(0, n_known, BLOCK):
        n, left = min(BLOCK, n_known - p), n_known - p - 1
        n_noted, more, n_taken = lower_two(
            keys[p:], n, left, label, weight, values, apart, side[LOWER], known, least, second, down, sides.place
        )
        score_two(in_lanes(n_noted), second, down, score, side[KNOWN, 0], side[KNOWN, 1])
        where, n_cuts = best_score(score, n_noted, margin, sides.bar), n_cuts + more
        if where >= 0:
            best = p + sides.place[where]
            side[BELOW_BEST, 0], side[BELOW_BEST, 1] = down[where] - second[where], second[where]
        if n_taken < n:
            break
    return best, n_cuts


@loop
def lower_several(
    keys: Any,
    n: int,
    label: Any,
    weight: Any,
    values: Any,
    apart: int,
    known: Any,
    lower: Any,
    own: Any,
    rest: Any,
    down: Any,
    below: float,
) -> float:
    """Send cases below, and note what that makes of the weight of their class on both sides, and of all below."""
    for i in range(n):
        if keys[i] & CLOSE != 0 and i > 0:
            unmarked(keys, i, apart, values)
        case = keys[i] & CASE
        c, w = label[case], weight[case]
        x = lower[c] + w
        lower[c] = x
        below += w
        own[i], rest[i], down[i] = x, known[c] - x, below
    return below


@fused
def score_several(keys: Any, n: int, own: Any, rest: Any, down: Any, score: Any, known: float, least: float) -> int:
    """Note in ``rest`` what the class of each case then counts, and in ``score`` less what both sides count.

    That is infinitely low where there is no cut; the number of cuts is returned.
    """
    n_cuts = 0
    for i in range(n):
        x, key = down[i], keys[i + 1]
        up = known - x
        cuts = ((key ^ keys[i]) >> RANK_BITS != 0) & (key & CLOSE == 0) & (x >= least) & (up >= least)
        n_cuts += int(cuts)
        rest[i] = rough_xlog2x(own[i]) + rough_xlog2x(rest[i])
        both = rough_xlog2x(x) + rough_xlog2x(up)
        score[i] = -both if cuts else -np.inf
    return n_cuts


@loop
def add_classes(keys: Any, n: int, label: Any, term: Any, counts: Any, score: Any, classes: float) -> float:
    """Add what all classes count to the scores of cuts; it changes with the class of each case."""
    for i in range(n):
        c = label[keys[i] & CASE]
        classes += counts[i] - term[c]
        term[c] = counts[i]
        score[i] += classes
    return classes


@loop
def search_several(
    keys: Any,
    n_known: int,
    label: Any,
    weight: Any,
    values: Any,
    apart: int,
    known: float,
    least: float,
    margin: float,
    sides: Sides,
    classes: float,
) -> tuple[int, int]:
    """Find the best cut; return the case before it, -1 if there is none, and the number of cuts."""
    side, block = sides.weight, sides.block
    own, rest, down, score = block[OWN], block[REST], block[DOWN], block[SCORE]
    best, n_cuts, below = -1, 0, 0.0
    for p in range(0, n_known, BLOCK):
        n, row = min(BLOCK, n_known - p), keys[p:]
        for c in range(side.shape[1]):
            side[BEFORE, c] = side[LOWER, c]
        below = lower_several(row, n, label, weight, values, apart, side[KNOWN], side[LOWER], own, rest, down, below)
        ends = p + n == n_known
        if not ends and row[n] & CLOSE != 0:
            unmarked(row, n, apart, values)
        for i in range(n - int(ends), in_lanes(n)):
            down[i] = np.inf
        n_cuts += score_several(row, in_lanes(n), own, rest, down, score, known, least)
        classes = add_classes(row, n, label, side[TERM], rest, score, classes)
        where = best_score(score, n, margin, sides.bar)
        if where >= 0:
            best = p + where
            note_below(side, row, where, label, own)
    return best, n_cuts


@loop
def best_score(score: Any, n: int, margin: float, bar: Any) -> int:
    """Return the first of the best scores, -1 if none is better than before, and raise the bar."""
    best = -1
    for i in range(n):
        if score[i] > bar[0]:  # in memory: the compiler would take a variable without a branch, and all would wait
            best, bar[0] = i, score[i] + margin
    return best


@loop
def note_below(side: NDArray[np.float64], keys: Any, best: int, label: Any, own: Any) -> None:
    """Note the class weights below the best cut: those after the last case of each class, or before the block."""
    n_left = side.shape[1]
    for c in range(n_left):
        side[BELOW_BEST, c] = -1.0
    while n_left > 0 and best >= 0:
        c = label[keys[best] & CASE]
        if side[BELOW_BEST, c] < 0.0:
            side[BELOW_BEST, c] = own[best]
            n_left -= 1
        best -= 1
    for c in range(side.shape[1]):
        if side[BELOW_BEST, c] < 0.0:
            side[BELOW_BEST, c] = side[BEFORE, c]
