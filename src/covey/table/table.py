"""From any rows to a table, and from new rows to the matrix of a table known already."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.table.column import Column, encode_categories, encode_numbers, observed_categories, with_new_categories
from covey.table.schema import BoolVector, FloatMatrix, Schema, Table
from covey.table.source import Source, open_source

CategoricalFeatures = str | Sequence[int] | Sequence[str] | Sequence[bool] | NDArray[Any] | None


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
    return Table(_fill(source, columns, schema), schema)


def encode_rows(X: Any, schema: Schema, check: Callable[[], object] | None = None) -> FloatMatrix:
    """Encode new rows by a schema learnt earlier; see `Schema.encode`.

    ``check`` is called once X is known to be a table of rows, before its columns are looked at.
    """
    if isinstance(X, Table):
        if X.schema != schema:
            raise ValueError("X is a table whose columns or categories are not those seen in training.")
        return X.matrix
    source = _open_new(X, schema, check)
    columns = _columns_of(source, schema)
    matrix = _fill(source, columns, schema)
    _warn_of_strangers(columns, matrix, schema)
    return matrix


def extend_rows(X: Any, schema: Schema, check: Callable[[], object] | None = None) -> Table:
    """Encode new rows by a schema learnt earlier, to which categories never seen before are added, after the others.

    ``check`` is as of `encode_rows`.
    """
    if isinstance(X, Table):
        return Table(encode_rows(X, schema), schema)
    source = _open_new(X, schema, check)
    columns = _columns_of(source, schema)
    categories = list(schema.categories)
    for j, known in enumerate(categories):
        if known is not None:
            categories[j] = with_new_categories(columns[j], known, schema.names[j])
    if any(new is not known for new, known in zip(categories, schema.categories, strict=True)):
        schema = replace(schema, categories=tuple(categories))
    return Table(_fill(source, columns, schema), schema)


def _open_new(X: Any, schema: Schema, check: Callable[[], object] | None) -> Source:
    """Look at new rows; refuse those whose columns are not the schema's."""
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
    return source


def _columns_of(source: Source, schema: Schema) -> dict[int, Column]:
    coded = np.flatnonzero(schema.categorical).tolist()
    return {j: Column(source.matrix[:, j]) for j in coded} | {j: read() for j, read in source.others.items()}


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


def _fill(source: Source, columns: Mapping[int, Column], schema: Schema) -> FloatMatrix:
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


def categorical_mask(categorical_features: Any, names: Sequence[str], *, named: bool = True) -> BoolVector:
    """Turn positions, names or a mask into a mask over the columns."""
    mask = np.zeros(len(names), dtype=bool)
    if categorical_features is None:
        return mask
    if isinstance(categorical_features, str):
        raise ValueError(
            f"categorical_features={categorical_features!r} is not understood; give 'from_dtype', None, "
            "or a list of positions, names or booleans."
        )
    chosen = np.asarray(categorical_features)
    if chosen.size == 0:
        return mask
    if chosen.ndim != 1:
        raise ValueError(f"categorical_features must be one-dimensional, but its shape is {chosen.shape}.")
    if chosen.dtype.kind == "b":
        if len(chosen) != len(names):
            raise ValueError(f"categorical_features is a mask of length {len(chosen)}, but X has {len(names)} columns.")
        return chosen.copy()
    mask[_positions(chosen, names, named)] = True
    return mask


def _positions(chosen: NDArray[Any], names: Sequence[str], named: bool) -> list[int]:
    if chosen.dtype.kind in "iu":
        wrong = [int(j) for j in chosen if not -len(names) <= j < len(names)]
        if wrong:
            raise ValueError(f"categorical_features names the columns {wrong}, but X has {len(names)} columns.")
        return [int(j) for j in chosen]
    if chosen.dtype.kind not in "UO" or not all(isinstance(name, str) for name in chosen.tolist()):
        raise ValueError("categorical_features must be a list of positions, of names or of booleans.")
    if not named:
        raise ValueError("categorical_features gives names, but X has no column names; give positions or a mask.")
    unknown = [str(name) for name in chosen if name not in names]
    if unknown:
        raise ValueError(f"categorical_features names unknown columns {unknown}; X has {list(names)}.")
    return [list(names).index(name) for name in chosen]
