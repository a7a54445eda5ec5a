"""The rows of a file as a model takes them: its columns by name, numbers as numbers, categories as it knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey._text import quoted
from covey.datasets.errors import DataFormatError

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

_MOST_NAMED = 8


@dataclass(frozen=True, eq=False)
class NewRows:
    """Rows to predict.

    Parameters
    ----------
    frame : DataFrame
        The model's columns in its order.
    target : Series, optional
        What is to be predicted, where the file has it for some row.
    notes : tuple of str
        What was left out and what was not known.
    """

    frame: pd.DataFrame
    target: pd.Series[Any] | None
    notes: tuple[str, ...]


def read_new_rows(path: Path, about: Mapping[str, Any], model: Any) -> NewRows:
    """Read the rows of a file.

    Parameters
    ----------
    path : Path
        A CSV, Parquet or ARFF file.
    about : mapping
        What the model's file says about it; see `covey.models`. Without it the names of columns that the model
        itself knows are used.
    model : estimator

    Raises
    ------
    ValueError
        Columns are missing, or hold text where the model knows numbers.
    """
    import pandas as pd

    columns = _known_columns(about) or _columns_of(model)
    names = [column["name"] for column in columns]
    kinds = {column["name"]: column["kind"] for column in columns}
    target = about.get("target")
    given, there = _read(path, names, kinds, target)
    missing = [name for name in names if name not in there]
    if missing:
        raise ValueError(
            f"{path} lacks {len(missing)} of the {len(names)} columns that the model was trained on: "
            f"{quoted(missing)}. It has {quoted(there)}."
        )
    notes = []
    extra = [name for name in there if name not in kinds and name != target]
    if extra:
        notes.append(f"columns that the model does not know are left out: {quoted(extra)}")
    frame = {}
    for column in columns:
        values, remark = _as_known(given[column["name"]], column, path)
        frame[column["name"]] = values
        notes += remark
    truth = given.get(target)
    return NewRows(pd.DataFrame(frame), None if truth is None or truth.isna().all() else truth, tuple(notes))


def n_alike(first: NDArray[Any], second: NDArray[Any]) -> int:
    """Return in how many places two arrays have the same label.

    Two texts must be the same. A number is the same label as a number of another type, and as its text.
    """
    return sum(_are_alike(one, other) for one, other in zip(first, second, strict=True))


def unlike(labels: NDArray[Any], classes: Sequence[Any]) -> list[str]:
    """Return the labels that are like none of the classes, each once."""
    distinct = dict.fromkeys(labels.tolist())
    return [_text(one) for one in distinct if not any(_are_alike(one, known) for known in classes)]


def _are_alike(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    return _as_number(one) == _as_number(other)


def _as_number(label: Any) -> float | str:
    try:
        return float(str(label))
    except ValueError:
        return str(label)


def _known_columns(about: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the columns that a file tells of, which may tell anything."""
    columns = about.get("columns", [])
    kinds = ("number", "category")
    if not isinstance(columns, list) or not all(isinstance(one, dict) for one in columns):
        raise ValueError("What the model's file says about its columns is damaged or forged.")
    for one in columns:
        named = isinstance(one.get("name"), str) and one.get("kind") in kinds
        if not named or (one["kind"] == "category" and not isinstance(one.get("categories"), list)):
            raise ValueError(f"What the model's file says about its column {one.get('name')!r} is damaged or forged.")
    return columns


def _columns_of(model: Any) -> list[dict[str, Any]]:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        raise ValueError(
            "The model's file does not say which columns it was trained on; save the model with "
            "covey.save_model(model, path, about=covey.models.describe_training(dataset))."
        )
    return [{"name": str(name), "kind": "any"} for name in names]


def _read(path: Path, names: list[str], kinds: Mapping[str, str], target: str | None) -> tuple[pd.DataFrame, list[str]]:
    """Return the columns of a file that are wanted, and the names of all."""
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
    wanted = [*names, *([target] if target else [])]
    contents = read_contents(path, max_bytes=DEFAULT_MAX_BYTES)
    nominal = [name for name in names if kinds[name] == "category"]
    raw = read_raw(contents, Choice(categorical=nominal), max_bytes=DEFAULT_MAX_BYTES)
    there = [str(name) for name in raw.frame.columns]
    if not set(names) <= set(there):
        return raw.frame, there
    choice = Choice(target if target in there else None, [name for name in there if name not in wanted], nominal)
    return raw.tidy(choice).frame, there


def _as_known(values: pd.Series[Any], column: Mapping[str, Any], path: Path) -> tuple[pd.Series[Any], list[str]]:
    """Return a column as the model knows it, and what is to be said about it."""
    import pandas as pd

    name = column["name"]
    if column["kind"] == "category":
        return _categories(values, name, column["categories"])
    if column["kind"] == "any" or pd.api.types.is_float_dtype(values.dtype):
        return values, []
    texts = values.astype(object).map(str, na_action="ignore")
    numbers = pd.to_numeric(texts, errors="coerce").astype("float64")
    spoilt = (numbers.isna() & texts.notna()).to_numpy().nonzero()[0]
    if len(spoilt):
        raise DataFormatError(
            str(path),
            f"the column {name!r} holds {str(texts.iloc[spoilt[0]])!r} in row {spoilt[0] + 1} of the data, but the "
            "model was trained on numbers there",
        )
    return numbers, []


def _categories(values: pd.Series[Any], name: str, known: list[Any]) -> tuple[pd.Series[Any], list[str]]:
    """Return a column with the categories of the training; others count as missing."""
    import pandas as pd

    texts = values.astype(object).map(_text, na_action="ignore")
    places = {_text(category): place for place, category in enumerate(known)}
    codes = [places.get(text, -1) if isinstance(text, str) else -1 for text in texts]
    strange = sorted({text for text in texts.dropna() if text not in places})
    notes = []
    if strange:
        n_rows = int(texts.isin(strange).sum())
        notes.append(
            f"the column {name!r} has categories that were never seen in training, which count as missing: "
            f"{quoted(strange, _MOST_NAMED)} (rows: {n_rows})"
        )
    column = pd.Categorical.from_codes(codes, categories=pd.Index(known))
    return pd.Series(column, index=values.index, name=name), notes


def _text(value: Any) -> str:
    """Return the text of a category; a whole number is written as one whatever its type."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
