"""Support vector regression over a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from covey._sklearn import Interval
from covey.learners.base import TableRegressor
from covey.learners.design import Vector
from covey.learners.linear_svm import LARGEST, check_cost, most_steps, warn_of_gap
from covey.learners.svm_columns import KernelMachine
from covey.learners.svm_fit import Problem
from covey.models.fields import Array, Field, Number, Whole
from covey.parallel import one_thread
from covey.table import Table
from covey.table.table import CategoricalFeatures


@dataclass(eq=False, repr=False, kw_only=True)
class SVMRegressor(KernelMachine, TableRegressor):
    """Support vector regression with a radial basis function, over numbers and categories.

    It is the function of least length plus C times the sum of the errors beyond epsilon. Columns are those of
    `SVMClassifier`, and the response is brought to mean 0 and variance 1 as well.

    Parameters
    ----------
    kernel : {"rbf", "linear"}, default="rbf"
        ``exp(-gamma |x - z|^2)``, or the inner product of x and z.
    C : float, default=10.0
        What a unit of error costs, in standard deviations of the response. A case's weight multiplies its cost. On 24
        packaged data sets errors were least on average with 10, of 1, 3, 10 and 30.
    epsilon : float, default=0.05
        The error that costs nothing, in standard deviations of the response. On the same sets 0.05 was better than 0.1
        and 0.2.
    gamma : "scale", "auto" or float, default="scale"
        How fast the radial basis function falls. "scale" is 1 over the number of columns that vary, "auto" 1 over the
        number of all columns.
    tol : float, default=1e-3
        By how much predictions may miss the conditions of the optimum, in standard deviations of the response.
    max_iter : int or None, default=None
        How many steps there may be; by default ten million, or a hundred per row if that is more.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.

    Attributes
    ----------
    support_vectors_ : ndarray of shape (n_support, n_columns)
        The rows that the function consists of, on one scale.
    dual_coef_ : ndarray of shape (n_support,)
        The multiplier of each, in units of the response.
    intercept_ : float
    n_iter_ : int
        How many steps there were.
    gamma_ : float
        What `gamma` came to.
    fill_, centre_, scale_ : ndarray of shape (n_columns,)
        What a missing value counts as, what is taken off each column, and what the rest is divided by.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> import numpy as np
    >>> from covey import SVMRegressor
    >>> X = np.linspace(0, 6, 30)[:, None]
    >>> model = SVMRegressor().fit(X, np.sin(X[:, 0]))
    >>> model.predict([[1.5]]).round(1).tolist()
    [1.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **KernelMachine._parameter_constraints,
        "epsilon": [Interval(Real, 0, None, closed="left")],
    }

    _state: ClassVar[dict[str, Field]] = {
        "dual_coef_": Array(np.float64, "support", low=-LARGEST, high=LARGEST),
        "intercept_": Number(),
        "n_iter_": Whole(),
    }

    kernel: Literal["rbf", "linear"] = "rbf"
    C: float = 10.0
    epsilon: float = 0.05
    gamma: float | Literal["scale", "auto"] = "scale"
    tol: float = 0.001
    max_iter: int | None = None
    categorical_features: CategoricalFeatures = "from_dtype"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their responses.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing.
        y : array-like of shape (n_samples,)
            The response.
        sample_weight : array-like of shape (n_samples,), optional
            Case weights, which multiply C case by case as they are; a row of weight 0 counts as absent, and one of
            weight 2 as two rows.

        Returns
        -------
        self
        """
        return super().fit(X, y, sample_weight)

    def _learn(self, table: Table, y: Vector, weight: Vector, *, alone: bool) -> None:
        check_cost(float(self.C), weight)
        kept = np.flatnonzero(weight)
        with one_thread():
            rows = self._set_columns(table, kept, weight)
            response, centre, scale = _standardised(y[kept], weight[kept])
            cost = weight[kept] * float(self.C)
            limits = float(self.epsilon), float(self.tol), most_steps(self.max_iter, len(rows))
            solution = Problem(rows, self._kernel(), response, -cost, cost, *limits).solve()
        support = np.flatnonzero(solution.value)
        self.support_vectors_, self.dual_coef_ = rows[support], solution.value[support] * scale
        self.intercept_, self.n_iter_ = centre + scale * solution.intercept, solution.n_iter
        if solution.gap > self.tol:
            warn_of_gap(solution.n_iter, solution.gap, float(self.tol), stacklevel=4)

    def predict(self, X: Any) -> Vector:
        """Return the predicted response of each row."""
        check_is_fitted(self)
        with one_thread():
            rows = self._scaled(X)
            values = np.full(len(rows), float(self.intercept_))
            for some, products in self._products(rows):
                values[some] += products @ self.dual_coef_
        return values


def _standardised(y: Vector, weight: Vector) -> tuple[Vector, float, float]:
    """Return a response with mean 0 and variance 1, what was taken off, and what it was divided by."""
    share = weight / weight.sum()
    _, exponent = np.frexp(np.abs(y).max())
    values = np.ldexp(y, -exponent)  # so that no sum overflows
    centre = 0.0 if values.min() < values.max() else float(values[0])
    values = values - centre
    for _ in range(2 if values.any() else 0):
        shift = float(values @ share)
        centre, values = centre + shift, values - shift
    scale = float(np.sqrt((values * values) @ share))
    values = values / scale if scale > 0 else values
    return values, float(np.ldexp(centre, exponent)), float(np.ldexp(scale, exponent))
