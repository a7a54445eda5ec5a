"""CSV and Parquet files as frames of numbers and categories."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import counted
from covey.datasets.dataset import Choice
from covey.datasets.errors import DataFormatError, refuse_repeated_names
from covey.datasets.reading import DEFAULT_MAX_BYTES, Contents, Source, read_contents
from covey.datasets.tidy import MISSING, Tidied, are_codes, tidy_frame

if TYPE_CHECKING:
    import pandas as pd

DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
_SEPARATOR_LINE = re.compile(rb'(?:\xef\xbb\xbf)?"?sep=(.)"?[ \t]*\r?(?:\n|\Z)', re.IGNORECASE)
_ARFF_LINE = re.compile(r"@(?:relation|attribute)\b", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?", re.ASCII)
# A whole number of 16 digits or more may have been rounded when it became a float64.
_SIXTEEN_DIGITS = 1e15

# How many rows there are or, of the first that is too short or too long, the line and the number of values.
_RowCount = tuple[int, tuple[int, int] | None]


@dataclass(frozen=True, slots=True)
class Layout:
    """The way in which the rows of a text file are written."""

    delimiter: str = ","  # " " stands for any run of blanks
    names: tuple[str, ...] | None = None  # of the columns, in a file without a header
    nominal: frozenset[str] = frozenset()  # columns whose values are labels even where they look like numbers
    decimal: str = "."
    keep_codes: bool = False  # whole numbers that start with a zero or have more than 15 digits stay text


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


def read_delimited(contents: Contents, layout: Layout) -> pd.DataFrame:
    """Read delimited text.

    pandas pads short rows and folds long ones into an index without a word, so the rows are counted first.
    """
    import pandas as pd

    names, count = _check_rows(contents, layout)

    def parse(**options: Any) -> pd.DataFrame:
        frame: pd.DataFrame = pd.read_csv(
            io.BytesIO(contents.data),
            encoding=contents.encoding(),
            sep=r"\s+" if layout.delimiter == " " else layout.delimiter,
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
    suspects = _possible_codes(frame, contents.data, layout.delimiter) if layout.keep_codes else []
    texts = parse(usecols=suspects, dtype=str) if suspects else frame
    for name in suspects:
        if are_codes(texts[name].dropna().unique().tolist()):
            frame[name] = texts[name]
    return frame


def look_like_data(names: Iterable[str]) -> bool:
    """Tell whether what was taken for column names may be the first row of a file without them."""
    return any(_NUMBER.fullmatch(name) for name in names)


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
            texts = [None if text in MISSING else text for text in stripped]
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


def _check_rows(contents: Contents, layout: Layout) -> tuple[tuple[str, ...], int]:
    """Return the names of the columns and the number of rows; refuse rows that are too short or too long."""
    rows = _rows(contents, layout.delimiter)
    first, names = 0, layout.names
    if names is None:
        first, header = next(rows, (1, [""]))
        names = _check_names(header, contents.where, first)
    quick = quick_count(contents.data, layout.delimiter, first, len(names)) if len(names) > 1 else None
    count, bad = quick or count_rows(rows, len(names))
    if bad is not None:
        raise DataFormatError(contents.where, _unequal(bad[1], names), bad[0])
    if count == 0:
        raise DataFormatError(contents.where, "there are no rows of data")
    return names, count


def count_rows(rows: Iterator[tuple[int, list[str]]], width: int) -> _RowCount:
    """Count rows as long as they have `width` values."""
    count = 0
    for line, row in rows:
        if len(row) != width:
            return 0, (line, len(row))
        count += 1
    return count, None


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
    unequal = np.flatnonzero(lengths != width)
    for line in unequal + first:
        start = ends[line - 1] + 1 if line else 0
        if lengths[line - first] > 1 or data[start : ends[line]].decode("latin-1").strip():
            return 0, (int(line) + 1, int(lengths[line - first]))
    return len(lengths) - len(unequal), None


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


def _unequal(length: int, names: tuple[str, ...]) -> str:
    verb = "is" if len(names) == 1 else "are"
    problem = f"the row has {counted(length, 'value')}, but there {verb} {counted(len(names), 'column')}"
    if names[0][0] in "#%":
        return f"{problem}; remove comments before the line that names the columns"
    if len(names) == 1:
        return (
            f"{problem}; the first line, {names[0]!r}, was taken for one name: values must stand between commas, "
            "semicolons, tabs or |"
        )
    return f"{problem}; quote values that contain the delimiter"


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


def _check_names(header: list[str], where: str, line: int) -> tuple[str, ...]:
    names = tuple(name.strip() for name in header)
    if "" in names:
        raise DataFormatError(
            where, f"column {names.index('') + 1} has no name; name it, or remove it if it is a saved index", line
        )
    hint = "; is this a row of data? The first line must name the columns" if look_like_data(names) else ""
    refuse_repeated_names(names, where, line, hint)
    return names


_INDEX_COLUMN = re.compile(r"__index_level_\d+__")


def read_table(
    source: Source,
    *,
    max_bytes: int = DEFAULT_MAX_BYTES,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
) -> pd.DataFrame:
    """Read a CSV or Parquet file, told apart by content.

    The first line of a CSV file names the columns; comma, semicolon, tab and ``|`` are recognised as delimiters, in
    files called .txt or .data also blanks, and a line ``sep=;`` before the names is heeded. ``?``, ``NA``, ``N/A``,
    ``#N/A``, ``NaN``, ``null``, in capitals or not, and nothing at all are missing values. A column of numbers becomes
    float64, of booleans 0 and 1, any other a column of categories. Between semicolons or tabs, numbers may have a
    decimal comma. Whole numbers that start with a zero (01) or have more than 15 digits are codes, hence categories.
    Reading never runs code from the file.

    Parameters
    ----------
    source : path or open file
        CSV may be gzip.
    max_bytes : int, default=2 GiB
        Largest unpacked size.
    drop : sequence of str
        Columns to leave out, for instance dates, which are refused otherwise.
    categorical : sequence of str
        Columns to be read as categories whatever they look like, their text unchanged.

    Returns
    -------
    DataFrame
        float64 and categorical columns.

    Raises
    ------
    DataFormatError
        Rows of unequal length, names that occur twice, dates, no rows, no text.
    ValueError
        A column to drop or to read as categories does not exist.
    ImportError
        A Parquet file without pyarrow installed.
    """
    choice = Choice(None, drop, categorical)
    return read_raw(read_contents(source, max_bytes=max_bytes), choice, max_bytes=max_bytes).tidy(choice).frame


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table as its file gives it, not tidied yet."""

    frame: pd.DataFrame
    where: str  # the file, for messages
    delimiter: str | None  # None for Parquet

    def tidy(self, choice: Choice) -> Tidied:
        """Leave out the columns to drop and give the others their types."""
        choice.check(self.frame.columns, self.where)
        frame, notes = tidy_frame(
            self.frame.drop(columns=list(choice.drop)), self.where, choice, delimiter=self.delimiter
        )
        if self.delimiter is not None and look_like_data(str(name) for name in self.frame.columns):
            notes += (
                "some column names are numbers; if the first line is a row of data, put a line of names before it",
            )
        return Tidied(frame, notes)


def read_raw(contents: Contents, choice: Choice, *, max_bytes: int) -> RawTable:
    """Read a CSV or Parquet file that is in memory; the text of columns to be categories is left alone."""
    where = contents.where
    if contents.data[:4] == b"PAR1":
        return RawTable(_read_parquet(contents, max_bytes, choice.drop), where, None)
    if Path(where).suffix.lower() == ".parquet":
        raise DataFormatError(where, "this is no Parquet file: it does not start with PAR1")
    may_be_blanks = re.search(r"\.(txt|data)(\.gz)?$", where, re.IGNORECASE) is not None
    contents, delimiter = settle_delimiter(contents, may_be_blanks=may_be_blanks)
    layout = Layout(delimiter, nominal=frozenset(choice.categorical), keep_codes=True)
    return RawTable(read_delimited(contents, layout), where, delimiter)


def _read_parquet(contents: Contents, max_bytes: int, drop: Sequence[str]) -> pd.DataFrame:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError(
            f"{contents.where}: reading Parquet needs pyarrow; install it with: pip install covey[data]"
        ) from error
    try:
        file = pq.ParquetFile(io.BytesIO(contents.data))
        shape = file.metadata.num_rows, file.metadata.num_columns
        # Repeated values take next to nothing in the file, so its size says little about that of the table.
        if shape[0] * shape[1] * 8 > max_bytes:
            raise DataFormatError(
                contents.where,
                f"the table of {counted(shape[0], 'row')} and {counted(shape[1], 'column')} takes more than "
                f"max_bytes={max_bytes} bytes; pass a larger max_bytes if that is right",
            )
        table = file.read()
    except (pa.ArrowException, OSError) as error:
        raise DataFormatError(contents.where, f"the Parquet file is cut short or corrupt ({error})") from error
    for column in table.schema:
        if column.name not in drop and (pa.types.is_nested(column.type) or pa.types.is_binary(column.type)):
            raise DataFormatError(
                contents.where,
                f"the column {column.name!r} is of type {column.type}, not numbers or text; leave it out with "
                f"drop=[{column.name!r}]",
            )
    frame: Any = table.to_pandas(ignore_metadata=True)
    return frame.drop(columns=[name for name in frame.columns if _INDEX_COLUMN.fullmatch(str(name))])  # type: ignore[no-any-return]
