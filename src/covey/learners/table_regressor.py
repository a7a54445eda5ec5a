"""What the project's own base regressors share: reading the data, the response and weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_consistent_length

from covey.table import Table, TableReader, as_table, check_numeric_target, check_weight, feature_names
from covey.table.table import CategoricalFeatures


class TableRegressor(RegressorMixin, TableReader, ABC):
    """A regressor over numbers and categories, with missing values and real case weights.

    A subclass names its parameters, ``categorical_features`` among them, and learns from what was read.
    """

    takes_zero_weights: ClassVar[bool] = True

    categorical_features: CategoricalFeatures

    @abstractmethod
    def _learn(self, table: Table, y: NDArray[np.float64], weight: NDArray[np.float64], *, alone: bool) -> None:
        """Learn from numbers and weights; rows without weight count as absent.

        ``alone`` says that this is no member of an ensemble.
        """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their responses.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing.
        y : array-like of shape (n_samples,)
            The response.
        sample_weight : array-like of shape (n_samples,), optional
            Case weights; a row of weight 0 counts as absent. Weights that differ by a factor give the same model.

        Returns
        -------
        self
        """
        self._validate_params()
        table = as_table(X, self.categorical_features)
        response = check_numeric_target(y)
        check_consistent_length(table.matrix, response)
        weight = check_weight(sample_weight, table.matrix)
        return self._fit(table, feature_names(X), response, weight, alone=True)

    def _fit_member(self, table: Table, y: NDArray[Any], weight: NDArray[np.float64]) -> Self:
        self._validate_params()
        return self._fit(table, feature_names(table), y, weight, alone=False)

    def _fit(
        self,
        table: Table,
        names: NDArray[Any] | None,
        y: NDArray[np.float64],
        weight: NDArray[np.float64],
        *,
        alone: bool,
    ) -> Self:
        before = self.__dict__.copy()
        try:
            self._learn(table, y, weight, alone=alone)
            self._remember_columns(table, names)
        except BaseException:
            self.__dict__ = before
            raise
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
