"""Estimators that read tables: what all have in common, and one that turns tables into numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from covey._interrupts import raise_interrupt
from covey.models.fields import Field, Maybe, Names, Part, Whole, require
from covey.table.schema import FloatMatrix, Schema
from covey.table.table import CategoricalFeatures, Table, as_table


class TableReader(BaseEstimator):
    """An estimator that takes frames, arrays or tables, with categorical columns and missing values.

    Inside an ensemble such an estimator is handed tables, so that a category keeps its code in every member. It has to
    cope with tables that hold one class only.
    """

    # Whether rows without weight may stay in the table, so that all members of an ensemble see the same one and share
    # what is found out about it. Such an estimator is trained by `_fit_member`.
    takes_zero_weights: ClassVar[bool] = False

    schema_: Schema

    _state: ClassVar[dict[str, Field]] = {
        "schema_": Part(Schema, ["features"], shared=True),
        "n_features_in_": Whole(1, size="features"),
        "feature_names_in_": Maybe(Names("features")),
    }

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        # scikit-learn reads the signature each time, which for members takes longer than a small tree.
        return list(super()._get_param_names())

    def _check_state(self) -> None:
        names = getattr(self, "feature_names_in_", None)
        require(names is None or tuple(names) == self.schema_.names, "has two names for a column")

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Put everything back as it was if a fit fails."""
        before = self.__dict__.copy()
        try:
            yield
        except BaseException as error:
            self.__dict__ = before
            raise_interrupt(error)
            raise

    def _remember_columns(self, table: Table, names: NDArray[Any] | None) -> None:
        """Set ``schema_``, ``n_features_in_`` and, if the data has names, ``feature_names_in_``."""
        self.schema_ = table.schema
        self.n_features_in_ = table.schema.n_features
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _read_new(self, X: Any) -> FloatMatrix:
        return self.schema_.encode(X, check=partial(validate_data, self, X, reset=False, skip_check_array=True))

    def _fit_member(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64]) -> Self:
        """Train a member on class codes; the ensemble has checked all three, and its weights count cases."""
        raise NotImplementedError(f"{type(self).__name__} takes no zero weights.")

    def _innermost(self) -> Any:
        """Return what reads the values in the end: for an ensemble its base estimator."""
        return self


def feature_names(X: Any) -> NDArray[Any] | None:
    """Return the names that scikit-learn would keep for these rows, None if they have none."""
    if isinstance(X, Table):
        return np.array(X.names, dtype=object) if X.schema.named else None
    probe = BaseEstimator()
    validate_data(probe, X, skip_check_array=True)
    return getattr(probe, "feature_names_in_", None)


class Indicators(TransformerMixin, TableReader):
    """Turns a frame into numbers: each category becomes a 0/1 column, and numbers stay as they are.

    covey's ensembles do this for their members; it is here for pipelines with other estimators. Of more than 255
    categories the most frequent have a column. A missing category, or one without a column, is 0 in all of them;
    missing numbers stay missing.

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
                column == self.schema_.spread(j) if is_coded else column  # NaN equals no code
                for j, (column, is_coded) in enumerate(zip(matrix.T[:, :, None], self.schema_.categorical, strict=True))
            ],
            dtype=np.float64,
        )

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the name of each column, with its category if it stands for one."""
        check_is_fitted(self)
        names: list[str] = []
        for j, (name, known) in enumerate(zip(self.schema_.names, self.schema_.categories, strict=True)):
            shown = known[self.schema_.spread(j)] if known is not None and len(known) else ()
            names += [f"{name}={category}" for category in shown] or [name]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
