"""Rows of any kind (arrays, lists, frames that narwhals knows), read as columns of numbers or categories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Number
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

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


@dataclass(frozen=True, eq=False)
class Source:
    """Rows as they came."""

    names: tuple[str, ...] | None
    matrix: NDArray[np.float64]  # C-contiguous; columns that are no plain numbers are still to be filled in
    others: Mapping[int, Callable[[], Column]]  # what reads each of those, by position
    owned: bool  # whether the matrix is a fresh one, so that it may be written to


def open_source(X: Any) -> Source:
    """Look at an array, a list of rows or a data frame, without copying it."""
    try:
        frame = nw.from_native(X, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        raise ValueError(f"X has columns of the same name; rename them. {error}") from None
    if isinstance(frame, nw.LazyFrame):
        raise TypeError("X is a lazy frame; collect() it first.")
    if isinstance(frame, nw.DataFrame):
        return _from_frame(frame)
    return _from_array(X)


def _from_array(X: Any) -> Source:
    rows = X if hasattr(X, "dtype") or hasattr(X, "tocsr") else _rows_of(X)
    if isinstance(rows, np.ma.MaskedArray):
        rows = unmask(rows)
    kind = getattr(getattr(rows, "dtype", None), "kind", None)
    if kind in ("M", "m", "V"):
        raise TypeError(
            f"X is of type {rows.dtype}, which no learner can use; turn dates and records into numbers or text first."
        )
    if kind not in ("O", "U", "S", "T"):
        matrix = check_array(rows, dtype=np.float64, order="C", ensure_all_finite=False, input_name="X")
        return Source(None, matrix, {}, owned=False)
    cells = check_array(rows, dtype=None, ensure_all_finite=False, input_name="X").astype(object)
    others = {j: partial(column_from_objects, cells[:, j], f"x{j}") for j in range(cells.shape[1])}
    return Source(None, np.empty(cells.shape), others, owned=True)


def _rows_of(X: Any) -> Any:
    """Lists of rows, kept as objects where NumPy would turn their numbers into text."""
    rows = np.asarray(X)
    return np.asarray(X, dtype=object) if rows.dtype.kind in "US" else rows


def _from_frame(frame: nw.DataFrame[Any]) -> Source:
    keys = frame.columns
    names = tuple(str(name) for name in keys)
    if len(set(names)) < len(names):
        raise ValueError(f"X has columns of the same name, read as text; rename them: {list(names)}")
    if 0 in frame.shape:
        check_array(np.empty(frame.shape), input_name="X")  # says what is missing, as scikit-learn does
    kinds = frame.schema.dtypes()
    for name, kind in zip(names, kinds, strict=True):
        if kind.is_temporal() or kind.is_nested() or kind == nw.Binary:
            raise TypeError(
                f"X: column {name!r} is of type {kind}, which no learner can use; turn it into numbers first, or leave "
                "it out."
            )
    blocks = list(_plain_numbers(frame, kinds))
    if any(len(columns) == len(names) for columns, _ in blocks):
        return Source(names, np.ascontiguousarray(blocks[0][1], dtype=np.float64), {}, owned=False)
    matrix, left = np.empty(frame.shape), set(range(len(names)))
    for columns, numbers in blocks:
        matrix[:, columns] = numbers
        left -= set(columns)
    others = {j: partial(_read_series, frame, keys[j], names[j]) for j in sorted(left)}
    return Source(names, matrix, others, owned=True)


def _plain_numbers(frame: nw.DataFrame[Any], kinds: Sequence[Any]) -> Iterator[tuple[list[int], NDArray[Any]]]:
    """Columns of plain numbers all at once: taken singly, thousands take minutes.

    Booleans come apart from them, since together both may come as objects.
    """
    for boolean in (False, True):
        columns = [j for j, kind in enumerate(kinds) if (kind == nw.Boolean if boolean else kind.is_numeric())]
        numbers = frame[:, columns].to_numpy() if columns else None
        if numbers is not None and numbers.dtype.kind in "fiub":
            yield columns, numbers


def _read_series(frame: nw.DataFrame[Any], key: str, name: str) -> Column:
    series = frame.get_column(key)
    if series.dtype in (nw.Categorical, nw.Enum):
        return _read_categorical(series, name)
    values = series.to_numpy()
    if values.dtype.kind in "fiub":
        return Column(values.astype(np.float64))
    column = column_from_objects(values.astype(object), name)
    if series.dtype == nw.String and str(getattr(series.to_native(), "dtype", "")) != "object":
        return Column(column.values.astype(object))  # text by its type, even where every value is missing
    return column


def _read_categorical(series: nw.Series[Any], name: str) -> Column:
    native = series.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "categories"):
        labels = category_list(native.cat.categories.to_numpy(), name)
        codes = native.cat.codes.to_numpy()
        values = labels.astype(object if labels.dtype.kind != "f" else np.float64)
        if len(labels) == 0:
            return Column(np.full(len(codes), np.nan), declared=labels)
        return Column(np.where(codes >= 0, values[codes], np.nan), declared=labels)
    # As a list, since a pyarrow dictionary turned into an array gives its missing values a category.
    column = column_from_objects(np.array(series.to_list(), dtype=object), name)
    if isinstance(series.dtype, nw.Enum):
        return Column(column.values, declared=category_list(np.array(series.dtype.categories, dtype=object), name))
    return Column(column.values, declared=observed_categories(column))
