"""Tests on the ranks of methods on many datasets: Friedman's, Nemenyi's and the Bonferroni-Dunn test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from covey.analysis.scores import check_alpha, check_direction, read_scores
from covey.analysis.significance.comparison import Friedman, RankComparison, doubled


def friedman(
    scores: Any,
    *,
    larger_is_better: bool,
    methods: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Friedman:
    """Rank methods on each dataset, and test whether their mean ranks R differ by more than chance.

    With n datasets and k methods,

    chi² = 12 n / (k (k+1)) (Σ R² - k (k+1)² / 4),  F = (n-1) chi² / (n (k-1) - chi²).

    Ties divide chi² by 1 - Σ (t³ - t) / (n k (k² - 1)), summed over groups of t methods that tie on a dataset.

    Parameters
    ----------
    scores : array-like or data frame of shape (n_datasets, n_methods), or mapping of method to scores
        One score per dataset and method, two or more of each. Scores tie that differ by no more than rounding.
    larger_is_better : bool
        True for accuracies; False for errors and times.
    methods, datasets : sequence of str, optional
        Names; by default a frame's columns and index, otherwise "1", "2", ...

    Returns
    -------
    Friedman
        If all methods tie on every dataset, the statistics are 0 and the p-values 1. If all datasets rank the methods
        alike, F is infinite and its p-value 0; if there are ties, only the corrected F is.

    References
    ----------
    M. Friedman (1937). The use of ranks to avoid the assumption of normality implicit in the analysis of variance.
    Journal of the American Statistical Association 32, 675-701.

    R. L. Iman and J. M. Davenport (1980). Approximations of the critical region of the Friedman statistic.
    Communications in Statistics A9, 571-595.

    J. Demšar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1-30.
    """
    from scipy.special import chdtrc, fdtrc

    direction = check_direction(larger_is_better)
    read = read_scores(scores, methods=methods, datasets=datasets)
    ranks = read.ranks(larger_is_better=direction)
    n, k = ranks.shape
    twice = doubled(ranks)
    sums = twice.sum(axis=0)
    # Whole numbers of any size: spreads of the doubled ranks about their mean k + 1, between methods and over all.
    between = sum(int(gap) ** 2 for gap in sums - n * (k + 1))
    total = int(np.square(twice - (k + 1)).sum())
    untied = n * k * (k * k - 1) // 3  # what the total is without ties
    freedom = (k - 1, (k - 1) * (n - 1))
    chi_squared = (k - 1) * between / total if total else 0.0
    plain, corrected = _iman_davenport(between, untied, n), _iman_davenport(between, total, n)
    return Friedman(
        methods=read.methods,
        mean_ranks=sums / (2 * n),
        n_datasets=n,
        larger_is_better=direction,
        chi_squared=chi_squared,
        chi_squared_p_value=float(chdtrc(freedom[0], chi_squared)),
        f_statistic=plain,
        p_value=float(fdtrc(*freedom, plain)),
        f_statistic_corrected=corrected,
        p_value_corrected=float(fdtrc(*freedom, corrected)),
        ranks=ranks,
    )


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
    scores, larger_is_better, methods, datasets
        As for `friedman`.
    alpha : float, default=0.05
        The significance level for all pairs together.

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
    scores, larger_is_better, methods, datasets
        As for `friedman`.
    control : str
        The method to compare the others to.
    alpha : float, default=0.05
        The significance level for all comparisons together.

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


def _iman_davenport(between: int, total: int, n: int) -> float:
    """Return F = (n-1) chi² / (n (k-1) - chi²), where chi² = (k-1) between / total."""
    rest = n * total - between
    if not between:
        return 0.0
    return (n - 1) * between / rest if rest else float("inf")
