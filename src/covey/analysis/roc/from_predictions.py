"""Bias curves from what classifiers of several strengths of bias predict."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from covey.analysis.numbers import Floats
from covey.analysis.roc.binary import BinaryCases, Bools, read_cases
from covey.analysis.roc.curve import BiasCurve
from covey.analysis.roc.curves import BiasCurves
from covey.analysis.roc.point import point_of

# Predictions by the strength of bias.
Strengths = Mapping[float, Any]

# A smaller share of a class's weight than this is rounding.
ROUNDING = 1e-12


def bias_curves(
    y_true: Any, base: Any, plus: Strengths, minus: Strengths, positive: Any = None, sample_weight: Any = None
) -> BiasCurves:
    """Return the bias curves of a learner in ROC space, from what its classifiers predict.

    Khoussainov, Heß and Kushmerick, "Ensembles of biased classifiers" (2005), section 5, figure 4. Of binary problems
    only. The paper reasons about the training cases.

    Parameters
    ----------
    y_true : array-like of shape (n_cases,)
        The true labels, of two classes.
    base : array-like of shape (n_cases,)
        What the unbiased classifier h predicts: strength 0 of both curves.
    plus, minus : mapping of float to array-like of shape (n_cases,)
        What the classifiers biased to class +1, and to class -1, predict, by the strength of bias, which is above 0; a
        strength of 0 may be there if its predictions are those of base. h+ says +1 only when sure, h- says -1 only
        when sure.
    positive : label, optional
        The class +1, by default the greater label.
    sample_weight : array-like of shape (n_cases,), optional
        What each case counts; by default 1.

    Returns
    -------
    BiasCurves

    Examples
    --------
    >>> from covey.analysis import bias_curves
    >>> y = [-1, -1, 1, -1, 1, 1]
    >>> base = [-1, -1, -1, 1, 1, 1]  # wrong on the two cases in the middle
    >>> curves = bias_curves(y, base, {0.1: [-1, -1, -1, -1, 1, 1]}, {0.1: [-1, -1, 1, 1, 1, 1]})
    >>> round(curves.midpoint_gain, 3), round(curves.reversal_gain, 3)
    (0.167, 0.333)
    """
    cases = read_cases(y_true, positive, sample_weight)
    if not cases.n_positive or not cases.n_negative:
        raise ValueError("y_true has cases of one class alone, as weighted, so there is no curve; give both classes.")
    unbiased = cases.says_positive(base, "base")
    strengths_plus, said_plus = _read_strengths(cases, unbiased, plus, "plus")
    strengths_minus, said_minus = _read_strengths(cases, unbiased, minus, "minus")
    curves = [
        _curve(cases, side, strengths, said)
        for side, strengths, said in (("plus", strengths_plus, said_plus), ("minus", strengths_minus, said_minus))
    ]
    pairs = {
        name: _pair_shares(said_plus, said_minus, unbiased, cases, kind)
        for name, kind in (("negative", False), ("positive", True))
    }
    share = cases.weights / cases.weights.sum()
    return BiasCurves(
        plus=curves[0],
        minus=curves[1],
        positive=cases.positive,
        reversed_fpr=pairs["negative"][0],
        reversed_tpr=pairs["positive"][0],
        hard_negative=pairs["negative"][1],
        hard_positive=pairs["positive"][1],
        excluded=(said_plus * share) @ (~said_minus).T.astype(np.float64),
    )


def _read_strengths(cases: BinaryCases, base: Bools, given: Strengths, name: str) -> tuple[Floats, Bools]:
    """Return strengths, 0 first, and where the classifier of each says positive, a row each."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{name}={given!r:.60} is no mapping; give predictions by strength, such as {{0.1: labels}}.")
    read: dict[float, Bools] = {}
    for strength, predicted in given.items():
        _check_strength(strength, name)
        said = cases.says_positive(predicted, f"{name}[{strength!r}]")
        if strength == 0:
            if (said != base).any():
                raise ValueError(
                    f"{name}[{strength!r}] differs from base, which is the classifier of no bias; omit it."
                )
            continue
        read[float(strength)] = said
    if not read:
        raise ValueError(f"{name} has no strength above 0; give the predictions of at least one biased classifier.")
    order = sorted(read)
    return np.array([0.0, *order]), np.stack([base, *(read[strength] for strength in order)])


def _check_strength(strength: object, name: str) -> None:
    if isinstance(strength, bool) or not isinstance(strength, Real) or not isfinite(strength) or float(strength) < 0:
        raise ValueError(f"{name} has the strength {strength!r}; give finite numbers above 0.")


def _curve(cases: BinaryCases, side: str, strengths: Floats, said: Bools) -> BiasCurve:
    points = [point_of(cases, row) for row in said]
    rates = np.array([point.xy for point in points])
    return BiasCurve(side, strengths, rates[:, 0].copy(), rates[:, 1].copy(), cases.n_positive, cases.n_negative)


def _pair_shares(plus: Bools, minus: Bools, base: Bools, cases: BinaryCases, kind: bool) -> tuple[Floats, Floats]:
    """Return, for each pair, which share of a class is called positive with h reversed on hard cases, and is hard.

    Called positive are cases of which both say so, and those that are hard where h does not: with p and m for what h+
    and h- say and b for h, p m + (p + m - 2 p m)(1 - b), whose sums over cases are products of matrices.
    """
    own = (cases.truth == kind) & (cases.weights > 0)
    share = cases.weights[own] / cases.weights[own].sum()
    p, m = plus[:, own].astype(np.float64), minus[:, own].astype(np.float64)
    against = share * ~base[own]
    both, none = (p * share) @ m.T, (p * against) @ m.T
    called = both + (p @ against)[:, None] + m @ against - 2 * none
    hard = (p @ share)[:, None] + m @ share - 2 * both
    hard[hard < ROUNDING] = 0.0  # where no case is hard, sums may differ in their last digits
    return np.clip(called, 0.0, 1.0), np.clip(hard, 0.0, 1.0)
