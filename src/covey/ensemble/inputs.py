"""The inputs of models: rows and columns of a table, in the form that each kind of model takes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, cached_property
from inspect import signature
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.tree import BaseDecisionTree

from covey.parallel import HoldsArrays
from covey.strategies.view import Rotated, View
from covey.table import Table, TableReader
from covey.table.design import check_size

Form = Literal["table", "codes", "indicators", "nothing"]


def form_of(model: Any) -> Form:
    """Say how a model takes categorical columns.

    covey's own take tables; one with a ``categorical_features`` parameter takes codes and is told which columns they
    are; any other gets one 0/1 column per category, all 0 for a missing or unknown one; of more than 255 categories the
    most frequent have one. A constant needs none at all.
    """
    kind: Any = type(model)
    return _form_of_type(kind)


@cache
def _form_of_type(kind: Any) -> Form:
    if issubclass(kind, TableReader):
        return "table"
    if issubclass(kind, DummyClassifier | DummyRegressor):
        return "nothing"
    return "codes" if "categorical_features" in signature(kind).parameters else "indicators"


class Inputs(HoldsArrays):
    """A table in the forms that models take.

    What members share is read-only, or they would see what another made of it. scikit-learn's finiteness check,
    however, takes no read-only array with NaN in it, so there each member gets a copy of its own.
    """

    def __init__(self, table: Table) -> None:
        self.table = replace(table, matrix=_read_only(table.matrix))
        self.has_categories = bool(table.categorical.any())
        self.has_missing = bool(np.isnan(table.matrix).any())

    def for_model(self, model: Any, view: View | None, rows: NDArray[np.intp] | None = None) -> Any:
        """Return some rows and what a view shows of them as the model takes it; None stands for all."""
        form = form_of(model)
        if form == "nothing":
            return np.zeros((len(self.table.matrix) if rows is None else len(rows), 1))
        if isinstance(view, Rotated):
            seen = view.see(self.table, rows)
            if rows is None and self.table.counted is not None:
                seen = seen.counting(self.table.counted)
            return Inputs(seen).for_model(model, None)
        columns = view
        if form == "table":
            table = self.table if columns is None else self.table.take(columns)
            return table if rows is None else Table(_take(table.matrix, rows, None), table.schema)
        if columns is not None and form == "indicators" and self.has_categories:
            columns = np.concatenate([np.arange(self._starts[j], self._starts[j + 1]) for j in columns])
        if isinstance(model, BaseDecisionTree):
            return _take(self._single, rows, columns)  # trees do not write, and nobody else sees it
        values = _take(self.table.matrix if form == "codes" else self._double, rows, columns)
        return values if values.flags.writeable or not self.has_missing else values.copy()

    def tell_categories(self, model: Any, view: View | None) -> None:
        """Tell a model that takes codes which of its columns they are in."""
        if self.has_categories and form_of(model) == "codes" and not isinstance(view, Rotated):
            mask = self.table.categorical
            model.set_params(categorical_features=mask if view is None else mask[view])

    def encode_for(self, model: Any) -> None:
        """Encode the table now, once for all members, as a model of this kind takes it."""
        if form_of(model) == "indicators":
            _ = self._single if isinstance(model, BaseDecisionTree) else self._double

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        """Where each column starts once it is spread out; one without a single category is a column of zeros."""
        return np.concatenate([[0], np.cumsum(self.table.schema.widths)])

    @cached_property
    def _double(self) -> NDArray[Any]:
        return _read_only(self._spread(np.float64)) if self.has_categories else self.table.matrix

    @cached_property
    def _single(self) -> NDArray[Any]:
        """The same in float32, which scikit-learn's trees would otherwise make of it once per member.

        Numbers too large for it are left as they are: the tree says so in its own words.
        """
        with np.errstate(over="ignore"):
            single = self._spread(np.float32)
        return self._double if np.isinf(single).any() else single

    def _spread(self, dtype: type) -> NDArray[Any]:
        """Each categorical column as one 0/1 column per category, of many per frequent one; the others as they are."""
        matrix, categorical = self.table.matrix, self.table.categorical
        if not self.has_categories:
            return matrix.astype(dtype)
        size = len(matrix) * int(self._starts[-1]) * np.dtype(dtype).itemsize
        check_size(self.table.schema, size, remedy=", or use a base estimator that knows categories")
        spread: NDArray[Any] = np.zeros((len(matrix), int(self._starts[-1])), dtype=dtype)
        spread[:, self._starts[:-1][~categorical]] = matrix[:, ~categorical]
        for j in np.flatnonzero(categorical):
            place = np.full(max(int(self.table.schema.n_categories[j]), 1), -1)
            codes = self.table.schema.spread(int(j))
            place[codes] = self._starts[j] + np.arange(len(codes))
            known = np.flatnonzero(~np.isnan(matrix[:, j]))
            columns = place[matrix[known, j].astype(np.intp)]
            spread[known[columns >= 0], columns[columns >= 0]] = 1
        return spread


def _read_only(matrix: NDArray[Any]) -> NDArray[Any]:
    view = matrix.view()
    view.flags.writeable = False
    return view


def _take(matrix: NDArray[Any], rows: NDArray[np.intp] | None, columns: NDArray[np.intp] | None) -> NDArray[Any]:
    # NumPy's take keeps rows contiguous, and the narrower matrix is the cheaper one to take rows of.
    if columns is not None:
        matrix = np.take(matrix, columns, axis=1)
    return matrix if rows is None else np.take(matrix, rows, axis=0)
