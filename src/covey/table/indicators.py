"""Tables for estimators that take numbers only."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from covey.table.reader import TableReader, feature_names
from covey.table.schema import FloatMatrix
from covey.table.table import CategoricalFeatures, as_table


class Indicators(TransformerMixin, TableReader):
    """Turns a frame into numbers: each category becomes a 0/1 column, and numbers stay as they are.

    covey's ensembles do this for their members; it is here for pipelines with other estimators. A missing category, or
    one never seen in training, is 0 in all its columns; missing numbers stay missing.

    Parameters
    ----------
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.

    Attributes
    ----------
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> import pandas as pd
    >>> from covey.table import Indicators
    >>> frame = pd.DataFrame({"age": [31, None], "town": ["Ely", "York"]})
    >>> encoder = Indicators().fit(frame)
    >>> encoder.transform(frame)
    array([[31.,  1.,  0.],
           [nan,  0.,  1.]])
    >>> encoder.get_feature_names_out()
    array(['age', 'town=Ely', 'town=York'], dtype=object)
    """

    def __init__(self, categorical_features: CategoricalFeatures = "from_dtype") -> None:
        self.categorical_features = categorical_features

    def fit(self, X: Any, y: Any = None) -> Self:
        """Remember the columns of an array or data frame and their categories; `y` is ignored."""
        self._remember_columns(as_table(X, self.categorical_features), feature_names(X))
        return self

    def transform(self, X: Any) -> FloatMatrix:
        """Return the rows as numbers, float64."""
        check_is_fitted(self)
        matrix = self._read_new(X)
        return np.hstack(
            [
                column if known is None else column == np.arange(max(len(known), 1))  # NaN equals no code
                for column, known in zip(matrix.T[:, :, None], self.schema_.categories, strict=True)
            ],
            dtype=np.float64,
        )

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the name of each column, with its category if it stands for one."""
        check_is_fitted(self)
        names: list[str] = []
        for name, known in zip(self.schema_.names, self.schema_.categories, strict=True):
            names += [name] if known is None else [f"{name}={category}" for category in known] or [name]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
