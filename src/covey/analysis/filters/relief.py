"""ReliefF: attributes by how they differ between near rows of one class and of different classes."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from covey import seeds
from covey.analysis.filters.discretize import Codes, Vector, labelled_table
from covey.seeds import RandomState
from covey.table import Table
from covey.table.schema import FloatMatrix
from covey.table.table import CategoricalFeatures

Positions = NDArray[np.intp]

# Distances are worked out so many at a time, and differences of single attributes as many.
CELLS = 1 << 20
# Distances that differ by less, relative to one attribute's range or to themselves, are equal: it is rounding.
TIE = 1e-10


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
    X : array-like or data frame of shape (n_samples, n_features)
        Numbers, categories or text; NaN is missing.
    y : array-like of shape (n_samples,)
        Class labels, of two classes at least.
    n_neighbors : int, default=10
        The number of nearest rows of each class (k).
    n_samples : int, optional
        The number of rows, drawn at random, whose neighbours are looked at (m); by default all. The time grows with
        it.
    random_state : int, RandomState, Generator or None
        The seed of the draw.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.

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
    _check_count("n_neighbors", n_neighbors)
    table, codes = labelled_table(X, y, categorical_features)
    rows = np.arange(len(codes))
    if n_samples is not None:
        _check_count("n_samples", n_samples, len(codes))
        rows = np.sort(seeds.generator(random_state).choice(rows, n_samples, replace=False))
    space = _Space.of(table, codes)
    expected = [space.expected(one)[rows] for one in range(int(codes.max()) + 1)]
    share = np.bincount(codes) / len(codes)
    found = np.zeros(table.shape[1])
    for one in range(len(share)):
        own, difference = np.flatnonzero(codes[rows] == one), space.expected(one)
        for other in range(len(share)):
            members = np.flatnonzero(codes == other)
            near = space.take(rows[own], expected[other][own])
            far = space.take(members, difference[members])
            total = _sum_differences(near, far, space.gappy, space.both_missing(difference, members), n_neighbors)
            found += total * (-1.0 if one == other else share[other] / (1 - share[one]))
    scores = np.empty_like(found)
    scores[space.columns] = found / len(rows)
    return scores


def _check_count(name: str, count: Any, most: int | None = None) -> None:
    if isinstance(count, bool) or not isinstance(count, Integral) or int(count) < 1:
        raise ValueError(f"{name}={count!r} must be a whole number, 1 or more.")
    if most is not None and int(count) > most:
        raise ValueError(f"{name}={count} asks for {count} rows, but there are {most}; ask for at most {most}.")


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of one class, to be compared with rows of the same or of another one.

    Parameters
    ----------
    row : ndarray of int
        Which rows of the table they are.
    numbers, kinds : ndarray of float64
        The attributes as in `_Space`.
    missing : ndarray of float64
        Where the attributes with gaps are missing.
    surplus : ndarray of float64
        By how much more a known value differs from a missing one of the other class than from what stands in for it.
    """

    row: Positions
    numbers: FloatMatrix
    kinds: FloatMatrix
    missing: FloatMatrix
    surplus: FloatMatrix

    def take(self, some: Positions | slice) -> _Rows:
        return _Rows(self.row[some], self.numbers[some], self.kinds[some], self.missing[some], self.surplus[some])


@dataclass(frozen=True, eq=False)
class _Space:
    """All rows, with their attributes on one scale.

    Parameters
    ----------
    columns : ndarray of int
        Which column of the table each attribute is: first the numbers, then the categories.
    numbers, kinds : ndarray of float64
        Numbers divided by their range, and codes. 0 and -1 stand in for what is missing, which makes two missing
        values equal, a missing category different from all others, and a missing number the least.
    codes : ndarray of int
        The class of each row.
    gappy : ndarray of int
        The attributes with missing values.
    values, missing : ndarray of float64 of shape (n_samples, n_gappy)
        Their values as above, and 1 where they are missing.
    """

    columns: Positions
    numbers: FloatMatrix
    kinds: FloatMatrix
    codes: Codes
    gappy: Positions
    values: FloatMatrix
    missing: FloatMatrix

    @classmethod
    def of(cls, table: Table, codes: Codes) -> Self:
        numeric, nominal = np.flatnonzero(~table.categorical), np.flatnonzero(table.categorical)
        columns = np.concatenate([numeric, nominal])
        gaps = np.isnan(table.matrix)[:, columns]
        gappy = np.flatnonzero(gaps.any(axis=0))
        numbers, kinds = _scaled(table.matrix[:, numeric]), table.matrix[:, nominal]
        kinds[np.isnan(kinds)] = -1
        is_number = gappy < len(numeric)
        values = np.hstack([numbers[:, gappy[is_number]], kinds[:, gappy[~is_number] - len(numeric)]])
        return cls(columns, numbers, kinds, codes, gappy, values, gaps[:, gappy].astype(np.float64))

    def take(self, some: Positions, expected: FloatMatrix) -> _Rows:
        """Return some rows, given how much they are expected to differ from missing values of the other class."""
        stand_in = np.where(self._is_number, self.values[some], 1.0)
        surplus = (expected - stand_in) * (1 - self.missing[some])
        return _Rows(some, self.numbers[some], self.kinds[some], self.missing[some], surplus)

    @property
    def _is_number(self) -> NDArray[np.bool_]:
        return np.asarray(self.gappy < self.numbers.shape[1])

    def expected(self, label: int) -> FloatMatrix:
        """Return how much each row's value is expected to differ from a missing value of a class."""
        chance = 1 - self.missing
        own = chance * (self.codes == label)[:, None]
        chance = np.where(own.any(axis=0), own, chance)
        chance /= np.maximum(chance.sum(axis=0), 1)
        found = np.empty_like(self.values)
        for j in np.flatnonzero(~self._is_number):
            code = self.values[:, j].astype(np.intp) + 1
            found[:, j] = 1 - np.bincount(code, chance[:, j])[code]
        number = np.flatnonzero(self._is_number)
        value, chance = np.ascontiguousarray(self.values[:, number].T), np.ascontiguousarray(chance[:, number].T)
        order = np.argsort(value, axis=1)
        value, chance = np.take_along_axis(value, order, axis=1), np.take_along_axis(chance, order, axis=1)
        below, mass = np.cumsum(chance, axis=1), np.cumsum(chance * value, axis=1)
        apart = np.empty_like(value)
        np.put_along_axis(apart, order, value * (2 * below - below[:, -1:]) - 2 * mass + mass[:, -1:], axis=1)
        found[:, number] = apart.T
        return found

    def both_missing(self, expected: FloatMatrix, members: Positions) -> Vector:
        """Return how much missing values of two classes are expected to differ, given what one leads to expect."""
        known = 1 - self.missing
        own = known[members].sum(axis=0)
        mean = (expected[members] * known[members]).sum(axis=0) / np.maximum(own, 1)
        overall = (expected * known).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        return np.asarray(np.where(own > 0, mean, overall))


def _scaled(numbers: FloatMatrix) -> FloatMatrix:
    """Return numbers on a scale from 0 to 1, with 0 for what is missing and where they do not vary."""
    gaps = np.isnan(numbers)
    low = np.where(gaps, np.inf, numbers).min(axis=0)
    high = np.where(gaps, -np.inf, numbers).max(axis=0)
    varies = low < high
    scaled = np.zeros_like(numbers)
    with np.errstate(over="ignore", invalid="ignore"):
        half = np.where(np.isinf(high - low), 0.5, 1.0)  # so that the difference of the largest numbers is finite
        np.divide(numbers * half - low * half, high * half - low * half, out=scaled, where=varies & ~gaps)
    return scaled


def _sum_differences(near: _Rows, far: _Rows, gappy: Positions, both: Vector, n_neighbors: int) -> Vector:
    """Return the sum over rows of the mean difference, per attribute, from the nearest of other rows."""
    total = np.zeros(near.numbers.shape[1] + near.kinds.shape[1])
    step, n_pairs = max(1, CELLS // len(far.row)), max(1, CELLS // len(total))
    for start in range(0, len(near.row), step):
        block = near.take(slice(start, start + step))
        left, right, weight = _nearest(_distances(block, far, both), n_neighbors)
        for first in range(0, len(weight), n_pairs):
            some = slice(first, first + n_pairs)
            total += weight[some] @ _differences(block.take(left[some]), far.take(right[some]), gappy, both)
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


def _differences(near: _Rows, far: _Rows, gappy: Positions, both: Vector) -> FloatMatrix:
    """Return the differences of each attribute between rows, pair by pair."""
    apart = np.hstack([np.abs(near.numbers - far.numbers), near.kinds != far.kinds])
    if len(both):
        apart[:, gappy] += near.surplus * far.missing + near.missing * far.surplus + near.missing * far.missing * both
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
    margin = TIE * (1 + last)
    closer = distance < last - margin
    tied = (distance <= last + margin) & ~closer
    share = (count - closer.sum(axis=1)) / tied.sum(axis=1)
    left, right = np.nonzero(closer | tied)
    return left, right, np.where(closer[left, right], 1.0, share[left]) / count
