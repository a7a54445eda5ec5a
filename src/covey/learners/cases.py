"""Cases that a learner remembers, and how they are laid out to be searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from covey.learners.counts import case_counts
from covey.learners.points import Points
from covey.learners.space import Space, space_of
from covey.models.fields import Array, Field, Flag, OrNone, Part, require
from covey.parallel import each
from covey.table import Schema, Table
from covey.table.schema import check_codes

# What a chunk of queries may take up, and what one neighbour does on its way from the search to a vote.
CHUNK_BYTES, NEIGHBOR_BYTES = 2**23, 64

# Sums of weights in another order differ by less than this.
SLACK = 1e-9

Said = TypeVar("Said")


@dataclass(frozen=True, eq=False)
class CaseBase:
    """All that a learner keeps of its training data, as it was given.

    Parameters
    ----------
    matrix : ndarray of float64 of shape (n_rows, n_features)
        Numbers and codes of categories; NaN is missing.
    schema : Schema
        What the columns are.
    codes : ndarray of int64 of shape (n_rows,)
        Class codes.
    weight : ndarray of float64 of shape (n_rows,)
        Case weights as they were given; a row without weight counts as absent.
    scale : bool
        Whether numbers are scaled to [0, 1].
    space : Space, optional
        What the members of an ensemble share: weights then count cases already. By default it follows the cases.
    """

    matrix: NDArray[np.float64]
    schema: Schema
    codes: NDArray[np.int64]
    weight: NDArray[np.float64]
    scale: bool
    space: Space | None = None

    def __len__(self) -> int:
        return len(self.matrix)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be found again."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

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
class Layout:
    """Cases that have weight, as they are searched.

    Parameters
    ----------
    space : Space
        The space that they span.
    points : Points
        Where they are in it.
    codes : ndarray of int64
        Their classes.
    weight : ndarray of float64
        How many cases each stands for.
    rows : ndarray of int64
        Their rows in the case base.
    """

    space: Space
    points: Points
    codes: NDArray[np.int64]
    weight: NDArray[np.float64]
    rows: NDArray[np.int64]

    @property
    def n_columns(self) -> int:
        """How many columns the cases have."""
        return int(np.count_nonzero(self.space.columns >= 0))

    @cached_property
    def has_whole_cases(self) -> bool:
        """Whether each row stands for one case or for several, and none for a part of one."""
        return bool((self.weight >= 1.0).all() and (self.weight == np.rint(self.weight)).all())

    @property
    def n_cases(self) -> float:
        """How many cases there are; a row of weight 2 is two."""
        return float(self.weight.sum())


def chunks_of(n_queries: int, bytes_each: int, n_jobs: int | None) -> list[slice]:
    """Cut queries into chunks that take up little memory, at least one for each job."""
    size = max(1, min(CHUNK_BYTES // max(bytes_each, 1), -(-n_queries // effective_n_jobs(n_jobs))))
    return [slice(start, min(start + size, n_queries)) for start in range(0, n_queries, size)]


def by_chunks(
    part: Callable[..., Said], n_queries: int, bytes_each: int, n_jobs: int | None, *arguments: Any
) -> Iterator[Said]:
    """Give what a function of (slice, *arguments) says of each chunk of the queries, in order."""
    chunks = chunks_of(n_queries, bytes_each, n_jobs)
    return each(part, ((chunk, *arguments) for chunk in chunks), n_jobs)


def bytes_of(n_subsets: int, n_neighbors: int, n_classes: int) -> int:
    """Return about how much memory one query takes, should all neighbours be ties."""
    return n_subsets * NEIGHBOR_BYTES * (n_neighbors + 1 + n_classes)
