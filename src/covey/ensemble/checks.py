"""Checks before an ensemble is grown, so that a wrong argument costs no work, and of members read from files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from covey._warnings import warn_user
from covey.ensemble.inputs import Inputs, form_of
from covey.ensemble.member import Member, Plan
from covey.models.declaration import id_of
from covey.models.fields import require
from covey.seeds import random_parameters
from covey.strategies import Combine
from covey.strategies.view import MOST_CATEGORIES, Rotated
from covey.table import Schema, Table, TableReader
from covey.table.schema import MOST_SPREAD


def check_kind(estimator: Any, *, classifier: bool) -> None:
    """Refuse what is no estimator, and one of the other kind."""
    if isinstance(estimator, type):
        raise TypeError(f"estimator is the class {estimator.__name__}; give an instance: {estimator.__name__}().")
    if not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise TypeError(f"estimator={estimator!r} has no fit and predict; give a scikit-learn estimator.")
    wanted = "classifier" if classifier else "regressor"
    kind = get_tags(estimator).estimator_type
    if kind not in (None, wanted):
        remedy = f", or use Ensemble{kind.title()}" if kind in ("classifier", "regressor") else ""
        raise TypeError(f"estimator={estimator!r} is a {kind}; give a {wanted}{remedy}.")


def innermost(estimator: Any) -> Any:
    """Return what reads the values in the end: the estimator, or the base of ensembles within ensembles."""
    return estimator._innermost() if isinstance(estimator, TableReader) else estimator


def check_base(estimator: Any, combine: Combine) -> None:
    """Refuse a base estimator that cannot do what will be asked of it."""
    reader = innermost(estimator)
    name = type(reader).__name__
    if not hasattr(reader, "get_params"):
        raise TypeError(f"estimator={reader!r} has no get_params; give a scikit-learn estimator.")
    if combine.reads == "probabilities" and not hasattr(reader, "predict_proba"):
        raise ValueError(f"MeanProbability needs predict_proba, which {name} does not have; combine by WeightedVote.")
    chosen = estimator.get_params(deep=False).get("categorical_features")
    if chosen is not None and not isinstance(chosen, str):
        raise ValueError(
            f"categorical_features={chosen!r} of the base estimator cannot be kept: members may see other columns. "
            "Give it to the ensemble, which tells its members."
        )


def check_member(member: Member, schema: Schema, n_classes: int) -> None:
    """Refuse a member from a file that does not fit the ensemble's columns, or its classes (0 in a regression)."""
    model, view = member.model, member.view
    kind: Any = type(model)
    if isinstance(view, Rotated):
        require(view.n_read <= schema.n_features, "has a member that rotates columns which there are not")
        seen = view.schema
    else:
        seen = schema if view is None else schema.take(view)
    check_kind(model, classifier=n_classes > 0)
    if form_of(model) == "table":
        require(getattr(model, "schema_", None) == seen, "has a member of other columns")
    elif form_of(model) != "nothing" and id_of(kind) is not None:  # what is trusted is believed
        spread = form_of(model) == "indicators"
        width = int(seen.widths.sum()) if spread else seen.n_features
        require(getattr(model, "n_features_in_", None) == width, "has a member of other columns")
    if n_classes:
        _check_codes(np.asarray(getattr(model, "classes_", None)), member.classes, n_classes)


def _check_codes(own: NDArray[Any], classes: NDArray[np.intp] | None, n_classes: int) -> None:
    """Refuse a member whose classes are no codes of the ensemble's, or are not translated into such."""
    most = n_classes if classes is None else len(classes)
    whole = own.dtype.kind in "iu" or (own.dtype.kind == "f" and (own == np.floor(own)).all())
    require(whole and (own >= 0).all() and (own < most).all(), "has a member of classes that there are not")
    if classes is not None:
        distinct = len(np.unique(classes)) == len(classes)
        require(distinct and (classes < n_classes).all(), "has a member of classes that there are not")


def check_missing(ensemble: Any, table: Table) -> None:
    """Refuse missing values that neither an ensemble fills in nor its base estimator can use."""
    estimator = innermost(ensemble)
    params = estimator.get_params(deep=True)
    if get_tags(ensemble).input_tags.allow_nan or any("__" in name for name in params):
        return  # what is made of several estimators, such as a pipeline, may well impute: it has to say so itself
    missing = np.isnan(table.matrix).any(axis=0)
    if form_of(estimator) in ("indicators", "table"):
        missing &= ~table.categorical  # a missing category becomes a row of zeros, or is one more category
    if missing.any():
        name = type(estimator).__name__
        column = table.names[int(np.argmax(missing))]
        raise ValueError(
            f"Input X contains NaN in column {column!r}, and {name} cannot use missing values; impute them, for "
            f"instance with make_pipeline(SimpleImputer(), {name}()) as estimator, or use one that can."
        )


def read_inputs(ensemble: Any, X: Any) -> Inputs:
    """Return new rows as the members of a fitted ensemble take them."""
    check_is_fitted(ensemble)
    table = Table(ensemble._read_new(X), ensemble.schema_)
    check_missing(ensemble, table)
    return Inputs(table)


def warn_of_identifiers(plan: Plan, estimator: Any, table: Table) -> None:
    """Warn of a column that has nearly a category of its own for each row, if each is to become a column."""
    spreads = plan.subspace is not None and plan.subspace.makes_numbers
    if not spreads and form_of(innermost(estimator)) != "indicators":
        return
    counts, widths = table.schema.n_categories, table.schema.widths
    counts = np.where(widths < np.minimum(counts, MOST_SPREAD), widths, counts)  # of many declared, those that occur
    for name, count in zip(table.names, counts.tolist(), strict=True):
        if count > max(100, len(table.matrix) // 2):
            most = MOST_CATEGORIES if spreads else MOST_SPREAD
            made = "and each becomes a column" if count <= most else f"of which the {most} most frequent become columns"
            warn_user(
                f"Column {name!r} has {count} categories in {len(table.matrix)} rows, {made}; if it is an identifier, "
                "leave it out."
            )


def check_plan(plan: Plan, estimator: Any, weight: NDArray[np.float64], oob_score: bool) -> None:
    """Refuse a plan that cannot be carried out on these rows; warn of one whose members are all alike."""
    n_rows = int(np.count_nonzero(weight))
    plan.draw.check(n_rows)
    if plan.reweight is not None:
        plan.reweight.check(estimator)
    if not plan.draw.leaves_out(n_rows):
        if plan.subspace is not None and plan.subspace.learns:
            raise ValueError(
                f"{type(plan.subspace).__name__} learns from rows that members leave out, but {plan.draw} keeps them "
                "all; use a bootstrap draw."
            )
        if oob_score:
            raise ValueError(
                f"oob_score needs members that leave rows out, but {plan.draw} keeps them all; use draw=Bootstrap()."
            )
    alike = not plan.draw.is_random and plan.subspace is None and plan.reweight is None
    if alike and not random_parameters(estimator):
        warn_user(
            f"All members will be alike: nothing sets them apart and {type(estimator).__name__} is not random. "
            "Give a draw, a subspace or a reweight."
        )


def warn_of_ridge(models: Sequence[Any]) -> None:
    """Say once how many members had no single best fit and were given a small ridge."""
    helped = sum(getattr(model, "ridge_", 0.0) > 0 for model in models if isinstance(model, TableReader))
    if helped:
        warn_user(
            f"{helped} of {len(models)} members had columns that depend on each other, or that tell the classes apart "
            "without error, and were fitted with a small ridge. Give members fewer columns, or a base estimator with a "
            "larger ridge."
        )
