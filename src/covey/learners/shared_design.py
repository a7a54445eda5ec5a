"""A table's columns as a linear model takes them, found once for all members of an ensemble."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covey.table import Table
from covey.table.design import Design, design_of

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Positions = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class SharedDesign:
    """A table's design columns on one scale, over all rows that count.

    Parameters
    ----------
    design : Design
        What the columns are made of.
    values : ndarray of float64 of shape (n_columns, n_samples)
        The columns with mean 0 and standard deviation 1; 0 where a value is missing, in rows that do not count and in
        columns that do not vary.
    centre, scale : ndarray of float64 of shape (n_columns,)
        What was taken off and what the rest was divided by; the scale is 0 in columns that do not vary.
    place : ndarray of int of shape (n_columns,)
        Where a column with missing values is in ``known``; -1 for others.
    known : ndarray of bool of shape (n_gappy, n_samples)
        Where the columns with missing values have one.
    """

    design: Design
    values: Matrix
    centre: Vector
    scale: Vector
    place: Positions
    known: NDArray[np.bool_]

    def columns_of(self, attributes: Positions | None) -> Positions | None:
        """Return the columns of some attributes; None for all."""
        return None if attributes is None else self.design.columns_of(attributes)

    def part(self, columns: Positions | None, weight: Vector, rows: Positions | None = None) -> Matrix:
        """Return columns, for all or some rows, their weighted mean in place of missing values.

        Parameters
        ----------
        columns : ndarray of int or None
            Which columns; None for all.
        weight : ndarray of float64 of shape (n_rows,)
            The weights of these rows.
        rows : ndarray of int, optional
            Rows that count; by default all.

        Returns
        -------
        ndarray of float64 of shape (n_columns, n_rows)
            Not to be written to.
        """
        place = self.place if columns is None else self.place[columns]
        values = self.values if columns is None else self.values[columns]
        if rows is not None:
            values = np.take(values, rows, axis=1)
        gappy = np.flatnonzero(place >= 0)
        if len(gappy):
            values = values.copy()
        for column in gappy.tolist():
            known = self.known[place[column]] if rows is None else self.known[place[column]][rows]
            total = float(weight @ known)
            if total > 0:
                values[column, ~known] = float(weight @ values[column]) / total
        return values


def whole_of(table: Table) -> tuple[Table, Positions | None]:
    """Return the table that a table has columns of, and which; itself and None if it is a whole one."""
    if table.whole is None:
        return table, None
    whole, attributes = table.whole
    while whole.whole is not None:  # columns of columns
        attributes, whole = whole.whole[1][attributes], whole.whole[0]
    return whole, attributes


def standardise(table: Table, counted: NDArray[np.bool_] | None = None) -> SharedDesign:
    """Bring a table's design columns to one scale.

    Parameters
    ----------
    table : Table
    counted : ndarray of bool, optional
        The rows that count; by default those that count for the table.
    """
    counted = table.counted if counted is None else counted
    design = design_of(table.schema)
    values = np.ascontiguousarray(design.of(table))
    if counted is not None and not counted.all():
        values[:, ~counted] = np.nan
    known = ~np.isnan(values)
    n_known = np.count_nonzero(known, axis=1)
    n_rows = len(table.matrix) if counted is None else int(np.count_nonzero(counted))
    gappy = np.flatnonzero(n_known < n_rows)
    complete = bool((n_known == len(table.matrix)).all())
    if not complete:
        values[~known] = 0.0
    constant, exponent = _extent(values, None if complete else known)
    np.ldexp(values, -exponent[:, None], out=values)  # so that no sum of squares overflows, without rounding
    total, centre = np.maximum(n_known, 1), np.zeros(len(values))
    for _ in range(2):  # the second time takes off what rounding left
        shift = values.sum(axis=1) / total
        centre += shift
        values -= shift[:, None]
        if not complete:
            values[~known] = 0.0
    scale = np.sqrt(np.einsum("ij,ij->i", values, values) / total)
    scale[constant | (np.ldexp(scale, exponent) < np.finfo(np.float64).tiny)] = 0.0
    values /= np.where(scale > 0, scale, np.inf)[:, None]
    place = np.full(len(values), -1, dtype=np.intp)
    place[gappy] = np.arange(len(gappy))
    return SharedDesign(design, values, np.ldexp(centre, exponent), np.ldexp(scale, exponent), place, known[gappy])


def _extent(values: Matrix, known: NDArray[np.bool_] | None) -> tuple[NDArray[np.bool_], NDArray[np.intc]]:
    """Say which columns do not vary, and give the power of two that their largest value is below."""
    if known is None:
        lowest, highest = values.min(axis=1), values.max(axis=1)
    else:
        lowest = np.min(values, axis=1, where=known, initial=np.inf)
        highest = np.max(values, axis=1, where=known, initial=-np.inf)
    largest = np.maximum(np.abs(lowest), np.abs(highest))
    _, exponent = np.frexp(np.where(np.isfinite(largest), largest, 0.0))
    return lowest >= highest, exponent
