"""Results made up so that they are the paper's own figures."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from covey.reproduce.paper import Found
from covey.reproduce.rsc.tables import (
    FULL_SPACE_METHODS,
    GENE_METHODS,
    SUBSPACE_METHODS,
    TERMS,
    VOTING,
    published_means,
    published_terms,
)
from reproduce.made_up import Made

CASES = 10_000


def made_of(many, few=None, members=51, repeats=1):
    """Return accuracies in per cent of all members, and of the first 25 where members vote; the last are the most."""

    def fits(dataset, method):
        votes = np.ones((CASES, members), dtype=np.uint8)
        for columns, values in ((slice(25), few), (slice(25, None), many)):
            votes[: round(values[dataset, method] * CASES / 100), columns] = 0
        fit = {"votes": votes, "weights": np.ones(members), "y": np.zeros(CASES, int), "classes": np.array([0, 1])}
        return [fit] * repeats

    figures = {key: {"accuracy": [value / 100] * repeats} for key, value in many.items()}
    return Made(figures, fits, params={"n_estimators": members})


def _cells(table):
    return {
        (data, method): value for method, column in published_means(table).items() for data, value in column.items()
    }


@lru_cache
def printed_accuracies(datasets: tuple[str, ...] | None = None, repeats: int = 1) -> Found:
    """Return tables 2 to 5 as if they had been found here, wdbc by itself."""
    parts = {}
    for methods, (few, many) in ((FULL_SPACE_METHODS, (2, 3)), (SUBSPACE_METHODS, (4, 5))):
        small, large = _cells(few), _cells(many)
        for key in sorted(small, key=lambda key: list(published_means(2).index).index(key[0])):
            if datasets is not None and key[0] not in datasets:
                continue
            id = "unscaled" if key[0] == "wdbc" else "full-space" if methods == FULL_SPACE_METHODS else "subspace"
            first, second = parts.setdefault(id, ({}, {}))
            if key[1] in VOTING:
                first[key], second[key] = small[key], large[key]
            else:
                second[key[0], f"{key[1]} 25"], second[key[0], f"{key[1]} 100"] = small[key], large[key]
    return Found({id: made_of(second, first, repeats=repeats) for id, (first, second) in parts.items()}, quick=False)


def printed_genes(*, without=(), repeats=1) -> Found:
    """Return tables 7 to 9 as if they had been found here, best with 20 attributes."""
    results = {}
    for table, id in ((7, "gene-chi-squared"), (8, "gene-information-gain"), (9, "gene-relief")):
        means = published_means(table).drop(index=list(without))
        values = {
            (f"{data} {k}", method): means.loc[data, method] - lost
            for data in means.index
            for k, lost in ((5, 3.0), (20, 0.0), (50, 1.0))
            for method in GENE_METHODS
        }
        results[id] = made_of(values, repeats=repeats)
    return Found(results, quick=False)


def printed_losses() -> dict[tuple[str, str], SimpleNamespace]:
    """Return the decompositions of table 11 by dataset and method."""
    return {
        label: SimpleNamespace(**{ours: float(row[name]) for name, ours in TERMS.items()})
        for label, row in published_terms().iterrows()
    }
