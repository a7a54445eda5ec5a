"""ARFF and KEEL files, plain or gzip, as frames of declared types.

covey reads them itself because no kept-up library reads ARFF right; docs/decisions/arff.md tells what was tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

import numpy as np
import pandas as pd

from covey._text import counted, quoted
from covey.datasets.arff_text import (
    ARFF,
    KEEL,
    Attribute,
    Dialect,
    Header,
    Value,
    ValueSyntaxError,
    is_blank,
    read_header,
    split_row,
    split_sparse_row,
)
from covey.datasets.choice import Choice
from covey.datasets.errors import DataFormatError
from covey.datasets.reading import DEFAULT_MAX_BYTES, Source, read_contents

_BLOCK_VALUES = 1 << 20
"""Values held as Python strings at a time; it bounds the memory that text takes beside the arrays."""


@dataclass(frozen=True, slots=True)
class ArffFile:
    """A parsed ARFF (or KEEL) file.

    Parameters
    ----------
    relation : str
        Name of the relation, empty when the file gives none.
    attributes : tuple of Attribute
        The declarations, in the order of the columns.
    frame : DataFrame
        All columns but dropped ones: float64 for numeric attributes; categories in declared order for nominal ones,
        unused ones included; sorted categories for strings; NaN where a value is missing.
    sha256 : str
        Digest of the file as stored.
    outputs : tuple of str
        The outputs a KEEL file declares; empty for ARFF, which has no such notion.
    """

    relation: str
    attributes: tuple[Attribute, ...]
    frame: pd.DataFrame = field(repr=False)
    sha256: str
    outputs: tuple[str, ...] = ()


def read_arff(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES, drop: Sequence[str] = ()) -> ArffFile:
    """Read an ARFF file.

    Quoted names and values, backslash escapes, ``%`` comments, sparse rows, tab-separated rows and ``?`` are
    understood; ``nan`` in a numeric column counts as missing. Dates, relational attributes and weights are refused.

    Parameters
    ----------
    source : path or open file
        Plain or gzip, told apart by content; UTF-8, or Latin-1 where that fails.
    max_bytes : int, default=2 GiB
        Reading stops with an error as soon as the unpacked file exceeds this.
    drop : sequence of str
        Attributes to leave out, of any type, dates and relational ones included.

    Returns
    -------
    ArffFile
        The declarations and the data.

    Raises
    ------
    DataFormatError
        The file is malformed; the message gives the line number.
    ValueError
        An attribute to drop does not exist.
    FileNotFoundError
        There is no such file.
    """
    return _read_declared(source, ARFF, max_bytes, drop)


def read_keel(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES, drop: Sequence[str] = ()) -> ArffFile:
    """Read a KEEL file: ARFF's older cousin with ranges, inputs and outputs in the header.

    Parameters
    ----------
    source : path or open file
        As for `read_arff`; ``?`` and ``<null>`` are missing values, ``[low, high]`` after a type is passed over.
    max_bytes : int, default=2 GiB
        Reading stops with an error as soon as the unpacked file exceeds this.
    drop : sequence of str
        Attributes to leave out.

    Returns
    -------
    ArffFile
        With the `outputs` the file declares.
    """
    return _read_declared(source, KEEL, max_bytes, drop)


def _read_declared(source: Source, dialect: Dialect, max_bytes: int, drop: Sequence[str]) -> ArffFile:
    choice = Choice(drop=drop)
    contents = read_contents(source, max_bytes=max_bytes)
    lines = contents.text().split("\n")
    header = read_header(lines, dialect, contents.where, drop)
    choice.check(header.attributes, contents.where)
    frame = _read_rows(lines, header, dialect, contents.where, max_bytes)
    return ArffFile(header.relation, tuple(header.attributes.values()), frame, contents.sha256, header.outputs)


def _read_rows(lines: list[str], header: Header, dialect: Dialect, where: str, max_bytes: int) -> pd.DataFrame:
    """Convert the lines after ``@data``, block by block."""
    attributes = list(header.attributes.values())
    n_lines = len(lines) - header.first_row
    has_sparse = any(lines[index].lstrip()[:1] == "{" for index in range(header.first_row, len(lines)))
    if has_sparse and n_lines * len(attributes) * 8 > max_bytes:
        raise DataFormatError(
            where,
            f"{n_lines} sparse rows of {len(attributes)} attributes need more than max_bytes={max_bytes} "
            "bytes as a dense table; pass a larger max_bytes if that is right",
        )
    rows = _split_rows(lines, header, dialect.missing, where)
    blocks: list[list[Any]] = []
    while block := list(islice(rows, max(1, _BLOCK_VALUES // len(attributes)))):
        numbers, values = zip(*block, strict=True)
        columns = zip(attributes, zip(*values, strict=True), strict=True)
        blocks.append([_convert(attribute, column, numbers, where) for attribute, column in columns])
    if not blocks:
        raise DataFormatError(where, "there are no rows after @data", header.first_row)
    joined = {
        attribute.name: _join(attribute, parts)
        for attribute, parts in zip(attributes, zip(*blocks, strict=True), strict=True)
        if attribute.kind != "dropped"
    }
    return pd.DataFrame(joined, index=pd.RangeIndex(sum(len(block[0]) for block in blocks)))


def _split_rows(
    lines: list[str], header: Header, missing: frozenset[str], where: str
) -> Iterator[tuple[int, list[Value]]]:
    """Yield the number of each line that holds a row, and the row's values."""
    attributes = list(header.attributes.values())
    for index in range(header.first_row, len(lines)):
        line = lines[index]
        if is_blank(line):
            continue
        try:
            is_sparse = line.lstrip()[0] == "{"
            values = _fill(split_sparse_row(line, missing), attributes) if is_sparse else split_row(line, missing)
            if len(values) != len(attributes):
                raise ValueSyntaxError(_unequal(values, attributes))
        except ValueSyntaxError as error:
            raise DataFormatError(where, str(error), index + 1) from error
        yield index + 1, values


def _unequal(values: list[Value], attributes: list[Attribute]) -> str:
    last = values[-1]
    if len(values) == len(attributes) + 1 and last is not None and last[0] == "{" and last[-1] == "}":
        return f"the row carries the weight {last}, which covey does not take from files; remove it"
    verb = "is" if len(attributes) == 1 else "are"
    few = len(values) < len(attributes)
    return (
        f"the row has {counted(len(values), 'value')}, but {counted(len(attributes), 'attribute')} {verb} declared; "
        f"{'write ? for each value that is missing' if few else 'quote values that contain commas'}"
    )


def _fill(sparse: dict[int, Value], attributes: list[Attribute]) -> list[Value]:
    """Write a sparse row out: what it leaves out is 0, or the first declared value of a nominal attribute."""
    if sparse and max(sparse) >= len(attributes):
        raise ValueSyntaxError(
            f"the sparse row names attribute {max(sparse)}, but the last of {len(attributes)} is {len(attributes) - 1}"
        )
    row: list[Value] = []
    for index, attribute in enumerate(attributes):
        if index in sparse:
            row.append(sparse[index])
        elif attribute.kind in ("numeric", "dropped"):
            row.append("0")
        elif attribute.categories:
            row.append(attribute.categories[0])
        else:
            raise ValueSyntaxError(f"a sparse row may not leave out {attribute.name!r}, which declares no values")
    return row


def _convert(attribute: Attribute, column: tuple[Value, ...], lines: tuple[int, ...], where: str) -> Any:
    """Return the values of one column of a block: float64, codes of categories, or text as it is."""
    if attribute.kind == "numeric":
        return _numbers(attribute, column, lines, where)
    if attribute.kind != "nominal":
        return column
    codes: dict[Value, int] = {value: code for code, value in enumerate(attribute.categories)}
    codes[None] = -1
    try:
        return np.array([codes[value] for value in column], dtype=np.int32)
    except KeyError as error:
        value = error.args[0]
        raise DataFormatError(
            where,
            f"the value {value!r} is not declared for the attribute {attribute.name!r}; "
            f"declared are {quoted(attribute.categories)}",
            lines[column.index(value)],
        ) from error


def _numbers(attribute: Attribute, column: tuple[Any, ...], lines: tuple[int, ...], where: str) -> Any:
    try:
        numbers = np.array(_floats(column), dtype=np.float64)
    except (ValueError, TypeError):
        # A missing value or a bad one: go through the values one by one.
        numbers = np.empty(len(column))
        for row, text in enumerate(column):
            try:
                numbers[row] = np.nan if text is None else _floats((text,))[0]
            except ValueError as error:
                raise DataFormatError(
                    where,
                    f"{text!r} is no number, but the attribute {attribute.name!r} is numeric; write ? for a missing "
                    "value",
                    lines[row],
                ) from error
    infinite = np.isinf(numbers)
    if infinite.any():
        raise DataFormatError(
            where,
            "a number is infinite or too large for double precision; write a finite one, or ? if it is not known",
            lines[int(np.argmax(infinite))],
        )
    return numbers


def _floats(texts: tuple[str, ...]) -> list[float]:
    """Read numbers, without what Python takes for one and the format does not: digit groups and non-ASCII digits."""
    together = "".join(texts)
    if "_" in together or not together.isascii():
        raise ValueError(together)
    return list(map(float, texts))


def _join(attribute: Attribute, parts: tuple[Any, ...]) -> Any:
    """Put the blocks of a column together."""
    if attribute.kind == "numeric":
        return np.concatenate(parts)
    if attribute.kind == "nominal":
        return pd.Categorical.from_codes(np.concatenate(parts), categories=pd.Index(list(attribute.categories)))
    values = list(chain.from_iterable(parts))
    return pd.Categorical(values, categories=sorted({value for value in values if value is not None}))
