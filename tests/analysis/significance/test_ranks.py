"""Tests on mean ranks: by hand, by their formulas, and as SciPy and scikit-posthocs have them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from scikit_posthocs import posthoc_nemenyi_friedman
from scipy.stats import f as f_distribution, friedmanchisquare, norm, studentized_range

from covey.analysis.significance import bonferroni_dunn, critical_difference, nemenyi
from covey.analysis.significance.ranks import friedman

# Hand-worked: ranks (1, 2, 3), (1, 3, 2), (1.5, 1.5, 3), (2, 1, 3); sums 5.5, 7.5, 11.
HAND = pd.DataFrame(
    {"ada": [0.9, 0.8, 0.7, 0.6], "bag": [0.8, 0.6, 0.7, 0.65], "cart": [0.7, 0.7, 0.5, 0.5]}, index=list("wxyz")
)


SHAPES = st.tuples(st.integers(2, 8), st.integers(2, 6))


SCORES = SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.integers(-4, 4).map(float)))


def test_worked_by_hand():
    result = friedman(HAND, larger_is_better=True)
    assert result.methods == ("ada", "bag", "cart")
    assert result.n_datasets == 4
    np.testing.assert_array_equal(result.ranks, [[1, 2, 3], [1, 3, 2], [1.5, 1.5, 3], [2, 1, 3]])
    np.testing.assert_array_equal(result.mean_ranks, [1.375, 1.875, 2.75])
    plain = 12 * 4 / 12 * (1.375**2 + 1.875**2 + 2.75**2 - 12)
    corrected = plain / (1 - 6 / (4 * 3 * 8))
    assert result.chi_squared == pytest.approx(corrected)
    assert result.f_statistic == pytest.approx(3 * plain / (8 - plain))
    assert result.f_statistic_corrected == pytest.approx(3 * corrected / (8 - corrected))
    assert result.p_value == pytest.approx(f_distribution.sf(result.f_statistic, 2, 6))
    assert result.p_value_corrected == pytest.approx(f_distribution.sf(result.f_statistic_corrected, 2, 6))
    assert result.degrees_of_freedom == (2, 6)
    np.testing.assert_array_equal(result.order, [0, 1, 2])


def test_text_and_table_tell_the_same():
    result = friedman(HAND, larger_is_better=True)
    assert str(result) == (
        "Friedman test of 3 methods on 4 datasets: F(2, 6) = 2.82, p = 0.1371; corrected for ties F = 3.21, "
        "p = 0.1129; with fewer than 5 datasets p-values are rough. Best mean rank: 1.38 (ada)."
    )
    table = result.table()
    assert list(table.frame.index) == ["ada", "bag", "cart"]
    assert table.frame["mean rank"].tolist() == [1.375, 1.875, 2.75]
    assert str(result) in str(table)
    assert "1.38" in str(table)
    reverse = friedman(HAND, larger_is_better=False).table()
    assert list(reverse.frame.index) == ["cart", "bag", "ada"]


def test_text_without_ties_gives_one_f():
    scores = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 3, 2], [1, 2, 3]]
    text = str(friedman(scores, larger_is_better=False, methods=["x", "y", "z"]))
    assert text == "Friedman test of 3 methods on 5 datasets: F(2, 8) = 12.67, p = 0.0033. Best mean rank: 1.00 (x)."


def test_what_differs_by_rounding_ties():
    result = friedman({"a": [0.1 + 0.2] * 6, "b": [0.3] * 6}, larger_is_better=True)
    assert result.mean_ranks.tolist() == [1.5, 1.5]
    assert result.p_value == 1


def test_the_order_of_methods_that_tie_is_nothing():
    """Found by their names, so that groups of Wilcoxon's test do not depend on the order of the columns."""
    first = friedman([[1, 1, 2], [1, 1, 2]], larger_is_better=True, methods=["b", "a", "c"])
    second = friedman([[1, 1, 2], [1, 1, 2]], larger_is_better=True, methods=["a", "b", "c"])
    assert [first.methods[at] for at in first.order] == [second.methods[at] for at in second.order] == ["c", "a", "b"]


def test_a_result_cannot_be_changed_and_shows_itself():
    result = friedman([[1, 2], [1, 2]], larger_is_better=True)
    with pytest.raises(ValueError, match="read-only"):
        result.mean_ranks[0] = 9
    assert repr(result) == str(result)


def test_all_ties():
    result = friedman(np.full((3, 4), 0.5), larger_is_better=True)
    assert (result.chi_squared, result.f_statistic, result.f_statistic_corrected) == (0.0, 0.0, 0.0)
    assert (result.chi_squared_p_value, result.p_value, result.p_value_corrected) == (1.0, 1.0, 1.0)
    np.testing.assert_array_equal(result.mean_ranks, [2.5] * 4)
    assert "all methods tie on every dataset" in str(result)


def test_all_datasets_rank_alike():
    result = friedman(np.tile([0.1, 0.7, 0.3], (5, 1)), larger_is_better=True)
    assert np.isinf(result.f_statistic)
    assert np.isinf(result.f_statistic_corrected)
    assert result.p_value == result.p_value_corrected == 0
    assert result.chi_squared == 10  # the most there can be: n (k - 1)
    assert "F(2, 8) = ∞, p < 0.0001" in str(result)


def test_all_datasets_rank_alike_with_a_tie():
    result = friedman(np.tile([0.1, 0.7, 0.1], (5, 1)), larger_is_better=True)
    assert np.isfinite(result.f_statistic)
    assert np.isinf(result.f_statistic_corrected)
    assert result.p_value_corrected == 0


def test_many_datasets_overflow_nothing():
    scores = np.tile([[1.0, 2.0, 3.0, 4.0]], (200_000, 1))
    scores[0] = scores[0, ::-1]
    result = friedman(scores, larger_is_better=True)
    assert result.chi_squared == pytest.approx(friedmanchisquare(*scores.T).statistic)
    assert result.f_statistic > 1e9


@given(SCORES)
@settings(deadline=None, max_examples=100)
def test_chi_squared_is_scipys(scores):
    result = friedman(scores, larger_is_better=True)
    n, k = scores.shape
    np.testing.assert_allclose(result.ranks.sum(axis=1), k * (k + 1) / 2)
    assert result.mean_ranks.sum() == pytest.approx(k * (k + 1) / 2)
    if k > 2 and np.ptp(scores, axis=1).any():
        expected = friedmanchisquare(*scores.T)
        assert result.chi_squared == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
        assert result.chi_squared_p_value == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)
    chi_squared = 12 * n / (k * (k + 1)) * (np.sum(result.mean_ranks**2) - k * (k + 1) ** 2 / 4)
    rest = n * (k - 1) - chi_squared
    if rest > 1e-9:
        assert result.f_statistic == pytest.approx((n - 1) * chi_squared / rest, rel=1e-6, abs=1e-9)
    assert result.f_statistic_corrected >= result.f_statistic


def same(one, other):
    for name in ("chi_squared", "f_statistic", "p_value", "f_statistic_corrected", "p_value_corrected"):
        assert getattr(one, name) == getattr(other, name), name


@given(SCORES, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=50)
def test_order_of_datasets_and_methods_is_nothing(scores, random):
    n, k = scores.shape
    rows, columns = random.sample(range(n), n), random.sample(range(k), k)
    plain = friedman(scores, larger_is_better=True)
    moved = friedman(scores[np.ix_(rows, columns)], larger_is_better=True, methods=[str(at + 1) for at in columns])
    same(plain, moved)
    np.testing.assert_array_equal(moved.mean_ranks, plain.mean_ranks[columns])
    np.testing.assert_array_equal(moved.ranks, plain.ranks[np.ix_(rows, columns)])
    assert moved.methods == tuple(plain.methods[at] for at in columns)


@given(SCORES, st.data())
@settings(deadline=None, max_examples=50)
def test_only_the_order_of_scores_matters(scores, data):
    plain = friedman(scores, larger_is_better=True)
    grow = data.draw(st.lists(st.sampled_from([np.exp, np.cbrt, lambda x: 3 * x + 7]), min_size=len(scores)))
    transformed = np.array([function(row) for function, row in zip(grow, scores, strict=False)])
    same(plain, friedman(transformed, larger_is_better=True))
    turned = friedman(-scores, larger_is_better=False)
    same(plain, turned)
    np.testing.assert_array_equal(turned.ranks, plain.ranks)


PAIRS_SHAPES = st.tuples(st.integers(2, 12), st.integers(2, 7))


PAIRS_SCORES = PAIRS_SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.integers(-5, 5).map(float)))


ALPHAS = st.sampled_from([0.001, 0.01, 0.05, 0.1, 0.3, 0.7])


def shifted(n, k, seed=0, effect=2.0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(rng.normal(size=(n, k)) + effect * np.linspace(0, 1, k), columns=[f"m{at}" for at in range(k)])


@pytest.mark.parametrize(("k", "n", "alpha"), [(2, 2, 0.05), (3, 10, 0.01), (6, 30, 0.1), (40, 25, 0.05)])
def test_critical_difference_is_the_formula(k, n, alpha):
    expected = studentized_range.isf(alpha, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n))
    assert critical_difference(k, n, alpha) == pytest.approx(expected, rel=1e-7)


def test_critical_difference_names_what_is_wrong():
    with pytest.raises(ValueError, match="n_methods=1 is too small; give a whole number of at least 2"):
        critical_difference(1, 10)
    with pytest.raises(ValueError, match=r"alpha=1\.0"):
        critical_difference(5, 10, 1.0)
    assert critical_difference(np.int64(5), np.int32(16), 0.1) == critical_difference(5, 16, 0.1)


def test_nemenyi_agrees_with_scikit_posthocs_and_scipy():
    scores = shifted(12, 6)
    result = nemenyi(scores, larger_is_better=True)
    np.testing.assert_allclose(result.p_values, posthoc_nemenyi_friedman(scores), rtol=1e-6, atol=1e-12)
    gaps = np.abs(result.mean_ranks[:, None] - result.mean_ranks)
    expected = studentized_range.sf(gaps * np.sqrt(2) / np.sqrt(6 * 7 / (6 * 12)), 6, np.inf)
    np.testing.assert_allclose(result.p_values, expected, rtol=1e-6, atol=1e-12)
    assert (result.test, result.control, result.alpha, result.n_datasets) == ("Nemenyi", None, 0.05, 12)
    assert result.critical_difference == critical_difference(6, 12, 0.05)


def test_bonferroni_dunn_is_the_formula():
    scores = shifted(12, 6)
    result = bonferroni_dunn(scores, larger_is_better=True, control="m2")
    z = np.abs(result.mean_ranks - result.mean_ranks[2]) / np.sqrt(6 * 7 / (6 * 12))
    expected = np.minimum(1, 5 * 2 * norm.sf(z))
    np.testing.assert_allclose(np.delete(result.p_values[2], 2), np.delete(expected, 2), rtol=1e-12)
    np.testing.assert_array_equal(result.p_values, result.p_values.T)
    np.testing.assert_array_equal(np.diag(result.p_values), 1)
    others = np.delete(np.delete(result.p_values, 2, axis=0), 2, axis=1)
    assert np.isnan(others[~np.eye(5, dtype=bool)]).all()
    assert not np.delete(np.delete(result.significant, 2, axis=0), 2, axis=1).any()
    assert result.critical_difference == pytest.approx(norm.isf(0.05 / 10) * np.sqrt(6 * 7 / (6 * 12)))
    assert (result.test, result.control) == ("Bonferroni-Dunn", "m2")


def test_bonferroni_dunn_of_demsars_example():
    # Section 3.2.2 of Demšar (2006), four methods on 14 datasets: 1.16 at 5 % (1.168, cut off) and 1.04 at 10 %.
    scores = shifted(14, 4)
    for alpha, printed in ((0.05, 1.16), (0.10, 1.04)):
        result = bonferroni_dunn(scores, larger_is_better=True, control="m0", alpha=alpha)
        assert result.critical_difference == pytest.approx(printed, abs=0.0101)


def test_ranks_at_hand_give_the_same():
    scores = shifted(12, 5)
    ranked = friedman(scores, larger_is_better=True)
    for one, other in (
        (ranked.nemenyi(0.1), nemenyi(scores, larger_is_better=True, alpha=0.1)),
        (ranked.bonferroni_dunn("m4"), bonferroni_dunn(scores, larger_is_better=True, control="m4")),
    ):
        np.testing.assert_array_equal(one.p_values, other.p_values)
        assert str(one) == str(other)
        assert one.friedman is ranked


@given(PAIRS_SCORES, ALPHAS)
@settings(deadline=None, max_examples=60)
def test_p_values_critical_difference_and_verdicts_agree(scores, alpha):
    results = [nemenyi(scores, larger_is_better=True, alpha=alpha)]
    results.append(results[0].friedman.bonferroni_dunn("2", alpha))
    for result in results:
        compared = ~np.isnan(result.p_values)
        gaps = np.abs(result.mean_ranks[:, None] - result.mean_ranks)
        np.testing.assert_array_equal(result.significant[compared], (result.p_values <= alpha)[compared])
        np.testing.assert_array_equal(result.significant[compared], (gaps >= result.critical_difference)[compared])
        np.testing.assert_array_equal(result.significant, result.significant.T)
        assert not result.significant[~compared].any()
        assert result.skipping_pairs == []


def test_equal_gaps_get_the_same_verdict():
    # Mean ranks in thirds: 4/3, 2, 8/3 and others, whose differences of 2/3 are not the same in floating point.
    scores = np.array([[1, 2, 3, 4, 5, 6, 7]] * 2 + [[2, 1, 3, 5, 4, 6, 7]], dtype=float)
    result = nemenyi(scores, larger_is_better=False)
    gaps = result.friedman.rank_gaps
    for gap in np.unique(gaps):
        assert len(np.unique(result.p_values[gaps == gap])) == 1
    own = float(result.p_values[0, 6])
    at_its_own_level = nemenyi(scores, larger_is_better=False, alpha=own)
    assert at_its_own_level.significant[0, 6]
    assert at_its_own_level.critical_difference == pytest.approx(gaps[0, 6] / 6, rel=1e-12)


def test_all_ties_differ_nowhere():
    for result in (
        nemenyi(np.zeros((4, 3)), larger_is_better=True),
        bonferroni_dunn(np.zeros((4, 3)), larger_is_better=True, control="1"),
    ):
        assert not result.significant.any()
        assert result.cliques == [["1", "2", "3"]]
        assert "(p = 1.0000)" in str(result)
