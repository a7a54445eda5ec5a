"""From what experiments found to the figures that the paper prints: error rates in per cent, and what fits chose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from covey._rounding import write_number
from covey._text import counted
from covey.reproduce.published import misprints, published_table

if TYPE_CHECKING:
    import pandas as pd

    from covey.reproduce.beside import Beside
    from covey.reproduce.paper import Found
    from covey.study import Results

METHODS = ("nn", "knn", "fss", "bss", "mfs1", "mfs2", "c5.0", "c5.0-boosted")
# What was carried out in the place of methods that are not free.
STAND_INS = {"c5.0": "c4.5", "c5.0-boosted": "boost"}
# The experiments that table 2 is made of; no dataset is in two of them for the same method.
TABLE_2 = ("neighbours", "selection", "trees", "satimage", "vowel", "waveform")
# Methods that choose something on fitting, and what it is called.
CHOICES = {
    "knn": "n_neighbors",
    "fss": "n_selected_features",
    "bss": "n_selected_features",
    "mfs1": "subset_size",
    "mfs2": "subset_size",
}
POINT = "percentage point"


def ours_of(method: str) -> str:
    """Return what was carried out for a method of the paper."""
    return STAND_INS.get(method, method)


@lru_cache(maxsize=16)
def complete(results: Results) -> frozenset[tuple[str, str]]:
    """Return the datasets and methods of which every fit is done."""
    frame = results.frame()
    every = set(zip(frame["dataset"], frame["method"], strict=True))
    lacking = frame[frame["status"] != "done"]
    return frozenset(every - set(zip(lacking["dataset"], lacking["method"], strict=True)))


@lru_cache(maxsize=1024)
def error_of(results: Results, dataset: str, method: str) -> float:
    """Return the share of wrong predictions over all cases in per cent; NaN where a fit is lacking."""
    if (dataset, method) not in complete(results):
        return float("nan")
    fits = [(int(np.sum(fit["predictions"] != fit["y"])), len(fit["y"])) for fit in results.fits(dataset, method)]
    wrong, total = np.sum(fits, axis=0)
    return 100 * float(wrong) / float(total)


@lru_cache(maxsize=1024)
def choice_of(results: Results, dataset: str, method: str) -> float:
    """Return the mean over fits of what a method chose on a dataset; NaN where a fit is lacking."""
    if (dataset, method) not in complete(results):
        return float("nan")
    found = results.chosen(dataset, method).get(CHOICES[method])
    return float("nan") if found is None else float(np.mean(found))


def errors(found: Found, methods: Sequence[str] = METHODS) -> pd.DataFrame:
    """Return our table 2: a row for each dataset that was carried out, in the paper's order, a column per method."""
    import pandas as pd

    rows: dict[str, dict[str, float]] = {}
    for results in (found[id] for id in TABLE_2 if id in found):
        there = {one.name for one in results.record.methods}
        for dataset in (one.name for one in results.record.datasets):
            for method in methods:
                if ours_of(method) in there:
                    rows.setdefault(dataset, {})[method] = error_of(results, dataset, ours_of(method))
    frame = pd.DataFrame.from_dict(rows, orient="index", dtype=float).reindex(columns=list(methods))
    return frame.reindex(in_order(frame.index)).rename_axis("dataset")


def choices(found: Found) -> pd.DataFrame:
    """Return our table 7, as `errors` does."""
    import pandas as pd

    rows: dict[str, dict[str, float]] = {}
    for results in (found[id] for id in TABLE_2 if id in found):
        there = {one.name for one in results.record.methods} & set(CHOICES)
        for dataset in (one.name for one in results.record.datasets):
            for method in there:
                rows.setdefault(dataset, {})[method] = choice_of(results, dataset, method)
    frame = pd.DataFrame.from_dict(rows, orient="index", dtype=float).reindex(columns=list(CHOICES))
    return frame.reindex(in_order(frame.index)).rename_axis("dataset")


def at(frame: pd.DataFrame, dataset: str, column: str) -> float:
    """Return a figure; NaN if the table does not have it."""
    return float(frame[column].get(dataset, float("nan"))) if column in frame else float("nan")


def in_order(datasets: Iterable[str]) -> list[str]:
    """Return datasets in the order of table 1; others, of which there are none in the paper, last."""
    printed = list(published_table("mfs", 1)["dataset"])
    return sorted(datasets, key=lambda name: printed.index(name) if name in printed else len(printed))


def published_wide(table: int) -> pd.DataFrame:
    """Return table 2 or 7 of the paper, by dataset and method, without its last line of averages."""
    frame = published_table("mfs", table)
    frame = frame[frame["dataset"] != "all"]
    wide = frame.pivot(index="dataset", columns="method", values="mean").astype(float)
    return wide.reindex(index=list(dict.fromkeys(frame["dataset"])), columns=list(dict.fromkeys(frame["method"])))


def closeness(table: int, beside: Beside, limit: float) -> str:
    """Say in short how close a table is to the published one."""
    if not beside.compared:
        return f"Table {table}: nothing to compare."
    within = f"{beside.within(limit)} of {counted(beside.compared, 'figure')} within {points(limit)} of the published"
    return f"Table {table}: {within}; median deviation {one(beside.median)}, mean {signed(beside.mean)}."


def points(number: float) -> str:
    """Write a number of percentage points."""
    return f"{number:g} {POINT}" + ("" if number == 1 else "s")


def one(value: float) -> str:
    """Write a number with one decimal, as the paper does."""
    return write_number(float(value), ".1f")


def signed(value: float) -> str:
    """Write a difference with its sign."""
    return write_number(float(value), "+.1f")


def misprints_on(table: int) -> tuple[str, ...]:
    """Return what is known to be wrong with a table of the paper, a line each."""
    return tuple(
        f"{row.id}, {row.where}: printed {row.printed}; expected {row.expected} ({row.evidence})."
        for row in misprints("mfs").itertuples()
        if re.search(rf"\btable {table}\b", str(row.where))
    )
