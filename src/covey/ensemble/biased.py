"""Training a classifier that is biased against one of two classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier

from covey.ensemble.ballot import member_output
from covey.ensemble.feed import Feed
from covey.ensemble.fit import Cases, fit_member
from covey.ensemble.member import Member
from covey.models.fields import Field, Flag, Number, OrNone, Part
from covey.strategies.bias import Biasing, downweighted, extra_cases, moved_threshold, oversampled, undersampled
from covey.table import Table

Rows = NDArray[np.intp] | None


@dataclass(frozen=True, eq=False, slots=True)
class Biased:
    """A classifier of two classes, 0 and 1, with where it draws the line.

    Parameters
    ----------
    member : Member
    threshold : float or None
        The decision value above which it says 1; None for what the model itself predicts.
    spared : bool
        Whether the bias would have left no case of a class, and one was kept.
    """

    member: Member
    threshold: float | None = None
    spared: bool = False

    _state: ClassVar[dict[str, Field]] = {"member": Part(Member), "threshold": OrNone(Number()), "spared": Flag()}

    def codes(self, feed: Feed, rows: Rows = None) -> NDArray[np.intp]:
        """Say 0 or 1 of each row."""
        if self.threshold is None:
            return member_output(self.member, feed, "codes", 2, rows)
        return (decision_values(self.member, feed, rows) > self.threshold).astype(np.intp)


def decision_values(member: Member, feed: Feed, rows: Rows = None) -> NDArray[np.float64]:
    """Return a number for each row, more than 0 for class 1."""
    model = member.model
    if hasattr(model, "decision_function"):
        X = feed.give(model, member.view, rows)
        return np.asarray(model.decision_function(X), dtype=np.float64).reshape(-1)
    return member_output(member, feed, "probabilities", 2, rows)[:, 1] - 0.5


def fit_biased(
    biasing: Biasing, estimator: Any, cases: Cases, against: int, bias: float, rng: np.random.Generator
) -> Biased:
    """Train a classifier that is biased against a class.

    Parameters
    ----------
    biasing : {"undersample", "oversample", "weight", "threshold", "smote"}
        How.
    estimator : classifier
    cases : Cases
        Of two classes, 0 and 1.
    against : int
        The class that it is to say only when it is sure.
    bias : float
        How strongly, from 0, which is not at all, to 1.
    rng : Generator
    """
    disfavoured, spared = cases.y == against, False
    weight = cases.weight
    if biasing == "undersample":
        weight, spared = undersampled(weight, disfavoured, bias, rng)
    elif biasing == "oversample":
        weight = oversampled(weight, disfavoured, bias, rng)
    elif biasing == "weight":
        weight = downweighted(weight, disfavoured, bias)
    elif biasing == "smote":
        cases = with_synthetic(cases, against, bias, rng)
        weight = cases.weight
    member = fit_member(estimator, cases, weight, None, rng)
    if not cases.weighs and isinstance(member.model, DummyClassifier) and biasing in ("oversample", "weight"):
        # Rows drawn in proportion to weights left a class out.
        weight, spared = undersampled(cases.weight, disfavoured, 1.0, rng)
        member = fit_member(estimator, cases, (weight > 0).astype(np.float64), None, rng)
    if biasing != "threshold":
        return Biased(member, spared=spared)
    values = decision_values(member, cases.feed, np.flatnonzero(cases.weight))
    return Biased(member, moved_threshold(values, bias, positive=against == 1))


def with_synthetic(cases: Cases, against: int, bias: float, rng: np.random.Generator) -> Cases:
    """Add cases between those of the other class (SMOTE, Chawla and others 2002), as many as oversampling would.

    Each has the mean weight of its class. A class of one case has nothing between, and is left as it is.
    """
    from imblearn.over_sampling import SMOTE, SMOTEN, SMOTENC

    rows = np.flatnonzero(cases.weight)
    codes, matrix = cases.y[rows], cases.feed.table.matrix[rows]
    own = int(np.count_nonzero(codes != against))
    extra = extra_cases(own, bias)
    if own < 2 or not extra or own == len(rows):
        return cases
    params = {
        "sampling_strategy": {1 - against: own + extra},
        "k_neighbors": min(5, own - 1),
        "random_state": int(rng.integers(2**31 - 1)),
    }
    nominal = cases.feed.table.categorical
    if nominal.all():
        sampler = SMOTEN(**params)
    elif nominal.any():
        sampler = SMOTENC(categorical_features=np.flatnonzero(nominal).tolist(), **params)
    else:
        sampler = SMOTE(**params)
    made, labels = sampler.fit_resample(matrix, codes)
    weight = np.full(len(made), cases.weight[rows][codes != against].mean())
    weight[: len(rows)] = cases.weight[rows]
    table = Table(np.ascontiguousarray(made, dtype=np.float64), cases.feed.table.schema)
    return replace(cases, feed=Feed(table), y=np.asarray(labels, dtype=np.intp), weight=weight)
