"""What case weights mean to a learner that counts cases."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Weights count cases if so many times the smallest makes whole numbers of all of them.
MOST_PARTS = 64
LARGEST_COUNT = 1e6


def case_counts(weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale case weights so that they can be counted as cases.

    Weights that are whole multiples of a number are divided by the largest such number, so that 1, 2 and 3 are as many
    repetitions, and so are 10, 20 and 30. Others are scaled to a mean of 1 over the rows that have any.
    """
    counts = np.zeros(len(weight))
    present = weight > 0
    whole = _whole_multiples(weight[present])
    counts[present] = weight[present] / weight[present].mean() if whole is None else whole
    return counts


def _whole_multiples(weight: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return how many times each weight holds the largest number that all of them are multiples of, if there is one."""
    smallest = weight.min()
    if weight.max() > LARGEST_COUNT * smallest:
        return None
    for parts in range(1, MOST_PARTS + 1):
        ratio = weight / smallest * parts
        whole = np.rint(ratio)
        if (np.abs(ratio - whole) <= 1e-9 * whole).all():
            return np.asarray(whole)
    return None
