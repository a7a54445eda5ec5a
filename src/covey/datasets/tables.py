"""CSV, Excel and Parquet files as frames of numbers and categories."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey._text import counted
from covey.datasets.choice import Choice
from covey.datasets.dates import PARTS
from covey.datasets.delimited import Layout, read_delimited, settle_delimiter
from covey.datasets.errors import DataFormatError, refuse_all
from covey.datasets.excel import MAGIC as EXCEL_MAGIC, read_excel
from covey.datasets.missing import without_marks
from covey.datasets.names import look_like_data, notes_on_names, settle_names, without_index
from covey.datasets.reading import DEFAULT_MAX_BYTES, Contents, Source, read_contents
from covey.datasets.tidy import Tidied, tidy_frame

if TYPE_CHECKING:
    import pandas as pd

_INDEX_COLUMN = re.compile(r"__index_level_\d+__")


def read_table(
    source: Source,
    *,
    max_bytes: int = DEFAULT_MAX_BYTES,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
    missing: Sequence[str] = (),
) -> pd.DataFrame:
    """Read a CSV, Excel or Parquet file, told apart by content.

    The first line of a CSV file names the columns; comma, semicolon, tab and ``|`` are recognised as delimiters, in
    files called .txt or .data also blanks, and a line ``sep=;`` before the names is heeded. Of an Excel file the first
    sheet is read that has rows and the columns that are named. ``?``, ``NA``, ``N/A``, ``#N/A``, ``NaN``, ``null``, in
    capitals or not, and nothing at all are missing values; among numbers and dates also ``unknown``, ``none``, ``-``
    and the like. A column of numbers becomes float64, of booleans 0 and 1, of dates several columns of numbers (year,
    month, weekday, hour, days since 1970-01-01), any other a column of categories. Between semicolons or tabs, numbers
    may have a decimal comma. Whole numbers that start with a zero (01) or have more than 15 digits are codes, hence
    categories. A first column without a name that numbers the rows is left out. Reading never runs code from the file.

    Parameters
    ----------
    source : path or open file
        CSV may be gzip.
    max_bytes : int, default=2 GiB
        Largest unpacked size.
    drop : sequence of str
        Columns to leave out.
    categorical : sequence of str
        Columns to be read as categories whatever they look like, their text unchanged.
    missing : sequence of str
        What stands for a missing value, in any column, besides the usual.

    Returns
    -------
    DataFrame
        float64 and categorical columns.

    Raises
    ------
    DataFormatError
        Rows of unequal length, numbers among which there is text, no rows, no text; the message names all at once.
    ValueError
        A column to drop or to read as categories does not exist.
    ImportError
        A Parquet file without pyarrow installed, or an Excel file without python-calamine.
    """
    choice = Choice(None, drop, categorical, missing=tuple(missing))
    return read_raw(read_contents(source, max_bytes=max_bytes), choice, max_bytes=max_bytes).tidy(choice).frame


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table as its file gives it, under names that differ, and not tidied yet."""

    frame: pd.DataFrame
    where: str  # the file, for messages
    delimiter: str | None = None  # None for what is not delimited text
    header: tuple[object, ...] = ()  # the names as the file gives them
    notes: tuple[str, ...] = ()
    errors: tuple[DataFormatError, ...] = ()  # what is wrong with rows

    @classmethod
    def of(cls, frame: pd.DataFrame, where: str) -> RawTable:
        """Return a frame of any source as a raw table."""
        header = tuple(frame.columns)
        return cls(frame.set_axis(list(settle_names(header)), axis=1), where, header=header)

    def tidy(self, choice: Choice) -> Tidied:
        """Leave out the columns to drop and a saved index, and give the others their types."""
        columns = [str(name) for name in self.frame.columns]
        choice.check(columns, self.where, {f"{name}: {part}" for name in columns for part in PARTS})
        frame, notes = without_index(self.frame, self.header, choice)
        frame = frame.drop(columns=list(choice.of(columns).drop))
        notes = (*self.notes, *notes, *notes_on_names(self.header, frame))
        if self.delimiter is None and choice.missing:
            frame = without_marks(frame, choice.missing)
        tidied = tidy_frame(frame, self.where, choice, delimiter=self.delimiter, errors=self.errors)
        if self.delimiter is not None and look_like_data(str(name) for name in self.header):
            notes += (
                "some column names are numbers; if the first line is a row of data, put a line of names before it",
            )
        choice.check([*columns, *tidied.frame.columns], self.where)
        frame = tidied.frame.drop(columns=[name for name in choice.drop if name not in columns])
        gone = [name for name in dict.fromkeys([*columns, *choice.drop]) if name not in frame.columns]
        return Tidied(frame, notes + tidied.notes, tidied.reading, tuple(gone))


def read_raw(contents: Contents, choice: Choice, *, max_bytes: int) -> RawTable:
    """Read a CSV, Excel or Parquet file that is in memory; the text of columns to be categories is left alone."""
    where = contents.where
    if contents.data[:4] == b"PAR1":
        return RawTable.of(_read_parquet(contents, max_bytes, choice.drop), where)
    if contents.data[:4] == EXCEL_MAGIC:
        frame, header, notes = read_excel(contents, max_bytes, tuple(choice.missing), choice.names())
        return RawTable(frame, where, header=header, notes=notes)
    for suffix, what in ((".parquet", "Parquet file: it does not start with PAR1"), (".xlsx", "Excel file")):
        if Path(where).suffix.lower() == suffix:
            raise DataFormatError(where, f"this is no {what}")
    may_be_blanks = re.search(r"\.(txt|data)(\.gz)?$", where, re.IGNORECASE) is not None
    contents, delimiter = settle_delimiter(contents, may_be_blanks=may_be_blanks)
    layout = Layout(delimiter, nominal=choice.nominal, keep_codes=True, missing=tuple(choice.missing))
    table = read_delimited(contents, layout)
    return RawTable(table.frame, where, delimiter, table.header, errors=table.errors)


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
    refuse_all(
        [
            DataFormatError(
                contents.where,
                f"the column {column.name!r} is of type {column.type}, not numbers or text; leave it out with "
                f"drop=[{column.name!r}]",
            )
            for column in table.schema
            if column.name not in drop and (pa.types.is_nested(column.type) or pa.types.is_binary(column.type))
        ]
    )
    frame: Any = table.to_pandas(ignore_metadata=True)
    return frame.drop(columns=[name for name in frame.columns if _INDEX_COLUMN.fullmatch(str(name))])  # type: ignore[no-any-return]
