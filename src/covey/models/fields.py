"""Fields: what a declared attribute of a saved object may be.

A class that can be saved declares its fitted state once, as a table of names and fields (``_state``). A field writes a
value into a model file, reads it back and checks it, with the same rules both ways: type, shape, range, and how the
sizes of an object's arrays relate. Sizes have names: all arrays of an object that name the same one have to agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

# The fields of single values and arrays are to be had from here, too.
from covey.models.field import (
    LARGEST as LARGEST,
    MOST_WHOLE as MOST_WHOLE,
    Array as Array,
    Dimension,
    Field as Field,
    Flag as Flag,
    Labels as Labels,
    Names as Names,
    Nothing as Nothing,
    Number as Number,
    RefusedError as RefusedError,
    Sizes as Sizes,
    Text as Text,
    Whole as Whole,
    bind as bind,
    inside as inside,
    refusing as refusing,
    require as require,
)


class Maybe(Field):
    """What another field allows, of an attribute that may be absent."""

    optional = True

    def __init__(self, field: Field) -> None:
        self._write, self._read = field.write, field.read  # type: ignore[method-assign]


class OrNone(Field):
    """None, or what another field allows."""

    def __init__(self, field: Field) -> None:
        self.field = field

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        return None if value is None else self.field.write(value, writer, sizes)

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        return None if node is None else self.field.read(node, reader, sizes)


class Items(Field):
    """A list or tuple of what another field allows, of some length."""

    def __init__(self, field: Field, size: Dimension = None, kind: type = list) -> None:
        self.field = field
        self.size = size
        self.kind = kind

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        is_like_a_list = self.kind is list and isinstance(value, Sequence) and not isinstance(value, str | tuple)
        require(isinstance(value, self.kind) or is_like_a_list, f"is no {self.kind.__name__}")
        return self._each(value, self.field.write, writer, sizes)

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        require(isinstance(node, list), "is no list")
        return self.kind(self._each(node, self.field.read, reader, sizes))

    def _each(self, items: Sequence[Any], function: Callable[..., Any], file: Any, sizes: Sizes) -> list[Any]:
        bind(sizes, self.size, len(items))
        made = []
        for place, item in enumerate(items):
            with inside(f"[{place}]"):
                made.append(function(item, file, sizes))
        return made


class Row(Field):
    """A tuple whose items each have a field of their own."""

    def __init__(self, *fields: Field) -> None:
        self.fields = fields

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        require(isinstance(value, tuple) and len(value) == len(self.fields), f"is no tuple of {len(self.fields)}")
        return [field.write(item, writer, sizes) for field, item in zip(self.fields, value, strict=True)]

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        require(isinstance(node, list) and len(node) == len(self.fields), f"is no list of {len(self.fields)}")
        return tuple(field.read(item, reader, sizes) for field, item in zip(self.fields, node, strict=True))


class Curve(Field):
    """A dict of numbers to numbers, such as scores by size, written as a list of pairs."""

    def __init__(self, key: Field, value: Field) -> None:
        self.pairs = Items(Row(key, value))

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        require(isinstance(value, dict), "is no dict")
        return self.pairs.write(list(value.items()), writer, sizes)

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        return dict(self.pairs.read(node, reader, sizes))


class Record(Field):
    """Values by name, each with a field of its own, in the order of these; what is optional may be absent."""

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self.fields = fields

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        written = {}
        for name, field in self.fields.items():
            if name in value:
                with inside(name):
                    written[name] = field.write(value[name], writer, sizes)
        return written

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        require(isinstance(node, dict), "is no record")
        require(node.keys() <= self.fields.keys(), "holds attributes that are not declared")
        values = {}
        for name, field in self.fields.items():
            with inside(name):
                if name in node:
                    values[name] = field.read(node[name], reader, sizes)
                else:
                    require(field.optional, "is not there")
        return values


class Part(Field):
    """An object of one class that declares its state; the class may be given by a function, to be called later."""

    def __init__(self, kind: Any, shares: Sequence[str] = (), *, shared: bool = False) -> None:
        self.kind = kind
        self.shares = shares  # the sizes that the object has in common with the one that holds it
        self.shared = shared  # whether the same object may stand in several places

    def _class(self) -> type:
        return self.kind if isinstance(self.kind, type) else self.kind()

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        require(type(value) is self._class(), f"is no {self._class().__name__}")
        return self._joined(writer.part(value, self._class(), shared=self.shared), sizes)

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        return self._joined(reader.part(node, self._class(), shared=self.shared), sizes)

    def _joined(self, part: tuple[Any, Sizes], sizes: Sizes) -> Any:
        made, inner = part
        for name in self.shares:
            if name in inner:
                bind(sizes, name, inner[name])
        return made


class Model(Field):
    """An estimator or strategy, of any class that can be saved or of some."""

    def __init__(self, *kinds: type) -> None:
        self.kinds = kinds

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        return writer.model(self._check(value, sizes))

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        return self._check(reader.model(node), sizes)

    def _check(self, value: Any, sizes: Sizes) -> Any:
        require(not self.kinds or isinstance(value, self.kinds), f"is a {type(value).__name__}, which it cannot be")
        return value
