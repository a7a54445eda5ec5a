"""Tables as learners see them: one matrix of numbers and codes with its schema, made of any rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.parallel import HoldsArrays
from covey.table.schema import MOST_SPREAD, BoolVector, Categories, Codes, FloatMatrix, Schema, fill, read_new
from covey.table.source import Column, observed_categories, open_source, with_new_categories

CategoricalFeatures = str | Sequence[int] | Sequence[str] | Sequence[bool] | NDArray[Any] | None


@dataclass(frozen=True, eq=False)
class Table(HoldsArrays):
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


def as_table(X: Any, categorical_features: CategoricalFeatures = "from_dtype") -> Table:
    """Read rows into a table.

    Parameters
    ----------
    X : ndarray, list of rows, pandas, polars or other data frame known to narwhals, or Table
        Integer, boolean, text and object columns all work; NaN, None and NA are missing. A table is returned as is.
    categorical_features : "from_dtype", None, or array-like of int, str or bool
        Which columns are categorical: those whose type says so (categories and text), none, or those given by
        position, by name or by a mask.

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        Empty data, infinite values, text in a column that is to be numeric, columns that do not exist.
    TypeError
        A cell that is neither text nor a number; a column of dates.
    """
    if isinstance(X, Table):
        return X
    source = open_source(X)
    names = source.names or tuple(f"x{j}" for j in range(source.matrix.shape[1]))
    columns = {j: read() for j, read in source.others.items()}
    if isinstance(categorical_features, str) and categorical_features == "from_dtype":
        chosen = {j for j, column in columns.items() if column.is_categorical}
    else:
        mask = categorical_mask(categorical_features, names, named=source.names is not None)
        chosen = set(np.flatnonzero(mask).tolist())
        columns |= {j: Column(source.matrix[:, j]) for j in chosen - columns.keys()}
    categories = tuple(observed_categories(columns[j]) if j in chosen else None for j in range(len(names)))
    schema = Schema(names, categories, named=source.names is not None)
    matrix = fill(source, columns, schema)
    return Table(matrix, replace(schema, frequent=_frequent(matrix, schema.n_categories)))


def _frequent(matrix: FloatMatrix, n_categories: NDArray[np.intp]) -> tuple[Codes | None, ...] | None:
    """Return the codes of the most frequent categories of each column that has many, by their number of rows."""
    many = n_categories > MOST_SPREAD
    if not many.any():
        return None
    return tuple(_most_frequent(codes) if chosen else None for codes, chosen in zip(matrix.T, many, strict=True))


def _most_frequent(codes: NDArray[np.float64]) -> Codes:
    counts = np.bincount(codes[~np.isnan(codes)].astype(np.intp), minlength=1)
    n_chosen = np.clip(np.count_nonzero(counts), 1, MOST_SPREAD)
    return np.argsort(-counts, kind="stable")[:n_chosen]


def extend_rows(X: Any, schema: Schema, check: Callable[[], object] | None = None) -> Table:
    """Encode new rows as `Schema.encode` does, but add categories never seen before, after the others."""
    if isinstance(X, Table):
        return Table(schema.encode(X), schema)
    source, columns = read_new(X, schema, check)
    categories = tuple(
        known if known is None else with_new_categories(columns[j], known, schema.names[j])
        for j, known in enumerate(schema.categories)
    )
    if any(new is not known for new, known in zip(categories, schema.categories, strict=True)):
        schema = replace(schema, categories=categories)
    return Table(fill(source, columns, schema), schema)


def categorical_mask(categorical_features: Any, names: Sequence[str], *, named: bool = True) -> BoolVector:
    """Turn positions, names or a mask into a mask over the columns."""
    mask = np.zeros(len(names), dtype=bool)
    chosen = np.asarray([] if categorical_features is None else categorical_features)
    if chosen.size == 0:
        return mask
    is_text = chosen.dtype.kind in "UO" and all(isinstance(name, str) for name in chosen.ravel())
    if chosen.ndim != 1 or not (is_text or chosen.dtype.kind in "biu"):
        raise ValueError(
            f"categorical_features={categorical_features!r:.60} is not understood; give 'from_dtype', None, or a list "
            "of positions, of names or of booleans."
        )
    if chosen.dtype.kind == "b":
        if len(chosen) != len(names):
            raise ValueError(f"categorical_features is a mask of length {len(chosen)}, but X has {len(names)} columns.")
        return chosen.copy()
    if not is_text:
        wrong = [int(j) for j in chosen if not -len(names) <= j < len(names)]
        if wrong:
            raise ValueError(f"categorical_features names the columns {wrong}, but X has {len(names)} columns.")
        mask[chosen] = True
        return mask
    if not named:
        raise ValueError("categorical_features gives names, but X has no column names; give positions or a mask.")
    unknown = [str(name) for name in chosen if name not in names]
    if unknown:
        raise ValueError(f"categorical_features names unknown columns {unknown}; X has {list(names)}.")
    mask[[list(names).index(name) for name in chosen]] = True
    return mask
