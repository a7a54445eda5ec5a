"""Sorting of few numbers in place: numba takes a second to compile its own sort for one more type."""

from __future__ import annotations

from typing import Any

from covey.kernels.compile import loop


@loop
def sort_few(numbers: Any, n_numbers: int) -> None:
    """Sort the first numbers of an array (Shell's method, gaps of Knuth)."""
    gap = 1
    while gap < n_numbers // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n_numbers):
            number, j = numbers[i], i
            while j >= gap and numbers[j - gap] > number:
                numbers[j] = numbers[j - gap]
                j -= gap
            numbers[j] = number
        gap //= 3
