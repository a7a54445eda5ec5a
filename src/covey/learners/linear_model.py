"""What linear models over tables share: their columns, their sums and the warning about a ridge."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.models.fields import Array, Field, require
from covey.table import TableReader
from covey.table.design import Design, design_of

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

# Sums of so few columns are quicker column by column than row by row.
FEW_COLUMNS = 8
DEPENDENT = "The columns of X are linearly dependent, or there are no more rows than columns"


class LinearModel(TableReader):
    """A model whose predictions follow from weighted sums of a row's design columns.

    Attributes
    ----------
    fill_ : ndarray of float64 of shape (n_columns,)
        What a missing value counts as, for each column of the design.
    """

    coef_: NDArray[np.float64]
    fill_: Vector

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
        if np.isnan(sums).any():  # a gap makes its row's sum NaN, so there is no need to look first
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
