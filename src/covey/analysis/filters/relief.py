"""ReliefF: attributes by how they differ between near rows of one class and of different classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from covey import seeds
from covey._arguments import check_count
from covey.analysis.filters.discretize import Codes, Vector, labelled_table
from covey.analysis.numbers import LONG_SUM
from covey.seeds import RandomState
from covey.table import Table
from covey.table.schema import FloatMatrix
from covey.table.table import CategoricalFeatures

Positions = NDArray[np.intp]

# Distances are worked out so many at a time, and differences of single attributes as many.
CELLS = 1 << 20


def relieff(
    X: Any,
    y: Any,
    *,
    n_neighbors: int = 10,
    n_samples: int | None = None,
    random_state: RandomState = None,
    categorical_features: CategoricalFeatures = "from_dtype",
) -> Vector:
    """Return the ReliefF score of each attribute (Kononenko 1994).

    An attribute is good if it differs little between a row and its nearest rows of the same class, and much between
    the row and its nearest rows of every other class; those classes count by their frequency. Numbers differ by their
    distance as a share of the attribute's range, categories by 0 or 1, and the distance of two rows is the sum over
    all attributes. Unlike `chi_squared` this sees attributes that matter only together.

    A missing value differs by what is expected of a value drawn from those known in its row's class, or from all known
    ones if the class has none. Rows at the same distance as the last of the nearest share its place, so the order of
    the rows does not matter. A class with fewer rows than asked for gives all it has.

    Parameters
    ----------
    X, y, categorical_features
        As for `chi_squared`.
    n_neighbors : int, default=10
        The number of nearest rows of each class (k).
    n_samples : int, optional
        The number of rows, drawn at random, whose neighbours are looked at (m); by default all. The time grows with
        it.
    random_state : int, RandomState, Generator or None
        The seed of the draw.

    Returns
    -------
    ndarray of float64 of shape (n_features,)
        From -1 to 1, higher is better; an attribute that tells nothing is near or below 0.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey.analysis.filters import relieff
    >>> X, y = load_iris(return_X_y=True)
    >>> relieff(X, y).round(2)
    array([0.14, 0.12, 0.36, 0.38])
    """
    check_count("n_neighbors", n_neighbors, 1)
    table, codes = labelled_table(X, y, categorical_features)
    rows = np.arange(len(codes))
    if n_samples is not None:
        check_count("n_samples", n_samples, 1)
        if n_samples > len(codes):
            raise ValueError(f"n_samples={n_samples} is more than the {len(codes)} rows of X; give at most that many.")
        rows = np.sort(seeds.generator(random_state).choice(rows, n_samples, replace=False))
    space = _Space.of(table, codes)
    share = np.bincount(codes) / len(codes)
    expected = [space.expected(label) for label in range(len(share))]
    total = np.zeros(table.shape[1])
    for label, difference in enumerate(expected):
        some = rows[codes[rows] == label]
        for other, difference_back in enumerate(expected):
            others = np.flatnonzero(codes == other)
            near, far = space.take(some, difference_back[some]), space.take(others, difference[others])
            both = space.both_missing(difference, others)
            apart = _sum_differences(near, far, space.incomplete, both, n_neighbors)
            total += apart * (-1.0 if label == other else share[other] / (1 - share[label]))
    scores = np.empty_like(total)
    scores[space.columns] = total / len(rows)
    return scores


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of one class, to be compared with rows of the same or of another one."""

    row: Positions  # of the table
    numbers: FloatMatrix  # as in `_Space`
    kinds: FloatMatrix
    missing: FloatMatrix  # where the columns with missing values miss them
    surplus: FloatMatrix  # by how much more a known value differs from a missing one than from what stands in for it

    def take(self, some: Positions | slice) -> _Rows:
        return _Rows(self.row[some], self.numbers[some], self.kinds[some], self.missing[some], self.surplus[some])


@dataclass(frozen=True, eq=False)
class _Space:
    """All rows, with their columns on one scale: numbers divided by their range, and codes of categories.

    0 and -1 stand in for what is missing, which makes two missing values equal, a missing category different from all
    others, and a missing number the least.
    """

    columns: Positions  # of the table: first the numbers, then the categories
    numbers: FloatMatrix
    kinds: FloatMatrix
    codes: Codes  # the class of each row
    incomplete: Positions  # the columns with missing values, ...
    values: FloatMatrix  # ... their values as above, ...
    missing: FloatMatrix  # ... and 1 where they are missing

    @classmethod
    def of(cls, table: Table, codes: Codes) -> Self:
        numeric, nominal = np.flatnonzero(~table.categorical), np.flatnonzero(table.categorical)
        columns = np.concatenate([numeric, nominal])
        missing = np.isnan(table.matrix)[:, columns]
        incomplete = np.flatnonzero(missing.any(axis=0))
        numbers, kinds = _scaled(table.matrix[:, numeric]), table.matrix[:, nominal]
        kinds[np.isnan(kinds)] = -1
        is_number = incomplete < len(numeric)
        values = np.hstack([numbers[:, incomplete[is_number]], kinds[:, incomplete[~is_number] - len(numeric)]])
        absent = missing[:, incomplete].astype(np.float64)
        return cls(columns, numbers, kinds, codes, incomplete, values, absent)

    def take(self, some: Positions, expected: FloatMatrix) -> _Rows:
        """Return some rows, given how much they are expected to differ from missing values of the other class."""
        stand_in = np.where(self._is_number, self.values[some], 1.0)
        surplus = (expected - stand_in) * (1 - self.missing[some])
        return _Rows(some, self.numbers[some], self.kinds[some], self.missing[some], surplus)

    @property
    def _is_number(self) -> NDArray[np.bool_]:
        return np.asarray(self.incomplete < self.numbers.shape[1])

    def expected(self, label: int) -> FloatMatrix:
        """Return how much each row's value is expected to differ from a missing value of a class."""
        chance = 1 - self.missing
        of_class = chance * (self.codes == label)[:, None]
        chance = np.where(of_class.any(axis=0), of_class, chance)
        chance /= np.maximum(chance.sum(axis=0), 1)
        expected = np.empty_like(self.values)
        for j in np.flatnonzero(~self._is_number):
            code = self.values[:, j].astype(np.intp) + 1
            expected[:, j] = 1 - np.bincount(code, chance[:, j])[code]
        number = np.flatnonzero(self._is_number)
        value, chance = np.ascontiguousarray(self.values[:, number].T), np.ascontiguousarray(chance[:, number].T)
        order = np.argsort(value, axis=1)
        value, chance = np.take_along_axis(value, order, axis=1), np.take_along_axis(chance, order, axis=1)
        below, mass = np.cumsum(chance, axis=1), np.cumsum(chance * value, axis=1)
        apart = np.empty_like(value)
        np.put_along_axis(apart, order, value * (2 * below - below[:, -1:]) - 2 * mass + mass[:, -1:], axis=1)
        expected[:, number] = apart.T
        return expected

    def both_missing(self, expected: FloatMatrix, rows: Positions) -> Vector:
        """Return how much missing values of two classes are expected to differ, given what one leads to expect."""
        known = 1 - self.missing
        count = known[rows].sum(axis=0)
        mean = (expected[rows] * known[rows]).sum(axis=0) / np.maximum(count, 1)
        overall = (expected * known).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        return np.asarray(np.where(count > 0, mean, overall))


def _scaled(numbers: FloatMatrix) -> FloatMatrix:
    """Return numbers on a scale from 0 to 1, with 0 for what is missing and where they do not vary."""
    missing = np.isnan(numbers)
    low = np.where(missing, np.inf, numbers).min(axis=0)
    high = np.where(missing, -np.inf, numbers).max(axis=0)
    varies = low < high
    scaled = np.zeros_like(numbers)
    with np.errstate(over="ignore", invalid="ignore"):
        half = np.where(np.isinf(high - low), 0.5, 1.0)  # so that the difference of the largest numbers is finite
        np.divide(numbers * half - low * half, high * half - low * half, out=scaled, where=varies & ~missing)
    return scaled


def _sum_differences(near: _Rows, far: _Rows, incomplete: Positions, both: Vector, n_neighbors: int) -> Vector:
    """Return the sum over rows of the mean difference, per attribute, from the nearest of other rows."""
    total = np.zeros(near.numbers.shape[1] + near.kinds.shape[1])
    step, n_pairs = max(1, CELLS // len(far.row)), max(1, CELLS // len(total))
    for start in range(0, len(near.row), step):
        block = near.take(slice(start, start + step))
        left, right, weight = _nearest(_distances(block, far, both), n_neighbors)
        for first in range(0, len(weight), n_pairs):
            some = slice(first, first + n_pairs)
            total += weight[some] @ _differences(block.take(left[some]), far.take(right[some]), incomplete, both)
    return total


def _distances(near: _Rows, far: _Rows, both: Vector) -> FloatMatrix:
    """Return the distances between rows, infinite between a row and itself."""
    distance = np.zeros((len(near.row), len(far.row)))
    if near.numbers.shape[1]:
        distance += cdist(near.numbers, far.numbers, "cityblock")
    if near.kinds.shape[1]:
        distance += cdist(near.kinds, far.kinds, "hamming") * near.kinds.shape[1]
    if len(both):
        distance += near.surplus @ far.missing.T
        distance += near.missing @ far.surplus.T
        distance += (near.missing * both) @ far.missing.T
    distance[near.row[:, None] == far.row] = np.inf
    return distance


def _differences(near: _Rows, far: _Rows, incomplete: Positions, both: Vector) -> FloatMatrix:
    """Return the differences of each attribute between rows, pair by pair."""
    apart = np.hstack([np.abs(near.numbers - far.numbers), near.kinds != far.kinds])
    if len(both):
        apart[:, incomplete] += (
            near.surplus * far.missing + near.missing * far.surplus + near.missing * far.missing * both
        )
    return apart


def _nearest(distance: FloatMatrix, n_neighbors: int) -> tuple[Positions, Positions, Vector]:
    """Return pairs of a row and one of its nearest, and their weights, which add up to 1 for each row.

    Those as far away as the last share what is left for them.
    """
    n_others = distance.shape[1] - int(np.isinf(distance[0]).any())
    count = min(n_neighbors, n_others)
    if not count:
        nothing = np.empty(0, dtype=np.intp)
        return nothing, nothing, np.empty(0)
    last = np.partition(distance, count - 1, axis=1)[:, count - 1 : count]
    margin = LONG_SUM * (1 + last)
    closer = distance < last - margin
    tied = (distance <= last + margin) & ~closer
    share = (count - closer.sum(axis=1)) / tied.sum(axis=1)
    left, right = np.nonzero(closer | tied)
    return left, right, np.where(closer[left, right], 1.0, share[left]) / count
