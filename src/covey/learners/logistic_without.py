"""Logistic models without one of their attributes, from the model with all of them.

The second derivatives at the maximum over all columns tell about where the maximum without some is. Their inverse, less
what belongs to those, and what gradients tell on the way (L-BFGS) make steps towards it that take a gradient each.
What is not there after a few steps is sought by Newton's method, from where it has come to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from covey.learners.design import Matrix, Positions, Vector
from covey.learners.linear import Factor
from covey.learners.logistic_fit import Problem, Seen, tells_apart
from covey.learners.newton import LEAST_PIVOT, SMALL_STEP, Exact, hessian

Tensor = NDArray[np.float64]
Mask = NDArray[np.bool_]

# So many steps are made without new second derivatives.
MOST_STEPS = 9


def without_each(seen: Seen, starts: Positions, theta: Matrix, used: float, ridge: float) -> Tensor | None:
    """Return the coefficients without the columns from each start to the next, as models x logits x columns.

    Without columns that do not vary they are those of the model with all.

    Parameters
    ----------
    seen : Seen
        What the model with all columns was fitted to.
    starts : ndarray of int
        Where each attribute's columns start, and the end.
    theta : ndarray of shape (n_logits, n_columns + 1)
        The model's coefficients, the intercepts last.
    used : float
        The ridge that it has; 0 for none.
    ridge : float
        The ridge to be used where it is needed.

    Returns
    -------
    ndarray or None
        None where second derivatives are not worked out in full, or have no inverse.
    """
    problem, likelihood = seen.problem, seen.problem.likelihood
    n_columns, n_rows = problem.values.shape
    if not isinstance(likelihood, Exact) or n_columns > n_rows:
        return None
    penalty = problem.penalty(used) if used else np.zeros(n_columns)
    theta = theta[:, seen.varies]
    likelihood.residuals(theta @ problem.values)
    factor = Factor(hessian(problem.values, likelihood.curvatures(), len(theta), penalty))
    if factor.least_pivot < LEAST_PIVOT:
        return None
    gone = np.zeros((len(starts) - 1, len(seen.chosen)), dtype=bool)
    for mask, (start, end) in zip(gone, pairwise(starts.tolist()), strict=True):
        mask[start:end] = True
    # A model that has a maximum without a ridge has one over fewer columns too. One with a ridge may need none then.
    needed = _need_ridge(seen, gone) if used else np.zeros(len(gone), dtype=bool)
    gone = gone[:, seen.varies]
    inverse = factor.solve(np.eye(theta.size))
    solved, done = Steps(problem, likelihood, needed[:, None, None] * penalty, inverse, gone).descend(theta)
    for at in np.flatnonzero(~done).tolist():
        start = solved[at] if needed[at] or not used else None
        solved[at] = _refit(problem, gone[at], ridge, start, separable=bool(needed[at]))
    result = np.zeros((len(gone), len(theta), len(seen.chosen)))
    result[:, :, seen.varies] = solved
    return result


def _need_ridge(seen: Seen, gone: Mask) -> Mask:
    """Say of which models without some columns it is known beforehand that they have no maximum without a ridge."""
    values = seen.problem.values
    products = (values * seen.problem.weight) @ values.T
    needed = np.zeros(len(gone), dtype=bool)
    for at, mask in enumerate(gone):
        left = np.flatnonzero(~mask[seen.varies])
        dependent = Factor(products[left[:, None], left]).least_pivot < LEAST_PIVOT
        needed[at] = dependent or tells_apart(seen.lowest[:, ~mask], seen.highest[:, ~mask])
    return needed


def _refit(problem: Problem, gone: Mask, ridge: float, start: Matrix | None, *, separable: bool) -> Matrix:
    """Return the coefficients without some columns, sought by Newton's method."""
    left = replace(problem, values=problem.values[~gone])
    fit, _, _ = left.solve(ridge, None if start is None else start[:, ~gone], separable)
    theta = np.zeros((len(fit.coefficients), len(gone)))
    theta[:, ~gone] = fit.coefficients
    return theta


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps towards the maximum without some columns, for several choices of them at once."""

    problem: Problem
    likelihood: Exact
    penalty: Tensor  # (model, 1, column)
    inverse: Matrix  # of the second derivatives by all coefficients, those of one logit after the other
    gone: Mask  # (model, column): which columns each does without

    def descend(self, theta: Matrix) -> tuple[Tensor, Mask]:
        """Return the coefficients of each model, and whether they are those of the maximum."""
        paths = [Path(self.inverse, np.flatnonzero(np.tile(mask, len(theta)))) for mask in self.gone]
        now = np.array([path.without(theta.ravel()).reshape(theta.shape) for path in paths])
        first, slopes = now.copy(), np.full(len(now), np.inf)
        done: Mask = np.logical_not(self.gone.any(axis=1))
        active = np.flatnonzero(~done)
        logits = np.broadcast_to(theta @ self.problem.values, (len(active), len(theta), len(self.problem.weight)))
        for number in range(MOST_STEPS if len(active) else 0):
            before, logits = logits, self._logits(now[active])
            biggest = np.abs(logits - before).max(axis=(1, 2))
            gradient = self._gradients(logits, now[active], active)
            largest = np.abs(gradient).max(axis=(1, 2))
            if not number:
                slopes[active] = largest
            done[active] = (largest <= self.problem.tol) & (biggest <= SMALL_STEP)
            going = ~done[active]
            active, logits, gradient = active[going], logits[going], gradient[going]
            if not len(active):
                break
            for at, slope in zip(active.tolist(), gradient.reshape(len(active), -1), strict=True):
                now[at] += paths[at].step(slope).reshape(theta.shape)
        if not done.all():
            gradients = self._gradients(self._logits(now), now, np.arange(len(now)))
            worse = ~(np.abs(gradients).max(axis=(1, 2)) < slopes) & ~done
            now[worse] = first[worse]
        return now, done

    def _logits(self, theta: Tensor) -> Tensor:
        n_models, n_logits, n_columns = theta.shape
        logits: Tensor = theta.reshape(-1, n_columns) @ self.problem.values
        return logits.reshape(n_models, n_logits, -1)

    def _gradients(self, logits: Tensor, theta: Tensor, models: Positions) -> Tensor:
        residuals = np.array([self.likelihood.residuals(some) for some in logits])
        flat = residuals.reshape(-1, residuals.shape[2]) @ self.problem.values.T
        gradients: Tensor = flat.reshape(theta.shape) + theta * self.penalty[models]
        gradients[np.broadcast_to(self.gone[models, None], gradients.shape)] = 0.0
        return gradients


class Path:
    """The way of one model without some coefficients, by what its gradients tell of second derivatives."""

    def __init__(self, inverse: Matrix, gone: Positions) -> None:
        self._inverse, self._gone = inverse, gone
        self._along = np.linalg.solve(inverse[gone[:, None], gone], inverse[gone]).T
        self._past: list[tuple[Vector, Vector, float]] = []  # steps, what they changed of the gradient, 1 / product
        self._slope: Vector | None = None
        self._step: Vector | None = None

    def without(self, flat: Vector) -> Vector:
        """Take off what the coefficients that are gone account for."""
        left: Vector = flat - self._along @ flat[self._gone]
        left[self._gone] = 0.0
        return left

    def step(self, slope: Vector) -> Vector:
        """Return the next step, from where the gradient is this."""
        if self._slope is not None and self._step is not None:
            change = slope - self._slope
            product = float(change @ self._step)
            if product > 0:
                self._past.append((self._step, change, 1.0 / product))
        self._slope, ahead, shares = slope, slope.copy(), []
        for step, change, factor in reversed(self._past):
            shares.append(factor * float(step @ ahead))
            ahead -= shares[-1] * change
        ahead = self.without(self._inverse @ ahead)
        for (step, change, factor), share in zip(self._past, reversed(shares), strict=True):
            ahead += (share - factor * float(change @ ahead)) * step
        self._step = -ahead
        return self._step
