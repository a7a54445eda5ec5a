"""The data that a comparison is given: files, names, frames, and pairs of X and y."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from covey.datasets import Dataset, from_frame, load
from covey.study.spec import Task, check_text

DataLike = Any
TARGET = "target"

# On fewer, values that all differ mean little.
FEWEST_ROWS = 20


def read_data(
    data: DataLike | list[DataLike], target: str | None, drop: Sequence[str], task: Task | None
) -> tuple[Dataset, ...]:
    """Return datasets with names of their own.

    Parameters
    ----------
    data : path, name, Dataset, frame, pair (X, y), or list of such
    target : str, optional
        The column to predict.
    drop : sequence of str
        Columns to leave out.
    task : {"classification", "regression"}, optional
        By default what each target looks like.
    """
    given = data if isinstance(data, list) else [data]
    if not given:
        raise ValueError("data is empty; give a file, the name of a dataset, or a frame.")
    if isinstance(drop, str):
        raise TypeError(f"drop={drop!r} must be a sequence of column names; write drop=[{drop!r}].")
    read = [_read(one, target, drop, task) for one in given]
    often = Counter(one.name for one in read)
    seen: Counter[str] = Counter()
    found = []
    for one in read:
        seen[one.name] += 1
        name = f"{one.name} ({seen[one.name]})" if often[one.name] > 1 else one.name
        check_text("the name of the data", name)
        found.append(replace(one, name=name))
    return tuple(found)


def without_names(data: Dataset) -> tuple[Dataset, tuple[str, ...]]:
    """Leave out columns of text that differs in every row, from which nothing can be learnt, and say so.

    Returns
    -------
    data : Dataset
    notes : tuple of str
        A sentence for each column that was left out, and for each that merely counts the rows.
    """
    notes, names = [], []
    for name, column in data.frame.items():
        if not column.is_unique or len(column) < FEWEST_ROWS:
            continue
        if column.dtype == "category":
            names.append(str(name))
            notes.append(f"{data.name}: column {str(name)!r} is left out: it differs in every row, like a name.")
        elif (column.diff().iloc[1:] == 1).all():
            notes.append(f"{data.name}: column {str(name)!r} counts the rows; drop it if it is a mere number.")
    if len(names) == data.n_features:
        return data, ()
    return replace(data, frame=data.frame.drop(columns=names)), tuple(notes)


def _read(one: DataLike, target: str | None, drop: Sequence[str], task: Task | None) -> Dataset:
    if isinstance(one, Dataset):
        return _as_asked(one, target, drop, task)
    if isinstance(one, str | os.PathLike):
        return load(one, target=target, drop=drop, task=task)
    if isinstance(one, tuple):
        return _from_pair(one, drop, task)
    if target is None:
        raise ValueError(f"target=None: name the column of the {type(one).__name__} to predict.")
    return from_frame(one, target, drop=drop, task=task)


def _as_asked(data: Dataset, target: str | None, drop: Sequence[str], task: Task | None) -> Dataset:
    if target is None and not drop and task in (None, data.task):
        return data
    column = str(data.target.name)
    return from_frame(
        data.frame.assign(**{column: data.target}), target or column, name=data.name, drop=drop, task=task or data.task
    )


def _from_pair(pair: tuple[Any, ...], drop: Sequence[str], task: Task | None) -> Dataset:
    import pandas as pd

    if len(pair) != 2:
        raise ValueError(f"data has a tuple of {len(pair)} parts; give a pair (X, y).")
    X, y = pair
    frame = X.reset_index(drop=True) if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    frame.columns = pd.Index([name if isinstance(name, str) else f"column {name}" for name in frame.columns])
    values = np.asarray(y)
    if values.ndim != 1 or len(values) != len(frame):
        raise ValueError(
            f"data has a pair of {len(frame)} rows and y of shape {values.shape}; give one y for each row."
        )
    name = str(getattr(y, "name", None) or TARGET)
    name = name if name not in frame.columns else f"{name} to predict"
    return from_frame(frame.assign(**{name: values}), name, drop=drop, task=task)
