"""Two methods against each other, dataset by dataset."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from matplotlib.colors import to_hex

from covey.analysis.significance.records import win_draw_loss
from covey.plots.points import draw_method_scatter, method_scatter
from plots.drawn import extents, is_on_page, line, names_of, overlapping, published_accuracies

BY_HAND = {"one": [0.9, 0.8, 0.7, 0.6, 0.5], "two": [0.8, 0.85, 0.7, 0.3, 0.5]}
DATASETS = ["iris", "wine", "glass", "sonar", "yeast"]


def by_hand(**options):
    options = {"larger_is_better": True, "datasets": DATASETS, **options}
    return method_scatter(BY_HAND, "one", "two", **options)


def test_scores_worked_by_hand():
    scatter = by_hand()
    assert scatter.record == (2, 2, 1)
    assert scatter.p_value == 1
    assert scatter.winners.tolist() == [0, 1, 2, 0, 2]
    assert [DATASETS[row] for row in scatter.farthest] == ["sonar", "iris", "wine"]
    assert scatter.words == ("one better on 2", "two better on 1", "equal on 2")
    assert scatter.title == "one against two on 5 datasets: 2/2/1 wins/draws/losses (p = 1.0000)"
    assert "Larger is better. They differ most on sonar (0.6 and 0.3), iris" in scatter.description
    low, high = scatter.limits
    assert low < 0.3
    assert high > 0.9


def test_the_other_direction_and_order():
    errors = by_hand(larger_is_better=False, label_farthest=1)
    assert errors.record == (1, 2, 2)
    assert errors.winners.tolist() == [1, 0, 2, 1, 2]
    assert len(errors.farthest) == 1
    turned = method_scatter(BY_HAND, "two", "one", larger_is_better=True, measure="accuracy")
    assert turned.record == (1, 2, 2)
    assert turned.datasets == ("1", "2", "3", "4", "5")
    np.testing.assert_array_equal(turned.scores, by_hand().scores[:, ::-1])
    assert "The measure is accuracy." in turned.description
    assert by_hand(label_farthest=0).farthest == ()


def test_datasets_without_a_difference_are_not_named():
    assert len(by_hand(label_farthest=5).farthest) == 3


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=2, max_size=20), st.booleans())
def test_the_numbers_are_those_of_the_records(rows, larger):
    scores = pd.DataFrame(np.array(rows, dtype=float), columns=list("abc"))
    scatter = method_scatter(scores, "c", "a", larger_is_better=larger)
    records = win_draw_loss(scores, larger_is_better=larger)
    assert scatter.record == records.record("c", "a")
    assert scatter.p_value == records.p_values[2, 0]
    wins, draws, losses = (int(np.count_nonzero(scatter.winners == who)) for who in (0, 2, 1))
    assert (wins, draws, losses) == scatter.record
    low, high = scatter.limits
    assert (low < scatter.scores).all()
    assert (scatter.scores < high).all()


def test_scores_that_differ_by_rounding_tie_everywhere():
    scores = pd.DataFrame({"A": [0.1 + 0.2, 0.5, 0.7, 0.2 + 0.7, 0.6], "B": [0.3, 0.5, 0.6, 0.9, 0.7]})
    scatter = method_scatter(scores, "A", "B", larger_is_better=True, label_farthest=5)
    assert scatter.record == (1, 3, 1)
    assert scatter.winners.tolist() == [2, 2, 0, 2, 1]
    assert scatter.farthest == (2, 4)
    ax = draw_method_scatter(scatter)
    assert len(line(ax, 2).get_xdata()) == 3


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.floats(-2, 2), st.integers(-9, 9)), min_size=2, max_size=12), st.booleans())
def test_ties_are_those_of_the_record(rows, larger):
    first = np.array([value for value, _ in rows])
    pair = {"a": first, "b": first + np.array([steps for _, steps in rows]) * np.spacing(np.abs(first))}
    scatter = method_scatter(pair, "a", "b", larger_is_better=larger, label_farthest=12)
    assert scatter.record == tuple(np.count_nonzero(scatter.winners == who) for who in (0, 2, 1))
    assert set(scatter.farthest) == set(np.flatnonzero(scatter.winners != 2).tolist())
    assert scatter.description


def test_numbers_as_names_and_digits_that_tell_apart():
    frame = pd.DataFrame(np.array([[0.99991, 0.99992], [0.5, 0.5]]))
    scatter = method_scatter(frame, 0, 1, larger_is_better=True)
    assert (scatter.first, scatter.second) == ("0", "1")
    assert "0.99991 and 0.99992" in scatter.description


@pytest.mark.parametrize("larger", [True, False])
def test_points_and_words_are_on_their_sides(larger):
    scatter = by_hand(larger_is_better=larger)
    ax = draw_method_scatter(scatter)
    ax.figure.canvas.draw()
    for winner in range(3):
        np.testing.assert_array_equal(line(ax, winner).get_xydata(), scatter.scores[scatter.winners == winner])
    looks = {(to_hex(line(ax, who).get_color()), line(ax, who).get_marker()) for who in range(3)}
    assert len({colour for colour, _ in looks}) == len({marker for _, marker in looks}) == 3
    assert ax.get_xlim() == ax.get_ylim() == scatter.limits
    box = ax.get_window_extent()
    assert box.width == pytest.approx(box.height)
    np.testing.assert_allclose(line(ax, "diagonal").get_xydata(), [[end, end] for end in scatter.limits])
    middle = {}
    for text in names_of(ax):
        x, y = ax.transData.inverted().transform(text.get_window_extent().get_points().mean(axis=0))
        middle[" ".join(text.get_text().split())] = y - x
    # What is below the diagonal is better for the first method if larger is better, else for the second.
    assert (middle[scatter.words[0]] < 0) == larger
    assert (middle[scatter.words[1]] > 0) == larger
    assert ax.get_xlabel() == "one"
    assert ax.get_ylabel() == "two"


@pytest.mark.parametrize("number", [3, 16])
def test_published_scores_have_names_that_do_not_overlap(number):
    scatter = method_scatter(
        published_accuracies(2),
        "alphabeta-rse",
        "bagging",
        larger_is_better=True,
        label_farthest=number,
        measure="accuracy",
    )
    assert len(scatter.farthest) == number
    assert [scatter.datasets[row] for row in scatter.farthest[:3]] == ["sonar", "cancer", "yeast"]
    ax = draw_method_scatter(scatter)
    assert is_on_page(ax)
    names = names_of(ax)
    assert len(names) == number + 2
    assert not overlapping(extents(names))
    page = ax.get_window_extent()
    for box in extents(names):
        assert page.x0 <= box.x0 < box.x1 <= page.x1
        assert page.y0 <= box.y0 < box.y1 <= page.y1
    assert ax.get_xlabel() == "accuracy of alphabeta-rse"


def test_words_make_way_for_points():
    corner = {"a": [0.0, 1.0, 0.02, 0.98], "b": [1.0, 0.0, 0.98, 0.02]}
    ax = draw_method_scatter(method_scatter(corner, "a", "b", larger_is_better=True, label_farthest=4))
    points = ax.transData.transform(np.stack([corner["a"], corner["b"]], axis=1))
    words = [text.get_window_extent() for text in names_of(ax) if "better" in text.get_text()]
    assert len(words) == 2
    assert not any(box.contains(*point) for box in words for point in points)
    assert not overlapping(extents(names_of(ax)))


def test_long_names_and_many_datasets():
    generator = np.random.default_rng(0)
    first = generator.beta(5, 2, 300)
    names = ["boosted trees of a hundred members, pruned", "a rotation forest with a long description, too " * 2]
    scores = pd.DataFrame(np.stack([first, first + generator.normal(0, 0.03, 300)], axis=1), columns=names)
    ax = draw_method_scatter(method_scatter(scores, *names, larger_is_better=True, label_farthest=6))
    assert is_on_page(ax)
    assert not overlapping(extents(names_of(ax)))
    assert line(ax, 0).get_markersize() < line(draw_method_scatter(by_hand()), 0).get_markersize()
    title = ax.title.get_window_extent()
    assert title.x0 >= 0
    assert title.x1 <= ax.figure.bbox.x1


def test_equal_scores_have_axes():
    scatter = method_scatter(np.full((3, 2), 0.5), "1", "2", larger_is_better=True)
    assert scatter.record == (0, 3, 0)
    assert scatter.farthest == ()
    low, high = scatter.limits
    assert low < 0.5 < high
    assert is_on_page(draw_method_scatter(scatter))
    zero = method_scatter(np.zeros((3, 2)), "1", "2", larger_is_better=True)
    assert zero.limits == (-0.5, 0.5)
