"""New rows of a file as a model takes them: its columns by name, numbers as numbers, categories as it knows them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from covey._text import quoted
from covey.datasets.amounts import MARKS, number_of
from covey.datasets.choice import Choice, check_known
from covey.datasets.dates import FORMATS, PARTS, example_of, read_dates
from covey.datasets.files import split_suffix, unreadable
from covey.datasets.missing import MISSING_NUMBERS, without_marks
from covey.datasets.reading import DEFAULT_MAX_BYTES, read_contents
from covey.datasets.tables import RawTable, read_raw
from covey.datasets.texts import NGRAMS, ngrams_of
from covey.datasets.tidy import label_text

ALL = "all"
_FORGED = "is damaged or forged; save the model again."


@dataclass(frozen=True, eq=False)
class NewRows:
    """Rows to predict."""

    frame: pd.DataFrame  #: the model's columns in its order
    target: pd.Series[Any] | None  #: what is to be predicted, where the file has it for some row
    notes: tuple[str, ...]  #: what was left out and what was not known


def read_new_rows(
    path: str | os.PathLike[str], about: Mapping[str, Any], model: Any = None, *, missing: Sequence[str] = ()
) -> NewRows:
    """Read the rows of a file for a model to predict.

    Parameters
    ----------
    path : path
        A CSV, Excel, Parquet or ARFF file, with or without the target.
    about : mapping
        What the model's file says about it, from `covey.read_about`.
    model : estimator, optional
        Where `about` names no columns, those that the model itself knows are used.
    missing : sequence of str
        What stands for a missing value in any column, besides the usual and what did so in the training.

    Returns
    -------
    NewRows

    Raises
    ------
    ValueError
        Columns are missing, or hold text where the model knows numbers.
    """
    file = Path(path)
    columns, marks = _known_columns(about) or _columns_of(model), [*_known_marks(about), *missing]
    names, target = [column["name"] for column in columns], about.get("target")
    sources = list(dict.fromkeys(column.get("from", column["name"]) for column in columns))
    nominal = [column["name"] for column in columns if column["kind"] == "category"]
    texts = [column["from"] for column in columns if column.get("part") in NGRAMS]
    amounts = [column["name"] for column in columns if "amounts" in column]
    raw = _read_raw(file, Choice(categorical=[*nominal, *texts, *amounts], missing=marks, keep=sources))
    there = [str(name) for name in raw.frame.columns]
    lacking = [name for name in sources if name not in there]
    if lacking:
        raise ValueError(
            f"{file} lacks {len(lacking)} of the {len(sources)} columns that the model was trained on: "
            f"{quoted(lacking)}. It has {quoted(there)}."
        )
    notes = []
    extra = [name for name in there if name not in sources and name != target]
    if extra:
        notes.append(f"columns that the model does not use: {quoted(extra)}")
    plain = [column["name"] for column in columns if "from" not in column]
    others = [name for name in there if name not in plain and name != target]
    nominal += [name for name in amounts if not pd.api.types.is_numeric_dtype(raw.frame[name].dtype)]
    rows = raw.tidy(Choice(target if target in there else None, others, nominal, missing=marks, keep=plain)).frame
    frame = _made_columns(raw, columns, marks)
    for column in columns:
        name = column["name"]
        if column["kind"] == "category":
            frame[name], strange = _categories(rows[name], column["categories"])
            notes += [f"the column {name!r} has {strange}"] if strange else []
        elif name not in frame:
            if name not in rows:
                raise ValueError(f"{file}: the column {name!r} holds dates, but the model was trained on numbers there")
            frame[name] = rows[name] if column["kind"] == "any" else _numbers(rows[name], file, column)
    truth = rows.get(target)
    known = None if truth is None or truth.isna().all() else truth
    return NewRows(pd.DataFrame({name: frame[name] for name in names}), known, tuple(notes))


def column_names(path: Path) -> list[str]:
    """Return the names of a file's columns."""
    return [str(name) for name in _read_raw(path, Choice()).frame.columns]


def _read_raw(path: Path, choice: Choice) -> RawTable:
    """Read a file of any kind; rows need no target."""
    from covey.datasets.arff import read_arff

    parts = split_suffix(path.name)
    if not path.is_file():
        raise FileNotFoundError(f"There is no data file {str(path)!r}.")
    if parts is None:
        raise unreadable(path)
    if parts[1].startswith(".arff"):
        return RawTable.of(read_arff(path).frame, str(path))
    return read_raw(read_contents(path, max_bytes=DEFAULT_MAX_BYTES), choice, max_bytes=DEFAULT_MAX_BYTES)


def read_kept(path: str | os.PathLike[str], names: Sequence[str]) -> pd.DataFrame:
    """Return columns of a file as they stand there, text that looks like numbers too; "all" stands for all of them."""
    there = column_names(Path(path))
    names = there if ALL in names and ALL not in there else names
    check_known(names, there, f"keep={list(names)!r}", str(path))
    return _read_raw(Path(path), Choice(categorical=names)).frame[list(dict.fromkeys(names))]


def _known_columns(about: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the columns that a file tells of, which may tell anything."""
    columns = about.get("columns", [])
    if not isinstance(columns, list) or not all(isinstance(column, dict) for column in columns):
        raise ValueError(f"What the model's file says about its columns {_FORGED}")
    for column in columns:
        if not _is_sound(column):
            raise ValueError(f"What the model's file says about its column {column.get('name')!r} {_FORGED}")
    if len({column["name"] for column in columns}) < len(columns):
        raise ValueError(f"What the model's file says about its columns {_FORGED}")
    return columns


def _is_sound(column: Mapping[str, Any]) -> bool:
    """Tell whether a file says about a column what covey writes."""
    if not isinstance(column.get("name"), str) or column.get("kind") not in ("number", "category"):
        return False
    if column["kind"] == "category":
        return isinstance(column.get("categories"), list) and "from" not in column
    if column.get("decimal", ",") != "," or column.get("amounts", ".") not in MARKS:
        return False
    if "from" not in column:
        return "part" not in column
    is_part = column.get("part") in (*PARTS, *NGRAMS) and column.get("format") in (None, *FORMATS)
    return isinstance(column["from"], str) and is_part


def _known_marks(about: Mapping[str, Any]) -> list[str]:
    marks = about.get("missing", [])
    if not isinstance(marks, list) or not all(isinstance(mark, str) for mark in marks):
        raise ValueError(f"What the model's file says about missing values {_FORGED}")
    return marks


def _made_columns(raw: RawTable, columns: list[dict[str, Any]], marks: list[str]) -> dict[str, pd.Series[Any]]:
    """Return the columns that are made of others, as they were made for the training."""
    made: dict[str, pd.Series[Any]] = {}
    parts: dict[str, Mapping[str, pd.Series[Any]]] = {}
    for column in columns:
        if "from" not in column:
            continue
        source, part = column["from"], column["part"]
        key = f"{'text' if part in NGRAMS else 'dates'} of {source}"
        if key not in parts:
            values = without_marks(raw.frame[[source]], marks)[source]
            parts[key] = _text_parts(values) if part in NGRAMS else _date_parts(values, column.get("format"), raw.where)
        made[column["name"]] = parts[key][part]
    return made


def _text_parts(values: pd.Series[Any]) -> Mapping[str, pd.Series[Any]]:
    made = ngrams_of(values.astype(object).map(label_text, na_action="ignore"))
    return {str(name): made[name] for name in made.columns}


def _date_parts(values: pd.Series[Any], written: str | None, where: str) -> Mapping[str, pd.Series[Any]]:
    texts = _texts(values)
    dates = read_dates(values.mask(texts.isna()), written)
    spoilt = (dates.moments.isna() & texts.notna()).to_numpy().nonzero()[0]
    if len(spoilt):
        raise ValueError(
            f"{where}: the column {values.name!r} holds {texts.iloc[spoilt[0]]!r} in row {spoilt[0] + 1} of the "
            f"data, but the model was trained on dates there{f', like {example_of(written)}' if written else ''}"
        )
    return dates.parts()


def _texts(values: pd.Series[Any]) -> pd.Series[Any]:
    """Return values as text, without those that stand for a missing number or date."""
    texts = values.astype(object).map(str, na_action="ignore")
    marked = [isinstance(text, str) and text.strip().lower() in MISSING_NUMBERS for text in texts]
    return texts.mask(np.array(marked, dtype=bool))


def _columns_of(model: Any) -> list[dict[str, Any]]:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        raise ValueError(
            "The model's file does not say which columns it was trained on; save the model with "
            "covey.save_model(model, path, about=covey.models.describe_training(dataset))."
        )
    return [{"name": str(name), "kind": "any"} for name in names]


def _numbers(values: pd.Series[Any], file: Path, column: Mapping[str, Any]) -> pd.Series[Any]:
    if pd.api.types.is_float_dtype(values.dtype):
        return values
    texts = _texts(values)
    if "amounts" in column:
        numbers = texts.map(lambda text: number_of(text, column["amounts"]), na_action="ignore").astype("float64")
    else:
        plain = texts.str.replace(",", ".", regex=False) if column.get("decimal") and texts.notna().any() else texts
        numbers = pd.to_numeric(plain, errors="coerce").astype("float64")
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
