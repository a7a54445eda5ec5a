"""From what experiments found to the figures that the paper prints: accuracies in per cent by number of members."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import counted
from covey.analysis.staged import StagedErrors, staged_errors

if TYPE_CHECKING:
    import pandas as pd

    from covey.reproduce.beside import Beside
    from covey.reproduce.paper import Found
    from covey.study import Results

Floats = NDArray[np.float64]

FEW, MANY = 25, 100
FULL_SPACE = ("alpha-rse", "alphabeta-rse", "adaboost", "bagging", "multiboost")
SUBSPACE = ("alpha-rsse", "rotation-forest", "random-subspace", "random-forest", "random-committee")
GENE = ("alpha-rsse", "rotation-forest", "random-subspace", "random-forest", "adaboost", "bagging", "multiboost")
# Their members vote, so that the first of many are an ensemble of few.
VOTING = ("alpha-rse", "alphabeta-rse", "alpha-rsse", "adaboost")
# The level of the paper's tests of ranks.
LEVEL = 0.1


@dataclass(frozen=True, eq=False)
class Accuracies:
    """Accuracies in per cent, with a row for each dataset and a column for each method.

    Parameters
    ----------
    mean : DataFrame
        Means over the repeats; NaN where some repeat is lacking.
    spread : DataFrame
        Standard deviations over the repeats; NaN where there is one repeat.
    repeats : int
        How many there are.
    """

    mean: pd.DataFrame
    spread: pd.DataFrame
    repeats: int

    @classmethod
    def of(cls, runs: dict[tuple[str, str], Floats], datasets: Sequence[str], methods: Sequence[str]) -> Accuracies:
        """Return the accuracies of runs, shares by dataset and method."""
        import pandas as pd

        def table(measure: Any) -> pd.DataFrame:
            rows = [[measure(runs.get((data, name), _NONE)) for name in methods] for data in datasets]
            return pd.DataFrame(rows, index=pd.Index(datasets, name="dataset"), columns=list(methods), dtype=float)

        means = table(lambda run: 100 * run.mean() if len(run) else np.nan)
        return cls(means, table(_deviation), max((len(run) for run in runs.values()), default=0))

    @property
    def whole(self) -> pd.DataFrame:
        """The means on the datasets that every method has, as exact as the paper prints them."""
        return self.mean.dropna().round(2)


_NONE = np.empty(0)


def _deviation(run: Floats) -> float:
    return 100 * float(run.std(ddof=1)) if len(run) > 1 else np.nan


@lru_cache(maxsize=16)
def _frame(results: Results) -> pd.DataFrame:
    return results.frame()


@lru_cache(maxsize=64)
def runs_of(results: Results, method: str, *, size: int | None = None) -> dict[str, Floats]:
    """Return the accuracy of each repeat of a method, by dataset; those on which a fit is lacking are left out.

    Parameters
    ----------
    results : Results
    method : str
    size : int, optional
        The first so many members only, of an ensemble whose members vote.
    """
    frame = _frame(results)
    found = {}
    for dataset, rows in frame[frame["method"] == method].groupby("dataset", sort=False):
        if (rows["status"] != "done").any():
            continue
        if size is None:
            found[str(dataset)] = rows["accuracy"].to_numpy(dtype=np.float64)
        else:
            votes = votes_of(results, str(dataset), method)
            found[str(dataset)] = np.array([1 - one.errors[min(size, one.n_members) - 1] for one in votes])
    return found


@lru_cache(maxsize=512)
def votes_of(results: Results, dataset: str, method: str) -> tuple[StagedErrors, ...]:
    """Return for each fit of a method on a dataset how its members and their votes err."""
    return tuple(
        staged_errors(fit["votes"], fit["y"], fit["weights"], classes=fit["classes"])
        for fit in results.fits(dataset, method)
    )


def accuracies(found: Found, size: int, methods: Sequence[str], ids: Iterable[str]) -> Accuracies:
    """Return the accuracies of ensembles of a size by tables 2 to 5, in the order of the paper.

    Parameters
    ----------
    found : Found
    size : int
        25 or 100.
    methods : sequence of str
        As the paper's tables call them.
    ids : iterable of str
        The experiments that they are in.
    """
    runs: dict[tuple[str, str], Floats] = {}
    for results in (found[id] for id in ids if id in found):
        there = {one.name for one in results.record.methods}
        for method in methods:
            name = method if method in VOTING else f"{method} {size}"
            if name in there:
                runs |= {
                    (data, method): run
                    for data, run in runs_of(results, name, size=size if method in VOTING else None).items()
                }
    return Accuracies.of(runs, in_order({data for data, _ in runs}, 2), methods)


def in_order(datasets: Iterable[str], table: int) -> list[str]:
    """Return datasets in the order of a table of the paper."""
    from covey.reproduce.published import published_table

    printed = list(dict.fromkeys(published_table("rsc", table)["dataset"]))
    return sorted(datasets, key=printed.index)


def published_means(table: int | str, *, spread: bool = False) -> pd.DataFrame:
    """Return the accuracies of a table of the paper, or their standard deviations, by dataset and method."""
    from covey.reproduce.published import published_table

    frame = published_table("rsc", table)
    frame = frame[frame["metric"] == "accuracy-pct"]
    wide = frame.pivot(index="dataset", columns="method", values="std" if spread else "mean").astype(float)
    return wide.reindex(index=list(dict.fromkeys(frame["dataset"])), columns=list(dict.fromkeys(frame["method"])))


def closeness(table: int | str, beside: Beside) -> str:
    """Say in short how close a table is to the published one."""
    if not beside.compared:
        return f"Table {table}: nothing to compare."
    within = f"{beside.within(1)} of {counted(beside.compared, 'figure')} within one {beside.unit} of the published"
    return f"Table {table}: {within}, {beside.within(2)} within two."


def misprints_on(table: int | str) -> tuple[str, ...]:
    """Return what is known to be wrong with a table of the paper, a line each."""
    import re

    from covey.reproduce.published import misprints

    lines = []
    for row in misprints("rsc").itertuples():
        named = re.findall(r"tables? (\d+)(?:-(\d+))?", str(row.where))
        if any(int(first) <= int(table) <= int(last or first) for first, last in named):
            lines.append(f"{row.id}, {row.where}: printed {row.printed}; expected {row.expected} ({row.evidence}).")
    return tuple(lines)
