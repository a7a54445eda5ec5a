"""The weights of columns on draws of simulated data, and how often they single out the columns that matter."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from covey._rounding import write_number
from covey._text import counted
from covey.reproduce.erassel.reading import Floats
from covey.reproduce.paper import Experiment, Found, Quick
from covey.study.splits import FixedSplit

if TYPE_CHECKING:
    from covey.study import Results

ORTHOGONAL, COLLINEAR = "weights", "weights-collinear"
SIZES = (3, 5)
# The rules by which erassel updates its weights, as methods are called, and what readers call them.
RULES = {
    "mean": "mean of errors (covey's default)",
    "running": "running mean, not scaled (appendix A)",
    "printed": "as printed in section 3.2, not scaled",
    "conditional": "conditional credit (covey's remedy)",
}
STATIC = "rassel"
NAMES = tuple(f"x{number}" for number in range(1, 11))
# The columns that the response is made of.
RELEVANT = ("x1", "x4", "x5")
_PLACES = [NAMES.index(name) for name in RELEVANT]
# The rule that verdicts rest on, which is that of the thesis's code, and the default of covey.
RULE, DEFAULT_RULE = "running", "mean"


@lru_cache(maxsize=64)
def weights_of(results: Results, rule: str, size: int) -> dict[str, Floats]:
    """Return the final weights of columns for each draw that is there."""
    name = f"{rule} {size}"
    if name not in {one.name for one in results.record.methods}:
        return {}
    return {
        data.name: fit["feature_weights"] for data in results.record.datasets for fit in results.fits(data.name, name)
    }


@lru_cache(maxsize=64)
def paths_of(results: Results, rule: str, size: int) -> tuple[Floats, ...]:
    """Return the weights of columns after each round, for each draw that is there."""
    name = f"{rule} {size}"
    fits = (fit for data in results.record.datasets for fit in results.fits(data.name, name))
    return tuple(fit["feature_weights_path"] for fit in fits if "feature_weights_path" in fit)


def singled_out(weights: Floats) -> int:
    """Return in how many rows the weights of x1, x4 and x5 are all larger than any other."""
    others = np.delete(weights, _PLACES, axis=1)
    return int((weights[:, _PLACES].min(axis=1) > others.max(axis=1)).sum())


def counts(found: Found, id: str) -> dict[str, dict[int, tuple[int, int]]]:
    """Return in how many of how many draws the three are singled out, by rule and size."""
    tallied: dict[str, dict[int, tuple[int, int]]] = {}
    for rule in (*RULES, STATIC):
        for size in SIZES:
            rows = list(weights_of(found[id], rule, size).values()) if id in found else []
            if rows:
                tallied.setdefault(rule, {})[size] = singled_out(np.array(rows)), len(rows)
    return tallied


@lru_cache(maxsize=4)
def best_threes(id: str) -> tuple[int, int]:
    """Return on how many of how many draws x1, x4 and x5 are the three columns by which least squares errs least.

    No rule that learns from the cases can be expected to find the three much more often.
    """
    from covey.reproduce.experiments import published_study

    study = published_study("erassel", Experiment(id, (), Quick(1)))
    assert isinstance(study.protocol, FixedSplit)
    found = 0
    for data in (one.load() for one in study.datasets):
        X, y = data.frame.to_numpy()[: study.protocol.n_train], data.target.to_numpy()[: study.protocol.n_train]
        X, y = X - X.mean(axis=0), y - y.mean()
        threes = [list(three) for three in combinations(range(len(NAMES)), len(RELEVANT))]
        gains = [y @ X[:, three] @ np.linalg.solve(X[:, three].T @ X[:, three], X[:, three].T @ y) for three in threes]
        found += threes[int(np.argmax(gains))] == _PLACES
    return found, len(study.datasets)


def told_counts(found: Found, id: str) -> str:
    """Say how often each rule singles out the three."""
    parts = []
    for rule, by_size in counts(found, id).items():
        if rule in RULES:
            each = " and ".join(f"{often} (size {size})" for size, (often, _) in by_size.items())
            parts.append(f"{rule} {each}")
    total = max((total for by_size in counts(found, id).values() for _, total in by_size.values()), default=0)
    return f"x1, x4 and x5 have the three largest weights, of {counted(total, 'draw')}: {', '.join(parts)}"


def beside_static(found: Found, rule: str, size: int) -> list[tuple[Floats, Floats]]:
    """Return the weights of erassel and of rassel on orthogonal data, for each draw that has both."""
    if ORTHOGONAL not in found:
        return []
    ours, static = (weights_of(found[ORTHOGONAL], one, size) for one in (rule, STATIC))
    return [(ours[draw], static[draw]) for draw in ours if draw in static]


def correlations(found: Found, rule: str, size: int) -> Floats:
    """Return for each draw Spearman's rank correlation of the weights of erassel and rassel, all ten columns."""
    from scipy.stats import spearmanr

    return np.array([float(spearmanr(*pair).statistic) for pair in beside_static(found, rule, size)])


def same_order(found: Found, rule: str, size: int) -> int:
    """Return on how many draws x1, x4 and x5 are in the same order by both weights."""
    pairs = ([np.argsort(weights[_PLACES]).tolist() for weights in pair] for pair in beside_static(found, rule, size))
    return sum(first == second for first, second in pairs)


def told_correlations(found: Found) -> str:
    """Say how alike the orders of columns are."""
    parts = []
    for rule in (RULE, DEFAULT_RULE):
        for size in SIZES:
            values = correlations(found, rule, size)
            if len(values):
                same = f"{same_order(found, rule, size)} of {len(values)}"
                parts.append(f"{rule}, size {size}: {write_number(values.mean(), '.2f')} ({same})")
    return (
        "Mean rank correlation of the ten weights of erassel and rassel, and draws on which x1, x4 and x5 have the "
        f"same order: {'; '.join(parts)}."
    )
