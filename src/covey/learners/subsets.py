"""The closest cases along many choices of columns at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.sizes import LANES, pieces
from covey.learners.points import Points, aligned

# How many coordinates may make a block of those whose sums subsets share.
WIDTHS = (1, 2, 3, 4, 5, 6)

# How long a step takes, which reads two sums and writes a third, beside an addition to what is in the registers.
STEP = 3


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
    """Find the closest rows to each query along each of many subsets of the coordinates.

    Parameters
    ----------
    queries, rows : Points
        In the same space.
    counts : ndarray of int of shape (n_subsets, n_coordinates) or (n_queries, n_subsets, n_coordinates)
        How often each coordinate counts in each subset, for all queries or for each of them.
    own : ndarray of int64 of shape (n_queries,), optional
        A row that is not searched for the query, -1 for none.
    count : int
        How many rows to find.

    Returns
    -------
    Closest
    """
    shape = (len(queries), counts.shape[-2], count)
    found = Closest(np.empty(shape, dtype=np.int64), np.empty(shape))
    _search(queries, rows, counts, own, Polled.nobody(len(queries)), *found)
    return found


def vote_in_subsets(
    queries: Points,
    rows: Points,
    counts: NDArray[Any],
    codes: NDArray[np.int64],
    weight: NDArray[np.float64],
    n_classes: int,
    *,
    keys: NDArray[np.float64] | None = None,
    own: NDArray[np.int64] | None = None,
    twin: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Find the class of the closest rows to each query along each subset: all at the same distance vote.

    Parameters
    ----------
    queries, rows, counts, own
        As of `find_in_subsets`.
    codes, weight : ndarray of shape (n_rows,)
        The class of each row, and how many cases it stands for, at least 1.
    n_classes : int
    keys : ndarray of float64 of shape (n_subsets, n_classes), optional
        Of classes with as many votes the one of the greatest key wins; by default that of the lowest row.
    twin : ndarray of int64 of shape (n_queries,), optional
        A row that stands for one case less, -1 for none.

    Returns
    -------
    ndarray of int64 of shape (n_queries, n_subsets)
        -1 where no row was searched.
    """
    n_subsets = counts.shape[-2]
    winners = np.full((len(queries), n_subsets), -1, dtype=np.int64)
    twin = np.full(len(queries), -1) if twin is None else twin
    keys = np.empty((0, n_classes)) if keys is None else keys
    polled = Polled(codes, weight, np.ascontiguousarray(keys), twin, n_classes, winners)
    _search(
        queries, rows, counts, own, polled, np.empty((1, n_subsets, 1), dtype=np.int64), np.empty((1, n_subsets, 1))
    )
    return winners


class Polled(NamedTuple):
    """Who votes for what, as the kernel takes it, and where it fills in who won."""

    codes: NDArray[np.int64]
    weight: NDArray[np.float64]
    keys: NDArray[np.float64]
    twin: NDArray[np.int64]
    n_classes: int
    winners: NDArray[np.int64]

    @classmethod
    def nobody(cls, n_queries: int) -> Polled:
        """Return that there is no vote."""
        no_numbers, none = np.empty(0, dtype=np.int64), np.full(n_queries, -1)
        return cls(no_numbers, np.empty(0), np.empty((0, 0)), none, 0, np.empty((0, 0), dtype=np.int64))


def _search(
    queries: Points,
    rows: Points,
    counts: NDArray[Any],
    own: NDArray[np.int64] | None,
    polled: Polled,
    where: NDArray[np.int64],
    value: NDArray[np.float64],
) -> None:
    from covey.kernels.subset_search import search_subsets

    counts = np.ascontiguousarray(counts if counts.ndim == 3 else counts[None], dtype=np.int64)
    if not len(queries) or not counts.shape[1]:
        return
    n_entries, most = max(int(np.count_nonzero(counts, axis=(1, 2)).max(initial=0)), 1), int(counts.max(initial=1))
    own = np.full(len(queries), -1) if own is None else own
    width = _best_width(counts[0], n_entries, most)
    terms = aligned((counts.shape[2] + n_entries + counts.shape[1] + 2, LANES))
    has_vote = len(polled.codes) > 0
    n_plain = min(queries.n_plain, rows.n_plain)
    largest, whole = float(rows.reach.max(initial=0.0)), rows.whole & queries.whole
    searched = rows.exact, largest, rows.unit, n_plain, rows.n_numbers, whole
    for some in pieces(len(queries), len(rows) * n_entries):
        search_subsets(
            rows.blocks,
            queries.single[some],
            queries.exact[some],
            queries.reach[some],
            searched,
            own[some],
            counts[some] if len(counts) > 1 else counts,
            width,
            n_entries,
            most,
            terms,
            polled.codes,
            polled.weight,
            polled.keys,
            polled.twin[some],
            polled.n_classes,
            where if has_vote else where[some],
            value if has_vote else value[some],
            polled.winners[some],
        )


def _best_width(counts: NDArray[np.int64], n_entries: int, most: int) -> int:
    """Return how many coordinates to take together so that the sums of all subsets take the least time."""
    from covey.kernels.subset_program import measure_program

    def cost(width: int) -> int:
        _, n_steps, n_parts = measure_program(counts, width, n_entries, most)
        return int(STEP * n_steps + n_parts)

    return min(WIDTHS, key=cost)
