"""Classes as codes, for classifiers that take no other labels."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from covey.models.fields import Field, Labels, Model, require
from covey.table.target import encode_classes


class CodedClasses(ClassifierMixin, BaseEstimator):
    """A classifier that is trained on the codes 0, 1, 2 and so on of its classes.

    XGBoost takes no other labels; inside of it, it takes any.

    Parameters
    ----------
    estimator : classifier
        What is trained; one that gives probabilities.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    estimator_ : classifier
        The fitted one, which knows codes only.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from covey.table import CodedClasses
    >>> model = CodedClasses(DecisionTreeClassifier()).fit([[1], [2], [3]], ["low", "low", "high"])
    >>> model.predict([[3]])
    array(['high'], dtype='<U4')
    >>> model.estimator_.classes_
    array([0, 1])
    """

    _state: ClassVar[dict[str, Field]] = {"classes_": Labels("classes", distinct=True), "estimator_": Model()}

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> Self:
        """Train on rows and their labels."""
        classes, codes = encode_classes(y)
        self.estimator_ = clone(self.estimator).fit(X, codes)
        self.classes_ = classes
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return a label for each row."""
        check_is_fitted(self)
        codes = np.asarray(self.estimator_.predict(X), dtype=np.intp)
        return self.classes_[codes]

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Return the probability of each class for each row."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_proba(X))

    def _check_state(self) -> None:
        require(hasattr(self.estimator, "get_params"), "has no estimator")
        known = np.asarray(getattr(self.estimator_, "classes_", ()))
        require(np.array_equal(known, np.arange(len(self.classes_))), "has other codes than its classes")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    @property
    def n_features_in_(self) -> int:
        """How many columns there were in training."""
        return int(self.estimator_.n_features_in_)

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """What they were called."""
        names: NDArray[Any] = self.estimator_.feature_names_in_
        return names
