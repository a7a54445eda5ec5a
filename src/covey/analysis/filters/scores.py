"""Scores of single attributes by how their values and the classes go together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.filters.discretize import Codes, Vector, cut_points_of, interval_codes, labelled_table
from covey.table import Table
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
    # scikit-learn's chi2, given a column per value, would add up to the same: it compares how often each value occurs
    # in each class with what the classes' sizes let expect. On the codes themselves it would take them for counts.
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
