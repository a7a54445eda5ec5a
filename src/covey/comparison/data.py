"""The data that a comparison is given: files, names, frames, and pairs of X and y."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import quoted
from covey.comparison.columns import share_out
from covey.datasets import Dataset, from_frame, load
from covey.datasets.errors import DataFormatError
from covey.datasets.files import SOURCE as FILES
from covey.datasets.memory import SOURCE as MEMORY
from covey.study.spec import Task, check_text

if TYPE_CHECKING:
    import pandas as pd

DataLike = Any
TARGET = "target"

# What notes of the provenance begin with: of our own, and of an index of files.
DROPPED = "left out as asked:"
ORIGIN = ("source: ", "note: ")

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
        The column to predict; of a pair, what to call y.
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
    if target is not None and not isinstance(target, str):
        raise TypeError(f"target is a {type(target).__name__}, not the name of a column; give a pair: compare((X, y)).")
    if any(one is None for one in given):
        raise TypeError("data is None; give a file, the name of a dataset, a Dataset, a frame, or a pair (X, y).")
    wishes = share_out(given, target, drop)
    read = [_noted(_read(one, *wish, task), wish[1]) for one, wish in zip(given, wishes, strict=True)]
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
        A sentence for each column that was left out, and for each that merely counts the rows; in the provenance too.
    """
    notes, names = [], []
    for name, column in data.frame.items():
        if not column.is_unique or len(column) < FEWEST_ROWS:
            continue
        if column.dtype == "category":
            names.append(str(name))
            notes.append(f"column {str(name)!r} is left out: it differs in every row, like a name")
        elif (column.diff().iloc[1:] == 1).all():
            notes.append(f"column {str(name)!r} counts the rows; drop it if it is a mere number")
    if len(names) == data.n_features:
        return data, ()
    provenance = replace(data.provenance, notes=(*data.provenance.notes, *notes))
    found = replace(data, frame=data.frame.drop(columns=names), provenance=provenance)
    return found, _told(data.name, notes)


def notes_of_reading(data: Dataset) -> tuple[str, ...]:
    """Return what was done to data as they were read from a file or a frame; where they came from is left out."""
    if data.provenance.source not in (FILES, MEMORY):
        return _told(data.name, [note for note in data.provenance.notes if note.startswith(DROPPED)])
    return _told(data.name, [note for note in data.provenance.notes if not note.startswith(ORIGIN)])


def _told(name: str, notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{name}: {note.rstrip('.')}." for note in notes)


def _noted(data: Dataset, drop: Sequence[str]) -> Dataset:
    """Return data whose provenance says which columns were dropped, as the report tells it."""
    if not drop:
        return data
    note = f"{DROPPED} {quoted(drop, len(drop))}"
    return replace(data, provenance=replace(data.provenance, notes=(*data.provenance.notes, note)))


def _read(one: DataLike, target: str | None, drop: Sequence[str], task: Task | None) -> Dataset:
    if isinstance(one, Dataset):
        return _as_asked(one, target, drop, task)
    if isinstance(one, str | os.PathLike):
        return load_for(one, target, drop=drop, task=task)
    if isinstance(one, tuple):
        return _from_pair(one, target, drop, task)
    if target is None:
        raise ValueError(f"target=None: name the column of the {type(one).__name__} to predict.")
    return from_frame(one, target, drop=drop, task=task)


def load_for(name: str | os.PathLike[str], target: str | None, **options: Any) -> Dataset:
    """Load data to predict a column, which an error about it does not advise to drop; see `covey.datasets.load`."""
    try:
        return load(name, target=target, **options)
    except DataFormatError as error:
        advice = f", or leave it out with drop=[{target!r}]"
        if target is None or advice not in str(error):
            raise
        raise ValueError(str(error).replace(advice, ", or choose another target")) from error


def _as_asked(data: Dataset, target: str | None, drop: Sequence[str], task: Task | None) -> Dataset:
    if target is None and not drop and task in (None, data.task):
        return data
    column = str(data.target.name)
    wanted = column if target is None else target
    if task is None and wanted == column:
        task = data.task
    return from_frame(data.frame.assign(**{column: data.target}), wanted, name=data.name, drop=drop, task=task)


def _from_pair(pair: tuple[Any, ...], target: str | None, drop: Sequence[str], task: Task | None) -> Dataset:
    if len(pair) != 2:
        raise ValueError(f"data has a tuple of {len(pair)} parts; give a pair (X, y).")
    X, y = pair
    frame = _attributes(X)
    values = np.asarray(y)
    if values.ndim != 1 or len(values) != len(frame):
        raise ValueError(
            f"data has a pair of {len(frame)} rows and y of shape {values.shape}; give one y for each row."
        )
    if target is not None and target in frame.columns:
        raise ValueError(f"target={target!r} is a column of X too; give y another name, or the frame without y.")
    name = str(getattr(y, "name", None) or TARGET) if target is None else target
    name = name if name not in frame.columns else f"{name} to predict"
    return from_frame(frame.assign(**{name: values}), name, drop=drop, task=task)


def _attributes(X: Any) -> pd.DataFrame:
    """Return the X of a pair as a frame whose columns have names; those of a frame are kept."""
    import narwhals.stable.v2 as nw
    import pandas as pd
    from scipy.sparse import issparse

    if issparse(X):
        raise TypeError("data has a pair whose X is sparse, which not all methods take; give X.toarray().")
    table = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(X, pd.DataFrame):
        frame = X.reset_index(drop=True)
    elif isinstance(table, nw.DataFrame):
        frame = table.to_pandas()
    else:
        values = np.asarray(X)
        if values.ndim != 2:
            raise ValueError(f"data has a pair whose X is of shape {values.shape}; give rows and columns.")
        frame = pd.DataFrame(values)
    frame.columns = pd.Index([name if isinstance(name, str) else f"column {name}" for name in frame.columns])
    return frame
