"""The votes of the nearest cases along few columns of many cases: by leaves, where that is faster than by scanning."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.learners.cases import SLACK, Layout
from covey.learners.leaves import Leaves
from covey.learners.points import Points
from covey.learners.subsets import vote_in_subsets

# Fewer rows, fewer queries or more columns are not worth a try.
LEAST_ROWS, LEAST_QUERIES, MOST_COLUMNS = 3_000, 200, 10

# So many rows are found of each query; more at the same distance are looked for by scanning.
FOUND = 3

# Nanoseconds: to scan a row for one of many subsets, for one alone, and to arrange it.
SCAN_ROW, SCAN_ALONE, ARRANGE_ROW = 0.12, 1.0, 130.0

_SAMPLE = 32


def leaves_pay(layout: Layout, queries: Points, counts: NDArray[Any]) -> bool:
    """Say whether leaves are faster than scanning all rows for many subsets; the largest subset is tried.

    Results are the same either way.
    """
    n_rows, n_columns = len(layout.points), np.count_nonzero(counts, axis=1)
    too_few = n_rows < LEAST_ROWS or len(queries) < LEAST_QUERIES
    if too_few or n_columns.max(initial=0) > MOST_COLUMNS or not layout.has_whole_cases:
        return False
    sample = queries.take(np.linspace(0, len(queries) - 1, _SAMPLE).astype(np.intp))
    leaves = Leaves.of(layout.points, counts[int(np.argmax(n_columns))])
    effort, (_, squared) = leaves.effort(sample, count=FOUND), leaves.find(sample, count=FOUND)
    cut = float(np.mean(squared[:, -1] <= squared[:, 0] * (1.0 + SLACK)))
    search = 250.0 + 10.0 * effort.n_bunches + 60.0 * effort.opened + (45.0 + 4.0 * n_columns.max()) * effort.looked
    each_row = ARRANGE_ROW / len(queries) + cut * SCAN_ALONE
    return bool(search + each_row * n_rows < SCAN_ROW * n_rows)


def vote_by_leaves(
    layout: Layout, queries: Points, counts: NDArray[Any], n_classes: int, keys: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the class that the nearest cases of each query vote for along one subset.

    Parameters
    ----------
    layout, queries : Layout, Points
        What is searched, of whole cases, and for what.
    counts : ndarray of shape (n_coordinates,)
        How often each coordinate counts.
    n_classes : int
    keys : ndarray of float64 of shape (n_classes,)
        Of classes with as many votes the one of the greatest key wins.
    """
    rows, squared = Leaves.of(layout.points, counts).find(queries, count=FOUND)
    winners = layout.codes[rows[:, 0]]
    tied = (rows >= 0) & (squared <= squared[:, :1] * (1.0 + SLACK))
    shared = np.flatnonzero(tied[:, 1:].any(axis=1) & ~tied[:, -1])
    votes = np.zeros((len(shared), n_classes))
    line, place = np.nonzero(tied[shared])
    voters = rows[shared[line], place]
    np.add.at(votes, (line, layout.codes[voters]), layout.weight[voters])
    best = votes >= votes.max(axis=1, initial=0.0, keepdims=True) - SLACK
    winners[shared] = np.where(best, keys, -np.inf).argmax(axis=1)
    cut = np.flatnonzero(tied[:, -1])
    if len(cut):
        winners[cut] = vote_in_subsets(
            queries.take(cut), layout.points, counts[None], layout.codes, layout.weight, n_classes, keys=keys[None]
        )[:, 0]
    return winners
