"""Text of ARFF and KEEL files: values in a line (quotes, escapes, lists, sparse rows), and declarations before them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from covey._text import quoted
from covey.datasets.errors import DataFormatError

Value = str | None
"""One value as text; None stands for a missing one."""

_QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
# A line without any of these is split at its commas; only the others need the careful scan.
_SPECIAL = re.compile(r"""['"%{\t]""")
_COMMENT = re.compile(r"(?:^|\s)%.*")
_BLANK = re.compile(r"\s")
_INDEX = re.compile(r"\s*(\d+)\s+")
_NONE_MISSING: frozenset[str] = frozenset()


class ValueSyntaxError(ValueError):
    """A line cannot be split into values."""


def unescape(text: str) -> str:
    r"""Resolve backslash escapes: control letters, ``\uXXXX``, and any other character for itself."""

    def character(match: re.Match[str]) -> str:
        code = match.group(1)
        return chr(int(code[1:], 16)) if len(code) == 5 else _CONTROL.get(code, code)

    return _ESCAPE.sub(character, text) if "\\" in text else text


def read_quoted(text: str, start: int) -> tuple[str, int]:
    """Read the quoted value that opens at `start`; return it and the position after its closing quote."""
    match = _QUOTED.match(text, start)
    if match is None:
        raise ValueSyntaxError(f"the quote opened in {_shorten(text[start:])} is never closed")
    return unescape(match.group(1) if match.group(1) is not None else match.group(2)), match.end()


def is_blank(text: str) -> bool:
    """Tell whether a line, or what is left of one, holds nothing but blanks and a comment."""
    return text.lstrip()[:1] in ("", "%")


def split_list(text: str, start: int) -> tuple[list[str], int]:
    """Read the values after an opening brace, which ends before `start`; return them and where the list ends."""
    if text[start:].lstrip()[:1] == "}":
        return [], text.index("}", start) + 1
    values: list[str] = []
    position = start
    while position == start or text[position - 1] != "}":
        value, position = _read_value(text, position, ",", "}", empty="the list in braces has an empty value")
        values.append(str(value))
        if position >= len(text):
            raise ValueSyntaxError("the list in braces is not closed by '}'")
        position += 1
    return values, position


def split_row(line: str, missing: frozenset[str]) -> list[Value]:
    """Split a dense row, neither blank nor a comment, into its values; unquoted ones among `missing` become None.

    Values stand between commas, or between tabs on a line without commas. Blanks around a value do not count, those
    inside do. A quote counts only at the start of a value, a ``%`` only at the start of the line or after a blank.
    """
    if _SPECIAL.search(line) is not None:
        return split_row_carefully(line, missing)
    words = line.split(",")
    if _BLANK.search(line) is not None:
        words = [word.strip() for word in words]
    if "" in words:
        raise ValueSyntaxError(_empty(words.index("")))
    if not any(mark in line for mark in missing):
        return list(words)
    return [None if word in missing else word for word in words]


def split_row_carefully(line: str, missing: frozenset[str]) -> list[Value]:
    """Do what `split_row` does for any line, at the price of a slower scan."""
    bare = _COMMENT.sub("", _QUOTED.sub("q", line))
    delimiter = "\t" if "," not in bare and "\t" in bare.strip() else ","
    values: list[Value] = []
    position = -1
    while position < len(line):
        value, position = _read_value(line, position + 1, delimiter, "", empty=_empty(len(values)), missing=missing)
        values.append(value)
    return values


def split_sparse_row(line: str, missing: frozenset[str]) -> dict[int, Value]:
    """Split a sparse row, ``{index value, index value}``, into its values by index."""
    values: dict[int, Value] = {}
    position = line.index("{") + 1
    if line[position:].lstrip()[:1] == "}":
        position = line.index("}", position)
    while line[position : position + 1] != "}":
        match = _INDEX.match(line, position)
        if match is None:
            raise ValueSyntaxError(f"a sparse row needs 'index value' pairs, not {_shorten(line[position:])}")
        index = int(match.group(1))
        if index in values:
            raise ValueSyntaxError(f"the sparse row gives attribute {index} twice")
        empty = f"the sparse row gives no value for attribute {index}"
        values[index], position = _read_value(line, match.end(), ",", "}", empty=empty, missing=missing)
        if position >= len(line):
            raise ValueSyntaxError("the sparse row is not closed by '}'")
        position += line[position] == ","
    if not is_blank(line[position + 1 :]):
        raise ValueSyntaxError(f"nothing may follow a sparse row, not {_shorten(line[position + 1 :])}")
    return values


def _read_value(
    text: str, start: int, delimiter: str, closing: str, *, empty: str, missing: frozenset[str] = _NONE_MISSING
) -> tuple[Value, int]:
    """Read one value; return it and the position of what ended it (or the line's length)."""
    position = _skip_blanks(text, start, delimiter)
    if text[position : position + 1] in ("'", '"') and position < len(text):
        value, position = read_quoted(text, position)
        position = _skip_blanks(text, position, delimiter)
        if text[position : position + 1] == "%":
            position = len(text)
        if position < len(text) and text[position] not in (delimiter, closing):
            raise ValueSyntaxError(f"text follows the closing quote of {value!r}; separate values by commas")
        return value, position
    ends = [text.find(mark, position) for mark in (delimiter, closing) if mark]
    end = min((end for end in ends if end >= 0), default=len(text))
    word = text[position:end]
    comment = _COMMENT.search(word)
    if comment is not None:
        word, end = word[: comment.start()], len(text)
    word = word.strip()
    if not word:
        raise ValueSyntaxError(empty)
    return None if word in missing else word, end


def _skip_blanks(text: str, position: int, delimiter: str) -> int:
    while text[position : position + 1].isspace() and text[position] != delimiter:
        position += 1
    return position


def _empty(index: int) -> str:
    return f"value {index + 1} is empty; write ? for a missing value"


def _shorten(text: str, limit: int = 40) -> str:
    return repr(text if len(text) <= limit else text[:limit] + "...")


_KEYWORD = re.compile(r"@(\w+)\s*")
_NAME = re.compile(r"[^\s{]+")
_TYPE = re.compile(r"\s*([^\s\[{%]+)\s*")
_RANGE = re.compile(r"\A\[[^\]]*\]\s*")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What sets ARFF and KEEL files apart.

    KEEL allows ``[low, high]`` after a numeric type, ``@inputs`` and ``@outputs``, comments that start with ``#``, and
    nominal values that are declared twice.
    """

    name: str
    missing: frozenset[str]  # unquoted values that stand for a missing one
    is_keel: bool


ARFF = Dialect("ARFF", frozenset({"?"}), is_keel=False)
KEEL = Dialect("KEEL", frozenset({"?", "<null>"}), is_keel=True)


@dataclass(frozen=True, slots=True)
class Attribute:
    """One declared attribute."""

    name: str  #: without quotes
    #: {"numeric", "nominal", "string", "dropped"}; real and integer attributes are numeric; dropped ones, of any
    #: type, were left out as the caller asked
    kind: Literal["numeric", "nominal", "string", "dropped"]
    #: the declared values of a nominal attribute, in order; empty for the other kinds
    categories: tuple[str, ...] = ()


@dataclass(slots=True)
class Header:
    """What stands before the data."""

    relation: str = ""
    attributes: dict[str, Attribute] = field(default_factory=dict)  # in the order of the columns
    outputs: tuple[str, ...] = ()
    first_row: int = 0  # index of the line after @data


def read_header(lines: list[str], dialect: Dialect, where: str, drop: Sequence[str] = ()) -> Header:
    """Read the declarations up to and including ``@data``; the types of attributes to drop do not matter."""
    header = Header()
    relational = ""
    for index, line in enumerate(lines):
        if is_blank(line) or (dialect.is_keel and line.lstrip()[0] == "#"):
            continue
        match = _KEYWORD.match(line.strip())
        keyword = match.group(1).lower() if match else ""
        rest = line.strip()[match.end() :] if match else line.strip()
        try:
            if relational:
                # A relational attribute declares its own attributes up to @end; dropping it drops them.
                relational = "" if keyword == "end" and _name(rest)[0] == relational else relational
            elif keyword == "data":
                _expect_end(rest, "@data")
                header.first_row = index + 1
                break
            elif keyword == "attribute":
                relational = _declare(rest, header, dialect, drop)
            elif keyword == "relation":
                header.relation = read_quoted(rest, 0)[0] if rest[:1] in ("'", '"') else rest
            elif dialect.is_keel and keyword in ("output", "outputs"):
                header.outputs = tuple(name.strip() for name in rest.split(","))
            elif not (dialect.is_keel and keyword in ("input", "inputs")):
                raise ValueSyntaxError(
                    f"expected @relation, @attribute, @data or a % comment, found {line.strip()[:40]!r}; "
                    f"is this a file in {dialect.name} format?"
                )
        except ValueSyntaxError as error:
            raise DataFormatError(where, str(error), index + 1) from error
    else:
        raise DataFormatError(where, "the file ends without an @data line", len(lines))
    if not header.attributes:
        raise DataFormatError(where, "@data comes before any @attribute", header.first_row)
    unknown = [name for name in header.outputs if name not in header.attributes]
    if unknown:
        raise DataFormatError(where, f"@outputs names {quoted(unknown)}, which no @attribute declares")
    return header


def _declare(text: str, header: Header, dialect: Dialect, drop: Sequence[str]) -> str:
    """Take in one attribute; return its name if it is relational and to be dropped, else nothing."""
    name, rest = _name(text)
    attribute = Attribute(name, "dropped") if name in drop else _attribute(name, rest, dialect)
    if name in header.attributes:
        raise ValueSyntaxError(f"the attribute {name!r} is declared twice; give it another name")
    header.attributes[name] = attribute
    return name if name in drop and re.match(r"relational\b", rest, re.IGNORECASE) else ""


def _name(text: str) -> tuple[str, str]:
    """Split a declaration into the name of the attribute and the rest."""
    if text[:1] in ("'", '"'):
        name, position = read_quoted(text, 0)
    else:
        match = _NAME.match(text)
        if match is None:
            raise ValueSyntaxError("@attribute needs a name and a type")
        name, position = match.group(), match.end()
    return name, text[position:].lstrip()


def _attribute(name: str, text: str, dialect: Dialect) -> Attribute:
    if text[:1] == "{":
        categories, end = split_list(text, 1)
        _expect_end(text[end:], f"the values of {name!r}")
        if not dialect.is_keel and len(set(categories)) < len(categories):
            twice = sorted({value for value in categories if categories.count(value) > 1})
            raise ValueSyntaxError(f"the attribute {name!r} declares {quoted(twice)} twice")
        return Attribute(name, "nominal", tuple(dict.fromkeys(categories)))
    match = _TYPE.match(text)
    if match is None:
        raise ValueSyntaxError(f"the attribute {name!r} has no type; write numeric, string or {{value, ...}}")
    word, rest = match.group(1).lower(), text[match.end() :]
    if word in ("numeric", "real", "integer"):
        _expect_end(_RANGE.sub("", rest, count=1) if dialect.is_keel else rest, f"the type of {name!r}")
        return Attribute(name, "numeric")
    if word == "string":
        _expect_end(rest, f"the type of {name!r}")
        return Attribute(name, "string")
    if word == "date":
        raise ValueSyntaxError(
            f"the attribute {name!r} is a date; drop=[{name!r}] leaves it out, or save it as CSV, where dates are read"
        )
    if word == "relational":
        raise ValueSyntaxError(
            f"the attribute {name!r} is relational (multi-instance data), which covey does not take; flatten it first, "
            f"or leave it out with drop=[{name!r}]"
        )
    raise ValueSyntaxError(
        f"the attribute {name!r} has the unknown type {match.group(1)!r}; write numeric, real, integer, string "
        "or {value, ...}"
    )


def _expect_end(text: str, what: str) -> None:
    if not is_blank(text):
        raise ValueSyntaxError(f"unexpected text {text.strip()[:40]!r} after {what}")
