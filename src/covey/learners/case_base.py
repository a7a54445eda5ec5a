"""Cases as learners remember them, and as they are searched; and the base of the learners that do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from covey._sklearn import Interval
from covey.learners.base import TableEstimator, case_counts
from covey.learners.per_table import PerTable
from covey.learners.sampling import some_of_each
from covey.learners.space import Points, Space, space_of
from covey.models.fields import Array, Field, Flag, OrNone, Part, Whole, require
from covey.parallel import HoldsArrays, each
from covey.table import Schema, Table
from covey.table.schema import check_codes

# What a chunk of queries may take up, and what one neighbour does on its way from the search to a vote.
CHUNK_BYTES, NEIGHBOR_BYTES = 2**23, 64

# Sums of weights in another order differ by less than this.
SLACK = 1e-9

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class CaseBase:
    """All that a learner keeps of its training data, as it was given."""

    matrix: NDArray[np.float64]  # numbers and codes of categories; NaN is missing
    schema: Schema
    codes: NDArray[np.int64]  # classes
    weight: NDArray[np.float64]  # as it was given; a row without weight counts as absent
    scale: bool  # whether numbers are scaled to [0, 1]
    # What the members of an ensemble share: weights then count cases already. By default it follows the cases.
    space: Space | None = None

    def __len__(self) -> int:
        return len(self.matrix)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be found again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    _state: ClassVar[dict[str, Field]] = {
        "matrix": Array(np.float64, "rows", "features", low=-np.inf, high=np.inf, nan=True, infinite=True, shared=True),
        "schema": Part(Schema, ["features"], shared=True),
        "codes": Array(np.int64, "rows", low=0),
        "weight": Array(np.float64, "rows", low=0.0),
        "scale": Flag(),
        "space": OrNone(Part(Space, shared=True)),
    }

    def _check_state(self) -> None:
        require(self.weight.any(), "has no rows that count")
        check_codes(self.matrix, self.schema)
        if self.space is not None:
            self.space.check_columns(self.schema)

    def add(self, table: Table, codes: NDArray[np.int64], weight: NDArray[np.float64]) -> CaseBase:
        """Return the cases followed by others, whose schema may have more categories."""
        return CaseBase(
            np.concatenate([self.matrix, table.matrix]),
            table.schema,
            np.concatenate([self.codes, codes]),
            np.concatenate([self.weight, weight]),
            self.scale,
        )

    def keep(self, kept: NDArray[np.bool_]) -> CaseBase:
        """Return some of the cases, in their order."""
        return CaseBase(self.matrix[kept], self.schema, self.codes[kept], self.weight[kept], self.scale)

    @property
    def counts(self) -> NDArray[np.float64]:
        """How many cases each row stands for, 0 for one without weight."""
        return case_counts(self.weight) if self.space is None else self.weight

    @property
    def layout(self) -> Layout:
        """The cases as they are searched; members of an ensemble keep no copies of the same points."""
        return self._layout if self.space is None else self._lay_out()

    @cached_property
    def _layout(self) -> Layout:
        return self._lay_out()

    def _lay_out(self) -> Layout:
        rows = np.flatnonzero(self.weight)
        every = len(rows) == len(self)
        matrix = self.matrix if every else self.matrix[rows]
        if self.space is None:
            space, points = space_of(Table(matrix, self.schema), scale=self.scale)
        else:
            space, points = self.space, self.space.place(matrix)
        return Layout(space, points.look_up(), self.codes[rows], self.counts[rows], rows)


@dataclass(frozen=True, eq=False)
class Layout(HoldsArrays):
    """Cases that have weight, as they are searched."""

    space: Space  # the space that they span, ...
    points: Points  # ... and where they are in it
    codes: NDArray[np.int64]  # their classes
    weight: NDArray[np.float64]  # how many cases each stands for
    rows: NDArray[np.int64]  # their rows in the case base

    @property
    def n_columns(self) -> int:
        """How many columns the cases have."""
        return int(np.count_nonzero(self.space.columns >= 0))

    def some(self, most: int, rng: np.random.Generator) -> Layout:
        """Return at most so many of the rows, drawn at random and as large a share of each class; few are all."""
        if len(self.rows) <= most:
            return self
        chosen = some_of_each(self.codes, self.weight, most, rng)
        return Layout(self.space, self.points.take(chosen), self.codes[chosen], self.weight[chosen], self.rows[chosen])

    @cached_property
    def has_whole_cases(self) -> bool:
        """Whether each row stands for one case or for several, and none for a part of one."""
        return bool((self.weight >= 1.0).all() and (self.weight == np.rint(self.weight)).all())

    @property
    def n_cases(self) -> float:
        """How many cases there are; a row of weight 2 is two."""
        return float(self.weight.sum())


def by_chunks(
    part: Callable[..., Result], n_queries: int, bytes_each: int, n_jobs: int | None, *arguments: Any
) -> Iterator[Result]:
    """Give the result of a function of (slice, *arguments) for each chunk of the queries, in order.

    Chunks take up little memory, and there is at least one for each job.
    """
    size = max(1, min(CHUNK_BYTES // max(bytes_each, 1), -(-n_queries // effective_n_jobs(n_jobs))))
    chunks = [slice(start, min(start + size, n_queries)) for start in range(0, n_queries, size)]
    return each(part, ((chunk, *arguments) for chunk in chunks), n_jobs)


def bytes_of(n_subsets: int, n_neighbors: int, n_classes: int) -> int:
    """Return about how much memory one query takes, should all neighbours be ties."""
    return n_subsets * NEIGHBOR_BYTES * (n_neighbors + 1 + n_classes)


_COPIES: PerTable[NDArray[np.float64]] = PerTable()


class CaseLearner(TableEstimator):
    """An estimator that remembers its training cases as they were given.

    A subclass names its parameters, ``scale``, ``n_neighbors`` and ``n_jobs`` among them.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "scale": ["boolean"],
        "n_jobs": [None, Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left")],
    }

    scale: bool
    n_jobs: int | None
    n_neighbors_: int
    _cases: CaseBase

    _state: ClassVar[dict[str, Field]] = {"n_neighbors_": Whole(1), "_cases": Part(CaseBase, ["features"])}

    def _check_state(self) -> None:
        super()._check_state()
        require(self._cases.schema == self.schema_, "has rows of other columns")
        self._check_enough(self.n_neighbors_, float(self._cases.counts.sum()))

    @property
    def n_cases_(self) -> int:
        """The number of rows that are remembered."""
        return len(self._cases)

    def _case_base(
        self, table: Table, codes: NDArray[np.int64], weight: NDArray[np.float64], *, alone: bool
    ) -> CaseBase:
        if alone:
            return CaseBase(table.matrix.copy(), table.schema, codes, weight.copy(), bool(self.scale))
        # In an ensemble all members share the range of the columns, and one copy of the same table.
        space, _ = space_of(table, scale=self.scale)
        matrix = _COPIES.get(table, table.matrix.copy) if table.whole is None else table.matrix
        return CaseBase(matrix, table.schema, codes, weight.copy(), bool(self.scale), space)

    def _check_enough(self, n_neighbors: int, n_cases: float) -> None:
        if n_neighbors > n_cases + SLACK:
            raise ValueError(
                f"n_neighbors={n_neighbors} is more than the {n_cases:g} cases there are; give at most as many."
            )
