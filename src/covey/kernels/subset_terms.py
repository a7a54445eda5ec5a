"""The terms of a block of rows: squared differences from a query, their sums, and the least of a subset's."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import fused, inlined
from covey.kernels.lanes import LANES
from covey.kernels.subset_program import Program, Size

_F32: Any = np.float32
_ZERO, _ONE, _INFINITE = _F32(0.0), _F32(1.0), _F32(np.inf)
_LARGEST = np.int32(2**31 - 1)

# So many subsets are compared with their limits in one go.
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


@fused
def fill_squares(
    lanes: Any, base: int, query: Any, program: Program, n_used: int, kinds: Any, one: Any, terms: Any
) -> None:
    """Fill in the squared differences of a block of rows from a query."""
    n_plain, n_numbers = kinds
    for at in range(n_used):
        f = program.used[at]
        asked, row = query[f], base + f
        if f < n_plain:
            for lane in range(LANES):
                difference = lanes[row, lane] - asked
                terms[at, lane] = difference * difference
        elif f < n_numbers:
            for lane in range(LANES):
                difference = lanes[row, lane] - asked
                square = difference * difference
                terms[at, lane] = _ZERO if square != square else (one if square == _INFINITE else square)
        else:
            for lane in range(LANES):
                terms[at, lane] = _ZERO if lanes[row, lane] == asked else one
    for lane in range(LANES):
        terms[n_used, lane] = _ZERO


@fused
def fill_sums(program: Program, size: Size, terms: Any) -> None:
    """Take the steps of a program."""
    for step in range(size.n_steps):
        base, add, times = program.base[step], program.add[step], program.times[step]
        new = size.n_used + 1 + step
        for lane in range(LANES):
            terms[new, lane] = terms[base, lane] + times * terms[add, lane]


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
    found = np.int32(0)
    for lane in range(LANES):
        found += np.int32(as_bits(sums[lane]) <= limit)
    return found


@inlined
def least_of_2(terms: Any, a: int, b: int) -> Any:
    """Return the bits of the least sum of two terms."""
    least = _LARGEST
    for lane in range(LANES):
        bits = as_bits(terms[a, lane] + terms[b, lane])
        least = bits if bits < least else least
    return least


@inlined
def least_of_3(terms: Any, a: int, b: int, c: int) -> Any:
    """Return the bits of the least sum of three terms."""
    least = _LARGEST
    for lane in range(LANES):
        bits = as_bits((terms[a, lane] + terms[b, lane]) + terms[c, lane])
        least = bits if bits < least else least
    return least


@inlined
def least_of_4(terms: Any, a: int, b: int, c: int, d: int) -> Any:
    """Return the bits of the least sum of four terms."""
    least = _LARGEST
    for lane in range(LANES):
        bits = as_bits((terms[a, lane] + terms[b, lane]) + (terms[c, lane] + terms[d, lane]))
        least = bits if bits < least else least
    return least


@inlined
def least_of_5(terms: Any, a: int, b: int, c: int, d: int, e: int) -> Any:
    """Return the bits of the least sum of five terms."""
    least = _LARGEST
    for lane in range(LANES):
        four = (terms[a, lane] + terms[b, lane]) + (terms[c, lane] + terms[d, lane])
        bits = as_bits(four + terms[e, lane])
        least = bits if bits < least else least
    return least


@inlined
def least_of_6(terms: Any, a: int, b: int, c: int, d: int, e: int, f: int) -> Any:
    """Return the bits of the least sum of six terms."""
    least = _LARGEST
    for lane in range(LANES):
        four = (terms[a, lane] + terms[b, lane]) + (terms[c, lane] + terms[d, lane])
        bits = as_bits(four + (terms[e, lane] + terms[f, lane]))
        least = bits if bits < least else least
    return least


@inlined
def least_of_7(terms: Any, a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> Any:
    """Return the bits of the least sum of seven terms."""
    least = _LARGEST
    for lane in range(LANES):
        four = (terms[a, lane] + terms[b, lane]) + (terms[c, lane] + terms[d, lane])
        bits = as_bits(four + ((terms[e, lane] + terms[f, lane]) + terms[g, lane]))
        least = bits if bits < least else least
    return least


@inlined
def least_of_8(terms: Any, a: int, b: int, c: int, d: int, e: int, f: int, g: int, h: int) -> Any:
    """Return the bits of the least sum of eight terms."""
    least = _LARGEST
    for lane in range(LANES):
        four = (terms[a, lane] + terms[b, lane]) + (terms[c, lane] + terms[d, lane])
        bits = as_bits(four + ((terms[e, lane] + terms[f, lane]) + (terms[g, lane] + terms[h, lane])))
        least = bits if bits < least else least
    return least


@inlined
def add_four(terms: Any, a: int, b: int, c: int, d: int, into: int) -> None:
    """Make a term the sum of four."""
    for lane in range(LANES):
        terms[into, lane] = (terms[a, lane] + terms[b, lane]) + (terms[c, lane] + terms[d, lane])


@inlined
def least_sum(terms: Any, parts: Any, start: int, stop: int, spare: int) -> Any:
    """Return the bits of the least sum of two terms or more.

    Where they are many, two spare terms keep the sum of the first. They take turns, for the compiler cannot add many at
    a time to what it reads.
    """
    p, n_parts = np.uintp(start), stop - start
    if n_parts > 8:
        return _least_of_many(terms, parts, p, np.uintp(stop), np.uintp(spare), np.uintp(spare + 1))
    a, b = parts[p], parts[p + _1]
    if n_parts == 2:
        return least_of_2(terms, a, b)
    c = parts[p + _2]
    if n_parts == 3:
        return least_of_3(terms, a, b, c)
    d = parts[p + _3]
    if n_parts == 4:
        return least_of_4(terms, a, b, c, d)
    e = parts[p + _4]
    if n_parts == 5:
        return least_of_5(terms, a, b, c, d, e)
    f = parts[p + _5]
    if n_parts == 6:
        return least_of_6(terms, a, b, c, d, e, f)
    g = parts[p + _6]
    if n_parts == 7:
        return least_of_7(terms, a, b, c, d, e, f, g)
    return least_of_8(terms, a, b, c, d, e, f, g, parts[p + _7])


@inlined
def _least_of_many(terms: Any, parts: Any, p: Any, stop: Any, kept: Any, other: Any) -> Any:
    add_four(terms, parts[p], parts[p + _1], parts[p + _2], parts[p + _3], kept)
    p += _4
    while stop > p + _7:
        add_four(terms, kept, parts[p], parts[p + _1], parts[p + _2], other)
        kept, other = other, kept
        p += _3
    a, b, c, d, e = parts[p], parts[p + _1], parts[p + _2], parts[p + _3], parts[p + _4]
    if stop == p + _5:
        return least_of_6(terms, kept, a, b, c, d, e)
    f = parts[p + _5]
    if stop == p + _6:
        return least_of_7(terms, kept, a, b, c, d, e, f)
    return least_of_8(terms, kept, a, b, c, d, e, f, parts[p + _6])


@fused
def fill_least(terms: Any, parts: Any, starts: Any, order: Any, spare: int, least: Any) -> None:
    """Fill in the bits of the least sum of each subset's terms.

    A function of its own, and not a part of the loop that looks at rows exactly: there it would run out of registers.
    """
    for at in range(len(order)):
        subset = order[at]
        least[subset] = least_sum(terms, parts, starts[subset], starts[subset + _1], spare)


@fused
def first_within(least: Any, limit: Any, start: int) -> int:
    """Return the first subset from some one on whose least sum is within its limit; their number if there is none."""
    at = start
    while at < len(least):
        if at % SPAN == 0 and at + SPAN <= len(least):
            found = np.int32(0)
            for step in range(SPAN):
                found += np.int32(least[at + step] <= limit[at + step])
            if found == 0:
                at += SPAN
                continue
        if least[at] <= limit[at]:
            return at
        at += 1
    return at
