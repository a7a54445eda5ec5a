"""Subspaces: the columns that a member is allowed to see."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone

from covey.strategies.draw import Size, Weights, resolve_size
from covey.strategies.ledger import Ledger, Round
from covey.strategies.relevance import f_statistics, squared_correlations
from covey.strategies.view import Columns, View
from covey.table import Table

Score = Callable[[NDArray[np.float64], NDArray[Any]], ArrayLike]


class Subspace(BaseEstimator, ABC):
    """Chooses what each member sees of the table before it is trained.

    Attributes
    ----------
    makes_numbers : bool
        Whether members see new numeric columns, without categories and missing values, instead of some of the table's.
    learns : bool
        Whether what a member sees depends on how those before it did (see `EvolvingSubspace`).
    """

    makes_numbers: ClassVar[bool] = False
    learns: ClassVar[bool] = False

    @abstractmethod
    def choose(self, table: Table, y: NDArray[Any], weight: Weights, rng: np.random.Generator) -> View:
        """Return positions of columns, in ascending order, or new columns made of them."""

    def prepare(self, table: Table, y: NDArray[Any], weight: Weights) -> Subspace:
        """Check that the choice can be made, and do once what all members share."""
        return self

    # Of a choice that learns

    def open(self, n_columns: int) -> Ledger | None:
        """Return the empty ledger of a new chain; None for a choice that does not learn."""
        return None

    def draw(self, ledger: Ledger, rng: np.random.Generator) -> Columns:
        """Draw the columns of a chain's next member by its ledger."""
        raise NotImplementedError(f"{type(self).__name__} does not learn; call choose.")

    def note(self, ledger: Ledger, one: Round) -> None:
        """Enter a member into its chain's ledger."""

    @property
    def asks_gains(self) -> bool:
        """Whether it wants to know what each column of a member changes."""
        return False


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
        return count_columns(self.size, total, name=f"{type(self).__name__} size", limit=not self.replacement)


class WeightedSubspace(RandomSubspace):
    """Columns drawn at random in proportion to given weights.

    Without replacement each draw is made among the columns not drawn yet. Should fewer columns have weight than are
    asked for, all of them are taken and the rest is drawn uniformly among those without.

    Parameters
    ----------
    weights : array-like of shape (n_features,), callable or "relevance"
        One non-negative weight per column, or a function of (X, y) that returns them, alone or with p-values as
        ``sklearn.feature_selection.f_classif`` does; a column whose score is NaN, such as a constant one, gets none.
        "relevance" is the squared correlation with a numeric response (RASSEL, the thesis's equation 2.14) or the F
        statistic between classes (equation 2.15), for nominal columns too and with missing values; where no column
        tells anything, as of a constant response, all are alike.
    size : int, float or str, default=0.5
        How many columns: a number, a share, "sqrt", "log2" or "third".
    replacement : bool, default=False
        Whether a column may be drawn more than once; a member then sees it several times.
    """

    def __init__(self, weights: ArrayLike | Score | str, size: Size = 0.5, replacement: bool = False) -> None:
        super().__init__(size=size, replacement=replacement)
        self.weights = weights

    def choose(self, table: Table, y: NDArray[Any], weight: Weights, rng: np.random.Generator) -> Columns:
        """Draw the columns of one member."""
        weights = self._weights(table, y, weight)
        count = self._count(table.shape[1])
        if self.replacement:
            return np.sort(rng.choice(len(weights), size=count, p=weights / weights.sum()))
        with np.errstate(divide="ignore"):
            return draw_by_weight(np.log(weights), count, rng)

    def prepare(self, table: Table, y: NDArray[Any], weight: Weights) -> Subspace:
        """Work the weights out once for all members, from the rows that have weight."""
        super().prepare(table, y, weight)
        prepared: Subspace = clone(self).set_params(weights=self._weights(table, y, weight))
        return prepared

    def _weights(self, table: Table, y: NDArray[Any], weight: Weights) -> NDArray[np.float64]:
        source: Any = self.weights
        if isinstance(source, str):
            return _relevance(source, table, y, weight)
        if callable(source):
            rows = weight > 0
            scores = source(table.matrix[rows], y[rows])
            weights = _finite(np.asarray(scores[0] if isinstance(scores, tuple) else scores, dtype=np.float64))
        else:
            weights = np.asarray(source, dtype=np.float64)
        if weights.shape != (table.shape[1],):
            raise ValueError(f"subspace weights have shape {weights.shape}, but X has {table.shape[1]} columns.")
        if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
            raise ValueError(
                f"subspace weights={weights.tolist()!r:.60} must be finite, 0 or more, and not all 0; give at least "
                "one column a positive weight, or draw uniformly."
            )
        return weights


def _finite(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores with 0 for NaN, and for infinite ones, as of a column that tells all, far more than any other."""
    finite = np.where(np.isfinite(scores), scores, 0.0)
    most = finite.max(initial=0.0)
    return np.where(np.isposinf(scores), 1e9 * (most or 1.0), np.where(np.isneginf(scores), scores, finite))


def _relevance(name: str, table: Table, y: NDArray[Any], weight: Weights) -> NDArray[np.float64]:
    """Return what each column tells of the target; ones, if none tells anything."""
    if name != "relevance":
        raise ValueError(f"subspace weights={name!r} is not known; give 'relevance', an array or a function of (X, y).")
    score = f_statistics if y.dtype.kind in "iu" else squared_correlations
    weights = score(table, y, weight)
    return weights if weights.any() else np.ones(table.shape[1])


def count_columns(size: Size, total: int, *, name: str, limit: bool = True) -> int:
    """Turn a size, an argument of that name, into a number of columns; ``limit`` refuses more than there are."""
    return resolve_size(size, total, name=name, of="columns", limit=limit)


def draw_by_weight(logarithms: NDArray[np.float64], count: int, rng: np.random.Generator) -> Columns:
    """Draw columns one after the other, each in proportion to its weight among those not drawn yet; sort them.

    The columns with the greatest sums of the logarithm of their weight and a Gumbel variate are such a draw, however
    small a weight may be. Those without weight come last, all alike.
    """
    noise = rng.gumbel(size=len(logarithms))
    weightless = np.isneginf(logarithms)
    keys = noise + np.where(weightless, 0.0, logarithms)
    return np.sort(np.lexsort((-keys, weightless))[:count])
