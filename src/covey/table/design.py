"""Columns of a table as numbers: one column for a number, 0/1 columns for the categories of a nominal one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.table.schema import MOST_SPREAD, FloatMatrix, Schema
from covey.table.table import Table

Positions = NDArray[np.intp]
Vector = NDArray[np.float64]

# Bytes that a table's columns as numbers may take; beyond, something like an identifier is among them.
MOST_BYTES = 2**32


def spread(matrix: FloatMatrix, attribute: Positions, category: Vector, rows: Positions | None = None) -> FloatMatrix:
    """Return columns of a table's matrix as numbers, for all or some rows: a new array, columns x rows.

    Each is made of one column of the table, `attribute`. Where that is nominal it is 1 for the code `category` and 0
    for others; where it is numeric, `category` is NaN. What is missing stays NaN.
    """
    values: FloatMatrix = matrix.T[attribute] if rows is None else matrix[rows, attribute[:, None]]
    coded = np.flatnonzero(~np.isnan(category))
    if len(coded):
        codes = values[coded]
        values[coded] = np.where(np.isnan(codes), codes, codes == category[coded, None])
    return values


def check_size(schema: Schema, size: int, *, most: int = MOST_SPREAD, remedy: str = "") -> None:
    """Refuse columns of 0 and 1 for categories, at most so many of a column, that would take too many bytes."""
    counts = schema.n_categories
    if size > MOST_BYTES and counts.any():
        widest = int(np.argmax(counts))
        up_to = f", for the {most} most frequent," if counts[widest] > most else ""
        raise ValueError(
            f"X: column {schema.names[widest]!r} has {counts[widest]} categories; with a column for each{up_to} the "
            f"data would take {size / 2**30:.0f} GiB. Leave the column out if it is an identifier{remedy}."
        )


@dataclass(frozen=True, eq=False)
class Design:
    """The columns of a linear model.

    A numeric attribute is one column. A nominal one has columns that are 1 for one category and 0 for the others: for
    all but the first category, the base (treatment contrasts), or for every one. Of more than 255 categories the 255
    most frequent have one, or all but the last of them, and the others together are the base.
    """

    attribute: Positions  # of each column: the column of the table that it is made of
    category: Vector  # of each column: the code of the category that it stands for; NaN for a numeric one
    starts: Positions  # where the columns of each attribute start, and the end

    def __len__(self) -> int:
        return len(self.attribute)

    @property
    def is_plain(self) -> bool:
        """Whether the design is the table itself: numbers only."""
        return len(self) == len(self.starts) - 1 and bool(np.isnan(self.category).all())

    def columns_of(self, attributes: Positions) -> Positions:
        """Return the columns of some attributes, one attribute after the other."""
        if self.is_plain:
            return attributes
        parts = [np.arange(self.starts[j], self.starts[j + 1]) for j in attributes.tolist()]
        return np.concatenate([np.empty(0, dtype=np.intp), *parts])

    def of(self, table: Table) -> FloatMatrix:
        """Return the columns of a table, as columns x rows; NaN where a value is missing."""
        check_size(table.schema, len(table.matrix) * len(self) * 8)
        return spread(table.matrix, self.attribute, self.category)

    def filled(self, matrix: FloatMatrix, fill: Vector) -> FloatMatrix:
        """Return the columns of new rows, as rows x columns, with what stands in for missing values."""
        values: FloatMatrix = matrix if self.is_plain else spread(matrix, self.attribute, self.category).T
        missing = np.isnan(values)
        return np.where(missing, fill, values) if missing.any() else values

    def names(self, schema: Schema) -> NDArray[Any]:
        """Return the name of each column: that of its attribute, with the category if it stands for one."""
        named: list[str] = []
        for j, code in zip(self.attribute.tolist(), self.category.tolist(), strict=True):
            known = schema.categories[j]
            named.append(schema.names[j] if known is None else f"{schema.names[j]}={known[int(code)]}")
        return np.array(named, dtype=object)


def design_of(schema: Schema, *, every: bool = False, both: bool = False) -> Design:
    """Return the columns of a linear model over a table's attributes.

    With `every`, a nominal attribute of more than two categories has a column for every one of them, not for all but
    the first; with `both`, one of two categories or of one has, too. Of more than 255 only the most frequent have one.
    """
    counts = schema.n_categories
    base = np.where((every & (counts > 2)) | both, 0, 1)
    widths = np.where(schema.categorical, np.where(counts, schema.widths - base, 0), 1)
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.intp)
    attribute = np.repeat(np.arange(schema.n_features), widths)
    within = np.arange(len(attribute)) - starts[attribute]
    category = np.where(schema.categorical[attribute], within + 1.0 * base[attribute], np.nan)
    for column, codes in enumerate(schema.frequent or ()):
        if codes is not None:
            category[starts[column] : starts[column + 1]] = codes[: widths[column]]
    return Design(attribute, category, starts)
