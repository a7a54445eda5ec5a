"""Columns of any data frame as covey wants them: float64 or categories, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from covey._text import counted, quoted
from covey.datasets.dataset import Choice
from covey.datasets.errors import DataFormatError, date_advice, refuse_repeated_names

_MARKS = ("na", "n/a", "#n/a", "<na>", "nan", "null")
MISSING = frozenset({"", "?", "NaN", "Null", *_MARKS, *(mark.upper() for mark in _MARKS)})
"""What stands for a missing value in delimited text, without the blanks around it; "Na" is sodium and "Nan" a name."""

_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[T ]\d{1,2}:\d{2}.*)?", re.ASCII
)
_DIGITS = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?(?:[1-9]\d{0,2},\d{3}|\d+)", re.ASCII)
_GROUPED = r"\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?"
_DECORATED = re.compile(rf"[+-]?[$€£]?\s?[+-]?(?:{_GROUPED})\s?[%$€£]?", re.ASCII)
# A float64 tells whole numbers of up to 15 digits apart.
_LONGEST_NUMBER = 15
# A text column is taken for damaged numbers when nearly all of it are numbers, and many different ones.
_DAMAGED_SHARE = 0.9
_DAMAGED_KINDS = 20
# From this share on, a column is mostly dates or mostly numbers.
_MOST = 0.8


class Tidied(NamedTuple):
    """A tidy frame and what the provenance should say about how it was read."""

    frame: pd.DataFrame
    notes: tuple[str, ...]


def tidy_frame(
    frame: pd.DataFrame, where: str, choice: Choice | None = None, *, delimiter: str | None = None
) -> Tidied:
    """Turn every column into float64 or categories, under a fresh index.

    Numbers become float64, booleans 0 and 1; text becomes categories, sorted; categories stay in their order, as
    text unless they are numbers. A target of booleans becomes the classes False and True. `where` is the file, for
    messages, and `delimiter` that of delimited text, whose types must be guessed; None for a source that tells text
    from numbers. Refused are dates and other objects, infinite numbers, and numbers spoilt by a few words.
    """
    if len(frame) == 0:
        raise DataFormatError(where, "there are no rows of data")
    names = [str(name) for name in frame.columns]
    refuse_repeated_names(names, where)
    reader = _ColumnReader(where, choice or Choice(), delimiter)
    columns = {name: reader.read(frame.iloc[:, index], name) for index, name in enumerate(names)}
    return Tidied(pd.DataFrame(columns), tuple(reader.notes))


def are_codes(texts: list[str]) -> bool:
    """Tell whether whole numbers are identifiers: some start with a needless zero or have more than 15 digits."""
    if not all(_DIGITS.fullmatch(text) for text in texts):
        return False
    has_zeros = any(text[0] == "0" and len(text) > 1 for text in texts)
    is_long = any(len(text.lstrip("+-")) > _LONGEST_NUMBER for text in texts)
    return (has_zeros and all(text.isdecimal() for text in texts)) or is_long


@dataclass(frozen=True, slots=True)
class _Texts:
    """A column of text as its distinct values, in order of appearance, and where they stand."""

    name: str
    values: list[str]
    codes: NDArray[np.intp]  # of every row, -1 where the value is missing

    @classmethod
    def of(cls, column: pd.Series[Any], name: str) -> _Texts:
        codes, values = pd.factorize(column)
        return cls(name, values.to_numpy(dtype=object).tolist(), codes)

    def matching(self, pattern: re.Pattern[str]) -> NDArray[np.bool_]:
        """Tell which values match a pattern entirely."""
        return np.array([pattern.fullmatch(text) is not None for text in self.values], dtype=bool)

    def rows(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell for every row that has a value whether it is chosen."""
        return chosen[self.codes[self.codes >= 0]]

    def as_categories(self) -> pd.Series[Any]:
        """Return the column as sorted categories."""
        order = sorted(range(len(self.values)), key=self.values.__getitem__)
        # The last place serves the code -1 of missing values.
        places = np.full(len(order) + 1, -1)
        places[order] = np.arange(len(order))
        categories = pd.Index([self.values[index] for index in order], dtype=None if order else object)
        return pd.Series(pd.Categorical.from_codes(places[self.codes], categories=categories))

    def as_numbers(self, numbers: NDArray[np.float64]) -> pd.Series[Any]:
        """Return the column with every value replaced by its number."""
        return pd.Series(np.append(numbers, np.nan)[self.codes])


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
            raise self._refusal(name, f"is of type {kind}, {date_advice(name)}")
        if is_nominal:
            is_plain = pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
            return column if is_plain else column.cat.rename_categories(str)
        if pd.api.types.is_bool_dtype(kind):
            return self._booleans(column, name)
        if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
            return self._numbers(column, name)
        if pd.api.types.is_object_dtype(kind):
            return self._objects(column, name)
        if pd.api.types.is_string_dtype(kind):
            return self._text(column, name)
        raise self._refusal(name, f"is of type {kind}, which is neither numbers nor text")

    def _refusal(self, name: str, problem: str) -> DataFormatError:
        return DataFormatError(self.where, f"the column {name!r} {problem}")

    def _objects(self, column: pd.Series[Any], name: str) -> pd.Series[Any]:
        if pd.api.types.infer_dtype(column, skipna=True) in ("string", "empty"):
            return self._text(column, name)
        types = set(column.dropna().map(type))
        if types <= {bool, np.bool_}:
            return self._booleans(column, name)
        if all(issubclass(kind, Real | Decimal) and not issubclass(kind, bool) for kind in types):
            return self._numbers(column, name)
        kinds = quoted(sorted(kind.__name__ for kind in types))
        is_time = "date" in kinds or "time" in kinds.lower()
        advice = date_advice(name) if is_time else "not only numbers or only text"
        raise self._refusal(name, f"holds values of type {kinds}, {advice}")

    def _booleans(self, column: pd.Series[Any], name: str) -> pd.Series[Any]:
        if name == self.choice.target:
            return _as_categories(column, name)
        return self._numbers(column.astype("boolean").astype("Float64"), name)

    def _numbers(self, column: pd.Series[Any], name: str) -> pd.Series[Any]:
        numbers = pd.Series(pd.to_numeric(column).to_numpy(dtype="float64", na_value=np.nan), index=column.index)
        infinite = np.flatnonzero(np.isinf(numbers.to_numpy()))
        if len(infinite):
            raise self._refusal(
                name,
                f"is infinite in row {infinite[0] + 1} of the data; write a finite number, or leave the cell empty if "
                "the value is not known",
            )
        return numbers

    def _text(self, column: pd.Series[Any], name: str) -> pd.Series[Any]:
        """Give a column of text its type, judged by its distinct values."""
        texts = _Texts.of(column, name)
        if not texts.values:
            return pd.Series(np.nan, index=column.index, dtype="float64")
        dates = texts.matching(_DATE)
        if texts.rows(dates).mean() >= _MOST:
            example = texts.values[int(np.argmax(dates))]
            raise self._refusal(name, f"holds dates such as {example!r}, {date_advice(name)}")
        lower = [text.lower() for text in texts.values]
        if self.delimiter is not None and set(lower) <= {"true", "false"}:
            numbers = texts.as_numbers(np.array([float(text == "true") for text in lower]))
            return self._booleans(numbers.astype("boolean"), name)
        if _has_decimal_commas(texts, self.delimiter):
            self.notes.append(f"the column {name!r} was read with decimal commas")
            return texts.as_numbers(np.array([float(text.replace(",", ".")) for text in texts.values]))
        values = pd.to_numeric(pd.Series(texts.values, dtype=object), errors="coerce").to_numpy(dtype="float64")
        if self.delimiter is not None and np.isfinite(values).all() and not are_codes(texts.values):
            return texts.as_numbers(values)  # pandas gives up where a whole number is too large for its integers
        self._look_for_numbers(texts, values)
        return texts.as_categories()

    def _look_for_numbers(self, texts: _Texts, values: NDArray[np.float64]) -> None:
        """Refuse, or note, a column that is kept as text although it looks like numbers."""
        is_number = ~np.isnan(values)
        if is_number.all():
            reason = "its whole numbers start with zeros or have more than 15 digits, so they are taken for codes"
            if self.delimiter is not None:
                self.notes.append(f"the column {texts.name!r} is kept as text: {reason}")
            return
        share = float(texts.rows(is_number).mean())
        example = texts.values[int(np.argmin(is_number))]
        if len(np.unique(values[is_number])) > _DAMAGED_KINDS and share > _DAMAGED_SHARE:
            first = int(np.argmax(np.isin(texts.codes, np.flatnonzero(~is_number)))) + 1
            raise self._refusal(
                texts.name,
                f"is numeric but for {counted(int(texts.rows(~is_number).sum()), 'value')} such as {example!r} in row "
                f"{first} of the data; leave missing values empty or write ?, or read it as text with "
                f"categorical=[{texts.name!r}]",
            )
        if texts.matching(_DECORATED).all():
            self.notes.append(
                f"the column {texts.name!r} is kept as text, but it looks numeric, with "
                f"{counted(len(texts.values), 'distinct value')} such as {example!r}; write plain numbers to have it "
                "read so"
            )
        elif share >= _MOST:
            self.notes.append(
                f"the column {texts.name!r} is kept as text, though {share:.0%} of it are numbers, because of values "
                f"such as {example!r}; leave missing values empty or write ? to have it read as numbers"
            )


def _as_categories(column: pd.Series[Any], name: str) -> pd.Series[Any]:
    return _Texts.of(column.astype(object).map(str, na_action="ignore"), name).as_categories()


def _has_decimal_commas(texts: _Texts, delimiter: str | None) -> bool:
    """Tell whether all values are numbers with a decimal comma.

    Files are delimited by semicolons because the comma is the decimal mark. Files with tabs come from everywhere, so
    1,200 alone may be meant as 1200 there.
    """
    if delimiter not in (";", "\t") or not any("," in text for text in texts.values):
        return False
    if not texts.matching(_DECIMAL_COMMA).all():
        return False
    return delimiter == ";" or not texts.matching(_THOUSANDS).all()
