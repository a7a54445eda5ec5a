"""What stands for a missing value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

_MARKS = ("na", "n/a", "#n/a", "<na>", "nan", "null")
MISSING = frozenset({"", "?", "NaN", "Null", *_MARKS, *(mark.upper() for mark in _MARKS)})
"""What stands for a missing value in delimited text, without the blanks around it; "Na" is sodium and "Nan" a name."""

_BLANKS = ("", "?", "-", "--", "---", ".", "..", "*", "0000-00-00", "0000-00-00 00:00:00")
_WORDS = ("none", "nil", "n.a.", "n. a.", "n/k", "unknown", "unk", "unk.", "missing", "undefined")
_PHRASES = ("not available", "not known", "not given", "#value!", "#div/0!", "#ref!", "#num!", "#null!")
MISSING_NUMBERS = frozenset([*_MARKS, *_BLANKS, *_WORDS, *_PHRASES])
"""What stands for a missing number or date besides, in small letters; among categories it may well be one of them."""


def without_marks(frame: pd.DataFrame, marks: Sequence[str]) -> pd.DataFrame:
    """Return a frame in which the values that are written so are missing; numbers however they are written."""
    if not marks:
        return frame
    numbers = pd.to_numeric(pd.Series(list(marks), dtype=object), errors="coerce").dropna()

    def without(column: pd.Series[Any]) -> pd.Series[Any]:
        kind: Any = column.dtype
        if isinstance(kind, pd.CategoricalDtype):
            gone = [value for value in column.cat.categories if str(value) in marks]
            return column.cat.remove_categories(gone)
        is_number = pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
        if not is_number and not (pd.api.types.is_string_dtype(kind) or pd.api.types.is_object_dtype(kind)):
            return column
        marked = column.isin(numbers) if is_number else column.map(lambda value: str(value).strip() in marks)
        return column.mask(marked.astype(bool)) if marked.any() else column

    return pd.DataFrame({name: without(frame[name]) for name in frame.columns})
