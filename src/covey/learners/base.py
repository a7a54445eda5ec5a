"""The base of the project's own estimators: reading the data, labels or responses, and weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import inf
from numbers import Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from covey._sklearn import StrOptions
from covey.models.fields import Field, Labels, Whole
from covey.table import (
    Table,
    TableReader,
    as_table,
    check_class_weights,
    check_numeric_target,
    check_weight,
    encode_classes,
    feature_names,
)
from covey.table.table import CategoricalFeatures

ClassWeight = Mapping[Any, float] | Literal["balanced"] | None
# What a parameter ``class_weight`` may be.
CLASS_WEIGHT = [dict, StrOptions({"balanced"}), None]

# Weights count rows if so many times the smallest makes whole numbers of all of them.
MOST_PARTS = 64
LARGEST_COUNT = 1e6

# Scores that differ by less than this share of the total are a tie: sums of the same votes in another order are.
TIE = 1e-12


class TableEstimator(TableReader, ABC):
    """An estimator over numbers and categories, with missing values and real case weights.

    A subclass names its parameters, ``categorical_features`` among them, and learns from what was read.
    """

    takes_zero_weights: ClassVar[bool] = True

    categorical_features: CategoricalFeatures
    classes_: NDArray[Any]  # of a classifier
    n_classes_: int

    @abstractmethod
    def _learn(self, table: Table, y: NDArray[Any], weight: NDArray[np.float64], *, alone: bool) -> None:
        """Learn from class codes without a gap, or numbers, and weights; rows without weight count as absent.

        ``alone`` says that this is no member of an ensemble. A classifier's ``classes_`` is set already.
        """

    def _check_weight(self, sample_weight: Any, table: Table, y: NDArray[Any]) -> NDArray[np.float64]:
        check_consistent_length(table.matrix, y)
        return check_weight(sample_weight, table.matrix)

    def _fit(
        self,
        table: Table,
        names: NDArray[Any] | None,
        y: NDArray[Any],
        weight: NDArray[np.float64],
        *,
        alone: bool,
        classes: NDArray[Any] | None = None,
    ) -> Self:
        with self._all_or_nothing():
            if classes is not None:
                self.classes_, self.n_classes_ = classes, len(classes)
            self._learn(table, y, weight, alone=alone)
            self._remember_columns(table, names)
        return self

    def _rows(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        return np.ascontiguousarray(self._read_new(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


class TableClassifier(ClassifierMixin, TableEstimator):
    """A classifier over numbers and categories, with missing values and real case weights."""

    class_weight: ClassWeight = None  # a parameter of those that can make use of it

    _state: ClassVar[dict[str, Field]] = {
        "classes_": Labels("classes", distinct=True),
        "n_classes_": Whole(1, size="classes"),
    }

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
        weight = self._check_weight(sample_weight, table, codes)
        check_class_weights(classes, codes, weight)
        weight = weigh_classes(self.class_weight, classes, codes, weight)
        return self._fit(table, feature_names(X), codes, self._weigh(weight), alone=True, classes=classes)

    def _weigh(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what case weights mean to the learner: how many cases each row stands for."""
        return case_counts(weight)

    def _fit_member(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64]) -> Self:
        self._validate_params()
        classes = np.flatnonzero(np.bincount(codes))
        codes = codes if len(classes) == classes[-1] + 1 else np.searchsorted(classes, codes)
        weight = weigh_classes(self.class_weight, classes, codes, weight)
        return self._fit(table, feature_names(table), codes, weight, alone=False, classes=classes)


class TableRegressor(RegressorMixin, TableEstimator):
    """A regressor over numbers and categories, with missing values and real case weights."""

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
        weight = self._check_weight(sample_weight, table, response)
        return self._fit(table, feature_names(X), response, weight, alone=True)

    def _fit_member(self, table: Table, y: NDArray[Any], weight: NDArray[np.float64]) -> Self:
        self._validate_params()
        return self._fit(table, feature_names(table), y, weight, alone=False)


def weigh_classes(
    class_weight: ClassWeight, classes: NDArray[Any], codes: NDArray[np.intp], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weights of rows times those of their classes; rows without weight count as absent."""
    if class_weight is None:
        return weight
    by_code = class_weight if isinstance(class_weight, str) else _weights_by_code(class_weight, classes.tolist())
    present, weighed = weight > 0, np.zeros(len(weight))
    weighed[present] = weight[present] * compute_sample_weight(by_code, codes[present])
    return check_weight(weighed, weight)


def _weights_by_code(class_weight: Mapping[Any, float], labels: list[Any]) -> dict[int, float]:
    """Return the weight of each class by its place among all; 1 if it has none."""
    absent, strange = [label for label in labels if label not in class_weight], set(class_weight) - set(labels)
    if absent and strange:
        raise ValueError(f"class_weight gives no weight to {absent!r:.60} and one to {strange!r:.60}; y has {labels}.")
    for label, given in class_weight.items():
        value: object = given  # whatever it is annotated as
        if not isinstance(value, Real) or not 0 < float(value) < inf:
            raise ValueError(f"class_weight={{{label!r}: {value!r}}} is no weight; give a number of more than 0.")
    return {code: float(class_weight.get(label, 1.0)) for code, label in enumerate(labels)}


def case_counts(weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale case weights so that they can be counted as cases.

    Weights that are whole multiples of a number are divided by the largest such number, so that 1, 2 and 3 are as many
    repetitions, and so are 10, 20 and 30. Others are scaled to a mean of 1 over the rows that have any.
    """
    counts = np.zeros(len(weight))
    present = weight > 0
    whole = _whole_multiples(weight[present])
    counts[present] = weight[present] / weight[present].mean() if whole is None else whole
    return counts


def _whole_multiples(weight: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return how many times each weight holds the largest number that all of them are multiples of, if there is one."""
    smallest = weight.min()
    if weight.max() > LARGEST_COUNT * smallest:
        return None
    for parts in range(1, MOST_PARTS + 1):
        ratio = weight / smallest * parts
        whole = np.rint(ratio)
        if (np.abs(ratio - whole) <= 1e-9 * whole).all():
            return np.asarray(whole)
    return None


def put_ahead(shares: NDArray[np.float64], winners: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return shares of classes, the winner of a tie ahead by as little as makes it the greatest.

    Without that, the class with the greatest probability would be another one than the prediction.
    """
    rows = np.arange(len(shares))
    ahead, others = shares.copy(), shares.copy()
    others[rows, winners] = -np.inf
    close = others.max(axis=1) > shares[rows, winners] - TIE if shares.shape[1] > 1 else np.zeros(len(rows), bool)
    ahead[rows[close], winners[close]] = others[close].max(axis=1) + TIE
    return ahead
