"""Models on disk, without pickle: loading a file never runs code from it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from sklearn.base import BaseEstimator

FORMAT = 1

# What a model may be made of without being asked about: scikit-learn's estimators and their parts are trusted by skops
# itself; these are covey's own that are no estimators.
_PARTS = frozenset({"covey.table.schema.Schema"})


def save_model(model: Any, path: str | os.PathLike[str]) -> Path:
    """Write a fitted model to a file.

    Parameters
    ----------
    model : estimator
        Any estimator of covey or scikit-learn.
    path : path
        The file; by custom it ends in ``.covey``. It appears at once when it is complete.

    Returns
    -------
    pathlib.Path
        The file.
    """
    skops_io = _skops_io()
    target = Path(path)
    part = target.with_name(f"{target.name}.part")
    try:
        skops_io.dump({"format": FORMAT, "model": model}, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return target


def load_model(path: str | os.PathLike[str], *, trusted: Iterable[str] = ()) -> Any:
    """Read a model from a file written by `save_model`.

    Parameters
    ----------
    path : path
        The file.
    trusted : iterable of str
        Types of other packages that the model may hold, such as ``"lightgbm.sklearn.LGBMClassifier"``. Types of covey
        and of scikit-learn need not be named.

    Returns
    -------
    estimator

    Raises
    ------
    ValueError
        The file is no model, is of another format, or holds a type that is not trusted.
    """
    skops_io = _skops_io()
    source = Path(path)
    try:
        found = skops_io.get_untrusted_types(file=source)
    except FileNotFoundError:
        raise
    except (BadZipFile, KeyError, ValueError, OSError) as error:
        raise ValueError(f"{source} is not a model written by covey.save_model: {error}") from error
    named = set(trusted)
    strange = [name for name in found if name not in named and not _is_ours(name)]
    if strange:
        raise ValueError(
            f"{source} holds types that are not trusted: {', '.join(sorted(strange))}. If you know where the file comes "
            "from, name them in trusted=[...]."
        )
    content = skops_io.load(source, trusted=found)
    if not isinstance(content, dict) or "model" not in content:
        raise ValueError(f"{source} is not a model written by covey.save_model.")
    if content.get("format") != FORMAT:
        raise ValueError(
            f"{source} has format {content.get('format')!r}, but this version of covey reads format {FORMAT}; "
            "save the model again with this version."
        )
    return content["model"]


def _is_ours(name: str) -> bool:
    """Whether a type is an estimator of covey, or a part of one: nothing else of the package is built from a file."""
    if name in _PARTS:
        return True
    module, _, attribute = name.rpartition(".")
    if not module.startswith("covey."):
        return False
    try:
        kind = getattr(import_module(module), attribute, None)
    except ImportError:
        return False
    return isinstance(kind, type) and issubclass(kind, BaseEstimator)


def _skops_io() -> Any:
    try:
        return import_module("skops.io")
    except ImportError as error:
        raise ImportError("Saving and loading models needs skops: pip install 'covey[study]'.") from error
