"""Columns that nothing can be learnt from, left out of a comparison with a note that says how to keep them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from covey._text import counted, listed, quoted
from covey.datasets.dataset import Dataset

# On fewer rows, values that all differ mean little.
FEWEST_ROWS = 20
# From this share of different values on, text is like a name; ...
_NAMES = 0.5
# ... long texts are free text already with these.
_FREE_TEXTS = 0.2
_FEWEST_TEXTS = 50
_WORDS_OF_A_TEXT = 4
# So many columns are named in a remedy.
_MOST_NAMED = 12
# More categories are worth a note.
_MANY_CATEGORIES = 100
_ID = re.compile(r"(?:.*[\W_])?(?:id|uuid|guid|nr|no)|.*[a-z](?:Id|ID|Nr|No)")

_REASONS = {
    "empty": "no value in any row",
    "constant": "the same value in every row",
    "names": "like names, different in most rows",
    "texts": "free text",
    "counter": "a number for each row, counting up",
    "id": "an id, by its name, and different in every row",
}


def leave_out(data: Dataset, keep: Sequence[str] = ()) -> tuple[Dataset, tuple[str, ...]]:
    """Leave out columns from which nothing can be learnt, unless they are to be kept.

    These have no values, or one; they number the rows, or differ in most of them as names and free text do. The notes,
    in the provenance too, name them, and those that have many categories. Data of which nothing is left are refused.
    """
    columns = {str(name): column for name, column in data.frame.items()}
    parts = {name: part.column for name, part in data.reading.parts.items() if name in columns}
    why = {name: _reason(column, name) for name, column in columns.items() if name not in parts}
    why |= {name: "constant" for name in parts if columns[name].nunique(dropna=False) == 1}
    gone = {name: reason for name, reason in why.items() if reason and not {name, parts.get(name, name)} & set(keep)}
    notes = []
    for reason in dict.fromkeys(gone.values()):
        names = list(dict.fromkeys(parts.get(name, name) for name, other in gone.items() if other == reason))
        it, few = "it" if len(names) == 1 else "them", names[:_MOST_NAMED]
        further = f", text={few!r} learns from the words" if reason == "texts" else ""
        notes.append(f"left out: {quoted(names)} ({_REASONS[reason]}); keep={few!r} keeps {it}{further}")
    if len(gone) == data.n_features:
        raise ValueError(f"no column of {data.name!r} is left to learn from: {'; '.join(notes)}.")
    for name, column in columns.items():
        if name not in gone and column.dtype == "category" and column.nunique() > _MANY_CATEGORIES:
            notes.append(
                f"the column {name!r} has {column.nunique()} categories, each a column for methods that take numbers "
                f"only; drop=[{name!r}] leaves it out, text=[{name!r}] takes its letters"
            )
    provenance = replace(data.provenance, notes=(*data.provenance.notes, *notes))
    return replace(data, frame=data.frame.drop(columns=list(gone)), provenance=provenance), tuple(notes)


def rare_classes(data: Dataset, n_folds: int) -> tuple[str, ...]:
    """Say which classes have fewer rows than there are folds."""
    if data.task == "regression":
        return ()
    counts = data.target.value_counts()
    rare = [f"{label} ({counted(int(count), 'row')})" for label, count in counts.items() if 0 < count < n_folds]
    if not rare:
        return ()
    few = f"fewer rows than there are folds ({n_folds}), so some folds test or train without"
    if len(rare) == 1:
        return (f"the class {rare[0]} has {few} it",)
    return (f"{len(rare)} classes have {few} them: {listed(rare, _MOST_NAMED)}",)


def _reason(column: pd.Series[Any], name: str) -> str:
    """Return why a column is of no use, a key of `_REASONS`; "" if it may be of some."""
    values = column.dropna()
    if values.empty:
        return "empty"
    distinct = values.nunique()
    if distinct == 1 and len(values) == len(column) > 1:
        return "constant"
    if len(values) < FEWEST_ROWS:
        return ""
    if column.dtype == "category":
        texts = values.cat.categories
        is_free_text = sum(len(str(text).split()) for text in texts) >= _WORDS_OF_A_TEXT * len(texts)
        if is_free_text and distinct >= max(_FEWEST_TEXTS, _FREE_TEXTS * len(values)):
            return "texts"
        return "names" if distinct >= max(FEWEST_ROWS, _NAMES * len(values)) else ""
    if distinct < len(column):
        return ""
    steps = column.diff().iloc[1:]
    if (column.iloc[0] % 1 == 0) and ((steps == 1).all() or (steps == -1).all()):
        return "counter"
    is_id = (_ID.fullmatch(name) or _ID.fullmatch(name.lower())) and (column % 1 == 0).all()
    return "id" if is_id else ""
