"""What a model file says about its model: what it predicts, from which columns, and how well it is expected to do.

It is one JSON text inside the file, beside the model, and can be read without the model. Files without it are as good.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

if TYPE_CHECKING:
    from covey.datasets import Dataset

ENTRY = "about.json"
_MAX_BYTES = 1 << 26


def describe_training(
    dataset: Dataset, *, method: str = "", scores: Mapping[str, Any] | None = None, rows: int | None = None
) -> dict[str, Any]:
    """Return what `covey.save_model` is to write about a model that was trained on a dataset.

    Parameters
    ----------
    dataset : Dataset
        What the model was trained on.
    method : str
        What the model is called.
    scores : mapping of str to number or mapping
        What to expect of it by metric: a number, or ``{"mean": 0.9, "low": 0.85, "high": 0.95}``.
    rows : int, optional
        How many rows it was trained on, by default all.

    Returns
    -------
    dict
        ``dataset``, ``task``, ``target``, ``rows``, ``columns`` (each with ``name``, ``kind``, which is "number" or
        "category", and the ``categories`` that are known), ``classes`` (empty in a regression), ``method``, ``scores``
        and the version of ``covey``.
    """
    from covey import __version__

    columns = []
    for name, values in dataset.frame.items():
        column: dict[str, Any] = {"name": str(name), "kind": "number"}
        if values.dtype == "category":
            column |= {"kind": "category", "categories": list(values.cat.categories)}
        columns.append(column)
    return {
        "dataset": dataset.name,
        "task": dataset.task,
        "target": str(dataset.target.name),
        "rows": dataset.n_rows if rows is None else rows,
        "columns": columns,
        "classes": list(dataset.classes),
        "method": method,
        "scores": dict(scores or {}),
        "covey": __version__,
    }


def read_about(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what a model file says about its model; nothing of the model is loaded.

    Parameters
    ----------
    path : path
        A file written by `covey.save_model`.

    Returns
    -------
    dict
        What was given as ``about``; empty if nothing was.

    Raises
    ------
    ValueError
        The file is no model, or what it says is damaged.
    """
    source = Path(path)
    if not source.exists():
        raise FileNotFoundError(f"There is no model file {source}.")
    try:
        with ZipFile(source) as file:
            if "schema.json" not in file.namelist():
                raise ValueError(f"{source} is not a model written by covey.save_model.")
            if ENTRY not in file.namelist():
                return {}
            with file.open(ENTRY) as entry:
                text = entry.read(_MAX_BYTES + 1)
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"{source} is not a model written by covey.save_model: {error}") from error
    try:
        if len(text) > _MAX_BYTES:
            raise ValueError(f"it has more than {_MAX_BYTES} bytes")
        found = json.loads(text)
        if not isinstance(found, dict):
            raise ValueError("it is no table")
    except (RecursionError, ValueError) as error:
        raise ValueError(f"{source}: what it says about its model is damaged or forged: {error}") from error
    return found


def as_text(about: Mapping[str, Any]) -> str:
    """Return what is said about a model as JSON.

    Raises
    ------
    TypeError, ValueError
        Something that JSON does not know.
    """
    if not isinstance(about, Mapping):
        raise TypeError(f"about={about!r} must be a mapping of names to plain values.")
    try:
        return json.dumps(_plain(about), ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise type(error)(f"about cannot be written as JSON: {error}") from error


def add_about(path: Path, text: str) -> None:
    """Put what is said about a model into its file."""
    with ZipFile(path, "a") as file:
        file.writestr(ENTRY, text)


def _plain(value: Any) -> Any:
    """Return NumPy's numbers as Python's, and what JSON has no number for as None."""
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if hasattr(value, "item") and hasattr(value, "dtype"):
        value = value.item()
    return None if isinstance(value, float) and not isfinite(value) else value
