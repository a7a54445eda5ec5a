"""Estimators that declare nothing: written by skops or by their own packages, and read only where these are trusted.

Models of the boosting packages are kept in the packages' own formats: LightGBM's text, XGBoost's JSON, CatBoost's cbm.
Whatever covey does not know is made of what the file says by code that believes it, so reading it means running that
code: a file can then do what its author likes. Nothing of it is touched before the caller has named every package.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from covey.models.archive import are_stored
from covey.models.document import Writer
from covey.models.fields import Flag, Labels, OrNone, RefusedError, Text, Whole, require
from covey.models.plain import PLAIN

_CLASSES = {
    "lightgbm": ("LGBMClassifier", "LGBMRegressor"),
    "xgboost": ("XGBClassifier", "XGBRegressor"),
    "catboost": ("CatBoostClassifier", "CatBoostRegressor"),
}
_FORMATS = {"lightgbm": "txt", "xgboost": "json", "catboost": "cbm"}
# What LightGBM's estimators know beside their trees.
_LIGHTGBM = {
    "_n_features": Whole(1),
    "_n_features_in": Whole(1),
    "_n_classes": Whole(-1),
    "_best_iteration": Whole(-1),
    "_fitted_with_feature_names": OrNone(Flag()),
    "_objective": Text(),
    "_classes": OrNone(Labels()),
}


def _write_booster(model: Any, writer: Any) -> tuple[dict[str, Any], str, bytes] | None:
    """Return what is known of a fitted model beside its trees, the ending of its format, and its trees.

    None for a model of another package, one that is not fitted, or one with parameters that are no plain values.
    """
    package = type(model).__module__.partition(".")[0]
    if type(model).__name__ not in _CLASSES.get(package, ()):
        return None
    try:
        params = {name: PLAIN.write(value, writer, {}) for name, value in model.get_params(deep=False).items()}
        state, trees = _WRITERS[package](model, writer)
    except (AttributeError, RefusedError):
        return None
    except Exception as error:  # the packages have errors of their own for what is not fitted
        if "fit" in str(error).lower():
            return None
        raise
    node = {"package": package, "class": type(model).__name__, "params": params, "state": state}
    return node, _FORMATS[package], trees


def _package_of(node: dict[str, Any]) -> str:
    """Return the package of a model in its own format."""
    package = node.get("package")
    require(isinstance(package, str) and package in _CLASSES, "is of a boosting package that is not known")
    require(node.get("class") in _CLASSES[str(package)], "is of a class that its package does not have")
    return str(package)


def _read_booster(node: dict[str, Any], trees: bytes, reader: Any) -> Any:
    """Return a model, made by its package."""
    package = _package_of(node)
    kind = getattr(import_module(package), node["class"])
    require(isinstance(node.get("params"), dict), "has no parameters")
    model = kind(**{name: PLAIN.read(value, reader, {}) for name, value in node["params"].items()})
    try:
        return _READERS[package](model, node.get("state"), trees, reader)
    except RefusedError:
        raise
    except Exception as error:  # whatever a package makes of a damaged file
        raise RefusedError(f"cannot be read by {package}: {error}") from error


def _write_lightgbm(model: Any, writer: Any) -> tuple[dict[str, Any], bytes]:
    held = {"_fitted_with_feature_names": None, "_classes": None, **vars(model)}
    state = {name: field.write(held[name], writer, {}) for name, field in _LIGHTGBM.items()}
    return state, model.booster_.model_to_string(num_iteration=-1).encode()


def _read_lightgbm(model: Any, state: Any, trees: bytes, reader: Any) -> Any:
    from lightgbm import Booster
    from sklearn.preprocessing import LabelEncoder

    require(isinstance(state, dict) and state.keys() == _LIGHTGBM.keys(), "has no state")
    known = {name: field.read(state[name], reader, {}) for name, field in _LIGHTGBM.items()}
    model._Booster = Booster(model_str=trees.decode())
    classes = known["_classes"]
    if known["_fitted_with_feature_names"] is None:
        del known["_fitted_with_feature_names"]
    if classes is None:
        del known["_classes"]
    else:
        model._le = LabelEncoder().fit(classes)
        model._class_map = dict(zip(classes, np.arange(len(classes)), strict=True))
    vars(model).update(known, fitted_=True)
    return model


def _write_file(model: Any, writer: Any) -> tuple[dict[str, Any], bytes]:
    """Write a model of XGBoost, which tells the format by the ending of the file, or of CatBoost in its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"model.{_FORMATS[type(model).__module__.partition('.')[0]]}"
        model.save_model(str(path))
        return {}, path.read_bytes()


def _read_xgboost(model: Any, state: Any, trees: bytes, reader: Any) -> Any:
    params = model.get_params(deep=False)
    model.load_model(bytearray(trees))
    return model.set_params(**params)  # some of which its reader has put the trees' own in the place of


def _read_catboost(model: Any, state: Any, trees: bytes, reader: Any) -> Any:
    model.load_model(blob=trees)
    model._n_features_in = len(model.feature_names_)  # which CatBoost does not read
    return model


_WRITERS: dict[str, Callable[..., Any]] = {
    "lightgbm": _write_lightgbm,
    "xgboost": _write_file,
    "catboost": _write_file,
}
_READERS: dict[str, Callable[..., Any]] = {
    "lightgbm": _read_lightgbm,
    "xgboost": _read_xgboost,
    "catboost": _read_catboost,
}

OBJECTS = "objects.skops"
# Plain values and arrays, which any package's objects hold.
_PLAIN = frozenset(
    f"builtins.{kind}"
    for kind in ("bool", "bytes", "dict", "float", "int", "list", "NoneType", "set", "slice", "str", "tuple")
) | {"numpy.ndarray", "numpy.float64", "numpy.int64"}


def write_foreign(writer: Writer) -> tuple[list[Any], dict[str, bytes]]:
    """Return how each estimator that declares nothing is written, and what was written, by name."""
    listed: list[Any] = []
    content: dict[str, bytes] = {}
    objects: list[Any] = []
    for place, model in enumerate(writer.foreign):
        written = _write_booster(model, writer)
        if written is None:
            listed.append({"skops": len(objects)})
            objects.append(model)
        else:
            node, name, text = written
            content[f"{place}.{name}"] = text
            listed.append({**node, "part": f"{place}.{name}"})
    if objects:
        _refuse_nameless(objects)
        content[OBJECTS] = _skops_io().dumps(objects)
    return listed, content


def packages_of(listed: Any, content: dict[str, bytes]) -> tuple[str, ...]:
    """Return the packages whose code would run."""
    require(isinstance(listed, list) and all(isinstance(node, dict) for node in listed), "has no list of foreign parts")
    packages = {_package_of(node) for node in listed if "skops" not in node}
    if OBJECTS in content:
        packages |= set(_packages_in(content[OBJECTS]))
    return tuple(sorted(packages - {"numpy"} or packages))  # whoever trusts another trusts it with NumPy


class Foreign:
    """Reads estimators that declare nothing, once their packages are trusted."""

    def __init__(self, listed: list[Any], content: dict[str, bytes]) -> None:
        self.listed = listed  # how each is written
        self.content = content  # what was written, by name
        self._objects: list[Any] | None = None

    def read(self, place: Any, reader: Any) -> Any:
        """Return an estimator by its number."""
        require(type(place) is int and 0 <= place < len(self.listed), "is no foreign estimator")
        node = self.listed[place]
        if "skops" not in node:
            part = node.get("part")
            require(isinstance(part, str) and part in self.content, "is no foreign estimator")
            return _read_booster(node, self.content[part], reader)
        objects, which = self._read_objects(), node["skops"]
        require(type(which) is int and 0 <= which < len(objects), "is no foreign estimator")
        return objects[which]

    def _read_objects(self) -> list[Any]:
        if self._objects is None:
            skops_io = _skops_io()
            data = self.content.get(OBJECTS, b"")
            try:
                objects = skops_io.loads(data, trusted=skops_io.get_untrusted_types(data=data))
            except Exception as error:  # whatever the packages make of a damaged file
                raise RefusedError(f"has parts of other packages that cannot be read: {error}") from error
            require(isinstance(objects, list), "has no list of foreign parts")
            self._objects = objects
        return self._objects


def _packages_in(data: bytes) -> Iterator[str]:
    """Give the packages that a file of skops names; nothing of it is made."""
    try:
        with ZipFile(io.BytesIO(data)) as file:
            infos = file.infolist()
            short = sum(info.file_size for info in infos) <= len(data)
            require(are_stored(infos) and short, "is compressed, which no model is")
            todo: list[Any] = [json.loads(file.read("schema.json"))]
    except (BadZipFile, EOFError, KeyError, NotImplementedError, RecursionError, RuntimeError, ValueError) as error:
        raise RefusedError(f"has parts of other packages that cannot be read: {error}") from error
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            if "__module__" in node and f"{node['__module__']}.{node.get('__class__')}" not in _PLAIN:
                yield str(node["__module__"]).partition(".")[0]
            todo += node.values()
        elif isinstance(node, list):
            todo += node


def _refuse_nameless(model: Any) -> None:
    """Refuse functions and classes that no other process could find."""
    for part in _parts(model):
        name = part.__qualname__ if isinstance(part, FunctionType) else type(part).__qualname__
        if "<" in name:
            raise ValueError(
                f"The model holds {name}, which cannot be found again from a file; define it at the top level of a "
                "module."
            )


def _parts(value: Any) -> Iterator[Any]:
    """Give a value and all that it is made of."""
    todo, seen = [value], set()
    while todo:
        part = todo.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        inside: Iterable[Any] = ()
        if isinstance(part, dict):
            inside = part.values()
        elif isinstance(part, list | tuple | set | frozenset):
            inside = part
        elif isinstance(part, partial):
            inside = (part.func, part.args, part.keywords)
        elif isinstance(part, np.ndarray) and part.dtype == object:
            inside = part.ravel()
        elif hasattr(part, "__dict__") and not isinstance(part, type):
            inside = vars(part).values()
        todo.extend(inside)  # which an array would take for a sum


def _skops_io() -> Any:
    try:
        return import_module("skops.io")
    except ImportError as error:
        raise ImportError(
            "Models of other packages are saved and loaded by skops, which is not installed: pip install "
            "'covey[study]'."
        ) from error
