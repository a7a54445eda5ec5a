"""Groups of methods that do not differ, in words and tables, and the comparison of pairs by signed ranks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import wilcoxon
from statsmodels.stats.multitest import multipletests

from covey.analysis.significance import bonferroni_dunn, holm, nemenyi, wilcoxon_holm
from covey.analysis.significance.comparison import compare_pairs
from covey.analysis.significance.ranks import friedman


def compare(mean_ranks, different, *, control=None, names="abcdefghij"):
    """A comparison in which only the given pairs of methods differ."""
    k = len(mean_ranks)
    methods = tuple(names[:k])
    p_values = np.full((k, k), 0.5)
    for one, other in different:
        first, second = methods.index(one), methods.index(other)
        p_values[first, second] = p_values[second, first] = 0.01
    if control is not None:
        own = methods.index(control)
        p_values[~np.eye(k, dtype=bool) & (np.arange(k)[:, None] != own) & (np.arange(k) != own)] = np.nan
    np.fill_diagonal(p_values, 1.0)
    ranked = friedman(np.tile(np.arange(k, dtype=float), (6, 1)), larger_is_better=True, methods=methods)
    ranked = replace(ranked, mean_ranks=np.array(mean_ranks, dtype=float))
    return compare_pairs(ranked, "Wilcoxon-Holm", 0.05, p_values, control=control)


def test_cliques_are_runs_in_rank_order():
    result = compare([3, 1, 2, 4], [("b", "d"), ("b", "a")])
    assert [result.methods[at] for at in result.order] == ["b", "c", "a", "d"]
    assert result.cliques == [["b", "c"], ["c", "a", "d"]]
    assert result.skipping_pairs == []


def test_a_method_that_differs_from_all_is_in_no_clique():
    result = compare([1, 2, 3], [("a", "b"), ("a", "c")])
    assert result.cliques == [["b", "c"]]
    assert str(result) == (
        "Wilcoxon-Holm test of 3 methods on 6 datasets at alpha = 0.05: 2 of 3 pairs differ significantly. "
        "Groups without a significant difference: b, c. Different from every other method: a."
    )


def test_words_for_all_and_none():
    everything = compare([1, 2, 3], combinations("abc", 2))
    assert everything.cliques == []
    assert str(everything).endswith(
        "3 of 3 pairs differ significantly. Every method differs significantly from every other."
    )
    nothing = compare([1, 2, 3], [])
    assert nothing.cliques == [["a", "b", "c"]]
    assert str(nothing).endswith("0 of 3 pairs differ significantly. No two methods differ significantly.")
    steps = compare([1, 2, 3], [("a", "b"), ("b", "c")])
    assert steps.cliques == []
    assert "Each method differs significantly from the next in rank. Different from every other method: b." in str(
        steps
    )
    assert steps.skipping_pairs == [("a", "c")]


def test_with_a_control_only_its_own_group_counts():
    result = compare([1, 2, 3, 4, 5], [("c", "a"), ("c", "e")], control="c")
    assert result.cliques == [["b", "c", "d"]]
    assert result.skipping_pairs == []
    assert "Significantly better: a. Significantly worse: e. No significant difference: b and d." in str(result)
    assert compare([1, 2, 3], [("a", "b"), ("a", "c")], control="a").cliques == []


def brute_cliques(result):
    ranked = result.order.tolist()
    runs = [
        ranked[i : j + 1]
        for i in range(len(ranked))
        for j in range(i + 1, len(ranked))
        if not result.significant[np.ix_(ranked[i : j + 1], ranked[i : j + 1])].any()
    ]
    maximal = [run for run in runs if not any(set(run) < set(other) for other in runs)]
    return [[result.methods[at] for at in run] for run in maximal]


@st.composite
def comparisons(draw):
    k = draw(st.integers(2, 9))
    ranks = draw(st.permutations(range(1, k + 1)))
    names = "abcdefghij"[:k]
    return compare(ranks, draw(st.lists(st.sampled_from(list(combinations(names, 2))), unique=True)))


@given(comparisons())
@settings(deadline=None, max_examples=200)
def test_cliques_and_skipping_pairs_are_those_of_brute_force(result):
    cliques = result.cliques
    assert cliques == brute_cliques(result)
    ranked = [result.methods[at] for at in result.order]
    together = {pair for clique in cliques for pair in combinations(clique, 2)}
    position = result.methods.index
    alike = [pair for pair in combinations(ranked, 2) if not result.significant[position(pair[0]), position(pair[1])]]
    assert result.skipping_pairs == [pair for pair in alike if pair not in together]


@given(comparisons(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=50)
def test_order_of_methods_is_nothing(result, random):
    k = len(result.methods)
    moved = random.sample(range(k), k)
    other = replace(
        result,
        methods=tuple(result.methods[at] for at in moved),
        mean_ranks=result.mean_ranks[moved],
        p_values=result.p_values[np.ix_(moved, moved)],
        significant=result.significant[np.ix_(moved, moved)],
    )
    assert other.cliques == result.cliques
    assert other.skipping_pairs == result.skipping_pairs
    assert str(other) == str(result)
    assert str(other.table()) == str(result.table())


def test_table_has_ranks_p_values_and_letters():
    table = compare([3, 1, 2, 4], [("b", "d"), ("b", "a")]).table()
    assert list(table.frame.index) == ["b", "c", "a", "d"]
    assert table.frame["mean rank"].tolist() == [1, 2, 3, 4]
    assert table.frame["p against b"].tolist() == [1.0, 0.5, 0.01, 0.01]
    assert table.frame["groups"].tolist() == ["a", "ab", "b", "b"]
    against = compare([1, 2, 3], [("c", "a")], control="c").table()
    assert against.frame["p against c"].tolist() == [0.01, 0.5, 1.0]
    assert against.frame["groups"].tolist() == ["", "a", "a"]


def test_many_groups_are_numbered_and_the_text_stays_short():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(60, 120)) + np.linspace(0, 4, 120)
    result = nemenyi(scores, larger_is_better=True)
    cliques = result.cliques
    assert len(cliques) > 26
    text = str(result)
    assert len(text) < 800
    assert f"; and {len(cliques) - 8} more." in text
    assert f"{cliques[0][0]} to {cliques[0][-1]} ({len(cliques[0])} methods)" in text
    groups = result.table().frame["groups"]
    assert groups[cliques[0][0]] == "1"
    for number in (0, 17):
        assert [name for name in groups.index if str(number + 1) in groups[name].split()] == cliques[number]


def test_says_when_friedmans_test_does_not_reject():
    even = [[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 3, 2]]
    text = str(nemenyi(even, larger_is_better=True))
    assert "The Friedman test finds no difference among the methods at this alpha (p = 0.8" in text
    assert "usual protocol" not in text
    rejected = nemenyi(np.tile([1.0, 2.0, 3.0], (8, 1)), larger_is_better=True)
    assert "Friedman" not in str(rejected)


def test_says_so_if_pairs_differ_though_friedmans_test_does_not_reject():
    rng = np.random.default_rng(0)
    for _ in range(2000):
        result = bonferroni_dunn(rng.random((6, 4)), larger_is_better=True, control="1", alpha=0.1)
        if result.significant.any() and result.friedman.p_value > 0.1:
            break
    else:
        pytest.fail("no such case found")
    assert str(result).endswith(", so by the usual protocol no pair counts as different.")


def test_all_p_values_as_a_table():
    scores = np.arange(24).reshape(8, 3) % 7
    result = nemenyi(scores, larger_is_better=True, methods=["x", "y", "z"])
    table = result.p_table()
    assert list(table.frame.index) == [result.methods[at] for at in result.order]
    at = result.methods.index
    assert table.frame.loc["x", "z"] == result.p_values[at("x"), at("z")]
    assert table.bold.loc["x", "z"] == result.significant[at("x"), at("z")]


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


@pytest.mark.parametrize("compare_all", [nemenyi, wilcoxon_holm, partial(bonferroni_dunn, control="first")])
def test_settings_that_are_refused(compare_all):
    for alpha in (0, 1, 5, -0.1, "0.05"):
        with pytest.raises(ValueError, match="alpha="):
            compare_all(skipping(), larger_is_better=True, alpha=alpha)
    with pytest.raises(TypeError, match="larger_is_better='no'"):
        compare_all(skipping(), larger_is_better="no")
    with pytest.raises(ValueError, match="scores has 1 dataset"):
        compare_all(skipping()[:1], larger_is_better=True)


def test_unknown_names_are_told():
    with pytest.raises(ValueError, match="zero_method='drop' is unknown; choose one of 'wilcox', 'pratt', 'zsplit'"):
        wilcoxon_holm(skipping(), larger_is_better=True, zero_method="drop")
    with pytest.raises(ValueError, match="control='m9' is not among the methods: first, second, wild"):
        bonferroni_dunn(skipping(), larger_is_better=True, control="m9")
