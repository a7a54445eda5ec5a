"""Ensembles of regressors, and the one that puts any strategies together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.validation import check_consistent_length

from covey.ensemble.base import BaseEnsemble
from covey.ensemble.checks import check_kind
from covey.ensemble.fit import Cases
from covey.ensemble.member import Plan, chain_lengths
from covey.models.fields import Array, Field, Maybe, Number
from covey.seeds import RandomState
from covey.strategies import Bootstrap, Combine, Draw, Everything, MeanValue, Subspace
from covey.table import check_numeric_target
from covey.table.table import CategoricalFeatures


class BaseEnsembleRegressor(RegressorMixin, BaseEnsemble):
    """What ensembles of regressors share: training on numbers, and predictions averaged."""

    _state: ClassVar[dict[str, Field]] = {
        "oob_prediction_": Maybe(Array(np.float64, None, nan=True)),
        "oob_score_": Maybe(Number(nan=True)),
    }

    def _check_state(self) -> None:
        check_kind(self._base(), classifier=False)
        super()._check_state()

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Grow the ensemble.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing, if the base estimator can use it.
        y : array-like of shape (n_samples,)
            The response.
        sample_weight : array-like of shape (n_samples,), optional
            Case weights; a row of weight 0 counts as absent.
        **fit_params : dict
            Metadata for the base estimator's ``fit``, where scikit-learn's metadata routing is enabled.

        Returns
        -------
        self
        """
        self._validate_params()
        check_kind(self._base(), classifier=False)
        table = self._read_rows(X)
        values = check_numeric_target(y)
        check_consistent_length(table.matrix, values)
        weight = self._weigh(sample_weight, table)
        with self._all_or_nothing():
            cases = self._fit(X, table, values, weight, 0, fit_params)
            if self.oob_score:
                self._score_out_of_bag(cases)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the mean of the members' predictions for each row."""
        return self._ballot(X).shares()[:, 0]

    def staged_predict(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Give the prediction of the first member, of the first two, and so on."""
        return (ballot.shares()[:, 0] for ballot in self._ballots(X))

    def _score_out_of_bag(self, cases: Cases) -> None:
        ballot = self._out_of_bag_ballot(cases)
        voted = (ballot.total > 0) & (cases.weight > 0)
        self.oob_prediction_ = ballot.shares()[:, 0]
        score = self.oob_score if callable(self.oob_score) else r2_score
        true, predicted = cases.y[voted], self.oob_prediction_[voted]
        self.oob_score_ = self._out_of_bag_score(score, true, predicted, cases.weight[voted])


class EnsembleRegressor(BaseEnsembleRegressor):
    """An ensemble put together from strategies, over any regressor.

    The base estimator may be an ensemble of covey's itself: its members become members of this one.

    Parameters
    ----------
    estimator : regressor, optional
        The base estimator, by default a decision tree. One without ``sample_weight`` gets a weighted resample. One
        with ``categorical_features`` is told which columns are categorical; for others each category becomes a column.
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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsemble._parameter_constraints,
        "draw": [Draw, None],
        "subspace": [Subspace, None],
        "combine": [Combine, None],
    }

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 100,
        *,
        draw: Draw | None = None,
        subspace: Subspace | None = None,
        combine: Combine | None = None,
        oob_score: Any = False,
        categorical_features: CategoricalFeatures = "from_dtype",
        n_jobs: int | None = None,
        random_state: RandomState = None,
        warm_start: bool = False,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.draw = draw
        self.subspace = subspace
        self.combine = combine
        self.oob_score = oob_score
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose

    def _base(self) -> Any:
        return DecisionTreeRegressor() if self.estimator is None else self.estimator

    def _combine_rule(self) -> Combine:
        rule = MeanValue() if self.combine is None else self.combine
        if rule.reads != "values":
            raise ValueError(f"combine={rule} counts votes for classes; for numbers use MeanValue.")
        return rule

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        learns = self.subspace is not None and self.subspace.learns
        default = Bootstrap() if self.subspace is None or learns else Everything()
        draw = default if self.draw is None else self.draw
        length = self.n_estimators if learns else 1
        return Plan(chain_lengths(self.n_estimators, length), draw=draw, subspace=self.subspace)
