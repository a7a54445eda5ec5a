"""The ensembles of the feature-subset paper: nearest neighbours that see random columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._progress import Progress
from covey._sklearn import StrOptions
from covey.ensemble.size_choice import right_shares
from covey.ensemble.subset_neighbors import (
    ASKED,
    LEFT_OUT,
    SEARCHED,
    Integers,
    SubsetDraws,
    SubsetNeighbors,
    multiplicities,
)
from covey.ensemble.voting import (
    LEAST_VOTES,
    MOST_VOTES,
    Confidence,
    VoteCount,
    VotingMixin,
    count_codes,
    tried_confidence,
)
from covey.learners.case_base import Layout, by_chunks
from covey.learners.case_classifier import CaseClassifier
from covey.learners.leaf_votes import Ranks, leaves_pay, may_pay, vote_by_leaves
from covey.learners.nearest import bytes_along, winners_along
from covey.learners.space import Points
from covey.learners.sphere_size import best_of
from covey.models.fields import Array, Field, Flag, Maybe, require
from covey.parallel import HoldsArrays, each
from covey.seeds import RandomState
from covey.strategies import MajorityVote
from covey.strategies.draw import Size
from covey.table.table import CategoricalFeatures

# How many rows choose a size at most, and among how many they look for neighbours.
MOST_LEFT_OUT, MOST_SEARCHED = 2000, 20_000


@dataclass(eq=False, repr=False)
class FeatureSubsetNeighborsClassifier(SubsetNeighbors, CaseClassifier, VotingMixin):
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
        smaller. Of more than 2,000 rows, as many are left out, drawn by the seed; of more than 20,000 as many are
        searched, as large a share of each class.
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
        **SubsetNeighbors._parameter_constraints,
        "resample": [StrOptions({"fit", "query"})],
    }
    _state: ClassVar[dict[str, Field]] = {
        "_by_row": Flag(),
        "estimator_weights_": Array(np.float64, "members", low=0.0, high=MOST_VOTES),
        "estimators_features_": Maybe(SubsetNeighbors._state["estimators_features_"]),
    }

    def _check_state(self) -> None:
        super()._check_state()
        require(self.estimator_weights_.sum() >= LEAST_VOTES, "has members without a vote")
        require(self._by_row or hasattr(self, "estimators_features_"), "has no subsets")

    # Training

    def _choose(self, layout: Layout) -> None:
        self._check_enough(self.n_neighbors, layout.n_cases)
        self.n_neighbors_ = int(self.n_neighbors)
        self._begin()
        self._by_row = self.resample == "query"
        self.subset_size_ = self._size(layout)
        if not self._by_row:
            self.estimators_features_ = list(np.sort(self._draws(layout.n_columns).of_members(), axis=1))

    def _size(self, layout: Layout) -> int:
        sizes = self._sizes(layout.n_columns)
        if self.subset_size != "auto":
            return sizes[0]
        self.subset_size_ = layout.n_columns  # the longest that is tried
        layout = layout.some(MOST_SEARCHED, np.random.default_rng(seeds.child(self._seed, SEARCHED)))
        search = self._search(layout, None if self._by_row else self._draws(layout.n_columns).of_members())
        left_out = self._left_out(layout, MOST_LEFT_OUT)
        right = np.empty((len(sizes), len(left_out)))
        progress, done = Progress(type(self).__name__, len(left_out), self.verbose, unit="cases left out"), 0
        for votes in self._left_out_votes(search, left_out, sizes):
            some = left_out[done : done + votes.shape[1]]
            right[:, done : done + len(some)] = right_shares(votes, layout.codes[some])
            done += len(some)
            progress.advance(len(some))
        weight = layout.weight[left_out]
        self.size_curve_ = dict(zip(sizes, (right @ weight / weight.sum()).tolist(), strict=True))
        return best_of(self.size_curve_)

    def _left_out_votes(self, search: _Search, own: Integers, sizes: list[int]) -> Iterator[Integers]:
        bytes_each = self._bytes_each(search.layout)
        return by_chunks(_votes_by_size, len(own), bytes_each, self.n_jobs, search, own, sizes)

    def _left_out_outputs(self) -> NDArray[np.float64]:
        """Return the vote shares of each case when it is left out; NaN for one without weight or neighbours."""
        layout = self._cases.layout
        search = self._search(layout, None if self._by_row else np.stack(self.estimators_features_))
        own, size = np.arange(len(layout.rows)), [self.subset_size_]
        votes = np.concatenate([part[0] for part in self._left_out_votes(search, own, size)]).astype(np.float64)
        shares = np.full((len(self._cases), len(self.classes_)), np.nan)
        with np.errstate(invalid="ignore"):
            shares[layout.rows] = votes / votes.sum(axis=1, keepdims=True)
        return shares

    def _search(self, layout: Layout, drawn: Integers | None) -> _Search:
        draws = self._draws(layout.n_columns)
        return _Search(layout, draws, drawn, self.n_neighbors_, draws.preferences(len(self.classes_)))

    def _bytes_each(self, layout: Layout) -> int:
        """Return about how much memory one row takes while it is asked about."""
        n_members = len(self.estimator_weights_)
        own_subsets = 40 * n_members * layout.n_columns if self._by_row else 0
        return bytes_along(layout, n_members, self.n_neighbors_, len(self.classes_)) + own_subsets

    # Votes

    def _member_codes(self, X: Any) -> NDArray[Any]:
        rows = self._rows(X)
        layout, n_classes, n_members = self._cases.layout, len(self.classes_), len(self.estimator_weights_)
        votes = np.empty((len(rows), n_members), dtype=np.min_scalar_type(-n_classes))
        search = self._search(layout, None if self._by_row else np.stack(self.estimators_features_))
        if search.drawn is not None and self.n_neighbors_ == 1:
            counts = layout.space.coordinate_counts(multiplicities(search.drawn, self.n_features_in_))
            if may_pay(layout, len(rows), counts):
                queries = layout.space.place(rows).look_up()
                ranks, keys = Ranks.of(layout.points, queries), search.preferences
                if leaves_pay(layout, queries, ranks, counts, keys):
                    members = ((layout, queries, ranks, counts[t], keys[t]) for t in range(n_members))
                    for member, codes in enumerate(each(vote_by_leaves, members, self.n_jobs)):
                        votes[:, member] = codes
                    return votes
        done = 0
        for part in by_chunks(_codes_of_rows, len(rows), self._bytes_each(layout), self.n_jobs, search, rows):
            votes[done : done + len(part)] = part
            done += len(part)
        return votes

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return how probable each class is, columns in the order of ``classes_``; 0 for one without cases."""
        return self._of_present(super().predict_proba(X))

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Give the probabilities by the first member, by the first two, and so on."""
        return map(self._of_present, super().staged_predict_proba(X))

    def _of_present(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return probabilities with 0 for classes that are declared and have no case yet, or no more."""
        absent = np.bincount(self._cases.layout.codes, minlength=len(self.classes_)) == 0
        if not absent.any():
            return probabilities
        known = np.where(absent, 0.0, probabilities)
        return np.asarray(known / known.sum(axis=1, keepdims=True))

    def _confidence(self) -> Confidence:
        return tried_confidence(getattr(self, "size_curve_", {}), self.subset_size_, len(self.classes_))

    def _vote_counts(self, X: Any, n_jobs: int | None = 1) -> Iterator[VoteCount]:
        codes, n_classes = self._member_codes(X), len(self.classes_)
        return count_codes(codes, self.estimator_weights_, MajorityVote(), self._seed, n_classes, self._confidence())


@dataclass(frozen=True, eq=False)
class _Search(HoldsArrays):
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


def _votes_by_size(chunk: slice, search: _Search, left_out: Integers, sizes: list[int]) -> Integers:
    """Count for each size the votes for each class of a chunk of rows that are left out: (size, row, class)."""
    own, layout = left_out[chunk], search.layout
    queries, columns = layout.points.take(own), search.columns(LEFT_OUT, layout.rows[own].tolist())
    votes = np.zeros((len(sizes), len(own), search.preferences.shape[1]), dtype=np.int64)
    for at, size in enumerate(sizes):
        codes = search.codes(queries, columns[..., :size], own)
        silent = codes < 0  # a row that is alone has no neighbour
        np.add.at(votes[at], (np.arange(len(own))[:, None], np.maximum(codes, 0)), ~silent)
    return votes
