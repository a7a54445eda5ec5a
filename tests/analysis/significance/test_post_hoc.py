from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from scikit_posthocs import posthoc_nemenyi_friedman
from scipy.stats import norm, studentized_range

from covey.analysis.significance import bonferroni_dunn, critical_difference, nemenyi
from covey.analysis.significance.ranks import friedman

SHAPES = st.tuples(st.integers(2, 12), st.integers(2, 7))
SCORES = SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.integers(-5, 5).map(float)))
ALPHAS = st.sampled_from([0.001, 0.01, 0.05, 0.1, 0.3, 0.7])


def shifted(n, k, seed=0, effect=2.0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(rng.normal(size=(n, k)) + effect * np.linspace(0, 1, k), columns=[f"m{at}" for at in range(k)])


@pytest.mark.parametrize(("k", "n", "alpha"), [(2, 2, 0.05), (3, 10, 0.01), (6, 30, 0.1), (40, 25, 0.05)])
def test_critical_difference_is_the_formula(k, n, alpha):
    expected = studentized_range.isf(alpha, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n))
    assert critical_difference(k, n, alpha) == pytest.approx(expected, rel=1e-7)


def test_critical_difference_of_demsars_example():
    assert critical_difference(4, 14, 0.05) == pytest.approx(1.25, abs=0.005)  # section 3.2.2 of Demšar (2006)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)


def test_critical_difference_names_what_is_wrong():
    with pytest.raises(ValueError, match="n_methods=1 is too small; give a whole number of at least 2"):
        critical_difference(1, 10)
    with pytest.raises(ValueError, match="n_datasets=1 is too small; give a whole number of at least 2"):
        critical_difference(5, 1)
    with pytest.raises(TypeError, match=r"n_datasets=10\.0 must be an integer; give a whole number"):
        critical_difference(5, 10.0)
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


def test_two_methods_of_either_test_are_the_same():
    scores = shifted(9, 2)
    both = nemenyi(scores, larger_is_better=True)
    one = bonferroni_dunn(scores, larger_is_better=True, control="m1")
    np.testing.assert_allclose(both.p_values, one.p_values, rtol=1e-11)
    assert both.critical_difference == pytest.approx(one.critical_difference)


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


@given(SCORES, ALPHAS)
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


@given(SCORES, ALPHAS)
@settings(deadline=None, max_examples=60)
def test_cliques_hold_no_significant_pair_and_cannot_be_longer(scores, alpha):
    result = nemenyi(scores, larger_is_better=True, alpha=alpha)
    ranked = [result.methods[at] for at in result.order]
    for clique in result.cliques:
        at = [result.methods.index(name) for name in clique]
        assert not result.significant[np.ix_(at, at)].any()
        first = ranked.index(clique[0])
        last = first + len(clique) - 1
        assert ranked[first : last + 1] == clique
        for neighbour in (first - 1, last + 1):
            if 0 <= neighbour < len(ranked):
                assert result.significant[result.methods.index(ranked[neighbour]), at].any()


@given(SCORES, ALPHAS, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=50)
def test_order_direction_and_scale_are_nothing(scores, alpha, random):
    n, k = scores.shape
    rows, columns = random.sample(range(n), n), random.sample(range(k), k)
    plain = nemenyi(scores, larger_is_better=True, alpha=alpha)
    moved = nemenyi(
        scores[np.ix_(rows, columns)],
        larger_is_better=True,
        alpha=alpha,
        methods=[str(at + 1) for at in columns],
    )
    np.testing.assert_array_equal(moved.significant, plain.significant[np.ix_(columns, columns)])
    np.testing.assert_array_equal(moved.p_values, plain.p_values[np.ix_(columns, columns)])
    if len(set(plain.mean_ranks)) == k:
        assert moved.cliques == plain.cliques
    for other in (
        nemenyi(-scores, larger_is_better=False, alpha=alpha),
        nemenyi(np.exp(scores) * (1 + np.arange(n)[:, None]), larger_is_better=True, alpha=alpha),
    ):
        np.testing.assert_array_equal(other.p_values, plain.p_values)
        assert other.cliques == plain.cliques
        assert str(other) == str(plain)


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


def test_many_methods():
    scores = shifted(30, 300, effect=4.0)
    result = nemenyi(scores, larger_is_better=True)
    at = np.linspace(0, 299, 25).astype(int)
    z = np.abs(result.mean_ranks[at, None] - result.mean_ranks[at]) * np.sqrt(2) / np.sqrt(300 * 301 / (6 * 30))
    expected = studentized_range.sf(z, 300, np.inf)
    np.testing.assert_allclose(result.p_values[np.ix_(at, at)], expected, rtol=1e-5, atol=1e-9)


def test_bad_input_is_named():
    scores = shifted(5, 3)
    with pytest.raises(ValueError, match="control='m9' is not among the methods: m0, m1, m2"):
        bonferroni_dunn(scores, larger_is_better=True, control="m9")
    for alpha in (0, 1, 5, -0.1, "0.05"):
        with pytest.raises(ValueError, match="alpha="):
            nemenyi(scores, larger_is_better=True, alpha=alpha)
        with pytest.raises(ValueError, match="alpha="):
            friedman(scores, larger_is_better=True).bonferroni_dunn("m0", alpha)
    with pytest.raises(TypeError, match="larger_is_better"):
        nemenyi(scores)
    with pytest.raises(TypeError, match="larger_is_better='no'"):
        bonferroni_dunn(scores, larger_is_better="no", control="m0")
    with pytest.raises(ValueError, match="scores has 1 method"):
        nemenyi(scores[["m0"]], larger_is_better=True)
    with pytest.raises(ValueError, match="scores has 1 dataset"):
        nemenyi(scores[:1], larger_is_better=True)
    with pytest.raises(ValueError, match="nan for method 'm1' on dataset '0'"):
        nemenyi(scores.assign(m1=np.nan), larger_is_better=True)
