"""The best rows so far, in order."""

from __future__ import annotations

from typing import Any

from covey.kernels.compile import inlined_exactly


@inlined_exactly
def insert(where: Any, value: Any, line: int, row: int, new: float) -> bool:
    """Put a row in its place on a line of the best, of rows of the same value the lowest first; say whether it has one.

    Places without a row hold -1.
    """
    count = where.shape[1]
    place = count
    while place > 0:
        other, old = where[line, place - 1], value[line, place - 1]
        if other >= 0 and (old < new or (old == new and other < row)):
            break
        if place < count:
            where[line, place] = other
            value[line, place] = old
        place -= 1
    if place < count:
        where[line, place] = row
        value[line, place] = new
    return bool(place < count)
