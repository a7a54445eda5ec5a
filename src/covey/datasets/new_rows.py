"""New rows of a file as a model takes them: its columns by name, numbers as numbers, categories as it knows them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from covey._text import quoted
from covey.datasets.dataset import check_known
from covey.datasets.roles import read_columns

ALL = "all"
_FORGED = "is damaged or forged; save the model again."


@dataclass(frozen=True, eq=False)
class NewRows:
    """Rows to predict."""

    frame: pd.DataFrame  #: the model's columns in its order
    target: pd.Series[Any] | None  #: what is to be predicted, where the file has it for some row
    notes: tuple[str, ...]  #: what was left out and what was not known


def read_new_rows(path: str | os.PathLike[str], about: Mapping[str, Any], model: Any = None) -> NewRows:
    """Read the rows of a file for a model to predict.

    Parameters
    ----------
    path : path
        A CSV, Parquet or ARFF file, with or without the target.
    about : mapping
        What the model's file says about it, from `covey.read_about`.
    model : estimator, optional
        Where `about` names no columns, those that the model itself knows are used.

    Returns
    -------
    NewRows

    Raises
    ------
    ValueError
        Columns are missing, or hold text where the model knows numbers.
    """
    file = Path(path)
    columns = _known_columns(about) or _columns_of(model)
    names, target = [column["name"] for column in columns], about.get("target")
    nominal = [column["name"] for column in columns if column["kind"] == "category"]
    rows, there = read_columns(file, names, nominal, target)
    missing = [name for name in names if name not in there]
    if missing:
        raise ValueError(
            f"{file} lacks {len(missing)} of the {len(names)} columns that the model was trained on: "
            f"{quoted(missing)}. It has {quoted(there)}."
        )
    notes = []
    extra = [name for name in there if name not in names and name != target]
    if extra:
        notes.append(f"columns that the model does not use: {quoted(extra)}")
    frame = {}
    for column in columns:
        values = rows[column["name"]]
        if column["kind"] == "category":
            frame[column["name"]], strange = _categories(values, column["categories"])
            notes += [f"the column {column['name']!r} has {strange}"] if strange else []
        else:
            frame[column["name"]] = values if column["kind"] == "any" else _numbers(values, file)
    truth = rows.get(target)
    return NewRows(pd.DataFrame(frame), None if truth is None or truth.isna().all() else truth, tuple(notes))


def read_kept(path: str | os.PathLike[str], names: Sequence[str]) -> pd.DataFrame:
    """Return columns of a file as they stand there, text that looks like numbers too; "all" stands for all of them."""
    rows, there = read_columns(Path(path), (), names)
    if ALL in names and ALL not in there:
        names = there
        rows, there = read_columns(Path(path), (), names)
    check_known(names, there, f"keep={list(names)!r}", str(path))
    return rows[list(dict.fromkeys(names))]


def _known_columns(about: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the columns that a file tells of, which may tell anything."""
    columns = about.get("columns", [])
    if not isinstance(columns, list) or not all(isinstance(column, dict) for column in columns):
        raise ValueError(f"What the model's file says about its columns {_FORGED}")
    for column in columns:
        named = isinstance(column.get("name"), str) and column.get("kind") in ("number", "category")
        if not named or (column["kind"] == "category" and not isinstance(column.get("categories"), list)):
            raise ValueError(f"What the model's file says about its column {column.get('name')!r} {_FORGED}")
    return columns


def _columns_of(model: Any) -> list[dict[str, Any]]:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        raise ValueError(
            "The model's file does not say which columns it was trained on; save the model with "
            "covey.save_model(model, path, about=covey.models.describe_training(dataset))."
        )
    return [{"name": str(name), "kind": "any"} for name in names]


def _numbers(values: pd.Series[Any], file: Path) -> pd.Series[Any]:
    if pd.api.types.is_float_dtype(values.dtype):
        return values
    texts = values.astype(object).map(str, na_action="ignore")
    numbers = pd.to_numeric(texts, errors="coerce").astype("float64")
    spoilt = (numbers.isna() & texts.notna()).to_numpy().nonzero()[0]
    if len(spoilt):
        raise ValueError(
            f"{file}: the column {values.name!r} holds {str(texts.iloc[spoilt[0]])!r} in row {spoilt[0] + 1} of the "
            "data, but the model was trained on numbers there"
        )
    return numbers


def _categories(values: pd.Series[Any], known: list[Any]) -> tuple[pd.Series[Any], str]:
    """Return a column with the categories of the training, and which others it has, which count as missing."""
    texts = values.astype(object).map(label_text, na_action="ignore")
    places = {label_text(category): place for place, category in enumerate(known)}
    codes = [places.get(text, -1) if isinstance(text, str) else -1 for text in texts]
    column = pd.Series(pd.Categorical.from_codes(codes, categories=pd.Index(known)), index=values.index)
    strange = sorted({text for text in texts.dropna() if text not in places})
    if not strange:
        return column, ""
    named = f"{quoted(strange, 8)} (rows: {int(texts.isin(strange).sum())})"
    return column, f"categories that were never seen in training, which count as missing: {named}"


def label_text(value: Any) -> str:
    """Return the text of a category or label; a whole number is written as one whatever its type."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
