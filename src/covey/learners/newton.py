"""Maximum likelihood for two or more classes by Newton's method."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from covey.learners.design import Matrix, Vector
from covey.learners.linear import Factor
from covey.learners.rare_columns import Columns, RareColumns, sums_over

Outcome = Literal["converged", "separable", "singular", "unfinished"]

# A step that changes no logit by more than this is small: the next error is its square. Along one that changes some by
# more than that nothing is proved.
SMALL_STEP, LARGEST_STEP = 0.01, 1e3
# How far below 0 a margin may be, as a share of the largest, to count as rounding.
ROUNDING = 1e-7
# The share of a column's curvature that the others must leave to it; with less the Hessian is taken to be singular.
LEAST_PIVOT = 1e-13
# A step's length is sought until the slope at its end is this share of the slope at its start, by so many looks, which
# cost little beside the Hessian. A longer step than Newton's may change no logit by more than this.
FLAT, MOST_LOOKS, LONGEST_STEP = 0.1, 8, 10.0


class Likelihood(Protocol):
    """The log-likelihood of class labels as a function of logits (n_logits x n_rows), times minus the row's weight."""

    n_logits: int

    def residuals(self, logits: Matrix) -> Matrix:
        """Return its derivatives by the logits, and keep what its second derivatives need of them."""

    def direction(self, columns: Columns, gradient: Matrix, penalty: Vector) -> Matrix | None:
        """Return Newton's step at the logits last asked for, of logits x columns; None if there is none."""

    def margins(self, logits: Matrix) -> Vector:
        """Return by how much the logit of each row's own class is above that of any other."""

    def tells_one(self, logits: Matrix) -> bool:
        """Whether logits, or a change of them, prove that a class can be told from all others."""

    def by_class(self, coefficients: Matrix) -> Matrix:
        """Return the coefficients of the second of two classes, or of each of more."""


class Exact(ABC):
    """A likelihood whose second derivatives are worked out in full."""

    n_logits: int

    @abstractmethod
    def residuals(self, logits: Matrix) -> Matrix:
        """Return the derivatives by the logits."""

    @abstractmethod
    def curvatures(self) -> list[tuple[int, int, Vector]]:
        """Return the second derivatives at the logits last asked for: for pairs of logits, values per row."""

    @abstractmethod
    def margins(self, logits: Matrix) -> Vector:
        """Return by how much the logit of each row's own class is above that of any other."""

    @abstractmethod
    def by_class(self, coefficients: Matrix) -> Matrix:
        """Return the coefficients of the second of two classes, or of each of more."""

    @abstractmethod
    def coordinates(self, by_class: Matrix) -> Matrix:
        """Return the coefficients whose values by class these are."""

    def direction(self, columns: Columns, gradient: Matrix, penalty: Vector) -> Matrix | None:
        """Return Newton's step; None if the second derivatives have no inverse."""
        factor = Factor(hessian(columns, self.curvatures(), len(gradient), penalty))
        if factor.least_pivot < LEAST_PIVOT:
            return None
        return -factor.solve(gradient.ravel()).reshape(gradient.shape)

    def tells_one(self, logits: Matrix) -> bool:
        """Margins tell as much."""
        return False


class TwoClasses(Exact):
    """Two classes: one logit, of the second. The rows' weights add up to 1."""

    def __init__(self, codes: NDArray[np.intp], weight: Vector) -> None:
        self.n_logits = 1
        self._target = codes.astype(np.float64)
        self._sign = 2.0 * self._target - 1.0
        self._weight = weight

    def residuals(self, logits: Matrix) -> Matrix:
        """Return by how much the probability of the second class is too high, times the weight."""
        with np.errstate(over="ignore"):
            self._probability = 1.0 / (1.0 + np.exp(-logits[0]))
        residuals: Vector = self._weight * (self._probability - self._target)
        return residuals[None]

    def curvatures(self) -> list[tuple[int, int, Vector]]:
        """Return the variance of the label, times the weight (the weights of eq. 2.7)."""
        return [(0, 0, self._weight * self._probability * (1.0 - self._probability))]

    def margins(self, logits: Matrix) -> Vector:
        """Return the logit of each row's own class."""
        margins: Vector = self._sign * logits[0]
        return margins

    def by_class(self, coefficients: Matrix) -> Matrix:
        """Return the coefficients of the second class."""
        return coefficients

    def coordinates(self, by_class: Matrix) -> Matrix:
        """Return the same."""
        return by_class


class ManyClasses(Exact):
    """Several classes: the logits are coordinates of one logit per class, which add up to 0 over the classes."""

    def __init__(self, codes: NDArray[np.intp], weight: Vector, n_classes: int) -> None:
        self.n_logits = n_classes - 1
        self.contrasts = contrasts(n_classes)
        self._codes, self._rows, self._weight = codes, np.arange(len(codes)), weight

    def residuals(self, logits: Matrix) -> Matrix:
        """Return by how much the probabilities are too high, times the weight, in coordinates."""
        shares = self.contrasts @ logits
        shares -= shares.max(axis=0)
        np.exp(shares, out=shares)
        shares /= shares.sum(axis=0)
        self._probability = shares.copy()
        shares[self._codes, self._rows] -= 1.0
        shares *= self._weight
        residuals: Matrix = self.contrasts.T @ shares
        return residuals

    def curvatures(self) -> list[tuple[int, int, Vector]]:
        """Return the covariances of the labels, times the weight, in coordinates."""
        mean = self.contrasts.T @ self._probability
        covariances = []
        for a in range(len(mean)):
            for b in range(a + 1):
                both = (self.contrasts[:, a] * self.contrasts[:, b]) @ self._probability
                covariances.append((a, b, self._weight * (both - mean[a] * mean[b])))
        return covariances

    def margins(self, logits: Matrix) -> Vector:
        """Return by how much the logit of each row's own class is above the highest of the others."""
        by_class = self.contrasts @ logits
        of_class = by_class[self._codes, self._rows].copy()
        by_class[self._codes, self._rows] = -np.inf
        margins: Vector = of_class - by_class.max(axis=0)
        return margins

    def by_class(self, coefficients: Matrix) -> Matrix:
        """Return the coefficients of each class, which add up to 0."""
        by_class: Matrix = self.contrasts @ coefficients
        return by_class

    def coordinates(self, by_class: Matrix) -> Matrix:
        """Return the coordinates of coefficients that add up to 0 over the classes."""
        coordinates: Matrix = self.contrasts.T @ by_class
        return coordinates


def contrasts(n_classes: int) -> Matrix:
    """Return orthonormal coordinates (n_classes x n_classes - 1) of numbers that add up to 0 over the classes."""
    basis = np.zeros((n_classes, n_classes - 1))
    for k in range(1, n_classes):
        basis[:k, k - 1], basis[k, k - 1] = -1.0, k
        basis[:, k - 1] /= np.sqrt(k * (k + 1))
    return basis


@dataclass(frozen=True, eq=False)
class Fit:
    """Where Newton's method ended."""

    coefficients: Matrix  # (logit, column)
    # Whether it converged; else why not: some combination of columns tells the classes apart, so that the likelihood
    # has no finite maximum; the maximum is not unique; there were too many iterations.
    outcome: Outcome
    n_iter: int


def maximise(
    columns: Columns, likelihood: Likelihood, start: Matrix, penalty: Vector, tol: float, max_iter: int
) -> Fit:
    """Maximise a likelihood minus half a penalty on squared coefficients.

    Each step goes along Newton's direction to about where the function is lowest along it. Without a penalty these
    things end the search early: rows all of which are on their class's side, a step along which no row's margin falls,
    one class that is told from all others (each proves that there is no finite maximum), and a Hessian without an
    inverse.
    ``columns`` are columns x rows, ``start`` is logits x columns, and the penalty is that on each column's
    coefficients; ``tol`` is the largest derivative of the mean log-likelihood at the end.
    """
    theta, logits, biggest = start, start @ columns, np.inf
    penalised = bool(penalty.any())
    residuals = likelihood.residuals(logits)
    for iteration in range(max_iter):
        gradient = sums_over(residuals, columns) + theta * penalty
        if biggest <= SMALL_STEP and np.abs(gradient).max() <= tol:
            return Fit(theta, "converged", iteration)
        if not penalised and (likelihood.margins(logits).min() > 0 or likelihood.tells_one(logits)):
            return Fit(theta, "separable", iteration)
        step = likelihood.direction(columns, gradient, penalty)
        if step is None:
            if not start.any():
                return Fit(theta, "singular", iteration)
            # Where all probabilities are 0 or 1 any Hessian is singular, and it may have started there.
            again = maximise(columns, likelihood, np.zeros_like(start), penalty, tol, max_iter - iteration)
            return replace(again, n_iter=iteration + again.n_iter)
        change = step @ columns
        if not penalised and (_is_recession(likelihood.margins(change)) or likelihood.tells_one(change)):
            return Fit(theta, "separable", iteration)
        pull = (float(((theta * step) @ penalty).sum()), float(((step * step) @ penalty).sum()))
        length, residuals = _search(likelihood, logits, change, float(np.vdot(residuals, change)) + pull[0], pull)
        theta, logits = theta + length * step, logits + length * change
        biggest = length * float(np.abs(change).max())
    return Fit(theta, "unfinished", max_iter)


def _is_recession(margins: Vector) -> bool:
    """Whether no margin falls along a step and some rise; of one too small or too large rounding makes anything."""
    highest = float(margins.max())
    return SMALL_STEP < highest < LARGEST_STEP and float(margins.min()) >= -ROUNDING * highest


def _search(
    likelihood: Likelihood, logits: Matrix, change: Matrix, slope: float, pull: tuple[float, float]
) -> tuple[float, Matrix]:
    """Return about how far along a step the function is lowest, and the residuals there; a small step is just taken.

    The step starts at some logits and changes them; the slope at its start is below 0, and the pull is the penalty's
    part in it: at the start, and how much more per length.
    """
    low, at_low, high, at_high = 0.0, slope, np.inf, 0.0
    biggest = float(np.abs(change).max())
    if biggest <= SMALL_STEP:
        return 1.0, likelihood.residuals(logits + change)
    length, longest = 1.0, max(1.0, LONGEST_STEP / biggest)
    for look in range(MOST_LOOKS):
        residuals = likelihood.residuals(logits + length * change)
        there = float(np.vdot(residuals, change)) + pull[0] + length * pull[1]
        if abs(there) <= -FLAT * slope or (there < 0 and length >= longest) or look == MOST_LOOKS - 1:
            break
        if there < 0:
            low, at_low = length, there
        else:
            high, at_high = length, there
        if high < np.inf:
            guess = low + (high - low) * at_low / (at_low - at_high)
            length = min(max(guess, low + 0.1 * (high - low)), high - 0.1 * (high - low))
        else:
            guess = length * slope / (slope - there) if there > slope else longest
            length = min(max(guess, 1.5 * length), 4.0 * length, longest)
    return length, residuals


def hessian(columns: Columns, curvatures: list[tuple[int, int, Vector]], n_logits: int, penalty: Vector) -> Matrix:
    """Return second derivatives by all coefficients, those of one logit after the other."""
    n_columns = len(columns)
    blocks = np.empty((n_logits, n_columns, n_logits, n_columns))
    for a, b, value in curvatures:
        if isinstance(columns, RareColumns):
            block = columns.products(np.maximum(value, 0.0) if a == b else value)
        elif a == b:
            root = columns * np.sqrt(np.maximum(value, 0.0))
            block = root @ root.T
        else:
            block = (columns * value) @ columns.T
        if a == b:
            block[np.diag_indices(n_columns)] += penalty
        blocks[a, :, b], blocks[b, :, a] = block, block.T
    return blocks.reshape(n_logits * n_columns, n_logits * n_columns)
