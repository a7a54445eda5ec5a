"""Committees whose members see the same rows and columns, and differ by their own randomness."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

from sklearn.base import clone

from covey._sklearn import Interval
from covey.ensemble.base import BaseEnsemble
from covey.ensemble.classifier import BaseEnsembleClassifier
from covey.ensemble.defaults import default_random_tree, default_tree
from covey.ensemble.member import Plan, chain_lengths
from covey.seeds import RandomState, random_parameters
from covey.strategies import Combine, Everything, MeanProbability
from covey.table.table import CategoricalFeatures


class RandomCommitteeClassifier(BaseEnsembleClassifier):
    """A random committee: members that differ by their seed alone, and whose probabilities are averaged.

    One of the sphere-cover paper's comparators, there over random trees.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, which must have a ``random_state``; by default a random tree.
    n_estimators : int, default=100
        The number of members.
    categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are the attributes of a fitted ensemble.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import RandomCommitteeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> RandomCommitteeClassifier(n_estimators=10, random_state=0).fit(X, y).predict(X[:2])
    array([0, 0])
    """

    def _base(self) -> Any:
        return default_random_tree() if self.estimator is None else self.estimator

    def _combine_rule(self) -> Combine:
        return MeanProbability()

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        return _plan_of_seeds(self)


class StochasticCommitteeClassifier(BaseEnsembleClassifier):
    """A stochastic attribute selection committee (multi-strategy paper, algorithm 3, SASC).

    Members are C4.5SAS: trees that at each node choose among a random part of the attributes. Each has one vote.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, by default C4.5. One with an ``attribute_probability`` of its own, or with a part that has
        one, is given that of the committee; any other must have a ``random_state`` and is used as it is.
    n_estimators : int, default=100
        The number of members t.
    attribute_probability : float, default=0.33
        The probability P with which an attribute is available at a node.
    categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are the attributes of a fitted ensemble.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import StochasticCommitteeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> StochasticCommitteeClassifier(n_estimators=10, random_state=0).fit(X, y).predict(X[:2])
    array([0, 0])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsemble._parameter_constraints,
        "attribute_probability": [Interval(Real, 0, 1, closed="right")],
    }

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 100,
        *,
        attribute_probability: float = 0.33,
        categorical_features: CategoricalFeatures = "from_dtype",
        n_jobs: int | None = None,
        random_state: RandomState = None,
        warm_start: bool = False,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            estimator,
            n_estimators,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            random_state=random_state,
            warm_start=warm_start,
            verbose=verbose,
        )
        self.attribute_probability = attribute_probability

    def _base(self) -> Any:
        base = default_tree() if self.estimator is None else self.estimator
        if isinstance(base, type) or not hasattr(base, "get_params"):
            return base  # no estimator, as fit will say
        names = [name for name in base.get_params() if name.split("__")[-1] == "attribute_probability"]
        return clone(base).set_params(**dict.fromkeys(names, self.attribute_probability)) if names else base

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        return _plan_of_seeds(self)


def _plan_of_seeds(committee: BaseEnsembleClassifier) -> Plan:
    """Return the plan of a committee whose members have nothing but their seeds to set them apart."""
    base = committee._base()
    if not random_parameters(base):
        name = type(base).__name__
        raise ValueError(
            f"estimator={name}() has no random_state, so all members of a {type(committee).__name__} would be alike; "
            "give one that is random, or set members apart otherwise, as WaggingClassifier does."
        )
    return Plan(chain_lengths(committee.n_estimators, 1), draw=Everything())
