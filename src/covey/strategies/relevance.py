"""Relevance: how much a column by itself tells of the target, as RASSEL weighs columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.table import Table
from covey.table.design import spread

Values = NDArray[np.float64]

# What is left within classes where a column tells them apart without error, as a share of all there is: not nothing, so
# that its F statistic is a number, if a very large one.
_LEAST_WITHIN = 1e-15


def squared_correlations(table: Table, y: NDArray[np.float64], weight: Values) -> Values:
    """Return the squared correlation of each column with a response (equation 2.14).

    For a nominal column it is the correlation ratio, the share of the response's variance between its categories,
    which for two of them is the squared correlation with either. A missing value counts as the mean. A column that does
    not vary has 0.
    """
    share = weight / weight.sum()
    response = y - share @ y
    total = share @ response**2
    if total <= (1e-14 * np.abs(y[weight > 0]).max(initial=0.0)) ** 2:  # what rounding may leave to a constant
        return np.zeros(table.shape[1])
    scores = np.zeros(table.shape[1])
    numeric = np.flatnonzero(~table.categorical)
    centred = _centred(spread(table.matrix, numeric, np.full(len(numeric), np.nan)), share)
    spreads = centred**2 @ share
    varies = spreads > 0
    scores[numeric[varies]] = (centred @ (share * response))[varies] ** 2 / (spreads[varies] * total)
    for j in np.flatnonzero(table.categorical).tolist():
        known = np.flatnonzero(~np.isnan(table.matrix[:, j]) & (weight > 0))
        codes = table.matrix[known, j].astype(np.intp)
        size = np.bincount(codes, share[known])
        sums = np.bincount(codes, (share * response)[known])
        scores[j] = np.sum(sums[size > 0] ** 2 / size[size > 0]) / total
    return np.minimum(scores, 1.0)


def f_statistics(table: Table, codes: NDArray[np.integer[Any]], weight: Values) -> Values:
    """Return the F statistic of each column between classes (equation 2.15).

    For a nominal column the sums of squares are those of its categories' 0/1 columns together, which for two of them
    gives the F statistic of either. A missing value counts as the mean. A column that does not vary has 0.
    """
    share = weight / weight.sum()
    sizes = np.bincount(codes, share)
    groups, n_classes = sizes > 0, int(np.count_nonzero(sizes))
    if n_classes < 2:
        return np.zeros(table.shape[1])
    freedom = max(int(np.count_nonzero(weight)) - n_classes, 1) / (n_classes - 1)
    widths = np.where(table.categorical, np.maximum(table.schema.n_categories, 1), 1)
    attribute = np.repeat(np.arange(table.shape[1]), widths)
    within = np.arange(len(attribute)) - np.concatenate([[0], np.cumsum(widths)[:-1]])[attribute]
    category = np.where(table.categorical[attribute], within, np.nan)
    between, total = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    by_class = (np.arange(len(sizes))[:, None] == codes) * share
    for part in np.array_split(np.arange(len(attribute)), 1 + len(attribute) * len(codes) // 2**22):
        centred = _centred(spread(table.matrix, attribute[part], category[part]), share)
        means = (centred @ by_class.T)[:, groups] / sizes[groups]
        np.add.at(between, attribute[part], means**2 @ sizes[groups])
        np.add.at(total, attribute[part], centred**2 @ share)
    rest = np.maximum(total - between, _LEAST_WITHIN * total)
    return np.where(total > 0, freedom * between / np.where(total > 0, rest, 1.0), 0.0)


def _centred(values: Values, share: Values) -> Values:
    """Return columns x rows around their means, a missing value at the mean; one that is all rounding is 0."""
    missing = np.isnan(values) | (share == 0)  # a row without weight tells nothing, not even that a column varies
    filled = np.where(missing, 0.0, values)
    known = np.where(missing, 0.0, 1.0) @ share
    mean = (filled @ share) / np.where(known > 0, known, 1.0)
    centred = np.where(missing, 0.0, values - mean[:, None])
    scale = np.abs(filled).max(axis=1, initial=0.0)
    centred[np.abs(centred).max(axis=1, initial=0.0) <= 1e-14 * scale] = 0.0
    return centred
