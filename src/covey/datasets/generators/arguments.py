"""A check of what generators are asked to judge."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def check_table(X: ArrayLike, n_features: int) -> NDArray[np.float64]:
    """Return X as a matrix of floats; raise unless it has as many columns as the task generates."""
    table = np.asarray(X, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != n_features:
        raise ValueError(
            f"X has the shape {table.shape} but the task generates {n_features} features; "
            "give one row per case with the generated columns in their order."
        )
    return table
