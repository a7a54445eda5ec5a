"""Least squares over numbers and categories, quick as a member of an ensemble."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from covey._sklearn import Interval
from covey.learners.base import TableRegressor
from covey.learners.design import Matrix, Positions, SharedDesign, Vector, standardise
from covey.learners.linear import DEPENDENT, Factor, LinearModel, thin_svd, warn_of_one_ridge
from covey.learners.per_table import PerTable, whole_of
from covey.models.fields import Array, Field, Number
from covey.parallel import one_thread
from covey.table import Table
from covey.table.table import CategoricalFeatures

# The normal equations lose as many digits as their condition number has; with fewer left than this, the data itself is
# decomposed.
LEAST_CONDITION = 1e-7
# The variance about the mean as a share of the mean square below which taking off the mean costs too many digits.
LEAST_SHARE = 1e-6
# How many members' own products all products of pairs of columns may cost, to be worked out once for all of them.
MOST_MEMBERS = 100


@dataclass(eq=False, repr=False, kw_only=True)
class LeastSquaresRegressor(LinearModel, TableRegressor):
    """Ordinary least squares with an intercept, over numbers and categories.

    A number is one column, a nominal attribute with K categories has K - 1 columns of 0 and 1 for all but the first. A
    missing value counts as the column's weighted mean over the training rows, and so does a category never seen. A
    column that does not vary gets the coefficient 0.

    In an ensemble, members over some columns of the same table share the standardised columns and, where all rows
    have the same weight, all products of pairs of columns: a member then costs the solution of d equations.

    Parameters
    ----------
    ridge : float, default=1e-6
        The penalty on squared coefficients of standardised columns, per case, that is used where columns are linearly
        dependent or as many as rows, and only there. The default is small enough to give the solution of least norm to
        six digits and large enough to drown rounding: in ensembles over more columns than rows, and over duplicated
        columns, errors were the same to three digits for any ridge from 1e-12 to 1e-5.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.

    Attributes
    ----------
    coef_ : ndarray of shape (n_columns,)
        One coefficient per column of the design; `coef_names_` tells which is which.
    intercept_ : float
    ridge_ : float
        The ridge that was used; 0.0 where none was needed.
    fill_ : ndarray of shape (n_columns,)
        What a missing value counts as.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> import pandas as pd
    >>> from covey import LeastSquaresRegressor
    >>> frame = pd.DataFrame({"age": [1, 2, 3, 4], "town": ["Ely", "York", "York", "Ely"]})
    >>> model = LeastSquaresRegressor().fit(frame, [1.0, 5.0, 6.0, 4.0])
    >>> dict(zip(model.coef_names_, model.coef_.round(6).tolist()))
    {'age': 1.0, 'town=York': 3.0}
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"ridge": [Interval(Real, 0, None, closed="neither")]}

    _state: ClassVar[dict[str, Field]] = {
        "coef_": Array(np.float64, "columns"),
        "intercept_": Number(),
        "ridge_": Number(0),
    }

    ridge: float = 1e-06
    categorical_features: CategoricalFeatures = "from_dtype"

    def _learn(self, table: Table, y: Vector, weight: Vector, *, alone: bool) -> None:
        with one_thread():
            problem = _alone(table, y, weight) if alone else _member(table, y, weight)
            solution = problem.quick() or problem.careful(float(self.ridge))
        self.coef_, self.intercept_, self.fill_, self.ridge_ = problem.in_units(solution)
        if alone and self.ridge_:
            warn_of_one_ridge(DEPENDENT, self.ridge_, stacklevel=4)

    def predict(self, X: Any) -> Vector:
        """Return the predicted response of each row."""
        check_is_fitted(self)
        return self._sums(X, self.coef_[None], self.intercept_)[:, 0]


@dataclass(frozen=True, eq=False)
class Response:
    """What all members know of the response."""

    y: Vector  # the very array that it was found from
    values: Vector  # on one scale: the mean over the rows that count is 0; 0 in other rows
    n_rows: int  # how many rows count
    centre: float  # what was taken off
    exponent: int  # the power of two that it was divided by first

    @cached_property
    def beside_ones(self) -> Matrix:
        """Ones and the response as columns, whose products with weighted columns are found at once."""
        return np.column_stack([np.ones(len(self.values)), self.values])


@dataclass(frozen=True, eq=False)
class Solution:
    """Coefficients of columns on one scale."""

    coefficients: Vector
    mean: Vector  # the weighted mean of each column
    centre: float  # the weighted mean of the response on its scale
    ridge: float = 0.0


@dataclass(frozen=True, eq=False)
class Problem:
    """One least-squares problem: some columns of a shared design, a response and weights."""

    shared: SharedDesign
    columns: Positions | None  # which columns of it; None for all
    response: Response
    weight: Vector
    # Products of all pairs of columns and of the columns with the response, if all rows have the same weight.
    moments: tuple[Matrix, Vector] | None = None

    @property
    def _scale(self) -> Vector:
        return self.shared.scale if self.columns is None else self.shared.scale[self.columns]

    def quick(self) -> Solution | None:
        """Solve the normal equations; None if they are too close to singular to be trusted."""
        varying = self._scale > 0
        n_columns = int(np.count_nonzero(varying))
        if n_columns >= (np.count_nonzero(self.weight) if self.moments is None else self.response.n_rows):
            return None
        if self.moments is not None:
            gram, right = self.moments
            if self.columns is not None:
                gram, right = gram[self.columns[:, None], self.columns], right[self.columns]
            mean = np.zeros(len(varying))
            centre = 0.0
        else:
            values = self.shared.part(self.columns, self.weight)
            total, sums = self.weight.sum(), self.weight @ self.response.beside_ones
            weighted = values * self.weight
            mean, centre = (weighted @ self.response.beside_ones / total).T, float(sums[1] / total)
            mean, right = mean[0], mean[1] - mean[0] * centre
            gram = weighted @ values.T / total
            square = np.diagonal(gram)
            gram = gram - np.outer(mean, mean)
            if (np.diagonal(gram) <= LEAST_SHARE * square)[varying].any():
                return None
        coefficients = np.zeros(len(varying))
        if n_columns:
            some = slice(None) if n_columns == len(varying) else varying
            solved = _solve(gram[some][:, some], right[some])
            if solved is None:
                return None
            coefficients[some] = solved
        return Solution(coefficients, mean, centre)

    def careful(self, ridge: float) -> Solution:
        """Decompose the data; with a ridge if the columns are linearly dependent."""
        rows = np.flatnonzero(self.weight)
        weight = self.weight[rows] / self.weight.sum()
        values = self.shared.part(self.columns, weight, rows)
        varying = np.flatnonzero(values.max(axis=1) > values.min(axis=1))
        mean, values = values[:, 0].copy(), values[varying]
        mean[varying] = 0.0
        for _ in range(2):
            shift = values @ weight
            values = values - shift[:, None]
            mean[varying] += shift
        deviation = np.sqrt((values * values) @ weight)
        values *= np.sqrt(weight)
        values /= deviation[:, None]
        response = self.response.values[rows]
        centre = float(weight @ response)
        left, singular, right, rank = thin_svd(values)
        ridge = ridge if rank < len(varying) else 0.0
        projected = right @ (np.sqrt(weight) * (response - centre))
        coefficients = np.zeros(len(mean))
        coefficients[varying] = left @ (projected * singular / (singular**2 + ridge)) / deviation
        return Solution(coefficients, mean, centre, ridge)

    def in_units(self, solution: Solution) -> tuple[Vector, float, Vector, float]:
        """Return coefficients, intercept, means and ridge in the units of the data."""
        scale, centre = self._scale, self.shared.centre
        centre = centre if self.columns is None else centre[self.columns]
        shift = self.response.exponent
        with np.errstate(over="ignore"):
            slopes = np.ldexp(solution.coefficients, shift) / np.where(scale > 0, scale, 1.0)
        coefficients = np.where(scale > 0, slopes, 0.0)
        mean = centre + scale * solution.mean
        intercept = float(np.ldexp(self.response.centre + solution.centre, shift) - coefficients @ mean)
        return coefficients, intercept, mean, solution.ridge


def _solve(gram: Matrix, right: Vector) -> Vector | None:
    """Solve symmetric equations scaled to a diagonal of ones; None if they are nearly singular."""
    deviation = np.sqrt(np.diagonal(gram))
    factor = Factor(gram / np.outer(deviation, deviation))
    if factor.reciprocal_condition < LEAST_CONDITION:
        return None
    return factor.solve(right / deviation) / deviation


def _alone(table: Table, y: Vector, weight: Vector) -> Problem:
    counted = weight > 0
    return Problem(standardise(table, counted), None, _response(y, counted), weight)


def _member(table: Table, y: Vector, weight: Vector) -> Problem:
    whole, attributes = whole_of(table)
    shared = _DESIGNS.get(whole, lambda: standardise(whole))
    columns = None if attributes is None else shared.design.columns_of(attributes)
    response = _RESPONSES.get(whole, lambda: _response(y, whole.counted), id(y))  # it holds y, so that its id stays its
    n_all, n_columns = len(shared.values), len(shared.values) if columns is None else len(columns)
    if n_all**2 <= MOST_MEMBERS * n_columns**2 and _is_even(weight, whole.counted):
        moments = _MOMENTS.get(whole, lambda: _moments(shared, response), id(y))
        return Problem(shared, columns, response, weight, moments)
    return Problem(shared, columns, response, weight)


_DESIGNS: PerTable[SharedDesign] = PerTable()
_RESPONSES: PerTable[Response] = PerTable()
_MOMENTS: PerTable[tuple[Matrix, Vector]] = PerTable()


def _is_even(weight: Vector, counted: NDArray[np.bool_] | None) -> bool:
    if counted is None:
        return bool(weight.min() == weight.max())
    some = weight[counted]
    return bool(some.min() == some.max()) and some[0] > 0


def _moments(shared: SharedDesign, response: Response) -> tuple[Matrix, Vector]:
    """Return the mean products of all pairs of columns, and of the columns with the response."""
    return shared.values @ shared.values.T / response.n_rows, shared.values @ response.values / response.n_rows


def _response(y: Vector, counted: NDArray[np.bool_] | None) -> Response:
    values = y if counted is None else np.where(counted, y, 0.0)
    _, exponent = np.frexp(np.abs(values).max())
    values = np.ldexp(values, -exponent)
    n_rows = len(y) if counted is None else int(np.count_nonzero(counted))
    centre = float(values.sum() / n_rows)
    values = values - centre
    if counted is not None:
        values[~counted] = 0.0
    return Response(y, values, n_rows, centre, int(exponent))
