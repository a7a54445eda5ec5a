"""Reading delimited text into a frame whose columns are not tidied yet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from covey._text import counted
from covey.datasets.errors import DataFormatError, refuse_repeated_names
from covey.datasets.grid import Grid
from covey.datasets.reading import Contents
from covey.datasets.words import MISSING, Words, are_codes, is_missing

if TYPE_CHECKING:
    import pandas as pd

DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
_SEPARATOR_LINE = re.compile(rb'(?:\xef\xbb\xbf)?"?sep=(.)"?[ \t]*\r?(?:\n|\Z)', re.IGNORECASE)
_ARFF_LINE = re.compile(r"@(?:relation|attribute)\b", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?", re.ASCII)
_LED_BY_ZERO = re.compile(rb'(?:\A|[\s,;|"])0[0-9]')
_TOO_LONG = 1e15


@dataclass(frozen=True, slots=True)
class Layout:
    """How the rows of a text file are written.

    Parameters
    ----------
    delimiter : str, optional
        None: comma, semicolon, tab or ``|``, whichever the header holds most of; " " stands for any run of blanks.
    names : tuple of str, optional
        Column names of a file without a header.
    nominal : frozenset of str
        Columns whose values are labels even where they look like numbers.
    decimal : str
        Decimal mark.
    keep_codes : bool
        Keep whole numbers that start with a zero or have more than 15 digits as text.
    """

    delimiter: str | None = None
    names: tuple[str, ...] | None = None
    nominal: frozenset[str] = frozenset()
    decimal: str = "."
    keep_codes: bool = False


def settle_delimiter(contents: Contents, *, may_be_blanks: bool = False) -> tuple[Contents, str]:
    """Find out what separates the values of a file that does not come with a layout.

    Parameters
    ----------
    contents : Contents
        The file.
    may_be_blanks : bool
        Whether to take runs of blanks where the first line holds no other delimiter.

    Returns
    -------
    contents : Contents
        Without the line ``sep=;`` that some spreadsheets write first; a blank line takes its place.
    delimiter : str
        One of `DELIMITERS`, or " ".
    """
    match = _SEPARATOR_LINE.match(contents.data)
    if match is not None:
        return replace(contents, data=b"\n" + contents.data[match.end() :]), match.group(1).decode("latin-1")
    header = next((line.strip() for line in contents.lines() if line.strip()), "")
    _refuse_other_formats(header, contents)
    header = _QUOTED.sub("", header)
    best = max(DELIMITERS, key=header.count)
    return contents, " " if may_be_blanks and best not in header and len(header.split()) > 1 else best


def read_delimited(contents: Contents, layout: Layout) -> pd.DataFrame:
    """Read delimited text.

    pandas pads short rows and folds long ones into an index without a word, so the rows are counted first.
    """
    import pandas as pd

    delimiter = layout.delimiter or settle_delimiter(contents)[1]
    names, count, grid = _check_rows(contents, delimiter, layout.names)

    def parse(**options: Any) -> pd.DataFrame:
        frame: pd.DataFrame = pd.read_csv(
            io.BytesIO(contents.data),
            encoding=contents.encoding(),
            sep=r"\s+" if delimiter == " " else delimiter,
            header=None if layout.names else 0,
            names=list(names),
            decimal=layout.decimal,
            skipinitialspace=True,
            na_values=sorted(MISSING),
            keep_default_na=False,
            low_memory=False,
            **options,
            **_exact_floats(pd.__version__),
        )
        return _strip(frame)

    frame = parse(dtype=dict.fromkeys(layout.nominal, str))
    if len(frame) != count:
        raise DataFormatError(
            contents.where, f"{counted(count, 'row')} counted but {len(frame)} read; is a quote misplaced?"
        )
    suspects = _possible_codes(frame, contents, grid) if layout.keep_codes else []
    if suspects:
        texts = parse(usecols=suspects, dtype=str)
        for name in suspects:
            if are_codes(Words.of(texts[name], name).texts):
                frame[name] = texts[name]
    return frame


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


def _strip(frame: pd.DataFrame) -> pd.DataFrame:
    """Take blanks off the ends of text values; what is a missing value then becomes one."""
    import pandas as pd

    for name in frame.columns:
        if not pd.api.types.is_string_dtype(frame[name].dtype):
            continue
        distinct = [value for value in frame[name].unique().tolist() if isinstance(value, str)]
        stripped = [value.strip() for value in distinct]
        if stripped != distinct:
            texts = [None if is_missing(text) else text for text in stripped]
            frame[name] = frame[name].map(dict(zip(distinct, texts, strict=True)))
    return frame


def _possible_codes(frame: pd.DataFrame, contents: Contents, grid: Grid | None) -> list[str]:
    """Return the numeric columns in which some value may start with a zero or may have more than 15 digits."""
    import pandas as pd

    names = [str(name) for name in frame.columns]
    if grid is not None:
        led_by_zero = {names[index] for index in grid.columns_led_by_zero() if index < len(names)}
    else:
        led_by_zero = set(names) if _LED_BY_ZERO.search(contents.data) else set()

    def is_suspect(name: str) -> bool:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype):
            return name in led_by_zero or bool(column.abs().max() >= _TOO_LONG)
        # What no integer type can hold comes as Python's own numbers.
        return column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) == "integer"

    return [name for name in names if is_suspect(name)]


def _check_rows(
    contents: Contents, delimiter: str, names: tuple[str, ...] | None
) -> tuple[tuple[str, ...], int, Grid | None]:
    """Count the rows and refuse those that are too short or too long.

    Returns
    -------
    names : tuple of str
        The columns.
    count : int
        Number of rows of data.
    grid : Grid, optional
        None where values are quoted, so that only a scan of the text can tell them apart.
    """
    rows = _rows(contents, delimiter)
    first = 0
    if names is None:
        first, header = next(rows, (1, [""]))
        names = _check_names(header, contents.where, first)
    grid = Grid.of(contents.data, delimiter) if len(names) > 1 else None
    count, bad = grid.count_rows(first, len(names)) if grid else _count_rows(rows, len(names))
    if bad is not None:
        line, length = bad
        raise DataFormatError(contents.where, _unequal(length, names), line)
    if count == 0:
        raise DataFormatError(contents.where, "there are no rows of data")
    return names, count, grid


def _count_rows(rows: Iterator[tuple[int, list[str]]], width: int) -> tuple[int, tuple[int, int] | None]:
    count = 0
    for line, row in rows:
        if len(row) != width:
            return count, (line, len(row))
        count += 1
    return count, None


def _unequal(length: int, names: tuple[str, ...]) -> str:
    verb = "is" if len(names) == 1 else "are"
    problem = f"the row has {counted(length, 'value')}, but there {verb} {counted(len(names), 'column')}"
    if names[0][0] in "#%":
        return f"{problem}; remove comments before the line that names the columns"
    if len(names) == 1:
        return f"{problem}; {delimiter_hint(names[0])}"
    return f"{problem}; quote values that contain the delimiter"


def delimiter_hint(name: str) -> str:
    """Say what a single column may be a sign of."""
    return f"the first line, {name!r}, was taken for one name: values must stand between commas, semicolons, tabs or |"


def _rows(contents: Contents, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, with their line numbers."""
    if delimiter == " ":
        for number, line in enumerate(contents.lines(), start=1):
            if line.strip():
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
            if len(row) > 1 or line.strip():
                yield reader.line_num, row
    except csv.Error as error:
        raise DataFormatError(contents.where, f"{error}; is a quote left open?", reader.line_num) from error


def look_like_data(names: Iterable[str]) -> bool:
    """Tell whether what was taken for column names may be the first row of a file without them."""
    return any(_NUMBER.fullmatch(name) for name in names)


def _check_names(header: list[str], where: str, line: int) -> tuple[str, ...]:
    names = tuple(name.strip() for name in header)
    if "" in names:
        raise DataFormatError(
            where, f"column {names.index('') + 1} has no name; name it, or remove it if it is a saved index", line
        )
    hint = "; is this a row of data? The first line must name the columns" if look_like_data(names) else ""
    refuse_repeated_names(names, where, line, hint)
    return names
