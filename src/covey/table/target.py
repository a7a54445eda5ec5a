"""The target: class labels turned into codes, or numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d


def encode_classes(y: Any) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes in sorted order, and each row's class as a position among them.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Numbers, booleans or text.

    Raises
    ------
    ValueError
        A missing or infinite label, real-valued labels, or text mixed with numbers.
    """
    labels = _labels(y)
    check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.reshape(-1)


def _labels(y: Any) -> NDArray[Any]:
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    native = y.to_numpy() if hasattr(y, "to_numpy") else y
    labels: NDArray[Any] = column_or_1d(native, warn=True)
    if labels.dtype == object:
        missing = [i for i, label in enumerate(labels) if label is None or label != label]
        if missing:
            raise ValueError(f"Input y contains NaN: {_rows(missing)} no label; drop them first.")
        kinds = {isinstance(label, str) for label in labels}
        if kinds == {True, False}:
            raise ValueError("Input y mixes text and numbers as labels; make them all text.")
        return np.array([str(label) for label in labels]) if kinds == {True} else np.array(labels.tolist())
    if labels.dtype.kind == "f":
        _check_no_gaps(labels)
    return labels


def check_numeric_target(y: Any) -> NDArray[np.float64]:
    """Return the target of a regression as float64, refusing what is missing, infinite or not a number."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    native = y.to_numpy() if hasattr(y, "to_numpy") else y
    values = column_or_1d(native, warn=True)
    if values.dtype.kind not in "fiubO":
        raise ValueError(f"Input y must be numbers for a regression, but it holds {values.dtype.type.__name__} values.")
    numbers: NDArray[np.float64] = values.astype(np.float64)
    _check_no_gaps(numbers)
    return numbers


def _check_no_gaps(values: NDArray[Any]) -> None:
    missing = np.flatnonzero(np.isnan(values)).tolist()
    if missing:
        raise ValueError(f"Input y contains NaN: {_rows(missing)} no value; drop them first.")
    infinite = np.flatnonzero(np.isinf(values)).tolist()
    if infinite:
        raise ValueError(f"Input y contains infinity: {_rows(infinite)} an infinite value.")


def _rows(positions: list[int]) -> str:
    shown = ", ".join(map(str, positions[:3])) + (", ..." if len(positions) > 3 else "")
    return f"row {shown} has" if len(positions) == 1 else f"{len(positions)} rows ({shown}) have"
