"""Choosing columns: the attributes that a member is allowed to see."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone

from covey.strategies.draw import Weights
from covey.strategies.size import Size, resolve_size
from covey.strategies.view import Columns, View
from covey.table import Table

Score = Callable[[NDArray[np.float64], NDArray[Any]], ArrayLike]


class Subspace(BaseEstimator, ABC):
    """Chooses what each member sees of the table before it is trained.

    Attributes
    ----------
    makes_numbers : bool
        Whether members see new numeric columns, without categories and missing values, instead of some of the table's.
    """

    makes_numbers: ClassVar[bool] = False

    @abstractmethod
    def choose(self, table: Table, y: NDArray[Any], weight: Weights, rng: np.random.Generator) -> View:
        """Return positions of columns, in ascending order, or new columns made of them."""

    def prepare(self, table: Table, y: NDArray[Any], weight: Weights) -> Subspace:
        """Check that the choice can be made, and do once what all members share."""
        return self


class RandomSubspace(Subspace):
    """Columns drawn uniformly at random (Ho's random subspaces).

    Parameters
    ----------
    size : int, float or str, default=0.5
        How many columns: a number, a share, "sqrt", "log2" or "third".
    replacement : bool, default=False
        Whether a column may be drawn more than once; a member then sees it several times.
    """

    def __init__(self, size: Size = 0.5, replacement: bool = False) -> None:
        self.size = size
        self.replacement = replacement

    def choose(self, table: Table, y: NDArray[Any], weight: Weights, rng: np.random.Generator) -> Columns:
        """Draw the columns of one member."""
        total = table.shape[1]
        return np.sort(rng.choice(total, size=self._count(total), replace=self.replacement))

    def prepare(self, table: Table, y: NDArray[Any], weight: Weights) -> Subspace:
        """Refuse to draw more columns than there are, unless they may be repeated."""
        self._count(table.shape[1])
        return self

    def _count(self, total: int) -> int:
        return resolve_size(self.size, total, name="subspace size", of="columns", limit=not self.replacement)


class WeightedSubspace(RandomSubspace):
    """Columns drawn at random in proportion to given weights.

    Without replacement each draw is made among the columns not drawn yet. Should fewer columns have weight than are
    asked for, all of them are taken and the rest is drawn uniformly among those without.

    Parameters
    ----------
    weights : array-like of shape (n_features,) or callable
        One non-negative weight per column, or a function of (X, y) that returns them, alone or with p-values as
        ``sklearn.feature_selection.f_classif`` does; a column whose score is NaN, such as a constant one, gets none.
    size : int, float or str, default=0.5
        How many columns: a number, a share, "sqrt", "log2" or "third".
    replacement : bool, default=False
        Whether a column may be drawn more than once; a member then sees it several times.
    """

    def __init__(self, weights: ArrayLike | Score, size: Size = 0.5, replacement: bool = False) -> None:
        super().__init__(size=size, replacement=replacement)
        self.weights = weights

    def choose(self, table: Table, y: NDArray[Any], weight: Weights, rng: np.random.Generator) -> Columns:
        """Draw the columns of one member."""
        weights = self._weights(table.matrix, y)
        count = self._count(table.shape[1])
        useful, useless = np.flatnonzero(weights), np.flatnonzero(weights == 0)
        if not self.replacement and len(useful) < count:
            rest = rng.choice(useless, size=count - len(useful), replace=False)
            return np.sort(np.concatenate([useful, rest]))
        share = weights[useful] / weights.sum()
        return np.sort(rng.choice(useful, size=count, replace=self.replacement, p=share))

    def prepare(self, table: Table, y: NDArray[Any], weight: Weights) -> Subspace:
        """Work the weights out once for all members, from the rows that have weight."""
        super().prepare(table, y, weight)
        rows = weight > 0
        prepared: Subspace = clone(self).set_params(weights=self._weights(table.matrix[rows], y[rows]))
        return prepared

    def _weights(self, X: NDArray[np.float64], y: NDArray[Any]) -> NDArray[np.float64]:
        if callable(self.weights):
            scores = self.weights(X, y)
            scores = scores[0] if isinstance(scores, tuple) else scores
            weights = np.asarray(scores, dtype=np.float64)
            weights = np.where(np.isnan(weights), 0.0, weights)
        else:
            weights = np.asarray(self.weights, dtype=np.float64)
        if weights.shape != (X.shape[1],):
            raise ValueError(f"subspace weights have shape {weights.shape}, but X has {X.shape[1]} columns.")
        if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
            raise ValueError("subspace weights must be finite, 0 or more, and not all 0.")
        return weights
