"""Rotation forests: each member is trained on all rows, along other axes (Rodríguez, Kuncheva and Alonso 2006)."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

from covey._sklearn import Interval
from covey.ensemble.base import BaseEnsemble
from covey.ensemble.classifier import BaseEnsembleClassifier
from covey.ensemble.member import Plan, chain_lengths
from covey.ensemble.regressor import BaseEnsembleRegressor
from covey.strategies import Combine, Everything, MeanProbability, WeightedVote
from covey.strategies.rotation import Rotation


@dataclass(eq=False, repr=False, kw_only=True)
class _RotationForest(BaseEnsemble):
    """What both forests share: their parameters and their plan."""

    group_size: int = 3
    sample_share: float = 0.5

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsemble._parameter_constraints,
        "group_size": [Interval(Integral, 1, None, closed="left")],
        "sample_share": [Interval(Real, 0, 1, closed="right")],
    }

    def _subspace(self) -> Rotation:
        return Rotation(self.group_size, self.sample_share)

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        return Plan(chain_lengths(self.n_estimators, 1), draw=Everything(), subspace=self._subspace())


@dataclass(eq=False, repr=False, kw_only=True)
class RotationForestClassifier(_RotationForest, BaseEnsembleClassifier):
    """A rotation forest: each member sees all rows along the principal axes of random groups of attributes.

    For each member the attributes are shuffled into groups, and each group is turned to the principal axes of half of
    the rows of randomly drawn classes. All axes are kept, so no information is lost, and members differ because trees
    depend on the axes. The members' probabilities are averaged; where the base estimator gives none, votes are counted.

    Attributes are brought to one scale. Nominal ones become a column per category, or for each of the 30 most frequent
    where there are more; missing values are replaced by the mean or the most frequent category of the training data, of
    which `fit` warns. `Rotation` is the strategy by itself, for combinations with draws and reweighting in an
    `EnsembleClassifier`.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, by default C4.5.
    n_estimators : int, default=100
        The number of members L; the sphere-cover paper has 25 and 100, Weka's default is 10.
    group_size : int, default=3
        The number of attributes in a group M; the last one may be smaller.
    sample_share : float, default=0.5
        The share of the drawn classes' rows from which a group's axes are worked out.
    class_weight, categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are the attributes of a fitted ensemble; ``estimators_features_`` are the
        attributes that vary, of which the new columns are made, and in ``feature_importances_`` each new column shares
        its importance out among its attributes in proportion to their squared loadings.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import RotationForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> RotationForestClassifier(n_estimators=10, random_state=0).fit(X, y).predict(X[:2])
    array([0, 0])
    """

    def _combine_rule(self) -> Combine:
        return MeanProbability() if hasattr(self._innermost(), "predict_proba") else WeightedVote()


class RotationForestRegressor(_RotationForest, BaseEnsembleRegressor):
    """A rotation forest of regressors: each member sees all rows along the principal axes of groups of attributes.

    As `RotationForestClassifier`, but the axes of a group come from half of all rows, since there are no classes to
    draw, and the members' predictions are averaged.

    Parameters
    ----------
    estimator : regressor, optional
        The base estimator, by default a decision tree.
    n_estimators : int, default=100
        The number of members L.
    group_size : int, default=3
        The number of attributes in a group M; the last one may be smaller.
    sample_share : float, default=0.5
        The share of the rows from which a group's axes are worked out.
    categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleRegressor`, as are the attributes of a fitted ensemble; ``estimators_features_`` are the
        attributes that vary, of which the new columns are made, and in ``feature_importances_`` each new column shares
        its importance out among its attributes in proportion to their squared loadings.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from covey import RotationForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> RotationForestRegressor(n_estimators=10, random_state=0).fit(X, y).predict(X[:1]).shape
    (1,)
    """
