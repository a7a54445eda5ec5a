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
from covey.datasets.catalogue import load
from covey.datasets.dataset import Choice, Dataset, LoadedTable, Provenance, Task, make_dataset
from covey.datasets.files import SOURCE as FILES, split_suffix, unreadable
from covey.datasets.reading import DEFAULT_MAX_BYTES, read_contents
from covey.datasets.tables import RawTable, read_raw

if TYPE_CHECKING:
    import pandas as pd


DataLike = Any
MEMORY = "memory"
TARGET = "target"

# How notes of the provenance begin: on columns that were dropped, and on the origin, from an index of files.
DROPPED = "left out as asked:"
ORIGIN = ("source: ", "note: ")

# On fewer rows, values that all differ mean little.
FEWEST_ROWS = 20


def from_frame(
    frame: Any,
    target: str,
    *,
    name: str = "data",
    task: Task | None = None,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
) -> Dataset:
    """Make a dataset of a frame.

    Parameters
    ----------
    frame : pandas or polars DataFrame
        Attributes and target, by column names that are text.
    target : str
        Column to predict.
    name : str, default="data"
        What tables call it.
    task : {"classification", "regression"}, optional
        By default what the type of the target says; at most ten distinct whole numbers are taken for classes.
    drop, categorical : sequence of str
        Columns to leave out, and columns to be categories whatever they hold.

    Returns
    -------
    Dataset
        Rows without a target are dropped, with a note in the provenance.

    Examples
    --------
    >>> import pandas as pd
    >>> from covey.datasets import from_frame
    >>> from_frame(pd.DataFrame({"age": [31, 47], "town": ["Ely", "York"], "won": ["yes", "no"]}), "won", name="towns")
    <Dataset 'towns': 2 rows x 2 attributes, 2 classes, 0 missing values, from memory>
    """
    table = _as_pandas(frame)
    where = f"frame {name!r}"
    choice = Choice(target, drop, categorical)
    tidied = RawTable(table, where, None).tidy(choice)
    provenance = Provenance(MEMORY, where, type(frame).__module__.partition(".")[0], notes=tidied.notes)
    loaded = LoadedTable(name, tidied.frame, provenance, typed=False, dropped=tuple(drop))
    return make_dataset(loaded, target=target, task=task, drop=drop)


def _as_pandas(frame: Any) -> pd.DataFrame:
    import narwhals.stable.v2 as nw
    import pandas as pd

    if isinstance(frame, pd.DataFrame):
        return frame.reset_index(drop=True)
    try:
        table: pd.DataFrame = nw.from_native(frame, eager_only=True).to_pandas()
        return table
    except TypeError as error:
        raise TypeError(
            f"frame is a {type(frame).__name__}; give a pandas or polars DataFrame with the target among its columns."
        ) from error


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
    if any(item is None for item in several):
        raise TypeError("data is None; give a file, the name of a dataset, a Dataset, a frame, or a pair (X, y).")
    wishes = _share_out(several, target, drop)
    read = [_noted(_read(item, *wish, task), wish[1]) for item, wish in zip(several, wishes, strict=True)]
    often, seen = Counter(dataset.name for dataset in read), Counter[str]()
    named = []
    for dataset in read:
        seen[dataset.name] += 1
        name = f"{dataset.name} ({seen[dataset.name]})" if often[dataset.name] > 1 else dataset.name
        named.append(replace(dataset, name=name))
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
    columns = [_columns(item) for item in several]
    names = [*([] if target is None or any(isinstance(item, tuple) for item in several) else [target]), *drop]
    unknown = [name for name in names if not any(name in some for some in columns)]
    if unknown:
        what = f"target={target!r}" if unknown[0] == target else f"drop={unknown!r}"
        raise ValueError(f"{what}: none of the data has a column {quoted(unknown)}.")
    wishes = []
    for item, some in zip(several, columns, strict=True):
        has_a_target = isinstance(item, Dataset) or (isinstance(item, str) and not Path(item).is_file())
        wanted = None if has_a_target and target not in some else target
        wishes.append((wanted, tuple(name for name in drop if name in some)))
    return wishes


def _columns(item: Any) -> list[str]:
    if isinstance(item, str | os.PathLike):
        if Path(item).is_file():
            return read_columns(Path(item))[1]
        item = load(item)
    if isinstance(item, Dataset):
        return [*map(str, item.frame.columns), str(item.target.name)]
    if isinstance(item, tuple):
        item = item[0] if item else None
    return [str(name) for name in getattr(item, "columns", ())]


def read_columns(
    path: Path, names: Sequence[str] = (), categorical: Sequence[str] = (), target: str | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """Return some columns of a file, with the target where it is there, and the names of all columns.

    Rows need no target. Where the file lacks some of the columns, all are returned as they are in it.
    """
    from covey.datasets.arff import read_arff

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


def _read(item: DataLike, target: str | None, drop: Sequence[str], task: Task | None) -> Dataset:
    if isinstance(item, Dataset):
        return _as_asked(item, target, drop, task)
    if isinstance(item, str | os.PathLike):
        return load(item, target=target, drop=drop, task=task)
    if isinstance(item, tuple):
        return _from_pair(item, target, drop, task)
    if target is None:
        raise ValueError(f"target=None: name the column of the {type(item).__name__} to predict.")
    return from_frame(item, target, drop=drop, task=task)


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
    if isinstance(nw.from_native(X, eager_only=True, pass_through=True), nw.DataFrame):
        frame = _as_pandas(X)
    else:
        values = np.asarray(X)
        if values.ndim != 2:
            raise ValueError(f"data has a pair whose X is of shape {values.shape}; give rows and columns.")
        frame = pd.DataFrame(values)
    frame.columns = pd.Index([name if isinstance(name, str) else f"column {name}" for name in frame.columns])
    return frame
