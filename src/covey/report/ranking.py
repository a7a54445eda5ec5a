"""Rankings by the names that `covey.report` makes public; they are worked out by `covey.analysis.ranking`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.analysis.ranking.methods import RankedMethod, Ranking
from covey.analysis.ranking.overall import Overall

if TYPE_CHECKING:
    from covey.study.results import Results

__all__ = ["Overall", "RankedMethod", "Ranking", "rank_methods", "rank_overall"]


def rank_methods(
    results: Results, dataset: str | None = None, metric: str | None = None, *, alpha: float = 0.05
) -> Ranking:
    """Rank the methods of a study on one of its datasets.

    Parameters
    ----------
    results : Results
        From `covey.study.run_study`, finished or not.
    dataset : str, optional
        Not needed if there is one only.
    metric : str, optional
        One of the study's, by default the first.
    alpha : float, default=0.05
        The significance level of tests and intervals.

    Returns
    -------
    Ranking
        Methods with failed or missing fits are apart, in ``failed``: a mean over other splits cannot be compared.
    """
    return results.ranking(dataset, metric, alpha=alpha)


def rank_overall(results: Results, metric: str | None = None, *, alpha: float = 0.05) -> Overall:
    """Rank the methods of a study over its datasets.

    Parameters
    ----------
    results : Results
        From `covey.study.run_study`, finished or not.
    metric : str, optional
        One of the study's, by default the first.
    alpha : float, default=0.05
        The significance level of tests.

    Returns
    -------
    Overall
        Methods that lack scores on more than half of the datasets are left out, and then datasets on which some method
        lacks them. All pairs are compared by Nemenyi's test, two methods alone by Wilcoxon's; with fewer than 5
        datasets there is no test.
    """
    return results.overall(metric, alpha=alpha)
