"""Committees whose members see the same rows and columns, and differ by their own randomness."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

from sklearn.base import clone

from covey._sklearn import Interval
from covey.ensemble.base import BaseEnsemble
from covey.ensemble.classifier import BaseEnsembleClassifier
from covey.ensemble.member import Plan, chain_lengths
from covey.seeds import random_parameters
from covey.strategies import Combine, Everything, MeanProbability


class _SeededCommittee(BaseEnsembleClassifier):
    """A committee whose members have nothing but their seeds to set them apart."""

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        base = self._base()
        if not random_parameters(base):
            raise ValueError(
                f"estimator={type(base).__name__}() has no random_state, so all members of a {type(self).__name__} "
                "would be alike; give one that is random, or set members apart otherwise, as WaggingClassifier does."
            )
        return Plan(chain_lengths(self.n_estimators, 1), draw=Everything())


class RandomCommitteeClassifier(_SeededCommittee):
    """A random committee: members that differ by their seed alone, and whose probabilities are averaged.

    One of the sphere-cover paper's comparators, there over random trees.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, which must have a ``random_state``; by default a random tree.
    n_estimators : int, default=100
        The number of members.
    class_weight, categorical_features, n_jobs, random_state, warm_start, verbose
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
        from covey.learners.trees import RandomTreeClassifier  # when first needed, as its kernels are compiled

        return RandomTreeClassifier() if self.estimator is None else self.estimator

    def _combine_rule(self) -> Combine:
        return MeanProbability()


@dataclass(eq=False, repr=False, kw_only=True)
class StochasticCommitteeClassifier(_SeededCommittee):
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
    class_weight, categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are the attributes of a fitted ensemble.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import StochasticCommitteeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> StochasticCommitteeClassifier(n_estimators=10, random_state=0).fit(X, y).predict(X[:2])
    array([0, 0])
    """

    attribute_probability: float = 0.33

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsemble._parameter_constraints,
        "attribute_probability": [Interval(Real, 0, 1, closed="right")],
    }

    def _base(self) -> Any:
        base = super()._base()
        if isinstance(base, type) or not hasattr(base, "get_params"):
            return base  # no estimator, as fit will say
        names = [name for name in base.get_params() if name.split("__")[-1] == "attribute_probability"]
        return clone(base).set_params(**dict.fromkeys(names, self.attribute_probability)) if names else base
