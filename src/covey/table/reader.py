"""Base of all estimators that read tables: the training data's schema, and new rows encoded by it."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from covey.models.fields import Field, Maybe, Names, Part, Whole, require
from covey.table.schema import FloatMatrix, Schema
from covey.table.table import Table


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

    def _check_state(self) -> None:
        names = getattr(self, "feature_names_in_", None)
        require(names is None or tuple(names) == self.schema_.names, "has two names for a column")

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
