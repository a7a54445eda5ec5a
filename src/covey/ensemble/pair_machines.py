"""Triskel over linear machines for every pair of many small classes, grown and asked at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from covey import seeds
from covey.ensemble.biased import Biased, Codes
from covey.ensemble.fit import TrainingData
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.ensemble.one_vs_one import log_odds_of
from covey.ensemble.triskel_rounds import Rounds, Settings
from covey.learners.design import Matrix, Vector, shared_design
from covey.learners.linear_pairs import Pairs
from covey.learners.linear_svm import LinearSVMClassifier, check_cost, most_steps, warn_of_gap
from covey.parallel import each
from covey.table import Table, feature_names
from covey.table.design import design_of

# Two classes with more rows than this, or with missing values among them, are left to members trained one by one.
MOST_ROWS = 192
# So many decision values are worked out at a time.
MOST_VALUES = 2**21


@dataclass(frozen=True, eq=False)
class PairMachines(Sequence[Rounds]):
    """The Triskels of all pairs of classes, as arrays of all their machines; members are made when asked for.

    The machines of a pair are h+ and h- of each round and the arbiter.
    """

    base: LinearSVMClassifier
    table: Table  # the columns they learnt from, without rows
    fill: Vector  # what a missing value counts as
    biases: tuple[float, float]
    coefficients: Matrix  # (machine, column)
    intercepts: Vector
    counts: Matrix  # (machine, class): the weight that its classes had
    n_iter: NDArray[np.int64]
    spared: NDArray[np.bool_]  # whether a class had to be kept from being left out
    ends: NDArray[np.int64]  # where the machines of each pair end
    _made: dict[int, Rounds] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def n_members(self) -> NDArray[np.int64]:
        """How many machines each pair has."""
        return np.diff(self.ends, prepend=0)

    @overload
    def __getitem__(self, pair: int) -> Rounds: ...

    @overload
    def __getitem__(self, pair: slice) -> list[Rounds]: ...

    def __getitem__(self, pair: int | slice) -> Rounds | list[Rounds]:
        """Return the Triskel of one pair, with members such as are trained one by one."""
        if isinstance(pair, slice):
            return [self[one] for one in range(*pair.indices(len(self)))]
        place = range(len(self))[pair]
        if place not in self._made:
            self._made[place] = self._rounds_of(place)
        return self._made[place]

    def _rounds_of(self, place: int) -> Rounds:
        *sides, arbiter = range(int(self.ends[place - 1]) if place else 0, int(self.ends[place]))
        biased = [Biased(self._member(machine), spared=bool(self.spared[machine])) for machine in sides]
        return Rounds(tuple(zip(biased[::2], biased[1::2], strict=True)), self._member(arbiter), self.biases)

    def _member(self, machine: int) -> Member:
        model = clone(self.base)
        present = np.flatnonzero(self.counts[machine])
        some = slice(machine, machine + len(present) - 1)
        model.classes_, model.n_classes_ = present, len(present)
        model.coef_, model.intercept_ = self.coefficients[some].copy(), self.intercepts[some].copy()
        model.n_iter_ = self.n_iter[some].copy()
        model.class_count_, model.fill_ = self.counts[machine, present], self.fill
        model._remember_columns(self.table, feature_names(self.table))
        return Member(model)

    def decisions(self, inputs: Inputs) -> tuple[Codes, Matrix]:
        """Return what each pair decides of each row, 0 or 1, and its log odds, both of shape (n_rows, n_pairs)."""
        values = design_of(self.table.schema, every=True).filled(inputs.table.matrix, self.fill)
        decided = np.empty((len(values), len(self)), dtype=np.intp)
        log_odds = np.empty(decided.shape)
        n_members = self.n_members
        for count in np.unique(n_members).tolist():
            pairs = np.flatnonzero(n_members == count)
            for some in np.array_split(pairs, 1 + len(pairs) * len(values) * count // MOST_VALUES):
                decided[:, some], log_odds[:, some] = self._decide(values, some, count)
        return decided, log_odds

    def _decide(self, values: Matrix, pairs: NDArray[np.intp], count: int) -> tuple[NDArray[np.bool_], Matrix]:
        """Return what pairs with so many machines decide, and its log odds."""
        places = (self.ends[pairs] - count)[:, None] + np.arange(count)
        says = self._says(values, places.ravel()).reshape(len(values), len(pairs), count)
        decided = says[:, :, -1]
        for at in range(count - 3, -1, -2):
            decided = np.where(says[:, :, at] == says[:, :, at + 1], says[:, :, at], decided)
        agreeing = (says == decided[:, :, None]).sum(axis=2)
        # Log odds depend on no more than how many machines agree with what is decided.
        some = np.arange(1, count + 1)
        by_number = log_odds_of((np.arange(count) < some[:, None]).astype(np.intp), np.ones(count, dtype=np.intp))
        return decided, by_number[agreeing - 1]

    def _says(self, values: Matrix, machines: NDArray[np.intp]) -> NDArray[np.bool_]:
        sums = values @ self.coefficients[machines].T
        sums += self.intercepts[machines]
        more = self.counts[machines, 1] > self.counts[machines, 0]
        return np.where(2.0 * np.abs(sums) <= 1e-12, more, sums > 0)


def can_grow_at_once(base: Any, data: TrainingData, settings: Settings) -> bool:
    """Whether all pairs can be grown at once: small classes, undersampled for a linear machine, nothing missing."""
    if type(base) is not LinearSVMClassifier or base.class_weight is not None or data.params:
        return False
    if settings.biasing != "undersample" or settings.biases is None or data.inputs.has_missing:
        return False
    sizes = np.sort(np.bincount(data.y[data.weight > 0], minlength=data.n_classes))
    return data.n_classes > 2 and int(sizes[-2:].sum()) <= MOST_ROWS


def grow_at_once(
    base: LinearSVMClassifier,
    data: TrainingData,
    settings: Settings,
    seed: np.random.SeedSequence,
    n_jobs: int | None,
    report: Callable[[int], None],
) -> PairMachines:
    """Grow the Triskels of all pairs, a class against all after it at a time, and report how many pairs are done."""
    base._validate_params()
    check_cost(float(base.C), data.weight)
    table = data.inputs.table
    design = shared_design(table)
    rows = np.flatnonzero(data.weight)
    order = rows[np.argsort(data.y[rows], kind="stable")]
    starts = np.concatenate([[0], np.cumsum(np.bincount(data.y[rows], minlength=data.n_classes))])
    biases = settings.biases or (0.0, 0.0)
    wanted = np.array([[round((1.0 - bias) * count) for count in range(MOST_ROWS + 1)] for bias in biases])
    pairs = Pairs(
        *(design.values, design.columns, order, starts, data.weight * float(base.C)),
        *(wanted, settings.n_rounds, np.array([settings.easy, settings.hard]), settings.normalize),
        *(bool(base.scale), float(base.tol), most_steps(base.max_iter, 2 * MOST_ROWS)),
    )
    jobs = ((pairs, first, np.random.default_rng(seeds.child(seed, 3, first))) for first in range(data.n_classes - 1))
    parts = []
    for part in each(Pairs.grow, jobs, n_jobs):
        parts.append(part)
        report(len(part[-1]))
    coefficients, intercepts, counts, gaps, facts, n_members = map(np.concatenate, zip(*parts, strict=True))
    if (gaps > base.tol).any():
        warn_of_gap(int(facts[gaps.argmax(), 0]), float(gaps.max()), float(base.tol), stacklevel=6)
    ends = np.cumsum(n_members)
    counts /= float(base.C)
    empty = Table(np.empty((0, table.shape[1])), table.schema)
    arrays = coefficients, intercepts, counts, facts[:, 0].copy(), facts[:, 1] > 0, ends
    return PairMachines(base, empty, design.fill, biases, *arrays)
