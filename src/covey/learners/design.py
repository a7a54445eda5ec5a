"""A table's columns as numbers, as linear models take them, found once for all members of an ensemble.

They come in two kinds: standardised, for least squares and logistic regression, and as they are with missing values
filled in, for support vector machines. A table's column of categories is an attribute that makes several of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covey.learners.per_table import PerTable, whole_of
from covey.table import Table
from covey.table.design import Design, design_of

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Positions = NDArray[np.intp]

# So many numbers are looked at together; column by column, wide tables take longer in calls.
TOGETHER = 2**18


@dataclass(frozen=True, eq=False)
class SharedDesign:
    """A table's design columns on one scale, over all rows that count."""

    design: Design  # what the columns are made of
    # (column, row): mean 0 and standard deviation 1; 0 where a value is missing, in rows that do not count and in
    # columns that do not vary.
    values: Matrix
    centre: Vector  # what was taken off each column ...
    scale: Vector  # ... and what the rest was divided by, 0 in columns that do not vary
    place: Positions  # where a column with missing values is in `known`; -1 for others
    known: NDArray[np.bool_]  # (incomplete column, row): where there is a value

    def part(self, columns: Positions | None, weight: Vector, rows: Positions | None = None) -> Matrix:
        """Return columns x rows, the weighted mean in place of missing values; not to be written to.

        None stands for all columns, or all rows. The weights are those of the rows that are returned.
        """
        place = self.place if columns is None else self.place[columns]
        values = self.values if columns is None else self.values[columns]
        if rows is not None:
            values = np.take(values, rows, axis=1)
        incomplete = np.flatnonzero(place >= 0)
        if len(incomplete):
            values = values.copy()
        for column in incomplete.tolist():
            known = self.known[place[column]] if rows is None else self.known[place[column]][rows]
            total = float(weight @ known)
            if total > 0:
                values[column, ~known] = float(weight @ values[column]) / total
        return values

    def rows(self, columns: Positions, rows: Positions, fill: Vector) -> Matrix:
        """Return some columns of some rows, as columns x rows, with what is given in place of missing values."""
        values = np.take(self.values[columns], rows, axis=1)
        for at in np.flatnonzero(self.place[columns] >= 0).tolist():
            values[at, ~self.known[self.place[columns[at]]][rows]] = fill[at]
        return values


def standardise(table: Table, counted: NDArray[np.bool_] | None = None) -> SharedDesign:
    """Bring a table's design columns to one scale, over the rows that count; by default those that do for the table."""
    counted = table.counted if counted is None else counted
    design = design_of(table.schema)
    values = np.ascontiguousarray(design.of(table))
    if counted is not None and not counted.all():
        values[:, ~counted] = np.nan
    known = ~np.isnan(values)
    n_known = np.count_nonzero(known, axis=1)
    n_rows = len(table.matrix) if counted is None else int(np.count_nonzero(counted))
    incomplete = np.flatnonzero(n_known < n_rows)
    complete = bool((n_known == len(table.matrix)).all())
    if not complete:
        values[~known] = 0.0
    constant, exponent = extent_of(values, None if complete else known)
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
    place[incomplete] = np.arange(len(incomplete))
    return SharedDesign(design, values, np.ldexp(centre, exponent), np.ldexp(scale, exponent), place, known[incomplete])


def extent_of(values: Matrix, known: NDArray[np.bool_] | None) -> tuple[NDArray[np.bool_], NDArray[np.intc]]:
    """Say which columns do not vary, and give the power of two that their largest value is below."""
    if known is None:
        lowest, highest = values.min(axis=1), values.max(axis=1)
    else:
        lowest = np.min(values, axis=1, where=known, initial=np.inf)
        highest = np.max(values, axis=1, where=known, initial=-np.inf)
    largest = np.maximum(np.abs(lowest), np.abs(highest))
    _, exponent = np.frexp(np.where(np.isfinite(largest), largest, 0.0))
    return lowest >= highest, exponent


@dataclass(frozen=True, eq=False)
class FilledDesign:
    """A table's columns as numbers, the usual value in place of missing ones."""

    values: Matrix  # (row, column of the whole table), C-contiguous; not to be written to
    columns: Positions  # which of its columns count
    fill: Vector  # what a missing value counts as: the mean of a number, 1 for the most frequent category, else 0
    known: NDArray[np.bool_] | None  # where there was a value; None if there was one everywhere
    attribute: Positions  # the column of the table that each is made of; -1 for a number

    def of_rows(self, rows: Positions, weight: Vector) -> FilledDesign:
        """Return some rows, with what is usual among them, by their weights, in place of missing values."""
        place = rows[:, None], self.columns
        values = self.values[place]
        known = np.ones(values.shape, dtype=bool) if self.known is None else self.known[place]
        total = weight @ known
        share = (weight @ np.where(known, values, 0.0)) / np.where(total > 0, total, 1.0)
        fill = _usual_of(share, self.attribute, self.columns)
        return FilledDesign(np.where(known, values, fill), np.arange(len(fill)), fill, None, self.attribute)


def own_design(table: Table, weight: Vector | None = None) -> FilledDesign:
    """Turn a table's columns into numbers: a column for each category where there are more than two, else one.

    Of more than 255 categories the most frequent have a column.
    The weight says how much each row counts for what is usual; by default all rows that count for the table do alike.
    """
    if weight is None:
        weight = np.ones(len(table.matrix)) if table.counted is None else table.counted.astype(np.float64)
    design = design_of(table.schema, every=True)
    usual = _usual_values(table, weight)[design.attribute]
    fill = np.where(np.isnan(design.category), usual, usual == design.category)
    values = table.matrix if design.is_plain else design.of(table).T
    missing = np.isnan(values)
    any_missing = bool(missing.any())
    values = np.ascontiguousarray(np.where(missing, fill, values) if any_missing else values)
    attribute = np.where(np.isnan(design.category), -1, design.attribute)
    return FilledDesign(values, np.arange(len(fill)), fill, ~missing if any_missing else None, attribute)


def shared_design(table: Table) -> FilledDesign:
    """Return a table's columns, found once for it and for all tables that have columns of it."""
    whole, attributes = whole_of(table)
    filled = _FILLED.get(whole, lambda: own_design(whole))
    if attributes is None:
        return filled
    columns = design_of(whole.schema, every=True).columns_of(attributes)
    return FilledDesign(filled.values, columns, filled.fill[columns], filled.known, filled.attribute[columns])


_FILLED: PerTable[FilledDesign] = PerTable()


def _usual_of(share: Vector, attribute: Positions, columns: Positions) -> Vector:
    """Return what is usual: the mean of a number; of an attribute's categories 1 for the most frequent one.

    ``share`` is each column's mean, ``attribute`` the attribute that it is of, -1 for a number, and ``columns`` its
    place in the whole design: an attribute that is there twice starts again.
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
    """Return each attribute's mean or most frequent category that has a column, of several the first.

    It is 0 where all values are missing.
    """
    usual, counts = np.zeros(table.shape[1]), weight > 0
    for names, columns in _alike(table, counts):
        rows = np.flatnonzero(counts & ~np.isnan(columns[0]))
        if not len(rows):
            continue
        known = columns.take(rows, axis=1)
        if not table.categorical[names[0]]:
            _, exponent = np.frexp(np.abs(known).max(axis=1))  # so that no sum overflows
            total = (np.ldexp(known, -exponent[:, None]) * weight[rows]).sum(axis=1)
            usual[names] = np.ldexp(total / weight[rows].sum(), exponent)
        else:
            (j,) = names
            spread = table.schema.spread(j)
            codes = known[0].astype(np.intp)
            count = np.bincount(codes, weight[rows], minlength=table.schema.n_categories[j])
            usual[j] = spread[count[spread].argmax()]
    return usual


def _alike(table: Table, counts: NDArray[np.bool_]) -> Iterator[tuple[list[int], NDArray[np.float64]]]:
    """Yield columns with the same rows known: complete ones of numbers, some at a time, and others one by one."""
    step = max(1, TOGETHER // max(len(table.matrix), 1))
    for start in range(0, table.shape[1], step):
        columns = np.ascontiguousarray(table.matrix[:, start : start + step].T)
        single = np.isnan(columns[:, counts]).any(axis=1) | table.categorical[start : start + step]
        for i in np.flatnonzero(single).tolist():
            yield [start + i], columns[i : i + 1]
        if not single.all():
            yield (start + np.flatnonzero(~single)).tolist(), columns[~single]
