"""What is checked before an ensemble is grown, so that a wrong argument costs no work."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from covey.ensemble.feed import form_of
from covey.ensemble.member import Plan
from covey.strategies import Combine
from covey.table import Table


def check_kind(estimator: Any, *, classifier: bool) -> None:
    """Refuse what is no estimator, and one of the other kind."""
    if isinstance(estimator, type):
        raise TypeError(f"estimator is the class {estimator.__name__}; give an instance: {estimator.__name__}().")
    if not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise TypeError(f"estimator={estimator!r} has no fit and predict; give a scikit-learn estimator.")
    if is_regressor(estimator) if classifier else is_classifier(estimator):
        found, wanted = ("regressor", "classifier") if classifier else ("classifier", "regressor")
        raise TypeError(f"estimator={estimator!r} is a {found}; give a {wanted}, or use Ensemble{found.title()}.")


def check_base(estimator: Any, combine: Combine, table: Table) -> None:
    """Refuse a base estimator that cannot do what will be asked of it."""
    name = type(estimator).__name__
    if combine.reads == "probabilities" and not hasattr(estimator, "predict_proba"):
        raise ValueError(f"MeanProbability needs predict_proba, which {name} does not have; combine by WeightedVote.")
    check_gaps(estimator, table)


def check_gaps(estimator: Any, table: Table) -> None:
    """Refuse missing values that the base estimator cannot use."""
    while hasattr(estimator, "_base"):  # an ensemble's members are what reads the values
        estimator = estimator._base()
    if get_tags(estimator).input_tags.allow_nan:
        return
    gaps = np.isnan(table.matrix).any(axis=0)
    if form_of(estimator) == "indicators":
        gaps &= ~table.categorical  # a missing category becomes a row of zeros
    if gaps.any():
        name = type(estimator).__name__
        column = table.names[int(np.argmax(gaps))]
        raise ValueError(
            f"Input X contains NaN in column {column!r}, and {name} cannot use missing values; impute them, for "
            f"instance with make_pipeline(SimpleImputer(), {name}()) as estimator, or use one that can."
        )


def check_plan(plan: Plan, estimator: Any, weight: NDArray[np.float64], oob_score: bool) -> None:
    """Refuse a plan that cannot be carried out on these rows; warn of one whose members are all alike."""
    plan.draw.check(int(np.count_nonzero(weight)))
    if plan.reweight is not None:
        plan.reweight.check()
    if oob_score and not plan.draw.leaves_out and has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(
            f"oob_score needs members that leave rows out, but {plan.draw} keeps them all; use draw=Bootstrap()."
        )
    alike = not plan.draw.is_random and plan.subspace is None and plan.reweight is None
    if alike and not any(name.split("__")[-1] == "random_state" for name in estimator.get_params(deep=True)):
        warnings.warn(
            f"All members will be alike: nothing sets them apart and {type(estimator).__name__} is not random. "
            "Give a draw, a subspace or a reweight.",
            UserWarning,
            stacklevel=5,
        )
