"""Dates as columns of numbers: how they are written, and the parts that learners can use."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
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
    *("%d %b %Y", "%b %d %Y", "%d-%b-%Y", "%d-%b-%y", "%d %b %y"),
)
"""How dates may be written, without the time of day and commas, and with three letters of the month."""
_TWINS = {"%d-%m-%Y": "%m-%d-%Y", "%m/%d/%Y": "%d/%m/%Y", "%d-%m-%y": "%m-%d-%y", "%m/%d/%y": "%d/%m/%y"}

_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_LONG_MONTH = re.compile(r"([a-z]{3})[a-z]*\.?", re.ASCII | re.IGNORECASE)
_DAY = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})|(?:1[5-9]|20)\d\d[-/](?:0[1-9]|1[0-2])"
    rf"|\d{{1,2}}([- ]){_MONTH}\.?,?\3(?:\d{{4}}|\d{{2}})|{_MONTH}\.? \d{{1,2}},? \d{{4}}",
    re.ASCII | re.IGNORECASE,
)
_TIME = re.compile(
    r"[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*([ap]m)?\s*(?:z|utc|[+-]\d{2}:?\d{2})?",
    re.ASCII | re.IGNORECASE,
)
# So many dates tell which formats are worth a try.
_SAMPLE = 200


@dataclass(frozen=True, slots=True, eq=False)
class Dates:
    """Dates that were read."""

    moments: pd.Series[Any]  # by the clock of their time zones; NaT where there was none or it could not be read
    format: str | None = None  # None where they came as dates
    twin: str | None = None  # another format that reads them all, and reads them otherwise

    def parts(self) -> dict[str, pd.Series[Any]]:
        """Return all parts as numbers."""
        return {name: part(self.moments).astype("float64") for name, part in PARTS.items()}

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
    """Read dates of any type; text in the given format, or in one that reads more and cannot be mixed up with it."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype)
    if isinstance(column.dtype, pd.PeriodDtype):
        return Dates(column.dt.to_timestamp())
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return Dates(column.dt.tz_localize(None))
    if all(isinstance(value, date) for value in column.dropna()):
        return Dates(pd.to_datetime(column.map(_without_zone, na_action="ignore")))
    codes, values = pd.factorize(column.astype(object).map(_as_text, na_action="ignore"))
    days, times = zip(*map(_split, values), strict=True) if len(values) else ((), ())
    chosen, twin, moments = _read_days(pd.Series(days, dtype=object), format)
    moments = (moments + pd.to_timedelta(pd.Series(times, dtype="float64"), unit="s")).reset_index(drop=True)
    # There is no place -1, the code of missing values, so they become NaT.
    return Dates(moments.reindex(codes).set_axis(column.index), chosen, twin)


def _as_text(value: Any) -> str:
    return str(value).strip()


def _without_zone(moment: date) -> date:
    return moment.replace(tzinfo=None) if isinstance(moment, datetime) else moment


def _read_days(days: pd.Series[Any], wanted: str | None) -> tuple[str, str | None, pd.Series[Any]]:
    """Return the format that reads most days, another that reads them all too, and what the first makes of them."""

    def read(format: str, of: pd.Series[Any]) -> pd.Series[Any]:
        return pd.to_datetime(of, format=format, errors="coerce", exact=True)

    sample = days.iloc[:_SAMPLE]
    hits = {one: int(read(one, sample).notna().sum()) for one in FORMATS}
    doubtful = {one for pair in _TWINS.items() for one in pair if wanted in pair} - {wanted}
    promising = [one for one in FORMATS if hits[one] and one not in doubtful]
    promising.sort(key=lambda one: (one != wanted, -hits[one]))
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
    """Return the day of a date, without commas and long names, and the seconds since midnight where it was written."""
    match = _DAY.match(text)
    if match is None:
        return text, 0.0
    time = _TIME.fullmatch(text, match.end())
    day = _LONG_MONTH.sub(r"\1", match.group().replace(",", ""))
    if time is None:
        return (text if match.end() < len(text) else day), 0.0
    hour, minute, second, half = time.groups()
    hours = int(hour) % 12 + 12 * (half.lower() == "pm") if half else int(hour)
    if hours > 23 or int(minute) > 59:
        return text, 0.0
    return day, float(60 * (60 * hours + int(minute))) + float(second or 0)
