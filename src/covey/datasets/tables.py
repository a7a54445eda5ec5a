"""CSV and Parquet files as frames of numbers and categories."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey._text import counted
from covey.datasets.choice import Choice
from covey.datasets.delimited import Layout, look_like_data, read_delimited, settle_delimiter
from covey.datasets.errors import DataFormatError
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
