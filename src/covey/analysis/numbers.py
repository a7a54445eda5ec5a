"""Numbers as callers give them: arrays and lists, frames and series with gaps, masked arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# By how much, as a share of the larger one, two numbers may differ that are the same but for rounding.
ROUNDING = 4 * float(np.finfo(np.float64).eps)


def read_numbers(values: Any, name: str, remedy: str = "") -> Floats:
    """Return a copy of some values as float64, with NaN for what is missing or masked.

    Parameters
    ----------
    values : array-like, frame or series
        What was given.
    name, remedy : str
        What errors call it, and what they say is to be done.
    """
    if hasattr(values, "toarray"):
        raise TypeError(f"{name} is a sparse matrix; give {name}.toarray().")
    try:
        return _convert(values)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, as many in each row{'; ' if remedy else ''}{remedy}.") from None


def _convert(values: Any) -> Floats:
    if isinstance(values, np.ma.MaskedArray):
        return np.where(np.ma.getmaskarray(values), np.nan, np.ma.getdata(values).astype(np.float64))
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        import pandas as pd

        objects = np.array(values, dtype=object)
        objects[pd.isna(objects)] = np.nan
        return objects.astype(np.float64)


def check_finite(values: Floats, name: str, remedy: str) -> None:
    """Refuse what is missing or infinite, by its place."""
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        place = tuple(wrong[0].tolist())
        where = place[0] if len(place) == 1 else place
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise ValueError(f"{name} has {values[place]} at position {where}{more}, counted from 0; {remedy}.")
