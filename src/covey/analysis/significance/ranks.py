"""Tests on the ranks of methods on many datasets: Friedman's, Nemenyi's, Bonferroni-Dunn's and Wilcoxon-Holm's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_choice
from covey.analysis.numbers import TIE, Floats, read_numbers
from covey.analysis.scores import Scores, check_alpha, check_direction, read_scores
from covey.analysis.significance.comparison import Friedman, RankComparison, compare_pairs, doubled

# With ties among so few differences, all their signs are gone through. SciPy 1.17 does the same, but takes most of a
# second for each pair.
FEW_DATASETS = 13
# All signs of so many pairs take 8 MB.
PAIRS_AT_ONCE = 128


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
    """Compare the mean ranks of all pairs of methods (Nemenyi 1963; see `critical_difference`).

    The p-value of two mean ranks R is P(range of k normal numbers >= abs(R_i - R_j) sqrt(2) / sqrt(k (k+1) / (6 n))).
    A pair differs significantly if it is alpha or less, that is if the ranks differ by `critical_difference` or more.
    ``friedman(...).nemenyi(alpha)`` does the same from ranks at hand.

    Parameters
    ----------
    scores, larger_is_better, methods, datasets
        As for `friedman`.
    alpha : float, default=0.05
        The significance level for all pairs together.
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
        must be on one scale. Those that differ by less than 1e-12 of the scores, that is by rounding only, count as
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


def _iman_davenport(between: int, total: int, n: int) -> float:
    """Return F = (n-1) chi² / (n (k-1) - chi²), where chi² = (k-1) between / total."""
    rest = n * total - between
    if not between:
        return 0.0
    return (n - 1) * between / rest if rest else float("inf")


def _pair_p_values(scores: Scores, first: NDArray[np.intp], second: NDArray[np.intp], zero_method: str) -> Floats:
    """Return the p-value of each pair of methods, some pairs at a time so that memory stays small."""
    from scipy.stats import wilcoxon

    few = len(scores.datasets) <= FEW_DATASETS
    result = np.ones(len(first))
    for begin in range(0, len(first), PAIRS_AT_ONCE):
        part = slice(begin, begin + PAIRS_AT_ONCE)
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


def _signed_places(first: Floats, second: Floats) -> Floats:
    """Return the place of each difference, with its sign, among the sizes of its column; what is rounding ties."""
    gaps = first - second
    order = np.argsort(np.abs(gaps), axis=0)
    sizes = np.take_along_axis(np.abs(gaps), order, axis=0)
    close = np.take_along_axis(TIE * np.maximum(np.abs(first), np.abs(second)), order, axis=0)
    close[1:] = np.maximum(close[1:], close[:-1])
    places = np.cumsum(np.diff(sizes, axis=0, prepend=0.0) > close, axis=0)
    result = np.empty_like(gaps)
    np.put_along_axis(result, order, places.astype(np.float64), axis=0)
    return np.asarray(result * np.sign(gaps))
