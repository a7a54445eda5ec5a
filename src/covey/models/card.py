"""Cards of model files: what a model predicts, from which columns and how well.

A card stands in the file's document beside the model and can be read without it. Files without it are as good.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from covey.models.archive import MAX_BYTES, Archive
from covey.models.fields import RefusedError, require


def describe_training(
    dataset: Any,
    *,
    method: str = "",
    scores: Mapping[str, Any] | None = None,
    rows: int | None = None,
    errors: ArrayLike | None = None,
) -> dict[str, Any]:
    """Return what `covey.save_model` is to write about a model that was trained on a dataset.

    Parameters
    ----------
    dataset : covey.datasets.Dataset
        What the model was trained on.
    method : str
        What the model is called.
    scores : mapping of str to number or mapping
        What to expect of it by metric: a number, or ``{"mean": 0.9, "low": 0.85, "high": 0.95}``.
    rows : int, optional
        How many rows it was trained on, by default all.
    errors : array-like of shape (n_rows,), optional
        Of numbers that were predicted for rows left out of the training, less the true ones; see
        `covey.models.interval_half_width`.

    Returns
    -------
    dict
        ``dataset``, ``task``, ``target``, ``rows``, ``columns`` (each with ``name``, ``kind``, which is "number" or
        "category", the ``categories`` that are known, and for a part of a date or text the column it is ``from``),
        ``missing`` (what stands for a missing value besides the usual), ``classes`` (empty in a regression),
        ``method``, ``scores``, the version of ``covey``, and, to tell rows of the training from others, ``row_marks``
        (32 bits of a hash of each of up to 1,000 rows) and the ``sha256`` of the file if there is one; with errors,
        their sizes in ``errors``; and the ``least`` that a number can be, 0, where none is below it.
    """
    from covey import __version__
    from covey.models.training import keep_errors, mark_rows

    columns = []
    for name, values in dataset.frame.items():
        column: dict[str, Any] = {"name": str(name), "kind": "number"}
        if values.dtype == "category":
            column |= {"kind": "category", "categories": list(values.cat.categories)}
        if part := dataset.reading.parts.get(str(name)):
            column |= {"from": part.column, "part": part.what}
            column |= {"format": part.format} if part.format else {}
        if name in dataset.reading.decimal_commas:
            column["decimal"] = ","
        if mark := dataset.reading.amounts.get(str(name)):
            column["amounts"] = mark
        columns.append(column)
    return {
        "dataset": dataset.name,
        "task": dataset.task,
        "target": str(dataset.target.name),
        "rows": dataset.n_rows if rows is None else rows,
        "columns": columns,
        "missing": list(dataset.reading.missing),
        "classes": list(dataset.classes),
        "method": method,
        "scores": dict(scores or {}),
        "covey": __version__,
        "row_marks": mark_rows(dataset.frame),
        **({"sha256": dataset.provenance.sha256} if dataset.provenance.sha256 else {}),
        **({} if errors is None else {"errors": keep_errors(errors)}),
        **({"least": 0} if dataset.task == "regression" and dataset.target.min() >= 0 else {}),
    }


def read_about(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> dict[str, Any]:
    """Read what a model file says about its model; nothing of the model is loaded.

    Parameters
    ----------
    path : path
        A file written by `covey.save_model`.
    max_bytes : int
        The largest file to read, by default 2 GiB.

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
    try:
        with Archive(source, max_bytes) as archive:
            card = archive.document().get("about")
            require(isinstance(card, dict), "says nothing about its model that could be read")
            return dict(card or {})
    except RefusedError as error:
        raise ValueError(f"{source} {error}.") from error


def as_plain(about: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what is said about a model as plain values; raise on what JSON does not know."""
    if about is not None and not isinstance(about, Mapping):
        raise TypeError(f"about={about!r} must be a mapping of names to plain values.")
    try:
        plain: dict[str, Any] = json.loads(json.dumps(plain_values(about or {}), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise type(error)(f"about cannot be written as JSON: {error}") from error
    return plain


def plain_values(value: Any) -> Any:
    """Return NumPy's numbers as Python's, and what JSON has no number for as None."""
    if isinstance(value, Mapping):
        return {str(name): plain_values(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_values(item) for item in value]
    if hasattr(value, "item") and hasattr(value, "dtype"):
        value = value.item()
    return None if isinstance(value, float) and not isfinite(value) else value
