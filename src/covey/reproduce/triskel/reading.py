"""From what experiments found to the figures that the paper prints: accuracies in per cent, seconds, and marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from covey._rounding import write_number
from covey.analysis.significance.resampled import corrected_t_test
from covey.reproduce.published import misprints, published_table

if TYPE_CHECKING:
    import pandas as pd

    from covey.reproduce.paper import Found
    from covey.study import Results

Floats = NDArray[np.float64]

# What the paper compares, the Triskel second.
PAIRS = (
    ("smo", "triskel-m1"),
    ("adaboost-3", "triskel-1"),
    ("adaboost-10", "triskel-w2"),
    ("adaboost-50", "triskel-w4"),
)
METHODS = tuple(method for pair in PAIRS for method in pair)
TRISKELS = tuple(second for _, second in PAIRS)
BOOSTINGS = ("adaboost-3", "adaboost-10", "adaboost-50")
FOLDS, COVERING, OVERSAMPLING, CAKE = "folds", "covering", "oversampling", "layered-cake"
ACCURACY, SECONDS = "accuracy", "fit seconds"
# By table of the paper.
MEASURES = {1: ACCURACY, 2: SECONDS}
# Training and test cases of ten folds, of which only the ratio counts.
N_TRAIN, N_TEST = 9, 1
LEVEL = 0.05


@lru_cache(maxsize=16)
def _frame(results: Results) -> pd.DataFrame:
    return results.frame()


@lru_cache(maxsize=2048)
def runs(results: Results, dataset: str, method: str, what: str) -> Floats:
    """Return the accuracy in per cent, or the seconds of training, of each fold; none where a fold is lacking."""
    frame = _frame(results)
    rows = frame[(frame["dataset"] == dataset) & (frame["method"] == method)].sort_values("fit")
    if not len(rows) or (rows["status"] != "done").any():
        return np.empty(0)
    return (100.0 if what == ACCURACY else 1.0) * rows[what].to_numpy(dtype=np.float64)


def datasets_of(found: Found, id: str = FOLDS) -> list[str]:
    """Return the datasets of an experiment, in the paper's order; none if it was not carried out."""
    if id not in found:
        return []
    there = {one.name for one in found[id].record.datasets}
    return [name for name in dict.fromkeys(published_table("triskel", 1)["dataset"]) if name in there]


def means(found: Found, what: str, methods: Sequence[str] = METHODS, id: str = FOLDS) -> pd.DataFrame:
    """Return a table of means over folds: a row for each dataset, a column for each method; NaN where one is lacking.

    Parameters
    ----------
    found : Found
    what : {"accuracy", "fit seconds"}
    methods : sequence of str
    id : str
        The experiment.
    """
    import pandas as pd

    datasets = datasets_of(found, id)
    rows = [[_mean(runs(found[id], name, method, what)) for method in methods] for name in datasets]
    index = pd.Index(datasets, name="dataset", dtype=object)
    return pd.DataFrame(rows, index=index, columns=list(methods), dtype=float)


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")


def mark_of(first: Floats, second: Floats) -> str:
    """Return whether the second is a significant "increase" or "decrease" by the corrected resampled t-test, or "".

    Parameters
    ----------
    first, second : ndarray of shape (n_folds,)
        Figures of two methods on the same folds.
    """
    tested = corrected_t_test(
        second, first, n_train=N_TRAIN, n_test=N_TEST, larger_is_better=True, alpha=LEVEL
    ).better  # larger is not better for seconds, but says which mark
    return {"first": "increase", "second": "decrease", None: ""}[tested]


def marks(found: Found, what: str, pair: tuple[str, str], ids: tuple[str, str] = (FOLDS, FOLDS)) -> dict[str, str]:
    """Return the mark of the second method against the first on each dataset on which both are whole.

    Parameters
    ----------
    found : Found
    what : {"accuracy", "fit seconds"}
    pair : tuple of (str, str)
    ids : tuple of (str, str)
        The experiments that they are in, of the same folds.
    """
    marked = {}
    for name in (one for one in datasets_of(found, ids[0]) if one in datasets_of(found, ids[1])):
        first, second = (runs(found[id], name, method, what) for id, method in zip(ids, pair, strict=True))
        if len(first) > 1 and len(first) == len(second):
            marked[name] = mark_of(first, second)
    return marked


@lru_cache(maxsize=2)
def published_wide(table: int) -> pd.DataFrame:
    """Return table 1 or 2 of the paper, by dataset and method."""
    frame = published_table("triskel", table)
    wide = frame.pivot(index="dataset", columns="method", values="mean").astype(float)
    return wide.reindex(index=list(dict.fromkeys(frame["dataset"])), columns=list(METHODS))


@lru_cache(maxsize=8)
def published_marks(table: int, triskel: str) -> dict[str, str]:
    """Return the marks that the paper prints beside a Triskel, by dataset."""
    frame = published_table("triskel", table)
    rows = frame[frame["method"] == triskel]
    return dict(zip(rows["dataset"], rows["mark"].fillna("").astype(str), strict=True))


def misprints_on(*places: str) -> tuple[str, ...]:
    """Return what is known to be wrong with some places of the paper, such as "table 1", a line each."""
    pattern = "|".join(rf"\b{re.escape(place)}\b" for place in places)
    return tuple(
        f"{row.id}, {row.where}: printed {row.printed}; expected {row.expected} ({row.evidence})."
        for row in misprints("triskel").itertuples()
        if re.search(pattern, str(row.where))
    )


def two(value: float) -> str:
    """Write a number with two decimals, as the paper does."""
    return write_number(float(value), ".2f")


def signed(value: float) -> str:
    """Write a difference with its sign."""
    return write_number(float(value), "+.2f")


def shown(value: float) -> str:
    """Write a share, an accuracy of 0 to 1, with three decimals."""
    return write_number(float(value), ".3f")
