"""Probabilities of classes from the values of machines that tell pairs of them apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import expit, log_softmax

from covey.learners.design import Matrix, Vector

# The least slope of a sigmoid: where values say nothing of rows that were left out, a greater value is still likelier.
LEAST_SLOPE, MOST_SLOPE = 1e-3, 1e3
MOST_ROUNDS, SMALLEST = 100, 1e-10
# What is added to the curvature, so that it is never 0.
FLAT = 1e-12
# Temperatures that are tried.
COLDEST, HOTTEST = 0.05, 20.0


def fit_sigmoid(value: Vector, positive: NDArray[np.bool_], weight: Vector) -> tuple[float, float]:
    """Return the slope and intercept of the log-odds that make values likeliest (Platt, 2000).

    The targets are his, short of 0 and 1 by as much as a case more of each class would make; the method is Newton's
    with halved steps (Lin, Lin and Weng, 2007).
    """
    above, below = float(weight[positive].sum()), float(weight[~positive].sum())
    target = np.where(positive, (above + 1.0) / (above + 2.0), 1.0 / (below + 2.0))

    def loss(slope: float, intercept: float) -> float:
        odds = slope * value + intercept
        return float(weight @ (np.logaddexp(0.0, odds) - target * odds))

    total, slope, intercept = float(weight.sum()), 0.0, float(np.log((above + 1.0) / (below + 1.0)))
    now = loss(slope, intercept)
    for _ in range(MOST_ROUNDS):
        share = expit(slope * value + intercept)
        off, curve = weight * (share - target), weight * share * (1.0 - share)
        by_slope, by_intercept = float(off @ value), float(off.sum())
        if max(abs(by_slope), abs(by_intercept)) < 1e-6 * total:
            break
        first, mixed, last = float(curve @ (value * value)) + FLAT, float(curve @ value), float(curve.sum()) + FLAT
        bend, size = first * last - mixed * mixed, 1.0
        steps = (last * by_slope - mixed * by_intercept) / bend, (first * by_intercept - mixed * by_slope) / bend
        while size > SMALLEST and (ahead := loss(slope - size * steps[0], intercept - size * steps[1])) > now:
            size /= 2.0
        if size <= SMALLEST:
            break
        slope, intercept, now = slope - size * steps[0], intercept - size * steps[1], ahead
    if not LEAST_SLOPE <= slope <= MOST_SLOPE:
        return min(max(slope, LEAST_SLOPE), MOST_SLOPE), float(np.log((above + 1.0) / (below + 1.0)))
    return slope, intercept


def couple(odds: Matrix, n_classes: int) -> Matrix:
    """Return log-probabilities of classes, up to a constant, from the log-odds of the second class of each pair.

    Each class has 1 / (1 + sum of the odds against it), which is its probability if the pairs agree with each other
    (Price, Knerr, Personnaz and Dreyfus, 1995).
    """
    against = np.zeros((len(odds), n_classes))  # log(1 + sum of odds)
    for pair, (one, other) in enumerate(combinations(range(n_classes), 2)):
        against[:, one] = np.logaddexp(against[:, one], odds[:, pair])
        against[:, other] = np.logaddexp(against[:, other], -odds[:, pair])
    return -against


def fit_temperature(scores: Matrix, codes: NDArray[np.intp], weight: Vector) -> float:
    """Return the factor of log-probabilities under which the classes are likeliest."""
    rows = np.arange(len(scores))

    def loss(exponent: float) -> float:
        return -float(weight @ log_softmax(np.exp(exponent) * scores, axis=1)[rows, codes])

    best = minimize_scalar(loss, bounds=np.log([COLDEST, HOTTEST]), method="bounded", options={"xatol": 1e-3})
    return float(np.exp(best.x))
