"""Least squares over numbers and categories, quick as a member of an ensemble."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
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
from covey.table.design import design_of
from covey.table.table import CategoricalFeatures

# The normal equations lose as many digits as their condition number has; with fewer left than this, the data itself is
# decomposed.
LEAST_CONDITION = 1e-7
# The variance about the mean as a share of the mean square below which taking off the mean costs too many digits.
LEAST_SHARE = 1e-6
# How many members' own products all products of pairs of columns may cost, to be worked out once for all of them.
MOST_MEMBERS = 100
# So many numbers are multiplied at a time, and so many rows at least.
MOST_NUMBERS, LEAST_ROWS = 2**14, 256


@dataclass(eq=False, repr=False, kw_only=True)
class LeastSquaresRegressor(LinearModel, TableRegressor):
    """Ordinary least squares with an intercept, over numbers and categories.

    A number is one column, a nominal attribute with K categories has K - 1 columns of 0 and 1 for all but the first, of
    more than 255 categories for the most frequent. A missing value counts as the column's weighted mean over the
    training rows, and so does a category never seen. A column that does not vary gets the coefficient 0.

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

    def say_without_each(self, table: Table, y: Vector, weight: Vector, rows: Positions) -> Matrix | None:
        """Return what this member, and members without one of its columns each, say of some rows.

        As members x rows; None where they have to be trained one by one.
        """
        with one_thread():
            problem = _member(table, y, weight)
            solved = problem.without_each(design_of(table.schema).starts)
            if solved is None:
                return None
            others, solution = solved
            return problem.say(np.vstack([solution.coefficients, others]), solution, rows)

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
class Equations:
    """Normal equations, of the columns that vary."""

    gram: Matrix
    right: Vector
    varying: NDArray[np.bool_]  # which columns do
    mean: Vector  # the weighted mean of each column
    centre: float  # the weighted mean of the response on its scale

    def solve(self) -> Solution | None:
        """Return the solution; None if the equations are nearly singular."""
        coefficients = np.zeros(len(self.mean))
        if len(self.right):
            solved = _solve(self.gram, self.right)
            if solved is None:
                return None
            coefficients[self.varying] = solved
        return Solution(coefficients, self.mean, self.centre)


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
        equations = self._equations()
        return None if equations is None else equations.solve()

    def without_each(self, starts: Positions) -> tuple[Matrix, Solution] | None:
        """Return the coefficients without the columns from each start to the next, and the solution with all.

        They follow from the inverse of the equations' matrix: what a column adds is taken off along its own column of
        it. None if the equations are too close to singular to be trusted.
        """
        equations = self._equations()
        solution = None if equations is None else equations.solve()
        if equations is None or solution is None:
            return None
        inverse = np.zeros((len(solution.coefficients),) * 2)
        place = np.flatnonzero(equations.varying)
        inverse[place[:, None], place] = Factor(equations.gram).solve(np.eye(len(place)))
        without = np.tile(solution.coefficients, (len(starts) - 1, 1))
        for at, (start, end) in enumerate(pairwise(starts.tolist())):
            block = start + np.flatnonzero(equations.varying[start:end])
            if len(block):
                own = inverse[block[:, None], block]
                without[at] -= inverse[:, block] @ np.linalg.solve(own, solution.coefficients[block])
            without[at, start:end] = 0.0
        return without, solution

    def say(self, coefficients: Matrix, solution: Solution, rows: Positions) -> Matrix:
        """Return what several coefficients say of some rows, in the units of the response, as models x rows."""
        columns = np.arange(len(self.shared.values)) if self.columns is None else self.columns
        sums = coefficients @ self.shared.rows(columns, rows, solution.mean)
        sums += (self.response.centre + solution.centre - coefficients @ solution.mean)[:, None]
        return np.ldexp(sums, self.response.exponent)

    def _equations(self) -> Equations | None:
        """Return the normal equations of the columns that vary; None if they cannot be trusted."""
        varying = self._scale > 0
        n_columns = int(np.count_nonzero(varying))
        if not (_counts_more(self.weight, n_columns) if self.moments is None else self.response.n_rows > n_columns):
            return None
        if self.moments is not None:
            gram, right = self.moments
            if self.columns is not None:
                gram, right = gram[self.columns[:, None], self.columns], right[self.columns]
            mean = np.zeros(len(varying))
            centre = 0.0
        else:
            gram, sums = self._products()
            total, centre = self.weight.sum(), float(self.weight @ self.response.values)
            mean, centre = (sums / total).T, centre / float(total)
            mean, right = mean[0], mean[1] - mean[0] * centre
            gram = gram / total
            square = np.diagonal(gram)
            gram = gram - np.outer(mean, mean)
            if (np.diagonal(gram) <= LEAST_SHARE * square)[varying].any():
                return None
        some = slice(None) if n_columns == len(varying) else varying
        return Equations(gram[some][:, some], right[some], varying, mean, centre)

    def _products(self) -> tuple[Matrix, Matrix]:
        """Return the weighted products of the columns with each other, and with ones and the response.

        Some rows are worked on at a time: what is made of them stays in the processor's cache, and in memory that the
        process has already.
        """
        beside, every = self.response.beside_ones, slice(None) if self.columns is None else self.columns
        whole = None
        if (self.shared.place[every] >= 0).any():
            whole = self.shared.part(self.columns, self.weight)
        n_columns = len(self._scale)
        gram, sums = np.zeros((n_columns, n_columns)), np.zeros((n_columns, 2))
        step = max(MOST_NUMBERS // max(n_columns, 1), LEAST_ROWS)
        for start in range(0, len(self.weight), step):
            rows = slice(start, start + step)
            values = self.shared.values[every, rows] if whole is None else whole[:, rows]
            weighted = values * self.weight[rows]
            gram += weighted @ values.T
            sums += weighted @ beside[rows]
        return gram, sums

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


def _counts_more(weight: Vector, n_columns: int) -> bool:
    """Whether more rows have weight than there are columns; as a rule the first rows tell."""
    some = weight[: 4 * n_columns + 64]
    return bool(np.count_nonzero(some) > n_columns or np.count_nonzero(weight) > n_columns)


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
