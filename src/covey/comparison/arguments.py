"""What `compare` is given, in one form: data with their target, the metrics, and the weights of classes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from covey._text import listed
from covey.datasets import Dataset
from covey.study.metrics import METRICS_OF_CLASS, with_positive
from covey.study.shortlist import Chosen, with_class_weight
from covey.study.spec import Task


def data_and_target(data: Any, target: Any) -> tuple[Any, str | None]:
    """Return data that have their target, and the name of the column where it is one: ``(X, y)`` becomes a pair."""
    if target is None or isinstance(target, str):
        if isinstance(data, np.ndarray):
            raise TypeError("data is an array, whose columns have no names; give y, too: compare(X, y).")
        return data, target
    kind = type(target).__name__
    if isinstance(data, str | os.PathLike | Dataset):
        raise TypeError(f"target is a {kind}, but the data have columns of their own; give the name of one.")
    if isinstance(data, tuple):
        raise TypeError(f"target is a {kind}, but data is a pair already; give compare(X, y) or compare((X, y)).")
    y = _one_column(target)
    name = getattr(y, "name", None)
    if isinstance(name, str) and name in getattr(data, "columns", ()) and _same_values(data[name], y):
        return data, name  # else the target would be among the columns that predict it
    return (data, y), None


def _one_column(target: Any) -> Any:
    """Return a target as a series or an array; a frame or an array of one column is that column."""
    if getattr(target, "ndim", 1) == 2 or hasattr(target, "columns"):
        if target.shape[1] != 1:
            raise ValueError(f"target has {target.shape[1]} columns; give one.")
        return target[target.columns[0]] if hasattr(target, "columns") else np.asarray(target)[:, 0]
    if not hasattr(target, "__len__") or isinstance(target, dict | set | bytes):
        raise TypeError(f"target is a {type(target).__name__}; give the name of a column, or an array or series y.")
    return target


def _same_values(column: Any, y: Any) -> bool:
    import pandas as pd

    return pd.Series(np.asarray(column)).equals(pd.Series(np.asarray(y)))


def metrics_and_notes(
    metrics: Sequence[str] | None, usual: Sequence[str], positive: object, loaded: Sequence[Dataset]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the metrics, by default the usual ones and those of the class that counts, if one is named; and notes."""
    if metrics is not None:
        return with_positive((metrics,) if isinstance(metrics, str) else tuple(metrics), positive, loaded)
    more = () if positive is None else [metric for metric in METRICS_OF_CLASS if metric not in usual]
    return with_positive((*usual, *more), positive, loaded)


def weighted(chosen: Chosen, class_weight: str | None, task: Task) -> tuple[Chosen, tuple[str, ...]]:
    """Return the methods with the weights of classes that are wished for, and a note on those that take none."""
    if class_weight is None:
        return chosen, ()
    if task == "regression":
        raise ValueError(f"class_weight={class_weight!r} is for classes, but the target is a number; leave it out.")
    chosen, without = with_class_weight(chosen, class_weight)
    has = "has" if len(without) == 1 else "have"
    return chosen, (f"{listed(without)} {has} no class_weight, and weighed all rows alike.",) if without else ()
