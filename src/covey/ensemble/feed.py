"""Handing each model its rows and columns, in the form that its kind of model takes."""

from __future__ import annotations

from functools import cache, cached_property
from inspect import signature
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import BaseDecisionTree

from covey.table import Table, TableReader

Form = Literal["table", "codes", "indicators"]


def form_of(model: Any) -> Form:
    """Say how a model takes categorical columns.

    covey's own take tables; one with a ``categorical_features`` parameter takes codes and is told which columns they
    are; any other gets one 0/1 column per category, all 0 for a missing or unknown one.
    """
    kind: Any = type(model)
    return _form_of_type(kind)


@cache
def _form_of_type(kind: Any) -> Form:
    if issubclass(kind, TableReader):
        return "table"
    return "codes" if "categorical_features" in signature(kind).parameters else "indicators"


class Feed:
    """A table from which models are fed.

    Parameters
    ----------
    table : Table
        All rows and columns.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.has_categories = bool(table.categorical.any())

    def give(self, model: Any, columns: NDArray[np.intp] | None, rows: NDArray[np.intp] | None = None) -> Any:
        """Return some rows and columns as the model takes them; None stands for all."""
        form = form_of(model)
        if form == "table":
            schema = self.table.schema if columns is None else self.table.schema.take(columns)
            return Table(_take(self.table.matrix, rows, columns), schema)
        if form == "codes":
            return _take(self.table.matrix, rows, columns)
        values, starts = self._indicators
        if columns is not None and self.has_categories:
            columns = np.concatenate([np.arange(starts[j], starts[j + 1]) for j in columns])
        return _take(self._single if isinstance(model, BaseDecisionTree) else values, rows, columns)

    def prepare(self, model: Any, columns: NDArray[np.intp] | None) -> None:
        """Tell a model that takes codes which of its columns they are in."""
        if self.has_categories and form_of(model) == "codes":
            mask = self.table.categorical
            model.set_params(categorical_features=mask if columns is None else mask[columns])

    @cached_property
    def _indicators(self) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """The matrix with each categorical column spread out, and where each column starts in it."""
        matrix, n_categories = self.table.matrix, self.table.schema.n_categories
        if not self.has_categories:
            return matrix, np.arange(matrix.shape[1] + 1)
        widths = np.maximum(n_categories, 1)  # a column without a single category is a column of zeros
        starts = np.concatenate([[0], np.cumsum(widths)])
        spread = np.zeros((len(matrix), int(starts[-1])))
        for j, start in enumerate(starts[:-1]):
            if self.table.categorical[j]:
                known = np.flatnonzero(~np.isnan(matrix[:, j]))
                spread[known, start + matrix[known, j].astype(np.intp)] = 1.0
            else:
                spread[:, start] = matrix[:, j]
        return spread, starts

    @cached_property
    def _single(self) -> NDArray[Any]:
        """The same in float32, which scikit-learn's trees would otherwise make of it once per member.

        Numbers too large for it are left as they are: the tree says so in its own words.
        """
        values, _ = self._indicators
        with np.errstate(over="ignore"):
            single = values.astype(np.float32)
        return values if np.isinf(single).any() else single


def _take(matrix: NDArray[Any], rows: NDArray[np.intp] | None, columns: NDArray[np.intp] | None) -> NDArray[Any]:
    if rows is not None:
        matrix = matrix[rows]
    if columns is not None:
        matrix = matrix[:, columns]
    return np.ascontiguousarray(matrix)
