"""Numbers that are written with a unit or with marks between thousands, such as "$1,234.50", "1.234,50 €" or "12 %"."""

from __future__ import annotations

import re
from collections.abc import Iterable

_UNITS = r"[$€£¥%]|USD|EUR|GBP|CHF"
_AMOUNT = re.compile(rf"([+-]?)\s?({_UNITS})?\s?([+-]?)(\d[\d.,'’\s]*?)\s?({_UNITS})?")
_BLANKS = re.compile(r"(?<=\d)['’\s](?=\d{3}(?!\d))")
# What is a number, by its decimal mark.
_NUMBERS = {
    ".": re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?", re.ASCII),
    ",": re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:,\d+)?", re.ASCII),
}
MARKS = tuple(_NUMBERS)


def decimal_mark(texts: Iterable[str], delimiter: str | None) -> str | None:
    """Return the decimal mark of amounts; None where some text is no amount, units differ, or it cannot be told.

    Where all texts can be read in both ways, as 1,200 can, files delimited by commas have decimal points, and those
    delimited by semicolons decimal commas.
    """
    parts = [_parts(text) for text in texts]
    if any(part is None for part in parts) or len({part[2] for part in parts if part}) != 1:
        return None
    digits = [part[1] for part in parts if part]
    fitting = [mark for mark, pattern in _NUMBERS.items() if all(map(pattern.fullmatch, digits))]
    if len(fitting) == 1 or not any(mark in text for text in digits for mark in MARKS):
        return fitting[0] if fitting else None
    return {",": ".", ";": ","}.get(delimiter or "") if fitting else None


def number_of(text: str, mark: str) -> float:
    """Return an amount as a number, NaN if it is none with such a decimal mark."""
    part = _parts(text)
    if part is None or not _NUMBERS[mark].fullmatch(part[1]):
        return float("nan")
    (other,) = (one for one in MARKS if one != mark)
    return float(part[0] + part[1].replace(other, "").replace(mark, "."))


def _parts(text: str) -> tuple[str, str, str] | None:
    """Return sign, digits with their marks, and unit."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or (match[1] and match[3]) or (match[2] and match[5]):
        return None
    unit = match[2] or match[5] or ""
    # Blanks between digits alone may be those of a telephone number.
    digits = _BLANKS.sub("", match[4]) if unit else match[4]
    return match[1] or match[3], digits, unit
