"""The base of linear models over tables: their columns, sums and equations, and the warning about a ridge."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import svd
from scipy.linalg.lapack import dpocon, dpotrf, dpotrs

from covey.learners.design import Matrix, Vector
from covey.models.fields import Array, Field, require
from covey.table import TableReader
from covey.table.design import Design, design_of

# Sums of so few columns are quicker column by column than row by row.
FEW_COLUMNS = 8
DEPENDENT = "The columns of X are linearly dependent, or there are no more rows than columns"


class LinearModel(TableReader):
    """A model whose predictions follow from weighted sums of a row's design columns."""

    coef_: Matrix
    intercept_: Any  # one number in a regression, else one for each row of coef_
    fill_: Vector  # what a missing value counts as, for each column of the design

    _state: ClassVar[dict[str, Field]] = {"fill_": Array(np.float64, "columns", low=-np.inf, high=np.inf)}

    def _check_state(self) -> None:
        super()._check_state()
        require(len(self._design()) == len(self.fill_), "has coefficients of other columns")
        with np.errstate(over="ignore"):
            most = np.abs(self.coef_) @ np.abs(self.fill_)
        require(np.isfinite(most).all(), "has sums that are not finite where values are missing")

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        # Looking them up in the signature, four times per member, would take as long as fitting a small model.
        names: list[str] = super()._get_param_names()
        return names

    def _design(self) -> Design:
        """Return the columns that the coefficients belong to."""
        return design_of(self.schema_)

    @property
    def coef_names_(self) -> NDArray[Any]:
        """The names of the design columns, one for each coefficient."""
        return self._design().names(self.schema_)

    def _sums(self, X: Any, coefficients: Matrix, intercepts: Vector | float) -> Matrix:
        """Return the weighted sums of rows, as rows x sums.

        Each is worked out by itself, in the same order of operations, so that a row has the same sums to the last
        digit alone and among others; the digits of a matrix product depend on the number of rows.
        """
        matrix = self._read_new(X)
        if any(known is not None for known in self.schema_.categories):
            matrix = self._design().filled(matrix, self.fill_)
        sums = _products(matrix, coefficients)
        if np.isnan(sums).any():  # a missing value makes its row's sum NaN, so there is no need to look first
            sums = _products(np.where(np.isnan(matrix), self.fill_, matrix), coefficients)
        sums += intercepts
        return sums


def _products(values: Matrix, coefficients: Matrix) -> Matrix:
    products = np.empty((len(values), len(coefficients)))
    with np.errstate(over="ignore", invalid="ignore"):
        for place, coefficient in enumerate(coefficients):
            product = products[:, place]
            if not 0 < len(coefficient) <= FEW_COLUMNS:
                np.einsum("ij,j->i", values, coefficient, out=product)
                continue
            np.multiply(values[:, 0], coefficient[0], out=product)
            for column in range(1, len(coefficient)):
                product += values[:, column] * coefficient[column]
    return products


def warn_of_one_ridge(why: str, ridge: float, stacklevel: int) -> None:
    """Warn that a model fitted alone needed a ridge; ``stacklevel`` is that of the caller's own warnings."""
    warnings.warn(
        f"{why}, so the coefficients were kept finite by a small ridge of {ridge:g}. Leave columns out, give more "
        "rows, or set ridge to a larger value.",
        UserWarning,
        stacklevel=stacklevel + 1,
    )


class Factor:
    """The Cholesky factor of a symmetric matrix.

    Its least pivot is the least share of a diagonal element that the rows before it do not account for; 0 if the matrix
    is not positive definite.
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
