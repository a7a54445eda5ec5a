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
from covey.learners.cover import Coverable
from covey.learners.metric import EUCLIDEAN
from covey.learners.sampling import some_of_each
from covey.learners.sphere_distances import Distances, HeldOut
from covey.learners.sphere_size import Fold, answers, splits
from covey.parallel import HoldsArrays, each
from covey.table import Table

# How many members are trained to judge a number of attributes.
TRIED = 10

# The least number of rows that parameters are tried on, as a third of few rows says little, and the most.
ENOUGH, MOST = 1000, 4000


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
    """Cover the rows along each subset of the columns, which has those of the one before it and more."""
    known = Distances.of(trial.table, trial.codes, trial.weight, trial.folds, scale=trial.base.scale)
    return known.held_out(subsets, sizes, rngs)
