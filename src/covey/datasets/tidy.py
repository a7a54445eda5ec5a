"""Columns of any data frame as covey wants them: float64 or categories, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from covey._text import counted, listed, quoted
from covey.datasets.amounts import decimal_mark, number_of
from covey.datasets.choice import NO_READING, Choice, Part, Reading
from covey.datasets.dates import Dates, are_dates, example_of, is_date, read_dates
from covey.datasets.errors import DataFormatError, refuse_all, refuse_repeated_names
from covey.datasets.missing import MISSING_NUMBERS

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
# So many of the words that spoil a column are named, and of the columns to which a remedy applies.
_MOST_WORDS = 3
_MOST_NAMED = 12
# From this share on, a column is mostly dates or mostly numbers.
_MOST = 0.8


class Tidied(NamedTuple):
    """A tidy frame, what the provenance should say about how it was read, and what is needed to read more so."""

    frame: pd.DataFrame
    notes: tuple[str, ...] = ()
    reading: Reading = NO_READING
    dropped: tuple[str, ...] = ()  # columns of the source that are not in the frame


def tidy_frame(
    frame: pd.DataFrame,
    where: str,
    choice: Choice | None = None,
    *,
    delimiter: str | None = None,
    errors: Sequence[DataFormatError] = (),
) -> Tidied:
    """Turn every column into float64 or categories, under a fresh index.

    Numbers become float64, booleans 0 and 1, dates columns of their parts; text becomes categories, sorted; categories
    stay in their order, as text unless they are numbers. A target of booleans becomes the classes False and True.
    `where` is the file, for messages, and `delimiter` that of delimited text, whose types must be guessed; None for a
    source that tells text from numbers. Refused are infinite numbers, numbers and dates spoilt by a few words, and
    other objects, all in one message with the `errors` that were seen before.
    """
    if len(frame) == 0:
        raise DataFormatError(where, "there are no rows of data")
    names = [str(name) for name in frame.columns]
    refuse_repeated_names(names, where)
    reader = _ColumnReader(where, choice or Choice(), delimiter, names)
    columns: dict[str, pd.Series[Any]] = {}
    for index, name in enumerate(names):
        try:
            columns |= reader.read(frame.iloc[:, index], name)
        except DataFormatError as error:
            errors = [*errors, error]
    refuse_all(errors)
    reading = Reading(reader.parts, tuple(reader.decimal_commas), tuple(reader.choice.missing), reader.amounts)
    return Tidied(pd.DataFrame(columns), reader.all_notes(), reading)


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

    def where(self, test: Callable[[str], object]) -> NDArray[np.bool_]:
        """Tell which values pass a test."""
        return np.array([bool(test(text)) for text in self.values], dtype=bool)

    def matching(self, pattern: re.Pattern[str]) -> NDArray[np.bool_]:
        """Tell which values match a pattern entirely."""
        return self.where(pattern.fullmatch)

    def without(self, chosen: NDArray[np.bool_]) -> _Texts:
        """Return the column with some of its values missing."""
        if not chosen.any():
            return self
        places = np.where(chosen, -1, np.cumsum(~chosen) - 1)
        values = [text for text, gone in zip(self.values, chosen, strict=True) if not gone]
        return _Texts(self.name, values, np.append(places, -1)[self.codes])

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

    def __init__(self, where: str, choice: Choice, delimiter: str | None, names: Sequence[str]) -> None:
        self.where = where
        self.choice = choice
        self.delimiter = delimiter
        self.names = set(names)
        self.notes: list[str] = []
        self.parts: dict[str, Part] = {}
        self.decimal_commas: list[str] = []
        self.amounts: dict[str, str] = {}  # the decimal marks of columns of amounts
        self.marked: dict[str, dict[str, int]] = {}  # by the words that were taken for missing values

    def read(self, column: pd.Series[Any], name: str) -> dict[str, pd.Series[Any]]:
        """Return the columns that a column becomes: itself, or the parts of its dates."""
        column = column.reset_index(drop=True)
        is_nominal = isinstance(column.dtype, pd.CategoricalDtype)
        kind: Any = column.cat.categories.dtype if is_nominal else column.dtype
        if name in self.choice.nominal and not is_nominal:
            return {name: _as_categories(column, name)}
        if are_dates(kind):
            return self._dates(read_dates(column), name)
        if is_nominal:
            is_plain = pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
            return {name: column if is_plain else column.cat.rename_categories(str)}
        if pd.api.types.is_bool_dtype(kind):
            return {name: self._booleans(column, name)}
        if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
            return {name: self._numbers(column, name)}
        if pd.api.types.is_object_dtype(kind):
            return self._objects(column, name)
        if pd.api.types.is_string_dtype(kind):
            return self._text(column, name)
        raise self._refusal(name, f"is of type {kind}, which is neither numbers nor text; {_remedies(name, 'drop')}")

    def all_notes(self) -> tuple[str, ...]:
        """Return the notes on columns, and on what several columns have in common."""
        notes = list(self.notes)
        for words, counts in self.marked.items():
            names, number = list(counts), sum(counts.values())
            times = "once" if number == 1 else f"{number} times"
            notes.append(f"{_columns(names)} has {words} {times}, taken for missing; {_remedies(names, 'categorical')}")
        if names := self.decimal_commas:
            notes.append(f"{_columns(names)} was read with decimal commas; {_remedies(names, 'categorical')}")
        return tuple(notes)

    def _refusal(self, name: str, problem: str) -> DataFormatError:
        return DataFormatError(self.where, f"the column {name!r} {problem}")

    def _objects(self, column: pd.Series[Any], name: str) -> dict[str, pd.Series[Any]]:
        if pd.api.types.infer_dtype(column, skipna=True) in ("string", "empty"):
            return self._text(column, name)
        types = set(column.dropna().map(type))
        if types <= {bool, np.bool_}:
            return {name: self._booleans(column, name)}
        if all(issubclass(kind, Real | Decimal) and not issubclass(kind, bool) for kind in types):
            return {name: self._numbers(column, name)}
        if all(issubclass(kind, date) for kind in types):
            return self._dates(read_dates(column), name)
        if all(issubclass(kind, str | Real | Decimal | date) for kind in types):
            return self._text(column.map(label_text, na_action="ignore"), name)
        kinds = quoted(sorted(kind.__name__ for kind in types))
        raise self._refusal(name, f"holds {kinds} objects, not numbers, text or dates; {_remedies(name, 'drop')}")

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

    def _dates(self, dates: Dates, name: str) -> dict[str, pd.Series[Any]]:
        """Return the parts of dates."""
        if name == self.choice.target:
            raise self._refusal(name, "holds dates, which cannot be predicted; turn them into numbers such as days")
        columns = {}
        for part, values in dates.varied_parts().items():
            made = f"{name}: {part}"
            made = made if made not in self.names else f"{made} of the date"
            columns[made] = values
            self.parts[made] = Part(name, part, dates.format)
        parts = [f"{part} since 1970-01-01" if part == "days" else part for part in dates.varied_parts()]
        note = f"the column {name!r} holds dates, which became {listed(parts)}"
        if dates.format is not None and dates.twin is not None:
            note += f"; they were read like {example_of(dates.format)}, but may be like {example_of(dates.twin)}"
        self.notes.append(f"{note}; {_remedies(name, 'drop')}, {_remedies(name, 'categorical')}")
        return columns

    def _text(self, column: pd.Series[Any], name: str) -> dict[str, pd.Series[Any]]:
        """Give a column of text its type, judged by its distinct values."""
        texts = _Texts.of(column, name)
        if not texts.values:
            return {name: pd.Series(np.nan, index=column.index, dtype="float64")}
        is_typed = self.delimiter is None
        marks = np.array([text.strip().lower() in MISSING_NUMBERS for text in texts.values], dtype=bool)
        if marks.all() or (is_typed and name == self.choice.target):
            return {name: texts.as_categories()}
        if texts.rows(texts.where(is_date))[~texts.rows(marks)].mean() >= _MOST:
            return self._dates_of(texts, marks, column)
        rest = texts.without(marks)
        lower = [text.lower() for text in rest.values]
        if not is_typed and not marks.any() and set(lower) <= {"true", "false"}:
            numbers = rest.as_numbers(np.array([float(text == "true") for text in lower]))
            return {name: self._booleans(numbers.astype("boolean"), name)}
        if _has_decimal_commas(rest, self.delimiter):
            self.decimal_commas.append(name)
            self._note_marks(texts, marks)
            return {name: rest.as_numbers(np.array([float(text.replace(",", ".")) for text in rest.values]))}
        values = pd.to_numeric(pd.Series(rest.values, dtype=object), errors="coerce").to_numpy(dtype="float64")
        # Text of a source with types is numbers only where a word for a missing value can have made it text; and
        # pandas gives up where a whole number is too large for its integers.
        if np.isfinite(values).all() and not are_codes(rest.values) and (marks.any() or not is_typed):
            self._note_marks(texts, marks)
            return {name: rest.as_numbers(values)}
        mark = None if np.isfinite(values).all() else decimal_mark(rest.values, self.delimiter)
        if mark is not None:
            self._note_marks(texts, marks)
            return {name: self._amounts(rest, mark)}
        self._look_for_numbers(rest, values)
        return {name: texts.as_categories()}

    def _amounts(self, texts: _Texts, mark: str) -> pd.Series[Any]:
        """Return a column of amounts as numbers."""
        self.amounts[texts.name] = mark
        numbers = [number_of(text, mark) for text in texts.values]
        self.notes.append(
            f"the column {texts.name!r} holds amounts such as {texts.values[0]!r}, read as {numbers[0]:.15g}; "
            f"{_remedies(texts.name, 'categorical')}"
        )
        return texts.as_numbers(np.array(numbers))

    def _dates_of(self, texts: _Texts, marks: NDArray[np.bool_], column: pd.Series[Any]) -> dict[str, pd.Series[Any]]:
        """Read a column of text that is mostly dates."""
        is_marked = np.append(marks, True)[texts.codes]
        dates = read_dates(column.mask(is_marked))
        unread = dates.moments.isna().to_numpy() & ~is_marked
        if unread.any():
            kinds = "dates" if dates.format is None else f"dates like {example_of(dates.format)}"
            if all(map(is_date, column[unread])):
                first = int(np.argmax(unread))
                raise self._refusal(
                    texts.name,
                    f"holds {kinds}, but {column.iloc[first]!r} in row {first + 1} of the data; write all in one way, "
                    f"or {_remedies(texts.name, 'drop')}",
                )
            raise self._refusal(texts.name, f"holds {kinds} but for {self._spoilt(column, unread, texts.name)}")
        self._note_marks(texts, marks)
        return self._dates(dates, texts.name)

    def _spoilt(self, column: pd.Series[Any], rows: NDArray[np.bool_], name: str) -> str:
        """Say which values spoil a column, and what to do about it."""
        count, first = int(rows.sum()), int(np.argmax(rows))
        kinds = list(dict.fromkeys(column[rows]))
        which = f"{counted(count, 'value')} such as" if len(kinds) > _MOST_WORDS else counted(count, "value")
        text = (
            f"{which} {quoted(kinds[:_MOST_WORDS])}, first in row {first + 1} of the data; "
            f"missing={kinds[:_MOST_WORDS]!r} takes that for missing"
        )
        # A column that a model was trained on cannot become text.
        return text if name in self.choice.keep else f"{text}, categorical=[{name!r}] reads it as text"

    def _note_marks(self, texts: _Texts, marks: NDArray[np.bool_]) -> None:
        if marks.any():
            words = quoted(sorted(np.array(texts.values, dtype=object)[marks]))
            self.marked.setdefault(words, {})[texts.name] = int(texts.rows(marks).sum())

    def _look_for_numbers(self, texts: _Texts, values: NDArray[np.float64]) -> None:
        """Refuse, or note, a column that is kept as text although it looks like numbers."""
        is_number = ~np.isnan(values)
        if is_number.all():
            if self.delimiter is not None:
                self.notes.append(
                    f"the column {texts.name!r} is kept as text: its whole numbers start with zeros or have more than "
                    f"15 digits, so they are taken for codes; {_remedies(texts.name, 'drop')}"
                )
            return
        share = float(texts.rows(is_number).mean())
        example = texts.values[int(np.argmin(is_number))]
        if len(np.unique(values[is_number])) > _DAMAGED_KINDS and share > _DAMAGED_SHARE:
            column = pd.Series([*texts.values, None], dtype=object).iloc[texts.codes].reset_index(drop=True)
            spoilt = np.isin(texts.codes, np.flatnonzero(~is_number))
            raise self._refusal(texts.name, f"is numeric but for {self._spoilt(column, spoilt, texts.name)}")
        if texts.matching(_DECORATED).all():
            self.notes.append(
                f"the column {texts.name!r} is kept as text, but it looks numeric, with "
                f"{counted(len(texts.values), 'distinct value')} such as {example!r}; write plain numbers to have it "
                "read so"
            )
        elif share >= _MOST:
            self.notes.append(
                f"the column {texts.name!r} is kept as text, though {share:.0%} of it are numbers, because of values "
                f"such as {example!r}; missing=[{example!r}] takes that for missing"
            )


def _columns(names: Sequence[str]) -> str:
    return f"{'the column' if len(names) == 1 else 'each of the columns'} {quoted(names)}"


def _remedies(name: str | list[str], argument: str) -> str:
    names = [name] if isinstance(name, str) else name
    verb = {"drop": "leaves it out", "categorical": "keeps it as it is"}[argument]
    return f"{argument}={names[:_MOST_NAMED]!r} {verb}"


def label_text(value: Any) -> str:
    """Return the text of a category or label; a whole number is written as one whatever its type."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _as_categories(column: pd.Series[Any], name: str) -> pd.Series[Any]:
    return _Texts.of(column.astype(object).map(label_text, na_action="ignore"), name).as_categories()


def _has_decimal_commas(texts: _Texts, delimiter: str | None) -> bool:
    """Tell whether all values are numbers with a decimal comma.

    Files are delimited by semicolons because the comma is the decimal mark. Files with tabs and frames come from
    everywhere, so 1,200 alone may be meant as 1200 there.
    """
    if delimiter not in (";", "\t", None) or not any("," in text for text in texts.values):
        return False
    if not texts.matching(_DECIMAL_COMMA).all():
        return False
    return delimiter == ";" or not texts.matching(_THOUSANDS).all()
