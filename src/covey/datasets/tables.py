"""Reading CSV and Parquet files into frames of numbers and categories."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.datasets.errors import DataFormatError, listing
from covey.datasets.reading import DEFAULT_MAX_BYTES, Contents, Source, read_contents
from covey.datasets.tidy import tidy_frame

if TYPE_CHECKING:
    import pandas as pd

_MISSING = ("?", "", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
_PARQUET_MAGIC = b"PAR1"
_INDEX_COLUMN = re.compile(r"__index_level_\d+__")


@dataclass(frozen=True, slots=True)
class Layout:
    """How the rows of a text file are written.

    Parameters
    ----------
    delimiter : str, optional
        None: comma, semicolon or tab, whichever the header holds most of; " " stands for any run of blanks.
    names : tuple of str, optional
        Column names of a file without a header.
    nominal : frozenset of str
        Columns whose values are labels even where they look like numbers.
    decimal : str
        Decimal mark.
    """

    delimiter: str | None = None
    names: tuple[str, ...] | None = None
    nominal: frozenset[str] = frozenset()
    decimal: str = "."


def read_table(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES, drop: Sequence[str] = ()) -> pd.DataFrame:
    """Read a CSV or Parquet file, told apart by content.

    In CSV, ``?``, ``NA``, ``N/A``, ``NaN``, ``null`` and nothing at all are missing values; a column of numbers
    becomes float64, any other a column of categories. The first line names the columns; comma, semicolon and tab
    are recognised as delimiters. Reading never runs code from the file.

    Parameters
    ----------
    source : path or open file
        CSV may be gzip.
    max_bytes : int, default=2 GiB
        Largest unpacked size.
    drop : sequence of str
        Columns to leave out, for instance dates, which are refused otherwise.

    Returns
    -------
    DataFrame
        float64 and categorical columns.

    Raises
    ------
    DataFormatError
        Rows of unequal length, names that occur twice, dates, no rows, no text.
    ImportError
        A Parquet file without pyarrow installed.
    """
    contents = read_contents(source, max_bytes=max_bytes)
    return frame_of(contents, max_bytes=max_bytes, drop=drop)


def frame_of(contents: Contents, *, max_bytes: int, drop: Sequence[str] = ()) -> pd.DataFrame:
    """Do the work of `read_table` for a file already in memory."""
    if is_parquet(contents):
        frame = _read_parquet(contents, max_bytes)
    elif Path(contents.where).suffix == ".parquet":
        raise DataFormatError(contents.where, "this is no Parquet file: it does not start with PAR1")
    else:
        frame = read_delimited(contents, Layout())
    unknown = [name for name in drop if name not in frame.columns]
    if unknown:
        raise ValueError(
            f"drop={list(drop)!r}: {contents.where} has no column {listing(unknown)}; "
            f"its columns are {listing(frame.columns)}"
        )
    return tidy_frame(frame.drop(columns=list(drop)), contents.where)


def is_parquet(contents: Contents) -> bool:
    """Tell a Parquet file by its first bytes."""
    return contents.data[:4] == _PARQUET_MAGIC


def read_delimited(contents: Contents, layout: Layout) -> pd.DataFrame:
    """Read delimited text into a frame whose columns are not tidied yet.

    pandas pads short rows and folds long ones into an index without a word, so the rows are counted first.
    """
    import pandas as pd

    delimiter = layout.delimiter or _guess_delimiter(contents)
    rows = _rows(contents, delimiter)
    names = layout.names
    if names is None:
        line, header = next(rows, (1, [""]))
        names = _check_names(header, contents.where, line)
    count = 0
    for count, (line, row) in enumerate(rows, start=1):  # noqa: B007
        if len(row) != len(names):
            raise DataFormatError(
                contents.where, f"the row has {len(row)} values, but there are {len(names)} columns", line
            )
    if count == 0:
        raise DataFormatError(contents.where, "there are no rows of data")
    frame = pd.read_csv(
        io.BytesIO(contents.data),
        encoding=contents.encoding(),
        sep=r"\s+" if delimiter == " " else delimiter,
        header=None if layout.names else 0,
        names=list(names),
        dtype=dict.fromkeys(layout.nominal, str),
        decimal=layout.decimal,
        skipinitialspace=True,
        na_values=list(_MISSING),
        keep_default_na=False,
        low_memory=False,
        **_exact_floats(pd.__version__),
    )
    if len(frame) != count:
        raise DataFormatError(contents.where, f"{count} rows were counted but {len(frame)} read; is a quote misplaced?")
    return _strip(frame)


def _exact_floats(version: str) -> dict[str, Any]:
    """Ask for exact parsing of decimals, which pandas does unasked, and wants not to be asked for, from 3.1 on."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


def _strip(frame: pd.DataFrame) -> pd.DataFrame:
    """Take blanks off the ends of text values; what is a missing value then becomes one."""
    import pandas as pd

    for name in frame.columns:
        if pd.api.types.is_string_dtype(frame[name].dtype) and not isinstance(frame[name].dtype, pd.CategoricalDtype):
            text = frame[name].map(lambda value: value.strip() if isinstance(value, str) else value)
            frame[name] = text.mask(text.isin(_MISSING))
    return frame


def _rows(contents: Contents, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, with their line numbers."""
    if delimiter == " ":
        for number, line in enumerate(contents.lines(), start=1):
            if line.strip():
                yield number, line.split()
        return
    reader = csv.reader(contents.lines(), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for row in reader:
            if len(row) > 1 or (row and row[0].strip()):
                yield reader.line_num, row
    except csv.Error as error:
        raise DataFormatError(contents.where, f"{error}; is a quote left open?", reader.line_num) from error


def _guess_delimiter(contents: Contents) -> str:
    header = next((line for line in contents.lines() if line.strip()), "")
    return max(",;\t", key=header.count)


def _check_names(header: list[str], where: str, line: int) -> tuple[str, ...]:
    names = tuple(name.strip() for name in header)
    if "" in names:
        raise DataFormatError(
            where, f"column {names.index('') + 1} has no name; name it, or remove it if it is a saved index", line
        )
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise DataFormatError(where, f"the column names {listing(twice)} occur twice; names must differ", line)
    return names


def _read_parquet(contents: Contents, max_bytes: int) -> pd.DataFrame:
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
                f"the table of {shape[0]} rows and {shape[1]} columns takes more than max_bytes={max_bytes} bytes; "
                "pass a larger max_bytes if that is right",
            )
        table = file.read()
    except (pa.ArrowException, OSError) as error:
        raise DataFormatError(contents.where, f"the Parquet file is cut short or corrupt ({error})") from error
    _refuse_nested(table.schema, contents.where)
    frame: Any = table.to_pandas(ignore_metadata=True)
    return frame.drop(columns=[name for name in frame.columns if _INDEX_COLUMN.fullmatch(str(name))])  # type: ignore[no-any-return]


def _refuse_nested(schema: Any, where: str) -> None:
    import pyarrow as pa

    for column in schema:
        if pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
            raise DataFormatError(where, f"the column {column.name!r} is of type {column.type}, not numbers or text")
