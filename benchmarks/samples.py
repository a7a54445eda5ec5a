"""The data that several benchmarks draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from covey.datasets import make_ringnorm, make_twonorm


def numeric_rows(n_rows: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw 20 numeric columns, half of them informative, a quarter redundant, a hundredth of the classes wrong."""
    return make_classification(
        n_rows, 20, n_informative=10, n_redundant=5, n_classes=n_classes, flip_y=0.01, random_state=0
    )


# 7,400 rows of which two thirds, 4,933, are trained on, as in the sphere-cover paper.
DATA: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "classification": lambda: numeric_rows(7400, 2),
    "twonorm": lambda: make_twonorm(7400, random_state=0),
    "ringnorm": lambda: make_ringnorm(7400, random_state=0),
}


def split(X: np.ndarray, y: np.ndarray) -> Any:
    """Return two thirds for training and one for test."""
    return train_test_split(X, y, train_size=round(2 * len(y) / 3), random_state=0)
