"""What is kept of the best method beside its fits: what it looks at, its hardest rows, its scores with fewer rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.study.fingerprint import hash_of
from covey.study.store import Store

if TYPE_CHECKING:
    from covey.analysis.ranking.methods import Ranking
    from covey.study.results import Results

Arrays = Mapping[str, NDArray[Any]]
Floats = NDArray[np.float64]

# What keys stand for; a change of how parts are worked out makes another.
FORMAT = 1
# What is worked out of the best method, the cheapest first.
PARTS = ("rows", "importance", "dependence", "learning")
MOST_DEPENDENCES = 4
# Pages of more datasets do not say where methods err and what they look at.
MOST_DIAGNOSED = 3
# A column that costs less than this share of the strongest is not among the strongest.
WEAK = 0.1
# Of a part that is larger than any that was put, as of a file that someone else made, nothing is shown.
_MOST_NUMBERS = 1_000_000


@dataclass(frozen=True, eq=False)
class RowValues:
    """The values of the hardest rows."""

    cases: NDArray[np.int64]  #: their positions in the data
    numbers: NDArray[np.int64]  #: their positions in the file, or whatever the data are from
    columns: NDArray[np.str_]
    values: NDArray[np.str_]  #: (n_rows, n_columns)


@dataclass(frozen=True, eq=False)
class Importance:
    """How much a score of unseen rows loses when a column is shuffled."""

    columns: NDArray[np.str_]
    losses: Floats  #: above 0 if the score gets worse
    spreads: Floats  #: standard deviations over shuffles
    n_rows: int  #: how many rows were predicted

    @property
    def strongest(self) -> list[str]:
        """The columns whose loss is more than its spread and a tenth of the largest, the largest first."""
        order = np.argsort(-self.losses, kind="stable")
        least = np.maximum(self.spreads, max(WEAK * self.losses.max(), 0))
        return [str(self.columns[place]) for place in order if self.losses[place] > least[place]]


@dataclass(frozen=True, eq=False)
class ColumnEffect:
    """The mean prediction if a column had some value in every row."""

    column: str
    values: NDArray[Any]  #: numbers, or names of categories
    means: Floats  #: (n_outputs, n_values)
    outputs: tuple[str, ...]  #: classes whose probabilities they are; one name "" for numbers


@dataclass(frozen=True, eq=False)
class Learning:
    """Scores by the number of training rows, by scorers of scikit-learn: larger is better."""

    sizes: NDArray[np.int64]  #: ascending
    scores: Floats  #: (n_sizes, n_fits)


@dataclass(frozen=True, eq=False)
class Explanation:
    """What is known of a method on a dataset, as far as it was worked out."""

    method: str
    rows: RowValues | None = None
    importance: Importance | None = None
    dependence: tuple[ColumnEffect, ...] = ()
    learning: Learning | None = None
    failed: Mapping[str, str] = field(default_factory=dict)  #: parts that went wrong, and why


def explained_method(ranking: Ranking) -> str | None:
    """Return the method that a page explains: the best of those that learn, if there is one."""
    return next((row.method for row in ranking.rows if row.method not in ranking.baselines), None)


def part_key(results: Results, dataset: str, method: str, part: str) -> str:
    """Return the key under which a store keeps a part of an explanation: the same for the same fits and metric."""
    place = (dataset, method)
    cells = sorted(key for key, labels in results.keys.items() if (labels["dataset"], labels["method"]) == place)
    return hash_of({"explanation": FORMAT, "part": part, "cells": cells, "metric": results.record.metrics[0]})


def read_explanation(results: Results, dataset: str, method: str) -> Explanation:
    """Return what the store has of a method on a dataset; parts that make no sense are left out."""
    keys = {part_key(results, dataset, method, part): part for part in PARTS}
    parts: dict[str, Any] = {}
    failed: dict[str, str] = {}
    with Store.open(results.store, write=False) as kept:
        statuses = kept.finished(keys)
        for key, status in statuses.items():
            if status == "done" and (read := read_part(keys[key], kept.arrays(key))) is not None:
                parts[keys[key]] = read
        if "failed" in statuses.values():
            failed = {keys[outcome.key]: outcome.error for outcome in kept.read(keys) if outcome.status == "failed"}
    return Explanation(method, **parts, failed=failed)


def read_part(part: str, arrays: Arrays) -> Any:
    """Return a part from the arrays that were kept of it, or None if they are not such as are put."""
    if sum(array.size for array in arrays.values()) > _MOST_NUMBERS:
        return None
    try:
        return _READERS[part](arrays)
    except (AssertionError, IndexError, KeyError, TypeError, ValueError):
        return None


def _check(sound: bool) -> None:
    if not sound:
        raise ValueError("the arrays of an explanation are of another kind")


def _texts(array: NDArray[Any], ndim: int = 1) -> NDArray[np.str_]:
    _check(array.dtype.kind == "U" and array.ndim == ndim)
    return array


def _numbers(array: NDArray[Any], ndim: int = 1) -> Floats:
    _check(array.dtype.kind in "iuf" and array.ndim == ndim and array.size > 0)
    numbers = array.astype(np.float64)
    _check(bool(np.isfinite(numbers).all()))
    return numbers


def _whole(array: NDArray[Any]) -> NDArray[np.int64]:
    _check(array.dtype.kind in "iu" and array.ndim == 1 and array.size > 0 and bool((array >= 0).all()))
    return array.astype(np.int64)


def _read_rows(arrays: Arrays) -> RowValues:
    places = _whole(arrays["cases"]), _whole(arrays["numbers"])
    rows = RowValues(*places, _texts(arrays["columns"]), _texts(arrays["values"], 2))
    _check(rows.values.shape == (len(rows.cases), len(rows.columns)))
    _check(all(len(set(some.tolist())) == len(rows.cases) for some in places))
    return rows


def _read_importance(arrays: Arrays) -> Importance:
    columns, losses, spreads = _texts(arrays["columns"]), _numbers(arrays["losses"]), _numbers(arrays["spreads"])
    _check(len(columns) == len(losses) == len(spreads) and bool((spreads >= 0).all()))
    return Importance(columns, losses, spreads, int(_whole(arrays["n_rows"])[0]))


def _read_dependence(arrays: Arrays) -> tuple[ColumnEffect, ...]:
    columns, outputs = _texts(arrays["columns"]), tuple(_texts(arrays["outputs"]).tolist())
    _check(1 <= len(columns) <= MOST_DEPENDENCES and len(outputs) >= 1)
    effects = []
    for number, column in enumerate(columns.tolist()):
        values, means = arrays[f"values_{number}"], _numbers(arrays[f"means_{number}"], 2)
        values = _texts(values) if values.dtype.kind == "U" else _numbers(values)
        _check(means.shape == (len(outputs), len(values)))
        effects.append(ColumnEffect(column, values, means, outputs))
    return tuple(effects)


def _read_learning(arrays: Arrays) -> Learning:
    learning = Learning(_whole(arrays["sizes"]), _numbers(arrays["scores"], 2))
    _check(learning.scores.shape[0] == len(learning.sizes) >= 2 and bool((np.diff(learning.sizes) > 0).all()))
    return learning


_READERS: dict[str, Callable[[Arrays], Any]] = {
    "rows": _read_rows,
    "importance": _read_importance,
    "dependence": _read_dependence,
    "learning": _read_learning,
}
