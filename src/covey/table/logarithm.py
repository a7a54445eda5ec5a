"""Logarithms of the target, for numbers that differ by factors."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from covey.models.fields import Field, Model, require
from covey.table.target import check_numeric_target

# So large a logarithm is of the largest float64.
_LARGEST = float(np.log(np.finfo(np.float64).max))


class LogTarget(RegressorMixin, BaseEstimator):
    """A regressor that is trained on the natural logarithms of the target, and predicts on the scale of the target.

    It does what scikit-learn's ``TransformedTargetRegressor(regressor, func=np.log, inverse_func=np.exp)`` does, and
    can be saved, since it holds no functions.

    Parameters
    ----------
    regressor : regressor
        What is trained.

    Attributes
    ----------
    regressor_ : regressor
        The fitted one, which predicts logarithms.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from covey.table import LogTarget
    >>> model = LogTarget(LinearRegression()).fit([[0], [1], [2]], [1, 10, 100])
    >>> model.predict([[3]]).round()
    array([1000.])
    """

    _state: ClassVar[dict[str, Field]] = {"regressor_": Model()}

    def __init__(self, regressor: Any) -> None:
        self.regressor = regressor

    def fit(self, X: Any, y: Any) -> Self:
        """Train on rows and their numbers, which must be above 0."""
        values = check_numeric_target(y)
        if not (values > 0).all():
            raise ValueError(f"y has {values[~(values > 0)][0]:g}, which has no logarithm; give numbers above 0.")
        self.regressor_ = clone(self.regressor).fit(X, np.log(values))
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return a number for each row."""
        check_is_fitted(self)
        logarithms = np.asarray(self.regressor_.predict(X), dtype=np.float64)
        return np.asarray(np.exp(np.minimum(logarithms, _LARGEST)))

    def _check_state(self) -> None:
        require(hasattr(self.regressor, "get_params"), "has no regressor")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.regressor).input_tags
        tags.target_tags.positive_only = True
        return tags

    @property
    def n_features_in_(self) -> int:
        """How many columns there were in training."""
        return int(self.regressor_.n_features_in_)

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """What they were called."""
        names: NDArray[Any] = self.regressor_.feature_names_in_
        return names
