"""Rotations: the principal axes of small random groups of columns, which a member sees in their place."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from covey._warnings import warn_user
from covey.strategies.draw import Weights
from covey.strategies.subspace import Subspace
from covey.strategies.view import Columns, Matrix, Numbers, Rotated, as_numbers
from covey.table import Table

# Of so many numbers in all, the axes of many groups are worked out together: one by one, the calls take longer.
FEW_NUMBERS = 2**20
# Of no more rows NumPy draws by Floyd's algorithm.
FLOYD = 10_000


class Rotation(Subspace):
    """Principal axes of random groups of attributes (Rodríguez, Kuncheva and Alonso 2006).

    For each member the attributes are shuffled into groups. For each group some of the classes are drawn, each with
    probability one half and at least one; of their rows a random share is taken, and of these rows the principal axes
    of the group. A member sees all rows along these axes: as many new columns as there were, none thrown away. For a
    numeric response all rows take the place of the classes' rows.

    Attributes are brought to one scale by their range; a nominal one becomes a column per category, or for each of the
    30 most frequent where there are more, and missing values are replaced by the mean or the most frequent category,
    with a warning. Columns that do not vary are left out. The new columns are not centred, which makes no difference to
    trees.

    Parameters
    ----------
    group_size : int, default=3
        How many attributes are rotated together (M); the last group may be smaller.
    sample_share : float, default=0.5
        The share of the rows of the drawn classes from which the axes of a group are worked out. No fewer are taken
        than one more than the group has attributes, if there are so many.
    """

    makes_numbers: ClassVar[bool] = True
    _numbers: Numbers | None = None

    def __init__(self, group_size: int = 3, sample_share: float = 0.5) -> None:
        self.group_size = group_size
        self.sample_share = sample_share

    def prepare(self, table: Table, y: NDArray[Any], weight: Weights) -> Subspace:
        """Learn how columns become numbers on one scale, once for all members, and tell of missing values."""
        self._check()
        prepared: Rotation = clone(self)
        prepared._numbers = as_numbers(table, weight)
        _warn_of_missing(table, weight, prepared._numbers)
        return prepared

    def choose(self, table: Table, y: NDArray[Any], weight: Weights, rng: np.random.Generator) -> Rotated:
        """Work out the rotation of one member."""
        numbers = as_numbers(table, weight) if self._numbers is None else self._numbers
        size = min(self.group_size, len(numbers))
        groups = _groups(len(numbers), size, rng)
        covariance = np.zeros((len(groups), size, size))
        # What fills the last group up is an axis of its own, and comes last because no variance is less than 0.
        covariance[-1] = np.diag(np.where(groups[-1] < 0, -1.0, 0.0))
        samples = self._samples(y, weight, len(groups), rng)
        together = _alike(groups, samples) if len(weight) * len(numbers) <= FEW_NUMBERS else []
        values = numbers.of(table.matrix, None) if together else np.empty((0, 0))
        for which in together:
            rows = np.concatenate([samples[at] for at in which.tolist()]).reshape(len(which), -1)
            covariance[which] = _covariances(values[groups[which][:, :, None], rows[:, None]], weight[rows])
        for at in sorted(set(range(len(groups))).difference(*map(np.ndarray.tolist, together))):
            group, rows = groups[at][groups[at] >= 0], samples[at]
            block = _covariance(numbers.of(table.matrix, rows, group), weight[rows])
            covariance[at, : len(group), : len(group)] = block
        axes = _axes(covariance)
        axes[-1, groups[-1] < 0] = 0.0
        columns = np.repeat(np.maximum(groups, 0), size, axis=0).T
        loadings = axes.transpose(1, 0, 2).reshape(size, -1)
        return Rotated(numbers, columns[:, : len(numbers)].copy(), loadings[:, : len(numbers)].copy())

    def _samples(self, y: NDArray[Any], weight: Weights, n_groups: int, rng: np.random.Generator) -> list[Columns]:
        """Draw the rows of each group among those that have weight."""
        rows = np.flatnonzero(weight)
        codes = _by_appearance(y[rows]) if y.dtype.kind in "iu" else np.zeros(len(rows), dtype=np.intp)
        # One by one, the calls take longer than the draws. NumPy draws a part of more rows in another way.
        if (
            n_groups * len(rows) <= FEW_NUMBERS
            and len(rows) <= FLOYD
            and isinstance(rng.bit_generator, np.random.PCG64)
        ):
            return self._samples_at_once(rows, codes, n_groups, rng.bit_generator)
        n_classes = int(codes.max()) + 1
        samples: list[Columns] = []
        for _ in range(n_groups):
            drawn = rng.random(n_classes) < 0.5
            drawn[rng.integers(n_classes)] |= not drawn.any()
            some = rows[drawn[codes]]
            samples.append(some[rng.choice(len(some), size=self._size(len(some)), replace=False, shuffle=False)])
        return samples

    def _samples_at_once(self, rows: Columns, codes: Columns, n_groups: int, bits: np.random.PCG64) -> list[Columns]:
        """Draw the same rows from a generator's bits, and leave it in the state that it would be in."""
        from covey.kernels.samples import HALF, NEXT, WAITS, draw_samples

        n_classes, sizes = int(codes.max()) + 1, np.array([self._size(n) for n in range(len(rows) + 1)])
        drawn, n_drawn = np.empty((n_groups, sizes[-1]), dtype=np.int64), np.empty(n_groups, dtype=np.int64)
        before, n_words = bits.state, n_groups * (n_classes + 2 + int(sizes[-1]) // 2)
        while True:
            place = np.array([0, before["has_uint32"], before["uinteger"]])
            words = bits.random_raw(n_words).view(np.int64)
            draw_samples(words, place, codes, n_classes, sizes, drawn, n_drawn)
            bits.state = before
            if place[NEXT] <= len(words):
                break
            n_words *= 2  # numbers were drawn again, which happens once in billions
        bits.advance(int(place[NEXT]))
        bits.state = {**bits.state, "has_uint32": int(place[WAITS]), "uinteger": int(place[HALF])}
        return [rows[drawn[at, :size]] for at, size in enumerate(n_drawn.tolist())]

    def _size(self, n_rows: int) -> int:
        """Return how many of the rows of the drawn classes are taken."""
        return min(n_rows, max(round(self.sample_share * n_rows), self.group_size + 1))

    def _check(self) -> None:
        size: Any = self.group_size
        share: Any = self.sample_share
        if isinstance(size, bool) or not isinstance(size, Integral) or size < 1:
            raise ValueError(f"Rotation group_size={size!r} must be a whole number of attributes, 1 or more.")
        if isinstance(share, bool) or not isinstance(share, Real) or not 0 < float(share) <= 1:
            raise ValueError(f"Rotation sample_share={share!r} must be more than 0 and at most 1.")


def _groups(n_columns: int, size: int, rng: np.random.Generator) -> Columns:
    """Shuffle columns into groups, a row each; what the last group lacks is -1."""
    groups = np.full((-(-n_columns // size), size), -1, dtype=np.intp)
    groups.flat[:n_columns] = rng.permutation(n_columns)
    return groups


def _alike(groups: Columns, samples: list[Columns]) -> list[Columns]:
    """Return which groups have samples of the same size, for each size; a last group that is smaller is in none."""
    sizes = np.array([len(rows) for rows in samples])
    sizes[-1] = 0 if groups[-1, -1] < 0 else sizes[-1]
    return [np.flatnonzero(sizes == size) for size in np.unique(sizes[sizes > 0])]


def _by_appearance(y: NDArray[Any]) -> Columns:
    """Number classes in the order of their first rows, so that their names and codes make no difference."""
    _, first, codes = np.unique(y, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[codes], dtype=np.intp)


def _covariance(values: Matrix, weight: Weights) -> Matrix:
    """Return the covariance of columns x rows under case weights.

    Not by the matrix product: its last digits depend on the number of threads.
    """
    share = weight / weight.sum()
    centred = values - np.einsum("jn,n->j", values, share)[:, None]
    return np.asarray(np.einsum("in,jn->ij", centred * share, centred))


def _covariances(values: NDArray[np.float64], weight: Weights) -> NDArray[np.float64]:
    """Return the covariances of groups x columns x rows, each as `_covariance` has it to the last digit."""
    share = weight / weight.sum(axis=1, keepdims=True)
    centred = values - np.einsum("gjn,gn->gj", values, share)[:, :, None]
    return np.asarray(np.einsum("gin,gjn->gij", centred * share[:, None], centred))


def _axes(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the principal axes of each covariance as columns, the greatest variance first.

    An axis and its opposite are the same; the one whose largest loading is positive is taken.
    """
    axes: NDArray[np.float64] = np.linalg.eigh(covariance)[1][:, :, ::-1]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1, keepdims=True), axis=1)
    return np.asarray(axes * np.where(largest < 0, -1.0, 1.0))


def _warn_of_missing(table: Table, weight: Weights, numbers: Numbers) -> None:
    missing = [j for j in np.unique(numbers.attribute).tolist() if np.isnan(table.matrix[weight > 0, j]).any()]
    if missing:
        others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        warn_user(
            f"Missing values in column {table.names[missing[0]]!r}{others} are replaced by the mean or the most "
            "frequent category: a rotation needs every value. Impute them beforehand to choose otherwise."
        )
