"""Cells of a table, in plain text: what every format writes, each in its own way."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey._rounding import is_number, write_number
from covey._text import spelt_out

if TYPE_CHECKING:
    import pandas as pd

Align = Literal["left", "right"]
MISSING = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell."""

    text: str  # one line; a number has "-" for minus, "∞", and " ± " before its spread; what is missing is "–"
    align: Align = "left"  # which all cells of a column share
    bold: bool = False
    number: bool = False  # so that renderers may write its signs as such
    room: str = ""  # to leave room for: a number without a spread stands below the others' numbers


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a table, with its caption and notes, of one line each."""

    caption: str
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_labels: int  # how many columns at the left are names of the rows
    notes: tuple[str, ...]


def cell_of(value: Any, spec: str | None, bold: bool = False) -> Cell:
    """Return a value as a cell."""
    if is_missing(value):
        return Cell(MISSING, bold=bold)
    if isinstance(value, bool | np.bool_):
        return Cell("yes" if value else "no", bold=bold)
    if is_number(value):
        return Cell(write_number(value, spec), bold=bold, number=True)
    return Cell(visible(value), bold=bold)


def with_spread(cells: list[Cell], spread: list[Any], spec: str) -> list[Cell]:
    """Write the spread behind numbers that have one, and leave room for it behind the rest."""
    texts = [
        f" ± {write_number(deviation, spec.removeprefix('+'))}" if cell.number and not is_missing(deviation) else ""
        for cell, deviation in zip(cells, spread, strict=True)
    ]
    widest = max(texts, key=len, default="")
    return [
        replace(cell, text=cell.text + text, room="" if text else widest)
        for cell, text in zip(cells, texts, strict=True)
    ]


def column_of(name: Any, cells: list[Cell], values: pd.Series[Any] | pd.Index[Any]) -> list[Cell]:
    """Return a name and the cells below it, at the right if they are numbers, some of which may be missing."""
    numeric = [cell.number for cell in cells if cell.text != MISSING or cell.number]
    right = all(numeric) and (bool(numeric) or values.dtype.kind in "iuf")
    side: Align = "right" if right else "left"
    return [replace(cell, align=side) for cell in (Cell(visible(name)), *cells)]


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN or one of pandas' signs for what is missing."""
    import pandas as pd

    if isinstance(value, float):  # most are, and this is many times as fast
        return value != value
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def visible(value: Any) -> str:
    """Return a name as one line that can be seen."""
    return spelt_out(str(value).strip())


def in_one_line(text: str) -> str:
    """Return a caption or note with each stretch of blanks and line breaks as one blank."""
    return visible(" ".join(text.split()))


def text_width(text: str) -> int:
    """Return how many columns of a terminal a text takes: Chinese letters take two, combining accents none."""
    if text.isascii():
        return len(text)
    shown = [char for char in text if unicodedata.category(char) not in ("Mn", "Me", "Cf")]
    return len(shown) + sum(unicodedata.east_asian_width(char) in "WF" for char in shown)


def pad(text: str, width: int, align: Align) -> str:
    """Return a text with blanks up to a width, counted as a terminal does."""
    blanks = " " * (width - text_width(text))
    return text + blanks if align == "left" else blanks + text
