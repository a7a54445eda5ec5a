"""The rows from which the axes of many groups of columns are worked out, drawn as NumPy's generator draws them."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import Ints, OutInts, OutInts2, kernel, loop

# What `place` holds: the next word, and the half of a word that waits, with whether there is one.
NEXT, WAITS, HALF = range(3)

LOW_HALF = np.int64(2**32 - 1)


@loop
def next_word(words: Any, place: Any) -> int:
    """Return the next 64 bits; 0 where there are no more, which the place tells."""
    at = place[NEXT]
    place[NEXT] += 1
    return int(words[at]) if at < len(words) else 0


@loop
def next_half(words: Any, place: Any) -> int:
    """Return the next 32 bits: the lower half of a word, and the upper one when 32 are asked for again."""
    if place[WAITS] == 1:
        place[WAITS] = 0
        return int(place[HALF])
    word = np.int64(next_word(words, place))
    place[WAITS], place[HALF] = 1, (word >> np.int64(32)) & LOW_HALF
    return int(word & LOW_HALF)


@loop
def next_below(words: Any, place: Any, limit: int) -> int:
    """Return a whole number below a limit (Lemire 2019); there is nothing to draw below 1."""
    if limit == 1:
        return 0
    product = np.int64(next_half(words, place)) * np.int64(limit)
    if product & LOW_HALF < limit:
        least = (LOW_HALF + np.int64(1) - limit) % limit
        while product & LOW_HALF < least and place[NEXT] <= len(words):
            product = np.int64(next_half(words, place)) * np.int64(limit)
    return int(product >> np.int64(32))


@kernel
def draw_samples(
    words: Ints,  # random bits
    place: OutInts,  # where the generator is: NEXT, WAITS, HALF; NEXT beyond the words if they were too few
    codes: Ints,  # the class of each row
    n_classes: int,
    sizes: Ints,  # how many of so many rows are drawn
    drawn: OutInts2,  # (group, size): room for the rows of each group
    n_drawn: OutInts,
) -> None:
    """Draw classes for each group, each with probability one half and at least one, and some of their rows.

    The numbers are those that ``random``, ``integers`` and ``choice`` of NumPy's generator make of the same bits.
    """
    among, taken = np.empty(len(codes), np.int64), np.zeros(len(codes), np.bool_)
    chosen = np.empty(n_classes, np.bool_)
    for group in range(len(drawn)):
        n_chosen = 0
        for c in range(n_classes):
            chosen[c] = next_word(words, place) >= 0  # the highest bit
            n_chosen += chosen[c]
        at_least, n_rows = next_below(words, place, n_classes), 0
        chosen[at_least] = chosen[at_least] or n_chosen == 0
        for row in range(len(codes)):
            among[n_rows] = row
            n_rows += chosen[codes[row]]
        size = sizes[n_rows]
        for i in range(size):  # Floyd's way: each of the last places, or one before it
            last = n_rows - size + i
            at = next_below(words, place, last + 1)
            at = last if taken[at] else at
            taken[at], drawn[group, i] = True, at
        for i in range(size):
            taken[drawn[group, i]] = False
            drawn[group, i] = among[drawn[group, i]]
        n_drawn[group] = size
