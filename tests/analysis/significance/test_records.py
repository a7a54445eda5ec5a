"""Win/draw/loss records: counted pair by pair, with exact sign tests, whatever the order of methods and datasets."""

from __future__ import annotations

from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binomtest, gmean

from covey.analysis.significance.records import sign_test, win_draw_loss

counts = st.integers(0, 300)
# Few different values, so that there are ties.
score_tables = st.tuples(st.integers(2, 12), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(1, 9).map(lambda tenths: tenths / 10))
)


def counted(scores: np.ndarray, i: int, j: int, *, tolerance: float = 0.0) -> tuple[int, int, int]:
    """Wins, draws and losses of column i against column j, where larger is better, one dataset after the other."""
    record = [0, 0, 0]
    for row in scores:
        gap = row[i] - row[j]
        record[0 if gap > tolerance else 2 if -gap > tolerance else 1] += 1
    return tuple(record)


class TestSignTest:
    def test_by_hand(self):
        assert sign_test(0, 0) == 1
        assert sign_test(1, 0) == 1
        assert sign_test(5, 0) == 2 / 32
        assert sign_test(1, 6) == pytest.approx(2 * (1 + 7) / 128, abs=1e-15)
        assert sign_test(10, 10) == 1
        assert sign_test(17, 18) == 1
        assert sign_test(np.int64(13), 28) == pytest.approx(0.0275, abs=5e-5)

    def test_counts_next_to_each_other_are_no_evidence_at_all(self):
        assert {sign_test(count, count + 1) for count in range(3000)} == {1.0}

    def test_the_tail_is_summed_exactly(self):
        tail = sum(comb(200, k) for k in range(71))
        assert sign_test(70, 130) == pytest.approx(2 * tail / 2**200, rel=1e-12)

    @given(counts, counts)
    @settings(deadline=None, max_examples=100)
    def test_symmetric_and_as_scipy_has_it(self, wins, losses):
        p = sign_test(wins, losses)
        assert p == sign_test(losses, wins)
        assert 0 < p <= 1
        if wins + losses:
            assert p == pytest.approx(binomtest(wins, wins + losses).pvalue, rel=1e-9)


def test_bad_input():
    scores = TestRecords.scores
    with pytest.raises(ValueError, match="wins=-1 is too small"):
        sign_test(-1, 3)
    with pytest.raises(TypeError, match=r"losses=2\.5 must be an integer"):
        sign_test(1, 2.5)
    with pytest.raises(TypeError, match="larger_is_better=None must be True"):
        win_draw_loss(scores, larger_is_better=None)
    for tolerance in (-1, np.nan):
        with pytest.raises(ValueError, match=f"tolerance={tolerance} is out of range"):
            win_draw_loss(scores, larger_is_better=True, tolerance=tolerance)


class TestRecords:
    scores = pd.DataFrame(
        {"tree": [20.0, 10.0, 8.0, 4.0], "forest": [10.0, 10.0, 4.0, 2.0], "rule": [40.0, 5.0, 8.0, 8.0]},
        index=["w", "x", "y", "z"],
    )

    def test_by_hand(self):
        records = win_draw_loss(self.scores, larger_is_better=False)
        assert records.methods == ("tree", "forest", "rule")
        assert records.n_datasets == 4
        assert records.record("forest", "tree") == (3, 1, 0)
        assert records.record("tree", "forest") == (0, 1, 3)
        assert records.record("tree", "rule") == (2, 1, 1)
        assert records.record("rule", "rule") == (0, 4, 0)
        np.testing.assert_array_equal(records.losses, records.wins.T)
        assert records.p_values[0, 1] == 2 / 8
        assert records.p_values[0, 2] == 1
        # 10/20 * 10/10 * 4/8 * 2/4 = 1/8, and its fourth root.
        assert records.ratios[1, 0] == pytest.approx(0.125**0.25)

    def test_the_other_direction_exchanges_wins_and_losses_but_no_ratio(self):
        small, large = (win_draw_loss(self.scores, larger_is_better=larger) for larger in (False, True))
        np.testing.assert_array_equal(large.wins, small.losses)
        np.testing.assert_array_equal(large.p_values, small.p_values)
        np.testing.assert_array_equal(large.ratios, small.ratios)

    def test_an_unknown_method_is_told_which_there_are(self):
        records = win_draw_loss(self.scores, larger_is_better=False)
        with pytest.raises(ValueError, match="'bush' is none of the methods, which are 'tree', 'forest', 'rule'"):
            records.record("tree", "bush")

    def test_ratios_need_positive_scores(self):
        records = win_draw_loss({"a": [1.0, 2.0], "b": [0.0, 2.0], "c": [2.0, 8.0]}, larger_is_better=False)
        assert np.isnan(records.ratios[1]).all()
        assert np.isnan(records.ratios[:, 1]).all()
        assert records.ratios[2, 0] == pytest.approx(8**0.5)
        assert np.isnan(win_draw_loss({"a": [-1.0, 2.0], "b": [1.0, 2.0]}, larger_is_better=True).ratios[0, 1])

    def test_ratios_do_not_overflow_on_the_way(self):
        records = win_draw_loss(np.tile([1e300, 1e-5], (9, 1)), larger_is_better=True)
        assert records.ratios[0, 1] == pytest.approx(1e305)


class TestTolerance:
    def test_a_difference_of_the_tolerance_is_a_draw(self):
        scores = {"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.5, 0.5, 3.0]}
        assert win_draw_loss(scores, larger_is_better=True, tolerance=0.5).record("a", "b") == (1, 2, 1)
        assert win_draw_loss(scores, larger_is_better=True, tolerance=1).record("a", "b") == (1, 3, 0)

    def test_zero_lets_rounding_draw_and_nothing_else(self):
        scores = {"a": [0.1 + 0.2, 1.0, 0.3000001], "b": [0.3, 1.0, 0.3]}
        assert win_draw_loss(scores, larger_is_better=True).record("a", "b") == (1, 2, 0)

    def test_the_binary_form_of_decimals_does_not_decide_about_the_border(self):
        tenths = np.arange(0, 1000) / 10
        neighbours = {"a": tenths, "b": (np.arange(0, 1000) + 1) / 10}
        assert len({*np.sign(neighbours["b"] - neighbours["a"] - 0.1)}) > 1
        assert win_draw_loss(neighbours, larger_is_better=True, tolerance=0.1).record("a", "b") == (0, 1000, 0)
        assert win_draw_loss(neighbours, larger_is_better=True, tolerance=0.0999).record("a", "b") == (0, 0, 1000)


class TestInvariants:
    @given(score_tables, st.sampled_from([0.0, 0.15, 0.45]))
    @settings(deadline=None, max_examples=50)
    def test_every_cell_against_its_definition(self, scores, tolerance):
        records = win_draw_loss(scores, larger_is_better=True, tolerance=tolerance)
        np.testing.assert_array_equal(records.wins + records.draws + records.losses, len(scores))
        np.testing.assert_array_equal(np.diag(records.draws), len(scores))
        np.testing.assert_array_equal(np.diag(records.p_values), 1)
        np.testing.assert_allclose(records.ratios * records.ratios.T, 1)
        for i, one in enumerate(records.methods):
            for j, other in enumerate(records.methods):
                wins, draws, losses = records.record(one, other)
                assert (wins, draws, losses) == counted(scores, i, j, tolerance=tolerance)
                assert records.p_values[i, j] == sign_test(wins, losses)
                assert records.ratios[i, j] == pytest.approx(gmean(scores[:, i] / scores[:, j]))

    @given(score_tables, st.randoms(use_true_random=False), st.sampled_from([0.0, 0.15]))
    @settings(deadline=None, max_examples=50)
    def test_order_of_datasets_and_methods(self, scores, random, tolerance):
        rows, columns = (random.sample(range(n), n) for n in scores.shape)
        plain = win_draw_loss(scores, larger_is_better=True, tolerance=tolerance)
        shuffled = win_draw_loss(scores[rows][:, columns], larger_is_better=True, tolerance=tolerance)
        for name in ("wins", "draws", "p_values"):
            np.testing.assert_array_equal(getattr(plain, name)[np.ix_(columns, columns)], getattr(shuffled, name))
        np.testing.assert_allclose(plain.ratios[np.ix_(columns, columns)], shuffled.ratios)


class TestText:
    scores = TestRecords.scores

    def test_the_matrix_gives_the_records_of_columns_against_rows(self):
        records = win_draw_loss(self.scores, larger_is_better=False)
        frame = records.table().to_frame()
        assert frame.loc["tree", "forest"] == "3/1/0"
        assert frame.loc["forest", "tree"] == "0/1/3"
        assert frame.loc["rule", "rule"] == ""
        assert not records.table().bold.to_numpy().any()
        assert records.table(alpha=0.3).bold.loc["tree", "forest"]
        with pytest.raises(ValueError, match="alpha=2"):
            records.table(alpha=2)

    def test_pairs_follow_the_multi_strategy_paper(self):
        frame = win_draw_loss(self.scores, larger_is_better=False).pairs_table().to_frame()
        assert list(frame["method"]) == ["forest", "rule", "rule"]
        assert list(frame["against"]) == ["tree", "tree", "forest"]
        assert frame.loc[1, ["wins", "draws", "losses", "p"]].tolist() == [3, 1, 0, 0.25]
        assert frame.loc[1, "ratio"] == pytest.approx(0.125**0.25)

    def test_two_methods_in_a_sentence(self):
        text = str(win_draw_loss(self.scores[["forest", "tree"]], larger_is_better=False, tolerance=0.5))
        assert text == (
            "forest against tree on 4 datasets (smaller is better, differences up to 0.5 are draws): "
            "3/1/0 wins/draws/losses, p = 0.2500 by the sign test, geometric mean ratio 0.59"
        )
        signed = win_draw_loss({"a": [-1.0] * 20, "b": [1.0] * 20}, larger_is_better=True)
        assert str(signed).endswith("0/0/20 wins/draws/losses, p < 0.0001 by the sign test")

    def test_many_methods_by_their_totals(self):
        lines = str(win_draw_loss(self.scores, larger_is_better=False)).splitlines()
        assert lines[1:] == ["  forest  6/1/1", "  tree    2/2/4", "  rule    2/1/5"]
        many = win_draw_loss(np.arange(60.0).reshape(2, 30), larger_is_better=True)
        assert str(many).splitlines()[1].split() == ["30", "58/0/0"]
        assert str(many).splitlines()[-1] == "  and 20 more"
