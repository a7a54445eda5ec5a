"""Which mean ranks differ: Nemenyi's test of all pairs, and the Bonferroni-Dunn test against a control."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from covey._arguments import check_count
from covey.analysis.scores import check_alpha
from covey.analysis.significance.comparison import RankComparison
from covey.analysis.significance.normal_range import range_quantile, range_sf
from covey.analysis.significance.ranks import Friedman, friedman


def critical_difference(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Return how far apart two mean ranks must be to differ significantly by Nemenyi's test.

    CD = q / sqrt(2) sqrt(k (k+1) / (6 n)) for k methods and n datasets (section 5 of the sphere-cover paper), where
    q is the upper alpha quantile of the studentised range, computed and not looked up.

    Parameters
    ----------
    n_methods, n_datasets : int
        How many, 2 or more of each.
    alpha : float, default=0.05
        The probability of calling any two methods different when all are alike.

    References
    ----------
    P. Nemenyi (1963). Distribution-free multiple comparisons. Ph.D. thesis, Princeton University.

    J. Demšar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1-30.
    """
    check_count("n_methods", n_methods, 2)
    check_count("n_datasets", n_datasets, 2)
    k, n = int(n_methods), int(n_datasets)
    return range_quantile(check_alpha(alpha), k) / sqrt(2.0) * _spread(k, n)


def nemenyi(
    scores: Any,
    *,
    larger_is_better: bool,
    alpha: float = 0.05,
    methods: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> RankComparison:
    """Compare the mean ranks of all pairs of methods.

    The p-value of two mean ranks R is P(range of k normal numbers >= abs(R_i - R_j) sqrt(2) / sqrt(k (k+1) / (6 n))).
    A pair differs significantly if it is alpha or less, that is if the ranks differ by `critical_difference` or more.
    ``friedman(...).nemenyi(alpha)`` does the same from ranks at hand.

    Parameters
    ----------
    scores : array-like or data frame of shape (n_datasets, n_methods), or mapping of method to scores
        One score per dataset and method, two or more of each.
    larger_is_better : bool
        True for accuracies; False for errors and times.
    alpha : float, default=0.05
        The significance level for all pairs together.
    methods, datasets : sequence of str, optional
        Names; by default a frame's columns and index, otherwise "1", "2", ...

    Returns
    -------
    RankComparison

    References
    ----------
    P. Nemenyi (1963). Distribution-free multiple comparisons. Ph.D. thesis, Princeton University.
    """
    check_alpha(alpha)
    return friedman(scores, larger_is_better=larger_is_better, methods=methods, datasets=datasets).nemenyi(alpha)


def bonferroni_dunn(
    scores: Any,
    *,
    larger_is_better: bool,
    control: str,
    alpha: float = 0.05,
    methods: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> RankComparison:
    """Compare the mean rank of one method, the control, with those of all others.

    z = (R_i - R_j) / sqrt(k (k+1) / (6 n)), and p = min(1, (k-1) 2 S(abs(z))), where S is the upper tail of the normal
    distribution and k - 1 the number of comparisons. It finds more than Nemenyi's test, for it compares fewer pairs.
    ``friedman(...).bonferroni_dunn(control, alpha)`` does the same from ranks at hand.

    Parameters
    ----------
    scores : array-like or data frame of shape (n_datasets, n_methods), or mapping of method to scores
        One score per dataset and method, two or more of each.
    larger_is_better : bool
        True for accuracies; False for errors and times.
    control : str
        The method to compare the others to.
    alpha : float, default=0.05
        The significance level for all comparisons together.
    methods, datasets : sequence of str, optional
        Names; by default a frame's columns and index, otherwise "1", "2", ...

    Returns
    -------
    RankComparison
        The p-values of pairs without the control are NaN.

    References
    ----------
    O. J. Dunn (1961). Multiple comparisons among means. Journal of the American Statistical Association 56, 52-64.
    """
    check_alpha(alpha)
    ranked = friedman(scores, larger_is_better=larger_is_better, methods=methods, datasets=datasets)
    return ranked.bonferroni_dunn(control, alpha)


def compare_all(ranked: Friedman, alpha: float) -> RankComparison:
    """Return Nemenyi's test of methods that are ranked already."""
    level = check_alpha(alpha)
    k, n = len(ranked.methods), ranked.n_datasets
    gaps = ranked.rank_gaps
    distinct, place = np.unique(gaps, return_inverse=True)
    p_values = range_sf(distinct / (2.0 * n) * sqrt(2.0) / _spread(k, n), k)[place].reshape(gaps.shape)
    return RankComparison(
        test="Nemenyi",
        methods=ranked.methods,
        mean_ranks=ranked.mean_ranks,
        n_datasets=n,
        alpha=level,
        p_values=p_values,
        significant=p_values <= level,
        critical_difference=critical_difference(k, n, level),
        control=None,
        friedman=ranked,
    )


def compare_to_control(ranked: Friedman, control: str, alpha: float) -> RankComparison:
    """Return the Bonferroni-Dunn test of methods that are ranked already."""
    from scipy.special import ndtr, ndtri

    level = check_alpha(alpha)
    if str(control) not in ranked.methods:
        raise ValueError(f"control={control!r} is not among the methods: {', '.join(ranked.methods)}.")
    k, n = len(ranked.methods), ranked.n_datasets
    own = ranked.methods.index(str(control))
    z = ranked.rank_gaps[own] / (2.0 * n) / _spread(k, n)
    p_values = np.full((k, k), np.nan)
    p_values[own, :] = p_values[:, own] = np.minimum(1.0, (k - 1) * 2.0 * ndtr(-z))
    np.fill_diagonal(p_values, 1.0)
    return RankComparison(
        test="Bonferroni-Dunn",
        methods=ranked.methods,
        mean_ranks=ranked.mean_ranks,
        n_datasets=n,
        alpha=level,
        p_values=p_values,
        significant=p_values <= level,
        critical_difference=-float(ndtri(level / (2 * (k - 1)))) * _spread(k, n),
        control=str(control),
        friedman=ranked,
    )


def _spread(k: int, n: int) -> float:
    """Return the standard deviation of the difference of two mean ranks when all methods are alike."""
    return sqrt(k * (k + 1) / (6.0 * n))
