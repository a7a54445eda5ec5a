"""Sphere covers: training rows by class, who is whose enemy, what spheres cover whom, and covers of them."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]
CoverRule = Literal["random", "greedy"]

# How many rows are listed in all; those in other spheres are looked for again in each cover.
MOST_LISTED = 20_000_000

# The radius of a sphere that is not listed: none that is looked for.
UNLISTED = -1.0


class Enemies(NamedTuple):
    """The closest rows of other classes, of shape (n_rows, count)."""

    rows: NDArray[np.int64]  # the closest first, the lowest of those at the same distance; -1 where there are no more
    distances: NDArray[np.float64]  # infinite where there are no more


class Fates(NamedTuple):
    """What a cover makes of each row."""

    drawn: NDArray[np.bool_]  # whether it became the centre of a sphere ...
    kept: NDArray[np.bool_]  # ... and whether the sphere was kept
    size: Weights  # the weight of the rows in its sphere
    covered: NDArray[np.bool_]  # whether a sphere that was kept holds it


class Lists(NamedTuple):
    """The rows in the spheres around rows, as long as their radii are these."""

    radius: Weights  # negative for a row whose sphere is not listed
    offset: NDArray[np.int64]  # where each row's list begins, rows being in the order of whoever made the lists
    rows: NDArray[np.int32]  # (n_listed, 1): the lists, one after the other

    def of(self, row: int, radius: Weights) -> NDArray[np.int32] | None:
        """Return the rows in the sphere around a row, if it is listed with that radius."""
        is_listed = self.radius[row] == radius[row]
        return self.rows[self.offset[row] : self.offset[row + 1], 0] if is_listed else None


class Verdict(NamedTuple):
    """The sphere that decides each query.

    Rule 1: the one with the closest centre of those that hold the query; rule 2, if none does: the one with the closest
    edge. The first of equals.
    """

    sphere: NDArray[np.int64]
    distance: NDArray[np.float64]  # from its centre
    inside: NDArray[np.bool_]  # whether rule 1 decided


@dataclass(frozen=True, eq=False)
class ClassedRows(ABC):
    """Training rows by class, with a way to tell how far they are apart.

    Covers are made here in plain NumPy; `covey.learners.euclid` has kernels for the Euclidean distance.
    """

    codes: NDArray[np.int64]  # the class of each row, from 0 on

    @abstractmethod
    def closest_enemies(self, of: NDArray[np.int64], among: NDArray[np.int64], count: int) -> Enemies:
        """Find the closest rows of other classes of some rows, among some rows."""

    @abstractmethod
    def distances(self, row: int) -> NDArray[np.float64]:
        """Return a row's distances from all rows."""

    def _holds(self, distances: NDArray[np.float64], radius: float) -> NDArray[np.bool_]:
        """Say which distances are less than a radius."""
        return distances < radius

    def inside(self, center: int, radius: float) -> NDArray[np.int64]:
        """Return the rows of its own class in the sphere around a row; one of no radius holds its centre alone."""
        if radius == 0:
            return np.array([center])
        holds = self._holds(self.distances(center), radius) & (self.codes == self.codes[center])
        holds[center] = True  # some metrics do not put a row at distance 0 from itself
        return np.flatnonzero(holds)

    @abstractmethod
    def decide(self, rows: NDArray[np.int64], centers: NDArray[np.int64], radii: Weights) -> Verdict:
        """Find the sphere that decides each of some rows, among spheres around some rows."""

    def list_all(self, radius: Weights) -> Lists | None:
        """List the rows in the spheres of all rows, if that saves work, but for spheres that hold too many."""
        return None

    def all_enemies(self, count: int) -> Enemies:
        """Find the closest enemies of all rows among all."""
        every = np.arange(len(self.codes))
        return self.closest_enemies(every, every, count)

    def enemies(self, known: Enemies, weight: Weights, count: int) -> Enemies:
        """Find the closest enemies of the rows that have weight, among these, given at least as many among all rows.

        Only rows too few of whose known enemies have weight are searched for again.
        """
        present = weight > 0
        if present.all():
            return Enemies(known.rows[:, :count], known.distances[:, :count])
        every = np.arange(len(present))
        rows, distances = np.full((len(every), count), -1), np.full((len(every), count), np.inf)
        left = (known.rows >= 0) & present[known.rows]
        for at in range(count):
            first = left.argmax(axis=1)
            is_there = left[every, first]
            rows[:, at] = np.where(is_there, known.rows[every, first], -1)
            distances[:, at] = np.where(is_there, known.distances[every, first], np.inf)
            left[every, first] = False
        affected = np.flatnonzero((rows[:, -1] < 0) & (known.rows[:, -1] >= 0) & present)
        if len(affected):
            rows[affected], distances[affected] = self.closest_enemies(affected, np.flatnonzero(present), count)
        return Enemies(rows, distances)

    def random_cover(
        self, draws: NDArray[np.int64], radius: Weights, weight: Weights, least_size: float, lists: Lists | None = None
    ) -> Fates:
        """Cover the rows by spheres around those drawn, in their order, that are not covered yet."""
        fates = _no_fates(len(self.codes))
        for center in draws.tolist():
            if fates.covered[center]:
                continue
            fates.drawn[center] = True
            listed = lists.of(center, radius) if lists is not None else None
            held = self._measure(center, radius, weight, fates, listed)
            if fates.size[center] >= least_size:
                fates.kept[center] = True
                fates.covered[held] = True
        return fates

    def greedy_cover(self, radius: Weights, weight: Weights, least_size: float) -> Fates:
        """Cover the rows by the spheres that cover most of those not covered yet, the first of equals first."""
        fates = _no_fates(len(self.codes))
        spheres = {i: self._measure(i, radius, weight, fates) for i in np.flatnonzero(weight > 0).tolist()}
        fates.drawn[:] = (weight > 0) & (fates.size < least_size)
        for label in range(self.codes.max() + 1):
            held = {i: spheres[i] for i in spheres if self.codes[i] == label and not fates.drawn[i]}
            while held:
                gains = {i: weight[rows][~fates.covered[rows]].sum() for i, rows in held.items()}
                best = max(gains, key=lambda i: (gains[i], -i))
                if gains[best] <= 0:
                    break
                fates.drawn[best] = fates.kept[best] = True
                fates.covered[held.pop(best)] = True
        return fates

    def _measure(
        self, center: int, radius: Weights, weight: Weights, fates: Fates, held: NDArray[Any] | None = None
    ) -> NDArray[np.int64]:
        if held is None:
            held = self.inside(center, float(radius[center]))
        fates.size[center] = weight[held].sum() if radius[center] > 0 else min(weight[center], 1.0)
        return held

    def rows_inside(self, centers: NDArray[np.int64], radius: Weights) -> list[NDArray[np.int64]]:
        """List the rows in the spheres around some rows."""
        return [self.inside(center, float(radius[center])) for center in centers.tolist()]


def _no_fates(n_rows: int) -> Fates:
    return Fates(
        np.zeros(n_rows, dtype=bool),
        np.zeros(n_rows, dtype=bool),
        np.zeros(n_rows),
        np.zeros(n_rows, dtype=bool),
    )


@dataclass(frozen=True, eq=False)
class Coverable:
    """Rows to cover, with what all covers of them share."""

    rows: ClassedRows
    enemies: Enemies  # of each among all rows, one more than a sphere may hold, and some to spare
    max_enemies: int = 0  # how many a sphere may hold
    lists: Lists | None = None  # the rows in the sphere around each, if they were listed

    @classmethod
    def of(cls, rows: ClassedRows, max_enemies: int, *, often: bool, n_spare: int = 0) -> Coverable:
        """Find out what covers share; ``often`` says that there will be many of them.

        Many that leave rows out spare themselves a search if more enemies are known.
        """
        n_halting = min(max_enemies + 1, len(rows.codes))
        enemies = rows.all_enemies(min(n_halting + n_spare, len(rows.codes)))
        return cls(rows, enemies, max_enemies, rows.list_all(enemies.distances[:, n_halting - 1]) if often else None)

    def surrounded(self, weight: Weights) -> tuple[Weights, NDArray[np.int64]]:
        """Return each row's radius among the rows that have weight, and the enemy that halts its sphere.

        The enemies that a sphere may hold are counted by their weights. The enemy is -1 where nothing halts it.
        """
        enemies = self.rows.enemies(self.enemies, weight, min(self.max_enemies + 1, len(weight)))
        if self.max_enemies == 0:
            return enemies.distances[:, 0], enemies.rows[:, 0]
        held = np.cumsum(np.where(enemies.rows < 0, 0.0, weight[enemies.rows]), axis=1)
        halts = (held > self.max_enemies) | (enemies.rows < 0)
        halts[:, -1] = True  # enemies of small weight: no more than so many rows
        first = np.argmax(halts, axis=1)[:, None]
        return (
            np.take_along_axis(enemies.distances, first, axis=1)[:, 0],
            np.take_along_axis(enemies.rows, first, axis=1)[:, 0],
        )


@dataclass(frozen=True, eq=False)
class Cover:
    """Spheres, in the order they were made."""

    centers: NDArray[np.int64]  # the rows at their centres
    radii: Weights
    sizes: Weights  # the weight of the rows in each
    borders: NDArray[np.int64]  # the row that halts each, -1 for a sphere that nothing halts
    pruned: NDArray[np.int64]  # the rows whose spheres were too small ...
    pruned_radii: Weights  # ... and their radii
    uncovered: NDArray[np.int64]  # rows in no sphere
    is_regular: bool = True  # False if no sphere was large enough, and the largest of each class was kept all the same


def draw_order(weight: Weights, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the rows that have weight in random order.

    A row of weight 2 comes as early as the first of two equal rows would.
    """
    present = np.flatnonzero(weight > 0)
    with np.errstate(over="ignore"):
        turns = rng.standard_exponential(len(present)) / weight[present]
    order = np.argsort(turns)  # twice as fast as a stable sort, which only equal turns need
    ordered = turns[order]
    return present[order if (ordered[1:] > ordered[:-1]).all() else np.argsort(turns, kind="stable")]


def make_cover(
    data: Coverable, weight: Weights, least_size: float, *, rule: CoverRule = "random", rng: np.random.Generator
) -> Cover:
    """Cover the rows that have weight; spheres of less than the least size are not kept."""
    radius, border = data.surrounded(weight)
    draws = draw_order(weight, rng) if rule == "random" else np.arange(len(weight))
    cover = cover_by(data, weight, least_size, radius, border, draws, rule)
    if not cover.is_regular:
        warnings.warn(
            f"No sphere holds {least_size:g} cases; the largest of each class is kept. Give a smaller min_sphere_size.",
            UserWarning,
            stacklevel=2,
        )
    return cover


def cover_by(
    data: Coverable,
    weight: Weights,
    least_size: float,
    radius: Weights,
    border: NDArray[np.int64],
    draws: NDArray[np.int64],
    rule: CoverRule = "random",
) -> Cover:
    """Cover the rows that have weight, given their radii and the order in which they are drawn."""
    if least_size <= 1:
        least_size = 0.0  # a row is a row, however little weight it has
    if rule == "random":
        fates = data.rows.random_cover(draws, radius, weight, least_size, data.lists)
    else:
        fates = data.rows.greedy_cover(radius, weight, least_size)
    is_regular = bool(fates.kept.any())
    if not is_regular:
        fates = _keep_largest(data.rows, fates, radius, draws)
    centers = draws[fates.kept[draws]]
    if rule == "greedy":
        centers = centers[np.argsort(-fates.size[centers], kind="stable")]
    pruned = draws[(fates.drawn & ~fates.kept)[draws]]
    return Cover(
        centers,
        radius[centers],
        fates.size[centers],
        border[centers],
        pruned,
        radius[pruned],
        np.flatnonzero((weight > 0) & ~fates.covered),
        is_regular,
    )


def _keep_largest(rows: ClassedRows, fates: Fates, radius: Weights, draws: NDArray[np.int64]) -> Fates:
    """Keep the largest sphere of each class, the first of equals."""
    drawn = draws[fates.drawn[draws]]
    labels = rows.codes[drawn]
    by_class = [drawn[labels == label] for label in np.unique(labels)]
    largest = np.array([centers[np.argmax(fates.size[centers])] for centers in by_class])
    kept, covered = fates.kept.copy(), fates.covered.copy()
    kept[largest] = True
    covered[np.concatenate(rows.rows_inside(largest, radius))] = True
    return fates._replace(kept=kept, covered=covered)
