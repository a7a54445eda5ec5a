"""Figures of single fits, and tables of means, from the results of experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from covey.reproduce.paper import Found
from covey.reproduce.published import in_order
from covey.study import Results

Floats = NDArray[np.float64]


def names(parts: Iterable[Any]) -> list[str]:
    """Return what methods or datasets are called."""
    return [part.name for part in parts]


@lru_cache(maxsize=64)
def _fits(run: Results) -> pd.DataFrame:
    return run.frame().set_index(["dataset", "method"]).sort_index(kind="stable")


@lru_cache(maxsize=8192)
def values_of(run: Results, dataset: str, method: str, column: str) -> Floats:
    """Return a figure of each fit of a method on a dataset; none where a fit is lacking."""
    frame = _fits(run)
    if (dataset, method) not in frame.index:
        return np.empty(0)
    rows = frame.loc[[(dataset, method)]].sort_values("fit", kind="stable")
    return np.empty(0) if (rows["status"] != "done").any() else rows[column].to_numpy(dtype=np.float64)


def is_whole(run: Results, dataset: str, method: str) -> bool:
    """Whether every fit of a method on a dataset is there."""
    return len(values_of(run, dataset, method, "fit")) > 0


def wide(
    results: Found,
    ids: Iterable[str],
    columns: Sequence[str] | Mapping[str, str],
    measure: Callable[[Results, str, str], float],
    like: tuple[str, str | int],
) -> pd.DataFrame:
    """Return a measure of some methods on all datasets of some experiments; NaN where there is none.

    `columns` are methods, or labels with the names that methods have in studies. Datasets are in the order of the
    table that `like` names by its paper and number.
    """
    by_label = columns if isinstance(columns, Mapping) else dict(zip(columns, columns, strict=True))
    rows: dict[str, dict[str, float]] = {}
    for run in (results[id] for id in ids if id in results):
        there = set(names(run.record.methods))
        for dataset in names(run.record.datasets):
            row = rows.setdefault(dataset, {})
            row |= {label: measure(run, dataset, name) for label, name in by_label.items() if name in there}
    frame = pd.DataFrame.from_dict(rows, orient="index", dtype=float).reindex(columns=list(by_label))
    return frame.reindex(in_order(frame.index, *like)).rename_axis("dataset")


def mean_of(values: Floats) -> float:
    """Return the mean; NaN of nothing."""
    return float(values.mean()) if len(values) else float("nan")
