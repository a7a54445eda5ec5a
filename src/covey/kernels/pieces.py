"""Long work in pieces: Ctrl-C is heard only between two calls of kernels."""

from __future__ import annotations

from collections.abc import Iterator

# Numbers that a kernel goes through in half a second to two seconds.
WORK = 2**32


def pieces(count: int, work: float) -> Iterator[slice]:
    """Divide tasks among calls of a kernel that take about a second each.

    Parameters
    ----------
    count : int
        How many tasks there are.
    work : float
        How many numbers each of them goes through.
    """
    size = max(1, int(WORK / max(work, 1.0)))
    for first in range(0, count, size):
        yield slice(first, min(first + size, count))
