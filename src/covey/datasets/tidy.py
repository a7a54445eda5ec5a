"""Any data frame's columns as covey wants them: float64 or categories, and nothing else."""

from __future__ import annotations

import re
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from covey.datasets.errors import DataFormatError, listing

_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[T ]\d{1,2}:\d{2}.*)?", re.ASCII
)
_DATE_ADVICE = "which covey does not take; turn it into a number (days, year), or leave it out with drop="
# A text column is taken for damaged numbers when nearly all of it are numbers, and many different ones.
_NUMBER_SHARE = 0.9
_NUMBER_KINDS = 20


def tidy_frame(frame: pd.DataFrame, where: str) -> pd.DataFrame:
    """Turn every column into float64 or categories.

    Numbers become float64; booleans and text become categories of text, sorted; categories stay in their
    order, as text unless they are numbers.

    Parameters
    ----------
    frame : DataFrame
        As read from a file without declared types.
    where : str
        The file, for messages.

    Returns
    -------
    DataFrame
        With the same column names and a fresh index.

    Raises
    ------
    DataFormatError
        There are no rows, a column holds dates or other objects, a number is infinite, or a column of numbers is
        spoilt by a few words.
    """
    if len(frame) == 0:
        raise DataFormatError(where, "there are no rows of data")
    names = [str(name) for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise DataFormatError(where, f"the column names {listing(twice)} occur twice; names must differ")
    tidy = {name: _tidy_column(frame.iloc[:, index], name, where) for index, name in enumerate(names)}
    return pd.DataFrame(tidy)


def _tidy_column(column: pd.Series[Any], name: str, where: str) -> pd.Series[Any]:
    column = column.reset_index(drop=True)
    is_nominal = isinstance(column.dtype, pd.CategoricalDtype)
    kind: Any = column.cat.categories.dtype if is_nominal else column.dtype
    if re.match("datetime|timedelta|period", str(kind)):
        raise DataFormatError(where, f"the column {name!r} is of type {kind}, {_DATE_ADVICE}")
    if is_nominal:
        is_plain = pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
        return column if is_plain else column.cat.rename_categories(str)
    if pd.api.types.is_bool_dtype(kind):
        return _as_categories(column)
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        return _as_numbers(column, name, where)
    if pd.api.types.is_string_dtype(kind) or pd.api.types.is_object_dtype(kind):
        return _tidy_objects(column, name, where)
    raise DataFormatError(where, f"the column {name!r} is of type {kind}, which is neither numbers nor text")


def _tidy_objects(column: pd.Series[Any], name: str, where: str) -> pd.Series[Any]:
    present = column.dropna()
    types = {type(value) for value in present.unique()} if _is_hashable(present) else {list}
    if not types:
        return pd.Series(np.nan, index=column.index, dtype="float64")
    if all(issubclass(kind, str) for kind in types):
        _refuse_dates(present, name, where)
        _refuse_damaged_numbers(present, name, where)
        return _as_categories(column)
    if types <= {bool, np.bool_}:
        return _as_categories(column)
    if all(issubclass(kind, Real | Decimal) and not issubclass(kind, bool) for kind in types):
        return _as_numbers(column, name, where)
    kinds = listing(sorted(kind.__name__ for kind in types))
    advice = _DATE_ADVICE if "date" in kinds or "time" in kinds.lower() else "not only numbers or only text"
    raise DataFormatError(where, f"the column {name!r} holds values of type {kinds}, {advice}")


def _is_hashable(present: pd.Series[Any]) -> bool:
    try:
        present.unique()
    except TypeError:
        return False
    return True


def _as_numbers(column: pd.Series[Any], name: str, where: str) -> pd.Series[Any]:
    numbers = pd.Series(pd.to_numeric(column).to_numpy(dtype="float64", na_value=np.nan), index=column.index)
    infinite = np.flatnonzero(np.isinf(numbers.to_numpy()))
    if len(infinite):
        raise DataFormatError(where, f"the column {name!r} is infinite in row {infinite[0] + 1} of the data")
    return numbers


def _as_categories(column: pd.Series[Any]) -> pd.Series[Any]:
    text = column.astype(object).map(str, na_action="ignore")
    return pd.Series(pd.Categorical(text, categories=sorted(text.dropna().unique())), index=column.index)


def _refuse_dates(present: pd.Series[Any], name: str, where: str) -> None:
    if all(_DATE.fullmatch(value) for value in present.unique()):
        raise DataFormatError(where, f"the column {name!r} holds dates such as {present.iloc[0]!r}, {_DATE_ADVICE}")


def _refuse_damaged_numbers(present: pd.Series[Any], name: str, where: str) -> None:
    numbers = pd.to_numeric(present, errors="coerce")
    is_number = numbers.notna()
    if is_number.mean() > _NUMBER_SHARE and numbers.nunique() > _NUMBER_KINDS and not is_number.all():
        words = present[~is_number]
        raise DataFormatError(
            where,
            f"the column {name!r} is numeric but for {len(words)} values such as {words.iloc[0]!r} in row "
            f"{int(words.index[0]) + 1} of the data; leave missing values empty or write ?",
        )
