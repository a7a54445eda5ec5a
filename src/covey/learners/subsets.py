"""The closest cases along many choices of columns at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.learners.points import Points


class Closest(NamedTuple):
    """The closest rows to each query in each subset.

    Parameters
    ----------
    rows : ndarray of int64 of shape (n_queries, n_subsets, count)
        The closest first, of rows at the same distance the lowest; -1 where there are no more.
    squared : ndarray of float64 of the same shape
        Squared distances; infinite where there are no more.
    """

    rows: NDArray[np.int64]
    squared: NDArray[np.float64]


def find_in_subsets(
    queries: Points,
    rows: Points,
    counts: NDArray[Any],
    *,
    own: NDArray[np.int64] | None = None,
    count: int = 1,
) -> Closest:
    """Stand-in."""
    n_plain, n_numbers = min(queries.n_plain, rows.n_plain), rows.n_numbers
    n_queries, n_subsets = len(queries), counts.shape[-2]
    found = np.full((n_queries, n_subsets, count), -1, dtype=np.int64)
    value = np.full((n_queries, n_subsets, count), np.inf)
    for i in range(n_queries):
        with np.errstate(invalid="ignore"):
            squares = (queries.exact[i] - rows.exact) ** 2
        gaps = squares[:, n_plain:n_numbers]
        gaps[np.isinf(gaps)] = 1.0
        gaps[np.isnan(gaps)] = 0.0
        squares[:, n_numbers:] = squares[:, n_numbers:] != 0
        total = squares @ (counts[i] if counts.ndim == 3 else counts).T.astype(np.float64)
        if own is not None and own[i] >= 0:
            total[own[i]] = np.inf
        order = np.argsort(total, axis=0, kind="stable")[:count].T
        best = np.take_along_axis(total.T, order, axis=1)
        found[i, :, : order.shape[1]] = np.where(np.isinf(best), -1, order)
        value[i, :, : order.shape[1]] = best
    return Closest(found, value)
