"""Tables as comma-separated text that a spreadsheet shows and does not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey._text import CONTROLS, spelt_out

if TYPE_CHECKING:
    import pandas as pd

# What a formula can start with, in the wide letters of Chinese and Japanese too.
_STARTS = tuple("=+-@＝＋－＠")
_PLAIN_KINDS = "iufcbmM"


def frame_as_csv(frame: pd.DataFrame, *, index: bool = True) -> str:
    """Return a frame as comma-separated text: see `csv_cell` for what becomes of text in it, of names and labels too.

    Parameters
    ----------
    frame : DataFrame
    index : bool, default=True
        Whether to write the labels of the rows.
    """
    import pandas as pd

    levels = range(frame.index.nlevels) if index else ()
    columns = [_cells(frame.index.get_level_values(level)) for level in levels]
    columns += [_cells(frame.iloc[:, place]) for place in range(frame.shape[1])]
    names = [*(frame.index.names if index else ()), *frame.columns]
    written = pd.DataFrame(dict(enumerate(columns)))
    return written.to_csv(index=False, header=["" if name is None else csv_cell(name) for name in names])


def csv_cell(value: Any) -> Any:
    r"""Return a value as a cell of comma-separated text.

    Text that a spreadsheet would run as a formula gets a quote (``'``) before it, as OWASP advises. Numbers, written as
    text too, and signs alone stay as they are: they do nothing. Control characters and line breaks are written as
    escapes (``\n``), so that each row is one line.

    Parameters
    ----------
    value : object
        Anything but text is returned as it is.

    Examples
    --------
    >>> from covey.analysis.tables.as_csv import csv_cell
    >>> [csv_cell(text) for text in ("=1+1", "@SUM(A1)", "-1.5", "+", "a\nb")]
    ["'=1+1", "'@SUM(A1)", '-1.5', '+', 'a\\nb']
    """
    if not isinstance(value, str):
        return value
    text = spelt_out(value, kinds=CONTROLS)
    runs = text.startswith(_STARTS) and not _is_number(text) and any(letter.isalnum() for letter in text)
    return f"'{text}" if runs else text


def _cells(values: Any) -> Any:
    """Return the values of a column or index, text as cells."""
    import pandas as pd

    plain = values.dtype.kind in _PLAIN_KINDS
    return values.array if plain else pd.array([csv_cell(value) for value in values.array], dtype=object)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
