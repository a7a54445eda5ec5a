"""Parts that claims of this thesis share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from covey._text import counted
from covey.reproduce.erassel.reading import BY_ID, Floats, draws_of, published_measures, samples
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.verdicts import untested, verdict

# Means of methods, by the id of their table.
Means = Mapping[str, Mapping[str, float]]

DRAWS = 200


def on_means(found: Found, ids: Sequence[str], methods: Sequence[str], holds: Callable[[Means], bool]) -> Verdict:
    """Judge a claim about the order of mean errors, and say how often a run of this size would show it.

    Parameters
    ----------
    found : Found
    ids : sequence of str
        Of the tables that it is about; those that were not carried out are left out.
    methods : sequence of str
    holds : callable
        From the means of methods by table to whether the claim is so.
    """
    parts = {id: samples(found, BY_ID[id], methods) for id in ids}
    there = {id: part for id, part in parts.items() if len(part)}
    if not there:
        return untested(f"{' and '.join(ids)} was not carried out with {', '.join(methods)}")
    means = {id: dict(zip(methods, part.mean(axis=0).tolist(), strict=True)) for id, part in there.items()}
    told = "; ".join(told_means(found, id, ours) for id, ours in means.items())
    absent = [id for id in ids if id not in there]
    lacking = f"; without {', '.join(absent)}" if absent else ""
    said = verdict(holds(means), f"mean errors: {told}{lacking}")
    power = power_of(there, methods, holds)
    if np.isnan(power):
        return said
    often = f"{100 * power:.0f} %"
    return Verdict(said.status, f"{said.found} Of runs of this size, drawn from the published means, {often} show it.")


def told_means(found: Found, id: str, means: Mapping[str, float]) -> str:
    """Return the means of methods on a table's data in words."""
    table = BY_ID[id]
    draws = len(draws_of(found, table))
    of = f" ({counted(draws, 'draw')})" if draws > 1 else ""
    return f"{id}{of} " + ", ".join(f"{method} {table.write(mean)}" for method, mean in means.items())


def power_of(parts: Mapping[str, Floats], methods: Sequence[str], holds: Callable[[Means], bool]) -> float:
    """Return how often a claim shows in runs whose means are drawn around the published ones.

    Methods vary together from split to split, or from draw to draw, as they do in our run; NaN of a run of one.

    Parameters
    ----------
    parts : mapping of str to ndarray of shape (n_units, n_methods)
        The errors of a table's splits or draws.
    methods, holds
        As in `on_means`.
    """
    if any(len(part) < 2 for part in parts.values()):
        return float("nan")
    rng = np.random.default_rng(0)
    drawn = {}
    for id, part in parts.items():
        centre = published_measures(BY_ID[id])["mean"].loc[list(methods)].to_numpy()
        spread = np.atleast_2d(np.cov(part, rowvar=False)) / len(part)
        drawn[id] = rng.multivariate_normal(centre, spread, size=DRAWS, method="svd")
    shown = [
        holds({id: dict(zip(methods, rows[number].tolist(), strict=True)) for id, rows in drawn.items()})
        for number in range(DRAWS)
    ]
    return float(np.mean(shown))


def ascending(means: Means, *methods: str) -> bool:
    """Whether the means of methods grow in the given order, in all tables."""
    return all(ours[first] < ours[second] for ours in means.values() for first, second in pairwise(methods))


def is_lowest(means: Means, method: str) -> bool:
    """Whether a method has the lowest mean in all tables."""
    return all(min(ours, key=lambda name: ours[name]) == method for ours in means.values())


def is_highest(means: Means, method: str) -> bool:
    """Whether a method has the highest mean in all tables."""
    return all(max(ours, key=lambda name: ours[name]) == method for ours in means.values())
