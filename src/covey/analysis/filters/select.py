"""Scores of single columns by how their values and the classes go together, and the choice of the best."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from covey._sklearn import Interval, StrOptions
from covey.analysis.filters.discretize import Codes, Filter, Vector, cut_points_of, interval_codes, labelled_table
from covey.analysis.filters.relief import relieff
from covey.models.fields import Array, Field, OrNone, require
from covey.table import Table, as_table, feature_names
from covey.table.schema import FloatMatrix
from covey.table.table import CategoricalFeatures


def chi_squared(X: Any, y: Any, *, categorical_features: CategoricalFeatures = "from_dtype") -> Vector:
    """Return Pearson's chi-squared of each attribute and the classes.

    It is that of the table of values against classes, without a correction for continuity. Numbers are first cut into
    intervals as by ``MDLDiscretizer(charge="values")``; an attribute without a cut scores 0. A row whose value is
    missing is spread over the attribute's values, in proportion to how often they occur.

    scikit-learn's ``chi2`` is another statistic, made for counts such as those of words.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        Numbers, categories or text; NaN is missing.
    y : array-like of shape (n_samples,)
        Class labels, of two classes at least.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.

    Returns
    -------
    ndarray of float64 of shape (n_features,)
        Higher is better. It can be given to scikit-learn's ``SelectKBest``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey.analysis.filters import chi_squared
    >>> X, y = load_iris(return_X_y=True)
    >>> chi_squared(X, y).round(1)
    array([126.4,  72.7, 268.4, 266.9])
    """
    return _score(_chi_squared, X, y, categorical_features)


def information_gain(X: Any, y: Any, *, categorical_features: CategoricalFeatures = "from_dtype") -> Vector:
    """Return how many bits each attribute tells of the class of a row.

    It is the entropy of the classes less what is left of it when the value is known. Numbers and missing values are
    treated as by `chi_squared`.

    Parameters
    ----------
    X, y, categorical_features
        As for `chi_squared`.

    Returns
    -------
    ndarray of float64 of shape (n_features,)
        Higher is better. It can be given to scikit-learn's ``SelectKBest``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey.analysis.filters import information_gain
    >>> X, y = load_iris(return_X_y=True)
    >>> information_gain(X, y).round(3)
    array([0.698, 0.386, 1.418, 1.378])
    """
    return _score(_information_gain, X, y, categorical_features)


def _score(
    statistic: Callable[[FloatMatrix], float], X: Any, y: Any, categorical_features: CategoricalFeatures
) -> Vector:
    table, codes = labelled_table(X, y, categorical_features)
    scores = np.zeros(table.shape[1])
    for j, counts in _contingency_tables(table, codes):
        scores[j] = statistic(counts)
    return scores


def _contingency_tables(table: Table, codes: Codes) -> Iterator[tuple[int, FloatMatrix]]:
    """Give the cases of each value and class, of shape (n_values, n_classes), of attributes with several values."""
    # As in Weka, whose evaluators charge for the distinct values, though its filter does for the rows.
    cut_points = cut_points_of(table, codes, None, charge="values")
    several = [j for j, points in enumerate(cut_points) if points is None or len(points)]
    values = interval_codes(table.matrix[:, several], [cut_points[j] for j in several])
    n_classes = int(codes.max()) + 1
    for j, column in zip(several, values.T, strict=True):
        known = ~np.isnan(column)
        if not known.any():
            continue
        cells = column[known].astype(np.intp) * n_classes + codes[known]
        n_values = int(cells.max()) // n_classes + 1
        counts = np.bincount(cells, minlength=n_values * n_classes).reshape(n_values, n_classes).astype(np.float64)
        if not known.all():
            missing = np.bincount(codes[~known], minlength=n_classes)
            counts += np.outer(counts.sum(axis=1) / known.sum(), missing)
        yield j, counts


def _chi_squared(counts: FloatMatrix) -> float:
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    present = expected > 0
    return float((((counts - expected)[present]) ** 2 / expected[present]).sum())


def _information_gain(counts: FloatMatrix) -> float:
    gain = _bits(counts.sum(axis=0)) - _bits(counts).sum()
    return max(0.0, float(gain / counts.sum()))


def _bits(counts: FloatMatrix) -> NDArray[np.float64]:
    """Return the entropy of each row of counts, times the sum of the row."""
    total = counts.sum(axis=-1, keepdims=True)
    shares = np.divide(counts, total, out=np.ones_like(counts), where=counts > 0)
    return np.asarray(-(counts * np.log2(shares)).sum(axis=-1))


Score = Callable[[Any, Any], Any]

SCORES: dict[str, Score] = {"chi_squared": chi_squared, "information_gain": information_gain, "relieff": relieff}


class SelectAttributes(SelectorMixin, Filter):
    """Keeps the attributes that score best, of arrays and of frames with categories and missing values.

    Parameters
    ----------
    score_func : {"chi_squared", "information_gain", "relieff"} or callable, default="chi_squared"
        What is asked of each attribute. A callable is given X as it came and y, and returns a score per attribute,
        higher for better ones, or the scores and their p-values, as scikit-learn's ``f_classif`` does. One with other
        parameters is made by `functools.partial`, such as ``partial(relieff, n_neighbors=5)``.
    k : int, float or "all", default=50
        How many to keep: a number, a share of all attributes, or all. Of equals the earlier are kept.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given. A callable is not told.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The score of each attribute.
    pvalues_ : ndarray of shape (n_features,) or None
        The p-values that a callable gave.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey.analysis.filters import SelectAttributes
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> list(SelectAttributes("information_gain", k=2).fit_transform(X, y))
    ['petal length (cm)', 'petal width (cm)']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "score_func": [StrOptions(set(SCORES)), callable],
        "k": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, 1, closed="right"),
            StrOptions({"all"}),
        ],
    }

    _state: ClassVar[dict[str, Field]] = {
        "scores_": Array(np.float64, "features", low=-np.inf, high=np.inf, nan=True, infinite=True),
        "pvalues_": OrNone(Array(np.float64, "features", nan=True)),
        "_chosen": Array(np.bool_, "features"),
    }

    def _check_state(self) -> None:
        super()._check_state()
        require(self._chosen.any(), "chooses no column")

    def __init__(
        self,
        score_func: str | Score = "chi_squared",
        k: int | float | str = 50,
        *,
        categorical_features: CategoricalFeatures = "from_dtype",
    ) -> None:
        self.score_func = score_func
        self.k = k
        self.categorical_features = categorical_features

    def fit(self, X: Any, y: Any = None) -> Self:
        """Score the attributes and choose the best.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels, or whatever a callable takes.
        """
        self._validate_params()
        table = as_table(X, self.categorical_features)
        count = self._count(table.shape[1])
        self.scores_, self.pvalues_ = self._scores(X, table, y)
        worth = np.where(np.isnan(self.scores_), -np.inf, self.scores_)
        self._chosen = np.zeros(len(worth), dtype=bool)
        self._chosen[np.argsort(-worth, kind="stable")[:count]] = True
        self._remember_columns(table, feature_names(X))
        return self

    def _scores(self, X: Any, table: Table, y: Any) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        if isinstance(self.score_func, str):
            return SCORES[self.score_func](table, y), None
        if y is None:
            raise ValueError("SelectAttributes requires y to be passed, but the target y is None.")
        check_consistent_length(table.matrix, y)
        is_frame = isinstance(nw.from_native(X, pass_through=True), nw.DataFrame)
        answer = self.score_func(X if is_frame else table.matrix if isinstance(X, Table) else np.asarray(X), y)
        parts = answer if isinstance(answer, tuple) else (answer, None)
        scores = np.asarray(parts[0], dtype=np.float64)
        if scores.shape != (table.shape[1],):
            raise ValueError(
                f"score_func={self.score_func!r} gave an array of shape {scores.shape}, but there are {table.shape[1]} "
                "attributes; return one score for each."
            )
        return scores, None if parts[1] is None else np.asarray(parts[1], dtype=np.float64)

    def _count(self, total: int) -> int:
        if self.k == "all":
            return total
        number: Any = self.k
        if not isinstance(number, Integral):
            return max(1, round(float(number) * total))
        if int(number) > total:
            raise ValueError(
                f"k={number} asks for {number} attributes, but X has {total}; give at most {total}, a share such as "
                "0.5, or 'all'."
            )
        return int(number)

    def transform(self, X: Any) -> Any:
        """Return the chosen columns.

        Returns
        -------
        ndarray or data frame
            A frame for a frame, an array for an array, with the types that the columns had.
        """
        check_is_fitted(self)
        chosen = self.get_support(indices=True)
        if isinstance(X, Table):
            self._read_new(X)
            return X.take(chosen)
        frame = nw.from_native(X, pass_through=True)
        if isinstance(frame, nw.DataFrame):
            validate_data(self, X, reset=False, skip_check_array=True)
            return frame[:, chosen.tolist()].to_native()
        rows = check_array(X, dtype=None, ensure_all_finite=False, input_name="X", estimator=self)
        validate_data(self, rows, reset=False, skip_check_array=True)
        return rows[:, chosen]

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self._chosen
