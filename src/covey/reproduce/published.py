"""Tables that the papers printed, as data: one CSV file each, with a list of their misprints."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import pandas as pd

from covey._text import did_you_mean, quoted

PUBLISHED = Path(str(files("covey.reproduce") / "published"))


def published_table(paper: str, number: str | int) -> pd.DataFrame:
    """Return a table as it was printed.

    Parameters
    ----------
    paper : str
        The paper's short name: "multistrategy".
    number : str or int
        The table's number in the paper: 1, "5.1".

    Returns
    -------
    DataFrame
        In the form of the file; numbers are numbers, and p-values such as "<0.0001" are text.
    """
    index = _index()
    papers = index["paper"].unique().tolist()
    if paper not in papers:
        raise ValueError(f"paper={paper!r} has no tables here{did_you_mean(paper, papers)} Known are {quoted(papers)}.")
    tables = index[index["paper"] == paper].set_index("table")["file"]
    if str(number) not in tables.index:
        raise ValueError(f"number={number!r} is no table of {paper!r}; it has {quoted(tables.index)}.")
    return pd.read_csv(PUBLISHED / tables[str(number)], keep_default_na=False, na_values=[""])


@lru_cache(maxsize=64)
def published_wide(
    paper: str, number: str | int, *, columns: str = "method", values: str = "mean", metric: str = ""
) -> pd.DataFrame:
    """Return figures of a table with a row for each dataset, both in the printed order; lines of averages are left out.

    `columns` names what columns are of, and `metric` which rows of the table to take.
    """
    frame = published_table(paper, number)
    frame = frame[(frame["dataset"] != "all") & (frame["metric"] == metric if metric else True)]
    wide = frame.pivot(index="dataset", columns=columns, values=values).astype(float)
    return wide.reindex(index=list(dict.fromkeys(frame["dataset"])), columns=list(dict.fromkeys(frame[columns])))


def in_order(datasets: Iterable[str], paper: str, number: str | int) -> list[str]:
    """Return datasets in the order of a table; others, of which papers have none, last."""
    printed = list(dict.fromkeys(published_table(paper, number)["dataset"]))
    return sorted(datasets, key=lambda name: printed.index(name) if name in printed else len(printed))


def misprints(paper: str) -> pd.DataFrame:
    """Return what is known to be misprinted in a paper: id, where, printed, expected, evidence."""
    every = pd.read_csv(PUBLISHED / "INCONSISTENCIES.csv", dtype=str, keep_default_na=False)
    return every[every["paper"] == paper].drop(columns="paper").reset_index(drop=True)


def misprints_on(paper: str, place: str) -> tuple[str, ...]:
    """Return what is known to be wrong with a place of a paper, such as "table 5.1" or "section 5", a line each."""
    kind, number = place.split()
    pattern = rf"\b{kind}s? (\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?"
    lines = []
    for row in misprints(paper).itertuples():
        ranges = re.findall(pattern, str(row.where))
        if any(_parts(first) <= _parts(number) <= _parts(last or first) for first, last in ranges):
            lines.append(f"{row.id}, {row.where}: printed {row.printed}; expected {row.expected} ({row.evidence}).")
    return tuple(lines)


def _parts(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


@lru_cache(maxsize=1)
def known_datasets() -> pd.DataFrame:
    """Return which dataset stands for each of the papers, with its name on OpenML: id, dataset, openml, ...."""
    return pd.read_csv(PUBLISHED / "DATASETS.csv", dtype=str, keep_default_na=False)


@lru_cache(maxsize=1)
def _index() -> pd.DataFrame:
    return pd.read_csv(PUBLISHED / "INDEX.csv", dtype=str, keep_default_na=False)
