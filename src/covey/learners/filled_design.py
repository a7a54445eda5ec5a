"""A table's columns as numbers without gaps, found once for all members of an ensemble."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covey.learners.memo import PerTable
from covey.learners.shared_design import whole_of
from covey.table import Table
from covey.table.design import design_of

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Positions = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class FilledDesign:
    """A table's columns as numbers, the usual value in place of missing ones.

    Parameters
    ----------
    values : ndarray of float64 of shape (n_samples, n_all_columns), C-contiguous
        The columns of the whole table; not to be written to.
    columns : ndarray of int of shape (n_columns,)
        Which of them count.
    fill : ndarray of float64 of shape (n_columns,)
        What a missing value counts as: the mean of a number, 1 for the most frequent category and 0 for the others.
    """

    values: Matrix
    columns: Positions
    fill: Vector


def own_design(table: Table, weight: Vector | None = None) -> FilledDesign:
    """Turn a table's columns into numbers: a column for each category where there are more than two, else one.

    Parameters
    ----------
    table : Table
    weight : ndarray of float64 of shape (n_samples,), optional
        How much each row counts for what is usual; by default all rows that count for the table count alike.
    """
    if weight is None:
        weight = np.ones(len(table.matrix)) if table.counted is None else table.counted.astype(np.float64)
    design = design_of(table.schema, every=True)
    usual = _usual_values(table, weight)[design.attribute]
    fill = np.where(np.isnan(design.category), usual, usual == design.category)
    values = table.matrix if design.is_plain else design.of(table).T
    gaps = np.isnan(values)
    values = np.ascontiguousarray(np.where(gaps, fill, values) if gaps.any() else values)
    return FilledDesign(values, np.arange(len(fill)), fill)


def shared_design(table: Table) -> FilledDesign:
    """Return a table's columns, found once for it and for all tables that have columns of it."""
    whole, attributes = whole_of(table)
    found = _FOUND.get(whole, lambda: own_design(whole))
    if attributes is None:
        return found
    columns = design_of(whole.schema, every=True).columns_of(attributes)
    return FilledDesign(found.values, columns, found.fill[columns])


_FOUND: PerTable[FilledDesign] = PerTable()


def _usual_values(table: Table, weight: Vector) -> Vector:
    """Return each attribute's mean or most frequent category, of several the first; 0 where all are missing."""
    usual = np.zeros(table.shape[1])
    for j, n_categories in enumerate(table.schema.n_categories.tolist()):
        column = table.matrix[:, j]
        rows = np.flatnonzero((weight > 0) & ~np.isnan(column))
        if not len(rows):
            continue
        if table.schema.categories[j] is None:
            _, exponent = np.frexp(np.abs(column[rows]).max())  # so that no sum overflows
            total = (np.ldexp(column[rows], -exponent) * weight[rows]).sum()
            usual[j] = np.ldexp(total / weight[rows].sum(), exponent)
        else:
            codes = column[rows].astype(np.intp)
            usual[j] = np.bincount(codes, weight[rows], minlength=n_categories).argmax()
    return usual
