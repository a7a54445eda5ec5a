"""One column of any kind, read as numbers or as categories."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatVector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Column:
    """A column before it is encoded.

    Parameters
    ----------
    values : ndarray
        float64, or object with text; what is missing is NaN.
    declared : ndarray or None
        The categories that the column's own type declares, used or not.
    """

    values: NDArray[Any]
    declared: NDArray[Any] | None = None

    @property
    def is_text(self) -> bool:
        """Whether the values are text."""
        return self.values.dtype == object

    @property
    def is_categorical(self) -> bool:
        """Whether the column's own type makes it categorical: text always is."""
        return self.is_text or self.declared is not None


def column_from_objects(values: NDArray[Any], name: str) -> Column:
    """Read Python objects: numbers stay numbers, text (or text among numbers) is text, None is missing."""
    import pandas as pd

    missing = np.asarray(pd.isna(values))
    if missing.shape != values.shape:
        raise _not_a_cell(values, name)
    present = values[~missing]
    if pd.api.types.infer_dtype(present, skipna=False) == "string":
        return Column(np.where(missing, np.nan, values))
    if all(isinstance(value, Number | np.bool_) for value in present):
        numbers = np.full(len(values), np.nan)
        try:
            numbers[~missing] = present.astype(np.float64)
        except TypeError:
            raise _not_a_cell(present, name) from None
        return Column(numbers)
    text = np.full(len(values), np.nan, dtype=object)
    text[~missing] = [_as_text(value, name) for value in present]
    return Column(text)


def _as_text(value: Any, name: str) -> str:
    match value:
        case str():
            return str(value)
        case bytes():
            return value.decode(errors="replace")
        case float() | np.floating() if float(value).is_integer():
            return str(int(value))
        case Number() | np.bool_():
            return str(value)
        case _:
            raise _not_a_cell(value, name)


def _not_a_cell(value: Any, name: str) -> TypeError:
    kind = type(value).__name__
    return TypeError(
        f"X: column {name!r} holds a value of type {kind}, but the argument must be a string or a number in every cell."
    )


def category_list(values: NDArray[Any]) -> NDArray[Any]:
    """Return category labels as an array that any file format can hold: float64, or unicode text."""
    if values.dtype.kind in "fiub":
        return values.astype(np.float64) if values.dtype.kind != "b" else values.astype(str)
    if all(isinstance(value, Number) and not isinstance(value, bool) for value in values):
        return values.astype(np.float64)
    return np.array([str(value) for value in values], dtype=np.str_).reshape(len(values))


def observed_categories(column: Column) -> NDArray[Any]:
    """Return the categories of a column: those its type declares, else those that occur, sorted."""
    if column.declared is not None:
        return column.declared
    values = column.values
    if not column.is_text:
        return np.unique(values[~np.isnan(values)])
    import pandas as pd

    return np.array(sorted(pd.Series(values, dtype=object).dropna().unique()), dtype=np.str_)


def encode_categories(column: Column, categories: NDArray[Any], name: str) -> FloatVector:
    """Return the position of each value among the categories, NaN where it is missing or not among them."""
    values = column.values
    if categories.dtype.kind == "f":
        if column.is_text:
            values = _numbers_of_text(values, name)
        return _positions_of_numbers(values, categories)
    if not column.is_text:
        values = np.array([_as_text(value, name) if value == value else np.nan for value in values], dtype=object)
    import pandas as pd

    positions = pd.Index(categories.astype(object)).get_indexer(pd.Index(values, dtype=object))
    codes: FloatVector = np.asarray(positions, dtype=np.float64)
    codes[codes < 0] = np.nan
    return codes


def _positions_of_numbers(values: FloatVector, categories: FloatVector) -> FloatVector:
    codes = np.full(len(values), np.nan)
    if len(categories):
        order = np.argsort(categories)
        place = np.minimum(np.searchsorted(categories, values, sorter=order), len(categories) - 1)
        known = categories[order[place]] == values
        codes[known] = order[place][known]
    return codes


def _numbers_of_text(values: NDArray[Any], name: str) -> FloatVector:
    try:
        numbers: FloatVector = values.astype(np.float64)
    except ValueError:
        raise ValueError(
            f"X: column {name!r} had numbers as categories in training and now holds text; "
            "give it the type it had in training."
        ) from None
    return numbers


def encode_numbers(column: Column, name: str) -> FloatVector:
    """Return the values of a numeric column."""
    if column.is_text:
        example = next((value for value in column.values if isinstance(value, str)), None)
        if example is None:
            return np.full(len(column.values), np.nan)
        raise ValueError(
            f"X: could not convert string to float: column {name!r} holds text ({example!r}) but is to be numeric; "
            "name it in categorical_features, or give it the type it had in training."
        )
    return column.values
