"""Support vector machines over a kernel: its values, the optimum, and what rows are told by the others.

Up to some thousand rows all values of the kernel are worked out at once, by a matrix product. Of more rows a working
set is solved at a time, and as many rows of kernel values as fit into memory are kept (Joachims, 1999).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotri, dtrtrs
from scipy.sparse import csr_matrix

from covey.learners.design import Matrix, Positions, Vector
from covey.learners.linear_svm import WORK
from covey.learners.rare_columns import marks_of

Singles = NDArray[np.float32]

# Up to so many rows have all their products worked out at once; of more, products of as many bytes are kept.
MOST_AT_ONCE, CACHE_BYTES = 2**13, 2**28
# The rows of a working set.
WORKING = 2048
# Up to this share of a working set, rows between their limits stay in it, those that came last. Where most rows end
# between their limits, there is no end if always the same ones stay.
KEPT = 0.75
# A working set is solved up to this share of the gap between the pulls of all rows.
SHARE = 0.2
# So many numbers at a time are few enough to stay in the processor's cache.
BLOCK = 2**18
# From so many columns of rare categories on these are taken apart; with fewer a product of all takes little longer.
MANY_RARE = 256
# What rows are told by the others is estimated by so many of those on the margin.
MOST_FREE = 1_500
RIDGE, TINY = 1e-5, 1e-300


@dataclass(frozen=True)
class Kernel:
    """A kernel: the inner product, or the radial basis function exp(-gamma times the squared distance)."""

    name: str
    gamma: float

    def __call__(self, some: NDArray[Any], others: NDArray[Any]) -> NDArray[Any]:
        """Return the values of rows with others, as precise as these are."""
        values = np.empty((len(some), len(others)), dtype=some.dtype)
        fill = self.with_rows(others)
        step = max(1, BLOCK // max(1, len(others)))
        for start in range(0, len(some), step):
            fill(some[start : start + step], values[start : start + step])
        return values

    def with_rows(self, others: NDArray[Any]) -> Callable[[NDArray[Any], NDArray[Any]], None]:
        """Return a function that fills in the values of some rows with these."""
        gamma = others.dtype.type(self.gamma)
        is_linear = self.name == "linear"
        turned = np.ascontiguousarray(others.T) * (others.dtype.type(1) if is_linear else 2 * gamma)
        other = gamma * np.einsum("ij,ij->i", others, others)

        def fill(some: NDArray[Any], values: NDArray[Any]) -> None:
            np.matmul(some, turned, out=values)
            if is_linear:
                return
            values -= gamma * np.einsum("ij,ij->i", some, some)[:, None]
            values -= other
            np.exp(np.minimum(values, 0, out=values), out=values)

        return fill

    def within(self, rows: Singles) -> Callable[[Positions, Singles], None]:
        """Return a function that fills in the values of some of the rows, by their positions, with all of them.

        Columns for categories that few rows have differ between few rows: they are counted where two rows have the
        same category, which takes a fraction of the time of a product of all columns.
        """
        marks = marks_of(rows.T) if self.name == "rbf" and rows.shape[1] >= MANY_RARE else None
        if marks is None or len(marks.rows) < MANY_RARE:
            fill_with = self.with_rows(rows)
            return lambda some, values: fill_with(rows[some], values)
        gamma, others = np.float32(self.gamma), np.ascontiguousarray(rows[:, ~marks.which])
        marked, apart = csr_matrix(marks.rows.T, dtype=np.float32), gamma * marks.step**2  # what a mark takes off
        own, turned = gamma * np.einsum("ij,ij->i", others, others) + marked @ apart, 2 * gamma * others.T.copy()
        common = marked.multiply(2 * apart).T.tocsr()

        def fill(some: Positions, values: Singles) -> None:
            np.matmul(others[some], turned, out=values)
            values -= own[some, None]
            values -= own
            shared = (marked[some] @ common).tocoo()
            values[shared.row, shared.col] += shared.data
            np.exp(np.minimum(values, 0, out=values), out=values)

        return fill

    def square(self, rows: Matrix) -> Vector:
        """Return the values of rows with themselves."""
        return np.einsum("ij,ij->i", rows, rows) if self.name == "linear" else np.ones(len(rows))

    def all_pairs(self, rows: NDArray[Any]) -> Singles:
        """Return the values of all rows with each other, in single precision."""
        fill, values = self.within(rows.astype(np.float32)), np.empty((len(rows), len(rows)), dtype=np.float32)
        step = max(1, BLOCK // max(1, len(rows)))
        for start in range(0, len(rows), step):
            part = np.arange(start, min(start + step, len(rows)))
            fill(part, values[part[0] : part[-1] + 1])
        np.fill_diagonal(values, self.square(rows))
        return values


@dataclass(frozen=True, eq=False)
class Solution:
    """The multipliers at the optimum, and what follows from them."""

    value: Vector  # of each row
    free: NDArray[np.bool_]  # whether it is between its limits
    intercept: float
    said: Vector  # the machine's value of each row
    n_iter: int
    gap: float  # by how much values may miss the conditions of the optimum

    def times(self, sign: float) -> Solution:
        """Return the solution with the classes the other way round if the sign is -1."""
        return replace(self, value=sign * self.value, intercept=sign * self.intercept, said=sign * self.said)


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows with their labels, and the limits of their multipliers."""

    rows: Matrix
    kernel: Kernel
    label: Vector
    least: Vector
    most: Vector
    margin: float  # how far the machine's value may be from the label at no cost
    tol: float
    max_iter: int

    def solve(self, products: Singles | None = None) -> Solution:
        """Return the optimum; the products of all rows with each other may be given."""
        from covey.kernels.multipliers import FALL, LEAST, MOST, PULL, RISE, STATES, VALUE

        states = np.zeros((STATES, len(self.label)))
        states[LEAST], states[MOST], states[PULL] = self.least, self.most, self.label
        if products is None and len(self.label) > MOST_AT_ONCE:
            n_iter = self._decompose(states)
        else:
            n_iter = self._climb(self.kernel.all_pairs(self.rows) if products is None else products, states, self.tol)
        value, pull = states[VALUE], states[PULL]
        free = (value > self.least) & (value < self.most) & (value != 0.0)
        highest, lowest = (pull + states[RISE]).max(), (pull + states[FALL]).min()
        # Rows on the margin have the intercept for a pull; without any, it is in the middle of what others allow.
        intercept = float((pull - self.margin * np.sign(value))[free].mean() if free.any() else (highest + lowest) / 2)
        return Solution(value, free, intercept, self.label - pull + intercept, n_iter, float(highest - lowest))

    def _climb(self, products: Singles, states: Matrix, tol: float, n_iter: int = 0) -> int:
        """Climb in calls of about a second each; return how many steps there have been."""
        from covey.kernels.dual import climb_products

        most = max(WORK // len(products), 1)
        while True:
            n_steps, highest, lowest = climb_products(
                products, states, self.margin, tol, min(most, self.max_iter - n_iter)
            )
            n_iter += n_steps
            if highest - lowest <= tol or n_steps < most:
                return n_iter

    def _decompose(self, states: Matrix) -> int:
        """Solve one working set after the other; return how many steps there were."""
        from covey.kernels.dual import shift_pulls
        from covey.kernels.multipliers import FALL, PULL, RISE, VALUE

        pull, value = states[PULL], states[VALUE]
        states[RISE] = np.where(self.most > 0, -self.margin, -np.inf)
        states[FALL] = np.where(self.least < 0, self.margin, np.inf)
        cache, kept, n_iter = _Cache(self.rows, self.kernel), np.empty(0, dtype=np.intp), 0
        came = np.zeros(len(pull), dtype=np.intp)  # how many steps there had been when a row came into the set
        size = min(WORKING, len(pull))
        while n_iter < self.max_iter:
            high, low = pull + states[RISE], pull + states[FALL]
            gap = high.max() - low.min()
            if gap <= self.tol:
                break
            chosen = _working_set(high, low, kept, size)
            state, before = np.ascontiguousarray(states[:, chosen]), n_iter
            n_iter = self._climb(cache.among(chosen), state, max(SHARE * gap, self.tol / 2), n_iter)
            if n_iter == before:
                break
            came[np.setdiff1d(chosen, kept, assume_unique=True)] = n_iter
            change = state[VALUE] - value[chosen]
            for kind in (VALUE, RISE, FALL):
                states[kind, chosen] = state[kind]
            moved = np.flatnonzero(change)
            for start in range(0, len(moved), len(cache.products)):
                some = moved[start : start + len(cache.products)]
                shift_pulls(cache.products, cache.places(chosen[some]), change[some], pull)
            inside = (state[VALUE] > self.least[chosen]) & (state[VALUE] < self.most[chosen]) & (state[VALUE] != 0.0)
            kept = chosen[inside][np.argsort(-came[chosen[inside]], kind="stable")[: int(KEPT * size)]]
        return n_iter


def _working_set(high: Vector, low: Vector, kept: Positions, size: int) -> Positions:
    """Choose the rows with the most extreme pulls, beside those kept."""
    high[kept], low[kept] = -np.inf, np.inf
    each = (size - len(kept)) // 2
    risers, fallers = np.argpartition(-high, each)[:each], np.argpartition(low, each)[:each]
    return np.unique(np.concatenate([kept, risers, fallers]))


class _Cache:
    """Products of rows with all rows: of those that were asked for last, as many as there is room for."""

    def __init__(self, rows: Matrix, kernel: Kernel) -> None:
        self._kernel, self._rows, self._square = kernel, rows.astype(np.float32), kernel.square(rows)
        self._fill = kernel.within(self._rows)
        self._buffer = np.empty((max(1, BLOCK // len(rows)), len(rows)), dtype=np.float32)
        n_places = min(max(CACHE_BYTES // (4 * len(rows)), 2), len(rows))
        self.products = np.empty((n_places, len(rows)), dtype=np.float32)
        self._place = np.full(len(rows), -1)  # where the products of each row are
        self._row = np.full(n_places, -1)  # and of which row those in each place are
        self._asked = np.zeros(n_places, dtype=np.int64)
        self._now = 0

    def among(self, rows: Positions) -> Singles:
        """Return the products of some rows with each other: with all rows only those are worked out that move."""
        return self._kernel.all_pairs(self._rows[rows])

    def places(self, rows: Positions) -> Positions:
        """Return where the products of some rows are, once they have been worked out."""
        self._now += 1
        self._asked[self._place[rows[self._place[rows] >= 0]]] = self._now
        new = rows[self._place[rows] < 0]
        if len(new):
            room = np.argsort(self._asked, kind="stable")[: len(new)]
            self._place[self._row[room][self._row[room] >= 0]] = -1
            for start in range(0, len(new), len(self._buffer)):
                some, to = new[start : start + len(self._buffer)], room[start : start + len(self._buffer)]
                self._fill(some, self._buffer[: len(some)])
                self.products[to] = self._buffer[: len(some)]
            self.products[room, new] = self._square[new]
            self._row[room], self._place[new] = new, room
            self._asked[room] = self._now
        return self._place[rows]


def without_own(rows: Matrix, kernel: Kernel, solution: Solution, products: Singles | None = None) -> Vector:
    """Estimate the machine's value of each row if the row itself had not been there.

    A row without a multiplier has the same. Another loses its multiplier times what the rows on the margin leave open
    of it: 1 / (K^-1)_ii if it is one of them, K their products, else k_ii - k_i' K^-1 k_i (Opper and Winther, 2000).
    The products of all rows with each other may be given.
    """
    said = solution.said.copy()
    support = np.flatnonzero(solution.value)
    free = np.flatnonzero(solution.free)
    some = free if len(free) <= MOST_FREE else free[np.linspace(0, len(free) - 1, MOST_FREE).astype(np.intp)]
    left = square = kernel.square(rows[support])
    if len(some):
        is_some = np.zeros(len(rows), dtype=bool)
        is_some[some] = True
        is_some = is_some[support]

        def with_some(others: Positions) -> Matrix:
            if products is None:
                return kernel(rows[some], rows[others])
            return products[np.ix_(some, others)].astype(np.float64)

        among = with_some(some)
        among[np.diag_indices(len(some))] = square[is_some] + RIDGE * max(float(square.mean()), TINY)
        factor, failed = dpotrf(among, lower=1, clean=1)
        if not failed:
            left = square.copy()
            left[is_some] = 1.0 / np.diagonal(dpotri(factor, lower=1)[0])
            others = np.flatnonzero(~is_some)
            for start in range(0, len(others), MOST_FREE):
                part = others[start : start + MOST_FREE]
                solved, _ = dtrtrs(factor, with_some(support[part]), lower=1)
                left[part] -= np.einsum("ij,ij->j", solved, solved)
    said[support] -= solution.value[support] * np.maximum(left, 0.0)
    return said
