"""Making a sphere cover, and what all covers of the same cases share."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covey.learners.arena import Arena, CoverRule, Enemies, Fates, Lists, Weights


@dataclass(frozen=True, eq=False)
class Ground:
    """Cases to cover, with what is known of them all.

    Parameters
    ----------
    arena : Arena
        The cases.
    enemies : Enemies
        The closest enemies of each among all cases, one more than a sphere may hold, or all there can be.
    max_enemies : int
        How many a sphere may hold.
    lists : Lists or None
        The cases in the sphere around each, if they were listed.
    """

    arena: Arena
    enemies: Enemies
    max_enemies: int = 0
    lists: Lists | None = None

    @classmethod
    def of(cls, arena: Arena, max_enemies: int, *, often: bool) -> Ground:
        """Find out what covers share; ``often`` says that there will be many of them."""
        enemies = arena.all_enemies(min(max_enemies + 1, len(arena.codes)))
        return cls(arena, enemies, max_enemies, arena.list_all(enemies.distances[:, -1]) if often else None)

    def surrounded(self, weight: Weights) -> tuple[Weights, NDArray[np.int64]]:
        """Return each case's radius among the cases that have weight, and the enemy that halts its sphere.

        The enemies that a sphere may hold are counted by their weights. The enemy is -1 where nothing halts it.
        """
        enemies = self.arena.enemies(self.enemies, weight)
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
    """Spheres, in the order they were made.

    Parameters
    ----------
    centers : ndarray of int64
        Rows of the cases at their centres.
    radii, sizes : ndarray of float64
        Their radii, and the weight of the cases in them.
    borders : ndarray of int64
        The row that halts each, -1 for a sphere that nothing halts.
    pruned : ndarray of int64
        Rows of the cases whose spheres were too small.
    pruned_radii : ndarray of float64
        Their radii.
    uncovered : ndarray of int64
        Rows in no sphere.
    is_regular : bool
        False if no sphere was large enough, and the largest of each class was kept all the same.
    """

    centers: NDArray[np.int64]
    radii: NDArray[np.float64]
    sizes: NDArray[np.float64]
    borders: NDArray[np.int64]
    pruned: NDArray[np.int64]
    pruned_radii: NDArray[np.float64]
    uncovered: NDArray[np.int64]
    is_regular: bool = True


def draw_order(weight: Weights, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the rows that have weight in random order.

    A row of weight 2 comes as early as the first of two equal rows would.
    """
    present = np.flatnonzero(weight > 0)
    with np.errstate(over="ignore"):
        turns = rng.standard_exponential(len(present)) / weight[present]
    return present[np.argsort(turns, kind="stable")]


def make_cover(
    ground: Ground, weight: Weights, least_size: float, *, rule: CoverRule = "random", rng: np.random.Generator
) -> Cover:
    """Cover the cases that have weight.

    Parameters
    ----------
    ground : Ground
        All cases.
    weight : ndarray
        Case weights.
    least_size : float
        Spheres of less weight are not kept.
    rule : {"random", "greedy"}
        Whether centres are drawn at random, or the sphere that covers most comes first.
    rng : Generator
        What the order of random centres is drawn from.
    """
    radius, border = ground.surrounded(weight)
    draws = draw_order(weight, rng) if rule == "random" else np.arange(len(weight))
    cover = cover_by(ground, weight, least_size, radius, border, draws, rule)
    if not cover.is_regular:
        warnings.warn(
            f"No sphere holds {least_size:g} cases; the largest of each class is kept. Give a smaller min_sphere_size.",
            UserWarning,
            stacklevel=2,
        )
    return cover


def cover_by(
    ground: Ground,
    weight: Weights,
    least_size: float,
    radius: Weights,
    border: NDArray[np.int64],
    draws: NDArray[np.int64],
    rule: CoverRule = "random",
) -> Cover:
    """Cover the cases that have weight, given their radii and the order in which they are drawn."""
    arena = ground.arena
    if least_size <= 1:
        least_size = 0.0  # a case is a case, however little weight it has
    if rule == "random":
        fates = arena.random_cover(draws, radius, weight, least_size, ground.lists)
    else:
        fates = arena.greedy_cover(radius, weight, least_size)
    is_regular = bool(fates.kept.any())
    if not is_regular:
        fates = _keep_largest(arena, fates, radius, draws)
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


def _keep_largest(arena: Arena, fates: Fates, radius: Weights, draws: NDArray[np.int64]) -> Fates:
    """Keep the largest sphere of each class, the first of equals."""
    drawn = draws[fates.drawn[draws]]
    labels = arena.codes[drawn]
    kept, covered = fates.kept.copy(), fates.covered.copy()
    for label in np.unique(labels):
        own = drawn[labels == label]
        center = int(own[np.argmax(fates.size[own])])
        kept[center] = True
        covered[arena.inside(center, float(radius[center]))] = True
    return fates._replace(kept=kept, covered=covered)
