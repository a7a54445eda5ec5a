"""The votes of the nearest rows along one choice of a few columns, where rows that are equal along it count as one.

Of whole numbers and categories many rows fall together along few columns, and many queries with them: of 13,333 letters
a half to two thirds. Rows that are equal are searched once, with the votes of all; queries that are equal ask once, and
one that is equal to a row is answered without a search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.learners.case_base import SLACK, Layout
from covey.learners.leaves import Ballot, Leaves
from covey.learners.space import Points

# Fewer rows, fewer queries or more columns are not worth a try.
LEAST_ROWS, LEAST_QUERIES, MOST_COLUMNS = 3_000, 200, 10

# How many rows tell whether a column has few values, and how many of those rows may have one of their own.
PILOT, MOST_DISTINCT = 1000, 300

# Squares of smaller differences may be 0: rows that are not equal would be at no distance.
LEAST_GAP = 1e-150

# The largest number of combinations of values that a key can hold, beside a class.
MOST_KEYS = 2.0**62

# How many queries tell whether leaves pay.
SAMPLE = 32

# Nanoseconds: to scan a row for one of many subsets, to arrange it in leaves, and to sort a row or query by its key. On
# one thread of an AMD EPYC with AVX-512 (November 2026). Only the ratios count, and results are the same.
SCAN_ROW, ARRANGE_ROW, SORT_ROW = 0.08, 130.0, 100.0


@dataclass(frozen=True, eq=False)
class Ranks:
    """The values of rows and queries along each coordinate, numbered in their order."""

    sizes: NDArray[np.int64]  # how many values each coordinate has, 0 for one of too many to be numbered
    rows: list[NDArray[np.int64]]  # the numbers of the rows along each coordinate ...
    queries: list[NDArray[np.int64]]  # ... and of the queries

    @classmethod
    def of(cls, rows: Points, queries: Points) -> Ranks:
        """Number the values along each coordinate that has few."""
        n_rows, n_columns = rows.exact.shape
        sizes, ranks = np.zeros(n_columns, dtype=np.int64), []
        step = -(-n_rows // PILOT)
        for f in range(n_columns):
            number = np.empty(0, dtype=np.int64)
            if len(np.unique(rows.exact[::step, f])) <= MOST_DISTINCT:
                values, number = np.unique(np.concatenate([rows.exact[:, f], queries.exact[:, f]]), return_inverse=True)
                is_apart = np.diff(values[np.isfinite(values)]).min(initial=1.0) > LEAST_GAP
                sizes[f] = len(values) if is_apart else 0
            ranks.append(number)
        return cls(sizes, [number[:n_rows] for number in ranks], [number[n_rows:] for number in ranks])

    def keys(self, which: NDArray[Any], n_classes: int) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """Return a number for each row and query, the same for equals along some coordinates; None without any."""
        sizes = self.sizes[which]
        if not len(which) or not sizes.all() or n_classes * np.prod(sizes.astype(np.float64)) > MOST_KEYS:
            return None
        rows, queries = self.rows[which[0]], self.queries[which[0]]
        for f in which[1:]:
            rows, queries = rows * self.sizes[f] + self.rows[f], queries * self.sizes[f] + self.queries[f]
        return rows, queries


class Merged(NamedTuple):
    """Rows and queries of which equals along some coordinates count as one."""

    ballot: Ballot  # what all rows vote for that are equal
    rows: NDArray[np.int64]  # one row for each of the ballot
    queries: NDArray[np.int64]  # queries that are not equal to a row, one of each, ...
    asked: NDArray[np.int64]  # ... and for each query which of them it is, ...
    answered: NDArray[np.int64]  # ... or what class the rows vote for that it is equal to, -1 if there are none


def merge(layout: Layout, ranks: Ranks, counts: NDArray[Any], keys: NDArray[np.float64]) -> Merged | None:
    """Find the rows and queries that are equal; None along coordinates of many values."""
    n_classes = len(keys)
    numbers = ranks.keys(np.flatnonzero(counts), n_classes)
    if numbers is None:
        return None
    labelled = numbers[0] * n_classes + layout.codes
    order = np.argsort(labelled)
    first = _firsts(labelled[order])
    point, codes = np.divmod(labelled[order[first]], n_classes)
    votes = np.add.reduceat(layout.weight[order], first)
    starts = _firsts(point)
    ballot = Ballot(np.append(starts, len(point)), codes, votes, keys)
    by_query = np.argsort(numbers[1])
    sorted_queries = numbers[1][by_query]
    first_query = _firsts(sorted_queries)
    distinct = sorted_queries[first_query]
    place = np.minimum(np.searchsorted(point[starts], distinct), len(starts) - 1)
    is_known = point[starts][place] == distinct
    answers, search = np.where(is_known, _winners(ballot)[place], -1), np.cumsum(~is_known) - 1
    which = np.empty(len(by_query), dtype=np.int64)
    which[by_query] = np.repeat(np.arange(len(distinct)), np.diff(first_query, append=len(by_query)))
    unknown = by_query[first_query[~is_known]]
    return Merged(ballot, order[first[starts]], unknown, search[which], answers[which])


def _firsts(ordered: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first places of equal numbers that are in order."""
    return np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))


def _winners(ballot: Ballot) -> NDArray[np.int64]:
    """Return the class that each row of a ballot votes for."""
    starts, sizes = ballot.starts[:-1], np.diff(ballot.starts)
    most = np.repeat(np.maximum.reduceat(ballot.votes, starts), sizes)
    liked = np.where(ballot.votes >= most - SLACK, ballot.keys[ballot.codes], -np.inf)
    best = np.flatnonzero(liked == np.repeat(np.maximum.reduceat(liked, starts), sizes))
    return ballot.codes[best[np.searchsorted(best, starts)]]


def leaves_pay(layout: Layout, queries: Points, ranks: Ranks, counts: NDArray[Any], keys: NDArray[np.float64]) -> bool:
    """Say whether leaves are faster than scanning all rows for many subsets; the largest subset is tried.

    Results are the same either way.
    """
    n_rows, n_queries, n_columns = len(layout.points), len(queries), np.count_nonzero(counts, axis=1)
    largest = int(np.argmax(n_columns))
    merged = merge(layout, ranks, counts[largest], keys[largest])
    points, ballot, asked = layout.points, _ballot_of_all(layout, keys[largest]), np.arange(n_queries)
    if merged is not None:
        points, ballot, asked = points.take(merged.rows), merged.ballot, merged.queries
    cost = (n_rows + n_queries) * SORT_ROW if merged is not None else 0.0
    if len(asked):
        sample = queries.take(asked[np.linspace(0, len(asked) - 1, SAMPLE).astype(np.intp)])
        _, effort = Leaves.of(points, counts[largest]).vote(sample, ballot)
        looks = (45.0 + 4.0 * n_columns[largest]) * effort.looked
        cost += len(asked) * (250.0 + 10.0 * effort.n_bunches + 60.0 * effort.opened + looks)
        cost += ARRANGE_ROW * len(points)
    return bool(cost < SCAN_ROW * n_rows * n_queries)


def may_pay(layout: Layout, n_queries: int, counts: NDArray[Any]) -> bool:
    """Say whether it is worth a try."""
    is_small = np.count_nonzero(counts, axis=1).max(initial=0) <= MOST_COLUMNS
    return bool(len(layout.points) >= LEAST_ROWS and n_queries >= LEAST_QUERIES and is_small and layout.has_whole_cases)


def vote_by_leaves(
    layout: Layout, queries: Points, ranks: Ranks, counts: NDArray[Any], keys: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the class that the nearest rows of each query, of whole cases, vote for along one subset.

    ``counts`` says how often each coordinate counts; of classes with as many votes the one of the greatest key wins.
    """
    merged = merge(layout, ranks, counts, keys)
    if merged is None:
        return Leaves.of(layout.points, counts).vote(queries, _ballot_of_all(layout, keys))[0]
    winners = merged.answered
    if len(merged.queries):
        leaves = Leaves.of(layout.points.take(merged.rows), counts)
        voted, _ = leaves.vote(queries.take(merged.queries), merged.ballot)
        winners = np.where(winners < 0, voted[merged.asked], winners)
    return winners


def _ballot_of_all(layout: Layout, keys: NDArray[np.float64]) -> Ballot:
    return Ballot(np.arange(len(layout.points) + 1), layout.codes, layout.weight, keys)
