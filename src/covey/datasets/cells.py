"""From rows of text to a typed frame, block by block, with the line number of whatever does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from covey._text import counted, quoted
from covey.datasets.errors import DataFormatError
from covey.datasets.header import Attribute, Dialect, Header
from covey.datasets.values import Value, ValueSyntaxError, is_blank, split_row, split_sparse_row

_BLOCK_CELLS = 1 << 20
"""Cells held as Python strings at a time; it bounds the memory that text takes beside the arrays."""


@dataclass(slots=True)
class _Block:
    """Rows of text that are not converted yet, with their line numbers."""

    rows: list[list[Value]]
    lines: list[int]


class _Columns:
    """The columns of the frame while they are filled."""

    def __init__(self, attributes: Sequence[Attribute], capacity: int, where: str) -> None:
        self.attributes = attributes
        self.where = where
        self.filled = 0
        kinds = [attribute.kind for attribute in attributes]
        self.numeric = np.empty((kinds.count("numeric"), capacity), dtype=np.float64)
        self.codes = np.empty((kinds.count("nominal"), capacity), dtype=np.int32)
        self.strings: list[list[Value]] = [[] for _ in range(kinds.count("string"))]
        self.lookups = [
            {None: -1, **{value: code for code, value in enumerate(attribute.categories)}}
            for attribute in attributes
            if attribute.kind == "nominal"
        ]

    def add(self, block: _Block) -> None:
        """Convert a block of rows and append it."""
        start, stop = self.filled, self.filled + len(block.rows)
        numeric = nominal = string = 0
        for attribute, column in zip(self.attributes, zip(*block.rows, strict=True), strict=True):
            if attribute.kind == "numeric":
                self.numeric[numeric, start:stop] = self._numbers(attribute, column, block)
                numeric += 1
            elif attribute.kind == "nominal":
                self.codes[nominal, start:stop] = self._codes(attribute, column, block, self.lookups[nominal])
                nominal += 1
            elif attribute.kind == "string":
                self.strings[string].extend(column)
                string += 1
        self.filled = stop
        self._refuse_infinite(start, stop, block)

    def frame(self) -> pd.DataFrame:
        """Return the filled columns in declared order."""
        numeric_names = [attribute.name for attribute in self.attributes if attribute.kind == "numeric"]
        numbers = pd.DataFrame(self.numeric[:, : self.filled].T, columns=numeric_names)
        codes, strings = iter(self.codes), iter(self.strings)
        others: dict[str, Any] = {}
        for attribute in self.attributes:
            if attribute.kind == "nominal":
                others[attribute.name] = pd.Categorical.from_codes(
                    next(codes)[: self.filled], categories=pd.Index(list(attribute.categories))
                )
            elif attribute.kind == "string":
                values = next(strings)
                present = sorted({value for value in values if value is not None})
                others[attribute.name] = pd.Categorical(values, categories=present)
        if not others:
            return numbers
        both = pd.concat([numbers, pd.DataFrame(others)], axis=1) if numeric_names else pd.DataFrame(others)
        return both[[attribute.name for attribute in self.attributes if attribute.kind != "dropped"]]

    def _numbers(self, attribute: Attribute, column: Sequence[Any], block: _Block) -> list[float]:
        try:
            _check_plain("".join(column))
            return list(map(float, column))
        except (ValueError, TypeError):
            # A missing value or a bad one: go through the cells one by one.
            return [self._number(attribute, text, line) for text, line in zip(column, block.lines, strict=True)]

    def _number(self, attribute: Attribute, text: Value, line: int) -> float:
        if text is None:
            return np.nan
        try:
            _check_plain(text)
            return float(text)
        except ValueError as error:
            raise DataFormatError(
                self.where,
                f"{text!r} is no number, but the attribute {attribute.name!r} is numeric; write ? for a missing value",
                line,
            ) from error

    def _codes(
        self, attribute: Attribute, column: Sequence[Value], block: _Block, lookup: dict[Value, int]
    ) -> list[int]:
        try:
            return [lookup[value] for value in column]
        except KeyError as error:
            value = error.args[0]
            raise DataFormatError(
                self.where,
                f"the value {value!r} is not declared for the attribute {attribute.name!r}; "
                f"declared are {quoted(attribute.categories)}",
                block.lines[column.index(value)],
            ) from error

    def _refuse_infinite(self, start: int, stop: int, block: _Block) -> None:
        infinite: NDArray[np.bool_] = np.isinf(self.numeric[:, start:stop])
        if infinite.any():
            row = int(np.flatnonzero(infinite.any(axis=0))[0])
            raise DataFormatError(
                self.where,
                "a number is infinite or too large for double precision; write a finite one, or ? if it is not known",
                block.lines[row],
            )


def read_rows(lines: list[str], header: Header, dialect: Dialect, where: str, max_bytes: int) -> pd.DataFrame:
    """Convert the lines after ``@data`` to a frame.

    Parameters
    ----------
    lines : list of str
        All lines of the file.
    header : Header
        The declarations.
    dialect : Dialect
        `ARFF` or `KEEL`.
    where : str
        Name of the file, for messages.
    max_bytes : int
        Sparse rows that would fill more than this when written out are refused.

    Returns
    -------
    DataFrame
        float64 for numeric attributes, categories in declared order for nominal ones, sorted for strings; without
        dropped attributes.
    """
    attributes = list(header.attributes.values())
    rows_left = range(header.first_row, len(lines))
    has_sparse = any(lines[index].lstrip()[:1] == "{" for index in rows_left)
    if has_sparse and len(rows_left) * len(attributes) * 8 > max_bytes:
        raise DataFormatError(
            where,
            f"{len(rows_left)} sparse rows of {len(attributes)} attributes need more than max_bytes={max_bytes} "
            "bytes as a dense table; pass a larger max_bytes if that is right",
        )
    columns = _Columns(attributes, len(rows_left), where)
    block = _Block([], [])
    block_rows = max(1, _BLOCK_CELLS // len(attributes))
    for index in rows_left:
        line = lines[index]
        if is_blank(line):
            continue
        try:
            block.rows.append(_split(line, attributes, dialect.missing))
        except ValueSyntaxError as error:
            raise DataFormatError(where, str(error), index + 1) from error
        block.lines.append(index + 1)
        if len(block.rows) == block_rows:
            columns.add(block)
            block = _Block([], [])
    if block.rows:
        columns.add(block)
    if not columns.filled:
        raise DataFormatError(where, "there are no rows after @data", header.first_row)
    return columns.frame()


def _split(line: str, attributes: list[Attribute], missing: frozenset[str]) -> list[Value]:
    if line.lstrip()[0] == "{":
        return _fill_sparse(split_sparse_row(line, missing), attributes)
    values = split_row(line, missing)
    if len(values) == len(attributes):
        return values
    last = values[-1]
    if len(values) == len(attributes) + 1 and last is not None and last[0] == "{" and last[-1] == "}":
        raise ValueSyntaxError(f"the row carries the weight {last}, which covey does not take from files; remove it")
    verb = "is" if len(attributes) == 1 else "are"
    raise ValueSyntaxError(
        f"the row has {counted(len(values), 'value')}, but {counted(len(attributes), 'attribute')} {verb} declared; "
        "quote values that contain commas"
    )


def _fill_sparse(given: dict[int, Value], attributes: list[Attribute]) -> list[Value]:
    """Write a sparse row out: what it leaves out is 0, or the first declared value of a nominal attribute."""
    if given and max(given) >= len(attributes):
        raise ValueSyntaxError(
            f"the sparse row names attribute {max(given)}, but the last of {len(attributes)} is {len(attributes) - 1}"
        )
    row: list[Value] = []
    for index, attribute in enumerate(attributes):
        if index in given:
            row.append(given[index])
        elif attribute.kind == "numeric":
            row.append("0")
        elif attribute.kind == "dropped":
            row.append(None)
        elif attribute.categories:
            row.append(attribute.categories[0])
        else:
            raise ValueSyntaxError(f"a sparse row may not leave out {attribute.name!r}, which declares no values")
    return row


def _check_plain(text: str) -> None:
    """Refuse what Python takes for a number and the format does not: digit groups and non-ASCII digits."""
    if "_" in text or not text.isascii():
        raise ValueError(text)
