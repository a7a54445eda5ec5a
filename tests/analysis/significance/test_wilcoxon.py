from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import wilcoxon
from statsmodels.stats.multitest import multipletests

from covey.analysis.significance import holm, wilcoxon_holm
from covey.analysis.significance.ranks import friedman

P_VALUES = arrays(np.float64, st.integers(0, 30), elements=st.floats(0, 1))
SHAPES = st.tuples(st.integers(2, 8), st.integers(2, 5))
SCORES = SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.integers(-5, 5).map(float)))


def plain_holm(p_values):
    """Holm's rule read out: each p times how many are not below it, and never less than that of a smaller one."""
    m = len(p_values)
    steps = {p: min(1.0, (m - sum(other < p for other in p_values)) * p) for p in p_values}
    return np.array([max(step for other, step in steps.items() if other <= p) for p in p_values])


def pair_by_pair(scores, zero_method):
    k = scores.shape[1]
    raw = []
    for i, j in combinations(range(k), 2):
        gaps = scores[:, i] - scores[:, j]
        raw.append(wilcoxon(gaps, zero_method=zero_method).pvalue if gaps.any() else 1.0)
    p_values = np.ones((k, k))
    p_values[np.triu_indices(k, 1)] = plain_holm(raw)
    return np.minimum(p_values, p_values.T)


@given(P_VALUES)
@settings(deadline=None, max_examples=100)
def test_holm_is_what_the_rule_says(p_values):
    adjusted = holm(p_values)
    np.testing.assert_allclose(adjusted, plain_holm(p_values.tolist()), rtol=1e-12)
    assert (adjusted >= p_values).all()


@pytest.mark.parametrize("m", [1, 3, 40])
def test_holm_is_that_of_statsmodels(m):
    p_values = np.random.default_rng(m).random(m).round(2) ** 3
    np.testing.assert_allclose(holm(p_values), multipletests(p_values, method="holm")[1], rtol=1e-12)


def test_holm_by_hand():
    np.testing.assert_allclose(holm([0.04, 0.01, 0.03, 0.9]), [0.09, 0.04, 0.09, 0.9])
    np.testing.assert_allclose(holm([0.5, 0.6]), [1, 1])


def test_holm_names_what_is_wrong():
    with pytest.raises(ValueError, match="p_values has nan"):
        holm([0.1, np.nan])
    with pytest.raises(ValueError, match=r"p_values has 1\.5"):
        holm([0.1, 1.5])
    with pytest.raises(ValueError, match=r"shape \(2, 2\)"):
        holm(np.ones((2, 2)))


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize(("n", "values"), [(7, 9), (8, 4), (20, 30), (20, 10**9), (60, 12), (60, 10**9)])
def test_agrees_with_scipy_pair_by_pair(n, values, zero_method):
    scores = np.random.default_rng(n + values).integers(0, values, size=(n, 4)) + np.arange(4.0) * values / 8
    scores = np.floor(scores)
    result = wilcoxon_holm(scores, larger_is_better=True, zero_method=zero_method)
    np.testing.assert_allclose(result.p_values, pair_by_pair(scores, zero_method), rtol=1e-10)
    np.testing.assert_array_equal(result.significant, result.p_values <= 0.05)


def test_result_is_a_rank_comparison():
    scores = pd.DataFrame(np.random.default_rng(1).normal(size=(15, 3)), columns=list("abc")).add([0.0, 2.0, 4.0])
    result = wilcoxon_holm(scores, larger_is_better=True)
    assert (result.test, result.methods, result.n_datasets) == ("Wilcoxon-Holm", ("a", "b", "c"), 15)
    assert result.critical_difference is None
    assert result.control is None
    np.testing.assert_array_equal(result.mean_ranks, friedman(scores, larger_is_better=True).mean_ranks)
    assert [result.methods[at] for at in result.order] == ["c", "b", "a"]
    assert "3 of 3 pairs differ significantly. Every method differs significantly from every other." in str(result)
    reverse = wilcoxon_holm(scores, larger_is_better=False)
    np.testing.assert_array_equal(reverse.p_values, result.p_values)
    assert [reverse.methods[at] for at in reverse.order] == ["a", "b", "c"]


def test_differences_that_are_equal_as_decimals_tie():
    whole = np.random.default_rng(4).integers(5000, 5040, size=(30, 4)) + np.arange(4) * 5
    exact = wilcoxon_holm(whole, larger_is_better=True).p_values
    for scaled in (whole / 100, whole / 768, whole / 5017, 0.1 + whole / 1000):
        assert len(np.unique(scaled[:, 0] - scaled[:, 1])) > len(np.unique(whole[:, 0] - whole[:, 1]))
        np.testing.assert_array_equal(wilcoxon_holm(scaled, larger_is_better=True).p_values, exact)


def test_tiny_and_huge_scores_keep_their_differences():
    scores = np.random.default_rng(5).integers(1, 1000, size=(20, 3)).astype(float)
    plain = wilcoxon_holm(scores, larger_is_better=True).p_values
    for scale in (2.0**-1000, 2.0**-60, 2.0**60, 2.0**1000):
        np.testing.assert_array_equal(wilcoxon_holm(scores * scale, larger_is_better=True).p_values, plain)


def test_a_pair_that_never_differs_has_p_1():
    scores = np.random.default_rng(2).normal(size=(20, 2))
    result = wilcoxon_holm(np.column_stack([scores, scores[:, 0]]), larger_is_better=True)
    assert result.p_values[0, 2] == 1
    assert not result.significant[0, 2]
    ties = wilcoxon_holm(np.ones((5, 3)), larger_is_better=True)
    np.testing.assert_array_equal(ties.p_values, 1)
    assert "No two methods differ significantly" in str(ties)


def skipping():
    """Scores of three methods: the second is always a little worse than the first, the last sometimes much better."""
    rng = np.random.default_rng(0)
    first = rng.normal(size=20)
    second = first - rng.uniform(0.001, 0.01, size=20)
    wild = first + np.where(np.arange(20) < 6, 5.0, -2.0) * rng.uniform(0.9, 1.1, size=20)
    return pd.DataFrame({"first": first, "second": second, "wild": wild})


def test_skipping_pairs_occur_and_are_flagged():
    result = wilcoxon_holm(skipping(), larger_is_better=True)
    assert [result.methods[at] for at in result.order] == ["first", "second", "wild"]
    assert result.significant[0, 1]
    assert result.cliques == [["second", "wild"]]
    assert result.skipping_pairs == [("first", "wild")]
    assert "so that no bar can show them: first and wild." in str(result)


@given(SCORES, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=50)
def test_order_and_direction_are_nothing(scores, random):
    n, k = scores.shape
    rows, columns = random.sample(range(n), n), random.sample(range(k), k)
    plain = wilcoxon_holm(scores, larger_is_better=True, alpha=0.2)
    moved = wilcoxon_holm(scores[np.ix_(rows, columns)], larger_is_better=True, alpha=0.2)
    np.testing.assert_allclose(moved.p_values, plain.p_values[np.ix_(columns, columns)], rtol=1e-12)
    turned = wilcoxon_holm(-scores, larger_is_better=False, alpha=0.2)
    np.testing.assert_allclose(turned.p_values, plain.p_values, rtol=1e-12)
    assert turned.cliques == plain.cliques
    for clique in plain.cliques:
        at = [plain.methods.index(name) for name in clique]
        assert not plain.significant[np.ix_(at, at)].any()


def test_bad_input_is_named():
    scores = skipping()
    with pytest.raises(ValueError, match="zero_method='drop' must be one of 'wilcox', 'pratt', 'zsplit'"):
        wilcoxon_holm(scores, larger_is_better=True, zero_method="drop")
    with pytest.raises(ValueError, match="alpha=2"):
        wilcoxon_holm(scores, larger_is_better=True, alpha=2)
    with pytest.raises(TypeError, match="larger_is_better=None"):
        wilcoxon_holm(scores, larger_is_better=None)
    with pytest.raises(ValueError, match="scores has 1 method"):
        wilcoxon_holm(scores[["wild"]], larger_is_better=True)
    with pytest.raises(ValueError, match="scores has 1 dataset"):
        wilcoxon_holm(scores[:1], larger_is_better=True)
    with pytest.raises(ValueError, match="nan for method 'wild' on dataset '0'"):
        wilcoxon_holm(scores.assign(wild=np.nan), larger_is_better=True)
