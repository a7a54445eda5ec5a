"""Where the values of delimited text begin and end, found without splitting it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Grid:
    """The delimiters and line ends of a text whose values hold no line ends.

    Parameters
    ----------
    data : bytes
        The text, with line feeds only.
    delimiter : str
        What separates values.
    marks : array of int
        Positions of the delimiters outside quotes.
    ends : array of int
        Positions of the line ends, the end of the text included.
    """

    data: bytes
    delimiter: str
    marks: NDArray[np.intp]
    ends: NDArray[np.intp]

    @classmethod
    def of(cls, data: bytes, delimiter: str) -> Grid | None:
        """Find delimiters and line ends; None where blanks as delimiters, quotes or lone returns need a real scan."""
        plain = data.replace(b"\r\n", b"\n") if b"\r" in data else data
        if delimiter == " " or b"\r" in plain:
            return None
        letters = np.frombuffer(plain, dtype=np.uint8)
        ends = np.flatnonzero(letters == ord("\n"))
        marks = np.flatnonzero(letters == ord(delimiter))
        if b'"' in plain:
            quotes = np.flatnonzero(letters == ord('"'))
            if not _enclose_values(quotes, letters, delimiter) or _inside(ends, quotes).any():
                return None
            marks = marks[~_inside(marks, quotes)]
        if not plain.endswith(b"\n"):
            ends = np.append(ends, len(plain))
        return cls(plain, delimiter, marks, ends)

    def count_rows(self, first: int, width: int) -> tuple[int, tuple[int, int] | None]:
        """Count the rows that are not blank, and check their lengths.

        Parameters
        ----------
        first : int
            Number of lines to pass over.
        width : int
            Number of values a row must have, more than one.

        Returns
        -------
        count : int
            Number of rows, if all are right.
        bad : tuple of int, optional
            Line and number of values of the first row that is not.
        """
        lengths = np.diff(np.searchsorted(self.marks, self.ends), prepend=0)[first:] + 1
        blank = 0
        for index in np.flatnonzero(lengths != width):
            if lengths[index] > 1 or self._line(first + int(index)).strip():
                return 0, (first + int(index) + 1, int(lengths[index]))
            blank += 1
        return len(lengths) - blank, None

    def columns_led_by_zero(self) -> list[int]:
        """Return the columns, counted from 0, in which some value starts with 0 and another digit."""
        letters = np.frombuffer(self.data, dtype=np.uint8)
        # Unsigned arithmetic wraps, so one comparison tells the digits.
        zeros = np.flatnonzero((letters[:-1] == ord("0")) & (letters[1:] - np.uint8(ord("0")) < 10))
        zeros = zeros[zeros > 0]
        before = letters[zeros - 1]
        starts = zeros[np.isin(before, _codes(f'\n "{self.delimiter}'))]
        lines = np.searchsorted(self.ends, starts)
        line_starts = np.append(0, self.ends)[lines]
        places = np.searchsorted(self.marks, starts) - np.searchsorted(self.marks, line_starts)
        return [int(place) for place in np.unique(places)]

    def _line(self, index: int) -> str:
        start = int(self.ends[index - 1]) + 1 if index else 0
        return self.data[start : int(self.ends[index])].decode("latin-1").strip()


def _codes(letters: str) -> NDArray[np.uint8]:
    return np.frombuffer(letters.encode(), dtype=np.uint8)


def _inside(positions: NDArray[np.intp], quotes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which positions lie between an opening quote and its closing one."""
    inside: NDArray[np.bool_] = np.searchsorted(quotes, positions) % 2 == 1
    return inside


def _enclose_values(quotes: NDArray[np.intp], letters: NDArray[np.uint8], delimiter: str) -> bool:
    """Tell whether quotes stand only around whole values or doubled within them, so that every other one opens."""
    if len(quotes) % 2:
        return False
    edges = _codes(f'\n"{delimiter}')
    opening, closing = quotes[::2], quotes[1::2]
    before, after = letters[opening[opening > 0] - 1], letters[closing[closing < len(letters) - 1] + 1]
    return bool(np.isin(before, edges).all() and np.isin(after, edges).all())
