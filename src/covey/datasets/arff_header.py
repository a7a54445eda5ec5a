"""Declarations that open an ARFF or a KEEL file: relation, attributes, inputs and outputs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from covey._text import quoted
from covey.datasets.arff_values import ValueSyntaxError, is_blank, read_quoted, split_list
from covey.datasets.errors import DataFormatError, date_advice

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
    """One declared attribute.

    Parameters
    ----------
    name : str
        Without quotes.
    kind : {"numeric", "nominal", "string", "dropped"}
        Real and integer attributes are numeric; dropped ones, of any type, were left out as the caller asked.
    categories : tuple of str
        The declared values of a nominal attribute, in order; empty for the other kinds.
    """

    name: str
    kind: Literal["numeric", "nominal", "string", "dropped"]
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
        raise ValueSyntaxError(f"the attribute {name!r} is a date, {date_advice(name)}")
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
