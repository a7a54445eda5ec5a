"""Cases as points, laid out as kernels take them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.kernels.sizes import LANES, LARGEST_SUM, pieces

# Of so many columns, products of matrices are faster than lanes; so many queries take part in one.
MANY_COLUMNS, CHUNK = 150, 256

CACHE_LINE = 64

# Squares of differences of whole numbers up to this can be added a thousand times in float32 without an error.
LARGEST_WHOLE = 50

# Numbers are multiplied in float32 if the largest of them lies between these.
SMALLEST_PRODUCT, LARGEST_PRODUCT = 1e-10, 1e15


@dataclass(frozen=True, eq=False)
class Points:
    """Cases in the order of coordinates that kernels take.

    Parameters
    ----------
    exact : ndarray of float64 of shape (n_points, n_coordinates)
        Numbers that are never missing, numbers that may be (infinite if they are), and codes of categories (-1 for a
        missing one).
    n_plain, n_numbers : int
        How many coordinates are of the first kind, an even number, and how many of the first two.
    unit : float
        A power of two that brings the numbers near 1, where float32 is at its best.
    origin : ndarray of float64 of shape (n_numbers,), optional
        What is taken off the numbers first, for the same purpose.
    """

    exact: NDArray[np.float64]
    n_plain: int
    n_numbers: int
    unit: float = 1.0
    origin: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.exact)

    @cached_property
    def single(self) -> NDArray[np.float32]:
        """The same in float32, numbers in their unit and cut off where they could not be squared."""
        with np.errstate(over="ignore"):
            single = self.exact.astype(np.float32)
        numbers = single[:, : self.n_numbers]
        largest = 0.5 * np.sqrt(LARGEST_SUM / max(self.exact.shape[1], 1))
        if self.unit != 1.0 or self.origin is not None or self.reach.max(initial=0.0) > largest:
            moved = self._moved
            numbers[:] = np.where(np.isinf(moved), np.inf, np.clip(moved * self.unit, -largest, largest))
        return single

    @property
    def _moved(self) -> NDArray[np.float64]:
        numbers = self.exact[:, : self.n_numbers]
        return numbers if self.origin is None else numbers - self.origin

    @cached_property
    def reach(self) -> NDArray[np.float64]:
        """The largest size of a number of each case, seen from the origin."""
        numbers = self._moved
        if self.n_plain < self.n_numbers:
            numbers = np.where(np.isinf(numbers), 0.0, numbers)
        return np.asarray(np.maximum(numbers.max(axis=1, initial=0.0), -numbers.min(axis=1, initial=0.0)))

    @cached_property
    def blocks(self) -> NDArray[np.float32]:
        """All points side by side in their order, as of `Lanes.values`."""
        return self.lanes([np.arange(len(self))]).values

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """Whether all numbers of a coordinate are small whole ones, or missing; those of categories always are."""
        whole = np.ones(self.exact.shape[1], dtype=bool)
        for f in range(self.n_numbers):  # one after the other: all at once would take the memory of the points again
            column = self.exact[:, f]
            with np.errstate(invalid="ignore"):
                small = (np.abs(column) <= LARGEST_WHOLE) & (column == np.rint(column))
            whole[f] = (small | np.isinf(column)).all()
        return whole

    def take(self, rows: NDArray[Any]) -> Points:
        """Return some of the points, with what is known of them."""
        taken = replace(self, exact=np.take(self.exact, rows, axis=0))
        for name in ("single", "reach"):
            if name in self.__dict__:
                taken.__dict__[name] = np.take(self.__dict__[name], rows, axis=0)
        return taken

    def look_up(self) -> Points:
        """Work out now what points taken from these would else work out again and again."""
        _ = self.single, self.reach
        return self

    def lanes(self, groups: list[NDArray[np.int64]]) -> Lanes:
        """Lay points side by side, 64 in a block, no two groups of them in the same block."""
        starts = np.zeros(len(groups) + 1, dtype=np.int64)
        for at, group in enumerate(groups):
            starts[at + 1] = starts[at] - (-len(group) // LANES)
        members = np.full((int(starts[-1]), LANES), -1, dtype=np.int64)
        for at, group in enumerate(groups):
            members[starts[at] : starts[at + 1]].ravel()[: len(group)] = group
        return Lanes(self, members, starts)


@dataclass(frozen=True, eq=False)
class Lanes:
    """Points side by side.

    Parameters
    ----------
    points : Points
        Among others those that lie side by side.
    members : ndarray of int64 of shape (n_blocks, 64)
        Which point is in a lane, -1 for none.
    starts : ndarray of int64 of shape (n_groups + 1,)
        The first block of each group.
    """

    points: Points
    members: NDArray[np.int64]
    starts: NDArray[np.int64]

    @cached_property
    def values(self) -> NDArray[np.float32]:
        """The coordinates in blocks: one coordinate of 64 points in each row."""
        blocks = np.take(self.points.single, np.maximum(self.members, 0), axis=0).transpose(0, 2, 1)
        values = aligned((blocks.shape[0] * blocks.shape[1], LANES))
        values.reshape(blocks.shape)[:] = blocks
        return values


def aligned(shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return an empty array whose lanes begin where lines of the cache do: loads that cross them take twice as long."""
    n_bytes = 4 * shape[0] * shape[1]
    room = np.empty(n_bytes + CACHE_LINE, dtype=np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start : start + n_bytes].view(np.float32).reshape(shape)


def find_closest(
    queries: Points,
    lanes: Lanes,
    rows: Points,
    *,
    skip: NDArray[np.int64] | None = None,
    rank: NDArray[np.int64] | None = None,
    radius: NDArray[np.float64] | None = None,
    count: int = 1,
    by_edge: bool = False,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Find the closest rows to those queries that are in the lanes.

    Parameters
    ----------
    queries, lanes : Points, Lanes
        All queries, in the unit of the rows, and those to search for.
    rows : Points
        Points, or the centres of spheres.
    skip : ndarray of shape (n_groups, 2), optional
        For each group of queries the range of rows that is not searched.
    rank : ndarray, optional
        Which of several rows at the same distance comes first; by default the first.
    radius : ndarray, optional
        The radii of spheres: only those that hold a query are searched for it.
    count : int
        How many rows to find.
    by_edge : bool
        Whether to look for the closest edge of a sphere, whether the query is in it or not.

    Returns
    -------
    where : ndarray of int64 of shape (n_queries, count)
        Rows, the closest first; -1 where there are none.
    value : ndarray of float64 of shape (n_queries, count)
        Squared distances, or distances from edges; infinite where there are none.
    """
    from covey.kernels.search import search

    skip = np.zeros((len(lanes.starts) - 1, 2), dtype=np.int64) if skip is None else skip
    is_plain = min(queries.n_plain, rows.n_plain) == rows.n_numbers == rows.exact.shape[1]
    by_products = is_plain and radius is None and count == 1 and rows.n_numbers >= MANY_COLUMNS
    largest = float(rows.reach.max(initial=0.0))
    if by_products and largest > SMALLEST_PRODUCT and max(largest, queries.reach.max(initial=0.0)) < LARGEST_PRODUCT:
        return _closest_by_products(queries, lanes, rows, skip, np.arange(len(rows)) if rank is None else rank)
    skip_of_blocks = np.repeat(skip, np.diff(lanes.starts), axis=0)
    rank = np.arange(len(rows)) if rank is None else rank
    radius = np.full(len(rows), np.inf) if radius is None else radius
    where, value = np.full((len(queries), count), -1, dtype=np.int64), np.full((len(queries), count), np.inf)
    n_plain, n_columns = min(queries.n_plain, rows.n_plain), rows.single.shape[1]
    searched = rows.single, rows.exact, rank, radius, largest, n_plain, rows.n_numbers, rows.unit, by_edge
    for some in pieces(len(lanes.members), LANES * rows.single.size):
        search(
            lanes.values[some.start * n_columns : some.stop * n_columns],
            lanes.members[some],
            skip_of_blocks[some],
            queries.exact,
            queries.reach,
            searched,
            where,
            value,
        )
    return where, value


def _closest_by_products(
    queries: Points, lanes: Lanes, rows: Points, skip: NDArray[np.int64], rank: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Find the closest row by products of matrices: points of many columns, none of which is missing."""
    from covey.kernels.search import search_products

    middle = rows.exact.mean(axis=0)
    centred = (rows.exact - middle).astype(np.float32)
    all_asked = centred if queries is rows else (queries.exact - middle).astype(np.float32)
    norms = np.einsum("ij,ij->i", centred, centred)
    where = np.full((len(queries), 1), -1, dtype=np.int64)
    value = np.full((len(queries), 1), np.inf)
    for group, (skip_from, skip_to) in enumerate(skip.tolist()):
        members = lanes.members[lanes.starts[group] : lanes.starts[group + 1]].ravel()
        members = members[members >= 0]
        others = np.delete(np.arange(len(rows)), slice(skip_from, skip_to))
        if not len(others):
            continue
        for start in range(0, len(members), CHUNK):
            chunk = members[start : start + CHUNK]
            asked = all_asked[chunk]
            products = np.empty((len(chunk), len(others)), dtype=np.float32)
            np.matmul(asked, centred[:skip_from].T, out=products[:, :skip_from])
            np.matmul(asked, centred[skip_to:].T, out=products[:, skip_from:])
            own = np.einsum("ij,ij->i", asked, asked)
            search_products(products, chunk, others, queries.exact, rows.exact, rank, own, norms[others], where, value)
    return where, value
