"""The rows in the order of a column: a radix sort, which keeps rows of equal value in their own order, and ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import Codes, Floats2, OutCodes, OutCodes2, OutFloats, OutInts, OutInts2, kernel, loop, part
from covey.kernels.layout import CLOSE, FIRST_MISSING, NARROW, RANK_BITS
from covey.kernels.sorting import sort_few

# In a column whose values span less than this, Release 8's rule of near values does not hold.
SMALLEST_RANGE = 1e-2

# Numbers are sorted by 11 bits at a time, the lowest first; so many make 64.
DIGIT_BITS, N_DIGITS = 11, 6
DIGIT = np.uint64(2**DIGIT_BITS - 1)


@part
def count_digits(image: Any) -> Any:
    """Return how often each digit occurs in each place: (place, digit)."""
    counts = np.zeros((N_DIGITS, 2**DIGIT_BITS), np.int64)
    for i in range(len(image)):
        for place in range(N_DIGITS):
            counts[place, (np.uint64(image[i]) >> np.uint64(DIGIT_BITS * place)) & DIGIT] += 1
    return counts


@kernel
def order_rows(
    image: OutInts,  # whole numbers, sorted as if they had no sign, and lost
    order: OutCodes,  # the rows, 0, 1 and so on; as they are sorted afterwards
    spare_image: OutInts,  # room for as many
    spare: OutCodes,
) -> None:
    """Sort rows by a column."""
    counts, n_rows, n_moves = count_digits(image), len(image), 0
    numbers, rows, other_numbers, other_rows = image, order, spare_image, spare
    for place in range(N_DIGITS):
        shift, following = np.uint64(DIGIT_BITS * place), counts[place]
        if n_rows == 0 or following[(np.uint64(numbers[0]) >> shift) & DIGIT] == n_rows:
            continue  # all have the same digit
        total = 0
        for digit in range(len(following)):
            following[digit], total = total, total + following[digit]
        for i in range(n_rows):
            k = (np.uint64(numbers[i]) >> shift) & DIGIT
            where = np.uint64(following[k])
            other_numbers[where], other_rows[where] = numbers[i], rows[i]
            following[k] += 1
        numbers, rows, other_numbers, other_rows = other_numbers, other_rows, numbers, rows
        n_moves += 1
    if n_moves % 2 == 1:
        for i in range(n_rows):
            order[i] = spare[i]


@loop
def keep_order(column: Any, order: Any, ordered: Any) -> int:
    """Fill in the values in order, put rows of the same value in their own; return how many values are known."""
    n_rows, n_known, start, in_order = len(order), 0, 0, True
    for p in range(n_rows):
        row = order[p]
        number = column[row]
        ordered[p] = number
        n_known += number == number
        if p > 0 and (number == ordered[p - 1] or (number != number and p > n_known)):
            in_order = in_order and row > order[p - 1]
        elif in_order:
            start = p
        else:
            sort_few(order[start:p], p - start)
            start, in_order = p, True
    if not in_order:
        sort_few(order[start:n_rows], n_rows - start)
    return n_known


@loop
def steps_apart(distinct: Any, start: int, end: int) -> int:
    """Return a difference of ranks, a power of two, from which on values of a column differ by more than 1e-5.

    Values of a node of a deep tree are far apart in the column, and need not be looked up to see that.
    """
    apart, i = 1, start
    while i < end - apart:
        if distinct[i] + NARROW >= distinct[i + apart]:
            apart, i = 2 * apart, start
        else:
            i += 1
    return apart


@kernel
def rank_columns(
    columns: Floats2,  # (column, row): 0 without a sign
    orders: OutCodes2,  # (column, row): the rows in the order of the values, missing ones last; ties in any order
    places: Codes,  # the lines of `keys` and ...
    lines: Codes,  # ... of `values` that the columns fill in
    keys: OutInts2,  # as of `covey.learners.presort.Presort`
    values: OutCodes2,
    distinct: OutFloats,  # room for the distinct values, one column after the other
    ends: OutInts,  # where those of each column end
    apart: OutInts,
) -> None:
    """Work out the ranks of sorted columns."""
    n_columns, n_rows = columns.shape
    ordered, total = np.empty(n_rows), 0
    for j in range(n_columns):
        order, key, value = orders[j], keys[places[j]], values[lines[j]]
        n_known, first = keep_order(columns[j], order, ordered), total
        is_wide = n_known > 0 and ordered[n_known - 1] - ordered[0] >= SMALLEST_RANGE
        above, rank = np.int64(0), np.int64(-1)
        for p in range(n_known):
            number, row = ordered[p], order[p]
            if p == 0 or number != ordered[p - 1]:
                distinct[total] = number
                total, rank = total + 1, rank + 1
                is_close = is_wide and p > 0 and ordered[p - 1] + NARROW >= number
                above = rank << RANK_BITS | (CLOSE if is_close else np.int64(0))
            key[p], value[row] = above | np.int64(row), rank
        for p in range(n_known, n_rows):
            key[p], value[order[p]] = FIRST_MISSING | np.int64(order[p]), -1
        ends[j], apart[j] = total, steps_apart(distinct, first, total)
