"""Targets and weights: class labels turned into codes, or numbers; and how much each row counts."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from covey._sklearn import check_sample_weight
from covey.table.source import unmask

# Weights are multiplied by each other's ratios, which must not overflow.
LARGEST_SUM = 1e290
_LABELS = "labels must be numbers, booleans or text."


def encode_classes(y: Any, *, name: str = "y") -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes in sorted order, and each row's class as a position among them.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Numbers, booleans or text.
    name : str, default="y"
        What errors call it.

    Raises
    ------
    ValueError
        A missing or infinite label, real-valued labels, or text mixed with numbers.
    """
    labels = check_labels(y, name)
    check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.reshape(-1)


def check_labels(y: Any, name: str) -> NDArray[Any]:
    """Return labels as an array of one kind, refusing what is missing, infinite or no label at all."""
    labels = _vector(y)
    if labels.dtype == object:
        _check_values(labels, name)
        kinds = {isinstance(label, str) for label in labels}
        if kinds == {True, False}:
            raise ValueError(f"Input {name} mixes text and numbers as labels; make them all text.")
        strange = next((label for label in labels if not isinstance(label, str | bytes | Number | np.bool_)), None)
        if strange is not None:
            raise ValueError(f"Input {name} holds a label of type {type(strange).__name__}; {_LABELS}")
        return np.array([str(label) for label in labels]) if kinds == {True} else np.array(labels.tolist())
    if labels.dtype.kind in "mM":
        raise ValueError(f"Input {name} holds {labels.dtype} labels; {_LABELS}")
    _check_values(labels, name)
    return labels


def check_numeric_target(y: Any) -> NDArray[np.float64]:
    """Return the target of a regression as float64, refusing what is missing, infinite or not a number."""
    values = _vector(y)
    _check_values(values, "y")
    if values.dtype.kind not in "fiubO":
        raise ValueError(f"Input y must be numbers for a regression, but it holds {values.dtype.type.__name__} values.")
    try:
        numbers: NDArray[np.float64] = values.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"Input y must be numbers for a regression: {error}.") from None
    _check_values(numbers, "y")
    return numbers


def _vector(y: Any) -> NDArray[Any]:
    """Return what holds the target as a 1-D array, of objects where NumPy would turn its values into text."""
    if y is None:
        raise ValueError("Training requires y to be passed, but the target y is None.")
    native: Any = y
    if hasattr(y, "to_pylist"):  # pyarrow, whose arrays would give a missing label a category
        native = np.array(y.to_pylist(), dtype=object)
    elif isinstance(y, np.ma.MaskedArray):
        native = unmask(y)
    elif hasattr(y, "to_numpy"):
        native = y.to_numpy()
    elif not hasattr(y, "dtype") and np.asarray(y).dtype.kind == "U":
        native = np.asarray(y, dtype=object)
    if getattr(getattr(native, "dtype", None), "kind", None) == "T":
        native = native.astype(object)
    vector: NDArray[Any] = column_or_1d(native, warn=True)
    return vector


def _check_values(values: NDArray[Any], name: str) -> None:
    """Refuse what is missing or infinite."""
    import pandas as pd

    missing = np.flatnonzero(pd.isna(values)).tolist()
    if missing:
        raise ValueError(f"Input {name} contains NaN: {_rows(missing)} no value; drop them first.")
    infinite = np.flatnonzero(np.isinf(values)).tolist() if values.dtype.kind == "f" else []
    if infinite:
        raise ValueError(f"Input {name} contains infinity: {_rows(infinite)} an infinite value.")


def _rows(positions: list[int]) -> str:
    shown = ", ".join(map(str, positions[:3])) + (", ..." if len(positions) > 3 else "")
    return f"row {shown} has" if len(positions) == 1 else f"{len(positions)} rows ({shown}) have"


def check_weight(sample_weight: Any, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of rows as float64, ones by default.

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
