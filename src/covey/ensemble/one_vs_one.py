"""One classifier for every pair of classes, over tables."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._sklearn import Interval
from covey.ensemble.ballot import member_output
from covey.ensemble.binary import Pairing, one_vs_one
from covey.ensemble.checks import check_member
from covey.ensemble.feed import Feed
from covey.ensemble.fit import Cases, fit_member
from covey.ensemble.member import Member
from covey.ensemble.pairwise import PairwiseClassifier
from covey.models.fields import Array, Field, Items, Model, OrNone
from covey.parallel import each
from covey.seeds import RandomState
from covey.table.table import CategoricalFeatures


class OneVsOneClassifier(PairwiseClassifier):
    """A classifier for every pair of classes, each with a vote.

    As scikit-learn's, but it takes frames with categories and missing values where its base estimator does, and all
    pairs share one encoded table. Over `BoostingClassifier` it boosts every binary problem by itself, as the Triskel
    paper does with AdaBoost.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, by default a linear support vector machine.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    n_jobs : int, optional
        How many pairs are worked on at a time, in threads.
    random_state : int, RandomState, Generator or None
        The seed of what base estimators draw, and of ties.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    pairs_ : list of (label, label)
        The classes that each estimator tells apart.
    estimators_ : list of classifiers
        Trained on the codes 0 and 1.
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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_jobs": [None, Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left")],
    }

    _state: ClassVar[dict[str, Field]] = {
        "estimators_": Items(Model(), "pairs"),
        "_codes": Items(OrNone(Array(np.intp, None, low=0, shared=True)), "pairs"),
    }
    _derived: ClassVar[tuple[str, ...]] = ("_pairings", "pairs_")

    def _check_state(self) -> None:
        super()._check_state()
        self._check_base()
        self._set_pairs(len(self.estimators_))
        for model, codes in zip(self.estimators_, self._codes, strict=True):
            check_member(Member(model, classes=codes), self.schema_, 2)

    def __init__(
        self,
        estimator: Any = None,
        *,
        categorical_features: CategoricalFeatures = "from_dtype",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _grow(self, cases: Cases, seed: np.random.SeedSequence, *, alone: bool) -> None:
        pairings = one_vs_one(cases.n_classes)
        members = list(fit_pairs(self._base(), cases, pairings, seed, self.n_jobs))
        self._set_pairs(len(members))
        self.estimators_ = [member.model for member in members]
        self._codes = [member.classes for member in members]

    def _votes(self, feed: Feed) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        members = [Member(model, classes=codes) for model, codes in zip(self.estimators_, self._codes, strict=True)]
        said = pair_votes(members, self._pairings, feed, self.n_jobs)
        return said, np.ones(said.shape[1])


def fit_pairs(
    estimator: Any, cases: Cases, pairings: list[Pairing], seed: np.random.SeedSequence, n_jobs: int | None
) -> Any:
    """Give a member for each pair of classes, trained in parallel."""
    jobs = ((estimator, cases, one, seeds.child(seed, 3, number)) for number, one in enumerate(pairings))
    return each(_fit_pair, jobs, n_jobs)


def _fit_pair(estimator: Any, cases: Cases, pairing: Pairing, seed: np.random.SeedSequence) -> Member:
    own = pairing.cases(cases)
    return fit_member(estimator, own, own.weight, None, np.random.default_rng(seed))


def pair_votes(
    members: list[Member], pairings: list[Pairing], feed: Feed, n_jobs: int | None, rows: NDArray[np.intp] | None = None
) -> NDArray[np.intp]:
    """Return the class that each pair's member votes for, of shape (n_rows, n_pairs)."""
    said = each(member_output, ((member, feed, "codes", 2, rows) for member in members), n_jobs)
    return np.column_stack([one.name(codes) for one, codes in zip(pairings, said, strict=True)])
