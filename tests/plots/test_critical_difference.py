"""Critical-difference diagrams: the published ones, and that nothing crosses or overlaps in any."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey.analysis.significance import bonferroni_dunn, nemenyi, wilcoxon_holm
from covey.plots.critical_difference import APART, critical_difference_diagram, draw_critical_difference
from plots.drawn import extents, is_on_page, names_of, overlapping, published_accuracies


def random_scores(n_datasets=60, n_methods=40, slope=2.5, name="method"):
    noise = np.random.default_rng(0).normal(size=(n_datasets, n_methods))
    return pd.DataFrame(noise + np.linspace(0, slope, n_methods), columns=[f"{name} {i}" for i in range(n_methods)])


def diagram_of(scores, alpha=0.1, test=nemenyi, **options):
    return critical_difference_diagram(test(scores, larger_is_better=True, alpha=alpha, **options))


def test_five_methods_as_published_accuracies():
    diagram = diagram_of(published_accuracies(4))
    assert diagram.methods == ("rotation-forest", "alpha-rsse", "random-forest", "random-committee", "random-subspace")
    assert diagram.numbers == ["1.53", "2.09", "3.50", "3.88", "4.00"]
    assert diagram.critical_difference == pytest.approx(1.375, abs=5e-4)
    assert [bar.methods for bar in diagram.bars] == [diagram.methods[:2], diagram.methods[2:]]
    assert [bar.level for bar in diagram.bars] == [0, 0]
    assert diagram.axis == (1, 5)
    assert diagram.n_left == 3
    # Outer methods nearest the axis: the first three on the left, the last at the top of the right.
    np.testing.assert_allclose(diagram.depths - diagram.depths[0], [0, 1, 2, 1, 0])
    assert diagram.title == "Nemenyi test of 5 methods on 16 datasets, alpha = 0.1"
    assert "rotation-forest 1.53, alpha-rsse 2.09" in diagram.description
    assert "Critical difference 1.375. Bars join rotation-forest, alpha-rsse; random-forest," in diagram.description


def test_ten_methods_as_published_accuracies():
    diagram = diagram_of(published_accuracies(2, 4))
    assert diagram.critical_difference == pytest.approx(3.1257, abs=2e-4)  # the paper rounds q to 2.920
    assert [(bar.methods[0], bar.methods[-1], bar.level) for bar in diagram.bars] == [
        ("rotation-forest", "alpha-rsse", 0),
        ("alpha-rsse", "random-forest", 1),
        ("alphabeta-rse", "bagging", 0),
    ]
    # Two methods share a mean rank: their lines part below the bars.
    twins = [diagram.methods.index(name) for name in ("adaboost", "alpha-rse")]
    assert np.ptp(diagram.ranks[twins]) == 0
    assert np.ptp(diagram.feet[twins]) >= 9 * APART * 0.999
    assert diagram.fan[1] > diagram.fan[0]


def test_a_control_has_an_interval_instead_of_bars():
    diagram = diagram_of(published_accuracies(2, 4), test=bonferroni_dunn, control="alphabeta-rse")
    assert diagram.bars == ()
    assert diagram.methods[diagram.control] == "alphabeta-rse"
    rank = diagram.ranks[diagram.control]
    np.testing.assert_allclose(
        diagram.interval, [rank - diagram.critical_difference, rank + diagram.critical_difference]
    )
    low, high = diagram.interval
    inside = [name for name, at in zip(diagram.methods, diagram.ranks, strict=True) if low < at < high]
    assert sorted([*diagram.alike, "alphabeta-rse"]) == sorted(inside)
    assert "rotation-forest" not in diagram.alike
    assert f"Not significantly different from alphabeta-rse: {', '.join(diagram.alike)}." in diagram.description


def test_pairs_that_no_bar_can_join_are_told():
    comparison = wilcoxon_holm(published_accuracies(2, 4), larger_is_better=True, alpha=0.1)
    diagram = critical_difference_diagram(comparison)
    assert diagram.critical_difference is None
    assert comparison.skipping_pairs
    (note,) = (note for note in diagram.notes if "either" in note)
    for first, second in comparison.skipping_pairs:
        assert f"{first} and {second}" in note
    many = critical_difference_diagram(wilcoxon_holm(random_scores(), larger_is_better=True, alpha=0.1))
    assert any("more pairs" in note for note in many.notes)


def test_no_difference_at_all_is_told():
    diagram = diagram_of(random_scores(20, 4, slope=0))
    assert [bar.methods for bar in diagram.bars] == [diagram.methods]
    assert any("The Friedman test finds no difference" in note for note in diagram.notes)
    assert not any("Friedman" in note for note in diagram_of(published_accuracies(4)).notes)


def test_the_axis_is_narrowed_when_there_are_many_methods():
    assert diagram_of(random_scores(20, 10, slope=0)).axis == (1, 10)
    many = diagram_of(random_scores(500, 40, slope=0))
    low, high = many.axis
    assert low <= many.ranks.min()
    assert many.ranks.max() <= high
    assert high - low < 12
    # Five datasets: the critical difference is most of the axis, which has room for it.
    few = diagram_of(random_scores(5, 40))
    assert few.axis[1] - few.axis[0] >= few.critical_difference
    assert few.axis[0] >= 1
    assert few.axis[1] <= 40


scores = st.integers(2, 45).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 6), min_size=k, max_size=k), min_size=2, max_size=12)
)


@settings(deadline=None, max_examples=40)
@given(scores, st.sampled_from([0.01, 0.1, 0.5]))
def test_nothing_crosses_or_overlaps(rows, alpha):
    comparison = nemenyi(np.array(rows, dtype=float), larger_is_better=True, alpha=alpha)
    diagram = critical_difference_diagram(comparison)
    k, (low, high) = len(diagram.methods), diagram.axis
    # Names of one side are a line apart or more, below all bars.
    for side in (diagram.depths[: diagram.n_left], diagram.depths[diagram.n_left :]):
        assert (np.diff(np.sort(side)) >= 1 - 1e-9).all()
    assert (diagram.depths > diagram.fan[1]).all()
    # Lines are in the order of ranks, apart, and on the axis.
    assert (np.diff(diagram.feet) >= min(APART, 1 / (k - 1)) * (high - low) * (1 - 1e-6)).all()
    assert low - 1e-9 <= diagram.feet[0]
    assert diagram.feet[-1] <= high + 1e-9
    lines = [diagram.line(method) for method in range(k)]
    assert not any(crosses(one, other) for one, other in combinations(lines, 2))
    for rank, name, line in zip(diagram.ranks, diagram.methods, lines, strict=True):
        assert tuple(line[0]) == (rank, 0)
        assert rank == comparison.mean_ranks[comparison.methods.index(name)]
    # Bars are the cliques, from their first rank to their last, and those of one level are apart.
    assert [list(bar.methods) for bar in diagram.bars] == comparison.cliques
    for bar in diagram.bars:
        ranks = [diagram.ranks[diagram.methods.index(name)] for name in bar.methods]
        assert (bar.start, bar.end) == (min(ranks), max(ranks))
    for one, other in combinations(diagram.bars, 2):
        assert one.level != other.level or one.end < other.start


def crosses(one, other):
    """Whether two lines of corners cross, not only touch."""

    def side(a, b, c):
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        return 0 if abs(area) < 1e-12 else np.sign(area)

    return any(
        side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        for a, b in pairwise(one)
        for c, d in pairwise(other)
    )


def test_crossing_lines_are_found():
    assert crosses([(0, 0), (2, 2)], [(0, 2), (2, 0)])
    assert not crosses([(0, 0), (2, 2)], [(0, 0), (2, 0)])


@pytest.mark.parametrize(
    "make",
    [
        lambda: diagram_of(published_accuracies(4)),
        lambda: diagram_of(published_accuracies(2, 4), test=bonferroni_dunn, control="rotation-forest"),
        lambda: diagram_of(published_accuracies(2, 4), test=wilcoxon_holm),
        lambda: diagram_of(published_accuracies(4).iloc[:, :2]),
        lambda: diagram_of(random_scores(name="a rather long name, such as studies give to method")),
        lambda: diagram_of(random_scores(5)),
    ],
    ids=["five", "control", "wilcoxon", "two", "forty", "few datasets"],
)
def test_a_new_figure_holds_all_text_without_overlap(make):
    diagram = make()
    ax = draw_critical_difference(diagram)
    assert is_on_page(ax)
    texts = [*names_of(ax), *ax.get_xticklabels()]
    assert not overlapping(extents(texts))
    assert ax.get_label() == diagram.description
    assert {text.get_size() for text in ax.texts} == {9.0}
    written = [text.get_text() for text in ax.texts]
    for name, number in zip(diagram.methods, diagram.numbers, strict=True):
        assert number in written
        assert name in written or f"{name} (control)" in written


def test_what_is_drawn_is_what_was_laid_out():
    diagram = diagram_of(published_accuracies(2, 4))
    ax = draw_critical_difference(diagram)
    lines = [line.get_xydata() for line in ax.lines if line.get_label() == "_line"]
    for method, line in enumerate(lines):
        np.testing.assert_allclose(line, diagram.line(method))
    bars = [line.get_xdata() for line in ax.lines if line.get_label() == "_bar"]
    assert [tuple(bar) for bar in bars] == [(bar.start, bar.end) for bar in diagram.bars]
    (ruler,) = (line.get_xdata() for line in ax.lines if line.get_label() == "_ruler")
    assert ruler[1] - ruler[0] == pytest.approx(diagram.critical_difference)
    # Best at the left, and the names of the better half there too.
    assert ax.get_xlim()[0] < ax.get_xlim()[1]
    at = {text.get_text(): text.get_window_extent().x0 for text in ax.texts}
    assert (
        at["rotation-forest"] < ax.transData.transform((1, 0))[0] < ax.transData.transform((10, 0))[0] < at["bagging"]
    )
    assert "mean rank (1 is best)" in at


def test_equal_ranks_have_a_bar_that_shows():
    scores = {"a": [1, 2, 3, 4.0], "b": [1, 2, 3, 4.0], "c": [0, 0, 0, 0.0]}
    diagram = diagram_of(scores, alpha=0.2)
    assert [(bar.methods, bar.start, bar.end) for bar in diagram.bars] == [(("a", "b"), 1.5, 1.5)]
    ax = draw_critical_difference(diagram)
    (bar,) = (line for line in ax.lines if line.get_label() == "_bar")
    assert bar.get_marker() == "o"
    assert bar.get_markersize() == pytest.approx(bar.get_linewidth())


def test_a_critical_difference_longer_than_the_axis_says_so():
    diagram = diagram_of(random_scores(2, 3), alpha=0.01)
    assert diagram.critical_difference > 2
    ax = draw_critical_difference(diagram)
    assert any("more than the axis" in text.get_text() for text in ax.texts)
    assert is_on_page(ax)
