"""What the project's own base classifiers share: reading the data, labels and weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from covey.learners.counts import case_counts
from covey.models.fields import Field, Labels, Whole
from covey.table import Table, TableReader, as_table, check_class_weights, check_weight, encode_classes, feature_names
from covey.table.table import CategoricalFeatures


class TableClassifier(ClassifierMixin, TableReader, ABC):
    """A classifier over numbers and categories, with missing values and real case weights.

    A subclass names its parameters, ``categorical_features`` among them, and learns from what was read.
    """

    takes_zero_weights: ClassVar[bool] = True

    categorical_features: CategoricalFeatures
    classes_: NDArray[Any]

    _state: ClassVar[dict[str, Field]] = {
        "classes_": Labels("classes", distinct=True),
        "n_classes_": Whole(1, size="classes"),
    }

    @abstractmethod
    def _learn(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64], *, alone: bool) -> None:
        """Learn from class codes without a gap and weights that count cases; rows without weight count as absent.

        ``alone`` says that this is no member of an ensemble. ``classes_`` is set already.
        """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their classes.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), optional
            Case weights; a row of weight 0 counts as absent. Weights that are whole multiples of one number count
            cases: the fit is that on repeated rows. Others are scaled to a mean of 1. Either way weights that differ
            by a factor give the same model.

        Returns
        -------
        self
        """
        self._validate_params()
        table = as_table(X, self.categorical_features)
        classes, codes = encode_classes(y)
        check_consistent_length(table.matrix, codes)
        weight = check_weight(sample_weight, table.matrix)
        check_class_weights(classes, codes, weight)
        return self._fit(table, feature_names(X), classes, codes, self._weigh(weight), alone=True)

    def _weigh(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what case weights mean to the learner: how many cases each row stands for."""
        return case_counts(weight)

    def _fit_member(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64]) -> Self:
        self._validate_params()
        classes = np.flatnonzero(np.bincount(codes))
        codes = codes if len(classes) == classes[-1] + 1 else np.searchsorted(classes, codes)
        return self._fit(table, feature_names(table), classes, codes, weight, alone=False)

    def _fit(
        self,
        table: Table,
        names: NDArray[Any] | None,
        classes: NDArray[Any],
        codes: NDArray[np.intp],
        weight: NDArray[np.float64],
        *,
        alone: bool,
    ) -> Self:
        before = self.__dict__.copy()
        try:
            self.classes_ = classes
            self.n_classes_ = len(classes)
            self._learn(table, codes, weight, alone=alone)
            self._remember_columns(table, names)
        except BaseException:
            self.__dict__ = before
            raise
        return self

    def _rows(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        return np.ascontiguousarray(self._read_new(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
