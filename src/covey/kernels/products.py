"""The search for the closest row where there are many columns: the fast pass is a product of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from covey.kernels.compile import kernel, read_only
from covey.kernels.distance import squared_distance
from covey.kernels.tiles import ERROR


@kernel(
    types.void(
        read_only(types.float32, 2),
        read_only(types.int64, 1),
        read_only(types.int64, 1),
        read_only(types.float64, 2),
        read_only(types.float64, 2),
        read_only(types.int64, 1),
        read_only(types.float32, 1),
        read_only(types.float32, 1),
        types.int64[:, ::1],
        types.float64[:, ::1],
    )
)
def search_products(
    products: Any,
    members: Any,
    others: Any,
    queries: Any,
    rows: Any,
    rank: Any,
    query_norms: Any,
    row_norms: Any,
    where: Any,
    value: Any,
) -> None:
    """Find the closest row of some queries among some rows, all of them complete numbers.

    Parameters
    ----------
    products : float32 of shape (n_members, n_others)
        The inner products of these queries and rows, in coordinates centred somewhere.
    members, others : int64
        Which queries and which rows these are.
    queries, rows : float64
        The exact coordinates of all queries and rows.
    rank : int64 of shape (n_rows,)
        Of rows at the same distance the one of lowest rank is taken.
    query_norms, row_norms : float32
        The squared lengths of these queries and rows in the centred coordinates.
    where, value
        What `search` returns for a count of 1; the lines of these queries are filled in.
    """
    n_columns = rows.shape[1]
    n_even = n_columns - n_columns % 2
    longest = np.float32(0.0)
    for j in range(len(others)):
        longest = max(longest, row_norms[j])
    for i in range(len(members)):
        query = members[i]
        lowest, nearest = np.float32(np.inf), 0
        for j in range(len(others)):
            squared = row_norms[j] - products[i, j] - products[i, j]
            if squared < lowest:
                lowest, nearest = squared, j
        best = squared_distance(queries, query, rows, others[nearest], n_even, n_columns, n_columns)
        chosen = others[nearest]
        # What sums of so many products may lose, in whatever order they are taken.
        length = np.sqrt(np.float64(query_norms[i])) + np.sqrt(np.float64(longest))
        error = 2.0 * ERROR * (n_columns + 8.0) * length * length
        limit = best - query_norms[i] + error
        for j in range(len(others)):
            if row_norms[j] - products[i, j] - products[i, j] <= limit and j != nearest:
                other = others[j]
                exact = squared_distance(queries, query, rows, other, n_even, n_columns, n_columns)
                if exact < best or (exact == best and rank[other] < rank[chosen]):
                    best, chosen = exact, other
                    limit = best - query_norms[i] + error
        where[query, 0] = chosen
        value[query, 0] = best
