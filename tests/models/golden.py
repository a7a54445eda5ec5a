"""Model files with rows and what their models say of them, kept as JSON beside each file.

``python -m models.golden FOLDER``, run in ``tests``, writes those of all specimens into a new folder.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from covey import save_model
from models.specimens import Specimen, answers, names, specimen


@dataclass(frozen=True)
class Case:
    """A model file, rows, and what is to be said of them."""

    path: Path
    rows: Any
    answers: dict[str, Any]


def write_case(folder: Path, name: str, made: Specimen) -> None:
    """Write a specimen's model, its rows and its answers."""
    save_model(made.model, folder / f"{name}.covey")
    said = {method: _as_json(values) for method, values in answers(made.model, made.rows).items()}
    (folder / f"{name}.json").write_text(json.dumps({"rows": _as_json(made.rows), "answers": said}, allow_nan=False))


def read_cases(folder: Path) -> dict[str, Case]:
    """Return what a folder holds, by name."""
    cases = {}
    for path in sorted(folder.glob("*.covey")):
        held = json.loads(path.with_suffix(".json").read_text())
        said = {method: _from_json(node) for method, node in held["answers"].items()}
        cases[path.stem] = Case(path, _from_json(held["rows"]), said)
    return cases


def _as_json(values: Any) -> Any:
    if isinstance(values, pd.DataFrame):
        return {"columns": [_column_as_json(str(name), column) for name, column in values.items()]}
    kind = "U" if values.dtype.kind in "UO" else values.dtype.name
    listed = values.astype(object)
    if values.dtype.kind == "f":
        listed[np.isnan(values)] = None
    return {"dtype": kind, "values": listed.tolist()}


def _column_as_json(name: str, column: Any) -> Any:
    listed = [None if pd.isna(one) else one for one in column.tolist()]
    if column.dtype == "category":
        return {"name": name, "categories": column.cat.categories.tolist(), "values": listed}
    return {"name": name, "dtype": "float64" if column.dtype.kind == "f" else "object", "values": listed}


def _from_json(node: Any) -> Any:
    if "columns" not in node:
        return np.array(node["values"], dtype=node["dtype"])
    columns = {}
    for one in node["columns"]:
        if "categories" in one:
            columns[one["name"]] = pd.Categorical(one["values"], categories=one["categories"])
        else:
            columns[one["name"]] = np.array(one["values"], dtype=one["dtype"])
    return pd.DataFrame(columns)


def main() -> None:
    """Write all specimens into a folder that is not there yet: what was written once is never written again."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    for name in names():
        write_case(folder, name, specimen(name))


if __name__ == "__main__":
    main()
