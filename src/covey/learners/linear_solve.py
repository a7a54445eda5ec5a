"""Solving the equations of a linear model, and knowing when they cannot be trusted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import svd
from scipy.linalg.lapack import dpocon, dpotrf, dpotrs

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]


class Factor:
    """The Cholesky factor of a symmetric matrix.

    Parameters
    ----------
    matrix : ndarray of shape (n, n)

    Attributes
    ----------
    least_pivot : float
        The least share of a diagonal element that the rows before it do not account for; 0 if the matrix is not
        positive definite.
    """

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self._factor, failed = dpotrf(matrix, lower=1, clean=0)
        self.least_pivot = 0.0 if failed else float((np.diagonal(self._factor) ** 2 / np.diagonal(matrix)).min())

    @property
    def reciprocal_condition(self) -> float:
        """An estimate of the reciprocal of the condition number in the 1-norm."""
        norm = float(np.abs(self._matrix).sum(axis=0).max())
        return float(dpocon(self._factor, norm, uplo="L")[0]) if self.least_pivot else 0.0

    def solve(self, right: Vector) -> Vector:
        """Return what the matrix turns into the right-hand side."""
        solution, _ = dpotrs(self._factor, right, lower=1)
        return np.asarray(solution)


def thin_svd(values: Matrix) -> tuple[Matrix, Vector, Matrix, int]:
    """Return U, s and V' of columns x rows, and the rank: how many singular values are more than rounding."""
    n_columns, n_rows = values.shape
    if not n_columns:
        return np.empty((0, 0)), np.empty(0), np.empty((0, n_rows)), 0
    left, singular, right = svd(values, full_matrices=False, check_finite=False)
    least = max(values.shape) * np.finfo(np.float64).eps * singular[0]
    return left, singular, right, int(np.count_nonzero(singular > least))
