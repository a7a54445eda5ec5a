"""Rankings as intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from covey.analysis.ranking.methods import Splits, rank_scores
from covey.analysis.ranking.metrics import describe_metric
from covey.plots import ranking_intervals
from plots.drawn import is_on_page, row_names

SCORES = {"a": [0.9, 0.92, 0.91, 0.89], "b": [0.9, 0.9, 0.91, 0.88], "baseline": [0.4, 0.41, 0.39, 0.4]}


def ranked(scores=SCORES, metric="accuracy", task="classification", **options):
    words = describe_metric(metric, task)
    settings = {"dataset": "iris", "splits": Splits(80, 40), "baselines": ("baseline",), **options}
    return rank_scores(scores, words=words, **settings)


def test_shares_are_in_percent_and_verdicts_as_in_the_ranking():
    ranking = ranked({name: SCORES[name] for name in "ab"})
    data = ranking_intervals(ranking)
    assert data.metric == "accuracy in %"
    np.testing.assert_allclose(data.means, [90.5, 89.75])
    np.testing.assert_allclose(data.lows, [100 * row.low for row in ranking.rows])
    assert data.verdicts == tuple(row.verdict for row in ranking.rows)
    errors = ranked({name: SCORES[name] for name in "ab"}, "neg_mean_absolute_error", "regression")
    assert ranking_intervals(errors).means.max() < 1


def test_a_baseline_far_off_is_left_out_and_named():
    ranking = replace(ranked(), titles={"a": "one tree (a)"})
    ax = ranking.plot()
    assert row_names(ax) == ["one tree (a)", "b"]
    assert ax.get_title() == "Mean accuracy in % by method\n(the baseline, at 40.0%, is off the figure)"
    assert ranking.plot(title="mine").get_title() == "mine"
    assert is_on_page(ax)


def test_a_baseline_nearby_stays():
    scores = {**SCORES, "baseline": [0.88, 0.87, 0.9, 0.86]}
    ax = ranked(scores).plot()
    assert row_names(ax) == ["a", "b", "baseline"]
    assert ax.get_title() == "Mean accuracy in % by method"


def test_nothing_to_show_is_said():
    with pytest.raises(ValueError, match="no method finished"):
        ranked({}, failed={"a": "timeout"}).plot()
