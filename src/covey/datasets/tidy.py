"""Any data frame's columns as covey wants them: float64 or categories, and nothing else."""

from __future__ import annotations

import re
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from covey._text import quoted
from covey.datasets.choice import Choice
from covey.datasets.errors import DataFormatError, date_advice, refuse_repeated_names
from covey.datasets.words import Words, read_words


class Tidied(NamedTuple):
    """A tidy frame and what the provenance should say about how it was read."""

    frame: pd.DataFrame
    notes: tuple[str, ...]


def tidy_frame(
    frame: pd.DataFrame, where: str, choice: Choice | None = None, *, delimiter: str | None = None
) -> Tidied:
    """Turn every column into float64 or categories.

    Numbers become float64, booleans 0 and 1; text becomes categories, sorted; categories stay in their order, as
    text unless they are numbers. A target of booleans becomes the classes False and True.

    Parameters
    ----------
    frame : DataFrame
        As read from a file without declared types, without the columns to drop.
    where : str
        The file, for messages.
    choice : Choice, optional
        Its columns to be categories become so unseen; its target keeps booleans as classes.
    delimiter : str, optional
        Of delimited text, whose types must be guessed; None for a source that tells text from numbers.

    Returns
    -------
    Tidied
        The frame, with the same column names and a fresh index, and notes.

    Raises
    ------
    DataFormatError
        There are no rows, a column holds dates or other objects, a number is infinite, or a column of numbers is
        spoilt by a few words.
    """
    if len(frame) == 0:
        raise DataFormatError(where, "there are no rows of data")
    names = [str(name) for name in frame.columns]
    refuse_repeated_names(names, where)
    reader = _ColumnReader(where, choice or Choice(), delimiter)
    columns = {name: reader.read(frame.iloc[:, index], name) for index, name in enumerate(names)}
    return Tidied(pd.DataFrame(columns), tuple(reader.notes))


class _ColumnReader:
    """Gives columns their types and gathers what is to be said about them."""

    def __init__(self, where: str, choice: Choice, delimiter: str | None) -> None:
        self.where = where
        self.choice = choice
        self.delimiter = delimiter
        self.notes: list[str] = []

    def read(self, column: pd.Series[Any], name: str) -> pd.Series[Any]:
        column = column.reset_index(drop=True)
        is_nominal = isinstance(column.dtype, pd.CategoricalDtype)
        kind: Any = column.cat.categories.dtype if is_nominal else column.dtype
        if name in self.choice.categorical and not is_nominal:
            return _as_categories(column, name)
        if re.match("datetime|timedelta|period", str(kind)):
            raise DataFormatError(self.where, f"the column {name!r} is of type {kind}, {date_advice(name)}")
        if is_nominal:
            is_plain = pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
            return column if is_plain else column.cat.rename_categories(str)
        if pd.api.types.is_bool_dtype(kind):
            return self._booleans(column, name)
        if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
            return self._numbers(column, name)
        if pd.api.types.is_string_dtype(kind) and not pd.api.types.is_object_dtype(kind):
            return self._words(column, name)
        if pd.api.types.is_object_dtype(kind):
            return self._objects(column, name)
        raise DataFormatError(self.where, f"the column {name!r} is of type {kind}, which is neither numbers nor text")

    def _objects(self, column: pd.Series[Any], name: str) -> pd.Series[Any]:
        if pd.api.types.infer_dtype(column, skipna=True) in ("string", "empty"):
            return self._words(column, name)
        types = set(column.dropna().map(type))
        if types <= {bool, np.bool_}:
            return self._booleans(column, name)
        if all(issubclass(kind, Real | Decimal) and not issubclass(kind, bool) for kind in types):
            return self._numbers(column, name)
        kinds = quoted(sorted(kind.__name__ for kind in types))
        is_time = "date" in kinds or "time" in kinds.lower()
        advice = date_advice(name) if is_time else "not only numbers or only text"
        raise DataFormatError(self.where, f"the column {name!r} holds values of type {kinds}, {advice}")

    def _words(self, column: pd.Series[Any], name: str) -> pd.Series[Any]:
        words = Words.of(column, name)
        if not words.texts:
            return pd.Series(np.nan, index=column.index, dtype="float64")
        values, notes = read_words(words, self.where, self.delimiter, name == self.choice.target)
        self.notes += notes
        return values

    def _booleans(self, column: pd.Series[Any], name: str) -> pd.Series[Any]:
        if name == self.choice.target:
            return _as_categories(column, name)
        return self._numbers(column.astype("boolean").astype("Float64"), name)

    def _numbers(self, column: pd.Series[Any], name: str) -> pd.Series[Any]:
        numbers = pd.Series(pd.to_numeric(column).to_numpy(dtype="float64", na_value=np.nan), index=column.index)
        infinite = np.flatnonzero(np.isinf(numbers.to_numpy()))
        if len(infinite):
            raise DataFormatError(
                self.where,
                f"the column {name!r} is infinite in row {infinite[0] + 1} of the data; write a finite number, or "
                "leave the cell empty if the value is not known",
            )
        return numbers


def _as_categories(column: pd.Series[Any], name: str) -> pd.Series[Any]:
    return Words.of(column.astype(object).map(str, na_action="ignore"), name).as_categories()
