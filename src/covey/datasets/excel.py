"""Excel workbooks as frames: one sheet, whose first row names the columns."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection
from typing import TYPE_CHECKING

from covey._text import quoted
from covey.datasets.errors import DataFormatError
from covey.datasets.missing import MISSING
from covey.datasets.names import settle_names
from covey.datasets.reading import Contents

if TYPE_CHECKING:
    import pandas as pd

MAGIC = b"PK\x03\x04"


def read_excel(
    contents: Contents, max_bytes: int, missing: tuple[str, ...] = (), wanted: Collection[str] = ()
) -> tuple[pd.DataFrame, tuple[str, ...], tuple[str, ...]]:
    """Return the first sheet that has the wanted columns, the names as it has them, and notes on what was not read.

    Where no sheet has them it is the first that has rows.
    """
    import pandas as pd

    where = contents.where
    _check_size(contents, max_bytes)
    try:
        import python_calamine
    except ImportError as error:
        raise ImportError(
            f"{where}: reading Excel needs python-calamine; install it with: pip install covey[excel]"
        ) from error
    marks = sorted(MISSING.union(missing))
    try:
        with pd.ExcelFile(io.BytesIO(contents.data), engine="calamine") as book:
            sheets = [str(name) for name in book.sheet_names]
            read = {
                name: pd.read_excel(book, sheet_name=place, header=None, na_values=marks, keep_default_na=False)
                for place, name in enumerate(sheets)
            }
    except (python_calamine.CalamineError, ValueError, OSError) as error:
        raise DataFormatError(where, f"the Excel file is damaged, or of another kind ({error})") from error
    tables = {name: cells.dropna(how="all").dropna(axis=1, how="all") for name, cells in read.items()}
    headers = {name: _header(cells) for name, cells in tables.items() if len(cells) > 1}
    if not headers:
        raise DataFormatError(
            where, f"there are no rows of data in its {'sheet' if len(sheets) == 1 else 'sheets'} {quoted(sheets)}"
        )
    fitting = [name for name, header in headers.items() if set(wanted) <= set(header)]
    sheet = next(iter(fitting or headers))
    header = headers[sheet]
    frame = tables[sheet].iloc[1:].reset_index(drop=True).infer_objects()
    frame.columns = pd.Index(settle_names(header))
    others = [name for name in sheets if name != sheet]
    which = "the first sheet" if sheet == sheets[0] else "the sheet"
    note = f"only {which}, {sheet!r}, was read; others are {quoted(others)}, to be saved as files of their own"
    return frame, header, (note,) if others else ()


def _header(cells: pd.DataFrame) -> tuple[str, ...]:
    """Return the names of columns, "" where there is none."""
    import pandas as pd

    return tuple("" if pd.isna(name) else str(name).strip() for name in cells.iloc[0])


def _check_size(contents: Contents, max_bytes: int) -> None:
    """Refuse what is no workbook, or unpacks to more than allowed."""
    try:
        with zipfile.ZipFile(io.BytesIO(contents.data)) as archive:
            names, size = archive.namelist(), sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise DataFormatError(contents.where, f"the Excel file is cut short or corrupt ({error})") from error
    if "xl/workbook.xml" not in names:
        raise DataFormatError(contents.where, "this is a ZIP archive, not an Excel file; unpack it first")
    if size > max_bytes:
        raise DataFormatError(
            contents.where, f"the file unpacks to more than max_bytes={max_bytes} bytes; pass a larger max_bytes"
        )
