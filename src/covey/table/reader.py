"""What estimators share that read tables: the training data's schema, and new rows encoded by it."""

from __future__ import annotations

from functools import partial
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from covey.table.schema import FloatMatrix, Schema, Table
from covey.table.table import CategoricalFeatures, as_table, encode_rows


class TableReader(BaseEstimator):
    """An estimator that takes frames, arrays or tables, with categorical columns and missing values.

    Fitting sets ``schema_``, ``n_features_in_`` and, if the data has names, ``feature_names_in_``. Inside an ensemble
    such an estimator is handed tables, so that a category keeps its code in every member.
    """

    schema_: Schema

    def _read_training(self, X: Any, categorical_features: CategoricalFeatures = "from_dtype") -> Table:
        table = as_table(X, categorical_features)
        if isinstance(X, Table):
            self.n_features_in_ = table.schema.n_features
        else:
            validate_data(self, X, skip_check_array=True)
        self.schema_ = table.schema
        return table

    def _read_new(self, X: Any) -> FloatMatrix:
        return encode_rows(X, self.schema_, check=partial(validate_data, self, X, reset=False, skip_check_array=True))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
