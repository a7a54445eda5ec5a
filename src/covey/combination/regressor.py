"""The combination for numbers: out-of-fold predictions of unlike members, weighted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from covey.combination.base import Combination, Floats
from covey.combination.pooling import Pool, pool_numbers
from covey.learners.base import TableRegressor
from covey.models.fields import Array, Field
from covey.table import Table, as_table, check_numeric_target, feature_names


@dataclass(eq=False, repr=False, kw_only=True)
class CoveyRegressor(Combination, TableRegressor):
    """Unlike regressors combined: the one to pick when you do not want to choose.

    Each member predicts rows that it has not seen, by cross-validation; weights are chosen with which the mean of the
    members has the least squared error there. A prior draws them towards equal ones where rows are few. Members that
    earn no weight are dropped, the others are fitted on all rows.

    Parameters
    ----------
    members, weighting, cv, budget, categorical_features, n_jobs, random_state, verbose
        As of `CoveyClassifier`.

    Attributes
    ----------
    member_scores_ : DataFrame
        Weight, R² and root mean squared error on rows that were not seen, seconds, and why a member was left out.
    oof_predictions_ : ndarray of shape (n_samples,)
        The combination's predictions for training rows from members that had not seen them; NaN for rows that no fold
        asks about.
    oof_residuals_ : ndarray of shape (n_samples,)
        The training rows' targets less these predictions.
    feature_importances_ : ndarray of shape (n_features,)
        How much the root mean squared error grows when a column is shuffled, on rows that were left out; worked out
        when asked for.
    weights_, estimators_, n_features_in_, feature_names_in_, schema_
        As of `CoveyClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from covey import CoveyRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = CoveyRegressor(["rassel", "ridge regression"], random_state=0).fit(X, y)
    >>> model.predict(X[:2]).shape
    (2,)
    """

    _state: ClassVar[dict[str, Field]] = {
        "oof_predictions_": Array(np.float64, "rows", nan=True),
        "oof_residuals_": Array(np.float64, "rows", nan=True),
    }
    _measures: ClassVar[tuple[str, str]] = ("R²", "RMSE")

    @property
    def _task(self) -> str:
        return "regression"

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Train the members, weigh them by what they predict of rows they have not seen, and fit them on all.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing.
        y : array-like of shape (n_samples,)
            The response.
        sample_weight : array-like of shape (n_samples,), optional
            Row weights; a row of weight 0 counts as absent.
        groups : array-like of shape (n_samples,), optional
            Rows of one group are kept in one fold.

        Returns
        -------
        self
        """
        self._validate_params()
        table = as_table(X, self.categorical_features)
        values = check_numeric_target(y)
        weight = self._check_weight(sample_weight, table, values)
        with self._all_or_nothing():
            self._train(table, values, weight, groups)
            self._remember_columns(table, feature_names(X))
        return self

    def _train(self, table: Table, y: NDArray[Any], weight: Floats, groups: Any) -> None:
        super()._train(table, y, weight, groups)
        self.oof_residuals_ = y - self.oof_predictions_

    def _width(self) -> float:
        return float(np.nanquantile(np.abs(self.oof_residuals_), 0.9))

    def _make_pool(self, outputs: Floats, y: NDArray[Any], weight: Floats, frequencies: Floats) -> Pool:
        return pool_numbers(outputs, y, weight, self.weighting)

    @staticmethod
    def _grade(output: Floats, y: NDArray[Any], weight: Floats) -> tuple[float, float]:
        error, spread = weight @ (output - y) ** 2, weight @ (y - weight @ y) ** 2
        return float(1.0 - error / spread) if spread > 0.0 else np.nan, float(np.sqrt(error))

    def predict(self, X: Any) -> Floats:
        """Return the weighted mean of the members' predictions for each row."""
        check_is_fitted(self)
        return self._pooled(X)
