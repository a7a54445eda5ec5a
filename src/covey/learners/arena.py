"""Training cases by class in a space: who is whose enemy, and what spheres cover whom."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]
CoverRule = Literal["random", "greedy"]

# So many cases are listed in all; those in other spheres are looked for again in each cover.
MOST_LISTED = 20_000_000

# The radius of a sphere that is not listed: none that is looked for.
UNLISTED = -1.0


class Enemies(NamedTuple):
    """The closest cases of other classes.

    Parameters
    ----------
    rows : ndarray of int64 of shape (n_cases, count)
        The closest first, the lowest row of those at the same distance; -1 where there are no more.
    distances : ndarray of float64 of shape (n_cases, count)
        Infinite where there are no more.
    """

    rows: NDArray[np.int64]
    distances: NDArray[np.float64]


class Fates(NamedTuple):
    """What a cover makes of each case.

    Parameters
    ----------
    drawn, kept : ndarray of bool
        Whether a case became the centre of a sphere, and whether the sphere was kept.
    size : ndarray of float64
        The weight of the cases in its sphere.
    covered : ndarray of bool
        Whether a sphere that was kept holds it.
    """

    drawn: NDArray[np.bool_]
    kept: NDArray[np.bool_]
    size: NDArray[np.float64]
    covered: NDArray[np.bool_]


class Lists(NamedTuple):
    """The cases in the spheres around cases, as long as their radii are these.

    Parameters
    ----------
    radius : ndarray of float64
        Negative for a case whose sphere is not listed.
    offset : ndarray of int64
        Where each case's list begins, cases being numbered as the arena likes.
    cases : ndarray of int32 of shape (n_listed, 1)
        The lists, one after the other.
    """

    radius: Weights
    offset: NDArray[np.int64]
    cases: NDArray[np.int32]

    def of(self, case: int, radius: Weights) -> NDArray[np.int32] | None:
        """Return the cases in the sphere around a case, if it is listed with that radius."""
        is_listed = self.radius[case] == radius[case]
        return self.cases[self.offset[case] : self.offset[case + 1], 0] if is_listed else None


class Verdict(NamedTuple):
    """Which sphere decides each query.

    Parameters
    ----------
    sphere : ndarray of int64
        Rule 1: the one with the closest centre of those that hold the query; rule 2, if none does: the one with the
        closest edge. The first of equals.
    distance : ndarray of float64
        From its centre.
    inside : ndarray of bool
        Whether rule 1 decided.
    """

    sphere: NDArray[np.int64]
    distance: NDArray[np.float64]
    inside: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Arena(ABC):
    """Training cases, with a way to tell how far they are apart.

    Parameters
    ----------
    codes : ndarray of int64
        The class of each case, from 0 on.
    """

    codes: NDArray[np.int64]

    @abstractmethod
    def closest_enemies(self, of: NDArray[np.int64], among: NDArray[np.int64], count: int) -> Enemies:
        """Find the closest cases of other classes of some cases, among some cases."""

    @abstractmethod
    def distances(self, case: int) -> NDArray[np.float64]:
        """Return a case's distances from all cases."""

    def _holds(self, distances: NDArray[np.float64], radius: float) -> NDArray[np.bool_]:
        """Say which distances are less than a radius."""
        return distances < radius

    def inside(self, center: int, radius: float) -> NDArray[np.int64]:
        """Return the cases of its own class in the sphere around a case; one of no radius holds its centre alone."""
        if radius == 0:
            return np.array([center])
        holds = self._holds(self.distances(center), radius) & (self.codes == self.codes[center])
        holds[center] = True  # some metrics do not put a case at distance 0 from itself
        return np.flatnonzero(holds)

    @abstractmethod
    def decide(self, cases: NDArray[np.int64], centers: NDArray[np.int64], radii: Weights) -> Verdict:
        """Find the sphere that decides each of some cases, among spheres around some cases."""

    def list_all(self, radius: Weights) -> Lists | None:
        """List the cases in the spheres of all cases, if that saves work, but for spheres that hold too many."""
        return None

    def all_enemies(self, count: int) -> Enemies:
        """Find the closest enemies of all cases among all."""
        every = np.arange(len(self.codes))
        return self.closest_enemies(every, every, count)

    def enemies(self, known: Enemies, weight: Weights) -> Enemies:
        """Find the closest enemies among the cases that have weight, given those among all cases.

        Only cases some of whose enemies have no weight are searched for again.
        """
        present = weight > 0
        if present.all():
            return known
        gone = (known.rows >= 0) & ~present[known.rows]
        affected = np.flatnonzero(gone.any(axis=1) & present)
        if not len(affected):
            return known
        rows, distances = known.rows.copy(), known.distances.copy()
        rows[affected], distances[affected] = self.closest_enemies(
            affected, np.flatnonzero(present), known.rows.shape[1]
        )
        return Enemies(rows, distances)

    def random_cover(
        self,
        draws: NDArray[np.int64],
        radius: Weights,
        weight: Weights,
        least_size: float,
        lists: Lists | None = None,
    ) -> Fates:
        """Cover the cases by spheres around those drawn, in their order, that are not covered yet."""
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
        """Cover the cases by the spheres that cover most of those not covered yet, the first of equals first."""
        fates = _no_fates(len(self.codes))
        spheres = {i: self._measure(i, radius, weight, fates) for i in np.flatnonzero(weight > 0).tolist()}
        fates.drawn[:] = (weight > 0) & (fates.size < least_size)
        for label in range(self.codes.max() + 1):
            held = {i: spheres[i] for i in spheres if self.codes[i] == label and not fates.drawn[i]}
            while held:
                gains = {i: weight[cases][~fates.covered[cases]].sum() for i, cases in held.items()}
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

    def cases_inside(self, centers: NDArray[np.int64], radius: Weights) -> list[NDArray[np.int64]]:
        """List the cases in the spheres around some cases."""
        return [self.inside(center, float(radius[center])) for center in centers.tolist()]


def _no_fates(n_cases: int) -> Fates:
    return Fates(
        np.zeros(n_cases, dtype=bool),
        np.zeros(n_cases, dtype=bool),
        np.zeros(n_cases),
        np.zeros(n_cases, dtype=bool),
    )
