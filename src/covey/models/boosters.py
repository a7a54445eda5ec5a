"""Models of the boosting packages, kept in the packages' own formats: LightGBM's text, XGBoost's JSON, CatBoost's cbm.

Their readers are compiled code that believes what it reads, so such a part asks for trust like any other foreign one.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

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


def write(model: Any, writer: Any) -> tuple[dict[str, Any], str, bytes] | None:
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


def package_of(node: dict[str, Any]) -> str:
    """Return the package of a model in its own format."""
    package = node.get("package")
    require(isinstance(package, str) and package in _CLASSES, "is of a boosting package that is not known")
    require(node.get("class") in _CLASSES[str(package)], "is of a class that its package does not have")
    return str(package)


def read(node: dict[str, Any], trees: bytes, reader: Any) -> Any:
    """Return a model, made by its package."""
    package = package_of(node)
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
    return model.load_model(blob=trees)


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
