"""Training rows of mixed types under the Euclidean distance: covers of them are made by kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from covey.kernels.sizes import LANES, pieces
from covey.learners.closest import MANY_COLUMNS, are_for_products, closest_by_products, find_closest
from covey.learners.cover import MOST_LISTED, UNLISTED, ClassedRows, Enemies, Fates, Lists, Verdict, Weights
from covey.learners.leaves import Leaves
from covey.learners.space import Lanes, Points
from covey.parallel import each

# With fewer rows to search for, or among, it does not matter how.
FEWEST_QUERIES, FEWEST_ROWS = 500, 3000

# How many queries tell how much work it is to search leaves, first among how many rows, and the share of the leaves
# that they may look into.
SAMPLE, PILOT, MOST_LOOKED = 32, 1000, 0.9

# Into how many parts for each thread the rows are divided to be listed: spheres of large classes take longer.
PARTS = 4
# Of few rows of many columns all distances are worked out once, if that goes through so many numbers at most.
MOST_NUMBERS = 100_000_000


@dataclass(frozen=True, eq=False)
class EuclideanRows(ClassedRows):
    """Training rows as points."""

    points: Points
    n_jobs: int | None = 1  # how many threads find out what all covers share
    nearest: Enemies | None = None  # the closest enemy of each row, if it is known

    def all_enemies(self, count: int) -> Enemies:
        """Find the closest enemies of all rows among all."""
        if count == 1 and self.nearest is not None:
            return self.nearest
        every = np.arange(len(self.codes))
        asked = ((some, every, count) for some in np.array_split(every, effective_n_jobs(self.n_jobs)))
        return Enemies(*map(np.concatenate, zip(*each(self.closest_enemies, asked, self.n_jobs), strict=True)))

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """The rows in the order of their classes, those of a class in their own."""
        return np.argsort(self.codes, kind="stable").astype(np.int64)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where each class starts in that order."""
        return np.cumsum([0, *np.bincount(self.codes)], dtype=np.int64)

    @cached_property
    def _place(self) -> NDArray[np.int64]:
        """Where each row is in that order."""
        place = np.empty(len(self.order), dtype=np.int64)
        place[self.order] = np.arange(len(place))
        return place

    @cached_property
    def _sorted(self) -> Points:
        return self.points.take(self.order)

    @cached_property
    def _lanes(self) -> Lanes:
        bounds = self.starts.tolist()
        return self._sorted.lanes([np.arange(*pair) for pair in pairwise(bounds)])

    def closest_enemies(self, of: NDArray[np.int64], among: NDArray[np.int64], count: int) -> Enemies:
        """Find the closest rows of other classes."""
        if self._squared is not None:
            return self._known_enemies(self._squared, of, np.sort(among), count)
        return self._enemies_by_leaves(of, among, count) or self._enemies_among_all(of, among, count)

    def _known_enemies(
        self, squared: NDArray[np.float64], of: NDArray[np.int64], among: NDArray[np.int64], count: int
    ) -> Enemies:
        """Look them up among all distances."""
        others = np.where(self.codes[of, None] == self.codes[among], np.inf, squared[np.ix_(of, among)])
        best = np.argsort(others, axis=1, kind="stable")[:, :count]
        nearest = np.take_along_axis(others, best, axis=1)
        rows, distances = np.full((len(of), count), -1), np.full((len(of), count), np.inf)
        rows[:, : best.shape[1]] = np.where(np.isinf(nearest), -1, among[best])
        distances[:, : best.shape[1]] = np.sqrt(nearest)
        return Enemies(rows, distances)

    def _enemies_by_leaves(self, of: NDArray[np.int64], among: NDArray[np.int64], count: int) -> Enemies | None:
        """Find them by looking only where they may be, if a sample says that this is faster than looking everywhere."""
        among = np.sort(among)  # of rows at the same distance the lowest comes first
        leaves, effort = self._leaves(of, among, count)
        if leaves is None or effort > 1.0:
            return None
        where, squared = leaves.find(self.points.take(of), count=count, groups=self.codes[of])
        return Enemies(np.where(where < 0, -1, among[where]), np.sqrt(squared))

    def effort_by_leaves(self) -> float:
        """Return what share of the work of looking everywhere it is to find all closest enemies by leaves."""
        every = np.arange(len(self.codes))
        return self._leaves(every, every, 1)[1]

    def _leaves(self, of: NDArray[np.int64], among: NDArray[np.int64], count: int) -> tuple[Leaves | None, float]:
        """Arrange rows in leaves, and return such a share by a sample; infinite where it is too much or may not be."""
        is_narrow = self.points.exact.shape[1] < MANY_COLUMNS
        if len(of) < FEWEST_QUERIES or len(among) < FEWEST_ROWS or not is_narrow:
            return None, np.inf
        points, sample = self.points.look_up(), of[:: -(-len(of) // SAMPLE)]
        asked = points.take(sample)
        n_own = np.bincount(self.codes[among], minlength=len(self.starts) - 1)[self.codes[sample]].mean()
        # Where few rows must all be looked at, it is the same with nearly all of many.
        step = len(among) // max(PILOT, LANES * (len(self.starts) - 1))
        for some in (among[::step], among) if step > 2 else (among,):
            leaves = Leaves.of(points.take(some), groups=self.codes[some])
            effort = leaves.effort(asked, count=count, groups=self.codes[sample])
            if effort.share > MOST_LOOKED * (1.0 - n_own / len(among)):
                return None, np.inf
        return leaves, effort.rows / max(len(among) - n_own, 1.0)

    def _enemies_among_all(self, of: NDArray[np.int64], among: NDArray[np.int64], count: int) -> Enemies:
        n_classes = len(self.starts) - 1
        is_all = len(of) == len(among) == len(self.codes)
        if is_all and count == 1 and are_for_products(self.points, self.points):
            groups, skip = [np.arange(*pair) for pair in pairwise(self.starts)], np.stack([*pairwise(self.starts)])
            where, squared = closest_by_products(self.points, groups, self.points, self.order, skip)
            return Enemies(where, np.sqrt(squared))
        rows, rank, starts = self._sorted, self.order, self.starts
        if len(among) < len(self.codes):
            rank = among[np.argsort(self.codes[among], kind="stable")]
            rows = self.points.take(rank)
            starts = np.cumsum([0, *np.bincount(self.codes[among], minlength=n_classes)], dtype=np.int64)
        skip = np.stack([starts[:-1], starts[1:]], axis=1)
        if len(of) < len(self.codes):
            queries = self.points.take(of)
            labels = self.codes[of]
            lanes = queries.lanes([np.flatnonzero(labels == label) for label in range(n_classes)])
        else:
            queries, lanes = self._sorted, self._lanes
        where, squared = find_closest(queries, lanes, rows, skip=skip, rank=rank, count=count)
        enemies = Enemies(np.where(where < 0, -1, rank[where]), np.sqrt(squared))
        if len(of) < len(self.codes):
            return enemies
        return Enemies(enemies.rows[self._place], enemies.distances[self._place])

    def distances(self, row: int) -> NDArray[np.float64]:
        """Return a row's distances from all rows, added up in the order of the kernels."""
        return np.asarray(np.sqrt(self._squared_from(row, np.ascontiguousarray(self.points.exact.T))))

    def _squared_from(self, row: int, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return squared distances from a row of all those in some columns x rows, the last of all rows."""
        n_plain, n_numbers = self.points.n_plain, self.points.n_numbers
        own = self.points.exact[row, :, None]
        with np.errstate(invalid="ignore"):
            squares = np.square(columns[:n_numbers] - own[:n_numbers])
        gaps = squares[n_plain:]
        np.copyto(gaps, np.where(np.isnan(gaps), 0.0, np.where(np.isinf(gaps), 1.0, gaps)))
        total = squares[::2].sum(axis=0) + squares[1::2].sum(axis=0)  # along the first axis one after the other
        return np.asarray(total + np.count_nonzero(columns[n_numbers:] != own[n_numbers:], axis=0))

    @cached_property
    def _squared(self) -> NDArray[np.float64] | None:
        """The squared distances between all rows, if these are few and have many columns."""
        n_rows, n_columns = self.points.exact.shape
        if n_columns < MANY_COLUMNS or n_rows * n_rows * n_columns > MOST_NUMBERS:
            return None
        squared, columns = np.empty((n_rows, n_rows)), np.ascontiguousarray(self.points.exact.T)
        for row in range(n_rows):
            squared[row, row:] = squared[row:, row] = self._squared_from(row, columns[:, row:])
        return squared

    def decide(self, rows: NDArray[np.int64], centers: NDArray[np.int64], radii: Weights) -> Verdict:
        """Find the sphere that decides each of some rows."""
        if self._squared is not None:
            return _decide_by(self._squared[np.ix_(rows, centers)], radii)
        points = self.points.look_up()
        return decide(points.take(rows), points.take(centers), radii)

    def random_cover(
        self, draws: NDArray[np.int64], radius: Weights, weight: Weights, least_size: float, lists: Lists | None = None
    ) -> Fates:
        """Cover the rows by spheres around those drawn."""
        from covey.kernels.spheres import random_cover

        order = self.order
        if self._squared is not None:
            lists = self._known_lists(self._squared, radius)
        labels = self.codes[draws]
        by_class = self._place[draws[np.argsort(labels, kind="stable")]]
        starts = np.cumsum([0, *np.bincount(labels, minlength=len(self.starts) - 1)], dtype=np.int64)
        if lists is None:
            lists = Lists(np.full(len(order), UNLISTED), np.zeros(1, dtype=np.int64), np.empty((0, 1), dtype=np.int32))
        is_listed = (lists.radius == radius)[order]
        rows, fates = self._class_rows(radius), self._no_fates()
        known = weight[order], least_size, is_listed, lists.offset, lists.rows
        for label, (first, last) in enumerate(pairwise(starts.tolist())):
            for some in pieces(last - first, self._look(label)):
                random_cover(rows, label, by_class[first:last][some], *known, *fates)
        return self._fates(*fates)

    def greedy_cover(self, radius: Weights, weight: Weights, least_size: float) -> Fates:
        """Cover the rows by the spheres that cover most."""
        from covey.kernels.spheres import greedy_cover, measure_spheres

        rows, weight = self._class_rows(radius), weight[self.order]
        fate, size, covered = self._no_fates()
        gain = np.zeros(len(self.order))
        for label, (first, last) in enumerate(pairwise(self.starts.tolist())):
            for some in pieces(last - first, self._look(label)):
                at = label, first + some.start, first + some.stop
                measure_spheres(rows, *at, weight, least_size, fate, size, gain)
            n_looks = next(pieces(last - first, 4 * self._look(label)), slice(0, 0)).stop
            while first < last and greedy_cover(rows, label, first, last, n_looks, weight, fate, gain, covered):
                pass
        return self._fates(fate, size, covered)

    def list_all(self, radius: Weights) -> Lists | None:
        """List the rows in the sphere of each row, but for spheres that hold too many."""
        n_rows = len(self.order)
        jobs = effective_n_jobs(self.n_jobs)
        parts = np.array_split(np.arange(n_rows), PARTS * jobs if jobs > 1 else 1)
        known = radius, 4 * MOST_LISTED // n_rows, MOST_LISTED // len(parts)
        offsets, lists, is_listed = zip(*each(self._list, ((some, *known) for some in parts), self.n_jobs), strict=True)
        sizes = np.concatenate([np.diff(offset) for offset in offsets])
        kept = np.concatenate(is_listed)[self._place]
        return Lists(np.where(kept, radius, UNLISTED), np.cumsum([0, *sizes]), np.concatenate(lists))

    def _known_lists(self, squared: NDArray[np.float64], radius: Weights) -> Lists:
        """List the rows in the sphere of each row, given all distances."""
        order = self.order
        held = (np.sqrt(squared) < radius[:, None]) & (self.codes == self.codes[:, None])
        np.fill_diagonal(held, True)
        of, inside = np.nonzero(held[np.ix_(order, order)])
        offset = np.searchsorted(of, np.arange(len(order) + 1)).astype(np.int64)
        return Lists(radius, offset, inside.astype(np.int32)[:, None])

    def rows_inside(self, centers: NDArray[np.int64], radius: Weights) -> list[NDArray[np.int64]]:
        """List the rows in the spheres around some rows."""
        places = np.sort(self._place[centers])
        offset, listed, _ = self._list(places, radius, len(self.order), np.iinfo(np.int64).max)
        held = np.split(self.order[listed[:, 0]], offset[1:-1])
        return [held[at] for at in np.searchsorted(places, self._place[centers]).tolist()]

    def _list(self, places: NDArray[np.int64], radius: Weights, most: int, in_all: int) -> tuple[Any, Any, Any]:
        from covey.kernels.spheres import list_inside

        rows, labels = self._class_rows(radius), self.codes[self.order[places]]
        offset, is_listed = np.zeros(len(places) + 1, dtype=np.int64), np.zeros(len(places), dtype=bool)
        listed, largest = np.empty((4 * len(places), 1), dtype=np.int32), int(np.diff(self.starts).argmax())
        for some in pieces(len(places), self._look(largest)):
            at = some.start
            while at < some.stop:
                at = list_inside(rows, places, labels, most, in_all, at, some.stop, offset, listed, is_listed)
                if at < some.stop:  # there was no room for more
                    listed = np.concatenate([listed, np.empty_like(listed)])
        return offset, listed[: offset[-1]], is_listed

    def _look(self, label: int) -> int:
        """Return how many numbers a look at a sphere of a class goes through."""
        first, last = self.starts[label : label + 2].tolist()
        n_columns: int = self.points.exact.shape[1]
        return int(last - first) * n_columns

    def _no_fates(self) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_]]:
        """Return what becomes of rows, as the cover kernels take it, before anything does."""
        n_rows = len(self.order)
        return np.zeros(n_rows, dtype=np.int8), np.zeros(n_rows), np.zeros(n_rows, dtype=bool)

    def _class_rows(self, radius: Weights) -> tuple[Any, ...]:
        """Return what the cover kernels take first, as of `covey.kernels.spheres.ClassRows`."""
        points, lanes = self._sorted, self._lanes
        return (
            lanes.values,
            lanes.members,
            lanes.starts,
            points.single,
            points.exact,
            float(points.reach.max(initial=0.0)),
            points.n_plain,
            points.n_numbers,
            points.unit,
            radius[self.order],
        )

    def _fates(self, *by_class: NDArray[Any]) -> Fates:
        from covey.kernels.spheres import KEPT, NEVER

        fate, size, covered = (array[self._place] for array in by_class)
        return Fates(fate != NEVER, fate == KEPT, size, covered)


def decide(queries: Points, centers: Points, radii: Weights) -> Verdict:
    """Find the sphere that decides each query."""
    every = np.arange(len(queries))
    where, value = find_closest(queries, queries.lanes([every]), centers, radius=radii)
    sphere, distance = where[:, 0], np.sqrt(value[:, 0])
    inside = sphere >= 0
    outside = np.flatnonzero(~inside)
    if len(outside):
        rest = queries.take(outside)
        where, value = find_closest(rest, rest.lanes([every[: len(rest)]]), centers, radius=radii, by_edge=True)
        sphere[outside] = where[:, 0]
        distance[outside] = value[:, 0] + radii[where[:, 0]]
    return Verdict(sphere, distance, inside)


def _decide_by(squared: NDArray[np.float64], radii: Weights) -> Verdict:
    """Find the sphere that decides each query, by the squared distances of queries x centres."""
    distance = np.sqrt(squared)
    holds, past = distance < radii, distance - radii
    inside = np.asarray(holds.any(axis=1))
    closest = np.argmin(np.where(holds, squared, np.inf), axis=1)
    sphere = np.where(inside, closest, np.argmin(past, axis=1))
    every = np.arange(len(squared))
    return Verdict(sphere, np.where(inside, distance[every, sphere], past[every, sphere] + radii[sphere]), inside)
