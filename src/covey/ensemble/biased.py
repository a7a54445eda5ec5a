"""Classifiers biased against one of two classes, and how strongly, by cross-validated bias curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier

from covey import seeds
from covey.ensemble.fit import TrainingData, fit_member
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.ensemble.voting import member_output
from covey.learners.sphere_size import splits
from covey.models.fields import Field, Flag, Number, OrNone, Part
from covey.strategies.bias import Biasing, downweighted, extra_rows, moved_threshold, oversampled, undersampled
from covey.table import Table

Rows = NDArray[np.intp] | None
Codes = NDArray[np.intp]

# The strengths that are tried, and the folds; the published strength is taken where there is nothing to choose by.
STRENGTHS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
PUBLISHED = 0.9
_FOLDS = 3
# How many classifiers choose the strengths.
N_TRIED = _FOLDS * (1 + 2 * len(STRENGTHS))

Report = Callable[[], None]


def silent() -> None:
    """Tell nothing of a classifier that is trained."""


@dataclass(frozen=True, eq=False, slots=True)
class Biased:
    """A classifier of two classes, 0 and 1, with where it draws the line."""

    member: Member
    threshold: float | None = None  # the decision value above which it says 1; None for what the model predicts
    spared: bool = False  # whether the bias would have left no row of a class, and one was kept

    _state: ClassVar[dict[str, Field]] = {"member": Part(Member), "threshold": OrNone(Number()), "spared": Flag()}

    def codes(self, inputs: Inputs, rows: Rows = None) -> Codes:
        """Say 0 or 1 of each row."""
        if self.threshold is None:
            return member_output(self.member, inputs, "codes", 2, rows)
        return (_decision_values(self.member, inputs, rows) > self.threshold).astype(np.intp)


def _decision_values(member: Member, inputs: Inputs, rows: Rows = None) -> NDArray[np.float64]:
    """Return a number for each row, more than 0 for class 1."""
    model = member.model
    if hasattr(model, "decision_function"):
        X = inputs.for_model(model, member.view, rows)
        return np.asarray(model.decision_function(X), dtype=np.float64).reshape(-1)
    return member_output(member, inputs, "probabilities", 2, rows)[:, 1] - 0.5


def fit_biased(
    biasing: Biasing, estimator: Any, data: TrainingData, against: int, bias: float, rng: np.random.Generator
) -> Biased:
    """Train a classifier that says one of the classes 0 and 1 only when it is sure; a bias of 0 is none."""
    disfavoured, spared = data.y == against, False
    weight = data.weight
    if biasing == "undersample":
        weight, spared = undersampled(weight, disfavoured, bias, rng)
    elif biasing == "oversample":
        weight = oversampled(weight, disfavoured, bias, rng)
    elif biasing == "weight":
        weight = downweighted(weight, disfavoured, bias)
    elif biasing == "smote":
        data = with_synthetic(data, against, bias, rng)
        weight = data.weight
    member = fit_member(estimator, data, weight, None, rng)
    if not data.weighs and isinstance(member.model, DummyClassifier) and biasing in ("oversample", "weight"):
        # Rows drawn in proportion to weights left a class out.
        weight, spared = undersampled(data.weight, disfavoured, 1.0, rng)
        member = fit_member(estimator, data, (weight > 0).astype(np.float64), None, rng)
    if biasing != "threshold":
        return Biased(member, spared=spared)
    values = _decision_values(member, data.inputs, np.flatnonzero(data.weight))
    return Biased(member, moved_threshold(values, bias, positive=against == 1))


def with_synthetic(data: TrainingData, against: int, bias: float, rng: np.random.Generator) -> TrainingData:
    """Add rows between those of the other class (SMOTE, Chawla and others 2002), as many as oversampling would.

    Each has the mean weight of its class. A class of one row has nothing between, and is left as it is.
    """
    from imblearn.over_sampling import SMOTE, SMOTEN, SMOTENC

    rows = np.flatnonzero(data.weight)
    codes, matrix = data.y[rows], data.inputs.table.matrix[rows]
    n_others = int(np.count_nonzero(codes != against))
    extra = extra_rows(n_others, bias)
    if n_others < 2 or not extra or n_others == len(rows):
        return data
    params = {
        "sampling_strategy": {1 - against: n_others + extra},
        "k_neighbors": min(5, n_others - 1),
        "random_state": int(rng.integers(2**31 - 1)),
    }
    nominal = data.inputs.table.categorical
    if nominal.all():
        sampler = SMOTEN(**params)
    elif nominal.any():
        sampler = SMOTENC(categorical_features=np.flatnonzero(nominal).tolist(), **params)
    else:
        sampler = SMOTE(**params)
    made, labels = sampler.fit_resample(matrix, codes)
    weight = np.full(len(made), data.weight[rows][codes != against].mean())
    weight[: len(rows)] = data.weight[rows]
    table = Table(np.ascontiguousarray(made, dtype=np.float64), data.inputs.table.schema)
    return replace(data, inputs=Inputs(table), y=np.asarray(labels, dtype=np.intp), weight=weight)


def choose_biases(
    biasing: Biasing, estimator: Any, data: TrainingData, seed: np.random.SeedSequence, report: Report = silent
) -> tuple[float, float]:
    """Return the strengths of h+ and of h- whose points on the bias curves promise most, for classes 0 and 1.

    Curves are made of what classifiers say of rows they have not seen. A pair is worth what it gets right where it
    agrees, and of the hard rows what a simple arbiter would: the unbiased classifier, its reverse, a constant or
    chance. Of pairs worth the same, the one that leaves fewest hard rows is taken.
    """
    codes, rows = _curves(biasing, estimator, data, seed, report)
    if not len(rows):
        return PUBLISHED, PUBLISHED
    true, weight, count = data.y[rows], data.weight[rows], len(STRENGTHS)
    plus, minus = max(
        product(range(count), repeat=2),
        key=lambda pair: _worth(true, weight, codes[0], codes[1 + pair[0]], codes[1 + count + pair[1]]),
    )
    return STRENGTHS[plus], STRENGTHS[minus]


def _curves(
    biasing: Biasing, estimator: Any, data: TrainingData, seed: np.random.SeedSequence, report: Report
) -> tuple[Codes, NDArray[np.intp]]:
    """Return the codes of unseen rows, without bias, by h+ and by h- of each strength; and the rows."""
    rng = np.random.default_rng(seed)
    codes = np.zeros((1 + 2 * len(STRENGTHS), len(data.y)), dtype=np.intp)
    tested = np.zeros(len(data.y), dtype=bool)
    for number, (train, test) in enumerate(splits(_FOLDS, data.y, data.weight, rng)):
        if len(np.unique(data.y[train])) < 2:
            continue
        weight = np.zeros(len(data.y))
        weight[train] = data.weight[train]
        tested[test] = True
        fold = replace(data, weight=weight)
        draws = np.random.default_rng(seeds.child(seed, number))
        codes[0, test] = member_output(fit_member(estimator, fold, weight, None, draws), data.inputs, "codes", 2, test)
        report()
        for place, (against, bias) in enumerate(product((1, 0), STRENGTHS)):
            biased = fit_biased(biasing, estimator, fold, against, bias, draws)
            codes[1 + place, test] = biased.codes(data.inputs, test)
            report()
    rows = np.flatnonzero(tested)
    return codes[:, rows], rows


def _worth(true: Codes, weight: NDArray[np.float64], base: Codes, plus: Codes, minus: Codes) -> tuple[float, float]:
    """Return the weight that a pair with a simple arbiter gets right, and less the more it leaves."""
    hard = plus != minus
    sure = weight[~hard & (plus == true)].sum()
    left, positive, kept = weight[hard].sum(), weight[hard & (true == 1)].sum(), weight[hard & (base == true)].sum()
    return float(sure + max(left / 2, positive, left - positive, kept, left - kept)), -float(left)
