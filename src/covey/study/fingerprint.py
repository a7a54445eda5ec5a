"""Fingerprints: parameters in types that JSON knows, and hashes of data, the same in every process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import sha256
from math import isfinite
from numbers import Integral
from types import CodeType, FunctionType, ModuleType
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from covey.table import Table

# Deeper than the parameters of any sane estimator are nested.
_MOST_NESTED = 50
# What a class has of Python's making.
_IDLE = ("__doc__", "__firstlineno__", "__module__", "__qualname__", "__static_attributes__")


def describe(value: Any, where: str = "value") -> Any:
    """Return parameters of any kind in types that JSON knows, the same in every process.

    An estimator becomes its class and its parameters, other objects their class and their attributes, arrays and frames
    their `digest`, functions their names.

    Raises
    ------
    TypeError
        Something that no later run could recognise, such as a lambda or the state of a random generator.
    """
    match value:
        case None | bool() | str():
            return value
        case np.bool_():
            return bool(value)
        case Integral():
            return int(value)
        case float() | np.floating():
            return float(value) if isfinite(value) else str(float(value))
        case bytes():
            return value.hex()
        case Mapping():
            return _describe_mapping(value, where)
        case list() | tuple():
            return [describe(item, f"{where}[{position}]") for position, item in enumerate(value)]
        case set() | frozenset():
            return sorted((describe(item, where) for item in value), key=json.dumps)
        case partial():
            parts = {"function": value.func, "args": value.args, "keywords": value.keywords}
            return {"class": "functools.partial", **_describe_mapping(parts, where)}
        case type():
            return f"class {_full_name(value)}"
        case Table() | np.ndarray():
            return digest(value)
    return _describe_object(value, where)


def _describe_mapping(value: Mapping[Any, Any], where: str) -> Any:
    if all(isinstance(key, str) for key in value):
        return {key: describe(item, f"{where}.{key}") for key, item in value.items()}
    pairs = [[describe(key, where), describe(item, f"{where}[{key!r}]")] for key, item in value.items()]
    return {"pairs": sorted(pairs, key=json.dumps)}


def _describe_object(value: Any, where: str) -> Any:
    native = nw.from_native(value, pass_through=True, allow_series=True)
    if hasattr(value, "tocsr") or isinstance(native, nw.DataFrame | nw.Series):
        return digest(value)
    if callable(value) and hasattr(value, "__name__"):
        name, owner = _full_name(value), getattr(value, "__self__", None)
        if "<" not in name and isinstance(owner, ModuleType | type | None):
            return f"function {name}"
    elif where.count(".") > _MOST_NESTED:
        raise TypeError(f"{where[:60]}... contains itself, so results could not be found again; give plain parameters.")
    elif (attributes := _attributes(value)) is not None:
        return {"class": _full_name(type(value)), **_describe_mapping(attributes, where)}
    elif " at 0x" not in repr(value):
        return {"class": _full_name(type(value)), "value": repr(value)}
    raise TypeError(
        f"{where}={value!r} cannot be recognised by a later run, so results could not be found again; give a function "
        "defined at the top level of a module, or an integer for a random generator."
    )


def _attributes(value: Any) -> Mapping[str, Any] | None:
    """Return what makes an object what it is: its parameters, its fields or else its attributes, if it has any."""
    if hasattr(value, "get_params"):
        return dict(value.get_params(deep=False))
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return vars(value) if hasattr(value, "__dict__") else None


def _full_name(value: Any) -> str:
    """Return the name of a class or function; of the script or notebook that is run, with a hash of what it does."""
    module = getattr(value, "__module__", None)
    name = f"{module}.{getattr(value, '__qualname__', value.__name__)}"
    return f"{name} {hash_of(_deeds(value))[:16]}" if module == "__main__" else name


def _deeds(value: Any) -> Any:
    """Return the code of a class or function, which may be written anew under the same name, and plain attributes."""
    match value:
        case type():
            bases = [_full_name(base) for base in value.__bases__]
            own = {name: _deeds(item) for name, item in vars(value).items() if name not in _IDLE}
            return [bases, {name: deeds for name, deeds in own.items() if deeds is not None}]
        case staticmethod() | classmethod():
            return _deeds(value.__func__)
        case property():
            return [_deeds(part) for part in (value.fget, value.fset, value.fdel)]
        case FunctionType():
            return [_deeds(value.__code__), _deeds(value.__defaults__ or ())]
        case CodeType():
            return [value.co_code.hex(), list(value.co_names), [_deeds(const) for const in value.co_consts]]
        case frozenset():
            return sorted(map(repr, value))
        case tuple():
            return [_deeds(item) for item in value]
        case bool() | int() | float() | complex() | str() | bytes():
            return repr(value)
    return None


def hash_of(value: Any) -> str:
    """Return the hash of what JSON knows, whatever the order of keys."""
    return sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def digest(data: Any) -> dict[str, Any]:
    """Return the shape and a hash of an array, a sparse matrix, a list, a frame or a table.

    Values, their types, names of columns and categories all count.
    """
    hashed = sha256()
    for part in _parts(data):
        hashed.update(sha256(part).digest())
    shape = getattr(data, "shape", None) or np.shape(_as_array(data))
    return {"shape": [int(side) for side in shape], "sha256": hashed.hexdigest()}


def _parts(data: Any) -> Iterator[bytes]:
    if isinstance(data, Table):
        yield repr(data.names).encode()
        for known in data.categories:
            yield b"" if known is None else repr(known.tolist()).encode()
        yield from _parts(data.matrix)
    elif hasattr(data, "tocsr"):
        rows = data.tocsr()
        for array in (rows.data, rows.indices, rows.indptr):
            yield from _parts(array)
    elif isinstance(frame := nw.from_native(data, pass_through=True), nw.DataFrame):
        for column in frame.iter_columns():
            native = column.to_native()
            declared = native.cat.categories.tolist() if hasattr(getattr(native, "cat", None), "categories") else ()
            yield repr((column.name, str(column.dtype), declared)).encode()
            yield from _parts(column.to_numpy())
    else:
        array = _as_array(data)
        if isinstance(data, np.ma.MaskedArray):
            yield from _parts(np.ma.getmaskarray(data))
        yield repr((array.dtype.str, array.shape)).encode()
        # Objects and strings of variable width are pointers, which say nothing about the values.
        pointers = array.dtype.hasobject or array.dtype.kind == "T"
        yield repr(array.tolist()).encode() if pointers else np.ascontiguousarray(array).tobytes()


def _as_array(data: Any) -> NDArray[Any]:
    """Return a list as an array, of objects where NumPy would refuse its rows or turn its numbers into text."""
    try:
        array = np.asarray(data)
    except ValueError:
        return np.asarray([*data, None], dtype=object)[:-1]
    return np.asarray(data, dtype=object) if array.dtype.kind in "US" and not hasattr(data, "dtype") else array
