"""The closest rows along one choice of a few columns, by way of compact leaves: the more rows, the more it saves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.sizes import LANES, pieces
from covey.learners.space import Points

# A larger square of a distance of 1 would not fit into float32; a smaller one than it is only means more to look at.
LARGEST_ONE = 1e30


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


class Ballot(NamedTuple):
    """What rows vote for."""

    starts: NDArray[np.int64]  # where the votes of each row begin, and where those of the last end
    codes: NDArray[np.int64]  # the classes that rows vote for, one row after the other, ...
    votes: NDArray[np.float64]  # ... and how many votes each gives to each
    keys: NDArray[np.float64]  # of classes with as many votes the one of the greatest key wins


_NO_ROWS, _NO_NUMBERS = np.empty(0, dtype=np.int64), np.empty(0)
_NO_BALLOT = Ballot(_NO_ROWS, _NO_ROWS, _NO_NUMBERS, _NO_NUMBERS)


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

    def vote(self, queries: Points, ballot: Ballot) -> tuple[NDArray[np.int64], Effort]:
        """Find the class that the closest rows to each query vote for, all at one distance, and what that took."""
        _, _, winners, effort = self._search(queries, 1, None, ballot)
        return winners, effort

    def effort(self, sample: Points, count: int = 1, groups: NDArray[np.int64] | None = None) -> Effort:
        """Say how much work it is to find the closest rows to such queries as these; 32 tell well enough."""
        return self._search(sample, count, groups)[3]

    def _search(
        self, queries: Points, count: int, groups: NDArray[np.int64] | None, ballot: Ballot = _NO_BALLOT
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], Effort]:
        from covey.kernels.leaf_search import search_leaves

        rows, n_queries = self.rows, len(queries)
        where, value = np.full((n_queries, count), -1), np.full((n_queries, count), np.inf)
        winners = np.full(n_queries, -1)
        if not len(rows):
            return where, value, winners, Effort(0.0, 0.0, 0, 0)
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
                *ballot,
                where[some],
                value[some],
                winners[some],
            )
            n_opened, n_looked = n_opened + opened, n_looked + looked
        each = max(n_queries, 1)
        effort = Effort(n_opened / each, n_looked / each, len(self.bunches.lowest), len(self.leaves.lowest))
        return where, value, winners, effort
