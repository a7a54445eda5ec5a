"""Results made up so that they are the paper's own figures."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from covey.reproduce.paper import Found
from covey.reproduce.rsc.reading import FULL_SPACE, GENE, SUBSPACE, VOTING, published_means

CASES = 10_000


class Made:
    """What `covey.study.Results` has, of made-up accuracies in per cent.

    Parameters
    ----------
    many, few : mapping of (dataset, method) to float
        Accuracies of all members, and of the first 25 where members vote.
    members : int
        How many vote; the last are the most.
    repeats : int
    """

    def __init__(self, many, few=None, members=51, repeats=1):
        self.many, self.few, self.members, self.repeats = many, few or {}, members, repeats
        names = [list(dict.fromkeys(key[place] for key in many)) for place in (0, 1)]
        self.record = SimpleNamespace(
            datasets=tuple(SimpleNamespace(name=name, source=f"{name}.arff") for name in names[0]),
            methods=tuple(SimpleNamespace(name=name, params={"n_estimators": members}) for name in names[1]),
            protocol_text="made up",
        )

    def frame(self):
        rows = [
            {
                "dataset": data,
                "method": method,
                "repeat": repeat,
                "fit": repeat,
                "status": "done",
                "accuracy": value / 100,
            }
            for (data, method), value in self.many.items()
            for repeat in range(self.repeats)
        ]
        return pd.DataFrame(rows)

    def fits(self, dataset, method):
        """Yield votes: the first 25 members all say one thing, those after them another."""
        votes = np.ones((CASES, self.members), dtype=np.uint8)
        for columns, values in ((slice(25), self.few), (slice(25, None), self.many)):
            votes[: round(values[dataset, method] * CASES / 100), columns] = 0
        y = np.zeros(CASES, dtype=int)
        for _ in range(self.repeats):
            yield {"votes": votes, "weights": np.ones(self.members), "y": y, "classes": np.array([0, 1])}


def _cells(table):
    means = published_means(table)
    return {(data, method): means.loc[data, method] for data in means.index for method in means}


@lru_cache
def printed_accuracies(datasets: tuple[str, ...] | None = None) -> Found:
    """Return tables 2 to 5 as if they had been found here, wdbc by itself."""
    parts = {}
    for methods, (few, many) in ((FULL_SPACE, (2, 3)), (SUBSPACE, (4, 5))):
        small, large = _cells(few), _cells(many)
        for key in small:
            if datasets is not None and key[0] not in datasets:
                continue
            id = "unscaled" if key[0] == "wdbc" else "full-space" if methods == FULL_SPACE else "subspace"
            first, second = parts.setdefault(id, ({}, {}))
            if key[1] in VOTING:
                first[key], second[key] = small[key], large[key]
            else:
                second[key[0], f"{key[1]} 25"], second[key[0], f"{key[1]} 100"] = small[key], large[key]
    return Found({id: Made(second, first) for id, (first, second) in parts.items()}, quick=False)


def printed_genes(*, without=()) -> Found:
    """Return tables 7 to 9 as if they had been found here, best with 20 attributes."""
    results = {}
    for table, id in ((7, "gene-chi-squared"), (8, "gene-information-gain"), (9, "gene-relief")):
        means = published_means(table)
        results[id] = Made(
            {
                (f"{data} {k}", method): means.loc[data, method] - lost
                for data in means.index
                if data not in without
                for k, lost in ((5, 3.0), (20, 0.0), (50, 1.0))
                for method in GENE
            }
        )
    return Found(results, quick=False)


def printed_losses() -> dict[tuple[str, str], SimpleNamespace]:
    """Return the decompositions of table 11 by dataset and method."""
    from covey.reproduce.rsc.loss_views import TERMS, published_terms

    frame = published_terms()
    return {
        label: SimpleNamespace(**{ours: float(row[name]) for name, ours in TERMS.items()})
        for label, row in frame.iterrows()
    }
