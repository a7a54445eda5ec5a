"""Sources of rows, read as columns: arrays, lists and the data frames that narwhals knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from covey.table.column import Column, category_list, column_from_objects, observed_categories, unmask


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
