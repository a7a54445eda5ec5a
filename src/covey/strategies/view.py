"""Views of a table: some of its columns, or new columns rotated out of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.models.fields import Array, Field, OrNone, Part, require
from covey.strategies.draw import Weights
from covey.table import Schema, Table
from covey.table.design import spread

Columns = NDArray[np.intp]
Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

# How many rows, and numbers, are rotated at a time, which keeps what is in between within the processor's cache.
CHUNK, WIDE = 2048, 2**15
# How far outside the training data, in units of half its range, a value counts; sums of such values stay finite.
FARTHEST = 1e30
# How many categories of a column are told apart at most: hundreds, of a few rows each, take trees many times as long
# and teach them nothing.
MOST_CATEGORIES = 30
# The loadings of an axis; its length is 1.
LONGEST = 1.5


@dataclass(frozen=True, eq=False)
class Numbers:
    """A table's columns as numbers on one scale: a column per category, missing values filled in."""

    attribute: Columns  # the column of the table that each is made of
    category: Vector  # the code of the category that each stands for, as 0 and 1; NaN for a numeric column
    centre: Vector  # what is taken off
    half_range: Vector  # what the rest is divided by
    fill: Vector  # what stands in for a missing value once it is scaled

    _state: ClassVar[dict[str, Field]] = {
        "attribute": Array(np.intp, "numbers", low=0),
        "category": Array(np.float64, "numbers", nan=True),
        "centre": Array(np.float64, "numbers", low=-np.inf, high=np.inf),
        "half_range": Array(np.float64, "numbers", low=np.finfo(np.float64).tiny, high=np.inf),
        "fill": Array(np.float64, "numbers", low=-FARTHEST, high=FARTHEST),
    }

    def __len__(self) -> int:
        return len(self.attribute)

    def of(self, matrix: Matrix, rows: NDArray[np.intp] | None, chosen: Columns | slice = slice(None)) -> Matrix:
        """Return all or some of the numbers for all or some rows of the table, as columns x rows."""
        values = spread(matrix, self.attribute[chosen], self.category[chosen], rows)
        with np.errstate(over="ignore"):
            values -= self.centre[chosen, None]
            values /= self.half_range[chosen, None]
        np.clip(values, -FARTHEST, FARTHEST, out=values)
        missing = np.isnan(values)
        if missing.any():
            np.copyto(values, self.fill[chosen, None], where=missing)
        return values


def as_numbers(table: Table, weight: Weights) -> Numbers:
    """Learn from the rows that have weight how a table's columns become numbers on one scale.

    Numeric columns are brought to [-1, 1]. A nominal one becomes a column per category that occurs, or a single one if
    there are two; of more than 30 only those of the greatest weight do, and a row of another one is in none of them.
    What is missing becomes the column's mean or its most frequent category. Columns that do not vary are dropped; if
    none does, one is kept.
    """
    rows = np.flatnonzero(weight)
    made: list[tuple[int, float, float, float, float]] = []
    for j, categorical in enumerate(table.categorical.tolist()):
        values = table.matrix[rows, j]
        known = ~np.isnan(values)
        read = _categories if categorical else _number
        made += [(j, *column) for column in read(values[known], weight[rows[known]])]
    attribute, *others = zip(*(made or [(0, np.nan, 0.0, 1.0, 0.0)]), strict=True)
    return Numbers(np.array(attribute, dtype=np.intp), *(np.array(values, dtype=np.float64) for values in others))


def _number(values: Vector, weight: Weights) -> Iterator[tuple[float, float, float, float]]:
    lowest, highest = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    if lowest < highest:
        # Halves, because the range of the largest numbers is no number.
        centre, half_range = lowest / 2 + highest / 2, max(highest / 2 - lowest / 2, np.finfo(np.float64).tiny)
        yield np.nan, centre, half_range, float(np.average((values - centre) / half_range, weights=weight))


def _categories(codes: Vector, weight: Weights) -> Iterator[tuple[float, float, float, float]]:
    total = np.bincount(codes.astype(np.intp), weight)
    occurring = np.flatnonzero(total)
    if len(occurring) == 2:
        occurring = occurring[1:]  # the other one is its mirror image
    elif len(occurring) < 2:
        return
    elif len(occurring) > MOST_CATEGORIES:
        occurring = np.sort(np.argsort(-total, kind="stable")[:MOST_CATEGORIES])
    for code in occurring.tolist():
        yield code, 0.5, 0.5, 1.0 if code == total.argmax() else -1.0


@dataclass(frozen=True, eq=False)
class Rotated:
    """New numeric columns, each a weighted sum of a few of the table's.

    Each row is worked out by itself and in the same order of operations, so that it has the same values to the last
    digit alone and among others: a tree that cuts at a value of its training data depends on that.
    """

    numbers: Numbers  # the columns of the table as numbers on one scale
    columns: Columns  # the numbers of which each new column is the sum, of shape (group_size, n_columns)
    loadings: Matrix  # what each is multiplied by
    base: Rotated | None = None  # what is rotated if not the table: the columns of another rotation

    _state: ClassVar[dict[str, Field]] = {
        "numbers": Part(Numbers, ["numbers"], shared=True),
        "columns": Array(np.intp, "group", "columns", low=0, below="numbers"),
        "loadings": Array(np.float64, "group", "columns", low=-LONGEST, high=LONGEST),
        "base": OrNone(Part(lambda: Rotated, shared=True)),
    }

    def _check_state(self) -> None:
        require(self.columns.size > 0, "has no columns")
        if self.base is not None:
            require(self.numbers.attribute.max() < self.base.n_columns, "rotates columns that there are not")

    @property
    def n_read(self) -> int:
        """The least number of columns that a table must have to be rotated."""
        return int(self.numbers.attribute.max()) + 1 if self.base is None else self.base.n_read

    @property
    def n_columns(self) -> int:
        """Number of new columns."""
        return int(self.columns.shape[1])

    @property
    def attributes(self) -> Columns:
        """The columns of the table that the new ones are made of."""
        return np.unique(self.numbers.attribute) if self.base is None else self.base.attributes

    @property
    def matrix(self) -> Matrix:
        """The loadings as one matrix: numbers x new columns."""
        dense = np.zeros((len(self.numbers), self.n_columns))
        np.add.at(dense, (self.columns, np.arange(self.n_columns)), self.loadings)
        return dense

    @property
    def schema(self) -> Schema:
        """The new columns, which are all numbers."""
        return _schema(self.n_columns)

    def see(self, table: Table, rows: NDArray[np.intp] | None = None) -> Table:
        """Return the new columns of all or of some rows of a table."""
        matrix = table.matrix
        if self.base is not None:
            matrix, rows = self.base.see(table, rows).matrix, None
        n_rows = len(matrix) if rows is None else len(rows)
        rotated = np.empty((n_rows, self.n_columns))
        for start in range(0, n_rows, CHUNK):
            part = slice(start, start + CHUNK)
            values = self.numbers.of(matrix[part], None) if rows is None else self.numbers.of(matrix, rows[part])
            width = max(1, WIDE // values.shape[1])
            for first in range(0, self.n_columns, width):
                some = slice(first, first + width)
                total = values[self.columns[0, some]] * self.loadings[0, some, None]
                for columns, loadings in zip(self.columns[1:, some], self.loadings[1:, some], strict=True):
                    total += values[columns] * loadings[:, None]
                rotated[part, some] = total.T
        return Table(rotated, self.schema)

    def by_column(self, values: Vector, n_columns: int) -> Vector:
        """Share values of the new columns out among those of the table, in proportion to squared loadings."""
        squares = np.square(self.loadings)
        shares = squares / np.maximum(squares.sum(axis=0), np.finfo(np.float64).tiny)
        of_numbers = np.bincount(self.columns.ravel(), (shares * values).ravel(), minlength=len(self.numbers))
        wanted = n_columns if self.base is None else self.base.n_columns
        of_columns = np.asarray(np.bincount(self.numbers.attribute, of_numbers, minlength=wanted), dtype=np.float64)
        return of_columns if self.base is None else self.base.by_column(of_columns, n_columns)

    def take(self, columns: Columns) -> Rotated:
        """Return some of the new columns."""
        return replace(self, columns=self.columns[:, columns], loadings=self.loadings[:, columns])

    def within(self, outer: View) -> Rotated:
        """Return this rotation of what an outer view shows as a rotation of the table itself."""
        if self.base is not None:
            return replace(self, base=self.base.within(outer))
        if isinstance(outer, Rotated):
            return replace(self, base=outer)
        return replace(self, numbers=replace(self.numbers, attribute=outer[self.numbers.attribute]))


View = Columns | Rotated


def view_within(inner: View | None, outer: View | None) -> View | None:
    """Return what is seen through one view of what another shows; None shows all columns."""
    if inner is None or outer is None:
        return outer if inner is None else inner
    if isinstance(inner, Rotated):
        return inner.within(outer)
    return outer.take(inner) if isinstance(outer, Rotated) else outer[inner]


@cache
def _schema(n_columns: int) -> Schema:
    return Schema(tuple(f"rotated{j}" for j in range(n_columns)), (None,) * n_columns, named=False)
