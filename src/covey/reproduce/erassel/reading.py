"""From what experiments found to the figures that the thesis prints: errors of splits in its units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from covey._rounding import write_number
from covey.reproduce.published import misprints, published_table

if TYPE_CHECKING:
    import pandas as pd

    from covey.reproduce.paper import Found
    from covey.study import Results

Floats = NDArray[np.float64]

PUBLISHED = ("rssl", "adaptive-rssl", "rassel", "erassel")
PLAIN, DEFAULT = "glm", "erassel, by default"
METHODS = (PLAIN, *PUBLISHED, DEFAULT)
MEASURES = ("mean", "median", "variance")
# What is near the published: a share of it.
NEAR = 0.1
NEAR_TEXT = "10 %"
# Of the thesis.
SPLITS = 50


@dataclass(frozen=True)
class Table:
    """One of the tables 5.1 to 5.9.

    Parameters
    ----------
    number : str
        "5.1".
    id : str
        The experiment, and the dataset as the table calls it.
    title : str
        What readers call the data.
    subspace_size : int
        As published.
    unit : str
        Of what its figures are.
    factor : float
        By which errors are multiplied.
    figure : str
        Which has the boxplots.
    said : str
        What the thesis says of them.
    """

    number: str
    id: str
    title: str
    subspace_size: int
    unit: str
    factor: float
    figure: str
    said: str

    @property
    def has_classes(self) -> bool:
        """Whether it is of a classification, whose row of rassel is misprinted."""
        return not self.unit.startswith("mean squared")

    @property
    def decimals(self) -> str:
        """How its figures are written."""
        return ".3f" if self.id in ("boston", "prostate-79") else ".2f"

    def write(self, value: float) -> str:
        """Write one of its figures."""
        return write_number(float(value), self.decimals)


_MSE, _THOUSAND, _PERCENT, _SHARE = (
    ("mean squared error", 1.0),
    ("mean squared error x 1000", 1000.0),
    ("error in per cent", 100.0),
    ("share of errors", 1.0),
)

# fmt: off
TABLES = (
    Table("5.1", "sim-regression", "simulated regression data", 5, *_MSE, "5.7",
          "rassel and erassel are the best two of the four"),
    Table("5.2", "boston", "Boston, crime rate", 7, *_MSE, "5.9",
          "rassel is best, followed by erassel, and all spread little"),
    Table("5.3", "diamonds", "Diamonds, weight", 3, *_THOUSAND, "5.11",
          "rassel is best, and erassel and adaptive-rssl are alike"),
    Table("5.4", "cars93", "Cars93, price", 7, *_THOUSAND, "5.13", "rssl is best, and all are close to each other"),
    Table("5.5", "sim-logistic", "simulated logistic data", 7, *_PERCENT, "5.15",
          "rssl and rassel do better than the other two, which table 5.5 contradicts (ERA-I03)"),
    Table("5.6", "spam", "Spam", 33, *_PERCENT, "5.17", "erassel errs least, and rssl has the highest median"),
    Table("5.7", "pima-532", "Pima", 3, *_PERCENT, "5.19",
          "erassel is distributed much as rassel and adaptive-rssl are"),
    Table("5.8", "ionosphere", "Ionosphere", 11, *_PERCENT, "5.21",
          "erassel has the least mean, and all others do better than plain rssl"),
    Table("5.9", "prostate-79", "Prostate", 23, *_SHARE, "5.22",
          "erassel has the least median and variance, which table 5.9 contradicts (ERA-I06)"),
)
# fmt: on
BY_ID = {table.id: table for table in TABLES}


@lru_cache(maxsize=64)
def _frame(results: Results) -> pd.DataFrame:
    return results.frame()


@lru_cache(maxsize=512)
def errors_of(results: Results, dataset: str, method: str) -> Floats:
    """Return the error of each split, a mean squared error or a share; none where a split is lacking."""
    frame = _frame(results)
    rows = frame[(frame["dataset"] == dataset) & (frame["method"] == method)].sort_values("fit")
    if not len(rows) or (rows["status"] != "done").any():
        return np.empty(0)
    return rows["error"].to_numpy(dtype=np.float64)


def draws_of(found: Found, table: Table) -> list[str]:
    """Return the datasets that stand for a table's: itself, or several draws of simulated data."""
    return [one.name for one in found[table.id].record.datasets] if table.id in found else []


def errors_by_draw(found: Found, table: Table, method: str) -> list[Floats]:
    """Return the errors of splits in the units of a table, for each draw on which all splits are there."""
    runs = (errors_of(found[table.id], name, method) for name in draws_of(found, table))
    return [table.factor * run for run in runs if len(run)]


def samples(found: Found, table: Table, methods: Sequence[str]) -> Floats:
    """Return errors that are drawn apart from each other: a row for each split, or for each draw of simulated data.

    The mean of a column is that of the table. There are no rows where a method is lacking on some draw.
    """
    columns = [errors_by_draw(found, table, method) for method in methods]
    draws = len(draws_of(found, table))
    if not draws or any(len(column) < draws for column in columns):
        return np.empty((0, len(methods)))
    if draws == 1:
        return np.stack([column[0] for column in columns], axis=1)
    return np.array([[run.mean() for run in column] for column in columns]).T


def measures(found: Found, table: Table) -> pd.DataFrame:
    """Return mean, median and variance over splits for each method there is; of several draws the means of these.

    The columns lowest and highest are the means of single draws.
    """
    import pandas as pd

    rows = {}
    for method in METHODS:
        runs = errors_by_draw(found, table, method)
        if not runs:
            continue
        means = [run.mean() for run in runs]
        rows[method] = {
            "mean": np.mean(means),
            "median": np.mean([np.median(run) for run in runs]),
            "variance": np.mean([run.var(ddof=1) if len(run) > 1 else np.nan for run in runs]),
            "lowest": min(means),
            "highest": max(means),
        }
    columns = [*MEASURES, "lowest", "highest"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns, dtype=float).rename_axis("method")


@lru_cache(maxsize=16)
def published_measures(table: Table) -> pd.DataFrame:
    """Return a table as it was printed, with a row for each method."""
    frame = published_table("erassel", table.number).set_index("method")
    return frame.loc[list(PUBLISHED), list(MEASURES)].astype(float)


def is_misprint(table: Table, method: str) -> bool:
    """Whether the published row of a method is that of another."""
    return table.has_classes and method == "rassel"


def deviations(found: Found, table: Table) -> dict[str, float]:
    """Return how far our means are from the published, as shares of these; misprinted rows are left out."""
    ours, printed = measures(found, table)["mean"], published_measures(table)["mean"]
    return {
        method: float(ours[method] / printed[method] - 1)
        for method in PUBLISHED
        if method in ours.index and not is_misprint(table, method)
    }


def chance(found: Found, table: Table, method: str = "rssl") -> float:
    """Return twice the standard error of the difference between our mean and the published one; NaN if unknown.

    Both are of splits of their own. Of simulated data each draw is another dataset, and the thesis has one.
    """
    units, printed = samples(found, table, (method,)), float(published_measures(table)["variance"][method])
    if len(units) < 2:
        return float("nan")
    own = float(units.var(ddof=1))
    several = len(draws_of(found, table)) > 1
    return 2 * float(np.sqrt(own / len(units) + (own if several else printed / SPLITS)))


def misprints_on(number: str) -> tuple[str, ...]:
    """Return what is known to be wrong with a table, or with what the text says of it, a line each."""
    lines = []
    for row in misprints("erassel").itertuples():
        named = re.findall(r"tables? (\d+\.\d+)(?:-(\d+\.\d+))?", str(row.where))
        if any(_place(first) <= _place(number) <= _place(last or first) for first, last in named):
            lines.append(f"{row.id}, {row.where}: printed {row.printed}; expected {row.expected} ({row.evidence}).")
    return tuple(lines)


def _place(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


def percent(share: float) -> str:
    """Write a deviation, a share, in per cent with its sign."""
    return f"{write_number(100 * float(share), '+.1f')} %"
