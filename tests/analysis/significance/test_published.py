"""Ranks, records and tests that the papers print, from their own tables; what one misprints is named by its id."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

from covey.analysis.significance import bonferroni_dunn, critical_difference, nemenyi
from covey.analysis.significance.normal_range import range_quantile
from covey.analysis.significance.ranks import friedman
from covey.analysis.significance.records import Records, sign_test, win_draw_loss
from covey.reproduce.published import PUBLISHED

TABLES = ["02", "03", "04", "05", "07", "08", "09", "10"]


# INCONSISTENCIES.csv: the table each is about.
MISPRINTS = {"05": "RSC-I01", "07": "RSC-I02", "08": "RSC-I03", "10": "RSC-I04"}


def published(number, metric):
    table = pd.read_csv(PUBLISHED / f"rsc-table-{number}.csv")
    rows = table[table["metric"] == metric]
    methods = rows["method"].unique()
    return rows.pivot_table(index="dataset", columns="method", values="mean", sort=False)[methods]


def scores_of(number):
    return published(number, "accuracy-pct")


def misprint(number):
    """What a table prints, and what it should, by method."""
    rows = pd.read_csv(PUBLISHED / "INCONSISTENCIES.csv").set_index("id")
    row = rows.loc[MISPRINTS[number]]
    assert row["where"] == f"table {int(number)} average ranks"
    printed = dict(part.strip().rsplit(" ", 1) for part in row["printed"].split(";"))
    expected = dict(zip(printed, row["expected"].split(";"), strict=True))
    return {name: float(value) for name, value in printed.items()}, {n: float(v) for n, v in expected.items()}


@pytest.mark.parametrize("number", TABLES)
def test_mean_ranks(number):
    scores = scores_of(number)
    result = friedman(scores, larger_is_better=True)
    expected = published(number, "average-rank").loc["all"].to_dict()
    if number in MISPRINTS:
        wrong, right = misprint(number)
        assert wrong == {name: expected[name] for name in wrong}
        found = dict(zip(result.methods, result.mean_ranks, strict=True))
        assert any(abs(found[name] - wrong[name]) > 0.0051 for name in wrong)
        expected |= right
    assert set(expected) == set(result.methods)
    for name, rank in zip(result.methods, result.mean_ranks, strict=True):
        assert rank == pytest.approx(expected[name], abs=0.005 + 1e-9), name  # the paper rounds halves up
    order = published(number, "rank-order").loc["all", list(result.methods)]
    np.testing.assert_array_equal(rankdata(result.mean_ranks), order)
    assert result.table().frame.index.tolist() == [result.methods[at] for at in result.order]


def test_friedman_f_of_table_4():
    """The paper has 14.97: what comes out of a chi-squared rounded to three decimals. The exact F is 14.9649."""
    scores = scores_of("04")
    result = friedman(scores, larger_is_better=True)
    assert result.degrees_of_freedom == (4, 60)
    assert result.f_statistic == pytest.approx(14.9649, abs=5e-5)
    mean_ranks = scores.rank(axis=1, ascending=False).mean()
    chi_squared = 12 * 16 / (5 * 6) * ((mean_ranks**2).sum() - 5 * 36 / 4)
    assert round(chi_squared, 3) == 31.963
    assert round(15 * 31.963 / (16 * 4 - 31.963), 2) == 14.97
    assert result.p_value < 0.00001
    assert result.f_statistic_corrected == pytest.approx(15.06, abs=0.005)
    assert "F(4, 60) = 14.96, p < 0.0001; corrected for ties F = 15.06" in str(result)


def test_critical_difference_of_figure_5():
    """The paper has 3.1257, of Demšar's quantile 2.920. The exact one is 3.12555."""
    exact = critical_difference(10, 16, 0.10)
    assert exact == pytest.approx(3.1257, abs=2e-4)
    assert exact == pytest.approx(3.12555, abs=5e-6)
    tabled = round(range_quantile(0.10, 10) / np.sqrt(2), 3)
    assert tabled == 2.920
    assert round(tabled * np.sqrt(10 * 11 / (6 * 16)), 4) == 3.1257


def test_two_cliques_of_figure_4():
    result = nemenyi(scores_of("04"), larger_is_better=True, alpha=0.10)
    assert result.cliques == [
        ["rotation-forest", "alpha-rsse"],
        ["random-forest", "random-committee", "random-subspace"],
    ]
    assert result.skipping_pairs == []
    assert str(result) == (
        "Nemenyi test of 5 methods on 16 datasets at alpha = 0.1: mean ranks that differ by 1.375 or more differ "
        "significantly. Groups without a significant difference: rotation-forest, alpha-rsse; random-forest, "
        "random-committee, random-subspace."
    )
    assert result.table().frame["groups"].tolist() == ["a", "a", "b", "b", "b"]


def test_ten_ensembles_of_figure_5():
    scores = scores_of("02").join(scores_of("04"))
    assert scores.shape == (16, 10)
    assert not scores.isna().any(axis=None)
    result = nemenyi(scores, larger_is_better=True, alpha=0.10)
    assert result.critical_difference == pytest.approx(3.1257, abs=2e-4)
    best = [result.methods[at] for at in result.order[:3]]
    assert best == ["rotation-forest", "alpha-rsse", "alphabeta-rse"]
    assert result.cliques[0] == ["rotation-forest", "alpha-rsse"]


def test_alpha_rsse_as_a_control():
    """Section 5 compares a control by z and Bonferroni; at 5 % it agrees with figure 4."""
    result = bonferroni_dunn(scores_of("04"), larger_is_better=True, control="alpha-rsse")
    assert result.cliques == [["rotation-forest", "alpha-rsse"]]
    text = str(result)
    assert "Significantly worse: random-forest, random-committee and random-subspace." in text
    assert "No significant difference: rotation-forest." in text


BONFERRONI = 0.05 / 28


def records_scores_of(name: str, metric: str) -> pd.DataFrame:
    """Published means of all datasets and methods; rows of averages and ranks have metrics of their own."""
    table = pd.read_csv(PUBLISHED / f"{name}.csv")
    return table[table["metric"] == metric].pivot(index="dataset", columns="method", values="mean")


@pytest.fixture(scope="module")
def mfs() -> Records:
    return win_draw_loss(records_scores_of("mfs-table-02", "error-pct"), larger_is_better=False)


class TestMultipleFeatureSubsets:
    """Bay (1999), table 3, from the errors of table 2: no cell differs."""

    published = pd.read_csv(PUBLISHED / "mfs-table-03.csv")

    def test_all_records_of_table_3(self, mfs):
        assert (mfs.n_datasets, len(mfs.methods), len(self.published)) == (25, 8, 28)
        for pair in self.published.itertuples():
            expected = (pair.wins, pair.ties, pair.losses)
            assert mfs.record(pair.row_method, pair.col_method) == expected, pair

    def test_the_pairs_marked_as_significant_with_bonferroni(self, mfs):
        for pair in self.published.itertuples():
            p = mfs.p_values[mfs.methods.index(pair.row_method), mfs.methods.index(pair.col_method)]
            assert (p < BONFERRONI) == bool(pair.significant_bonferroni), pair
        assert self.published["significant_bonferroni"].sum() == 8


class TestMultiStrategy:
    """Webb and Zheng (2004), tables 1 to 5: all 150 p-values follow from their records to the four printed decimals."""

    tables = pd.concat(
        [
            pd.read_csv(PUBLISHED / f"multistrategy-table-0{number}.csv", dtype={"p": str}).assign(table=number)
            for number in range(1, 6)
        ],
        ignore_index=True,
    )

    def test_all_p_values(self):
        assert len(self.tables) == 150
        for pair in self.tables.itertuples():
            p = sign_test(pair.wins, pair.losses)
            match pair.p[0]:
                case "<":
                    assert p < 0.0001, pair
                case ">":
                    assert p > 0.9999, pair
                case _:
                    assert p >= 0.0001, pair
                    assert f"{p:.4f}" == pair.p, pair
