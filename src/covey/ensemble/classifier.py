"""Ensembles of classifiers, and the one that puts any strategies together."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_consistent_length

from covey._sklearn import Interval
from covey.ensemble.base import BaseEnsemble
from covey.ensemble.checks import read_inputs
from covey.ensemble.member import Plan, chain_lengths
from covey.ensemble.tree_votes import add_tree_votes
from covey.ensemble.voting import VoteCount, VotingMixin
from covey.learners.base import ClassWeight, weigh_classes
from covey.models.fields import Array, Field, Labels, Maybe, Whole
from covey.strategies import Bootstrap, Combine, Draw, Everything, Reweight, Subspace, WeightedVote
from covey.table import Table, check_class_weights, encode_classes


@dataclass(eq=False, repr=False, kw_only=True)
class BaseEnsembleClassifier(ClassifierMixin, BaseEnsemble, VotingMixin):
    """The base of ensembles of classifiers: training on class codes, and votes turned into predictions.

    An algorithm that needs no parameters but these adds its plan and nothing else; by default its members are C4.5
    trees that vote with their weights.

    Parameters
    ----------
    estimator, n_estimators, class_weight, categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`.
    """

    class_weight: ClassWeight = None

    _default_score: ClassVar[Any] = staticmethod(accuracy_score)

    _state: ClassVar[dict[str, Field]] = {
        "classes_": Labels("classes", distinct=True),
        "n_classes_": Whole(1, size="classes"),
        "oob_decision_function_": Maybe(Array(np.float64, None, "classes", nan=True)),
    }

    def _base(self) -> Any:
        from covey.learners.trees import C45Classifier  # when first needed, as its kernels take a while to load

        return C45Classifier() if self.estimator is None else self.estimator

    def _combine_rule(self) -> Combine:
        return WeightedVote()

    def _read_target(
        self, y: Any, table: Table, weight: NDArray[np.float64]
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        classes, codes = encode_classes(y)
        check_consistent_length(table.matrix, codes)
        check_class_weights(classes, codes, weight)
        if self._is_warm() and not np.array_equal(classes, self.classes_):
            raise ValueError(f"y has the classes {classes.tolist()}, but a warm start needs {self.classes_.tolist()}.")
        self.classes_, self.n_classes_ = classes, len(classes)
        return codes, weigh_classes(self.class_weight, classes, codes, weight)

    def _vote_count(self, X: Any) -> VoteCount:
        inputs, (factors, class_keys) = read_inputs(self, X), self._tie_breakers()
        count = VoteCount(self._combine_rule(), len(inputs.table.matrix), class_keys, self._confidence())
        if add_tree_votes(count, inputs, self._voters(), factors, self.n_jobs):
            return count
        return super()._vote_count(inputs.table)

    def _member_codes(self, X: Any) -> NDArray[Any]:
        return self._said(X)

    def _out_of_bag_predictions(self, count: VoteCount, y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        self.oob_decision_function_ = count.probabilities()
        return self.classes_[y], self.classes_[count.winners()]


@dataclass(eq=False, repr=False, kw_only=True)
class EnsembleClassifier(BaseEnsembleClassifier):
    """An ensemble put together from strategies, over any classifier.

    ========================================================  ========================================
    ``draw=Bootstrap()``                                      bagging
    ``draw=Bootstrap(), subspace=RandomSubspace()``           bagging on random subspaces
    ``subspace=RandomSubspace()``                             the random subspace method
    ``draw=Wagging()``                                        wagging
    ``reweight=AdaBoost()``                                   AdaBoost
    ``draw=Wagging(), reweight=AdaBoost(), chain_length=10``  MultiBoosting: wagged chains of boosting
    ========================================================  ========================================

    The base estimator may be an ensemble of covey's itself: its members become members of this one, each voting with
    the product of both weights.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, by default a decision tree grown in full. Boosting wants one that errs in training, such as
        a tree of limited depth: a perfect member starts its chain afresh. One without ``sample_weight`` gets a
        weighted resample. One with ``categorical_features`` is told which columns are categorical; for others each
        category becomes a column, of more than 255 the most frequent.
    n_estimators : int, default=100
        The number of members T.
    draw : Draw, optional
        What opens a chain. By default bootstrap samples if there is neither ``subspace`` nor ``reweight``, or a
        subspace that learns, else all rows.
    subspace : Subspace, optional
        Which columns a member sees; by default all.
    reweight : Reweight, optional
        What a chain learns from its last member's mistakes; by default nothing.
    combine : Combine, optional
        How votes are combined, by default `WeightedVote`.
    chain_length : int, optional
        The number of members in a chain. By default 1, but with ``reweight`` or a subspace that learns all members are
        one chain.
    oob_score : bool or callable, default=False
        Whether to estimate the accuracy (or another score of true and predicted labels) on rows left out.
    class_weight : dict, "balanced" or None
        Weights of classes, by which row weights are multiplied; "balanced" gives all classes the same in sum.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    n_jobs : int, optional
        How many chains are grown and how many members asked at a time, in threads; for a base estimator that works in
        Python rather than in compiled code use processes, by ``joblib.parallel_config(backend="loky")``.
    random_state : int, RandomState, Generator or None
        The seed; the same one gives the same ensemble whatever ``n_jobs`` is.
    warm_start : bool, default=False
        Whether ``fit`` adds members to those of the last fit. With the same data and parameters the result is that of
        one fit with all members.
    verbose : int, default=0
        1 prints progress at most once a second, 2 after each chain.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimators_ : list of classifiers
        The members, trained on class codes.
    estimators_features_ : list of ndarray
        The columns each member sees.
    estimator_weights_ : ndarray of shape (n_members,)
        Their vote weights.
    estimator_chains_ : ndarray of shape (n_members,)
        The chain each belongs to.
    feature_importances_ : ndarray of shape (n_features,)
        The mean importances of columns in the members, by their votes, where members have any, as trees do; they add
        up to 1.
    oob_score_, oob_decision_function_ : float, ndarray of shape (n_samples, n_classes)
        If ``oob_score`` is set; probabilities as of `predict_proba`, NaN for a row that every member has seen.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from covey import AdaBoost, EnsembleClassifier, Wagging
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> model = EnsembleClassifier(tree, draw=Wagging(), reweight=AdaBoost(), chain_length=10, random_state=0)
    >>> model.fit(X, y).predict(X[:2])
    array([0, 0])
    """

    draw: Draw | None = None
    subspace: Subspace | None = None
    reweight: Reweight | None = None
    combine: Combine | None = None
    chain_length: int | None = None
    oob_score: Any = False

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsemble._parameter_constraints,
        "draw": [Draw, None],
        "subspace": [Subspace, None],
        "reweight": [Reweight, None],
        "combine": [Combine, None],
        "chain_length": [Interval(Integral, 1, None, closed="left"), None],
    }

    def _base(self) -> Any:
        return DecisionTreeClassifier() if self.estimator is None else self.estimator

    def _combine_rule(self) -> Combine:
        rule = WeightedVote() if self.combine is None else self.combine
        if rule.reads == "values":
            raise ValueError(f"combine={rule} averages numbers; for classes use a vote or MeanProbability.")
        return rule

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        alone = self.subspace is None and self.reweight is None
        learns = self.subspace is not None and self.subspace.learns
        length = self.chain_length or (1 if self.reweight is None and not learns else self.n_estimators)
        if length > 1 and alone:
            raise ValueError(
                f"chain_length={length} without reweight or subspace: members of a chain start from the same draw and "
                "would be alike. Give one of them, or leave chain_length out."
            )
        draw = self.draw or (Bootstrap() if alone or learns else Everything())
        return Plan(chain_lengths(self.n_estimators, length), draw, self.subspace, self.reweight)
