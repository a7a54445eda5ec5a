"""Results made up so that they are the thesis's own figures."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from covey.reproduce.erassel.reading import PUBLISHED, TABLES, published_measures
from covey.reproduce.erassel.size_views import FIGURES, id_of
from covey.reproduce.erassel.weights import COLLINEAR, NAMES, ORTHOGONAL, RULES, SIZES, STATIC
from covey.reproduce.paper import Found

SPLITS = 50
# Symmetric around 0, so that the median is the mean, with a variance of 1.
SHAPE = np.linspace(-1, 1, SPLITS) / np.linspace(-1, 1, SPLITS).std(ddof=1)


class Made:
    """What `covey.study.Results` has, of made-up errors of splits or made-up arrays of fits.

    Parameters
    ----------
    errors : mapping of (dataset, method) to ndarray
        The error of each split, a share or a mean squared error.
    arrays : mapping of (dataset, method) to dict of arrays
        What was kept of a fit.
    """

    def __init__(self, errors=None, arrays=None):
        self.errors, self.kept = dict(errors or {}), dict(arrays or {})
        keys = [*self.errors, *self.kept]
        names = [list(dict.fromkeys(key[place] for key in keys)) for place in (0, 1)]
        self.record = SimpleNamespace(
            datasets=tuple(SimpleNamespace(name=name, source=name) for name in names[0]),
            methods=tuple(SimpleNamespace(name=name, params={}) for name in names[1]),
            protocol={"n_repeats": 1},
            protocol_text="made up",
        )

    def frame(self):
        rows = [
            {"dataset": data, "method": method, "fit": fit, "status": "done", "error": error}
            for (data, method), errors in self.errors.items()
            for fit, error in enumerate(errors)
        ]
        rows += [{"dataset": data, "method": method, "fit": 0, "status": "done"} for data, method in self.kept]
        return pd.DataFrame(rows, columns=["dataset", "method", "fit", "status", "error"])

    def fits(self, dataset, method):
        if (dataset, method) in self.kept:
            yield self.kept[dataset, method]


def table_of(table, changed=None):
    """Return errors that have the published means and variances, those of some methods replaced.

    Parameters
    ----------
    table : Table
    changed : mapping of str to float, optional
        Other means of methods, in the units of the table.
    """
    printed, errors = published_measures(table), {}
    draws = [f"{table.id} {draw}" for draw in (1, 2)] if table.id.startswith("sim") else [table.id]
    for draw in draws:
        for method in PUBLISHED:
            mean = (changed or {}).get(method, printed.loc[method, "mean"])
            errors[draw, method] = (mean + SHAPE * printed.loc[method, "variance"] ** 0.5) / table.factor
    return Made(errors)


def weighing(top, n_draws=4, others=0, rules=(*RULES, STATIC)):
    """Return weights that are largest for some columns, on all draws but the last few; paths come to rest."""
    kept = {}
    for draw in range(n_draws):
        for rule in rules:
            for size in SIZES:
                weights = np.linspace(0.08, 0.05, len(NAMES))
                chosen = [NAMES.index(name) for name in (top if draw < n_draws - others else ("x2", "x3", "x4"))]
                weights[chosen] = 0.2, 0.19, 0.18
                weights /= weights.sum()
                path = weights + np.outer(0.5 ** np.arange(40), np.linspace(-0.01, 0.01, len(NAMES)))
                kept[f"draw {draw}", f"{rule} {size}"] = {"feature_weights": weights, "feature_weights_path": path}
    return Made(arrays=kept)


def sizes_of(best, table, n_cases=60):
    """Return losses whose mean is least at some size."""
    columns = FIGURES[table.id].n_columns
    kept = {}
    for size in range(1, columns + 1):
        loss = 1.0 + 0.1 * abs(size - best) + 0.001 * np.arange(n_cases)
        if table.has_classes:
            wrong = np.arange(n_cases) < 5 + abs(size - best)
            fit = {"y": np.zeros(n_cases, int), "predictions": wrong.astype(int), "classes": np.array([0, 1])}
        else:
            fit = {"y": np.zeros(n_cases), "predictions": np.sqrt(loss)}
        kept[table.id, str(size)] = fit
    return Made(arrays=kept)


@lru_cache
def printed() -> Found:
    """Return all tables and figures as if they had been found here."""
    results = {table.id: table_of(table) for table in TABLES}
    results |= {ORTHOGONAL: weighing(("x4", "x5", "x1")), COLLINEAR: weighing(("x7", "x4", "x5"))}
    for table in TABLES:
        if table.id in FIGURES:
            results[id_of(table.id)] = sizes_of(min(table.subspace_size, 5), table)
    return Found(results, quick=False)


def with_results(**changed) -> Found:
    """Return the same with other results of some experiments, by their ids with _ for -."""
    return Found({**printed(), **{id.replace("_", "-"): made for id, made in changed.items()}}, quick=False)
