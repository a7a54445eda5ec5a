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
    known : ndarray of bool of shape (n_samples, n_all_columns) or None
        Where there was a value; None if there was one everywhere.
    attribute : ndarray of int of shape (n_columns,)
        The column of the table that each is made of; -1 for a number.
    """

    values: Matrix
    columns: Positions
    fill: Vector
    known: NDArray[np.bool_] | None
    attribute: Positions

    def of_rows(self, rows: Positions, weight: Vector) -> FilledDesign:
        """Return some rows, with what is usual among them in place of missing values.

        Parameters
        ----------
        rows : ndarray of int
        weight : ndarray of float64 of shape (n_rows,)
            How much each of them counts for what is usual.
        """
        place = rows[:, None], self.columns
        values = self.values[place]
        known = np.ones(values.shape, dtype=bool) if self.known is None else self.known[place]
        total = weight @ known
        share = (weight @ np.where(known, values, 0.0)) / np.where(total > 0, total, 1.0)
        fill = _usual_of(share, self.attribute, self.columns)
        return FilledDesign(np.where(known, values, fill), np.arange(len(fill)), fill, None, self.attribute)


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
    has_gaps = bool(gaps.any())
    values = np.ascontiguousarray(np.where(gaps, fill, values) if has_gaps else values)
    attribute = np.where(np.isnan(design.category), -1, design.attribute)
    return FilledDesign(values, np.arange(len(fill)), fill, ~gaps if has_gaps else None, attribute)


def shared_design(table: Table) -> FilledDesign:
    """Return a table's columns, found once for it and for all tables that have columns of it."""
    whole, attributes = whole_of(table)
    found = _FOUND.get(whole, lambda: own_design(whole))
    if attributes is None:
        return found
    columns = design_of(whole.schema, every=True).columns_of(attributes)
    return FilledDesign(found.values, columns, found.fill[columns], found.known, found.attribute[columns])


_FOUND: PerTable[FilledDesign] = PerTable()


def _usual_of(share: Vector, attribute: Positions, columns: Positions) -> Vector:
    """Return what is usual: the mean of a number; of an attribute's categories 1 for the most frequent one.

    Parameters
    ----------
    share : ndarray of shape (n_columns,)
        Each column's mean; of a category, how frequent it is.
    attribute : ndarray of int of shape (n_columns,)
        The attribute that each column is of; -1 for a number.
    columns : ndarray of int of shape (n_columns,)
        Their places in the whole design: an attribute that is there twice starts again.
    """
    if not len(share):
        return share
    begins = np.ones(len(share), dtype=bool)
    begins[1:] = (attribute[1:] != attribute[:-1]) | (attribute[1:] < 0) | (columns[1:] <= columns[:-1])
    starts, group = np.flatnonzero(begins), np.cumsum(begins) - 1
    is_most = share == np.maximum.reduceat(share, starts)[group]
    before = np.concatenate([[0], np.cumsum(is_most)])
    is_first = is_most & (before[1:] - before[starts][group] == 1)
    alone = np.bincount(group)[group] == 1  # the second of two categories
    return np.where(attribute < 0, share, np.where(alone, share > 0.5, is_first))


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
