from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import f as f_distribution, friedmanchisquare

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


def test_two_methods():
    result = friedman([[1, 2], [1, 2], [2, 1], [1, 2], [1, 2]], larger_is_better=True)
    assert result.chi_squared == pytest.approx(1.8)
    assert result.f_statistic == pytest.approx(4 * 1.8 / (5 - 1.8))
    assert result.degrees_of_freedom == (1, 4)


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


def test_reads_frames_mappings_and_arrays_alike():
    frame = friedman(HAND, larger_is_better=True)
    mapping = friedman({name: HAND[name].tolist() for name in HAND}, larger_is_better=True)
    array = friedman(HAND.to_numpy(), larger_is_better=True, methods=list(HAND), datasets=list(HAND.index))
    assert frame.methods == mapping.methods == array.methods
    same(frame, mapping)
    same(frame, array)


def test_bad_input_is_named():
    with pytest.raises(TypeError, match="larger_is_better"):
        friedman(HAND)
    for wrong in (None, "yes", 1):
        with pytest.raises(TypeError, match="larger_is_better="):
            friedman(HAND, larger_is_better=wrong)
    with pytest.raises(ValueError, match="scores has 1 method"):
        friedman(HAND[["ada"]], larger_is_better=True)
    with pytest.raises(ValueError, match="scores has 1 dataset"):
        friedman(HAND.iloc[:1], larger_is_better=True)
    holed = HAND.copy()
    holed.loc["x", "bag"] = np.nan
    with pytest.raises(ValueError, match="nan for method 'bag' on dataset 'x'"):
        friedman(holed, larger_is_better=True)
