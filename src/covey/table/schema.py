"""Columns of a table: their names, the categories of those that have any, and new rows read by them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.models.fields import Array, Field, Flag, Items, Labels, Maybe, Names, OrNone, require
from covey.table.source import Column, Source, encode_categories, encode_numbers, open_source

# Of more categories than these only the most frequent become 0/1 columns where columns are to be numbers: 50,000 rows
# with two columns of 5,000 would else take 4 GB, many of them for a handful of rows each.
MOST_SPREAD = 255

FloatMatrix = NDArray[np.float64]
BoolVector = NDArray[np.bool_]
Codes = NDArray[np.intp]
Categories = NDArray[Any] | None


@dataclass(frozen=True, eq=False)
class Schema:
    """The columns that a learner was trained on.

    Parameters
    ----------
    names : tuple of str
        One name per column; ``x0, x1, ...`` where the training data had none.
    categories : tuple of (ndarray or None)
        For a categorical column its categories, text or numbers: the code of a category is its position.
        None for a numeric column.
    named : bool
        Whether the names are the data's own.
    frequent : tuple of (ndarray of int or None), optional
        For a column of more than 255 categories the codes of those that occurred in training, of the 255 most frequent
        at most, the most frequent first: only these become columns of 0 and 1. None for other columns, and in place of
        the tuple where there are no such columns. Schemas that differ in nothing else are equal.
    """

    names: tuple[str, ...]
    categories: tuple[Categories, ...]
    named: bool = True
    frequent: tuple[Codes | None, ...] | None = None

    _state: ClassVar[dict[str, Field]] = {
        "names": Names("features", tuple),
        "categories": Items(OrNone(Labels(distinct=True)), "features", tuple),
        "named": Flag(),
        "frequent": Maybe(Items(OrNone(Array(np.intp, None, low=0)), "features", tuple)),
    }

    def _check_state(self) -> None:
        known = [labels for labels in self.categories if labels is not None]
        require(all(labels.dtype.kind in "fU" for labels in known), "has categories that are neither numbers nor text")
        for codes, count in zip(self.frequent or (), self.n_categories.tolist(), strict=False):
            fits = codes is None or 0 < len(codes) == len(np.unique(codes)) <= int(codes.max()) + 1 <= count
            require(fits, "has codes of categories that there are not")

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return len(self.names)

    @property
    def categorical(self) -> BoolVector:
        """Mask of the categorical columns."""
        return np.array([known is not None for known in self.categories], dtype=bool)

    @property
    def n_categories(self) -> NDArray[np.intp]:
        """Number of categories per column, 0 for a numeric one."""
        return np.array([0 if known is None else len(known) for known in self.categories], dtype=np.intp)

    @property
    def widths(self) -> NDArray[np.intp]:
        """How many columns of numbers each column makes: one, or one for each category, of many the most frequent."""
        widths = np.maximum(self.n_categories, 1)
        for column, codes in enumerate(self.frequent or ()):
            if codes is not None:
                widths[column] = len(codes)
        return widths

    def spread(self, column: int) -> Codes:
        """Return the codes of a column's categories that become columns of 0 and 1; a single 0 if it has none."""
        codes = None if self.frequent is None else self.frequent[column]
        return np.arange(max(int(self.n_categories[column]), 1)) if codes is None else codes

    def take(self, columns: Sequence[int] | NDArray[np.integer[Any]]) -> Schema:
        """Return the schema of some columns, in the given order, repeated where a column is repeated."""
        names = tuple(self.names[j] for j in columns)
        frequent = None if self.frequent is None else tuple(self.frequent[j] for j in columns)
        return Schema(names, tuple(self.categories[j] for j in columns), self.named, frequent)

    def encode(self, X: Any, check: Callable[[], object] | None = None) -> FloatMatrix:
        """Turn new rows into the matrix the learner was trained on.

        A category never seen in training counts as missing.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        check : callable, optional
            Called once X is known to be a table of rows, before its columns are looked at.

        Returns
        -------
        ndarray of float64, C-contiguous; the very array that was given if it fits already.
        """
        known = getattr(X, "schema", None)
        if isinstance(known, Schema):  # of a Table
            if known != self:
                raise ValueError("X is a table whose columns or categories are not those seen in training.")
            matrix: FloatMatrix = X.matrix
            return matrix
        source, columns = read_new(X, self, check)
        matrix = fill(source, columns, self)
        _warn_of_strangers(columns, matrix, self)
        return matrix

    def __repr__(self) -> str:
        counts = zip(self.names[:6], self.n_categories[:6].tolist(), strict=True)
        shown = ", ".join(f"{name!r} ({count} categories)" if count else repr(name) for name, count in counts)
        return f"<Schema of {self.n_features} columns: {shown}{', ...' if self.n_features > 6 else ''}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Schema):
            return NotImplemented
        if self is other:
            return True
        return self.names == other.names and all(
            a is b or (a is not None and b is not None and np.array_equal(a, b))
            for a, b in zip(self.categories, other.categories, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]  # it holds arrays


def check_codes(matrix: FloatMatrix, schema: Schema) -> None:
    """Refuse a matrix from a file that has codes of categories which there are not."""
    for column in np.flatnonzero(schema.categorical):
        codes = matrix[:, column]
        codes = codes[~np.isnan(codes)]
        known = ((codes >= 0) & (codes < schema.n_categories[column]) & (codes == np.floor(codes))).all()
        require(known, "has codes of categories that there are not")


def read_new(X: Any, schema: Schema, check: Callable[[], object] | None) -> tuple[Source, dict[int, Column]]:
    """Look at new rows, and read the columns that are no plain numbers; refuse columns that are not the schema's."""
    source = open_source(X)
    if check is not None:
        check()
    if source.matrix.shape[1] != schema.n_features:
        raise ValueError(f"X has {source.matrix.shape[1]} features, but {schema.n_features} were seen in training.")
    if source.names is not None and schema.named and source.names != schema.names:
        unknown = sorted(set(source.names) - set(schema.names))
        absent = sorted(set(schema.names) - set(source.names))
        reason = f"unknown: {unknown}; missing: {absent}" if unknown or absent else "they are in another order"
        raise ValueError(f"The columns of X are not those seen in training ({reason}).")
    coded = np.flatnonzero(schema.categorical).tolist()
    columns = {j: Column(source.matrix[:, j]) for j in coded} | {j: read() for j, read in source.others.items()}
    return source, columns


def fill(source: Source, columns: Mapping[int, Column], schema: Schema) -> FloatMatrix:
    """Fill in the columns that are no plain numbers; where everything fits already, hand the matrix on as it is."""
    matrix, owned = source.matrix, source.owned
    for j, column in columns.items():
        name, known = schema.names[j], schema.categories[j]
        values = encode_numbers(column, name) if known is None else encode_categories(column, known, name)
        if not owned:
            if np.array_equal(values, matrix[:, j], equal_nan=True):
                continue
            matrix, owned = matrix.copy(), True
        matrix[:, j] = values
    check_finite(matrix, schema.names)
    return matrix


def check_finite(matrix: FloatMatrix, names: Sequence[str]) -> None:
    """Refuse infinite values, naming the first column that has one."""
    with np.errstate(invalid="ignore", over="ignore"):
        total = np.sum(matrix)
    if np.isfinite(total):
        return
    infinite = np.isinf(matrix).any(axis=0)
    if infinite.any():
        name = names[int(np.argmax(infinite))]
        raise ValueError(
            f"Input X contains infinity in column {name!r}; replace infinite values by large ones or by NaN (missing)."
        )


def _warn_of_strangers(columns: Mapping[int, Column], matrix: FloatMatrix, schema: Schema) -> None:
    """Warn of a column none of whose values was seen in training: its spelling or type may have changed."""
    for j, column in columns.items():
        known = schema.categories[j]
        if known is None or not len(known) or not np.isnan(matrix[:, j]).all():
            continue
        strange = [value for value in column.values if value == value]
        if len(strange) > 1:
            warnings.warn(
                f"Column {schema.names[j]!r}: none of its {len(strange)} values, such as {strange[0]!r}, was seen in "
                f"training, where it had {', '.join(map(repr, known[:3].tolist()))}; they count as missing.",
                UserWarning,
                stacklevel=2,
            )
