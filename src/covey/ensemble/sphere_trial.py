"""Trials of sphere covers over random columns: how well a vote of them does with so many columns, by sphere size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._progress import Progress, told
from covey.ensemble.fit import TrainingData
from covey.ensemble.size_choice import right_shares
from covey.learners import SphereCoverClassifier
from covey.learners.cover import Coverable, draw_order
from covey.learners.metric import EUCLIDEAN
from covey.learners.sampling import some_of_each
from covey.learners.space import space_of
from covey.learners.sphere_size import Fold, answers, splits
from covey.parallel import HoldsArrays, each
from covey.table import Table

# How many members are trained to judge a number of attributes.
TRIED = 10

# The least number of rows that parameters are tried on, as a third of few rows says little, and the most.
ENOUGH, MOST = 1000, 4000

# The held-out codes of each row for each size of spheres, and which sizes all spheres had.
HeldOut = tuple[NDArray[np.int64], NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Trial(HoldsArrays):
    """A random part of the training data, as much of each class, on which parameters of subspaced covers are tried."""

    base: SphereCoverClassifier
    table: Table
    codes: NDArray[np.int64]
    weight: NDArray[np.float64]
    folds: list[Fold]
    seed: np.random.SeedSequence  # from which members draw their columns and centres

    @classmethod
    def of(cls, base: SphereCoverClassifier, data: TrainingData, seed: np.random.SeedSequence) -> Trial:
        """Draw a third of the rows, or more where that is few and less where it is many, and the folds."""
        rng = np.random.default_rng(seed)
        third = round(np.count_nonzero(data.weight > 0) / 3)
        rows = some_of_each(data.y, data.weight, min(max(ENOUGH, third), MOST), rng)
        codes = np.unique(data.y[rows], return_inverse=True)[1].astype(np.int64)
        table = Table(data.inputs.table.matrix[rows], data.inputs.table.schema)
        weight = data.weight[rows]
        return cls(base, table, codes, weight, list(splits(base.cv, codes, weight, rng)), seeds.child(seed, 0))

    def curves(
        self, counts: Sequence[int], sizes: Sequence[float], n_jobs: int | None, progress: Progress
    ) -> list[dict[float, float]]:
        """Return the cross-validated accuracy of a vote for each least size of a sphere, for each number of columns.

        Sizes that the spheres of some member do not reach are left out.
        """
        regular = np.ones((len(counts), len(sizes)), dtype=bool)
        said = np.zeros((TRIED, len(counts), len(sizes), len(self.codes)), dtype=np.int32)
        members = ((self, counts, sizes, member) for member in range(TRIED))
        for member, held_out in enumerate(told(each(_held_out_codes, members, n_jobs), progress.advance)):
            for which, (codes, is_regular) in enumerate(held_out):
                said[member, which] = codes
                regular[which] &= is_regular
        return [
            {sizes[at]: self._accuracy(said[:, which, at]) for at in np.flatnonzero(regular[which]).tolist()}
            for which in range(len(counts))
        ]

    def _accuracy(self, said: NDArray[np.int32]) -> float:
        """Return the share of rows that a vote gets right, given the members' codes of all rows."""
        votes, every = np.zeros((len(self.codes), self.codes.max() + 1), dtype=np.int32), np.arange(len(self.codes))
        for codes in said:
            votes[every, codes] += 1
        return float(right_shares(votes, self.codes) @ self.weight / self.weight.sum())


def _held_out_codes(trial: Trial, counts: Sequence[int], sizes: Sequence[float], member: int) -> list[HeldOut]:
    """Return a member's codes of the rows that it has not seen, by the number of its columns.

    A member that sees more columns sees those too that it saw with fewer.
    """
    seed = seeds.child(trial.seed, member)
    columns = np.random.default_rng(seed).permutation(trial.table.shape[1])
    rngs = [np.random.default_rng(seeds.child(seed, count)) for count in counts]
    held_out_codes = _by_distances if trial.base.metric in EUCLIDEAN else _by_covers
    return list(held_out_codes(trial, [columns[:count] for count in counts], sizes, rngs))


def _by_covers(
    trial: Trial, subsets: Sequence[NDArray[np.int64]], sizes: Sequence[float], rngs: Sequence[np.random.Generator]
) -> Iterator[HeldOut]:
    """Cover the rows along each subset of the columns."""
    for columns, rng in zip(subsets, rngs, strict=True):
        view = trial.table.take(np.sort(columns))
        ground = Coverable.of(trial.base._classed_rows(view, trial.codes), trial.base.max_enemies, often=True)
        by_size = np.zeros((len(sizes), len(trial.codes)), dtype=np.int64)
        regular = np.ones(len(sizes), dtype=bool)
        for answer in answers(ground, trial.weight, trial.folds, sizes, rng):
            by_size[answer.at, answer.rows] = answer.codes
            regular[answer.at] &= answer.is_regular
        yield by_size, regular


def _by_distances(
    trial: Trial, subsets: Sequence[NDArray[np.int64]], sizes: Sequence[float], rngs: Sequence[np.random.Generator]
) -> Iterator[HeldOut]:
    """Cover the rows along each subset of the columns, which has those of the one before it and more.

    All distances of few rows are known at once, and grow with each column.
    """
    from covey.kernels.trial import CATEGORY, INCOMPLETE, PLAIN, add_coordinates, try_sizes

    space, points = space_of(trial.table, scale=trial.base.scale)
    order = np.argsort(trial.codes, kind="stable")
    labels, place, single = trial.codes[order], np.argsort(order), points.single[order]
    starts = np.cumsum([0, *np.bincount(labels)], dtype=np.int64)
    n_rows, coordinate = len(order), np.argsort(space.columns, kind="stable")[np.count_nonzero(space.columns < 0) :]
    kinds = np.repeat([PLAIN, INCOMPLETE, CATEGORY], np.diff([0, points.n_plain, points.n_numbers, len(space.columns)]))
    squared, nearest = np.zeros((n_rows, n_rows), dtype=np.float32), np.empty(n_rows, dtype=np.int32)
    n_tests = max((len(test) for _, test in trial.folds), default=0)
    inside = np.empty((n_rows, np.diff(starts).max()), dtype=np.int32)
    asked = np.empty((n_rows, n_tests), dtype=np.float32)
    least = np.array([0.0 if size <= 1 else size for size in sizes])  # as a row is a row, whatever its weight
    n_seen = 0
    for columns, rng in zip(subsets, rngs, strict=True):
        new = coordinate[columns[n_seen:]]
        n_seen = len(columns)
        values = np.ascontiguousarray(single[:, new].T)
        add_coordinates(values, kinds[new], points.unit**2, starts, squared, nearest)
        by_size = np.zeros((len(sizes), n_rows), dtype=np.int64)
        regular = np.ones(len(sizes), dtype=bool)
        for train, test in trial.folds:
            rest = np.zeros(n_rows)
            rest[train] = trial.weight[train]
            if rest.any():
                draws = place[draw_order(rest, rng)]
                cover = starts, labels, rest[order], draws, place[test], least
                try_sizes(squared, nearest, *cover, inside, asked, by_size, regular)
        yield by_size[:, place], regular
