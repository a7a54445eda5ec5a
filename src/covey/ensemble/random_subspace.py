"""Models over random subspaces, with weights that learn: RSSL, RASSEL and ERASSEL (Lobato Ramos 2016)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from covey._sklearn import StrOptions
from covey.ensemble.classifier import BaseEnsembleClassifier
from covey.ensemble.column_weights import ColumnWeights
from covey.ensemble.regressor import BaseEnsembleRegressor
from covey.ensemble.voting import OF_VOTES, Confidence
from covey.learners import LeastSquaresRegressor, LogisticClassifier
from covey.strategies import Combine, MajorityVote, MeanProbability
from covey.strategies.evolving import Credit


@dataclass(eq=False, repr=False, kw_only=True)
class RandomSubspaceRegressor(ColumnWeights, BaseEnsembleRegressor):
    """Regressors over random columns, drawn uniformly or by weights (the thesis's algorithms 1 to 4).

    ==============================================  ==============================================================
    ``weighting="uniform"``                         RSSL: every column is as likely as any other
    ``weighting="uniform", bootstrap=0.7``          adaptive RSSL: each member draws its rows as well
    ``weighting="relevance"``                       RASSEL: by the squared correlation with the response
    ``weighting="evolving"``                        ERASSEL: by the out-of-bag errors of the members so far
    ``weighting="evolving", credit="conditional"``  the same, where columns tell the same: each by what it adds
    ==============================================  ==============================================================

    It serves well where there are more columns than rows, and tells which of them matter: `feature_weights_`.

    Parameters
    ----------
    estimator : regressor, optional
        The base estimator, by default least squares. A member whose columns are linearly dependent is fitted with a
        small ridge, which is said once.
    n_estimators : int, default=200
        The number of members L.
    weighting : {"uniform", "relevance", "evolving"}, callable or array-like, default="uniform"
        How columns are drawn. A callable is a score of (X, y) that returns one non-negative weight per column, alone or
        with p-values; in X categories are codes, and rows without weight are left out. An array holds the weights
        themselves.
    subspace_size : int, float, "sqrt", "log2", "third" or "auto", default="auto"
        The number of columns d of each member: a number, a share or a rule ("sqrt" and "third" are rounded up). "auto"
        tries ensembles of several sizes on four fifths of the rows and looks at their errors on the last fifth
        (section 3.4): a clear minimum, else the elbow, else a third of the columns, but with linear models no more than
        a third as many columns as a member has rows. `size_curve_` keeps the errors.
    bootstrap : bool, int, float or "auto", default="auto"
        How many rows each member draws, with replacement: a number or a share; True is as many as there are, False
        takes all rows as they are. "auto" is False with uniform weights and else the published 0.7.
    update : {"mean", "running", "printed"}, default="mean"
        With ``weighting="evolving"``, what a column has on its account (see `EvolvingSubspace`).
    credit : {"error", "conditional"}, default="error"
        With ``weighting="evolving"``, what a member leaves on the accounts of its columns: its out-of-bag error
        (equation 3.3), or for each column what it changes beside the others.
    scale_errors : bool, default=True
        With ``weighting="evolving"``, whether errors are divided by the variance of the response, so that weights do
        not depend on its unit; the published form does not.
    n_chains : int, default=1
        With ``weighting="evolving"``, into how many chains members are divided. Chains are grown in parallel and learn
        by themselves; `feature_weights_` pools what they have learnt.
    oob_score : bool or callable, default=False
        Whether to estimate R² (or another score) on rows left out, and each member's error.
    categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleRegressor`, as are further attributes of a fitted ensemble. Missing values are no trouble to the
        default base estimator.

    Attributes
    ----------
    feature_weights_ : ndarray of shape (n_features,)
        The weights that columns are drawn by, after the last member; they add up to 1.
    feature_weights_path_ : ndarray of shape (n_rounds, n_features)
        The weights after each round, where they evolve; a round is one member of each chain.
    oob_errors_ : ndarray of shape (n_members,)
        The mean squared error of each member on the rows it left out, where weights evolve or with ``oob_score``; of
        a base estimator that is an ensemble of covey's itself one for each of these.
    selection_counts_ : ndarray of shape (n_features,)
        How many members see each column.
    subspace_size_ : int
        The number of columns of each member.
    size_curve_ : SizeCurve
        With "auto", the errors by size and why a size was chosen; absent where there was nothing to choose.

    Examples
    --------
    >>> from covey import RandomSubspaceRegressor
    >>> from covey.datasets import make_simulated_regression
    >>> X, y = make_simulated_regression(random_state=1)
    >>> model = RandomSubspaceRegressor(weighting="evolving", subspace_size=3, random_state=0).fit(X, y)
    >>> sorted(model.feature_weights_.argsort()[-3:].tolist())
    [0, 3, 4]
    """

    scale_errors: bool = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ColumnWeights._parameter_constraints,
        "credit": [StrOptions({"error", "conditional"})],
        "scale_errors": ["boolean"],
    }

    def _base(self) -> Any:
        return LeastSquaresRegressor() if self.estimator is None else self.estimator


@dataclass(eq=False, repr=False, kw_only=True)
class RandomSubspaceClassifier(ColumnWeights, BaseEnsembleClassifier):
    """Classifiers over random columns, drawn uniformly or by weights (the thesis's algorithms 1 to 4).

    As `RandomSubspaceRegressor`, with two classes or more: "relevance" is the F statistic of a one-way analysis of
    variance, and "evolving" learns from the share of rows left out that members get right.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, by default logistic regression without a penalty. A member whose classes can be told apart
        without error, so that there is no greatest likelihood, is fitted with a small ridge, which is said once.
    n_estimators, weighting, subspace_size, bootstrap, update, n_chains
        As of `RandomSubspaceRegressor`; where the errors by size show nothing, "auto" takes the square root of the
        number of columns, rounded up.
    credit : {"accuracy", "error", "conditional"}, default="accuracy"
        With ``weighting="evolving"``, what a member leaves on the accounts of its columns: the share of rows left out
        that it gets right, weights being proportional to the accounts (equation 3.5); its error, weights being
        exp(-account), as in the thesis's appendix A; or for each column what it changes beside the others.
    combine : {"auto", "probability", "vote"}, default="auto"
        Whether members' probabilities are averaged, as in the thesis's appendix A, or their votes counted (equation
        2.10). "auto" averages probabilities if the base estimator gives any.
    oob_score : bool or callable, default=False
        Whether to estimate the accuracy (or another score) on rows left out, and each member's error.
    class_weight, categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are further attributes of a fitted ensemble.

    Attributes
    ----------
    feature_weights_, feature_weights_path_, selection_counts_, subspace_size_, size_curve_
        As of `RandomSubspaceRegressor`.
    oob_errors_ : ndarray of shape (n_members,)
        The share of rows left out that each member gets wrong, where weights evolve or with ``oob_score``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from covey import RandomSubspaceClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = RandomSubspaceClassifier(weighting="relevance", subspace_size=5, random_state=0).fit(X, y)
    >>> model.predict(X[:2])
    array([0, 0])
    """

    credit: Credit = "accuracy"
    combine: str = "auto"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ColumnWeights._parameter_constraints,
        "combine": [StrOptions({"auto", "probability", "vote"})],
    }

    def _base(self) -> Any:
        return LogisticClassifier() if self.estimator is None else self.estimator

    def _combine_rule(self) -> Combine:
        able = hasattr(self._innermost(), "predict_proba")
        if self.combine == "probability" and not able:
            name = type(self._innermost()).__name__
            raise ValueError(f"combine='probability' needs predict_proba, which {name} does not have; use 'vote'.")
        return MeanProbability() if able and self.combine != "vote" else MajorityVote()

    def _confidence(self) -> Confidence:
        """Members that each see a few columns are less sure than all of them may be."""
        return replace(super()._confidence(), sharpness=OF_VOTES.sharpness)
