"""The corrected resampled t-test: by hand, by its formula, and as the ordinary t-test where nothing is corrected."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import t as student, ttest_rel

from covey.analysis.significance.resampled import corrected_t_test

ten_fold = {"n_train": 90, "n_test": 10, "larger_is_better": True}


def scores_of_runs(seed: int, shift: float = 0.01, shape: tuple[int, ...] = (10, 10)) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    first = rng.normal(0.8, 0.03, shape)
    return first, first - rng.normal(shift, 0.02, shape)


class TestStatistic:
    def test_by_hand(self):
        # d = 1, 2, 3, 4, 5: mean 3, variance 2.5; (1/5 + 1/5) * 2.5 = 1, so t = 3 with 4 degrees of freedom.
        result = corrected_t_test([1, 2, 3, 4, 5], [0] * 5, n_train=100, n_test=20, larger_is_better=True)
        assert result.n_runs == 5
        assert result.degrees_of_freedom == 4
        assert result.mean_difference == 3
        assert result.standard_error == pytest.approx(1)
        assert result.t_statistic == pytest.approx(3)
        assert result.p_value == pytest.approx(0.0399, abs=5e-5)  # tables: 2.776 at 5 %, 3.747 at 2 %
        assert result.interval == pytest.approx((3 - 2.7764, 3 + 2.7764), abs=5e-5)
        assert result.better == "first"

    @given(st.integers(0, 1000), st.integers(2, 40), st.floats(0.01, 2), st.sampled_from([0.01, 0.05, 0.3]))
    @settings(deadline=None, max_examples=50)
    def test_the_formula(self, seed, n_runs, ratio, alpha):
        first, second = scores_of_runs(seed, shape=(n_runs,))
        result = corrected_t_test(first, second, n_train=1, n_test=ratio, larger_is_better=True, alpha=alpha)
        d = first - second
        t = d.mean() / np.sqrt((1 / n_runs + ratio) * ((d - d.mean()) ** 2).sum() / (n_runs - 1))
        assert result.t_statistic == pytest.approx(t)
        assert result.p_value == pytest.approx(2 * student.cdf(-abs(t), n_runs - 1))
        # The interval leaves zero out if and only if the difference is significant.
        low, high = result.interval
        assert (low > 0 or high < 0) == (result.p_value < alpha) == (result.better is not None)

    def test_without_testing_cases_it_is_the_paired_t_test(self):
        first, second = scores_of_runs(3, shape=(30,))
        result = corrected_t_test(first, second, n_train=1, n_test=1e-14, larger_is_better=True)
        plain = ttest_rel(first, second)
        assert result.t_statistic == pytest.approx(plain.statistic)
        assert result.p_value == pytest.approx(plain.pvalue)
        assert result.interval == pytest.approx(tuple(plain.confidence_interval(0.95)))

    def test_it_keeps_its_level_where_the_plain_test_does_not(self):
        # Scores of runs correlated as they are by n_test / (n_train + n_test) = 0.1, and no difference.
        rng = np.random.default_rng(0)
        common, own = rng.normal(size=(400, 1)), rng.normal(size=(400, 20))
        runs = np.sqrt(0.1) * common + np.sqrt(0.9) * own
        zeros = np.zeros(20)
        corrected = np.mean([corrected_t_test(d, zeros, **ten_fold).p_value < 0.05 for d in runs])
        plain = np.mean([ttest_rel(d, zeros).pvalue < 0.05 for d in runs])
        assert 0.03 < corrected < 0.08
        assert plain > 0.2


class TestDirection:
    @pytest.mark.parametrize(("larger", "better"), [(True, "first"), (False, "second")])
    def test_which_is_better(self, larger, better):
        first, second = scores_of_runs(1, shift=0.05)
        result = corrected_t_test(first, second, n_train=9, n_test=1, larger_is_better=larger)
        assert result.mean_difference > 0
        assert result.better == better
        turned = corrected_t_test(second, first, n_train=9, n_test=1, larger_is_better=larger)
        assert turned.t_statistic == pytest.approx(-result.t_statistic)
        assert {result.better, turned.better} == {"first", "second"}


class TestNoVariance:
    @pytest.mark.parametrize("sign", [1, -1])
    def test_always_the_same_difference(self, sign):
        # In binary these differences are not quite the same.
        first, second = np.array([0.81, 0.71, 0.91, 0.06]), np.array([0.80, 0.70, 0.90, 0.05])
        assert len(set(first - second)) > 1
        result = corrected_t_test(sign * first, sign * second, **ten_fold)
        assert (result.t_statistic, result.p_value) == (sign * np.inf, 0)
        assert result.interval == pytest.approx((sign * 0.01, sign * 0.01))
        assert result.better == ("first" if sign > 0 else "second")

    def test_rounding_errors_are_no_difference(self):
        result = corrected_t_test([0.1 + 0.2, 0.7, 0.5], [0.3, 0.7, 0.5], **ten_fold)
        assert (result.mean_difference, result.t_statistic, result.p_value) == (0, 0, 1)

    def test_small_scores_keep_their_differences(self):
        first, second = scores_of_runs(2, shape=(10,))
        small, plain = (
            corrected_t_test(unit * first, unit * second, n_train=9, n_test=1, larger_is_better=True)
            for unit in (1e-30, 1)
        )
        assert small.t_statistic == pytest.approx(plain.t_statistic)


class TestBadInput:
    @pytest.mark.parametrize(
        ("first", "second", "message"),
        [
            ([1, 2, 3], [1, 2], r"first has shape \(3,\) and second \(2,\)"),
            (np.ones((2, 3)), np.ones(6), r"first has shape \(2, 3\) and second \(6,\)"),
            ([1], [2], "have 1 scores each, but 2 or more are needed"),
            ([1, 2, np.nan], [1, 2, 3], "first has nan at position 2, counted from 0"),
            (
                [[1, 2], [3, 4]],
                [[1, 2], [np.inf, np.nan]],
                r"inf at position \(1, 0\).* \(and 1 more\)",
            ),
            (["a", "b"], [1, 2], "first must be numbers"),
            (np.ones((2, 2, 2)), np.ones((2, 2, 2)), r"first has shape \(2, 2, 2\)"),
        ],
    )
    def test_scores(self, first, second, message):
        with pytest.raises(ValueError, match=message):
            corrected_t_test(first, second, **ten_fold)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"n_train": 0}, "n_train=0 must be positive"),
            ({"n_test": -3}, "n_test=-3 is out of range"),
            ({"n_train": np.nan}, "n_train=nan is out of range"),
            ({"alpha": 1.5}, r"alpha=1\.5 must be"),
        ],
    )
    def test_settings(self, changes, message):
        with pytest.raises(ValueError, match=message):
            corrected_t_test([1, 2], [2, 4], **(ten_fold | changes))


def test_text_and_table_say_the_same():
    result = corrected_t_test([1, 2, 3, 4, 5], [0] * 5, n_train=100, n_test=20, larger_is_better=False)
    assert str(result) == (
        "Corrected resampled t-test, 5 runs with 100 cases for training and 20 for testing (smaller is better): "
        "first - second = 3 [0.2236, 5.776], t(4) = 3.000, p = 0.0399: second is better at 0.05"
    )
    row = result.table().to_frame().iloc[0]
    assert row["p"] == result.p_value
    assert (row["low"], row["high"]) == result.interval
    assert row["better"] == "second"
    for text in (str(result.table()), result.table().to_markdown(), result.table().to_latex()):
        assert all(cell in text for cell in ("0.2236", "5.776", "0.0399", "second"))
    level = corrected_t_test([1, 2], [1, 2], **ten_fold)
    assert str(level).endswith("no significant difference at 0.05")
    assert "neither" in str(level.table())


def test_series_are_paired_by_their_names():
    rng = np.random.default_rng(5)
    first, second = (pd.Series(rng.normal(size=6), index=list("abcdef")) for _ in range(2))
    expected = corrected_t_test(first, second, **ten_fold)
    assert corrected_t_test(first, second.iloc[::-1], **ten_fold).p_value == pytest.approx(expected.p_value)
    with pytest.raises(ValueError, match="different rows in their indexes"):
        corrected_t_test(first, second.rename({"a": "z"}), **ten_fold)
