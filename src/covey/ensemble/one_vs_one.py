"""One classifier for every pair of classes, over tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from itertools import combinations
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import get_tags

from covey import seeds
from covey._progress import Progress, told
from covey._sklearn import Interval
from covey.ensemble.checks import (
    check_base,
    check_kind,
    check_member,
    check_missing,
    read_inputs,
    warn_of_ridge,
)
from covey.ensemble.fit import TrainingData, fit_member, takes_weights
from covey.ensemble.growth import ENTROPY, new_entropy
from covey.ensemble.importances import MeanImportances
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.ensemble.over_base import OverBase
from covey.ensemble.voting import OF_VOTES, VoteCount, VotingMixin, count_codes, member_output
from covey.learners.base import CLASS_WEIGHT, ClassWeight, TableClassifier
from covey.models.fields import Array, Field, Items, Model, OrNone, Whole, require
from covey.parallel import each
from covey.seeds import RandomState
from covey.strategies import WeightedVote
from covey.table import Table
from covey.table.table import CategoricalFeatures


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two classes to be told apart."""

    negative: int  # -1 for all classes but the positive one
    positive: int

    _state: ClassVar[dict[str, Field]] = {"negative": Whole(-1), "positive": Whole()}

    def binary(self, data: TrainingData) -> TrainingData:
        """Return the rows of the two, with codes 0 and 1; those of other classes have no weight."""
        codes = (data.y == self.positive).astype(np.intp)
        if self.negative < 0:
            return replace(data, y=codes, n_classes=2)
        involved = (codes == 1) | (data.y == self.negative)
        return replace(data, y=codes, weight=np.where(involved, data.weight, 0.0), n_classes=2)

    def name(self, codes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the codes of classes for those of the problem."""
        return np.asarray(np.array([self.negative, self.positive], dtype=np.intp)[codes])


def one_vs_one(n_classes: int) -> list[Pairing]:
    """Return every pair of classes; with one class alone, that class against itself."""
    if n_classes == 1:
        return [Pairing(0, 0)]
    return [Pairing(first, second) for first, second in combinations(range(n_classes), 2)]


def one_vs_rest(n_classes: int) -> list[Pairing]:
    """Return every class against all others."""
    return [Pairing(-1, code) for code in range(n_classes)]


@dataclass(frozen=True, eq=False)
class Votes:
    """Who votes for which class."""

    codes: NDArray[np.intp]  # of shape (n_rows, n_voters)
    weights: NDArray[np.float64]  # what each vote counts
    log_odds: NDArray[np.float64] | None = None  # of the class that a pair votes for, where pairs vote


def log_odds_of(codes: NDArray[np.intp], decided: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the log odds of what the members of one pair decided, by how many of them say so themselves.

    What they say, of shape (n_rows, n_members), counts three quarters, and that it was decided one.
    """
    agree = 0.75 * (codes == decided[:, None]).mean(axis=1) + 0.25
    p = OF_VOTES.probabilities(np.column_stack([1.0 - agree, agree]), codes.shape[1])
    return np.asarray(np.log(p[:, 1] / p[:, 0]))


def _with_agreement(counts: Iterator[VoteCount], codes: NDArray[np.intp]) -> Iterator[VoteCount]:
    """Give the counts of the members of one pair, with log odds by their agreement."""

    def log_odds(count: VoteCount, n_members: int) -> NDArray[np.float64]:
        winners = count.winners()
        return np.eye(2)[winners] * log_odds_of(codes[:, :n_members], winners)[:, None]

    for n_members, count in enumerate(counts, start=1):
        count.log_odds = partial(log_odds, count, n_members)
        yield count


@dataclass(eq=False, repr=False)
class PairwiseClassifier(OverBase, VotingMixin, TableClassifier):
    """The base of classifiers that tell every pair of classes apart and let members, or pairs, vote."""

    estimator: Any = None
    _: KW_ONLY
    class_weight: ClassWeight = None
    categorical_features: CategoricalFeatures = "from_dtype"
    n_jobs: int | None = None
    random_state: RandomState = None
    verbose: int = 0

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "class_weight": CLASS_WEIGHT,
        "verbose": ["verbose"],
        "n_jobs": [None, Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left")],
    }
    _state: ClassVar[dict[str, Field]] = {"_entropy": ENTROPY}
    _derived: ClassVar[tuple[str, ...]] = ("_pairings", "pairs_")

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
        self.pairs_ = [(self.classes_[pair.negative], self.classes_[pair.positive]) for pair in self._pairings]

    @abstractmethod
    def _fit_problems(self, data: TrainingData, seed: np.random.SeedSequence, *, alone: bool) -> list[Any]:
        """Train all binary problems, and return all models."""

    @abstractmethod
    def _votes(self, inputs: Inputs) -> Votes:
        """Return who votes for which class."""

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64], *, alone: bool) -> None:
        base = self._base()
        self._check_base()
        check_missing(self, table)
        self._entropy = new_entropy(self.random_state)
        inputs = Inputs(table if table.counted is not None else table.counting(weight > 0))
        inputs.encode_for(self._innermost())
        data = TrainingData(inputs, codes, weight, len(self.classes_), takes_weights(base))
        models = self._fit_problems(data, self._seed, alone=alone)
        if alone:
            warn_of_ridge(models)

    @property
    def _seed(self) -> np.random.SeedSequence:
        return np.random.SeedSequence(list(self._entropy))

    def _new_inputs(self, X: Any) -> Inputs:
        inputs = read_inputs(self, X)
        inputs.encode_for(self._innermost())
        return inputs

    def _vote_counts(self, X: Any, n_jobs: int | None = 1) -> Iterator[VoteCount]:
        votes, n_classes = self._votes(self._new_inputs(X)), len(self.classes_)
        counts = count_codes(votes.codes, votes.weights, WeightedVote(), self._seed, n_classes)
        if n_classes == 2:
            return _with_agreement(counts, votes.codes)
        return counts if votes.log_odds is None else self._with_log_odds(counts, votes.codes, votes.log_odds)

    def _with_log_odds(
        self, counts: Iterator[VoteCount], codes: NDArray[np.intp], log_odds: NDArray[np.float64]
    ) -> Iterator[VoteCount]:
        """Give the counts of pairs with log odds: the winner of a pair gains a half, and the other loses it."""
        total = np.zeros((len(codes), len(self.classes_)))
        for pair, count, winners, odds in zip(self._pairings, counts, codes.T, log_odds.T, strict=True):
            gain = np.where(winners == pair.positive, odds, -odds) / 2.0
            total[:, pair.positive] += gain
            total[:, pair.negative] -= gain
            count.log_odds = total.copy
            yield count

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = self._base()
        if not isinstance(base, type) and hasattr(base, "fit"):
            tags.input_tags.allow_nan = get_tags(base).input_tags.allow_nan
        return tags


class OneVsOneClassifier(MeanImportances, PairwiseClassifier):
    """A classifier for every pair of classes, each with a vote.

    As scikit-learn's, but it takes frames with categories and missing values where its base estimator does, and all
    pairs share one encoded table. Over `BoostingClassifier` it boosts every binary problem by itself, as the Triskel
    paper does with AdaBoost.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, by default a linear support vector machine.
    class_weight : dict, "balanced" or None
        Weights of classes, by which case weights are multiplied; "balanced" gives all classes the same in sum.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    n_jobs : int, optional
        How many pairs are worked on at a time, in threads.
    random_state : int, RandomState, Generator or None
        The seed of what base estimators draw, and of ties.
    verbose : int, default=0
        1 prints at most once a second how many pairs of classes are done, 2 after each.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    pairs_ : list of (label, label)
        The classes that each estimator tells apart.
    estimators_ : list of classifiers
        Trained on the codes 0 and 1.
    feature_importances_ : ndarray of shape (n_features,)
        The mean importances of columns in the estimators, where these have any, as trees do; they add up to 1.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import OneVsOneClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OneVsOneClassifier(random_state=0).fit(X, y)
    >>> len(model.estimators_)
    3
    >>> model.predict(X[:2])
    array([0, 0])
    """

    _state: ClassVar[dict[str, Field]] = {
        "estimators_": Items(Model(), "pairs"),
        "_codes": Items(OrNone(Array(np.intp, None, low=0, shared=True)), "pairs"),
    }

    def _check_state(self) -> None:
        super()._check_state()
        self._check_base()
        self._set_pairs(len(self.estimators_))
        for member in self._members:
            check_member(member, self.schema_, 2)

    @property
    def _members(self) -> list[Member]:
        return [Member(model, classes=codes) for model, codes in zip(self.estimators_, self._codes, strict=True)]

    def _weighted_members(self) -> list[tuple[Member, float]]:
        return [(member, 1.0) for member in self._members]

    def _fit_problems(self, data: TrainingData, seed: np.random.SeedSequence, *, alone: bool) -> list[Any]:
        pairings = one_vs_one(data.n_classes)
        progress = Progress(type(self).__name__, len(pairings), self.verbose, unit="pairs of classes")
        members = fit_pairs(self._base(), data, pairings, seed, self.n_jobs, progress.advance)
        self._set_pairs(len(members))
        self.estimators_ = [member.model for member in members]
        self._codes = [member.classes for member in members]
        return self.estimators_

    def _votes(self, inputs: Inputs) -> Votes:
        codes = pair_votes(self._members, self._pairings, inputs, self.n_jobs)
        log_odds = [log_odds_of(column[:, None], column) for column in codes.T]
        return Votes(codes, np.ones(codes.shape[1]), np.column_stack(log_odds))


def fit_pairs(
    estimator: Any,
    data: TrainingData,
    pairings: list[Pairing],
    seed: np.random.SeedSequence,
    n_jobs: int | None,
    report: Callable[[], None],
) -> list[Member]:
    """Return a member for each pair of classes, trained in parallel, and tell of each."""
    jobs = ((estimator, data, pair, seeds.child(seed, 3, number)) for number, pair in enumerate(pairings))
    return list(told(each(_fit_pair, jobs, n_jobs), report))


def _fit_pair(estimator: Any, data: TrainingData, pairing: Pairing, seed: np.random.SeedSequence) -> Member:
    binary = pairing.binary(data)
    return fit_member(estimator, binary, binary.weight, None, np.random.default_rng(seed))


def pair_votes(members: list[Member], pairings: list[Pairing], inputs: Inputs, n_jobs: int | None) -> NDArray[np.intp]:
    """Return the class that each pair's member votes for, of shape (n_rows, n_pairs)."""
    outputs = each(member_output, ((member, inputs, "codes", 2) for member in members), n_jobs)
    return np.column_stack([pair.name(codes) for pair, codes in zip(pairings, outputs, strict=True)])
