"""Case weights: real, non-negative, not all zero."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._sklearn import check_sample_weight

# Weights are multiplied by each other's ratios, which must not overflow.
LARGEST_SUM = 1e290


def check_weight(sample_weight: Any, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return case weights as float64, ones by default.

    Raises
    ------
    ValueError
        Wrong length, NaN, a negative weight, no positive weight at all, or too large a sum.
    """
    weight: NDArray[np.float64] = check_sample_weight(sample_weight, matrix, dtype=np.float64)
    if (weight < 0).any():
        row = int(np.argmax(weight < 0))
        raise ValueError(f"Negative values in data passed to sample_weight: {weight[row]} at row {row}; use 0 or more.")
    if not weight.any():
        raise ValueError("sample_weight is zero for every row; give at least one row a positive weight.")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if total > LARGEST_SUM:
        raise ValueError(f"sample_weight adds up to {total:g}, too much to reckon with; divide it by a constant.")
    return weight


def check_class_weights(classes: NDArray[Any], codes: NDArray[np.intp], weight: NDArray[np.float64]) -> None:
    """Refuse a class none of whose rows has weight: nothing can be learnt of it."""
    empty = classes[np.bincount(codes, weight, minlength=len(classes)) == 0]
    if len(empty):
        raise ValueError(f"The classes {empty.tolist()} have no row with a positive sample_weight; leave them out.")
