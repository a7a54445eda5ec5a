"""Sphere covers of few rows whose distances are all at hand, and grow with each column, for many sizes at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from covey.learners.cover import draw_order
from covey.learners.space import space_of
from covey.learners.sphere_size import Fold
from covey.table import Table

# The held-out codes of each row for each size of spheres, and which sizes all spheres had.
HeldOut = tuple[NDArray[np.int64], NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Distances:
    """Rows in the order of their classes, one coordinate of all of them after the other."""

    coordinates: NDArray[np.float32]  # (coordinate, row)
    kinds: NDArray[np.int64]  # of coordinates, as of `covey.kernels.trial`
    coordinate: NDArray[np.intp]  # of each column
    unit: float
    order: NDArray[np.intp]  # the place of each row before
    labels: NDArray[np.int64]
    weight: NDArray[np.float64]  # of rows as they were, as in folds
    folds: Sequence[Fold]

    @classmethod
    def of(
        cls,
        table: Table,
        codes: NDArray[np.int64],
        weight: NDArray[np.float64],
        folds: Sequence[Fold],
        *,
        scale: bool,
    ) -> Self:
        """Bring the columns of a table to one scale, if asked for, and sort the rows by their classes."""
        from covey.kernels.trial import CATEGORY, INCOMPLETE, PLAIN

        space, points = space_of(table, scale=scale)
        order = np.argsort(codes, kind="stable")
        n_kinds = np.diff([0, points.n_plain, points.n_numbers, len(space.columns)])
        kinds = np.repeat([PLAIN, INCOMPLETE, CATEGORY], n_kinds)
        coordinate = np.argsort(space.columns, kind="stable")[np.count_nonzero(space.columns < 0) :]
        coordinates = np.ascontiguousarray(points.single[order].T)
        return cls(coordinates, kinds, coordinate, points.unit**2, order, codes[order], weight, folds)

    def held_out(
        self, subsets: Sequence[NDArray[np.int64]], sizes: Sequence[float], rngs: Sequence[np.random.Generator]
    ) -> Iterator[HeldOut]:
        """Yield the codes of rows that covers have not seen, along subsets of columns; each has those of the last."""
        from covey.kernels.trial import add_coordinates, try_sizes

        order, n_rows, place = self.order, len(self.order), np.argsort(self.order)
        starts = np.cumsum([0, *np.bincount(self.labels)], dtype=np.int64)
        squared, nearest = np.zeros((n_rows, n_rows), dtype=np.float32), np.empty(n_rows, dtype=np.int32)
        least = np.array([0.0 if size <= 1 else size for size in sizes])  # as a row is a row, whatever its weight
        n_seen = 0
        for columns, rng in zip(subsets, rngs, strict=True):
            new = self.coordinate[columns[n_seen:]]
            n_seen = len(columns)
            add_coordinates(self.coordinates[new], self.kinds[new], self.unit, starts, squared, nearest)
            by_size = np.zeros((len(sizes), n_rows), dtype=np.int64)
            regular = np.ones(len(sizes), dtype=bool)
            for train, test in self.folds:
                rest = np.zeros(n_rows)
                rest[train] = self.weight[train]
                if rest.any():
                    cover = starts, self.labels, rest[order], place[draw_order(rest, rng)], place[test], least
                    try_sizes(squared, nearest, *cover, by_size, regular)
            yield by_size[:, place], regular
