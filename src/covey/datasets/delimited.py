"""Delimited text as frames: what separates the values, how many rows there are, and which are too short or too long."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import counted, listed
from covey.datasets.errors import DataFormatError, refuse_all, refuse_repeated_names
from covey.datasets.missing import MISSING
from covey.datasets.names import look_like_data, settle_names
from covey.datasets.reading import Contents
from covey.datasets.tidy import are_codes

if TYPE_CHECKING:
    import pandas as pd

DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
_SEPARATOR_LINE = re.compile(rb'(?:\xef\xbb\xbf)?"?sep=(.)"?[ \t]*\r?(?:\n|\Z)', re.IGNORECASE)
_ARFF_LINE = re.compile(r"@(?:relation|attribute)\b", re.IGNORECASE)
# A whole number of 16 digits or more may have been rounded when it became a float64.
_SIXTEEN_DIGITS = 1e15

# Where more of the rows are too short or too long, the columns of the others say nothing.
_MOST_UNEQUAL = 0.1

# How many rows there are and, of each that is too short or too long, the line and the number of values.
_RowCount = tuple[int, list[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Layout:
    """The way in which the rows of a text file are written."""

    delimiter: str = ","  # " " stands for any run of blanks
    names: tuple[str, ...] | None = None  # of the columns, in a file without a header
    nominal: frozenset[str] = frozenset()  # columns whose values are labels even where they look like numbers
    decimal: str = "."
    keep_codes: bool = False  # whole numbers that start with a zero or have more than 15 digits stay text
    missing: tuple[str, ...] = ()  # what stands for a missing value besides the usual


@dataclass(frozen=True, eq=False)
class Delimited:
    """Delimited text that was read: under names that differ, and with what is wrong with its rows."""

    frame: pd.DataFrame
    header: tuple[str, ...]  # the names as the file has them
    errors: tuple[DataFormatError, ...] = ()


def settle_delimiter(contents: Contents, *, may_be_blanks: bool = False) -> tuple[Contents, str]:
    """Tell what separates the values: one of `DELIMITERS`, or " " where blanks are allowed and nothing else is there.

    The contents come back without the line ``sep=;`` that some spreadsheets write first; a blank one takes its place.
    """
    match = _SEPARATOR_LINE.match(contents.data)
    if match is not None:
        return replace(contents, data=b"\n" + contents.data[match.end() :]), match.group(1).decode("latin-1")
    header = next((line.strip() for line in contents.lines() if line.strip()), "")
    _refuse_other_formats(header, contents)
    header = _QUOTED.sub("", header)
    best = max(DELIMITERS, key=header.count)
    return contents, " " if may_be_blanks and best not in header and len(header.split()) > 1 else best


def read_delimited(contents: Contents, layout: Layout) -> Delimited:
    """Read delimited text.

    pandas pads short rows and folds long ones into an index without a word, so the rows are counted first. Rows that
    are too short or too long are left out and told of, so that all that is wrong with a file can be said at once.
    """
    header, first = _header(contents, layout)
    count, unequal = _count(contents, layout, first, len(header))
    if count == 0 and layout.names is None and {length for _, length in unequal} == {len(header) + 1}:
        header = _with_lost_name(header, [row for _, row in _rows(contents, layout.delimiter, first)])
        count, unequal = _count(contents, layout, first, len(header))
    names = settle_names(header)
    errors = _unequal_rows(unequal, names, contents.where)
    if count == 0 or len(unequal) > _MOST_UNEQUAL * count:
        refuse_all(errors)
        raise DataFormatError(contents.where, "there are no rows of data")
    if errors:
        # Empty ones take their place, so that rows keep their numbers.
        empty = [""] * len(names)
        rows = [row if len(row) == len(names) else empty for _, row in _rows(contents, layout.delimiter, first)]
        contents, count = replace(contents, data=_written(names, rows, layout)), len(rows)
    frame = _parse(contents, layout, names)
    if len(frame) != count:
        raise DataFormatError(
            contents.where, f"{counted(count, 'row')} counted but {len(frame)} read; is a quote misplaced?"
        )
    return Delimited(frame, header, errors)


def _parse(contents: Contents, layout: Layout, names: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    marks = MISSING.union(layout.missing)

    def parse(**options: Any) -> pd.DataFrame:
        frame: pd.DataFrame = pd.read_csv(
            io.BytesIO(contents.data),
            encoding=contents.encoding(),
            sep=r"\s+" if layout.delimiter == " " else layout.delimiter,
            header=None if layout.names else 0,
            names=list(names),
            decimal=layout.decimal,
            skipinitialspace=True,
            na_values=sorted(marks),
            keep_default_na=False,
            low_memory=False,
            **options,
            **_exact_floats(pd.__version__),
        )
        return _strip(frame, marks)

    frame = parse(dtype=dict.fromkeys(layout.nominal & set(names), str))
    suspects = _possible_codes(frame, contents.data, layout.delimiter) if layout.keep_codes else []
    texts = parse(usecols=suspects, dtype=str) if suspects else frame
    for name in suspects:
        if are_codes(texts[name].dropna().unique().tolist()):
            frame[name] = texts[name]
    return frame


def _written(names: Sequence[str], rows: Sequence[Sequence[str]], layout: Layout) -> bytes:
    """Return rows as a file again."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=layout.delimiter)
    writer.writerows([*([] if layout.names else [names]), *rows])
    return text.getvalue().encode()


def _refuse_other_formats(header: str, contents: Contents) -> None:
    if _ARFF_LINE.match(header) or (header[:1] == "%" and re.search(rb"(?im)^\s*@relation\b", contents.data)):
        raise DataFormatError(
            contents.where,
            "this is an ARFF or KEEL file; read it with read_arff or read_keel of covey.datasets, or load it as .arff",
        )
    if re.match(r"#\s", header):
        raise DataFormatError(
            contents.where,
            f"the first line, {header[:40]!r}, is a comment; remove it, so that the first line names the columns",
        )


def _exact_floats(version: str) -> dict[str, Any]:
    """Ask for exact parsing of decimals, which pandas does unasked, and wants not to be asked for, from 3.1 on."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


def _strip(frame: pd.DataFrame, marks: frozenset[str]) -> pd.DataFrame:
    """Take blanks off the ends of text values; what is a missing value then becomes one."""
    import pandas as pd

    for name in frame.columns:
        if not pd.api.types.is_string_dtype(frame[name].dtype):
            continue
        distinct = [value for value in frame[name].unique().tolist() if isinstance(value, str)]
        # Beside whole numbers that no integer type can hold, pandas leaves missing values as they are written.
        texts = [None if text.strip() in marks else text.strip() for text in distinct]
        if texts != distinct:
            frame[name] = frame[name].map(dict(zip(distinct, texts, strict=True)))
    return frame


def _possible_codes(frame: pd.DataFrame, data: bytes, delimiter: str) -> list[str]:
    """Return the columns of whole numbers of which some may start with a zero or have more than 15 digits."""
    import pandas as pd

    letters = np.frombuffer(data, dtype=np.uint8)
    # Unsigned arithmetic wraps, so one comparison tells the digits.
    zeros = np.flatnonzero((letters[1:-1] == ord("0")) & (letters[2:] - np.uint8(ord("0")) < 10)) + 1
    has_zeros = bool(np.isin(letters[zeros - 1], _bytes(f'\r\n\t "{delimiter}')).any())

    def is_suspect(column: pd.Series[Any]) -> bool:
        if pd.api.types.is_bool_dtype(column.dtype) or not pd.api.types.is_numeric_dtype(column.dtype):
            # What no integer type can hold comes as Python's own numbers.
            return column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) == "integer"
        if not has_zeros:
            return bool(column.abs().max() >= _SIXTEEN_DIGITS)
        return bool((column.dropna() % 1 == 0).all())

    return [str(name) for name in frame.columns if is_suspect(frame[name])]


def _header(contents: Contents, layout: Layout) -> tuple[tuple[str, ...], int]:
    """Return the names as the file has them, and the number of the line that has them."""
    if layout.names is not None:
        return layout.names, 0
    line, header = next(_rows(contents, layout.delimiter), (1, [""]))
    given = tuple(name.strip() for name in header)
    if look_like_data(given):
        hint = "; is this a row of data? The first line must name the columns"
        refuse_repeated_names(given, contents.where, line, hint)
    return given, line


def _with_lost_name(header: tuple[str, ...], rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the names where all rows have a value more: a delimiter at their ends, or their numbers, as R writes."""
    if not any(row[-1].strip() for row in rows):
        return (*header, "")
    numbers = [row[0].strip(' "') for row in rows]  # between blanks, quotes are part of values
    counts = numbers in ([str(number) for number in range(first, first + len(rows))] for first in (0, 1))
    return ("", *header) if counts and len(rows) > 1 else header


def _count(contents: Contents, layout: Layout, first: int, width: int) -> _RowCount:
    quick = quick_count(contents.data, layout.delimiter, first, width) if width > 1 else None
    return quick or count_rows(_rows(contents, layout.delimiter, skip=first), width)


def count_rows(rows: Iterator[tuple[int, list[str]]], width: int) -> _RowCount:
    """Count the rows that have `width` values, and tell which have not."""
    count, unequal = 0, []
    for line, row in rows:
        if len(row) == width:
            count += 1
        else:
            unequal.append((line, len(row)))
    return count, unequal


def quick_count(data: bytes, delimiter: str, first: int, width: int) -> _RowCount | None:
    """Count rows after the first lines as `count_rows` does, without splitting them, in a fifth of the time.

    None where only a scan can tell values apart: with blanks as delimiters, lone returns, or quotes that do not stand
    around whole values. Rows must have more than one value.
    """
    data = data.replace(b"\r\n", b"\n")
    if delimiter == " " or b"\r" in data:
        return None
    letters = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(letters == ord("\n"))
    marks = np.flatnonzero(letters == ord(delimiter))
    quotes = np.flatnonzero(letters == ord('"'))
    if len(quotes):
        # Behind an odd number of quotes a place is inside a quoted value.
        if not _enclose_values(quotes, letters, delimiter) or (np.searchsorted(quotes, ends) % 2).any():
            return None
        marks = marks[np.searchsorted(quotes, marks) % 2 == 0]
    if not data.endswith(b"\n"):
        ends = np.append(ends, len(data))
    lengths = np.diff(np.searchsorted(marks, ends), prepend=0)[first:] + 1
    unequal = []
    for line in np.flatnonzero(lengths != width) + first:
        start = ends[line - 1] + 1 if line else 0
        if lengths[line - first] > 1 or data[start : ends[line]].decode("latin-1").strip():
            unequal.append((int(line) + 1, int(lengths[line - first])))
    return int((lengths == width).sum()), unequal


def _enclose_values(quotes: NDArray[np.intp], letters: NDArray[np.uint8], delimiter: str) -> bool:
    """Tell whether quotes stand only around whole values or doubled within them, so that every other one opens."""
    if len(quotes) % 2:
        return False
    edges = _bytes(f'\n"{delimiter}')
    opening, closing = quotes[::2], quotes[1::2]
    before, after = letters[opening[opening > 0] - 1], letters[closing[closing < len(letters) - 1] + 1]
    return bool(np.isin(before, edges).all() and np.isin(after, edges).all())


def _bytes(letters: str) -> NDArray[np.uint8]:
    return np.frombuffer(letters.encode("latin-1"), dtype=np.uint8)


def _unequal_rows(unequal: Sequence[tuple[int, int]], names: Sequence[str], where: str) -> tuple[DataFormatError, ...]:
    """Return what is wrong with rows that are too short or too long, together for those of one length."""
    errors = []
    for length, count in Counter(length for _, length in unequal).items():
        lines = [str(line) for line, other in unequal if other == length]
        more = f", as in {'line' if count == 2 else 'lines'} {listed(lines[1:])}"
        errors.append(DataFormatError(where, _unequal(length, names, more if count > 1 else ""), int(lines[0])))
    return tuple(errors)


def _unequal(length: int, names: Sequence[str], more: str) -> str:
    verb = "is" if len(names) == 1 else "are"
    problem = f"the row has {counted(length, 'value')}, but there {verb} {counted(len(names), 'column')}{more}"
    if names[0][0] in "#%":
        return f"{problem}; remove comments before the line that names the columns"
    if len(names) == 1:
        return (
            f"{problem}; the first line, {names[0]!r}, was taken for one name: values must stand between commas, "
            "semicolons, tabs or |"
        )
    if length < len(names):
        return f"{problem}; write an empty field for each value that is missing"
    return f"{problem}; quote values that contain the delimiter"


def _rows(contents: Contents, delimiter: str, skip: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, with the numbers of their last lines; none of the first lines."""
    if delimiter == " ":
        for number, line in enumerate(contents.lines(), start=1):
            if line.strip() and number > skip:
                yield number, line.split()
        return
    line = ""

    def lines() -> Iterator[str]:
        nonlocal line
        for line in contents.lines():  # noqa: UP028  # the row's last line tells a blank one from an empty value
            yield line

    reader = csv.reader(lines(), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for row in reader:
            if (len(row) > 1 or line.strip()) and reader.line_num > skip:
                yield reader.line_num, row
    except csv.Error as error:
        raise DataFormatError(contents.where, f"{error}; is a quote left open?", reader.line_num) from error
