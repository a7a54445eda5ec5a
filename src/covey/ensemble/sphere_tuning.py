"""Choosing the parameters of subspaced sphere covers: first how many attributes, then how small a sphere may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey.ensemble.fit import Cases
from covey.ensemble.tuning import right_shares
from covey.learners import SphereCoverClassifier
from covey.learners.cover import Coverable
from covey.learners.sphere_size import Fold, answers, class_by_class, splits
from covey.parallel import each
from covey.table import Table

# A third of the rows says little if there are few of them: it takes so many.
ENOUGH = 1000


@dataclass(frozen=True, eq=False)
class Trial:
    """A random part of the training data, as much of each class, on which parameters are tried.

    Parameters
    ----------
    base : SphereCoverClassifier
        What makes the covers.
    table, codes, weight
        The rows, their classes and weights.
    folds : list of (train, test)
        For cross-validation.
    seed : SeedSequence
        From which members draw their columns and centres.
    """

    base: SphereCoverClassifier
    table: Table
    codes: NDArray[np.int64]
    weight: NDArray[np.float64]
    folds: list[Fold]
    seed: np.random.SeedSequence

    @classmethod
    def of(cls, base: SphereCoverClassifier, cases: Cases, seed: np.random.SeedSequence) -> Trial:
        """Draw a third of the rows, or more where that is few, and the folds."""
        rng = np.random.default_rng(seed)
        order = class_by_class(cases.y, cases.weight, rng)
        n_rows = min(len(order), max(ENOUGH, round(len(order) / 3)))
        rows = np.sort(order[np.arange(n_rows) * len(order) // n_rows])
        codes = np.unique(cases.y[rows], return_inverse=True)[1].astype(np.int64)
        table = Table(cases.feed.table.matrix[rows], cases.feed.table.schema)
        weight = cases.weight[rows]
        return cls(base, table, codes, weight, list(splits(base.cv, codes, weight, rng)), seeds.child(seed, 0))

    def curve(self, n_columns: int, sizes: Sequence[float], n_members: int, n_jobs: int | None) -> dict[float, float]:
        """Return the cross-validated accuracy of the members' vote for each least size of a sphere.

        Sizes that the spheres of some member do not reach are left out.
        """
        votes = np.zeros((len(sizes), len(self.codes), self.codes.max() + 1), dtype=np.int32)
        every, regular = np.arange(len(self.codes)), np.ones(len(sizes), dtype=bool)
        members = ((self, n_columns, sizes, member) for member in range(n_members))
        for said, is_regular in each(_opinions, members, n_jobs):
            regular &= is_regular
            for at, codes in enumerate(said):
                votes[at, every, codes] += 1
        accuracy = right_shares(votes, self.codes) @ self.weight / self.weight.sum()
        return {sizes[at]: float(accuracy[at]) for at in np.flatnonzero(regular).tolist()}


def _opinions(
    trial: Trial, n_columns: int, sizes: Sequence[float], member: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return what a member says of each row when it has not seen it, for each least size, and which sizes it had."""
    rng = np.random.default_rng(seeds.child(trial.seed, member))
    view = trial.table.take(np.sort(rng.choice(trial.table.shape[1], size=n_columns, replace=False)))
    ground = Coverable.of(trial.base._classed_rows(view, trial.codes), trial.base.max_enemies, often=True)
    said = np.zeros((len(sizes), len(trial.codes)), dtype=np.int64)
    regular = np.ones(len(sizes), dtype=bool)
    for answer in answers(ground, trial.weight, trial.folds, sizes, rng):
        said[answer.at, answer.rows] = answer.codes
        regular[answer.at] &= answer.is_regular
    return said, regular
