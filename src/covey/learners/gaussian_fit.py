"""Gaussian processes: the kernel, the search for its parameters, the equations and the outputs.

The kernel is ``amplitude * matern(r) + linear * x'z / d`` with noise on the diagonal, where r is the distance of two
rows in length scales and d the number of columns. Rows are standardised, and so are targets, of which there may be
several for one kernel. A row that stands for c cases has the noise of their mean: the noise divided by c.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs, dtrtri
from scipy.optimize import minimize

from covey.learners.design import Matrix, Vector

ROOT = np.sqrt(3.0)
# Coordinates beyond it count as it, so that squares of them are numbers.
FARTHEST = 1e50
# What is added to the diagonal, as a share of its mean, until it can be factorised.
JITTERS = (0.0, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2)
# New rows are worked out in blocks of this size, filled up: digits of a product depend on the number of its rows.
BLOCK = 64
# Normal priors on the logarithms of amplitude, noise and linear: mean and deviation; and the range searched.
PRIOR = np.array([[0.0, 1.5], [np.log(0.1), 2.0], [0.0, 2.0]])
RANGES = [(-6.0, 6.0), (-14.0, 3.0), (-12.0, 5.0)]
# Of one length scale for all columns, the mean for one column, which grows as the distances of rows do with columns.
LENGTH_MEAN, LENGTH_DEVIATION, LENGTH_RANGE = 1.0, 1.5, (-3.0, 8.0)
# By how much the logarithms of columns' own length scales deviate from that of one for all.
OWN_DEVIATION = 0.75
MOST_STEPS = 60


def moments(values: Matrix, counts: Vector) -> tuple[Vector, Vector]:
    """Return the mean and the standard deviation of columns over cases; 0 of columns that do not vary."""
    lowest, highest = values.min(axis=0), values.max(axis=0)
    _, exponent = np.frexp(np.maximum(np.abs(lowest), np.abs(highest)))
    share = counts / counts.sum()
    values = np.ldexp(values, -exponent)  # so that no square overflows
    mean = share @ values
    deviation = np.ldexp(np.sqrt(share @ (values - mean) ** 2), exponent)
    varies = (lowest < highest) & (deviation >= np.finfo(np.float64).tiny)
    return np.where(lowest < highest, np.ldexp(mean, exponent), lowest), np.where(varies, deviation, 0.0)


def standardised(values: Matrix, mean: Vector, scale: Vector) -> Matrix:
    """Return columns with their means taken off, in standard deviations; 0 in those that do not vary."""
    with np.errstate(over="ignore"):
        values = np.clip((values - mean) / np.where(scale > 0, scale, 1.0), -FARTHEST, FARTHEST)
    values[:, scale == 0] = 0.0
    return values


@dataclass(frozen=True, eq=False)
class Kernel:
    """A kernel over standardised columns."""

    length: Vector  # of each column
    amplitude: float
    noise: float
    linear: float

    def scaled(self, values: Matrix) -> Matrix:
        """Return rows in length scales."""
        with np.errstate(over="ignore"):
            return np.clip(values / self.length, -FARTHEST, FARTHEST)

    def matrix(self, values: Matrix, counts: Vector) -> Matrix:
        """Return the covariances of training rows, noise included."""
        scaled = self.scaled(values)
        squares = _squares(scaled, scaled)
        squares.flat[:: len(squares) + 1] = 0.0
        _matern(squares)
        squares *= self.amplitude
        if self.linear:
            squares += self.linear / max(1, values.shape[1]) * (values @ values.T)
        squares.flat[:: len(squares) + 1] += self.noise / counts
        return squares


def _squares(one: Matrix, other: Matrix) -> Matrix:
    """Return the squared distances of rows from rows, up to rounding from below 0."""
    squares = one @ other.T
    squares *= -2.0
    squares += np.einsum("ij,ij->i", one, one)[:, None]
    squares += np.einsum("ij,ij->i", other, other)
    return squares


def _matern(squares: Matrix) -> Matrix:
    """Turn squared distances into the Matern 3/2 correlations, in place; return exp(-sqrt(3) r)."""
    np.maximum(squares, 0.0, out=squares)
    np.sqrt(squares, out=squares)
    squares *= ROOT
    decay = np.exp(-squares)
    squares += 1.0
    squares *= decay
    return decay


class Evidence:
    """The negative logarithm of marginal likelihood times prior, per row, by the logarithms of a kernel's parameters.

    These are a length scale for each column, or one for all, then amplitude, noise and linear. Terms that do not depend
    on them are left out. Of several targets the likelihoods are multiplied. Own length scales may have a prior about
    one that is known to suit all columns.
    """

    def __init__(
        self, values: Matrix, targets: Matrix, counts: Vector, n_lengths: int, common: float | None = None
    ) -> None:
        self.values, self.targets, self.counts = values, targets, counts
        n_columns = max(1, values.shape[1])
        self.products = values @ values.T / n_columns
        # With one length scale for all columns distances are found once.
        self.squares = np.maximum(_squares(values, values), 0.0) if n_lengths < values.shape[1] else None
        length = LENGTH_MEAN + 0.5 * np.log(n_columns) if common is None else np.log(common)
        deviation = LENGTH_DEVIATION if common is None else OWN_DEVIATION
        self.mean = np.concatenate([np.full(n_lengths, length), PRIOR[:, 0]])
        self.deviation = np.concatenate([np.full(n_lengths, deviation), PRIOR[:, 1]])
        self.ranges = [LENGTH_RANGE] * n_lengths + RANGES

    def __call__(self, logs: Vector) -> tuple[float, Vector]:
        """Return the value and its gradient."""
        lengths, (amplitude, noise, linear) = np.exp(logs[:-3]), np.exp(logs[-3:])
        n_rows, n_targets = self.targets.shape
        scaled = self.values / lengths if self.squares is None else self.values
        squares = _squares(scaled, scaled) if self.squares is None else self.squares / lengths[0] ** 2
        squares.flat[:: n_rows + 1] = 0.0
        correlation = squares.copy()
        decay = _matern(correlation)
        covariance = amplitude * correlation
        covariance += linear * self.products
        covariance.flat[:: n_rows + 1] += noise / self.counts
        factor, failed = dpotrf(covariance.T, lower=1, clean=0, overwrite_a=1)
        if failed:
            return 1e25, np.zeros_like(logs)
        dual, _ = dpotrs(factor, self.targets, lower=1)
        extra = n_targets * (self.counts.sum() - n_rows)  # repeated rows tell of the noise, too
        value = 0.5 * np.vdot(self.targets, dual) + n_targets * np.log(np.diagonal(factor)).sum() + extra * logs[-2] / 2
        inverse = np.tril(dpotri(factor, lower=1, overwrite_c=1)[0])
        inverse += np.tril(inverse, -1).T
        # The derivative by a parameter is -1/2 of the sum of these times the derivatives of the covariances.
        weight = dual @ dual.T
        weight -= n_targets * inverse
        slope = np.empty_like(logs)
        slope[-3] = amplitude * np.vdot(weight, correlation)
        slope[-2] = noise * (np.diagonal(weight) / self.counts).sum() - extra
        slope[-1] = linear * np.vdot(weight, self.products)
        decay *= weight
        if self.squares is None:
            by_column = decay.sum(axis=1) @ scaled**2 - np.einsum("ij,ij->j", scaled, decay @ scaled)
            slope[:-3] = 6.0 * amplitude * by_column
        else:
            slope[0] = 3.0 * amplitude * np.vdot(decay, squares)
        away = np.where(np.isfinite(logs), logs - self.mean, 0.0) / self.deviation  # a part may be left out
        return (value + 0.5 * away @ away) / n_rows, (away / self.deviation - 0.5 * slope) / n_rows

    def tuned(self, given: Vector) -> Vector:
        """Return the likeliest parameters; those that are given, not NaN, stay as they are."""
        free = np.isnan(given)
        with np.errstate(divide="ignore"):
            logs = np.where(free, self.mean, np.log(given))

        def part(some: Vector) -> tuple[float, Vector]:
            logs[free] = some
            value, slope = self(logs)
            return value, slope[free]

        ranges = [limits for limits, is_free in zip(self.ranges, free, strict=True) if is_free]
        options = {"maxiter": MOST_STEPS}
        if self.targets.any():
            logs[free] = minimize(part, logs[free], jac=True, method="L-BFGS-B", bounds=ranges, options=options).x
        return np.where(free, np.exp(logs), given)


def tune(values: Matrix, targets: Matrix, counts: Vector, given: Vector) -> Vector:
    """Return the likeliest parameters: length scales, amplitude, noise, linear; those given, not NaN, stay as they are.

    Where columns have length scales of their own, one for all is found first, about which the prior of theirs is.
    """
    common = None
    if len(given) > 4 and np.isnan(given[0]):
        common = float(tune(values, targets, counts, np.append(np.nan, given[-3:]))[0])
    return Evidence(values, targets, counts, len(given) - 3, common).tuned(given)


def factorise(kernel: Kernel, values: Matrix, counts: Vector) -> Matrix:
    """Return the lower Cholesky factor of the training rows' covariances; what is above its diagonal is of no use."""
    for jitter in JITTERS:
        covariance = kernel.matrix(values, counts)
        covariance.flat[:: len(values) + 1] += jitter * np.diagonal(covariance).mean()
        factor, failed = dpotrf(covariance.T, lower=1, clean=0, overwrite_a=1)
        if not failed and np.isfinite(np.diagonal(factor)).all():
            return np.asarray(factor)
    raise ValueError(
        f"The kernel with amplitude={kernel.amplitude:g}, noise={kernel.noise:g} and linear={kernel.linear:g} has no "
        "covariances that can be reckoned with; give values nearer to 1, or 'auto'."
    )


def solve(factor: Matrix, targets: Matrix) -> Matrix:
    """Return the weights of the training rows in the outputs."""
    return np.ascontiguousarray(dpotrs(factor, targets, lower=1)[0])


def left_out(factor: Matrix, dual: Matrix, targets: Matrix, counts: Vector, noise: float) -> Matrix:
    """Return what the outputs for each training row would be without it, or with one case less if it has several."""
    inverse = np.tril(dtrtri(factor, lower=1)[0])
    own = np.einsum("ij,ij->j", inverse, inverse)  # the diagonal of the inverse of the covariances
    cases = np.maximum(counts, 1.0)
    return np.asarray(targets - dual * (cases / ((cases - 1.0) * counts / noise + own))[:, None])


def outputs(kernel: Kernel, values: Matrix, dual: Matrix, new: Matrix) -> Matrix:
    """Return the outputs for new rows; those of a row are the same to the last digit alone and among others."""
    slopes = kernel.linear / max(1, values.shape[1]) * (values.T @ dual)
    results = np.empty((len(new), dual.shape[1]))
    for chunk, block, correlation in _correlations(kernel, values, new):
        sums = kernel.amplitude * (correlation @ dual) + block @ slopes
        results[chunk] = sums[: len(results[chunk])]
    return results


def variances(kernel: Kernel, values: Matrix, factor: Matrix, new: Matrix) -> Vector:
    """Return the variance of the response of new rows, noise included."""
    linear = kernel.linear / max(1, values.shape[1])
    results = np.empty(len(new))
    for chunk, block, correlation in _correlations(kernel, values, new):
        covariance = kernel.amplitude * correlation + linear * (block @ values.T)
        known = solve_triangular(factor, covariance.T, lower=True, overwrite_b=True, check_finite=False)
        before = kernel.amplitude + linear * np.einsum("ij,ij->i", block, block)
        left = np.maximum(before - np.einsum("ij,ij->j", known, known), 0.0) + kernel.noise
        results[chunk] = left[: len(results[chunk])]
    return results


def _correlations(kernel: Kernel, values: Matrix, new: Matrix) -> Iterator[tuple[slice, Matrix, Matrix]]:
    """Give blocks of new rows, where they belong, and their Matern correlations with the training rows."""
    scaled = kernel.scaled(values)
    for start in range(0, len(new), BLOCK):
        chunk = slice(start, min(start + BLOCK, len(new)))
        block = np.zeros((BLOCK, new.shape[1]))
        block[: chunk.stop - start] = new[chunk]
        correlation = _squares(kernel.scaled(block), scaled)
        _matern(correlation)
        yield chunk, block, correlation
