"""Methods over several datasets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from covey.analysis.ranking.overall import AMONG_BEST, FEWEST_DATASETS
from covey.analysis.significance import critical_difference
from covey.report import rank_overall
from report.studies import near, study_of


def table_of(means, methods="abc"):
    """Return scores whose means are given, a row for each dataset."""
    return {
        f"d{row}": {
            method: near(mean, seed=10 * row + place)
            for place, (method, mean) in enumerate(zip(methods, line, strict=True))
        }
        for row, line in enumerate(means)
    }


@pytest.fixture
def eight(tmp_path):
    means = np.array([0.9, 0.85, 0.6]) + np.random.default_rng(0).uniform(0, 0.02, (8, 3))
    means[2] = 0.7, 0.8, 0.6
    return rank_overall(study_of(tmp_path, table_of(means))), means


def test_ranks_and_tests_are_those_of_scipy(eight):
    overall, means = eight
    ranks = stats.rankdata(-means, axis=1)
    np.testing.assert_allclose(overall.mean_ranks, ranks.mean(axis=0))
    np.testing.assert_allclose(overall.scores.to_numpy(), means)
    chi, p_value = stats.friedmanchisquare(*means.T)
    friedman = overall.comparison.friedman
    assert friedman.chi_squared == pytest.approx(chi)
    assert friedman.chi_squared_p_value == pytest.approx(p_value)
    assert overall.comparison.test == "Nemenyi"
    assert overall.comparison.critical_difference == pytest.approx(critical_difference(3, 8))
    assert (overall.best, overall.wins.tolist()) == ("a", [7, 1, 0])


def test_level_methods_are_closer_than_the_critical_difference(eight):
    overall, means = eight
    gap = critical_difference(3, 8)
    ranks = stats.rankdata(-means, axis=1).mean(axis=0)
    expected = tuple(name for name, rank in zip("bc", ranks[1:], strict=True) if rank - ranks[0] < gap)
    assert overall.differ
    assert overall.level == expected == ("b",)


def test_verdicts_of_the_datasets_are_counted(eight):
    overall, _ = eight
    expected = [
        sum(ranking.row(name).verdict != "behind" for ranking in overall.rankings.values()) for name in overall.methods
    ]
    assert overall.among_best.tolist() == expected
    assert expected[2] < expected[0]


def test_few_datasets_are_not_tested(tmp_path):
    means = [[0.9, 0.8, 0.7]] * (FEWEST_DATASETS - 1)
    overall = rank_overall(study_of(tmp_path, table_of(means)))
    assert overall.comparison is None
    assert overall.level == ()
    assert not overall.differ
    assert overall.why_untested == "4 datasets are too few for a test of mean ranks, which needs 5 or more"
    assert overall.records.record("a", "b") == (4, 0, 0)
    assert "No test is made: 4 datasets are too few" in str(overall)
    enough = rank_overall(study_of(tmp_path, table_of([[0.9, 0.8, 0.7]] * FEWEST_DATASETS)))
    assert enough.comparison is not None


def test_two_methods_are_compared_by_signed_ranks(tmp_path):
    means = np.random.default_rng(1).uniform(0.6, 0.9, (7, 2))
    overall = rank_overall(study_of(tmp_path, table_of(means, "ab")))
    assert overall.comparison.test == "Wilcoxon-Holm"
    assert overall.comparison.p_values[0, 1] == pytest.approx(stats.wilcoxon(*means.T).pvalue)


def test_two_methods_whose_errors_are_on_different_scales_are_not(tmp_path):
    means = np.random.default_rng(1).uniform(1, 900, (7, 2))
    overall = rank_overall(study_of(tmp_path, table_of(means, "ab"), metrics=("error",), task="regression"))
    assert overall.comparison.test == "Nemenyi"
    assert overall.larger_is_better is False
    assert overall.best == "ab"[int(means.argmin(axis=1).mean() > 0.5)]


def test_methods_that_tie_share_ranks_and_wins(tmp_path):
    same = near(0.8)
    scores = {f"d{row}": {"a": same, "b": same, "c": near(0.7)} for row in range(6)}
    overall = rank_overall(study_of(tmp_path, scores))
    assert overall.mean_ranks.tolist() == [1.5, 1.5, 3.0]
    assert overall.wins.tolist() == [6, 6, 0]


def test_all_tie(tmp_path):
    overall = rank_overall(study_of(tmp_path, {f"d{row}": {"a": near(0.8), "b": near(0.8)} for row in range(6)}))
    assert not overall.differ
    assert overall.level == ("b",)


def test_a_dataset_without_all_scores_is_left_out(tmp_path):
    scores = table_of([[0.9, 0.8, 0.7]] * 6)
    scores["d2"]["b"][1] = "it broke"
    overall = rank_overall(study_of(tmp_path, scores))
    assert overall.datasets == ("d0", "d1", "d3", "d4", "d5")
    assert overall.left_out == {"d2": "no score of b"}
    shown = overall.score_table()
    assert list(shown.frame.index) == list(scores)
    assert np.isnan(shown.frame.loc["d2", "b"])
    assert shown.bold.loc["d2"].tolist() == [True, False, False]


def test_a_method_without_most_scores_is_left_out(tmp_path):
    scores = table_of([[0.9, 0.8, 0.7]] * 6)
    for row in range(4):
        scores[f"d{row}"]["c"][0] = None
    overall = rank_overall(study_of(tmp_path, scores))
    assert overall.methods == ("a", "b")
    assert len(overall.datasets) == 6
    assert overall.left_out == {"c": "it has no score on 4 of 6 datasets"}
    assert list(overall.score_table().frame.columns) == ["a", "b", "c"]


def test_nothing_is_finished(tmp_path):
    overall = rank_overall(study_of(tmp_path, {"d0": {"a": [None], "b": ["bad"]}, "d1": {"a": [None], "b": [None]}}))
    with pytest.raises(ValueError, match="so none is the best"):
        _ = overall.best
    assert overall.comparison is None
    assert str(overall).startswith("No dataset has scores of all methods yet")
    assert overall.score_table().frame.isna().all().all()


def test_one_method_alone(tmp_path):
    overall = rank_overall(study_of(tmp_path, {"d0": {"a": near(0.9)}, "d1": {"a": near(0.8)}}))
    assert overall.mean_ranks.tolist() == [1.0]
    assert overall.why_untested == "there is nothing to compare"
    assert len(overall.score_table().frame) == 3


def test_bold_scores_are_those_that_win(tmp_path):
    """Scores that look the same once they are rounded are not the same."""
    scores = {f"d{row}": {"a": [0.90001] * 3, "b": [0.9] * 3, "c": [0.1 + 0.2] * 3} for row in range(2)}
    scores["d1"]["c"] = [0.90001] * 3
    overall = rank_overall(study_of(tmp_path, scores))
    shown = overall.score_table()
    assert overall.wins.tolist() == shown.bold.loc[["d0", "d1"]].sum().tolist() == [2, 0, 1]
    assert "before rounding" in shown.notes[0]


def test_a_mean_rank_is_written_in_one_way(tmp_path):
    """2.125 is 2.13, as in the tables, not 2.12 as Python's formats have it."""
    places = [[0.9, 0.8, 0.7, 0.6]] * 3 + [[0.6, 0.7, 0.8, 0.9]] * 2 + [[0.7, 0.9, 0.6, 0.8]] * 3
    overall = rank_overall(study_of(tmp_path, table_of(places, "abcd")))
    best = overall.mean_ranks.min()
    assert overall.best_rank in str(overall.table())
    assert f"{overall.best_rank}" == ("2.13" if best == 2.125 else f"{best:.2f}")
    exact = replace(overall, mean_ranks=np.array([2.125, 2.5, 2.625, 2.75]))
    assert exact.best_rank == "2.13"
    assert "2.13" in str(exact.table())


def test_percentages_have_a_mean_and_the_best_is_bold(eight):
    overall, means = eight
    shown = overall.score_table()
    np.testing.assert_allclose(shown.frame.loc["mean"], 100 * means.mean(axis=0))
    assert shown.bold["a"].sum() == 8
    assert shown.bold.loc["d2"].tolist() == [False, True, False]


def test_one_split_counts_no_verdicts(tmp_path):
    scores = {f"d{row}": {"a": [0.9], "b": [0.8]} for row in range(6)}
    overall = rank_overall(study_of(tmp_path, scores, protocol={"kind": "fixed-split", "n_train": 50}))
    assert overall.among_best.tolist() == [-1, -1]
    assert AMONG_BEST not in overall.table().frame
