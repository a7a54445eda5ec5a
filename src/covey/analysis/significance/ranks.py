"""Friedman's test: do methods differ at all, by their ranks on many datasets?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._rounding import write_number
from covey._text import p_text
from covey.analysis.finding import Finding
from covey.analysis.scores import check_direction, read_scores
from covey.analysis.tables.result import ResultTable

if TYPE_CHECKING:
    from covey.analysis.significance.comparison import RankComparison

# With fewer datasets the approximation by F, or by chi-squared, is poor.
FEW_DATASETS = 5

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Friedman(Finding):
    """Mean ranks of methods, and Friedman's test of whether they differ.

    Parameters
    ----------
    methods : tuple of str
        The methods, in the order given.
    mean_ranks : ndarray of float64 of shape (n_methods,)
        The mean of each method's ranks: 1 is best.
    n_datasets : int
        How many datasets there are.
    larger_is_better : bool
        Whether the largest score got rank 1.
    chi_squared, chi_squared_p_value : float
        Friedman's statistic corrected for ties, and its upper tail with k - 1 degrees of freedom.
    f_statistic, p_value : float
        Iman and Davenport's F of the chi-squared without the correction, as Demšar (2006) gives it and papers print
        it, and its upper tail with k - 1 and (k - 1)(n - 1) degrees of freedom.
    f_statistic_corrected, p_value_corrected : float
        The same F of the chi-squared with the correction. Without ties it is `f_statistic`.
    ranks : ndarray of float64 of shape (n_datasets, n_methods)
        The rank of each method on each dataset. Ties share the mean of their ranks.
    """

    methods: tuple[str, ...]
    mean_ranks: Floats
    n_datasets: int
    larger_is_better: bool
    chi_squared: float
    chi_squared_p_value: float
    f_statistic: float
    p_value: float
    f_statistic_corrected: float
    p_value_corrected: float
    ranks: Floats

    @property
    def degrees_of_freedom(self) -> tuple[int, int]:
        """The degrees of freedom of F: k - 1 and (k - 1)(n - 1). Chi-squared has the first of them."""
        between = len(self.methods) - 1
        return between, between * (self.n_datasets - 1)

    @property
    def order(self) -> NDArray[np.intp]:
        """Positions of the methods, best mean rank first, equal ones by their names."""
        return rank_order(self.methods, self.mean_ranks)

    @property
    def rank_gaps(self) -> Integers:
        """Twice the gap between the rank sums of each two methods: whole numbers, so that equal gaps are equal."""
        sums = doubled(self.ranks).sum(axis=0)
        return np.asarray(np.abs(sums[:, None] - sums))

    def nemenyi(self, alpha: float = 0.05) -> RankComparison:
        """Return Nemenyi's test of all pairs; see `covey.analysis.significance.nemenyi`."""
        from covey.analysis.significance.post_hoc import compare_all

        return compare_all(self, alpha)

    def bonferroni_dunn(self, control: str, alpha: float = 0.05) -> RankComparison:
        """Return the test of a control against the others; see `covey.analysis.significance.bonferroni_dunn`."""
        from covey.analysis.significance.post_hoc import compare_to_control

        return compare_to_control(self, control, alpha)

    def table(self) -> ResultTable:
        """Return the mean ranks, best first, and the test as a note."""
        import pandas as pd

        names = pd.Index([self.methods[position] for position in self.order], name="method")
        return ResultTable(
            pd.DataFrame({"mean rank": self.mean_ranks[self.order]}, index=names),
            caption=f"Mean ranks of {len(self.methods)} methods on {self.n_datasets} datasets",
            default_format=".2f",
            notes=(str(self),),
        )

    def __str__(self) -> str:
        subject = f"Friedman test of {len(self.methods)} methods on {self.n_datasets} datasets"
        between, within = self.degrees_of_freedom
        if not np.ptp(self.ranks, axis=1).any():
            return f"{subject}: all methods tie on every dataset, so nothing tells them apart (p = 1)."
        f_text, corrected = (write_number(value, ".2f") for value in (self.f_statistic, self.f_statistic_corrected))
        text = f"{subject}: F({between}, {within}) = {f_text}, {p_text(self.p_value)}"
        if self.f_statistic_corrected != self.f_statistic:
            text += f"; corrected for ties F = {corrected}, {p_text(self.p_value_corrected)}"
        if self.n_datasets < FEW_DATASETS:
            text += f"; with fewer than {FEW_DATASETS} datasets p-values are rough"
        best = self.mean_ranks.min()
        first = [self.methods[at] for at in np.flatnonzero(self.mean_ranks == best)]
        names = ", ".join(first) if len(first) <= 3 else f"{', '.join(first[:3])} and {len(first) - 3} more"
        return f"{text}. Best mean rank: {write_number(best, '.2f')} ({names})."


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


def rank_order(methods: Sequence[str], mean_ranks: Floats) -> NDArray[np.intp]:
    """Return positions of methods, best mean rank first, equal ones by their names: the order given plays no part."""
    return np.lexsort((np.array(methods), mean_ranks))


def doubled(ranks: Floats) -> Integers:
    """Return twice the ranks, which are whole numbers even where methods tie."""
    return np.rint(2.0 * ranks).astype(np.int64)


def _iman_davenport(between: int, total: int, n: int) -> float:
    """Return F = (n-1) chi² / (n (k-1) - chi²), where chi² = (k-1) between / total."""
    rest = n * total - between
    if not between:
        return 0.0
    return (n - 1) * between / rest if rest else float("inf")
