"""Finished fits on disk, one file each, so that an interrupted run goes on where it stopped.

Nothing here is a pickle: reading a file never runs code from it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from hashlib import sha256
from io import BytesIO
from math import isfinite
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from covey._files import write_whole
from covey.table import Table

FORMAT = 1
DESIGN = "design.json"

# Deeper than the parameters of any sane estimator are nested.
_MOST_NESTED = 50

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Shelf:
    """A folder that keeps the results of the numbered fits of one design.

    Parameters
    ----------
    folder : Path
        Holds ``design.json`` and a file ``fit-00000.npz`` per finished fit.
    fingerprint : str
        Of the design; it is in every file, so that a file that strays in from another shelf is not taken for one of
        this.
    """

    folder: Path
    fingerprint: str

    @classmethod
    def open(cls, folder: str | os.PathLike[str], design: Mapping[str, Any]) -> Shelf:
        """Return the shelf in a folder, which is made if need be.

        Parameters
        ----------
        folder : path
            New, empty, or a shelf of the same design.
        design : mapping
            What the results depend on, in types that JSON knows; see `describe` and `digest`.

        Raises
        ------
        ValueError
            The folder holds something else. What differs is named.
        """
        path = Path(folder)
        text = json.dumps({"format": FORMAT, **design}, indent=2, sort_keys=True)
        path.mkdir(parents=True, exist_ok=True)
        others = [name for name in os.listdir(path) if not name.endswith(".part")]
        # Asked after the listing: another process may be opening the same shelf.
        if (path / DESIGN).exists():
            _compare(path, _read_design(path / DESIGN), json.loads(text))
        elif others:
            raise ValueError(f"folder {path} holds files but no {DESIGN}; name a new or an empty folder.")
        else:
            write_whole(path / DESIGN, text.encode())
        return cls(path, sha256(text.encode()).hexdigest())

    def path(self, number: int) -> Path:
        """Return the file of a fit."""
        return self.folder / f"fit-{number:05d}.npz"

    def write(self, number: int, arrays: Arrays) -> None:
        """Keep the result of a fit; its file appears at once, when it is complete."""
        content = BytesIO()
        label: Arrays = {"shelf": np.array([self.fingerprint, str(number)])}
        np.savez_compressed(content, **(arrays | label))  # type: ignore[arg-type]  # taken for allow_pickle
        write_whole(self.path(number), content.getvalue())

    def read(self, number: int) -> Arrays | None:
        """Return the result of a fit; None if it is not there, or its file is damaged or of another design."""
        try:
            content = self.path(number).read_bytes()
        except FileNotFoundError:
            return None
        try:
            with np.load(BytesIO(content), allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            return arrays if arrays.pop("shelf").tolist() == [self.fingerprint, str(number)] else None
        except Exception:  # a damaged file can fail in any way
            return None


def _read_design(path: Path) -> dict[str, Any]:
    try:
        design = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        design = None
    if not isinstance(design, dict) or "format" not in design:
        raise ValueError(f"{path} is no design written by covey, or is damaged; name another folder, or delete it.")
    return design


def _compare(folder: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    if found["format"] != FORMAT:
        raise ValueError(
            f"folder {folder} has format {found['format']!r}, but this version of covey reads format {FORMAT}; name "
            "another folder."
        )
    different = list(differences(found, wanted))
    if different:
        more = f" (and {len(different) - 3} more differences)" if len(different) > 3 else ""
        raise ValueError(
            f"folder {folder} holds the fits of another design: {'; '.join(different[:3])}{more}. Name another folder, "
            "or delete this one to begin anew."
        )


def differences(found: Any, wanted: Any, where: str = "") -> Iterator[str]:
    """Yield in words how two designs differ; 1, 1.0 and True are different things."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        # Things of two classes have little else to compare.
        names = ["class"] if found.get("class") != wanted.get("class") else sorted({*found, *wanted})
        for name in names:
            place = f"{where}.{name}" if where else name
            if name in found and name in wanted:
                yield from differences(found[name], wanted[name], place)
            else:
                yield f"{place} is only {'there' if name in found else 'here'}"
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for position, pair in enumerate(zip(found, wanted, strict=True)):
            yield from differences(*pair, f"{where}[{position}]")
    elif type(found) is not type(wanted) or found != wanted:
        there, here = json.dumps(found), json.dumps(wanted)
        yield f"{where} differs" if len(there) + len(here) > 100 else f"{where} is {there} there and {here} here"


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
        raise TypeError(f"{where[:60]}... goes round in circles, so a folder could not be resumed; leave folder out.")
    elif (attributes := _attributes(value)) is not None:
        return {"class": _full_name(type(value)), **_describe_mapping(attributes, where)}
    elif " at 0x" not in repr(value):
        return {"class": _full_name(type(value)), "value": repr(value)}
    raise TypeError(
        f"{where}={value!r} cannot be recognised by a later run, so a folder could not be resumed; give a function "
        "defined at the top level of a module, or an integer for a random generator, or leave folder out."
    )


def _attributes(value: Any) -> Mapping[str, Any] | None:
    """Return what makes an object what it is: its parameters, its fields or else its attributes, if it has any."""
    if hasattr(value, "get_params"):
        return dict(value.get_params(deep=False))
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return vars(value) if hasattr(value, "__dict__") else None


def _full_name(value: Any) -> str:
    return f"{getattr(value, '__module__', None)}.{getattr(value, '__qualname__', value.__name__)}"


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
        points = (
            array.dtype.hasobject or array.dtype.kind == "T"
        )  # to what lies elsewhere, so that its bytes say nothing
        yield repr(array.tolist()).encode() if points else np.ascontiguousarray(array).tobytes()


def _as_array(data: Any) -> NDArray[Any]:
    """Return a list as an array, of objects where NumPy would refuse its rows or turn its numbers into text."""
    try:
        array = np.asarray(data)
    except ValueError:
        return np.asarray([*data, None], dtype=object)[:-1]
    return np.asarray(data, dtype=object) if array.dtype.kind in "US" and not hasattr(data, "dtype") else array
