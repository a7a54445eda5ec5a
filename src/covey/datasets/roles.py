"""Data of any kind as datasets (files, names, frames, pairs), with the roles that are wished for their columns."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import quoted
from covey.datasets import Dataset, from_frame, load
from covey.datasets.dataset import Task
from covey.datasets.files import SOURCE as FILES
from covey.datasets.memory import SOURCE as MEMORY

if TYPE_CHECKING:
    import pandas as pd

DataLike = Any
TARGET = "target"

# How notes of the provenance begin: on columns that were dropped, and on the origin, from an index of files.
DROPPED = "left out as asked:"
ORIGIN = ("source: ", "note: ")

# On fewer rows, values that all differ mean little.
FEWEST_ROWS = 20


def read_data(
    data: DataLike | list[DataLike], target: str | None, drop: Sequence[str], task: Task | None
) -> tuple[Dataset, ...]:
    """Return one dataset or several, with names that differ; of a pair (X, y), `target` is what to call y."""
    several = data if isinstance(data, list) else [data]
    if not several:
        raise ValueError("data is empty; give a file, the name of a dataset, or a frame.")
    if isinstance(drop, str):
        raise TypeError(f"drop={drop!r} must be a sequence of column names; write drop=[{drop!r}].")
    if target is not None and not isinstance(target, str):
        raise TypeError(f"target is a {type(target).__name__}, not the name of a column; give a pair: compare((X, y)).")
    if any(one is None for one in several):
        raise TypeError("data is None; give a file, the name of a dataset, a Dataset, a frame, or a pair (X, y).")
    wishes = _share_out(several, target, drop)
    read = [_noted(_read(one, *wish, task), wish[1]) for one, wish in zip(several, wishes, strict=True)]
    often, seen = Counter(one.name for one in read), Counter[str]()
    named = []
    for one in read:
        seen[one.name] += 1
        name = f"{one.name} ({seen[one.name]})" if often[one.name] > 1 else one.name
        named.append(replace(one, name=name))
    return tuple(named)


def check_target(data: Dataset) -> None:
    """Refuse a target that makes no classes: numbers with decimals, one label, or labels that differ in every row."""
    if data.task != "classification":
        return
    where = f"the target {str(data.target.name)!r} of {data.name!r}"
    if data.target.cat.categories.dtype.kind == "f":
        raise ValueError(f"{where} holds numbers that are not whole, which make no classes; give task='regression'.")
    if len(data.classes) == 1:
        raise ValueError(
            f"{where} holds one class only, {str(data.classes[0])!r}; choose another target, or more rows."
        )
    if len(data.classes) == data.n_rows:
        raise ValueError(f"{where} differs in every row, so every row is a class of its own; choose another target.")


def without_names(data: Dataset) -> tuple[Dataset, tuple[str, ...]]:
    """Leave out columns of text that differs in every row, from which nothing can be learnt.

    The notes, in the provenance too, name the columns that were left out, and those that merely count the rows.
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
    kept = replace(data, frame=data.frame.drop(columns=names), provenance=provenance)
    return kept, _sentences(data.name, notes)


def notes_of_reading(data: Dataset) -> tuple[str, ...]:
    """Return what was done to data as they were read from a file or a frame; where they came from is left out."""
    notes = data.provenance.notes
    if data.provenance.source in (FILES, MEMORY):
        return _sentences(data.name, [note for note in notes if not note.startswith(ORIGIN)])
    return _sentences(data.name, [note for note in notes if note.startswith(DROPPED)])


def _sentences(name: str, notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{name}: {note.rstrip('.')}." for note in notes)


def _noted(data: Dataset, drop: Sequence[str]) -> Dataset:
    """Return data whose provenance says which columns were dropped, as the report tells it."""
    if not drop:
        return data
    note = f"{DROPPED} {quoted(drop, len(drop))}"
    return replace(data, provenance=replace(data.provenance, notes=(*data.provenance.notes, note)))


def _share_out(
    several: Sequence[Any], target: str | None, drop: Sequence[str]
) -> list[tuple[str | None, tuple[str, ...]]]:
    """Return the target and the columns to drop for each of the data.

    One alone is asked for everything. Of several, each drops what it has; a dataset that has a target of its own keeps
    it where it lacks the one that is named. Files and frames must have it. A name must be a column of some of them.
    """
    if len(several) == 1 or (target is None and not drop):
        return [(target, tuple(drop))] * len(several)
    columns = [_columns(one) for one in several]
    names = [*([] if target is None or any(isinstance(one, tuple) for one in several) else [target]), *drop]
    unknown = [name for name in names if not any(name in some for some in columns)]
    if unknown:
        what = f"target={target!r}" if unknown[0] == target else f"drop={unknown!r}"
        raise ValueError(f"{what}: none of the data has a column {quoted(unknown)}.")
    wishes = []
    for one, some in zip(several, columns, strict=True):
        has_a_target = isinstance(one, Dataset) or (isinstance(one, str) and not Path(one).is_file())
        wanted = None if has_a_target and target not in some else target
        wishes.append((wanted, tuple(name for name in drop if name in some)))
    return wishes


def _columns(one: Any) -> list[str]:
    if isinstance(one, str | os.PathLike):
        if Path(one).is_file():
            return read_columns(Path(one))[1]
        one = load(one)
    if isinstance(one, Dataset):
        return [*map(str, one.frame.columns), str(one.target.name)]
    if isinstance(one, tuple):
        one = one[0] if one else None
    return [str(name) for name in getattr(one, "columns", ())]


def read_columns(
    path: Path, names: Sequence[str] = (), categorical: Sequence[str] = (), target: str | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """Return some columns of a file, with the target where it is there, and the names of all columns.

    Rows need no target. Where the file lacks some of the columns, all are returned as they are in it.
    """
    from covey.datasets.arff import read_arff
    from covey.datasets.choice import Choice
    from covey.datasets.files import split_suffix, unreadable
    from covey.datasets.reading import DEFAULT_MAX_BYTES, read_contents
    from covey.datasets.tables import read_raw

    parts = split_suffix(path.name)
    if not path.is_file():
        raise FileNotFoundError(f"There is no data file {str(path)!r}.")
    if parts is None:
        raise unreadable(path)
    if parts[1].startswith(".arff"):
        frame = read_arff(path).frame
        return frame, [str(name) for name in frame.columns]
    contents = read_contents(path, max_bytes=DEFAULT_MAX_BYTES)
    raw = read_raw(contents, Choice(categorical=categorical), max_bytes=DEFAULT_MAX_BYTES)
    there = [str(name) for name in raw.frame.columns]
    if not names or not set(names) <= set(there):
        return raw.frame, there
    others = [name for name in there if name not in names and name != target]
    return raw.tidy(Choice(target if target in there else None, others, categorical)).frame, there


def _read(one: DataLike, target: str | None, drop: Sequence[str], task: Task | None) -> Dataset:
    if isinstance(one, Dataset):
        return _as_asked(one, target, drop, task)
    if isinstance(one, str | os.PathLike):
        return load(one, target=target, drop=drop, task=task)
    if isinstance(one, tuple):
        return _from_pair(one, target, drop, task)
    if target is None:
        raise ValueError(f"target=None: name the column of the {type(one).__name__} to predict.")
    return from_frame(one, target, drop=drop, task=task)


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
    frame, values = _named_columns(X), np.asarray(y)
    if values.ndim != 1 or len(values) != len(frame):
        raise ValueError(
            f"data has a pair of {len(frame)} rows and y of shape {values.shape}; give one y for each row."
        )
    if target is not None and target in frame.columns:
        raise ValueError(f"target={target!r} is a column of X too; give y another name, or the frame without y.")
    name = str(getattr(y, "name", None) or TARGET) if target is None else target
    name = name if name not in frame.columns else f"{name} to predict"
    return from_frame(frame.assign(**{name: values}), name, drop=drop, task=task)


def _named_columns(X: Any) -> pd.DataFrame:
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
