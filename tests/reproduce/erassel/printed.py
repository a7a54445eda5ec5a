"""Results made up so that they are the thesis's own figures."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from covey.reproduce.erassel.experiments import COLLINEAR, ORTHOGONAL, TABLES, WITH_SIZES, sizes_id
from covey.reproduce.erassel.figures import NAMES, RULES, SIZES, STATIC
from covey.reproduce.erassel.tables import PUBLISHED, published_measures
from covey.reproduce.paper import Found
from reproduce.made_up import Made

SPLITS = 50
# Symmetric around 0, so that the median is the mean, with a variance of 1.
SHAPE = np.linspace(-1, 1, SPLITS) / np.linspace(-1, 1, SPLITS).std(ddof=1)


def errors_of(values):
    """Return results of errors of splits, shares or mean squared errors."""
    return Made({key: {"error": errors} for key, errors in values.items()})


def table_of(table, changed=None):
    """Return errors that have the published means and variances, means of some methods replaced."""
    printed, errors = published_measures(table), {}
    draws = [f"{table.id} {draw}" for draw in (1, 2)] if table.id.startswith("sim") else [table.id]
    for draw in draws:
        for method in PUBLISHED:
            mean = (changed or {}).get(method, printed.loc[method, "mean"])
            errors[draw, method] = (mean + SHAPE * printed.loc[method, "variance"] ** 0.5) / table.factor
    return errors_of(errors)


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
                kept[f"draw {draw}", f"{rule} {size}"] = [{"feature_weights": weights, "feature_weights_path": path}]
    return Made(fits=kept)


def sizes_of(best, table, n_cases=60):
    """Return losses whose mean is least at some size."""
    kept = {}
    for size in range(1, table.n_columns + 1):
        loss = 1.0 + 0.1 * abs(size - best) + 0.001 * np.arange(n_cases)
        if table.has_classes:
            wrong = np.arange(n_cases) < 5 + abs(size - best)
            fit = {"y": np.zeros(n_cases, int), "predictions": wrong.astype(int), "classes": np.array([0, 1])}
        else:
            fit = {"y": np.zeros(n_cases), "predictions": np.sqrt(loss)}
        kept[table.id, str(size)] = [fit]
    return Made(fits=kept)


@lru_cache
def printed() -> Found:
    """Return all tables and figures as if they had been found here."""
    results = {id: table_of(table) for id, table in TABLES.items()}
    results |= {ORTHOGONAL: weighing(("x4", "x5", "x1")), COLLINEAR: weighing(("x7", "x4", "x5"))}
    results |= {sizes_id(table.id): sizes_of(min(table.subspace_size, 5), table) for table in WITH_SIZES}
    return Found(results, quick=False)


def with_results(**changed) -> Found:
    """Return the same with other results of some experiments, by their ids with _ for -."""
    return Found({**printed(), **{id.replace("_", "-"): made for id, made in changed.items()}}, quick=False)
