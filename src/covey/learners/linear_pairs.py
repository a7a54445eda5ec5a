"""Linear machines of Triskels for a class and each class after it, all in one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.learners.design import Matrix, Positions, Vector
from covey.parallel import HoldsArrays


@dataclass(frozen=True, eq=False)
class Pairs(HoldsArrays):
    """What the machines of all pairs of classes are trained on and how; see `covey.kernels.pairs.grow_pairs`."""

    matrix: Matrix
    columns: Positions
    order: Positions
    starts: Positions
    cost: Vector
    wanted: NDArray[np.int64]
    n_rounds: int
    factors: Vector
    normalize: bool
    scale: bool
    tol: float
    max_iter: int

    def grow(self, first: int, rng: np.random.Generator) -> tuple[NDArray[Any], ...]:
        """Train the machines of a class and each after it, undersampled by what is drawn.

        Returns coefficients, intercepts, the weights of both classes, gaps, steps and whether a row was spared, of all
        machines; and how many there are of each pair.
        """
        from covey.kernels.pairs import grow_pairs

        sizes = np.diff(self.starts)
        n_pairs = len(sizes) - 1 - first
        draws = rng.random(self.n_rounds * int((sizes[first] + sizes[first + 1 :]).sum()))
        most = n_pairs * (2 * self.n_rounds + 1)
        coefficients, intercepts, gaps = np.empty((most, len(self.columns))), np.empty(most), np.empty(most)
        counts, facts = np.empty((most, 2)), np.empty((most, 2), dtype=np.int64)
        n_members = np.empty(n_pairs, dtype=np.int64)
        data = [self.matrix, self.columns, self.order, self.starts, self.cost, first, draws, self.wanted, self.n_rounds]
        way = [self.factors, self.normalize, self.scale, self.tol, self.max_iter]
        arguments: list[Any] = [*data, *way, coefficients, intercepts, counts, gaps, facts, n_members]
        grow_pairs(*arguments)
        used = slice(int(n_members.sum()))
        return coefficients[used], intercepts[used], counts[used], gaps[used], facts[used], n_members
