"""The combination for classes: out-of-fold probabilities of unlike members, tempered, weighted and multiplied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from covey._sklearn import StrOptions
from covey.combination.base import Combination, Floats
from covey.combination.pooling import Pool, pool_classes
from covey.learners.base import CLASS_WEIGHT, ClassWeight, TableClassifier, weigh_classes
from covey.models.fields import Array, Field
from covey.table import as_table, check_class_weights, encode_classes, feature_names


@dataclass(eq=False, repr=False, kw_only=True)
class CoveyClassifier(Combination, TableClassifier):
    """Unlike classifiers combined: the one to pick when you do not want to choose.

    Each member predicts rows that it has not seen, by cross-validation. Its probabilities are tempered by what they
    were worth there, and weights are chosen with which their product, or mean, has the least log loss; a prior draws
    them towards equal ones where rows are few. Members that earn no weight are dropped, the others are fitted on all
    rows.

    Parameters
    ----------
    members : "auto" or list, default="auto"
        What to combine: estimators, pairs of a name and an estimator, or ids that `method` knows. "auto" takes unlike
        families that suit the table's size.
    weighting : {"optimal", "greedy", "uniform"}, default="optimal"
        How members are weighed: by the least log loss, by adding the member that helps most fifty times, or not.
    pooling : {"auto", "geometric", "arithmetic"}, default="auto"
        Whether probabilities are multiplied or averaged; "auto" takes what has the lower log loss.
    cv : int, splitter or iterable, optional
        The folds by which members predict what they have not seen. By default five, four from 2,000 rows, and one fifth
        of the rows held out from 20,000.
    budget : float or None, default=600
        How many seconds training may take, about. Cheap members come first; those for which there is no time are left
        out, or stay as fitted on the first fold, of which a warning tells.
    class_weight : dict, "balanced" or None
        Weights of classes, by which row weights are multiplied; "balanced" gives all classes the same in sum.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    n_jobs : int, optional
        How many fits run at a time, in threads or wherever ``joblib.parallel_config`` says, such as on Dask. Members
        that would take all cores by themselves through OpenMP, such as gradient boosting, keep to one thread each.
    random_state : int, RandomState, Generator or None
        The seed of folds and members.
    verbose : int, default=0
        1 prints a line for each member that is done.

    Attributes
    ----------
    weights_ : dict of str to float
        The weight of each member.
    member_scores_ : DataFrame
        Weight, accuracy and log loss on rows that were not seen, seconds, and why a member was left out.
    oof_predictions_ : ndarray of shape (n_samples, n_classes)
        The combination's probabilities for training rows from members that had not seen them; NaN for rows that no
        fold asks about.
    feature_importances_ : ndarray of shape (n_features,)
        How much the log loss grows when a column is shuffled, on rows that were left out; worked out when asked for.
    estimators_ : list of classifiers
        The members, fitted on all rows.
    classes_, n_classes_, n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import CoveyClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CoveyClassifier(["c4.5", "nn", "logistic regression"], random_state=0).fit(X, y)
    >>> model.predict(X[:2])
    array([0, 0])
    """

    pooling: Literal["auto", "geometric", "arithmetic"] = "auto"
    class_weight: ClassWeight = None

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **Combination._parameter_constraints,
        "pooling": [StrOptions({"auto", "geometric", "arithmetic"})],
        "class_weight": CLASS_WEIGHT,
    }
    _state: ClassVar[dict[str, Field]] = {"oof_predictions_": Array(np.float64, None, "classes", nan=True)}
    _measures: ClassVar[tuple[str, str]] = ("accuracy", "log loss")

    @property
    def _task(self) -> str:
        return "classification"

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Train the members, weigh them by what they predict of rows they have not seen, and fit them on all.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), optional
            Row weights; a row of weight 0 counts as absent.
        groups : array-like of shape (n_samples,), optional
            Rows of one group are kept in one fold.

        Returns
        -------
        self
        """
        self._validate_params()
        table = as_table(X, self.categorical_features)
        classes, codes = encode_classes(y)
        weight = self._weigh(self._check_weight(sample_weight, table, codes))
        check_class_weights(classes, codes, weight)
        weight = weigh_classes(self.class_weight, classes, codes, weight)
        with self._all_or_nothing():
            self.classes_, self.n_classes_ = classes, len(classes)
            self._train(table, codes, weight, groups)
            self._remember_columns(table, feature_names(X))
        return self

    def _make_pool(self, outputs: Floats, y: NDArray[Any], weight: Floats, frequencies: Floats) -> Pool:
        return pool_classes(outputs, y, weight, frequencies, self.weighting, self.pooling)

    @staticmethod
    def _grade(output: Floats, y: NDArray[Any], weight: Floats) -> tuple[float, float]:
        right = output.argmax(axis=1) == y
        true = np.maximum(output[np.arange(len(y)), y], np.finfo(np.float64).eps)
        return float(weight @ right), float(-(weight @ np.log(true)))

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, columns in the order of ``classes_``."""
        check_is_fitted(self)
        return self._pooled(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])
