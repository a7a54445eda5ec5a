"""Training one member: rows by their weights, columns by choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.utils.validation import has_fit_parameter

from covey._sklearn import take_params
from covey.ensemble.feed import Feed
from covey.ensemble.member import Member

# Whole weights are honoured by repeating rows as long as that makes no more than so many rows per row of the data.
MOST_REPEATS = 10


@dataclass(frozen=True, eq=False)
class Cases:
    """The training data of an ensemble.

    Parameters
    ----------
    feed : Feed
        The attributes.
    y : ndarray
        Class codes, or numbers.
    weight : ndarray
        Case weights.
    n_classes : int
        0 for a regression.
    params : mapping
        Metadata routed to the base estimator's ``fit``.
    """

    feed: Feed
    y: NDArray[Any]
    weight: NDArray[np.float64]
    n_classes: int = 0
    params: Mapping[str, Any] = field(default_factory=dict)


def fit_member(
    estimator: Any,
    cases: Cases,
    weight: NDArray[np.float64],
    columns: NDArray[np.intp] | None,
    rng: np.random.Generator,
) -> Member:
    """Train a clone of the estimator on weighted rows.

    Rows without weight are left out. An estimator that takes no ``sample_weight`` gets rows repeated by their weight if
    all are whole, else as many rows as there are with weight, drawn in proportion to it. Where only one class is left,
    a constant classifier stands in, since many estimators refuse to learn from one class.
    """
    model = clone(estimator)
    seed_model(model, rng)
    weighs = has_fit_parameter(model, "sample_weight")
    rows = np.flatnonzero(weight) if weighs else resample(weight, rng)
    y = cases.y[rows]
    constant = cases.n_classes > 0 and bool((y == y[0]).all())
    if constant:
        model, weighs = DummyClassifier(strategy="prior"), False
    cases.feed.prepare(model, columns)
    every = len(rows) == len(weight) and bool((rows == np.arange(len(rows))).all())
    chosen = None if every else rows
    params = take_params(cases.y, dict(cases.params), indices=rows) if len(cases.params) and not constant else {}
    if weighs and not (weight[rows] == 1.0).all():
        params["sample_weight"] = weight[rows]
    model.fit(cases.feed.give(model, columns, chosen), y, **params)
    return Member(model, columns, left_out=_left_out(rows, len(weight)))


def _left_out(rows: NDArray[np.intp], n_samples: int) -> NDArray[np.uint8] | None:
    out = np.ones(n_samples, dtype=bool)
    out[rows] = False
    return np.packbits(out) if out.any() else None


def resample(weight: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.intp]:
    """Return rows in proportion to their weights: repeated exactly where the weights are whole, else drawn."""
    rows = np.flatnonzero(weight)
    active = weight[rows]
    if (active == np.floor(active)).all() and active.sum() <= MOST_REPEATS * len(weight):
        return np.repeat(rows, active.astype(np.intp))
    return np.sort(rng.choice(rows, size=len(rows), p=active / active.sum()))


def seed_model(model: Any, rng: np.random.Generator) -> None:
    """Give every ``random_state`` parameter of a model, nested ones too, a seed of its own."""
    names = sorted(name for name in model.get_params(deep=True) if name.split("__")[-1] == "random_state")
    if names:
        seeds = rng.integers(0, 2**31 - 1, size=len(names)).tolist()
        model.set_params(**dict(zip(names, seeds, strict=True)))
