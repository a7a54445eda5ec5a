"""Distances along some coordinates, each of which may count several times."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.kernels.compile import loop


@loop
def squared_distance_along(
    left: Any, i: int, right: Any, j: int, which: Any, times: Any, start: int, stop: int, n_plain: int, n_numbers: int
) -> float:
    """Return the exact squared distance of two cases along the coordinates ``which[start:stop]``, in that order.

    Each counts as often as ``times`` says. Coordinates are of the three kinds that `covey.kernels.distance` tells of.
    """
    total = 0.0
    for at in range(start, stop):
        f = which[at]
        difference = left[i, f] - right[j, f]
        if f < n_plain:
            square = difference * difference
        elif f < n_numbers:
            square = difference * difference
            if square == np.inf:
                square = 1.0
            elif square != square:
                square = 0.0
        else:
            square = 0.0 if difference == 0.0 else 1.0
        total += times[at] * square
    return total
