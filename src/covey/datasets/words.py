"""What a column of text holds, judged by its distinct values: words, codes, dates, or numbers written oddly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from covey._text import counted
from covey.datasets.errors import DataFormatError, date_advice

_MARKS = ("na", "n/a", "#n/a", "<na>", "nan", "null")
MISSING = frozenset({"", "?", "NaN", "Null", *_MARKS, *(mark.upper() for mark in _MARKS)})
"""What stands for a missing value in delimited text; "Na" is sodium and "Nan" a name."""

_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[T ]\d{1,2}:\d{2}.*)?", re.ASCII
)
_DIGITS = re.compile(r"\d+", re.ASCII)
_SIGNED_DIGITS = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?(?:[1-9]\d{0,2},\d{3}|\d+)", re.ASCII)
_GROUPED = r"\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?"
_DECORATED = re.compile(rf"[+-]?[$€£]?\s?[+-]?(?:{_GROUPED})\s?[%$€£]?", re.ASCII)
_LONGEST_NUMBER = 15
# A text column is taken for damaged numbers when nearly all of it are numbers, and many different ones.
_DAMAGED_SHARE = 0.9
_DAMAGED_KINDS = 20
# From this share on, a column is mostly dates or mostly numbers.
_MOST = 0.8


@dataclass(frozen=True, slots=True)
class Words:
    """A column of text as its distinct values and where they stand.

    Parameters
    ----------
    name : str
        Of the column.
    texts : list of str
        The distinct values, in order of appearance.
    codes : array of int
        For every row the index of its value, -1 where it is missing.
    """

    name: str
    texts: list[str]
    codes: NDArray[np.intp]

    @classmethod
    def of(cls, column: pd.Series[Any], name: str) -> Words:
        """Take a column of text apart."""
        codes, texts = pd.factorize(column)
        return cls(name, texts.to_numpy(dtype=object).tolist(), codes)

    def share(self, chosen: NDArray[np.bool_]) -> float:
        """Return the share of the present cells whose value is chosen."""
        present = self.codes[self.codes >= 0]
        return float(chosen[present].mean()) if len(present) else 0.0

    def matching(self, pattern: re.Pattern[str]) -> NDArray[np.bool_]:
        """Tell which values match a pattern entirely."""
        return np.array([pattern.fullmatch(text) is not None for text in self.texts], dtype=bool)

    def first_row(self, chosen: NDArray[np.bool_]) -> int:
        """Return the first row, counted from 1, whose value is chosen."""
        return int(np.argmax(np.isin(self.codes, np.flatnonzero(chosen)))) + 1

    def as_categories(self) -> pd.Series[Any]:
        """Return the column as sorted categories."""
        order = sorted(range(len(self.texts)), key=self.texts.__getitem__)
        # The last place serves the code -1 of missing values.
        places = np.full(len(order) + 1, -1)
        places[order] = np.arange(len(order))
        categories = pd.Index([self.texts[index] for index in order], dtype=None if order else object)
        return pd.Series(pd.Categorical.from_codes(places[self.codes], categories=categories))

    def as_numbers(self, numbers: NDArray[np.float64]) -> pd.Series[Any]:
        """Return the column with every value replaced by its number."""
        return pd.Series(np.append(numbers, np.nan)[self.codes])


def is_missing(text: str) -> bool:
    """Tell whether a cell of delimited text, without the blanks around it, stands for a missing value."""
    return text in MISSING


def are_codes(texts: list[str]) -> bool:
    """Tell whether whole numbers are identifiers: some start with a needless zero or have more than 15 digits."""
    if not all(_SIGNED_DIGITS.fullmatch(text) for text in texts):
        return False
    has_zeros = any(text[0] == "0" and len(text) > 1 for text in texts)
    is_long = any(len(text.lstrip("+-")) > _LONGEST_NUMBER for text in texts)
    return (has_zeros and all(_DIGITS.fullmatch(text) for text in texts)) or is_long


def read_words(words: Words, where: str, delimiter: str | None, is_target: bool) -> tuple[pd.Series[Any], list[str]]:
    """Give a column of text its type.

    Parameters
    ----------
    words : Words
        The column.
    where : str
        The file, for messages.
    delimiter : str, optional
        What separates the values of the file; None for a source that tells text from numbers and booleans.
    is_target : bool
        Whether to keep booleans as classes.

    Returns
    -------
    column : Series
        Categories, or float64 for booleans and decimal commas in delimited text.
    notes : list of str
        What the provenance should say about it.
    """
    dates = words.matching(_DATE)
    if words.share(dates) >= _MOST:
        example = words.texts[int(np.argmax(dates))]
        advice = date_advice(words.name)
        raise DataFormatError(where, f"the column {words.name!r} holds dates such as {example!r}, {advice}")
    if delimiter is not None:
        numbers = _booleans(words)
        if numbers is not None:
            named = Words(words.name, ["True" if number else "False" for number in numbers], words.codes)
            return (_merged(named).as_categories() if is_target else words.as_numbers(numbers)), []
        if delimiter in (";", "\t") and _has_decimal_commas(words, delimiter):
            numbers = np.array([float(text.replace(",", ".")) for text in words.texts])
            return words.as_numbers(numbers), [f"the column {words.name!r} was read with decimal commas"]
    numbers, is_number, kinds = _numeric(words)
    if delimiter is not None and np.isfinite(numbers).all() and not are_codes(words.texts):
        return words.as_numbers(numbers), []  # pandas gives up where a whole number is too large for its integers
    if kinds > _DAMAGED_KINDS:
        _refuse_damaged_numbers(words, where, is_number)
    return words.as_categories(), _notes(words, is_number, is_delimited=delimiter is not None)


def _booleans(words: Words) -> NDArray[np.float64] | None:
    lower = [text.lower() for text in words.texts]
    return np.array([float(text == "true") for text in lower]) if set(lower) <= {"true", "false"} else None


def _merged(words: Words) -> Words:
    """Make values distinct again after they were rewritten."""
    codes, texts = pd.factorize(np.array(words.texts, dtype=object))
    return Words(words.name, [str(text) for text in texts], np.append(codes, -1)[words.codes])


def _has_decimal_commas(words: Words, delimiter: str) -> bool:
    """Tell whether all values are numbers with a decimal comma.

    Files are delimited by semicolons because the comma is the decimal mark. Files with tabs come from everywhere, so
    1,200 alone may be meant as 1200 there.
    """
    if not any("," in text for text in words.texts) or not words.matching(_DECIMAL_COMMA).all():
        return False
    return delimiter == ";" or not words.matching(_THOUSANDS).all()


def _numeric(words: Words) -> tuple[NDArray[np.float64], NDArray[np.bool_], int]:
    """Return the numbers, NaN for other values, which values are numbers, and how many different ones there are."""
    numbers = pd.to_numeric(pd.Series(words.texts, dtype=object), errors="coerce").to_numpy(dtype="float64")
    is_number: NDArray[np.bool_] = ~np.isnan(numbers)
    return numbers, is_number, len(np.unique(numbers[is_number]))


def _refuse_damaged_numbers(words: Words, where: str, is_number: NDArray[np.bool_]) -> None:
    if is_number.all() or words.share(is_number) <= _DAMAGED_SHARE:
        return
    bad = int((~is_number)[words.codes[words.codes >= 0]].sum())
    raise DataFormatError(
        where,
        f"the column {words.name!r} is numeric but for {counted(bad, 'value')} such as "
        f"{words.texts[int(np.argmin(is_number))]!r} in row {words.first_row(~is_number)} of the data; leave missing "
        f"values empty or write ?, or read it as text with categorical=[{words.name!r}]",
    )


def _notes(words: Words, is_number: NDArray[np.bool_], *, is_delimited: bool) -> list[str]:
    """Say what is worth knowing about a column that is kept as text although it looks like numbers."""
    if is_number.all():
        reason = "its whole numbers start with zeros or have more than 15 digits, so they are taken for codes"
        return [f"the column {words.name!r} is kept as text: {reason}"] if is_delimited else []
    example = words.texts[int(np.argmin(is_number))]
    if words.matching(_DECORATED).all():
        return [
            f"the column {words.name!r} is kept as text, but it looks numeric, with "
            f"{counted(len(words.texts), 'distinct value')} such as {example!r}; write plain numbers to have it read so"
        ]
    share = words.share(is_number)
    if share >= _MOST:
        return [
            f"the column {words.name!r} is kept as text, though {share:.0%} of it are numbers, because of values such "
            f"as {example!r}; leave missing values empty or write ? to have it read as numbers"
        ]
    return []
