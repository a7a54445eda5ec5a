"""Parts that claims of this paper share."""

from __future__ import annotations

from covey._rounding import write_number

# Below so many datasets, how many of them and which ranks are left to chance.
FEW_DATASETS = 6


def two(value: float) -> str:
    """Write a number with two decimals."""
    return write_number(float(value), ".2f")
