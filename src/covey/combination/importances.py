"""Rows that were left out in training, kept to say how much each column matters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.combination.pooling import Pool
from covey.combination.training import Training, Trial, ask
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.table import Table

Floats = NDArray[np.float64]

# How many rows are kept: as many as make so many rows for all columns together, within bounds.
_ALL_COLUMNS, _FEWEST, _MOST = 50_000, 50, 1_000
# A column of few rows is shuffled several times, until there are so many.
_ENOUGH = 500


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Some rows of the first fold with the members that have not seen them."""

    table: Table
    y: NDArray[Any]
    weight: Floats
    members: list[Member]
    n_classes: int  # 0 in a regression

    @classmethod
    def of(cls, training: Training, trials: Sequence[Trial]) -> HeldOut:
        """Keep rows of the first fold and the members that were trained on the others."""
        data, rows = training.data, training.folds[0][1]
        table = data.inputs.table
        most = min(max(_ALL_COLUMNS // table.shape[1], _FEWEST), _MOST)
        rows = rows[np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(np.intp)]
        weight = data.weight[rows] / data.weight[rows].sum()
        members = [trial.first for trial in trials if trial.first is not None]
        return cls(Table(table.matrix[rows], table.schema), data.y[rows], weight, members, data.n_classes)

    def importances(
        self, pool: Pool, grade: Callable[..., tuple[float, float]], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return how much greater the loss is with each column shuffled."""
        n_rows, n_columns = self.table.shape
        before = self._loss(pool, grade, self.table.matrix, 1)
        times = max(1, _ENOUGH // n_rows)
        losses = np.empty(n_columns)
        for column in range(n_columns):
            shuffled = np.tile(self.table.matrix, (times, 1))
            shuffled[:, column] = np.concatenate(
                [self.table.matrix[rng.permutation(n_rows), column] for _ in range(times)]
            )
            losses[column] = self._loss(pool, grade, shuffled, times)
        return losses - before

    def _loss(self, pool: Pool, grade: Callable[..., tuple[float, float]], matrix: Floats, times: int) -> float:
        inputs = Inputs(Table(matrix, self.table.schema))
        outputs = np.stack([ask(member, inputs, self.n_classes) for member in self.members])
        return grade(pool(outputs), np.tile(self.y, times), np.tile(self.weight, times) / times)[1]
