"""Records and sign tests that the papers print, worked out again."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.analysis.significance.records import Records, sign_test, win_draw_loss
from covey.reproduce.published import PUBLISHED

BONFERRONI = 0.05 / 28


def scores_of(name: str, metric: str) -> pd.DataFrame:
    """Published means of all datasets and methods; rows of averages and ranks have metrics of their own."""
    table = pd.read_csv(PUBLISHED / f"{name}.csv")
    return table[table["metric"] == metric].pivot(index="dataset", columns="method", values="mean")


@pytest.fixture(scope="module")
def mfs() -> Records:
    return win_draw_loss(scores_of("mfs-table-02", "error-pct"), larger_is_better=False)


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

    def p(self, mfs: Records, one: str, other: str) -> float:
        return mfs.p_values[mfs.methods.index(one), mfs.methods.index(other)]

    def test_claims_1_and_2_against_nearest_neighbours(self, mfs):
        assert mfs.record("mfs1", "nn") == (23, 1, 1)
        assert mfs.record("mfs2", "nn") == (21, 1, 3)
        assert self.p(mfs, "mfs1", "nn") < BONFERRONI
        assert self.p(mfs, "mfs2", "nn") < BONFERRONI

    def test_claim_3_against_other_neighbours(self, mfs):
        for subsets in ("mfs1", "mfs2"):
            for other in ("knn", "fss", "bss"):
                wins, _, losses = mfs.record(subsets, other)
                assert wins > losses
                assert self.p(mfs, subsets, other) < 0.05

    def test_claim_4_against_one_tree(self, mfs):
        assert mfs.record("mfs1", "c5.0") == (18, 1, 6)
        assert mfs.record("mfs2", "c5.0") == (18, 0, 7)
        assert max(self.p(mfs, "mfs1", "c5.0"), self.p(mfs, "mfs2", "c5.0")) < 0.05

    def test_claim_5_level_with_boosted_trees(self, mfs):
        average = scores_of("mfs-table-02", "average-error-pct").loc["all"]
        for subsets in ("mfs1", "mfs2"):
            assert self.p(mfs, subsets, "c5.0-boosted") > 0.05
            assert average[subsets] <= average["c5.0-boosted"]

    def test_claim_6_among_themselves(self, mfs):
        assert mfs.record("mfs1", "mfs2") == (15, 2, 8)
        assert self.p(mfs, "mfs1", "mfs2") > 0.05


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

    def test_tables_of_pairs_print_them(self):
        # Scores of two methods with just this record, on which the second is worse, level or better by a fixed ratio.
        for pair in self.tables[self.tables["table"] == 1].itertuples():
            ratios = np.repeat([0.5, 1.0, 2.0], [pair.wins, pair.draws, pair.losses])
            rows = np.arange(1.0, 42.0)
            records = win_draw_loss({pair.row_method: rows, pair.col_method: ratios * rows}, larger_is_better=False)
            assert records.record(pair.col_method, pair.row_method) == (pair.wins, pair.draws, pair.losses)
            printed = str(records.pairs_table()).splitlines()[4].split()
            assert printed[1:3] == [pair.col_method, pair.row_method]
            assert printed[4:] == [
                *map(str, (pair.wins, pair.draws, pair.losses)),
                "1.0000" if pair.p == ">0.9999" else pair.p,
            ]
            assert float(printed[3]) == pytest.approx(2 ** ((pair.losses - pair.wins) / 41), abs=0.005)

    def test_which_claims_of_table_1_their_records_bear_out(self):
        errors = self.tables[self.tables["table"] == 1].set_index(["row_method", "col_method"])
        p = {pair: sign_test(row["wins"], row["losses"]) for pair, row in errors.iterrows()}
        ensembles = ("boost", "wag", "sasc", "mb", "boostsasc", "wagsasc", "mbsasc")
        assert all(p["c4.5", ensemble] < 0.05 and errors.loc[("c4.5", ensemble), "ratio"] < 1 for ensemble in ensembles)
        assert p["c4.5", "c4.5sas"] < 0.05
        assert errors.loc[("c4.5", "c4.5sas"), "ratio"] > 1
        parts = [("boost", "mb"), ("wag", "mb"), ("boost", "boostsasc"), ("sasc", "boostsasc")]
        parts += [("wag", "wagsasc"), ("sasc", "wagsasc")]
        assert [pair for pair in parts if p[pair] >= 0.05] == [("boost", "boostsasc")]
        last = [("mb", "mbsasc"), ("boostsasc", "mbsasc"), ("wagsasc", "mbsasc")]
        assert [pair for pair in last if p[pair] < 0.05] == [("boostsasc", "mbsasc")]


class TestSphereCovers:
    """Claims 3 and 4 of the sphere-cover paper, and that each "would be significant" if it were the only comparison."""

    @pytest.mark.parametrize(
        ("table", "expected", "unlucky"),
        [
            ("rsc-table-02", (12, 2, 2), {"ionosphere", "sonar"}),
            ("rsc-table-03", (14, 0, 2), {"ionosphere", "waveform-40"}),
        ],
    )
    def test_border_resampling_against_plain_ensembles(self, table, expected, unlucky):
        accuracies = scores_of(table, "accuracy-pct")
        records = win_draw_loss(accuracies, larger_is_better=True)
        assert records.n_datasets == 16
        assert records.record("alphabeta-rse", "alpha-rse") == expected
        worse = accuracies.index[accuracies["alphabeta-rse"] < accuracies["alpha-rse"]]
        assert set(worse) == unlucky
        assert sign_test(expected[0], expected[2]) < 0.05
