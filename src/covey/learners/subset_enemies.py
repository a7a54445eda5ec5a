"""The closest enemies of all rows along many choices of columns, looked for together: members see overlapping ones."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from covey.kernels.sizes import LANES
from covey.learners.closest import MANY_COLUMNS, find_in_subsets
from covey.learners.cover import Enemies
from covey.learners.euclid import EuclideanRows
from covey.learners.per_table import PerTable
from covey.learners.space import Points, space_of
from covey.parallel import each
from covey.table import Table

# How many enemies are kept at most, 12 bytes each; members beyond them look for their own.
MOST_KEPT = 20_000_000
# With fewer pairs of rows, in all choices, the kernel takes longer to load than it saves.
FEWEST_PAIRS = 100_000_000
# How many times as fast the enemies of many choices are found together as one choice after the other; leaves that are
# faster still are left to that. So many choices tell.
GAIN, SAMPLE = 3.0, 3


@dataclass(frozen=True, eq=False)
class Along:
    """The closest enemy of each row along each of many choices of columns."""

    rows: NDArray[np.int32]  # (choice, row): the lowest of those at the same distance, -1 where there is none
    distances: NDArray[np.float64]
    places: dict[bytes, int] = field(default_factory=dict)  # which choice the columns are

    def of(self, columns: NDArray[np.intp]) -> Enemies | None:
        """Return the enemies along some columns, if they were looked for."""
        at = self.places.get(_key(columns))
        return None if at is None else Enemies(self.rows[at, :, None].astype(np.int64), self.distances[at, :, None])


_NOTHING = Along(np.empty((0, 0), dtype=np.int32), np.empty((0, 0)))
_ALONG: PerTable[Along] = PerTable()


def known_enemies(table: Table, codes: NDArray[np.int64], *, scale: bool) -> Enemies | None:
    """Return the closest enemies of the rows of a table, if `share_enemies` was told of its columns."""
    if table.whole is None:
        return None
    whole, columns = table.whole
    return _ALONG.get(whole, lambda: _NOTHING, _labelled(codes, scale)).of(columns)


def share_enemies(
    table: Table, codes: NDArray[np.int64], subsets: Sequence[NDArray[np.intp]], *, scale: bool, n_jobs: int | None
) -> None:
    """Find the closest enemies of the rows of a table along some choices of its columns, where that saves time."""
    different = list({_key(columns): columns for columns in subsets}.values())[: MOST_KEPT // len(codes)]
    if _pays(table, codes, different, scale):
        _ALONG.get(table, lambda: _find(table, codes, different, scale, n_jobs), _labelled(codes, scale))


def _key(columns: NDArray[np.intp]) -> bytes:
    return columns.astype(np.int64).tobytes()


def _labelled(codes: NDArray[np.int64], scale: bool) -> Hashable:
    return scale, codes.tobytes()


def _pays(table: Table, codes: NDArray[np.int64], subsets: Sequence[NDArray[np.intp]], scale: bool) -> bool:
    """Whether enemies along all choices are found faster together."""
    n_rows, n_classes = len(codes), int(codes.max(initial=0)) + 1
    if len(subsets) < SAMPLE or n_rows * n_rows * len(subsets) < FEWEST_PAIRS or n_rows < n_classes * LANES:
        return False
    space, points = space_of(table, scale=scale)
    # Of rows that do not count some may lack values where others have them: no order of coordinates fits all choices.
    if points.n_plain != space.n_plain or max(map(len, subsets)) >= MANY_COLUMNS:
        return False
    sample = (EuclideanRows(codes, space_of(table.take(columns), scale=scale)[1]) for columns in subsets[:SAMPLE])
    efforts = [rows.effort_by_leaves() for rows in sample]
    return n_classes > 1 and float(np.mean(efforts)) > 1.0 / GAIN


def _find(
    table: Table, codes: NDArray[np.int64], subsets: Sequence[NDArray[np.intp]], scale: bool, n_jobs: int | None
) -> Along:
    space, points = space_of(table, scale=scale)
    multiplicities = np.zeros((len(subsets), table.shape[1]), dtype=np.int64)
    for at, columns in enumerate(subsets):
        multiplicities[at, columns] = 1
    counts = space.coordinate_counts(multiplicities)
    shape = len(subsets), len(codes)
    along = Along(np.empty(shape, dtype=np.int32), np.empty(shape), {_key(each): at for at, each in enumerate(subsets)})
    for label in range(int(codes.max()) + 1):
        own, others = np.flatnonzero(codes == label), np.flatnonzero(codes != label)
        among = points.take(others).look_up()
        _ = among.blocks  # which all threads share
        parts = np.array_split(own, effective_n_jobs(n_jobs))
        asked: list[tuple[Any, ...]] = [(points.take(some), among, counts) for some in parts]
        for some, (rows, squared) in zip(parts, each(_closest, asked, n_jobs), strict=True):
            along.rows[:, some] = others[rows]
            along.distances[:, some] = np.sqrt(squared)
    return along


def _closest(queries: Points, rows: Points, counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the closest row to each query along each subset, and its squared distance, of shape (subset, query)."""
    where, squared = find_in_subsets(queries, rows, counts, is_paired=True)
    return where[:, :, 0].T, squared[:, :, 0].T
