"""The ensembles of the feature-subset paper: nearest neighbours that see random columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._progress import Progress
from covey._sklearn import Interval, StrOptions
from covey.ensemble.growth import ENTROPY, new_entropy
from covey.ensemble.size_choice import right_shares, subspace_sizes
from covey.ensemble.voting import (
    LEAST_VOTES,
    MOST_VOTES,
    Confidence,
    VoteCount,
    VotingMixin,
    count_codes,
    tried_confidence,
)
from covey.learners.case_classifier import CaseClassifier, Layout, by_chunks
from covey.learners.leaves import leaves_pay, vote_by_leaves
from covey.learners.nearest import bytes_along, winners_along
from covey.learners.space import Points
from covey.learners.sphere_size import best_of
from covey.models.fields import Array, Curve, Field, Flag, Items, Maybe, Number, Whole, require
from covey.parallel import each
from covey.seeds import RandomState
from covey.strategies import MajorityVote
from covey.strategies.draw import RULES, Size, resolve_size
from covey.table.table import CategoricalFeatures

Integers = NDArray[np.int64]

# How often, on the average, a subset that is drawn with replacement may hold each column in a file.
MOST_REPEATED = 64

# Places of the seeds, beside those that break ties of votes: of members, of rows that are asked, of rows left out, and
# of ties within members.
_MEMBERS, ASKED, LEFT_OUT, _PREFERENCES = 2, 3, 4, 5


@dataclass(eq=False, repr=False)
class FeatureSubsetNeighborsClassifier(CaseClassifier, VotingMixin):
    """Nearest neighbours from multiple feature subsets: MFS (feature-subset paper, section 3).

    Each member finds the nearest case along a random choice of columns, as many for each, and votes for its class. All
    members search the same cases, so that a hundred of them take no more memory than one. A column that is drawn twice
    counts twice in the distance, which is that of `MixedNeighborsClassifier`.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of members.
    subset_size : int, float, str or "auto", default="auto"
        The number of columns of each member: a number, a share, "sqrt", "log2" or "third". "auto" chooses among ten
        sizes, evenly spread up to all columns, by the leave-one-out accuracy of the vote (section 3.1); of equals the
        smaller.
    replacement : bool, default=True
        Whether a column may be drawn more than once: MFS1. Without, it is MFS2.
    n_neighbors : int, default=1
        How many cases k a member asks, those as near as the last of them sharing its place; it votes for the class
        that most of them have. Of equals it votes for the one whose nearest case is nearest, or else for the one it
        prefers by the seed.
    resample : {"fit", "query"}, default="fit"
        Whether columns are drawn once, or afresh for each row that is asked, as published. The latter are drawn by the
        row's place in X, so that the same X gets the same predictions, but a row alone may get another one than among
        others.
    scale, categorical_features
        As of `MixedNeighborsClassifier`.
    n_jobs : int, optional
        How many threads search; the predictions are the same for any number.
    random_state : int, RandomState, Generator or None
        What columns are drawn from. Fewer members are the first of more.
    verbose : int, default=0
        1 prints at most once a second how many cases the search for a size has left out, 2 after each part of them.

    Attributes
    ----------
    subset_size_ : int
        The number of columns of each member.
    size_curve_ : dict of int to float
        With "auto", the leave-one-out accuracy of each size, with the very members that then make predictions.
    estimators_features_ : list of ndarray
        The columns of each member, in ascending order; not there if they are drawn for each row.
    estimator_weights_ : ndarray of shape (n_members,)
        Their vote weights: ones.
    n_neighbors_, n_cases_, classes_, n_classes_, n_features_in_, feature_names_in_, schema_
        As of `MixedNeighborsClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import FeatureSubsetNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = FeatureSubsetNeighborsClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> model.predict(X[:2])
    array([0, 0])
    """

    n_estimators: int = 100
    _: KW_ONLY
    subset_size: Size = "auto"
    replacement: bool = True
    n_neighbors: int = 1
    resample: Literal["fit", "query"] = "fit"
    scale: bool = True
    categorical_features: CategoricalFeatures = "from_dtype"
    n_jobs: int | None = None
    random_state: RandomState = None
    verbose: int = 0

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CaseClassifier._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "subset_size": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, None, closed="neither"),
            StrOptions({"auto", *RULES}),
        ],
        "replacement": ["boolean"],
        "resample": [StrOptions({"fit", "query"})],
        "verbose": ["verbose"],
    }
    _state: ClassVar[dict[str, Field]] = {
        "_entropy": ENTROPY,
        "_replacement": Flag(),
        "_by_row": Flag(),
        "estimator_weights_": Array(np.float64, "members", low=0.0, high=MOST_VOTES),
        "subset_size_": Whole(1),
        "size_curve_": Maybe(Curve(Whole(1), Number())),
        "estimators_features_": Maybe(Items(Array(np.int64, None, low=0, below="features"), "members")),
    }

    def _check_state(self) -> None:
        super()._check_state()
        require(self.estimator_weights_.sum() >= LEAST_VOTES, "has members without a vote")
        most = MOST_REPEATED if self._replacement else 1
        require(self.subset_size_ <= most * self.n_features_in_, "draws more columns than there are")
        drawn = [] if self._by_row else self.estimators_features_
        require(all(len(columns) == self.subset_size_ for columns in drawn), "has subsets of several sizes")

    # Training

    def _choose(self, layout: Layout) -> None:
        self._check_enough(self.n_neighbors, layout.n_cases)
        self.n_neighbors_ = int(self.n_neighbors)
        self._entropy = new_entropy(self.random_state)
        self._replacement, self._by_row = bool(self.replacement), self.resample == "query"
        self.estimator_weights_ = np.ones(self.n_estimators)
        self.subset_size_ = self._size(layout)
        self.__dict__.pop("estimators_features_", None)
        if not self._by_row:
            self.estimators_features_ = list(np.sort(self._draws(layout.n_columns).of_members(), axis=1))

    def _size(self, layout: Layout) -> int:
        self.__dict__.pop("size_curve_", None)
        n_columns = layout.n_columns
        if self.subset_size != "auto":
            limit = not self.replacement
            return resolve_size(self.subset_size, n_columns, name="subset_size", of="columns", limit=limit)
        self.subset_size_ = n_columns  # the longest that is tried
        sizes = subspace_sizes(n_columns)
        right = np.empty((len(sizes), len(layout.rows)))
        progress = Progress(type(self).__name__, len(layout.rows), self.verbose, unit="cases left out")
        search, done = self._search(layout, None if self._by_row else self._draws(n_columns).of_members()), 0
        for part in by_chunks(_right_by_size, len(layout.rows), self._bytes_each(layout), self.n_jobs, search, sizes):
            right[:, done : done + part.shape[1]] = part
            done += part.shape[1]
            progress.advance(part.shape[1])
        accuracy = right @ layout.weight / layout.weight.sum()
        self.size_curve_ = dict(zip(sizes, accuracy.tolist(), strict=True))
        return best_of(self.size_curve_)

    @property
    def _seed(self) -> np.random.SeedSequence:
        return np.random.SeedSequence(list(self._entropy))

    def _search(self, layout: Layout, drawn: Integers | None) -> _Search:
        draws = self._draws(layout.n_columns)
        return _Search(layout, draws, drawn, self.n_neighbors_, draws.preferences(len(self.classes_)))

    def _draws(self, n_columns: int) -> SubsetDraws:
        return SubsetDraws(self._seed, len(self.estimator_weights_), n_columns, self.subset_size_, self._replacement)

    def _bytes_each(self, layout: Layout) -> int:
        """Return about how much memory one row takes while it is asked about."""
        n_members = len(self.estimator_weights_)
        own_subsets = 40 * n_members * layout.n_columns if self._by_row else 0
        return bytes_along(layout, n_members, self.n_neighbors_, len(self.classes_)) + own_subsets

    # Votes

    def member_predictions(self, X: Any) -> NDArray[Any]:
        """Return what each member predicts.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_members)
            Codes, which are positions in ``classes_``, in the smallest integer type that holds them.
        """
        rows = self._rows(X)
        layout, n_classes, n_members = self._cases.layout, len(self.classes_), len(self.estimator_weights_)
        votes = np.empty((len(rows), n_members), dtype=np.min_scalar_type(-n_classes))
        search = self._search(layout, None if self._by_row else np.stack(self.estimators_features_))
        if search.drawn is not None and self.n_neighbors_ == 1:
            counts = layout.space.coordinate_counts(multiplicities(search.drawn, self.n_features_in_))
            queries = layout.space.place(rows)
            if leaves_pay(layout, queries, counts):
                members = ((layout, queries, counts[t], n_classes, search.preferences[t]) for t in range(n_members))
                for member, codes in enumerate(each(vote_by_leaves, members, self.n_jobs)):
                    votes[:, member] = codes
                return votes
        done = 0
        for part in by_chunks(_codes_of_rows, len(rows), self._bytes_each(layout), self.n_jobs, search, rows):
            votes[done : done + len(part)] = part
            done += len(part)
        return votes

    def _confidence(self) -> Confidence:
        return tried_confidence(getattr(self, "size_curve_", {}), self.subset_size_, len(self.classes_))

    def _vote_counts(self, X: Any, n_jobs: int | None = 1) -> Iterator[VoteCount]:
        codes, n_classes = self.member_predictions(X), len(self.classes_)
        return count_codes(codes, self.estimator_weights_, MajorityVote(), self._seed, n_classes, self._confidence())


@dataclass(frozen=True, eq=False)
class _Search:
    """What members need to find the nearest rows along their columns."""

    layout: Layout
    draws: SubsetDraws
    drawn: Integers | None  # the members' columns; None if they are drawn for each row
    k: int
    preferences: NDArray[np.float64]

    def codes(self, queries: Points, drawn: Integers, own: Integers | None = None) -> Integers:
        """Return the codes that members with the columns drawn give each query, of shape (n_queries, n_members)."""
        counts = self.layout.space.coordinate_counts(multiplicities(drawn, self.layout.n_columns))
        n_classes = self.preferences.shape[1]
        return winners_along(self.layout, queries, counts, self.k, n_classes, keys=self.preferences, own=own)

    def columns(self, place: int, rows: Iterable[int]) -> Integers:
        """Return the columns by which members look at these rows."""
        return self.draws.of_rows(place, rows) if self.drawn is None else self.drawn


def _codes_of_rows(chunk: slice, search: _Search, rows: NDArray[np.float64]) -> Integers:
    """Return the members' codes for a chunk of rows."""
    columns = search.columns(ASKED, range(chunk.start, chunk.stop))
    return search.codes(search.layout.space.place(rows[chunk]), columns)


def _right_by_size(chunk: slice, search: _Search, sizes: list[int]) -> NDArray[np.float64]:
    """Return for each size which rows of a chunk the vote gives their own class when they are left out."""
    own, layout = np.arange(chunk.start, chunk.stop), search.layout
    queries, columns = layout.points.take(own), search.columns(LEFT_OUT, layout.rows[own].tolist())
    right = np.empty((len(sizes), len(own)))
    for at, size in enumerate(sizes):
        codes = search.codes(queries, columns[..., :size], own)
        votes = np.zeros((len(own), search.preferences.shape[1]), dtype=np.int64)
        silent = codes < 0  # a row that is alone has no neighbour
        np.add.at(votes, (np.arange(len(own))[:, None], np.maximum(codes, 0)), ~silent)
        right[at] = right_shares(votes, layout.codes[own])
    return right


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
