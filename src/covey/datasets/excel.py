"""Excel workbooks as frames: the first sheet, whose first row names the columns."""

from __future__ import annotations

import io
import zipfile
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
    contents: Contents, max_bytes: int, missing: tuple[str, ...] = ()
) -> tuple[pd.DataFrame, tuple[str, ...], tuple[str, ...]]:
    """Return the first sheet, the names as it has them, and notes on what was not read."""
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
            cells = pd.read_excel(book, sheet_name=0, header=None, na_values=marks, keep_default_na=False)
    except (python_calamine.CalamineError, ValueError, OSError) as error:
        raise DataFormatError(where, f"the Excel file is damaged, or of another kind ({error})") from error
    cells = cells.dropna(how="all").dropna(axis=1, how="all")
    if len(cells) < 2:
        raise DataFormatError(where, f"there are no rows of data in the first sheet, {sheets[0]!r}")
    header = tuple("" if pd.isna(name) else str(name).strip() for name in cells.iloc[0])
    frame = cells.iloc[1:].reset_index(drop=True).infer_objects()
    frame.columns = pd.Index(settle_names(header))
    note = f"only the first sheet, {sheets[0]!r}, was read; others are {quoted(sheets[1:])}"
    return frame, header, (note,) if len(sheets) > 1 else ()


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
