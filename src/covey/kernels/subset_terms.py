"""The terms of a block of rows: squared differences from a query, their sums, and the least of a subset's.

Terms are whole numbers of 16 bits, so that twice as many are added at a time as of float32. A square is taken a number
of times, its scale, and rounded down; what does not fit is `FULL`, and so is a sum that would not. A sum less than that
is too small by less than one for each coordinate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import fused, inlined
from covey.kernels.sizes import LANES
from covey.kernels.subset_program import MANY, Program, Size

_F32: Any = np.float32
_ZERO, _ONE, _INFINITE = _F32(0.0), _F32(1.0), _F32(np.inf)
_LARGEST = np.int32(2**31 - 1)

# The largest term, which also says that nothing is known.
FULL = 2**16 - 1
_ZERO_TERM, _FULL_TERM, _MOST = np.uint16(0), np.uint16(FULL), _F32(FULL)

# How many subsets are compared with their limits in one go.
SPAN = 16

# Unsigned, for an index that may be negative costs as much as an addition.
_1, _2, _3, _4, _5, _6, _7 = (np.uintp(number) for number in range(1, 8))


@inlined
def as_bits(number: Any) -> Any:
    """Return the bits of a float32 as an integer, which for numbers from 0 on come in the same order.

    Of integers the compiler finds the least of many at a time; of floats it does so only if it may forget NaN.
    """
    return np.float32(number).view(np.int32)


@inlined
def as_number(bits: Any) -> Any:
    """Return the float32 of which these are the bits."""
    return np.int32(bits).view(np.float32)


@inlined
def _term(square: Any, scale: Any) -> Any:
    """Return the term of a square."""
    scaled = square * scale
    return np.uint16(np.int32(scaled if scaled < _MOST else _MOST))


@inlined
def _plus(a: Any, b: Any) -> Any:
    """Return the sum of two terms."""
    total = np.uint16((np.uint32(a) + np.uint32(b)) & np.uint32(FULL))
    return _FULL_TERM if total < a else total


@fused
def fill_squares(
    lanes: Any, base: int, query: Any, program: Program, n_used: int, kinds: Any, one: Any, scale: Any, terms: Any
) -> None:
    """Fill in the squared differences of a block of rows from a query."""
    n_plain, n_numbers = kinds
    apart = _term(one, scale)
    for at in range(n_used):
        f = program.used[at]
        asked, row = query[f], base + f
        if f < n_plain:
            for lane in range(LANES):
                difference = lanes[row, lane] - asked
                terms[at, lane] = _term(difference * difference, scale)
        elif f < n_numbers:
            for lane in range(LANES):
                difference = lanes[row, lane] - asked
                square = difference * difference
                terms[at, lane] = _term(_ZERO if square != square else (one if square == _INFINITE else square), scale)
        else:
            for lane in range(LANES):
                terms[at, lane] = _ZERO_TERM if lanes[row, lane] == asked else apart
    for lane in range(LANES):
        terms[n_used, lane] = _ZERO_TERM


@fused
def hide(terms: Any, n_used: int, lane: int) -> None:
    """Put the row in a lane farther away than any along any subset."""
    for term in range(n_used + 1):
        terms[term, lane] = _FULL_TERM


@fused
def fill_sums(program: Program, size: Size, terms: Any) -> None:
    """Take the steps of a program."""
    for step in range(size.n_steps):
        base, add, times = program.base[step], program.add[step], np.int32(program.times[step])
        new = size.n_used + 1 + step
        if times == 1:
            for lane in range(LANES):
                terms[new, lane] = _plus(terms[base, lane], terms[add, lane])
        else:
            for lane in range(LANES):
                total = np.int32(terms[base, lane]) + times * np.int32(terms[add, lane])
                terms[new, lane] = np.uint16(min(total, np.int32(FULL)))


@inlined
def sum_along(
    lanes: Any, base: int, query: Any, along: Any, often: Any, start: int, stop: int, kinds: Any, one: Any, sums: Any
) -> None:
    """Fill in the sums of a block of rows along one subset."""
    n_plain, n_numbers = kinds
    for lane in range(LANES):
        sums[lane] = _ZERO
    for at in range(start, stop):
        f, times = along[at], _F32(often[at])
        asked, row = query[f], base + f
        if f < n_plain:
            for lane in range(LANES):
                difference = lanes[row, lane] - asked
                sums[lane] += times * (difference * difference)
        elif f < n_numbers:
            for lane in range(LANES):
                difference = lanes[row, lane] - asked
                square = difference * difference
                sums[lane] += times * (_ZERO if square != square else (one if square == _INFINITE else square))
        else:
            for lane in range(LANES):
                sums[lane] += times * (_ZERO if lanes[row, lane] == asked else one)


@inlined
def most_promising(sums: Any) -> Any:
    """Return the lane of the least sum, or of one that differs from it by the last few bits."""
    least = _LARGEST
    for lane in range(LANES):
        bits = (as_bits(sums[lane]) & np.int32(-LANES)) | np.int32(lane)
        least = bits if bits < least else least
    return least & np.int32(LANES - 1)


@inlined
def count_within(sums: Any, limit: Any) -> Any:
    """Return how many sums are within a limit, given by its bits."""
    n_within = np.int32(0)
    for lane in range(LANES):
        n_within += np.int32(as_bits(sums[lane]) <= limit)
    return n_within


@inlined
def _least_of(terms: Any, first: Any, parts: Any, p: Any, n: int) -> Any:
    """Return the least sum of a first term and those that the parts from a place on name, ``n`` in all.

    The number is a constant, 2 to 8, wherever this is compiled into: of the sums below one is left in the loop.
    """
    b = parts[p]
    c = parts[p + _1] if n > 2 else b
    d = parts[p + _2] if n > 3 else b
    e = parts[p + _3] if n > 4 else b
    f = parts[p + _4] if n > 5 else b
    g = parts[p + _5] if n > 6 else b
    h = parts[p + _6] if n > 7 else b
    least = _FULL_TERM
    for lane in range(LANES):
        total = _plus(terms[first, lane], terms[b, lane])
        if n == 3:
            total = _plus(total, terms[c, lane])
        elif n > 3:
            total = _plus(total, _plus(terms[c, lane], terms[d, lane]))
        if n == 5:
            total = _plus(total, terms[e, lane])
        elif n == 6:
            total = _plus(total, _plus(terms[e, lane], terms[f, lane]))
        elif n == 7:
            total = _plus(total, _plus(_plus(terms[e, lane], terms[f, lane]), terms[g, lane]))
        elif n == 8:
            rest = _plus(_plus(terms[e, lane], terms[f, lane]), _plus(terms[g, lane], terms[h, lane]))
            total = _plus(total, rest)
        least = total if total < least else least
    return least


@inlined
def add_four(terms: Any, a: int, b: int, c: int, d: int, into: int) -> None:
    """Make a term the sum of four."""
    for lane in range(LANES):
        terms[into, lane] = _plus(_plus(terms[a, lane], terms[b, lane]), _plus(terms[c, lane], terms[d, lane]))


@inlined
def _least_of_many(terms: Any, parts: Any, p: Any, stop: Any, kept: Any, other: Any) -> Any:
    """Return the least sum of more than eight terms; two spare ones take turns to keep the sum of the first.

    The compiler cannot add many at a time to what it reads.
    """
    add_four(terms, parts[p], parts[p + _1], parts[p + _2], parts[p + _3], kept)
    p += _4
    while stop > p + _7:
        add_four(terms, kept, parts[p], parts[p + _1], parts[p + _2], other)
        kept, other = other, kept
        p += _3
    if stop == p + _5:
        return _least_of(terms, kept, parts, p, 6)
    if stop == p + _6:
        return _least_of(terms, kept, parts, p, 7)
    return _least_of(terms, kept, parts, p, 8)


@inlined
def _fill_group(terms: Any, program: Program, n: int, p: Any, least: Any) -> Any:
    """Fill in the least sums of the subsets of so many parts, which are at a place; return where others begin."""
    for at in range(program.groups[n], program.groups[n + 1]):
        least[program.order[at]] = _least_of(terms, program.ordered[p], program.ordered, p + _1, n)
        p += np.uintp(n)
    return p


@fused
def fill_least(terms: Any, program: Program, spare: int, least: Any) -> None:
    """Fill in the least sum of each subset's terms; two terms are spare.

    A function of its own, and not a part of the loop that looks at rows exactly: there it would run out of registers.
    """
    p = np.uintp(0)
    p = _fill_group(terms, program, 2, p, least)
    p = _fill_group(terms, program, 3, p, least)
    p = _fill_group(terms, program, 4, p, least)
    p = _fill_group(terms, program, 5, p, least)
    p = _fill_group(terms, program, 6, p, least)
    p = _fill_group(terms, program, 7, p, least)
    p = _fill_group(terms, program, 8, p, least)
    for at in range(program.groups[MANY], len(program.order)):
        subset = program.order[at]
        stop = p + np.uintp(program.starts[subset + _1] - program.starts[subset])
        least[subset] = _least_of_many(terms, program.ordered, p, stop, np.uintp(spare), np.uintp(spare + 1))
        p = stop


@fused
def first_within(least: Any, limit: Any, start: int) -> int:
    """Return the first subset from some one on whose least sum is within a limit; their number if there is none."""
    at = start
    while at < len(least):
        if at % SPAN == 0 and at + SPAN <= len(least):
            n_within = np.int32(0)
            for step in range(SPAN):
                n_within += np.int32(least[at + step] <= limit[at + step])
            if n_within == 0:
                at += SPAN
                continue
        if least[at] <= limit[at]:
            return at
        at += 1
    return at
