"""The closest rows along one choice of a few columns, by way of compact leaves: the more rows, the more it saves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.sizes import LANES, pieces
from covey.learners.case_base import SLACK, Layout
from covey.learners.closest import vote_in_subsets
from covey.learners.space import Points

# A larger square of a distance of 1 would not fit into float32; a smaller one than it is only means more to look at.
LARGEST_ONE = 1e30

# Fewer rows, fewer queries or more columns are not worth a try.
LEAST_ROWS, LEAST_QUERIES, MOST_COLUMNS = 3_000, 200, 10

# How many rows are found of each query; more at the same distance are looked for by scanning.
FOUND = 3

# How many queries tell whether leaves pay.
SAMPLE = 32

# Nanoseconds: to scan a row for one of many subsets, for one alone, and to arrange it. On one thread of an AMD EPYC
# with AVX-512 (November 2026; 20,000 and 100,000 normal rows, 3 and 6 columns) they were 0.10 to 0.11, 1.2 to 1.5, and
# 67 to 128; a search took 1.0 to 1.8 times what `leaves_pay` expects. Only the ratios count, and results are the same.
SCAN_ROW, SCAN_ALONE, ARRANGE_ROW = 0.12, 1.0, 130.0


class Effort(NamedTuple):
    """What searching took, for each query on average."""

    opened: float  # how many bunches of 16 leaves were opened, ...
    looked: float  # ... and how many leaves of 64 rows were looked into
    n_bunches: int  # how many there are
    n_leaves: int

    @property
    def share(self) -> float:
        """The share of the leaves that were looked into."""
        return self.looked / max(self.n_leaves, 1)

    @property
    def rows(self) -> float:
        """How many rows a search that compares all of them goes through in about the same time."""
        return 300.0 + 8.0 * self.n_bunches + 40.0 * self.opened + 120.0 * self.looked


@dataclass(frozen=True, eq=False)
class Leaves:
    """Rows arranged to be searched along a few coordinates; made by `of`."""

    rows: Points
    chosen: Any  # the coordinates that count, as of `covey.kernels.leaves.Chosen`
    is_paired: bool  # whether distances are added up as in the whole space, by `squared_distance`
    # What `covey.kernels.leaves.arrange` fills in.
    members: NDArray[np.int64]
    lanes: NDArray[np.float32]
    leaves: Any
    bunches: Any
    bunch_starts: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        rows: Points,
        counts: NDArray[Any] | None = None,
        groups: NDArray[np.int64] | None = None,
    ) -> Leaves:
        """Arrange rows.

        By default each coordinate counts once, and distances are added up as they are in searches of the whole space.
        Groups, numbered from 0 on, are for searches among the rows of other groups.
        """
        from covey.kernels.leaves import FAN, Chosen, arrange, no_leaves

        often = np.ones(rows.exact.shape[1]) if counts is None else counts
        which = np.flatnonzero(often).astype(np.int64)
        times = often[which].astype(np.float64)
        is_number = which < rows.n_numbers
        roots = np.where(is_number, np.sqrt(times), 1.0).astype(np.float32)
        ones = np.minimum(times * rows.unit**2, LARGEST_ONE).astype(np.float32)
        by_group, starts = np.arange(len(rows)), np.array([0, len(rows)])
        if groups is not None:
            by_group = np.argsort(groups, kind="stable").astype(np.int64)
            starts = np.cumsum([0, *np.bincount(groups)], dtype=np.int64)
        n_leaves = -(-np.diff(starts) // LANES)
        bunch_starts = np.cumsum([0, *(-(-n_leaves // FAN))], dtype=np.int64)
        total, n_bunches = int(n_leaves.sum()), int(bunch_starts[-1])
        lanes = np.empty((total * len(which), LANES), dtype=np.float32)
        leaves = no_leaves(total, n_bunches, len(which))
        bunches = no_leaves(n_bunches, -(-n_bunches // FAN), len(which))
        chosen = Chosen(which, times, roots, ones, int(is_number.sum()))
        made = by_group, lanes, tuple(leaves), tuple(bunches)
        arrange(rows.single, rows.exact, tuple(chosen), starts, bunch_starts, *made)
        return cls(rows, chosen, counts is None, by_group, lanes, leaves, bunches, bunch_starts)

    def find(
        self, queries: Points, count: int = 1, groups: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Find the closest rows to each query, but for those of its group.

        Of rows at the same distance the lowest comes first; where there are no more, rows are -1 and squared distances
        infinite.
        """
        return self._search(queries, count, groups)[:2]

    def effort(self, sample: Points, count: int = 1, groups: NDArray[np.int64] | None = None) -> Effort:
        """Say how much work it is to find the closest rows to such queries as these; 32 tell well enough."""
        *_, opened, looked = self._search(sample, count, groups)
        n_queries = max(len(sample), 1)
        n_bunches, n_leaves = len(self.bunches.lowest), len(self.leaves.lowest)
        return Effort(opened / n_queries, looked / n_queries, n_bunches, n_leaves)

    def _search(
        self, queries: Points, count: int, groups: NDArray[np.int64] | None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], int, int]:
        from covey.kernels.leaf_search import search_leaves

        rows, n_queries = self.rows, len(queries)
        where, value = np.full((n_queries, count), -1), np.full((n_queries, count), np.inf)
        if not len(rows):
            return where, value, 0, 0
        skip = np.zeros((n_queries, 2), dtype=np.int64)
        if groups is not None:
            # The rows may have none of the query's group.
            bounds = np.append(self.bunch_starts, self.bunch_starts[-1])
            skip[:, 0], skip[:, 1] = (bounds[np.minimum(groups + end, len(bounds) - 1)] for end in (0, 1))
        n_opened = n_looked = 0
        for some in pieces(n_queries, len(rows) * len(self.chosen.which)):
            opened, looked = search_leaves(
                queries.single[some],
                queries.exact[some],
                queries.reach[some],
                skip[some],
                rows.exact,
                self.members,
                self.lanes,
                tuple(self.leaves),
                tuple(self.bunches),
                tuple(self.chosen),
                min(queries.n_plain, rows.n_plain),
                rows.n_numbers,
                float(rows.reach.max(initial=0.0)),
                rows.unit,
                self.is_paired,
                where[some],
                value[some],
            )
            n_opened, n_looked = n_opened + opened, n_looked + looked
        return where, value, n_opened, n_looked


def leaves_pay(layout: Layout, queries: Points, counts: NDArray[Any]) -> bool:
    """Say whether leaves are faster than scanning all rows for many subsets; the largest subset is tried.

    Results are the same either way.
    """
    n_rows, n_columns = len(layout.points), np.count_nonzero(counts, axis=1)
    too_few = n_rows < LEAST_ROWS or len(queries) < LEAST_QUERIES
    if too_few or n_columns.max(initial=0) > MOST_COLUMNS or not layout.has_whole_cases:
        return False
    sample = queries.take(np.linspace(0, len(queries) - 1, SAMPLE).astype(np.intp))
    leaves = Leaves.of(layout.points, counts[int(np.argmax(n_columns))])
    effort, (_, squared) = leaves.effort(sample, count=FOUND), leaves.find(sample, count=FOUND)
    cut = float(np.mean(squared[:, -1] <= squared[:, 0] * (1.0 + SLACK)))
    search = 250.0 + 10.0 * effort.n_bunches + 60.0 * effort.opened + (45.0 + 4.0 * n_columns.max()) * effort.looked
    each_row = ARRANGE_ROW / len(queries) + cut * SCAN_ALONE
    return bool(search + each_row * n_rows < SCAN_ROW * n_rows)


def vote_by_leaves(
    layout: Layout, queries: Points, counts: NDArray[Any], n_classes: int, keys: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the class that the nearest rows of each query, of whole cases, vote for along one subset.

    ``counts`` says how often each coordinate counts; of classes with as many votes the one of the greatest key wins.
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
