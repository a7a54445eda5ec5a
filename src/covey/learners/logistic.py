"""Logistic regression over numbers and categories, without a penalty unless it is needed."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from covey._sklearn import Interval
from covey.learners.base import CLASS_WEIGHT, ClassWeight, TableClassifier, weigh_classes
from covey.learners.design import Matrix, Positions, Vector
from covey.learners.linear import DEPENDENT, LinearModel, warn_of_one_ridge
from covey.learners.logistic_fit import Solution, own_task, shared_task
from covey.learners.logistic_without import without_each
from covey.learners.newton import Exact
from covey.models.fields import Array, Field, Number, Whole, require
from covey.parallel import one_thread
from covey.table import Table
from covey.table.design import design_of
from covey.table.table import CategoricalFeatures


@dataclass(eq=False, repr=False, kw_only=True)
class LogisticClassifier(LinearModel, TableClassifier):
    """Logistic regression by maximum likelihood, over numbers and categories.

    Two classes are fitted by Newton's method (iteratively reweighted least squares, eq. 2.6 and 2.7 of the thesis),
    more by the same on the multinomial model, whose steps are found by conjugate gradients where there are many classes
    or columns. A number is one column, a nominal attribute with K categories has K - 1 columns of 0 and 1 for all but
    the first, of more than 255 categories for the most frequent. A missing value counts as the column's weighted mean
    over the training rows, and so does a category never seen. A column that does not vary gets the coefficient 0.

    Parameters
    ----------
    ridge : float, default=1e-4
        The penalty on squared coefficients of standardised columns, per case, that is used where the likelihood has
        no unique finite maximum, and only there: where columns are linearly dependent or as many as rows, or where
        some combination of them tells classes apart without an error; with more than five classes and 1,000
        coefficients also where no maximum is reached in 30 iterations. In ensembles on seven data sets, a third to all
        of whose members were separable, 1e-4 changed the log loss by at most 4 % against 1e-8, while 1e-3 raised it by
        up to 5 % and 1e-2 by up to 26 %; it takes about a quarter fewer iterations than 1e-6.
    tol : float, default=1e-6
        The largest derivative of the mean log-likelihood by a standardised column's coefficient at the end.
    max_iter : int, default=100
        How many iterations there may be.
    class_weight : dict, "balanced" or None
        Weights of classes, by which case weights are multiplied; "balanced" gives all classes the same in sum.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_columns) or (n_classes, n_columns)
        One coefficient per column of the design, of which `coef_names_` tells which is which: those of the second
        class if there are two, else of every class, which add up to 0.
    intercept_ : ndarray of shape (1,) or (n_classes,)
    ridge_ : float
        The ridge that was used; 0.0 where none was needed.
    n_iter_ : int
        How many iterations there were.
    fill_ : ndarray of shape (n_columns,)
        What a missing value counts as.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> import numpy as np
    >>> from covey import LogisticClassifier
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> model = LogisticClassifier().fit(X, ["no", "no", "yes", "no", "yes", "yes"])
    >>> model.predict([[1.5], [3.5]]).tolist()
    ['no', 'yes']
    >>> model.ridge_
    0.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "class_weight": CLASS_WEIGHT,
        "ridge": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    _state: ClassVar[dict[str, Field]] = {
        "coef_": Array(np.float64, "outputs", "columns"),
        "intercept_": Array(np.float64, "outputs"),
        "ridge_": Number(0),
        "n_iter_": Whole(),
    }

    def _check_state(self) -> None:
        super()._check_state()
        n_classes = len(self.classes_)
        require(len(self.coef_) == (1 if n_classes == 2 else n_classes), "has coefficients of other classes")

    ridge: float = 0.0001
    tol: float = 1e-06
    max_iter: int = 100
    class_weight: ClassWeight = None
    categorical_features: CategoricalFeatures = "from_dtype"

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: Vector, *, alone: bool) -> None:
        present = np.flatnonzero(np.bincount(codes, weight, minlength=len(self.classes_)))
        complete = len(present) == len(self.classes_)
        if not complete:  # a member may have drawn no row of a class
            codes = np.searchsorted(present, codes)
            self.classes_, self.n_classes_ = self.classes_[present], len(present)
        with one_thread():
            # Codes of its own are not those that other members know the table by.
            task = shared_task(table, codes, weight) if complete and not alone else own_task(table, codes, weight)
            solution = task.solve(float(self.ridge), float(self.tol), int(self.max_iter))
        scale, centre = task.scale, task.centre
        with np.errstate(over="ignore"):
            slopes = solution.coefficients / np.where(scale > 0, scale, 1.0)
        self.coef_ = np.where(scale > 0, slopes, 0.0)
        self.intercept_ = solution.intercepts - self.coef_ @ centre
        self.fill_ = centre + scale * solution.mean
        self.ridge_, self.n_iter_ = solution.ridge, solution.n_iter
        self._warn(solution, alone)

    def _warn(self, solution: Solution, alone: bool) -> None:
        if solution.ridge and alone:
            apart = "The columns of X tell classes apart without an error"
            warn_of_one_ridge(DEPENDENT if solution.is_singular else apart, solution.ridge, stacklevel=5)
        if not solution.is_done:
            warnings.warn(
                f"max_iter={self.max_iter} iterations were not enough to reach tol={self.tol:g}; raise max_iter.",
                ConvergenceWarning,
                stacklevel=5,
            )

    def say_without_each(
        self, table: Table, codes: NDArray[np.intp], weight: Vector, rows: Positions
    ) -> NDArray[np.float64] | None:
        """Return the probabilities by this member, and by members without one of its columns each, of some rows.

        As members x rows x classes; None where they have to be trained one by one.
        """
        if not 2 <= len(self.classes_) == int(codes.max()) + 1:
            return None
        with one_thread():
            weight = weigh_classes(self.class_weight, self.classes_, codes, weight)
            task = shared_task(table, codes, weight)
            seen = task.see(float(self.tol), int(self.max_iter))
            likelihood, scale = seen.problem.likelihood, task.scale
            if not isinstance(likelihood, Exact):
                return None
            theta = np.column_stack([self.coef_ * scale, self.intercept_ + self.coef_ @ task.centre])
            starts = design_of(table.schema).starts
            others = without_each(seen, starts, likelihood.coordinates(theta), self.ridge_, float(self.ridge))
            if others is None:
                return None
            all_of = np.array([theta, *(likelihood.by_class(other) for other in others)])
            logits = all_of @ task.rows(rows, seen)
            flat = _probabilities(logits.transpose(0, 2, 1).reshape(-1, logits.shape[1]))
            return flat.reshape(len(all_of), len(rows), -1)

    def decision_function(self, X: Any) -> Matrix:
        """Return logits.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            The logit of the second class if there are two, else of every class.
        """
        check_is_fitted(self)
        logits = self._sums(X, self.coef_, self.intercept_)
        return logits[:, 0] if len(self.classes_) == 2 else logits

    def predict_proba(self, X: Any) -> Matrix:
        """Return the class probabilities of each row, columns in the order of ``classes_``."""
        logits = self.decision_function(X)
        if len(self.classes_) == 1:
            return np.ones((len(logits), 1))
        return _probabilities(logits[:, None] if logits.ndim == 1 else logits)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class of each row."""
        logits = self.decision_function(X)
        codes = (logits > 0).astype(np.intp) if logits.ndim == 1 else logits.argmax(axis=1)
        return np.asarray(self.classes_[codes])


def _probabilities(logits: Matrix) -> Matrix:
    """Return probabilities of classes, of logits of all of them or of the second of two."""
    if logits.shape[1] == 1:
        odds = np.exp(-np.abs(logits[:, 0]))
        second = np.where(logits[:, 0] >= 0, 1.0, odds) / (1.0 + odds)
        return np.column_stack([1.0 - second, second])
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
