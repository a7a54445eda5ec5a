"""Dates as columns of numbers: how they are written, and the parts that learners can use."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

PARTS: Mapping[str, Callable[[pd.Series[Any]], Any]] = {
    "year": lambda moments: moments.dt.year,
    "month": lambda moments: moments.dt.month,
    "weekday": lambda moments: moments.dt.day_of_week + 1,
    "hour": lambda moments: moments.dt.hour,
    "days": lambda moments: (moments - pd.Timestamp(0)) / pd.Timedelta(days=1),
}
"""Columns that a date becomes: weekdays from 1 for Monday on, days since 1970-01-01 with their fractions."""

# Of two that read all dates, the first one is taken; with dots and dashes the day comes first nearly everywhere.
FORMATS = (
    *("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y-%m", "%Y/%m"),
    *("%d.%m.%Y", "%d-%m-%Y", "%m-%d-%Y", "%m/%d/%Y", "%d/%m/%Y"),
    *("%d.%m.%y", "%d-%m-%y", "%m-%d-%y", "%m/%d/%y", "%d/%m/%y"),
    *("%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y", "%d-%b-%Y", "%d-%B-%Y", "%d-%b-%y"),
)
"""How dates may be written, without the time of day and commas."""
_TWINS = {"%d-%m-%Y": "%m-%d-%Y", "%m/%d/%Y": "%d/%m/%Y", "%d-%m-%y": "%m-%d-%y", "%m/%d/%y": "%d/%m/%y"}

_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAY = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})|(?:1[5-9]|20)\d\d[-/](?:0[1-9]|1[0-2])"
    rf"|\d{{1,2}}([- ]){_MONTH}\.?,?\3(?:\d{{4}}|\d{{2}})|{_MONTH}\.? \d{{1,2}},? \d{{4}}",
    re.ASCII | re.IGNORECASE,
)
_TIME = re.compile(
    r"[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*([ap]m)?\s*(z|utc|[+-]\d{2}:?\d{2})?", re.ASCII | re.IGNORECASE
)
# So many dates tell which formats are worth a try.
_SAMPLE = 200


@dataclass(frozen=True, slots=True, eq=False)
class Dates:
    """Dates that were read."""

    moments: pd.Series[Any]  # without a time zone; NaT where there was none or it could not be read
    format: str | None = None  # None where they came as dates
    twin: str | None = None  # another format that reads them all, and reads them otherwise

    def parts(self, wanted: Sequence[str] = tuple(PARTS)) -> dict[str, pd.Series[Any]]:
        """Return parts as numbers."""
        return {part: PARTS[part](self.moments).astype("float64") for part in wanted}

    def varied_parts(self) -> dict[str, pd.Series[Any]]:
        """Return the parts that differ; the days in any case."""
        return {name: part for name, part in self.parts().items() if name == "days" or part.nunique() > 1}


def example_of(format: str) -> str:  # strptime's word
    """Return the last day of 2020, written in a format."""
    return date(2020, 12, 31).strftime(format)


def is_date(text: str) -> bool:
    """Tell whether a text looks like a date, with or without a time."""
    match = _DAY.match(text)
    return match is not None and (match.end() == len(text) or _TIME.fullmatch(text, match.end()) is not None)


def are_dates(kind: Any) -> bool:
    """Tell whether a column's type is one of dates."""
    return pd.api.types.is_datetime64_any_dtype(kind) or isinstance(kind, pd.PeriodDtype)


def read_dates(column: pd.Series[Any], format: str | None = None) -> Dates:  # strptime's word
    """Read dates of any type, text in the given format if that reads more than any other."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype)
    if isinstance(column.dtype, pd.PeriodDtype):
        return Dates(column.dt.to_timestamp())
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return Dates(_in_utc(column))
    if all(isinstance(value, date) for value in column.dropna()):
        return Dates(_in_utc(pd.to_datetime(column, utc=True)))
    codes, values = pd.factorize(column.astype(object).map(_as_text, na_action="ignore"))
    days, times = zip(*map(_split, values), strict=True) if len(values) else ((), ())
    chosen, twin, moments = _read_days(pd.Series(days, dtype=object), format)
    moments = (moments + pd.to_timedelta(pd.Series(times, dtype="float64"), unit="s")).reset_index(drop=True)
    # The last place serves the code -1 of missing values.
    every = pd.concat([moments, pd.Series([pd.NaT], dtype=moments.dtype)], ignore_index=True).iloc[codes]
    every.index = column.index
    return Dates(every, chosen, twin)


def _as_text(value: Any) -> str:
    return str(value).strip()


def _in_utc(column: pd.Series[Any]) -> pd.Series[Any]:
    return column if column.dt.tz is None else column.dt.tz_convert("UTC").dt.tz_localize(None)


def _read_days(days: pd.Series[Any], wanted: str | None) -> tuple[str, str | None, pd.Series[Any]]:
    """Return the format that reads most days, another that reads them all too, and what the first makes of them."""

    def read(format: str, of: pd.Series[Any]) -> pd.Series[Any]:
        return pd.to_datetime(of, format=format, errors="coerce", exact=True)

    sample = days.iloc[:_SAMPLE]
    hits = {one: int(read(one, sample).notna().sum()) for one in FORMATS}
    promising = sorted((one for one in FORMATS if hits[one]), key=lambda one: (one != wanted, -hits[one]))
    best, moments = wanted or FORMATS[0], pd.Series(np.full(len(days), "NaT", dtype="datetime64[us]"))
    for one in promising:
        tried = read(one, days)
        if tried.notna().sum() > moments.notna().sum():
            best, moments = one, tried
        if moments.notna().all():
            break
    other = _TWINS.get(best)
    alike = other in promising and wanted is None and bool((read(other, days).notna() == moments.notna()).all())
    return best, other if alike else None, moments


def _split(text: str) -> tuple[str, float]:
    """Return the day of a date, without commas, and the seconds since midnight, in UTC where a time zone is named."""
    match = _DAY.match(text)
    if match is None:
        return text, 0.0
    time = _TIME.fullmatch(text, match.end())
    day = match.group().replace(",", "").replace(". ", " ")
    if time is None:
        return (text if match.end() < len(text) else day), 0.0
    hour, minute, second, half, zone = time.groups()
    hours = int(hour) % 12 + 12 * (half.lower() == "pm") if half else int(hour)
    if hours > 23 or int(minute) > 59:
        return text, 0.0
    offset = 0
    if zone and zone[0] in "+-":
        offset = int(f"{zone[0]}1") * (int(zone[1:3]) * 60 + int(zone[-2:]))
    return day, float(60 * (60 * hours + int(minute) - offset)) + float(second or 0)
