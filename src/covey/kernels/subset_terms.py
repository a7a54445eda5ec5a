"""The terms of a block of rows: squared differences from a query, their sums, and the least of a subset's."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import fused, inlined
from covey.kernels.sizes import LANES
from covey.kernels.subset_program import Program, Size

_F32: Any = np.float32
_ZERO, _ONE, _INFINITE = _F32(0.0), _F32(1.0), _F32(np.inf)
_LARGEST = np.int32(2**31 - 1)

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
    n_within = np.int32(0)
    for lane in range(LANES):
        n_within += np.int32(as_bits(sums[lane]) <= limit)
    return n_within


@inlined
def _least_of(terms: Any, first: Any, parts: Any, p: Any, n: int) -> Any:
    """Return the bits of the least sum of a first term and those that the parts from a place on name, ``n`` in all.

    The number is a constant, 2 to 8, wherever this is compiled into: of the sums below one is left in the loop.
    """
    b = parts[p]
    c = parts[p + _1] if n > 2 else b
    d = parts[p + _2] if n > 3 else b
    e = parts[p + _3] if n > 4 else b
    f = parts[p + _4] if n > 5 else b
    g = parts[p + _5] if n > 6 else b
    h = parts[p + _6] if n > 7 else b
    least = _LARGEST
    for lane in range(LANES):
        total = terms[first, lane] + terms[b, lane]
        if n == 3:
            total += terms[c, lane]
        elif n > 3:
            total += terms[c, lane] + terms[d, lane]
        if n == 5:
            total += terms[e, lane]
        elif n == 6:
            total += terms[e, lane] + terms[f, lane]
        elif n == 7:
            total += (terms[e, lane] + terms[f, lane]) + terms[g, lane]
        elif n == 8:
            total += (terms[e, lane] + terms[f, lane]) + (terms[g, lane] + terms[h, lane])
        bits = as_bits(total)
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
    first, p = parts[p], p + _1
    if n_parts == 2:
        return _least_of(terms, first, parts, p, 2)
    if n_parts == 3:
        return _least_of(terms, first, parts, p, 3)
    if n_parts == 4:
        return _least_of(terms, first, parts, p, 4)
    if n_parts == 5:
        return _least_of(terms, first, parts, p, 5)
    if n_parts == 6:
        return _least_of(terms, first, parts, p, 6)
    if n_parts == 7:
        return _least_of(terms, first, parts, p, 7)
    return _least_of(terms, first, parts, p, 8)


@inlined
def _least_of_many(terms: Any, parts: Any, p: Any, stop: Any, kept: Any, other: Any) -> Any:
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
