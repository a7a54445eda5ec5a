"""Sizes that kernels and their callers share: rows side by side, and work per call. It loads no compiler."""

from __future__ import annotations

from collections.abc import Iterator

# How many rows lie side by side, for one instruction to reckon with many of them.
LANES = 64

# A sum of squares in float32 must not come near the largest number there is.
LARGEST_SUM = 1e37

# Distances that differ by less than this share are the same: differences of scaled numbers are rounded.
TIE = 1e-9

# Numbers that a kernel goes through in half a second to two seconds.
WORK = 2**32


def pieces(count: int, work: float) -> Iterator[slice]:
    """Divide tasks, each of which goes through ``work`` numbers, among calls of a kernel of about a second each.

    Ctrl-C is heard only between two calls.
    """
    size = max(1, int(WORK / max(work, 1.0)))
    for first in range(0, count, size):
        yield slice(first, min(first + size, count))
