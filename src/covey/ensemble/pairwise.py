"""What classifiers share that tell every pair of classes apart and let the pairs vote."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from covey import seeds
from covey.ensemble.ballot import Ballot, tie_breakers
from covey.ensemble.binary import Pairing, one_vs_one
from covey.ensemble.checks import check_base, check_gaps, check_kind, innermost, warn_of_ridge
from covey.ensemble.feed import Feed
from covey.ensemble.fit import Cases, takes_weights
from covey.ensemble.voting import VotingMixin
from covey.learners.base import TableClassifier
from covey.models.fields import Field, Items, Whole, require
from covey.seeds import RandomState
from covey.strategies import WeightedVote
from covey.table import Table


class PairwiseClassifier(VotingMixin, TableClassifier):
    """A classifier whose members, or whose pairs of classes, vote.

    A subclass grows its problems and says what votes.
    """

    estimator: Any
    estimators_: list[Any]
    pairs_: list[tuple[Any, Any]]
    _pairings: list[Pairing]
    random_state: RandomState
    n_jobs: int | None

    _state: ClassVar[dict[str, Field]] = {"_entropy": Items(Whole(0, 2**32 - 1), 4, tuple)}

    def _base(self) -> Any:
        """Return the base estimator, by default a linear support vector machine."""
        from covey.learners.linear_svm import LinearSVMClassifier

        return LinearSVMClassifier() if self.estimator is None else self.estimator

    def _check_base(self) -> None:
        """Refuse a base estimator that cannot do what will be asked of it."""
        check_kind(self._base(), classifier=True)
        check_base(self._base(), WeightedVote())

    def _set_pairs(self, count: int) -> None:
        """Set which classes are told apart, of which there are to be so many pairs."""
        n_classes = len(self.classes_)
        require(count == max(1, n_classes * (n_classes - 1) // 2), "tells other pairs of classes apart")
        self._pairings = one_vs_one(n_classes)
        self.pairs_ = [(self.classes_[one.negative], self.classes_[one.positive]) for one in self._pairings]

    def _innermost(self) -> Any:
        return innermost(self._base())

    @abstractmethod
    def _grow(self, cases: Cases, seed: np.random.SeedSequence, *, alone: bool) -> None:
        """Train all there is to train."""

    @abstractmethod
    def _votes(self, feed: Feed) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return who votes for which class, of shape (n_rows, n_voters), and what each vote counts."""

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64], *, alone: bool) -> None:
        base = self._base()
        self._check_base()
        check_gaps(self, table)
        self._entropy = tuple(seeds.seed_sequence(self.random_state).generate_state(4).tolist())
        feed = Feed(table if table.counted is not None else table.counting(weight > 0))
        feed.make_ready(self._innermost())
        cases = Cases(feed, codes, weight, len(self.classes_), takes_weights(base))
        self._grow(cases, self._seed, alone=alone)
        if alone:
            warn_of_ridge(self.estimators_)

    @property
    def _seed(self) -> np.random.SeedSequence:
        return np.random.SeedSequence(list(self._entropy))

    def _new_feed(self, X: Any) -> Feed:
        check_is_fitted(self)
        table = Table(self._read_new(X), self.schema_)
        check_gaps(self, table)
        feed = Feed(table)
        feed.make_ready(self._innermost())
        return feed

    def _ballots(self, X: Any, n_jobs: int | None = 1) -> Iterator[Ballot]:
        """Count votes one after the other, giving the ballot after each."""
        said, weights = self._votes(self._new_feed(X))
        factors, class_keys = tie_breakers(self._seed, said.shape[1], len(self.classes_))
        ballot = Ballot(WeightedVote(), len(said), class_keys)
        for codes, weight, factor in zip(said.T, weights.tolist(), factors, strict=True):
            ballot.add(codes, weight, factor)
            yield ballot

    def _ballot(self, X: Any) -> Ballot:
        return deque(self._ballots(X), maxlen=1).pop()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = self._base()
        if not isinstance(base, type) and hasattr(base, "fit"):
            tags.input_tags.allow_nan = get_tags(base).input_tags.allow_nan
        return tags
