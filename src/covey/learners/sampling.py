"""Rows drawn class by class, so that each class has its share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def class_by_class(codes: NDArray[Any], weight: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the rows that have weight in random order, but one class after the other, whatever their codes are."""
    rows = rng.permutation(np.flatnonzero(weight > 0))
    _, first, label = np.unique(codes[rows], return_index=True, return_inverse=True)
    return rows[np.argsort(first[label], kind="stable")]


def some_of_each(
    codes: NDArray[Any], weight: NDArray[np.float64], most: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return at most so many of the rows that have weight, drawn at random and as large a share of each class."""
    order = class_by_class(codes, weight, rng)
    n_rows = min(most, len(order))
    return np.sort(order[np.arange(n_rows) * len(order) // n_rows])
