"""The columns of a table: their names, and the categories of those that have any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.models.fields import Field, Flag, Items, Labels, Names, OrNone, require

FloatMatrix = NDArray[np.float64]
BoolVector = NDArray[np.bool_]
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
    """

    names: tuple[str, ...]
    categories: tuple[Categories, ...]
    named: bool = True

    _state: ClassVar[dict[str, Field]] = {
        "names": Names("features", tuple),
        "categories": Items(OrNone(Labels(distinct=True)), "features", tuple),
        "named": Flag(),
    }

    def _check_state(self) -> None:
        known = [one for one in self.categories if one is not None]
        require(all(one.dtype.kind in "fU" for one in known), "has categories that are neither numbers nor text")

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

    def take(self, columns: Sequence[int] | NDArray[np.integer[Any]]) -> Schema:
        """Return the schema of some columns, in the given order, repeated where a column is repeated."""
        names = tuple(self.names[j] for j in columns)
        return Schema(names, tuple(self.categories[j] for j in columns), self.named)

    def encode(self, X: Any) -> FloatMatrix:
        """Turn new rows into the matrix the learner was trained on.

        A category never seen in training counts as missing.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of float64, C-contiguous; the very array that was given if it fits already.
        """
        from covey.table.table import encode_rows

        return encode_rows(X, self)

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


@dataclass(frozen=True, eq=False)
class Table:
    """Rows as a learner sees them.

    Parameters
    ----------
    matrix : ndarray of float64 of shape (n_samples, n_features), C-contiguous
        Numbers, or codes where the column is categorical; NaN is missing.
    schema : Schema
        What the columns are.
    whole : tuple of (Table, ndarray of int), optional
        The table that this one has the same rows of, and which of its columns: what is known of them already, such as
        their order, need not be found again.
    counted : ndarray of bool, optional
        The rows that count for the range of a column; by default all.
    """

    matrix: FloatMatrix
    schema: Schema
    whole: tuple[Table, NDArray[np.intp]] | None = None
    counted: BoolVector | None = None

    def take(self, columns: NDArray[np.intp]) -> Table:
        """Return the table of some columns, in the given order; its matrix is made when it is asked for."""
        taken = object.__new__(Table)
        fields = {"schema": self.schema.take(columns), "whole": (self, columns), "counted": self.counted}
        for name, value in fields.items():
            object.__setattr__(taken, name, value)
        return taken

    def __getattr__(self, name: str) -> Any:
        if name != "matrix" or "whole" not in self.__dict__ or self.whole is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        whole, columns = self.whole
        object.__setattr__(self, "matrix", np.take(whole.matrix, columns, axis=1))
        return self.__dict__["matrix"]

    def counting(self, counted: BoolVector) -> Table:
        """Return the table, in which only some rows count for the range of a column."""
        return self if counted.all() else replace(self, counted=counted)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        rows = self if self.whole is None else self.whole[0]
        return len(rows.matrix), self.schema.n_features

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.schema.names

    @property
    def categorical(self) -> BoolVector:
        """Mask of the categorical columns."""
        return self.schema.categorical

    @property
    def categories(self) -> tuple[Categories, ...]:
        """Categories of each column, None for a numeric one."""
        return self.schema.categories
