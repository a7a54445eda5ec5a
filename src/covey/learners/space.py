"""The space in which rows of mixed types are points: the distance that sphere covers and nearest neighbours share.

A number counts by its difference, scaled by the range of its column; a missing number is at distance 1 from any other
and at distance 0 from another missing one; two categories are at distance 0 or 1, a missing one being one more. The
distance of two rows is the root of the sum of squares over the columns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.kernels.sizes import LANES, LARGEST_SUM
from covey.learners.per_table import PerTable
from covey.models.fields import Array, Field, Number, OrNone, Whole, require
from covey.parallel import HoldsArrays
from covey.table import Schema, Table

# A number that is there must stay finite when it is squared: infinite ones are missing.
LARGEST = 1e150

CACHE_LINE = 64

# So many columns are looked through one by one.
FEW_COLUMNS = 64

# Squares of differences of whole numbers up to this can be added a thousand times in float32 without an error.
LARGEST_WHOLE = 50


@dataclass(frozen=True, eq=False)
class Points(HoldsArrays):
    """Rows in the order of coordinates that kernels take."""

    # (row, coordinate): numbers that are never missing, numbers that may be (infinite if they are), and codes of
    # categories (-1 for a missing one).
    exact: NDArray[np.float64]
    n_plain: int  # how many coordinates are of the first kind, an even number, ...
    n_numbers: int  # ... and how many of the first two
    unit: float = 1.0  # a power of two that brings the numbers near 1, where float32 is at its best
    origin: NDArray[np.float64] | None = None  # what is taken off the numbers first, for the same purpose

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
        """The largest size of a number of each row, seen from the origin."""
        numbers = self._moved
        if self.n_plain < self.n_numbers:
            numbers = np.where(np.isinf(numbers), 0.0, numbers)
        if numbers.shape[1] > FEW_COLUMNS:
            return np.asarray(np.maximum(numbers.max(axis=1, initial=0.0), -numbers.min(axis=1, initial=0.0)))
        largest = np.zeros(len(numbers))
        for f in range(numbers.shape[1]):  # along short lines NumPy takes five times as long
            np.maximum(largest, np.abs(numbers[:, f]), out=largest)
        return largest

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
    """Points side by side."""

    points: Points  # among others those that lie side by side
    members: NDArray[np.int64]  # (block, lane): which point is there, -1 for none
    starts: NDArray[np.int64]  # the first block of each group

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


@dataclass(frozen=True, eq=False)
class Space:
    """The way from rows of a table to points."""

    # The column of each coordinate: first the numbers none of which was missing in training, an even number of them,
    # then the other numbers, then the categories. -1 is a coordinate that is always 0.
    columns: NDArray[np.intp]
    low: NDArray[np.float64]  # what is taken off a number ...
    half: NDArray[np.float64]  # ... and half of what it is then divided by; a column whose half is 0 does not count
    n_plain: int  # how many coordinates are of the first kind, ...
    n_numbers: int  # ... and how many of the first two
    unit: float = 1.0  # what brings numbers near 1, as of `Points`
    origin: NDArray[np.float64] | None = None

    _state: ClassVar[dict[str, Field]] = {
        "columns": Array(np.intp, "coordinates", low=-1, shared=True),
        "low": Array(np.float64, "numbers", low=-np.inf, high=np.inf, shared=True),
        "half": Array(np.float64, "numbers", low=0.0, high=np.inf, shared=True),
        "n_plain": Whole(),
        "n_numbers": Whole(size="numbers"),
        "unit": Number(2.0**-501, 2.0**501),
        "origin": OrNone(Array(np.float64, "numbers", low=-np.inf, high=np.inf, shared=True)),
    }

    def _check_state(self) -> None:
        ordered = self.n_plain <= self.n_numbers <= len(self.columns)
        require(ordered and self.n_plain % 2 == 0, "has coordinates that do not fit together")

    def check_columns(self, schema: Schema) -> None:
        """Refuse a space from a file that asks for columns which are not there, or are of another kind."""
        real = self.columns >= 0
        require((self.columns < schema.n_features).all(), "has a space of columns that there are not")
        kinds = schema.categorical[self.columns[real]] == (np.arange(len(real)) >= self.n_numbers)[real]
        require(kinds.all(), "has a space whose columns are of another kind")

    def place(self, matrix: NDArray[np.float64]) -> Points:
        """Return rows as points."""
        ordered = len(self.columns) == matrix.shape[1] and bool((np.diff(self.columns) == 1).all())
        values = matrix.copy() if ordered else np.take(matrix, self.columns, axis=1)
        values[:, self.columns < 0] = 0.0
        numbers = values[:, : self.n_numbers]
        # Halves, so that the range of numbers near the largest there are does not overflow.
        halve = max(np.abs(self.low).max(initial=0.0), self.half.max(initial=0.0)) > LARGEST
        scale = 0.5 if halve else 1.0
        if halve:
            numbers *= scale
        with np.errstate(over="ignore", invalid="ignore"):
            numbers -= scale * self.low
            numbers /= np.where(self.half > 0, 2.0 * scale * self.half, np.inf)
            total = np.einsum("ij,ij->", numbers, numbers)  # which starts no threads
            n_plain = self.n_plain if np.isfinite(total) else self._mend(numbers)
        values[:, self.n_numbers :][np.isnan(values[:, self.n_numbers :])] = -1.0
        return Points(values, n_plain, self.n_numbers, self.unit, self.origin)

    def _mend(self, numbers: NDArray[np.float64]) -> int:
        """Mark missing numbers and keep others from being infinite; return how many columns have none missing."""
        missing = np.isnan(numbers)
        np.clip(numbers, -LARGEST, LARGEST, out=numbers)
        numbers[missing] = np.inf
        return 0 if missing[:, : self.n_plain].any() else self.n_plain

    def coordinate_counts(self, multiplicities: NDArray[Any]) -> NDArray[np.int64]:
        """Return how often each coordinate counts, given how often each column does, in the last axis."""
        real = self.columns >= 0
        counts = np.zeros((*multiplicities.shape[:-1], len(self.columns)), dtype=np.int64)
        counts[..., real] = multiplicities[..., self.columns[real]]
        return counts

    def choose(self, columns: NDArray[np.intp]) -> tuple[Space, NDArray[np.intp]]:
        """Return the space of some columns, numbered anew, and which coordinate of this one each of its has."""
        place = np.empty(self.columns.max(initial=-1) + 1, dtype=np.intp)
        real = np.flatnonzero(self.columns >= 0)
        place[self.columns[real]] = real
        chosen = place[columns]
        plain, incomplete, categories = (
            np.flatnonzero(kind)
            for kind in (
                chosen < self.n_plain,
                (chosen >= self.n_plain) & (chosen < self.n_numbers),
                chosen >= self.n_numbers,
            )
        )
        order = np.concatenate([plain, np.full(len(plain) % 2, -1), incomplete, categories]).astype(np.intp)
        taken = np.where(order < 0, -1, chosen[order])
        n_plain = len(plain) + len(plain) % 2
        n_numbers = n_plain + len(incomplete)
        numbers = taken[:n_numbers]
        low = np.where(numbers < 0, 0.0, self.low[numbers])
        half = np.where(numbers < 0, 0.0, self.half[numbers])
        origin = None if self.origin is None else np.where(numbers < 0, 0.0, self.origin[numbers])
        return Space(order, low, half, n_plain, n_numbers, self.unit, origin), taken


def space_of(table: Table, *, scale: bool = True) -> tuple[Space, Points]:
    """Return the space that a table spans and its rows in it, or find them known already.

    Some columns of a table keep their place and scale in the space of the whole.
    """

    def find() -> tuple[Space, Points]:
        if table.whole is None:
            space = _span(table, scale)
            return space, space.place(table.matrix)
        whole, columns = table.whole
        outer, points = space_of(whole, scale=scale)
        space, taken = outer.choose(columns)
        exact = np.take(points.exact, taken, axis=1)
        exact[:, taken < 0] = 0.0
        # Rows that do not count may lack values where others have them.
        n_plain = space.n_plain if points.n_plain == outer.n_plain else 0
        return space, Points(exact, n_plain, space.n_numbers, space.unit, space.origin)

    return _SPACES.get(table, find, scale)


_SPACES: PerTable[tuple[Space, Points]] = PerTable()


def _span(table: Table, scale: bool) -> Space:
    matrix = table.matrix if table.counted is None else table.matrix[table.counted]
    missing = np.isnan(matrix)
    incomplete = missing.any(axis=0) & ~table.categorical
    plain = np.flatnonzero(~incomplete & ~table.categorical)
    numbers = np.concatenate([plain, np.full(len(plain) % 2, -1), np.flatnonzero(incomplete)]).astype(np.intp)
    n_plain = len(plain) + len(plain) % 2
    low, high = (extreme.reduce(matrix, axis=0)[numbers] for extreme in (np.fmin, np.fmax))
    absent = (numbers < 0) | np.isnan(low)
    half = np.where(absent, 0.0, 0.5 * high - 0.5 * low)
    low = np.where(absent, 0.0, low)
    columns = np.concatenate([numbers, np.flatnonzero(table.categorical)]).astype(np.intp)
    if scale:
        return Space(columns, low, half, n_plain, len(numbers))
    # What is missing or a category is at distance 1, which must remain one of the numbers near 1.
    widest = max(half.max(initial=0.0), 0.5 if incomplete.any() or table.categorical.any() else 0.0)
    unit = 0.5 ** float(np.clip(np.frexp(widest)[1], -500, 500)) if widest > 0 else 1.0
    as_they_are = np.where(numbers < 0, 0.0, 0.5)
    return Space(columns, np.zeros(len(numbers)), as_they_are, n_plain, len(numbers), unit, low)
