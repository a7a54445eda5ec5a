"""Columns for categories that few rows have: they say the same of nearly all rows, so sums go over the others."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from covey.learners.design import Matrix, Vector

# Columns of two values, one of which no more than this share of the rows have, are taken apart from so many on.
RARE, MANY_RARE = 1 / 16, 128


class Marks(NamedTuple):
    """The columns of two values, one of them rare, and those of one."""

    which: NDArray[np.bool_]  # of all columns
    rows: NDArray[np.bool_]  # (such a column, row): where it has the rare value
    base: Vector  # the value of all other rows
    step: Vector  # by how much the rare one is more


def marks_of(values: NDArray[Any]) -> Marks:
    """Return which columns have two values, one of them rare, or only one, of columns x rows."""
    low, high = values.min(axis=1, initial=np.inf), values.max(axis=1, initial=-np.inf)
    is_high = values == high[:, None]
    n_rows, n_high = values.shape[1], np.count_nonzero(is_high, axis=1)
    n_low = np.count_nonzero(values == low[:, None], axis=1)
    which = (n_high + n_low == n_rows) & (np.minimum(n_high, n_low) <= RARE * n_rows) | (low == high)
    low, high, rises = low[which], high[which], (n_high <= n_low)[which]
    rows = (is_high[which] == rises[:, None]) & (low < high)[:, None]
    return Marks(which, rows, np.where(rises, low, high), np.where(rises, high - low, low - high))


class RareColumns:
    """Columns x rows whose products with coefficients and residuals pass over what most rows have in common."""

    __array_ufunc__ = None  # so that arrays leave products to it

    def __init__(self, values: Matrix, marks: Marks) -> None:
        self.rare, self.others = np.flatnonzero(marks.which), np.flatnonzero(~marks.which)
        self.dense, self.base, self.step = values[self.others], marks.base, marks.step
        self.marks = csr_matrix(marks.rows, dtype=np.float64)
        self.shape = values.shape

    def __len__(self) -> int:
        return int(self.shape[0])

    def __rmatmul__(self, coefficients: Matrix) -> Matrix:
        """Return weighted sums of columns, as sums x rows."""
        of_rare = coefficients[:, self.rare]
        sums = coefficients[:, self.others] @ self.dense + (of_rare @ self.base)[:, None]
        return np.asarray(sums + (self.marks.T @ (of_rare * self.step).T).T)

    def sums_over(self, residuals: Matrix) -> Matrix:
        """Return weighted sums of rows, as sums x columns."""
        sums = np.empty((len(residuals), len(self)))
        sums[:, self.others] = residuals @ self.dense.T
        sums[:, self.rare] = residuals.sum(axis=1)[:, None] * self.base + (self.marks @ residuals.T).T * self.step
        return sums

    def products(self, weight: Vector) -> Matrix:
        """Return the weighted products of all columns with each other."""
        products, weighted = np.empty((len(self), len(self))), self.dense * weight
        rare, others, base, step = self.rare, self.others, self.base, self.step
        products[np.ix_(others, others)] = weighted @ self.dense.T
        mixed = weighted.sum(axis=1)[:, None] * base + (self.marks @ weighted.T).T * step
        products[np.ix_(others, rare)], products[np.ix_(rare, others)] = mixed, mixed.T
        marked = (self.marks @ weight) * step
        pairs = (self.marks.multiply(weight) @ self.marks.T).toarray() * np.outer(step, step)
        pairs += weight.sum() * np.outer(base, base) + np.outer(base, marked) + np.outer(marked, base)
        products[np.ix_(rare, rare)] = pairs
        return products


Columns = Matrix | RareColumns


def sums_over(residuals: Matrix, columns: Columns) -> Matrix:
    """Return weighted sums of rows, as sums x columns."""
    return columns.sums_over(residuals) if isinstance(columns, RareColumns) else np.asarray(residuals @ columns.T)


def taken_apart(values: Matrix) -> Columns:
    """Return columns x rows so that their products take least time."""
    if len(values) < MANY_RARE:
        return values
    marks = marks_of(values)
    return RareColumns(values, marks) if len(marks.rows) >= MANY_RARE else values
