"""A ranking of methods on one dataset as intervals."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from covey.plots.rows import MethodIntervals, method_intervals

if TYPE_CHECKING:
    from covey.analysis.ranking.methods import Ranking

# Baselines are left out of figures that they would make so many times as wide.
FARTHEST = 3


def ranking_intervals(ranking: Ranking) -> MethodIntervals:
    """Return the mean scores of ranked methods with their intervals, the best first, in % where scores are shares.

    Baselines that are so far off that the others would look all the same are left out.

    Parameters
    ----------
    ranking : Ranking
        From `covey.Comparison.ranking` or `covey.report.rank_methods`.

    Raises
    ------
    ValueError
        No method finished.
    """
    assert ranking.best  # which raises if there is none
    scale, metric = axis_of(ranking)
    rows = without_far_baselines(ranking).rows
    return method_intervals(
        [scale * row.mean for row in rows],
        [scale * row.low for row in rows],
        [scale * row.high for row in rows],
        [ranking.title(row.method) for row in rows],
        metric=metric,
        larger_is_better=ranking.larger_is_better,
        alpha=ranking.alpha,
        verdicts=["" if ranking.why_untested else row.verdict for row in rows],
    )


def axis_of(ranking: Ranking) -> tuple[float, str]:
    """Return what scores are multiplied by in a figure, and what they are called there."""
    words = ranking.words
    return (100.0, f"{words.name} in %") if words.percent else (1.0, words.name)


def beyond(ranking: Ranking) -> str:
    """Return what is to be said of a baseline that `ranking_intervals` leaves out; "" if there is none."""
    from covey.analysis.ranking.sentences import the_baseline

    far = ranking.baseline if len(without_far_baselines(ranking).rows) < len(ranking.rows) else None
    return "" if far is None else f"{the_baseline(far.method)}, at {ranking.value(far.mean)}, is off the figure"


def without_baselines(ranking: Ranking) -> Ranking:
    """Return a ranking without methods that learn nothing, beside which the others would look all the same.

    They stay if there would be fewer than two methods, or if one of them is the best.
    """
    rows = tuple(row for row in ranking.rows if row.method not in ranking.baselines)
    return replace(ranking, rows=rows) if len(rows) > 1 and rows[0] is ranking.rows[0] else ranking


def without_far_baselines(ranking: Ranking) -> Ranking:
    """Return a ranking without baselines that are so far off that the others would look all the same."""
    few = without_baselines(ranking)
    spans = []
    for rows in (few.rows, ranking.rows):
        ends = [end for row in rows for end in (row.low, row.mean, row.high) if isfinite(end)]
        spans.append(max(ends) - min(ends))
    return ranking if spans[1] <= FARTHEST * spans[0] else few
