"""Ensembles of regressors, and the one that puts any strategies together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.validation import check_consistent_length

from covey.ensemble.base import BaseEnsemble
from covey.ensemble.member import Plan, chain_lengths
from covey.ensemble.voting import VoteCount, final
from covey.models.fields import Array, Field, Maybe
from covey.strategies import Bootstrap, Combine, Draw, Everything, MeanValue, Subspace
from covey.table import Table, check_numeric_target


class BaseEnsembleRegressor(RegressorMixin, BaseEnsemble):
    """The base of ensembles of regressors: training on numbers, and predictions averaged.

    An algorithm that needs no parameters but these adds its plan and nothing else; by default its members are
    scikit-learn's trees.

    Parameters
    ----------
    estimator, n_estimators, categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleRegressor`.
    """

    _default_score: ClassVar[Any] = staticmethod(r2_score)

    _state: ClassVar[dict[str, Field]] = {"oob_prediction_": Maybe(Array(np.float64, None, nan=True))}

    def _base(self) -> Any:
        return DecisionTreeRegressor() if self.estimator is None else self.estimator

    def _combine_rule(self) -> Combine:
        return MeanValue()

    def _read_target(
        self, y: Any, table: Table, weight: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        values = check_numeric_target(y)
        check_consistent_length(table.matrix, values)
        return values, weight

    def _out_of_bag_predictions(self, count: VoteCount, y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        self.oob_prediction_ = count.shares()[:, 0]
        return y, self.oob_prediction_

    def member_predictions(self, X: Any) -> NDArray[np.float64]:
        """Return the number that each member predicts.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_members)
        """
        return self._said(X)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the mean of the members' predictions for each row."""
        return final(self._vote_counts(X, self.n_jobs)).shares()[:, 0]

    def staged_predict(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Give the prediction of the first member, of the first two, and so on."""
        return (count.shares()[:, 0] for count in self._vote_counts(X))


@dataclass(eq=False, repr=False, kw_only=True)
class EnsembleRegressor(BaseEnsembleRegressor):
    """An ensemble put together from strategies, over any regressor.

    The base estimator may be an ensemble of covey's itself: its members become members of this one.

    Parameters
    ----------
    estimator : regressor, optional
        The base estimator, by default a decision tree. One without ``sample_weight`` gets a weighted resample. One
        with ``categorical_features`` is told which columns are categorical; for others each category becomes a column,
        of more than 255 the most frequent.
    n_estimators : int, default=100
        The number of members.
    draw : Draw, optional
        Which rows a member sees. By default a bootstrap sample if there is no ``subspace`` or one that learns, else all
        rows.
    subspace : Subspace, optional
        Which columns a member sees; by default all.
    combine : Combine, optional
        How predictions are combined, by default `MeanValue`.
    oob_score : bool or callable, default=False
        Whether to estimate R² (or another score of true and predicted values) on rows left out.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    n_jobs : int, optional
        How many members are grown or asked at a time, in threads; for a base estimator that works in Python rather
        than in compiled code use processes, by ``joblib.parallel_config(backend="loky")``.
    random_state : int, RandomState, Generator or None
        The seed; the same one gives the same ensemble whatever ``n_jobs`` is.
    warm_start : bool, default=False
        Whether ``fit`` adds members to those of the last fit. With the same data and parameters the result is that of
        one fit with all members.
    verbose : int, default=0
        1 prints progress at most once a second, 2 after each member.

    Attributes
    ----------
    estimators_ : list of regressors
    estimators_features_ : list of ndarray
        The columns each member sees.
    estimator_weights_ : ndarray of shape (n_members,)
    estimator_chains_ : ndarray of shape (n_members,)
    feature_importances_ : ndarray of shape (n_features,)
        The mean importances of columns in the members, where members have any, as trees do; they add up to 1.
    oob_score_, oob_prediction_ : float, ndarray of shape (n_samples,)
        If ``oob_score`` is set; NaN for a row that every member has seen.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from covey import EnsembleRegressor, RandomSubspace
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = EnsembleRegressor(subspace=RandomSubspace(0.5), n_estimators=20, random_state=0).fit(X, y)
    >>> model.predict(X[:1]).shape
    (1,)
    """

    draw: Draw | None = None
    subspace: Subspace | None = None
    combine: Combine | None = None
    oob_score: Any = False

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsemble._parameter_constraints,
        "draw": [Draw, None],
        "subspace": [Subspace, None],
        "combine": [Combine, None],
    }

    def _combine_rule(self) -> Combine:
        rule = MeanValue() if self.combine is None else self.combine
        if rule.reads != "values":
            raise ValueError(f"combine={rule} counts votes for classes; for numbers use MeanValue.")
        return rule

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        learns = self.subspace is not None and self.subspace.learns
        draw = self.draw or (Bootstrap() if self.subspace is None or learns else Everything())
        length = self.n_estimators if learns else 1
        return Plan(chain_lengths(self.n_estimators, length), draw, self.subspace)
