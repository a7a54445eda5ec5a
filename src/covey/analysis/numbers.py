"""Numbers as callers give them (arrays, lists, frames, masked arrays), weights, and what counts as equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Three sizes of what is rounding only, so that equal things count as equal whatever the order of a sum.
# Two numbers as given, or the outcomes of a few operations, differ by no more than this share of the larger one:
ROUNDING = 4 * float(np.finfo(np.float64).eps)
# shares of votes, rates, accuracies and differences of scores, which are sums of some shares, by no more than this;
TIE = 1e-12
# and sums over all rows (entropies, distances, weights of cases) by no more than this share of their size.
LONG_SUM = 1e-10


def read_numbers(values: Any, name: str, remedy: str = "") -> Floats:
    """Return a copy of some values as float64, with NaN for what is missing or masked."""
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


def check_finite(values: Floats, name: str, remedy: str, axes: tuple[tuple[str, Sequence[str]], ...] = ()) -> None:
    """Refuse what is missing or infinite, by its place; axes may have a word and names for the positions."""
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        place = tuple(wrong[0].tolist())
        where = f"at position {place[0] if len(place) == 1 else place}, counted from 0"
        if axes:
            where = " ".join(f"{word} {names[at]!r}" for (word, names), at in zip(axes, place, strict=True))
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise ValueError(f"{name} has {values[place]} {where}{more}; {remedy}.")


def read_weights(weights: Any, count: int, name: str, what: str) -> Floats:
    """Return weights, 1 each if none are given, refusing too few, negative and infinite ones, and zeros throughout."""
    if weights is None:
        return np.ones(count)
    values = read_numbers(weights, name, f"give one weight for each {what}")
    if values.shape != (count,):
        raise ValueError(f"{name} has shape {values.shape}, but there are {count} {what}s; give one weight each.")
    if not np.isfinite(values).all() or (values < 0).any():
        raise ValueError(f"{name} must be finite and not negative; leave out {what}s that are to count for nothing.")
    if not values.any():
        raise ValueError(f"{name} is zero throughout, so nothing counts; give at least one {what} a positive weight.")
    return values
