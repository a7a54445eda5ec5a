from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.analysis.significance import bonferroni_dunn, nemenyi
from covey.analysis.significance.comparison import RankComparison
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
    scores = np.tile(np.arange(k, dtype=float), (6, 1))
    return RankComparison(
        test="Wilcoxon-Holm",
        methods=methods,
        mean_ranks=np.array(mean_ranks, dtype=float),
        n_datasets=6,
        alpha=0.05,
        p_values=p_values,
        significant=p_values <= 0.05,
        critical_difference=None,
        control=control,
        friedman=friedman(scores, larger_is_better=True, methods=methods),
    )


def test_cliques_are_runs_in_rank_order():
    result = compare([3, 1, 2, 4], [("b", "d"), ("b", "a")])
    assert [result.methods[at] for at in result.order] == ["b", "c", "a", "d"]
    assert result.cliques == [["b", "c"], ["c", "a", "d"]]
    assert result.skipping_pairs == []


def test_equal_ranks_keep_the_order_given():
    assert compare([2, 1, 2, 2], []).order.tolist() == [1, 0, 2, 3]


def test_a_method_that_differs_from_all_is_in_no_clique():
    result = compare([1, 2, 3], [("a", "b"), ("a", "c")])
    assert result.cliques == [["b", "c"]]
    assert str(result) == (
        "Wilcoxon-Holm test of 3 methods on 6 datasets at alpha = 0.05: 2 of 3 pairs differ significantly. "
        "Groups without a significant difference: b, c. Different from every other method: a."
    )


def test_pairs_that_skip_a_member_are_flagged():
    result = compare([1, 2, 3, 4], [("a", "b"), ("a", "d")])
    assert result.cliques == [["b", "c", "d"]]
    assert result.skipping_pairs == [("a", "c")]
    assert "so that no bar can show them: a and c." in str(result)


def test_a_pair_may_skip_over_others_that_differ():
    result = compare([1, 2, 3, 4], [("b", "c")])
    assert result.cliques == [["a", "b"], ["c", "d"]]
    assert result.skipping_pairs == [("a", "c"), ("a", "d"), ("b", "d")]


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
    assert "Significantly better: a. Significantly worse: e. No significant difference: b, d." in str(result)
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
    other = RankComparison(
        result.test,
        tuple(result.methods[at] for at in moved),
        result.mean_ranks[moved],
        result.n_datasets,
        result.alpha,
        result.p_values[np.ix_(moved, moved)],
        result.significant[np.ix_(moved, moved)],
        None,
        None,
        result.friedman,
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


def test_the_printed_critical_difference_tells_the_same_as_the_verdicts():
    scores = np.tile(np.arange(5.0), (16, 1))
    result = nemenyi(scores, larger_is_better=False, alpha=0.1)
    assert "differ by 1.375 or more" in str(result)
    # At an alpha a little below the p-value of a pair, the critical difference is a little above its gap of 1.
    closest = nemenyi(scores, larger_is_better=False, alpha=float(result.p_values[0, 1]) * (1 - 1e-7))
    assert not closest.significant[0, 1]
    printed = float(str(closest).split("differ by ")[1].split(" or more")[0])
    assert 1 < printed < 1 + 1e-6


def test_all_p_values_as_a_table():
    from covey.analysis.significance import nemenyi

    scores = np.arange(24).reshape(8, 3) % 7
    result = nemenyi(scores, larger_is_better=True, methods=["x", "y", "z"])
    table = result.p_table()
    assert list(table.frame.index) == [result.methods[at] for at in result.order]
    at = result.methods.index
    assert table.frame.loc["x", "z"] == result.p_values[at("x"), at("z")]
    assert table.bold.loc["x", "z"] == result.significant[at("x"), at("z")]
