"""Wilcoxon's signed-rank test of all pairs of methods, with Holm's adjustment for their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_choice
from covey.analysis.numbers import read_numbers
from covey.analysis.scores import Scores, check_alpha, read_scores
from covey.analysis.significance.comparison import RankComparison, compare_pairs
from covey.analysis.significance.ranks import friedman

Floats = NDArray[np.float64]

# Two differences that are closer than this share of the scores differ by rounding only.
CLOSE = 1e-13
# With ties among so few differences, all their signs are gone through. SciPy 1.17 does the same, but takes most of a
# second for each pair.
FEW_DATASETS = 13


def wilcoxon_holm(
    scores: Any,
    *,
    larger_is_better: bool,
    alpha: float = 0.05,
    zero_method: str = "wilcox",
    methods: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> RankComparison:
    """Compare all pairs of methods by their signed ranks, each pair by itself.

    Each pair has the two-sided p-value of `scipy.stats.wilcoxon`: exact on up to 50 datasets without ties and on up to
    13 with ties, otherwise by the normal approximation. All of them are then adjusted by `holm`. Unlike in the tests
    on mean ranks, the verdict on two methods does not depend on the scores of the others, only on their p-values. So
    two methods may be alike although some between them in rank differ: see `RankComparison.skipping_pairs`.

    Parameters
    ----------
    scores : array-like or data frame of shape (n_datasets, n_methods), or mapping of method to scores
        One score per dataset and method, two or more of each. Differences are compared between datasets, so scores
        must be on one scale. Those that differ by less than 1e-13 of the scores, that is by rounding only, count as
        equal, such as 0.3 - 0.2 and 0.2 - 0.1.
    larger_is_better : bool
        True for accuracies; False for errors and times. It decides on the order of the methods only.
    alpha : float, default=0.05
        The significance level for all pairs together.
    zero_method : {"wilcox", "pratt", "zsplit"}, default="wilcox"
        What becomes of datasets on which a pair is equal: left out, ranked and then left out, or split between both.
    methods, datasets : sequence of str, optional
        Names; by default a frame's columns and index, otherwise "1", "2", ...

    Returns
    -------
    RankComparison
        A pair that never differs has p = 1. The `critical_difference` is None.

    References
    ----------
    F. Wilcoxon (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83.

    A. Benavoli, G. Corani and F. Mangili (2016). Should we really use post-hoc tests based on mean-ranks? JMLR 17(5).
    """
    level = check_alpha(alpha)
    check_choice("zero_method", zero_method, ("wilcox", "pratt", "zsplit"))
    read = read_scores(scores, methods=methods, datasets=datasets)
    ranked = friedman(read, larger_is_better=larger_is_better)
    k = len(read.methods)
    first, second = np.triu_indices(k, 1)
    p_values = np.ones((k, k))
    p_values[first, second] = p_values[second, first] = holm(_pair_p_values(read, first, second, zero_method))
    return compare_pairs(ranked, "Wilcoxon-Holm", level, p_values)


def holm(p_values: Any) -> Floats:
    """Return p-values adjusted for their number m by Holm's step-down procedure.

    The i-th smallest becomes max over j <= i of min(1, (m - j + 1) p_j). Rejecting those that are alpha or less keeps
    the probability of any false rejection at alpha.

    Parameters
    ----------
    p_values : array-like of shape (m,)
        Numbers from 0 to 1.

    References
    ----------
    S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.
    """
    values = read_numbers(p_values, "p_values")
    if values.ndim != 1:
        raise ValueError(f"p_values has shape {values.shape}, but must be a list of numbers.")
    if not ((values >= 0) & (values <= 1)).all():
        wrong = values[~((values >= 0) & (values <= 1))][0]
        raise ValueError(f"p_values has {wrong}, but p-values lie between 0 and 1; leave out tests that gave none.")
    order = np.argsort(values, kind="stable")
    steps = np.minimum(1.0, np.arange(len(values), 0, -1) * values[order])
    adjusted = np.empty_like(values)
    adjusted[order] = np.maximum.accumulate(steps)
    return adjusted


def _pair_p_values(scores: Scores, first: NDArray[np.intp], second: NDArray[np.intp], zero_method: str) -> Floats:
    """Return the p-value of each pair of methods, some pairs at a time so that memory stays small."""
    from scipy.stats import wilcoxon

    n_datasets = len(scores.datasets)
    few = n_datasets <= FEW_DATASETS
    at_once = 128 if few else max(1, 400_000 // n_datasets)
    result = np.ones(len(first))
    for begin in range(0, len(first), at_once):
        part = slice(begin, begin + at_once)
        gaps = _signed_places(scores.values[:, first[part]], scores.values[:, second[part]])
        sizes = np.sort(np.abs(gaps), axis=0)
        tied = (sizes[0] == 0) | (np.diff(sizes, axis=0) == 0).any(axis=0)
        # SciPy takes one way for all that it is values: the exact one only if nothing ties.
        for kind, by_signs in ((~tied, False), (tied & (sizes[-1] > 0), few)):
            if by_signs:
                result[part][kind] = _p_values_by_signs(gaps[:, kind], zero_method)
            elif kind.any():
                result[part][kind] = wilcoxon(gaps[:, kind], axis=0, zero_method=zero_method).pvalue
    return np.minimum(result, 1.0)


def _p_values_by_signs(gaps: Floats, zero_method: str) -> Floats:
    """Return exact p-values of columns of few differences: without an effect, all their signs are equally likely."""
    from scipy.stats import rankdata

    is_zero = gaps == 0
    ranks = 2.0 * rankdata(np.abs(gaps), axis=0)  # whole numbers, so that sums can be compared
    if zero_method == "wilcox":
        ranks -= 2.0 * is_zero.sum(axis=0)
    ranks[is_zero] = 0.0  # split or not, zeros add the same whatever the signs
    signs = (np.arange(1 << len(gaps))[:, None] >> np.arange(len(gaps))) & 1
    possible, seen = signs.astype(np.float64) @ ranks, (ranks * (gaps > 0)).sum(axis=0)
    smaller_tail = np.minimum((possible >= seen).mean(axis=0), (possible <= seen).mean(axis=0))
    return np.asarray(np.minimum(1.0, 2.0 * smaller_tail))


def _signed_places(one: Floats, other: Floats) -> Floats:
    """Return which size the difference has among those of its column, smallest first, with its sign.

    That is all that signed ranks depend on. Sizes that differ by rounding only have the same place, and 0 the place 0.
    """
    gaps = one - other
    order = np.argsort(np.abs(gaps), axis=0)
    sizes = np.take_along_axis(np.abs(gaps), order, axis=0)
    close = np.take_along_axis(CLOSE * np.maximum(np.abs(one), np.abs(other)), order, axis=0)
    close[1:] = np.maximum(close[1:], close[:-1])
    places = np.cumsum(np.diff(sizes, axis=0, prepend=0.0) > close, axis=0)
    result = np.empty_like(gaps)
    np.put_along_axis(result, order, places.astype(np.float64), axis=0)
    return np.asarray(result * np.sign(gaps))
