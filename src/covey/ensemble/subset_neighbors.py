"""What ensembles of nearest neighbours along random columns share: the draws, and the rows that choose a size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._sklearn import Interval, StrOptions
from covey.ensemble.growth import ENTROPY, new_entropy
from covey.ensemble.size_choice import subspace_sizes
from covey.learners.case_base import CaseLearner, Layout
from covey.models.fields import Array, Curve, Field, Flag, Items, Maybe, Number, Whole, require
from covey.seeds import RandomState
from covey.strategies.draw import RULES, Size, resolve_size

Integers = NDArray[np.int64]

# How often, on the average, a subset that is drawn with replacement may hold each column in a file.
MOST_REPEATED = 64

# Places of the seeds, beside those that break ties of votes: of members, of rows that are asked, of rows left out, of
# ties within members, and of the rows that are left out, or searched, at all.
_MEMBERS, ASKED, LEFT_OUT, _PREFERENCES, _SAMPLE, SEARCHED = 2, 3, 4, 5, 6, 7


class SubsetNeighbors(CaseLearner):
    """What ensembles share whose members ask the nearest cases along columns drawn at random."""

    n_estimators: int
    subset_size: Size
    replacement: bool
    random_state: RandomState
    verbose: int
    estimator_weights_: NDArray[np.float64]
    subset_size_: int
    _replacement: bool

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CaseLearner._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "subset_size": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, None, closed="neither"),
            StrOptions({"auto", *RULES}),
        ],
        "replacement": ["boolean"],
        "verbose": ["verbose"],
    }
    _state: ClassVar[dict[str, Field]] = {
        "_entropy": ENTROPY,
        "_replacement": Flag(),
        "subset_size_": Whole(1),
        "size_curve_": Maybe(Curve(Whole(1), Number())),
        "estimators_features_": Items(Array(np.int64, None, low=0, below="features"), "members"),
    }

    def _check_state(self) -> None:
        super()._check_state()
        most = MOST_REPEATED if self._replacement else 1
        require(self.subset_size_ <= most * self.n_features_in_, "draws more columns than there are")
        drawn = getattr(self, "estimators_features_", [])
        require(all(len(columns) == self.subset_size_ for columns in drawn), "has subsets of several sizes")

    def _begin(self) -> None:
        self._entropy = new_entropy(self.random_state)
        self._replacement = bool(self.replacement)
        self.estimator_weights_ = np.ones(self.n_estimators)
        for name in ("size_curve_", "estimators_features_"):
            self.__dict__.pop(name, None)

    def _sizes(self, n_columns: int) -> list[int]:
        """Return the numbers of columns to try, or the one that is given."""
        if self.subset_size == "auto":
            return subspace_sizes(n_columns)
        limit = not self.replacement
        return [resolve_size(self.subset_size, n_columns, name="subset_size", of="columns", limit=limit)]

    def _left_out(self, layout: Layout, most: int) -> Integers:
        """Return the places in the layout of the rows to leave out, in ascending order; few are some of more."""
        n_rows = len(layout.rows)
        if n_rows <= most:
            return np.arange(n_rows)
        return np.sort(np.random.default_rng(seeds.child(self._seed, _SAMPLE)).permutation(n_rows)[:most])

    @property
    def _seed(self) -> np.random.SeedSequence:
        return np.random.SeedSequence(list(self._entropy))

    def _draws(self, n_columns: int) -> SubsetDraws:
        return SubsetDraws(self._seed, len(self.estimator_weights_), n_columns, self.subset_size_, self._replacement)


@dataclass(frozen=True)
class SubsetDraws:
    """Columns in the order they are drawn: the first few make a subset, so that small ones are part of large ones."""

    seed: np.random.SeedSequence  # a member's columns depend on it and on the member's place alone
    n_members: int
    n_columns: int
    size: int
    replacement: bool  # whether a column may be drawn more than once

    def of_members(self) -> Integers:
        """Return the columns of each member, of shape (n_members, size)."""
        drawn = [self._draw(seeds.child(self.seed, _MEMBERS, member), 1)[0] for member in range(self.n_members)]
        return np.stack(drawn)

    def of_rows(self, place: int, rows: Iterable[int]) -> Integers:
        """Return the columns of each member for each row, of shape (n_rows, n_members, size)."""
        return np.stack([self._draw(seeds.child(self.seed, place, row), self.n_members) for row in rows])

    def preferences(self, n_classes: int) -> NDArray[np.float64]:
        """Return which class each member prefers where its nearest cases do not say: one key per member and class."""
        return np.random.default_rng(seeds.child(self.seed, _PREFERENCES)).random((self.n_members, n_classes))

    def _draw(self, seed: np.random.SeedSequence, times: int) -> Integers:
        rng = np.random.default_rng(seed)
        if self.replacement:  # as many for all sizes, so that members of one size do not depend on another
            drawn = rng.integers(self.n_columns, size=(times, max(self.n_columns, self.size)))
        else:
            drawn = rng.permuted(np.tile(np.arange(self.n_columns), (times, 1)), axis=1)
        return drawn[:, : self.size]


def multiplicities(drawn: Integers, n_columns: int) -> Integers:
    """Return how often each column is in each subset: from (..., size) to (..., n_columns)."""
    n_subsets = int(np.prod(drawn.shape[:-1]))
    starts = n_columns * np.arange(n_subsets)[:, None]
    counts = np.bincount((starts + drawn.reshape(n_subsets, -1)).ravel(), minlength=n_subsets * n_columns)
    return counts.reshape(*drawn.shape[:-1], n_columns)
