"""Wagging, boosting and MultiBoosting as in the multi-strategy paper (Webb and Zheng 2004)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

from covey._sklearn import Interval
from covey.ensemble.base import BaseEnsemble
from covey.ensemble.classifier import BaseEnsembleClassifier
from covey.ensemble.member import Plan, chain_lengths, even_chains
from covey.strategies import AdaBoost, Everything, Wagging


class WaggingClassifier(BaseEnsembleClassifier):
    """Wagging: each member sees all rows, with random weights (multi-strategy paper, algorithm 1, WAG).

    The weights come from the continuous Poisson distribution (equation 1), and each member has one vote. Over
    C4.5 with stochastic attribute selection it is the paper's WAGSASC.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, by default C4.5.
    n_estimators : int, default=100
        The number of members t.
    class_weight, categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are the attributes of a fitted ensemble.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import WaggingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = WaggingClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> model.predict(X[:2])
    array([0, 0])
    >>> set(model.estimator_weights_.tolist())
    {1.0}
    """

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        return Plan(chain_lengths(self.n_estimators, 1), draw=Wagging())


@dataclass(eq=False, repr=False, kw_only=True)
class BoostingClassifier(BaseEnsembleClassifier):
    """AdaBoost by weights, with any number of classes (multi-strategy paper, algorithm 2, BOOST).

    All members are one chain that starts from the given weights. A member with weighted error e votes with
    log((1 - e) / e); one that is no better than chance is dropped, and after it, as after one without error, the chain
    goes on from wagging weights. Over C4.5 with stochastic attribute selection it is the paper's BOOSTSASC.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, by default C4.5.
    n_estimators : int, default=100
        The number of members t.
    restart : bool, default=True
        Whether the chain goes on from wagging weights after a member without error or in place of one no better than
        chance, as published. Otherwise it ends there, as AdaBoost.M1 does, and there are fewer members.
    class_weight, categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are the attributes of a fitted ensemble. A single chain is grown by one job
        alone.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import BoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> BoostingClassifier(n_estimators=10, random_state=0).fit(X, y).predict(X[:2])
    array([0, 0])
    """

    restart: bool = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsemble._parameter_constraints,
        "restart": ["boolean"],
    }

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        return Plan((self.n_estimators,), draw=Everything(), reweight=AdaBoost(restart=bool(self.restart)))


@dataclass(eq=False, repr=False, kw_only=True)
class MultiBoostClassifier(BaseEnsembleClassifier):
    """MultiBoosting: boosted sub-committees, each from wagging weights (multi-strategy paper, algorithm 4, MB).

    Sub-committees know nothing of each other and are grown in parallel; in the end all members vote in one sum, as in
    `BoostingClassifier`. Over C4.5 with stochastic attribute selection it is the paper's MBSASC.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, by default C4.5.
    n_estimators : int, default=100
        The number of members t.
    chain_length : int, optional
        The members of a sub-committee; the last one may have fewer. By default the square root of the number of
        members, rounded: 10 sub-committees of 10 members, as published, where there are 100.
    n_chains : int, optional
        Instead of their size, the number of sub-committees; their sizes then differ by one at most.
    restart : bool, default=True
        As of `BoostingClassifier`, of each sub-committee.
    class_weight, categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are the attributes of a fitted ensemble. A warm start goes on with the last
        sub-committee and with new ones, so it wants a ``chain_length``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import MultiBoostClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MultiBoostClassifier(n_estimators=12, chain_length=4, random_state=0).fit(X, y)
    >>> model.predict(X[:2])
    array([0, 0])
    >>> model.estimator_chains_
    array([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
    """

    chain_length: int | None = None
    n_chains: int | None = None
    restart: bool = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsemble._parameter_constraints,
        "chain_length": [Interval(Integral, 1, None, closed="left"), None],
        "n_chains": [Interval(Integral, 1, None, closed="left"), None],
        "restart": ["boolean"],
    }

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        return Plan(self._chains(), draw=Wagging(), reweight=AdaBoost(restart=bool(self.restart)))

    def _chains(self) -> tuple[int, ...]:
        total, count = self.n_estimators, self.n_chains
        if self.chain_length is None and count is not None:
            return even_chains(total, count)
        chains = chain_lengths(total, self.chain_length or round(math.sqrt(total)))
        if count not in (None, len(chains)):
            raise ValueError(
                f"chain_length={self.chain_length} and n_chains={count} contradict each other: n_estimators={total} "
                f"members in chains of {self.chain_length} make {len(chains)} chains. Give one of the two."
            )
        return chains
