"""Columns of any kind, read as numbers or as categories."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatVector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Column:
    """A column before it is encoded."""

    values: NDArray[Any]  # float64, or object with text; what is missing is NaN
    declared: NDArray[Any] | None = None  # categories that the column's own type declares, used or not

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
    present = values[~missing]
    if pd.api.types.infer_dtype(present, skipna=False) == "string":
        return Column(np.where(missing, np.nan, values))
    if all(isinstance(value, Number | np.bool_) for value in present):
        numbers = np.full(len(values), np.nan)
        numbers[~missing] = [_as_number(value, name) for value in present]
        return Column(numbers)
    text = np.full(len(values), np.nan, dtype=object)
    text[~missing] = [_as_text(value, name) for value in present]
    return Column(text)


def _as_text(value: Any, name: str) -> str:
    """Return a cell as text; a number reads the same whatever its type, so that True, 1 and 1.0 are one category."""
    match value:
        case str():
            return str(value)
        case bytes():
            return value.decode(errors="replace")
        case Number() | np.bool_():
            number = _as_number(value, name)
            return str(int(number)) if number.is_integer() else str(number)
        case _:
            raise _not_a_cell(value, name)


def _as_number(value: Any, name: str) -> float:
    try:
        return float(value)
    except TypeError:
        raise _not_a_cell(value, name) from None
    except OverflowError:
        raise ValueError(f"X: column {name!r} holds a number too large for float64; scale it down.") from None


def _not_a_cell(value: Any, name: str) -> TypeError:
    kind = type(value).__name__
    return TypeError(
        f"X: column {name!r} holds a value of type {kind}, but the argument must be a string or a number in every cell."
    )


def unmask(values: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    """Return a masked array as objects, with None where it is masked."""
    cells: NDArray[Any] = np.ma.getdata(values).astype(object)
    cells[np.ma.getmaskarray(values)] = None
    return cells


def category_list(values: NDArray[Any], name: str) -> NDArray[Any]:
    """Return category labels as an array that any file format can hold: float64, or unicode text."""
    if values.dtype.kind in "fiub":
        return values.astype(np.float64)
    if all(isinstance(value, Number | np.bool_) for value in values):
        return np.array([_as_number(value, name) for value in values], dtype=np.float64)
    labels = [_as_text(value, name) if isinstance(value, Number | np.bool_) else str(value) for value in values]
    return np.array(labels, dtype=np.str_)


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
    if len(categories) == 0:
        return np.full(len(column.values), np.nan)
    import pandas as pd

    known = pd.Index(categories if categories.dtype.kind == "f" else categories.astype(object))
    if not known.is_unique:
        raise ValueError(
            f"X: column {name!r} has categories that cannot be told apart once they are read as float64 numbers or as "
            "text; rename them."
        )
    values = _values_like(categories, column, name)
    codes: FloatVector = np.asarray(known.get_indexer(pd.Index(values, dtype=known.dtype)), dtype=np.float64)
    codes[codes < 0] = np.nan
    return codes


def with_new_categories(column: Column, categories: NDArray[Any], name: str) -> NDArray[Any]:
    """Return the categories, followed by those values of a column that are none of them, sorted; the same if none."""
    if len(categories) == 0:
        observed = observed_categories(Column(column.values))
        return observed if len(observed) else categories
    column = Column(_values_like(categories, column, name))
    strange = np.isnan(encode_categories(column, categories, name))
    new = observed_categories(Column(column.values[strange]))
    return np.concatenate([categories, new]) if len(new) else categories


def _values_like(categories: NDArray[Any], column: Column, name: str) -> NDArray[Any]:
    """Return the values as the categories are: numbers or text."""
    values = column.values
    if categories.dtype.kind != "f":
        if column.is_text:
            return values
        return np.array([_as_text(value, name) if value == value else np.nan for value in values], dtype=object)
    if not column.is_text:
        return values
    try:
        return values.astype(np.float64)
    except ValueError:
        raise ValueError(
            f"X: column {name!r} had numbers as categories in training and now holds text; "
            "give it the type it had in training."
        ) from None


def encode_numbers(column: Column, name: str) -> FloatVector:
    """Return the values of a numeric column."""
    if not column.is_text:
        return column.values
    import pandas as pd

    text = [value for value in column.values if isinstance(value, str)]
    if not text:
        return np.full(len(column.values), np.nan)
    example = text[int(pd.to_numeric(pd.Series(text), errors="coerce").isna().argmax())]
    raise ValueError(
        f"X: could not convert string to float: column {name!r} is to be numeric but holds text such as "
        f"{example!r}; make numbers or NaN of it, or, in training, name the column in categorical_features."
    )
