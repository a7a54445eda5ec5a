"""The declarations that open an ARFF or a KEEL file: relation, attributes, inputs and outputs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from covey._text import quoted
from covey.datasets.errors import DataFormatError, date_advice
from covey.datasets.values import ValueSyntaxError, is_blank, read_quoted, split_list

_KEYWORD = re.compile(r"@(\w+)\s*")
_NAME = re.compile(r"[^\s{]+")
_TYPE = re.compile(r"\s*([^\s\[{%]+)\s*")
_RANGE = re.compile(r"\[[^\]]*\]\s*")
_NUMERIC = frozenset({"numeric", "real", "integer"})


@dataclass(frozen=True, slots=True)
class Dialect:
    """What sets ARFF and KEEL files apart.

    Parameters
    ----------
    name : str
        For messages.
    missing : frozenset of str
        Unquoted values that stand for a missing one.
    is_keel : bool
        Allow ``[low, high]`` after a numeric type, ``@inputs`` and ``@outputs``, comments that start with ``#``, and
        nominal values that are declared twice.
    """

    name: str
    missing: frozenset[str]
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
    """What stands before the data.

    Parameters
    ----------
    relation : str
        Name of the relation, empty when the file gives none.
    attributes : dict of str to Attribute
        By name, in the order of the columns.
    outputs : tuple of str
        Attributes a KEEL file declares as outputs.
    first_row : int
        Index of the line after ``@data``.
    """

    relation: str = ""
    attributes: dict[str, Attribute] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    first_row: int = 0


def read_header(lines: list[str], dialect: Dialect, where: str, drop: Sequence[str] = ()) -> Header:
    """Read the declarations up to and including ``@data``.

    Parameters
    ----------
    lines : list of str
        All lines of the file.
    dialect : Dialect
        `ARFF` or `KEEL`.
    where : str
        Name of the file, for messages.
    drop : sequence of str
        Attributes whose type does not matter.

    Returns
    -------
    Header
        Checked: at least one attribute, no name twice, no type that covey has no use for.
    """
    header = Header()
    inner = ""
    for index, line in enumerate(lines):
        if is_blank(line) or (dialect.is_keel and line.lstrip()[0] == "#"):
            continue
        if inner:
            # A relational attribute declares its own attributes up to @end; dropping it drops them.
            inner = "" if _is_end(line, inner) else inner
            continue
        try:
            inner = _dropped_relation(line.strip(), drop)
            if _declare(line.strip(), header, dialect, drop):
                header.first_row = index + 1
                break
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


def _dropped_relation(line: str, drop: Sequence[str]) -> str:
    """Return the name of the relational attribute that a line opens, if it is to be dropped."""
    match = _KEYWORD.match(line)
    if match is None or match.group(1).lower() != "attribute":
        return ""
    name, rest = _name(line[match.end() :])
    return name if name in drop and re.match(r"relational\b", rest, re.IGNORECASE) else ""


def _is_end(line: str, name: str) -> bool:
    match = _KEYWORD.match(line.strip())
    if match is None or match.group(1).lower() != "end":
        return False
    return _name(line.strip()[match.end() :])[0] == name


def _declare(line: str, header: Header, dialect: Dialect, drop: Sequence[str]) -> bool:
    """Take in one declaration; return whether it was ``@data``."""
    match = _KEYWORD.match(line)
    keyword = match.group(1).lower() if match else ""
    rest = line[match.end() :] if match else line
    if keyword == "data":
        _expect_end(rest, "@data")
        return True
    if keyword == "relation":
        header.relation = read_quoted(rest, 0)[0] if rest[:1] in ("'", '"') else rest
    elif keyword == "attribute":
        attribute = _attribute(rest, dialect, drop)
        if attribute.name in header.attributes:
            raise ValueSyntaxError(f"the attribute {attribute.name!r} is declared twice; give it another name")
        header.attributes[attribute.name] = attribute
    elif dialect.is_keel and keyword in ("output", "outputs"):
        header.outputs = tuple(name.strip() for name in rest.split(","))
    elif not (dialect.is_keel and keyword in ("input", "inputs")):
        raise ValueSyntaxError(
            f"expected @relation, @attribute, @data or a % comment, found {line[:40]!r}; "
            f"is this a file in {dialect.name} format?"
        )
    return False


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


def _attribute(text: str, dialect: Dialect, drop: Sequence[str]) -> Attribute:
    name, rest = _name(text)
    if name in drop:
        return Attribute(name, "dropped")
    if rest[:1] == "{":
        categories, end = split_list(rest, 1)
        _expect_end(rest[end:], f"the values of {name!r}")
        if not dialect.is_keel:
            _check_distinct(name, categories)
        return Attribute(name, "nominal", tuple(dict.fromkeys(categories)))
    return Attribute(name, _kind(name, rest, dialect))


def _kind(name: str, text: str, dialect: Dialect) -> Literal["numeric", "string"]:
    match = _TYPE.match(text)
    if match is None:
        raise ValueSyntaxError(f"the attribute {name!r} has no type; write numeric, string or {{value, ...}}")
    word, rest = match.group(1).lower(), text[match.end() :]
    if word in _NUMERIC:
        bounds = _RANGE.match(rest) if dialect.is_keel else None
        _expect_end(rest[bounds.end() :] if bounds else rest, f"the type of {name!r}")
        return "numeric"
    if word == "string":
        _expect_end(rest, f"the type of {name!r}")
        return "string"
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


def _check_distinct(name: str, categories: list[str]) -> None:
    if len(set(categories)) < len(categories):
        twice = sorted({value for value in categories if categories.count(value) > 1})
        raise ValueSyntaxError(f"the attribute {name!r} declares {quoted(twice)} twice")
