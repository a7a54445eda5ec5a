"""The rows in the order of a column: a radix sort, which keeps rows of equal value in their own order."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import OutCodes, OutInts, kernel, part

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
