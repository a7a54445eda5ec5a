"""Data of any kind as datasets (files, names, frames, pairs), with the roles that are wished for their columns."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import did_you_mean, quoted
from covey.datasets.catalogue import load, load_chosen
from covey.datasets.choice import Choice
from covey.datasets.dataset import Dataset, LoadedTable, Provenance, make_dataset
from covey.datasets.files import SOURCE as FILES
from covey.datasets.new_rows import column_names
from covey.datasets.tables import RawTable
from covey.datasets.target import Task

if TYPE_CHECKING:
    import pandas as pd


DataLike = Any
MEMORY = "memory"
TARGET = "target"
# More classes than this must have so many rows each on average.
MOST_CLASSES, ROWS_OF_A_CLASS = 100, 3

# How notes of the provenance begin: on columns that were dropped, and on the origin, from an index of files.
DROPPED = "left out as asked:"
ORIGIN = ("source: ", "note: ")


def from_frame(
    frame: Any,
    target: str,
    *,
    name: str = "data",
    task: Task | None = None,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
    text: Sequence[str] = (),
    missing: Sequence[str] = (),
    keep: Sequence[str] = (),
) -> Dataset:
    """Make a dataset of a frame, as `load` makes one of a file.

    Parameters
    ----------
    frame : pandas or polars DataFrame
        Attributes and target, by column names that are text.
    target : str
        Column to predict.
    name : str, default="data"
        What tables call it.
    task : {"classification", "regression"}, optional
        By default what the type of the target says; at most ten distinct whole numbers are taken for classes, more if
        they look like codes.
    drop, categorical, text : sequence of str
        Columns to leave out, to be categories whatever they hold, and to become columns of character n-grams.
    missing : sequence of str
        What stands for a missing value in any column.
    keep : sequence of str
        A first column without a name, "column 1", to be kept though it numbers the rows.

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
    choice = Choice(target, drop, categorical, text, missing, keep)
    return _make(table, choice, name, task, type(frame).__module__.partition(".")[0])


def _make(table: pd.DataFrame, choice: Choice, name: str, task: Task | None, kind: str = "pandas") -> Dataset:
    where = f"frame {name!r}"
    tidied = RawTable.of(table, where).tidy(choice)
    provenance = Provenance(MEMORY, where, kind, notes=tidied.notes)
    loaded = LoadedTable(name, tidied.frame, provenance, typed=False, dropped=tidied.dropped, reading=tidied.reading)
    return make_dataset(loaded, choice, task)


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


def read_data(data: DataLike | list[DataLike], choice: Choice, task: Task | None) -> tuple[Dataset, ...]:
    """Return one dataset or several, with names that differ; of a pair (X, y), the target is what to call y."""
    several = data if isinstance(data, list) else [data]
    if not several:
        raise ValueError("data is empty; give a file, the name of a dataset, or a frame.")
    if any(item is None for item in several):
        raise TypeError("data is None; give a file, the name of a dataset, a Dataset, a frame, or a pair (X, y).")
    wishes = _share_out(several, choice)
    read = [_noted(_read(item, wish, task), wish.drop) for item, wish in zip(several, wishes, strict=True)]
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
    if len(data.classes) > max(MOST_CLASSES, data.n_rows / ROWS_OF_A_CLASS):
        few = f"{len(data.classes)} different labels in {data.n_rows} rows, such as {str(data.classes[0])!r}"
        raise ValueError(
            f"{where} holds {few}, too few rows of each to learn from; join classes, choose another target, or if they "
            "are numbers write them plainly, such as 1234.5."
        )


def notes_of_reading(data: Dataset) -> tuple[str, ...]:
    """Return what was done to data as they were read from a file or a frame; where they came from is left out."""
    notes = data.provenance.notes
    if data.provenance.source in (FILES, MEMORY):
        return sentences(data.name, [note for note in notes if not note.startswith(ORIGIN)])
    return sentences(data.name, [note for note in notes if note.startswith(DROPPED)])


def sentences(name: str, notes: Sequence[str]) -> tuple[str, ...]:
    """Return notes on data as sentences that name the data."""
    return tuple(f"{name}: {note.rstrip('.')}." for note in notes)


def _noted(data: Dataset, drop: Sequence[str]) -> Dataset:
    """Return data whose provenance says which columns were dropped, as the report tells it."""
    if not drop:
        return data
    note = f"{DROPPED} {quoted(drop, len(drop))}"
    return replace(data, provenance=replace(data.provenance, notes=(*data.provenance.notes, note)))


def _share_out(several: Sequence[Any], choice: Choice) -> list[Choice]:
    """Return what is wished of each of the data.

    One alone is asked for everything. Of several, each is asked for what it has; a dataset that has a target of its own
    keeps it where it lacks the one that is named. Files and frames must have it. A name must be a column of some of
    them.
    """
    if len(several) == 1:
        return [choice]
    columns = [_columns(item) for item in several]
    everything = [name for some in columns for name in some]
    if choice.target is not None and not any(isinstance(item, tuple) for item in several):
        _check_some(f"target={choice.target!r}", [choice.target], everything)
    for argument, names in choice.columns().items():
        _check_some(f"{argument}={list(names)!r}", names, everything)
    wishes = []
    for item, some in zip(several, columns, strict=True):
        has_a_target = isinstance(item, Dataset) or (isinstance(item, str) and not Path(item).is_file())
        wanted = None if has_a_target and choice.target not in some else choice.target
        wishes.append(replace(choice.of(some), target=wanted))
    return wishes


def _check_some(what: str, names: Sequence[str], columns: Sequence[str]) -> None:
    if unknown := [name for name in names if name not in columns]:
        near = did_you_mean(unknown[0], columns)
        raise ValueError(f"{what}: none of the data has a column {quoted(unknown)}{near}")


def _columns(item: Any) -> list[str]:
    if isinstance(item, str | os.PathLike):
        if Path(item).is_file():
            return column_names(Path(item))
        item = load(item)
    if isinstance(item, Dataset):
        return [*map(str, item.frame.columns), str(item.target.name)]
    if isinstance(item, tuple):
        item = item[0] if item else None
    return [str(name) for name in getattr(item, "columns", ())]


def _read(item: DataLike, choice: Choice, task: Task | None) -> Dataset:
    if isinstance(item, Dataset):
        return _as_asked(item, choice, task)
    if isinstance(item, str | os.PathLike):
        return load_chosen(item, choice, task=task)
    if isinstance(item, tuple):
        return _from_pair(item, choice, task)
    if choice.target is None:
        raise ValueError(f"target=None: name the column of the {type(item).__name__} to predict.")
    return _make(_as_pandas(item), choice, "data", task, type(item).__module__.partition(".")[0])


def _as_asked(data: Dataset, choice: Choice, task: Task | None) -> Dataset:
    column = str(data.target.name)
    wanted = choice.target or column
    if wanted == column and choice == Choice(choice.target, keep=choice.keep) and task in (None, data.task):
        return data
    if task is None and wanted == column:
        task = data.task
    made = _make(data.frame.assign(**{column: data.target}), replace(choice, target=wanted), data.name, task)
    return replace(made, reading=data.reading.then(made.reading))


def _from_pair(pair: tuple[Any, ...], choice: Choice, task: Task | None) -> Dataset:
    if len(pair) != 2:
        raise ValueError(f"data has a tuple of {len(pair)} parts; give a pair (X, y).")
    X, y = pair
    frame, values = _named_columns(X), np.asarray(y)
    if values.ndim != 1 or len(values) != len(frame):
        raise ValueError(
            f"data has a pair of {len(frame)} rows and y of shape {values.shape}; give one y for each row."
        )
    target = choice.target
    if target is not None and target in frame.columns:
        raise ValueError(f"target={target!r} is a column of X too; give y another name, or the frame without y.")
    name = str(getattr(y, "name", None) or TARGET) if target is None else target
    name = name if name not in frame.columns else f"{name} to predict"
    return _make(frame.assign(**{name: values}), replace(choice, target=name), "data", task)


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
