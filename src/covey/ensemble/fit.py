"""Training one member: rows by their weights, columns by its view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.utils.metadata_routing import MetadataRouter, get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from covey._sklearn import take_params
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.parallel import HoldsArrays
from covey.seeds import seed_model
from covey.strategies.view import View
from covey.table import TableReader

# Whole weights are honoured by repeating rows as long as that makes at most this many times the rows of the data.
MOST_REPEATS = 10


@dataclass(frozen=True, eq=False)
class TrainingData(HoldsArrays):
    """The training data of an ensemble."""

    inputs: Inputs
    y: NDArray[Any]  # class codes, or numbers
    weight: NDArray[np.float64]
    n_classes: int = 0  # 0 for a regression
    weighs: bool = True  # whether the base estimator takes row weights
    params: Mapping[str, Any] = field(default_factory=dict)  # metadata routed to the base estimator's ``fit``


def fit_member(
    estimator: Any,
    data: TrainingData,
    weight: NDArray[np.float64],
    view: View | None,
    rng: np.random.Generator,
) -> Member:
    """Train a clone of the estimator on weighted rows.

    Rows without weight are left out, unless the estimator does that itself. An estimator that takes no
    ``sample_weight`` gets rows repeated by their weight if all are whole, else as many rows as there are with weight,
    drawn in proportion to it. Where only one class is left, a constant classifier stands in, since many estimators
    refuse to learn from one class; where some are missing, the others are numbered without a gap, since some insist on
    that. covey's own cope with both.
    """
    model = clone(estimator)
    if isinstance(model, TableReader) and isinstance(getattr(model, "class_weight", None), dict):
        raise ValueError(
            f"class_weight={model.class_weight!r:.60} of the base estimator is by labels, which members do not see; "
            "give it to the ensemble."
        )
    seed_model(model, rng)
    rows = _rows_for(model, data.weighs, weight, rng)
    y = data.y if rows is None else data.y[rows]
    params = take_params(data.y, dict(data.params), indices=rows) if data.params else {}
    row_weight = weight if rows is None else weight[rows]
    if data.weighs and not (row_weight == 1.0).all():
        params["sample_weight"] = row_weight
    classes = None
    if data.n_classes and not isinstance(model, TableReader):
        present = np.flatnonzero(np.bincount(y, minlength=data.n_classes))
        if len(present) == 1:
            model, params = DummyClassifier(strategy="prior"), {}
        elif len(present) < data.n_classes:
            classes, y = present, np.searchsorted(present, y)
    data.inputs.tell_categories(model, view)
    X = data.inputs.for_model(model, view, rows)
    if _passes_over_zeros(model) and data.weighs:
        model._fit_member(X, y, weight)
    else:
        model.fit(X, y, **params)
    return Member(model, view, classes=classes, left_out=None if weight.all() else np.packbits(weight == 0))


def _rows_for(
    model: Any, weighs: bool, weight: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.intp] | None:
    """Return the rows that a model is given, None for all as they are."""
    if not weighs:
        return None if (weight == 1.0).all() else resample(weight, rng)
    return None if _passes_over_zeros(model) or weight.all() else np.flatnonzero(weight)


def _passes_over_zeros(model: Any) -> bool:
    return isinstance(model, TableReader) and model.takes_zero_weights


def takes_weights(estimator: Any) -> bool:
    """Whether an estimator takes case weights; with metadata routing, whether it passes them on to where they count."""
    if not has_fit_parameter(estimator, "sample_weight"):
        return False
    if not sklearn.get_config()["enable_metadata_routing"]:
        return True
    routing = get_routing_for_object(estimator)
    return not isinstance(routing, MetadataRouter) or bool(routing.consumes("fit", ["sample_weight"]))


def resample(weight: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.intp]:
    """Return rows in proportion to their weights: repeated exactly where the weights are whole, else drawn."""
    rows = np.flatnonzero(weight)
    active = weight[rows]
    if (active == np.floor(active)).all() and active.sum() <= MOST_REPEATS * len(weight):
        return np.repeat(rows, active.astype(np.intp))
    return np.sort(rng.choice(rows, size=len(rows), p=active / active.sum()))
