"""Figures of where a model errs and what it looks at."""

from __future__ import annotations

import numpy as np
import pytest

from covey.analysis.diagnostics import ScoreCurve
from covey.plots import (
    class_curves,
    column_importances,
    confusion_map,
    dependence,
    draw_class_curves,
    draw_confusion,
    draw_dependence,
    draw_importances,
    draw_method_intervals,
    draw_residual_bars,
    draw_residuals,
    method_intervals,
    residual_bars,
    residuals,
)
from covey.plots.style import figure_width
from plots.drawn import is_on_page, legend_of, row_names


def test_a_confusion_matrix_shows_shares_of_the_true_class():
    data = confusion_map([[8, 2], [1, 99]], ["no", "yes"])
    assert data.shares.tolist() == [[0.8, 0.2], [0.01, 0.99]]
    assert data.description.endswith("no: no 80.0%, yes 20.0%. yes: no 1.0%, yes 99.0%.")
    texts = {text.get_position(): text.get_text() for text in draw_confusion(data).texts}
    assert texts == {(0, 0): "80%", (1, 0): "20%", (0, 1): "1%", (1, 1): "99%"}


@pytest.mark.parametrize("counts", [[[1, 2]], [[1, -2], [3, 4]], [[0.5, 1], [1, 1]], np.zeros((16, 16), dtype=int)])
def test_what_is_no_confusion_matrix_is_refused(counts):
    with pytest.raises(ValueError, match="counts"):
        confusion_map(counts, range(len(counts)))


def test_curves_of_classes_have_their_areas_in_the_legend():
    x = np.linspace(0, 1, 5)
    curves = [ScoreCurve("a", x, x**0.5, 0.75, 0.2), ScoreCurve("b", x, x, 0.5, 0.8)]
    ax = draw_class_curves(class_curves(curves, "roc"))
    assert legend_of(ax) == ["a: area 0.750", "b: area 0.500", "guessing"]
    ax = draw_class_curves(class_curves(curves, "precision-recall"))
    guesses = [line.get_ydata()[0] for line in ax.lines if line.get_label() == "_guess"]
    assert guesses == [0.2, 0.8]  # who takes every row for the class is right as often as it occurs
    with pytest.raises(ValueError, match="kind='lift' is unknown"):
        class_curves(curves, "lift")
    with pytest.raises(ValueError, match="must be 1 to 6"):
        class_curves([], "roc")


def test_residuals_are_points_or_cells_if_they_are_many():
    y, said = np.array([1.0, 2.0, 4.0]), np.array([1.5, 2.0, 3.0])
    few = draw_residuals(residuals(y, said))
    assert few.lines[0].get_xydata().tolist() == [[1.5, -0.5], [2.0, 0.0], [3.0, 1.0]]
    many = draw_residuals(residuals(*np.random.default_rng(0).normal(size=(2, 2000))))
    assert len(many.lines) == 1  # that of zero
    assert many.collections[0].get_array().sum() > 0
    bars = draw_residual_bars(residual_bars(y, said))
    assert sum(bar.get_height() for bar in bars.patches) == 3
    with pytest.raises(ValueError, match="y and predictions have shapes"):
        residuals(y, said[:2])


def test_importances_are_bars_the_largest_first():
    data = column_importances(["a", "b", "c"], [0.1, 0.3, -0.1], [0.0, 0.1, 0.0], metric="R²", top=2)
    assert data.title == "Loss of R² when a column is shuffled, the 2 largest of 3"
    ax = draw_importances(data)
    assert row_names(ax) == ["b", "a"]
    assert [bar.get_width() for bar in ax.patches] == [0.3, 0.1]
    with pytest.raises(ValueError, match="give one for each column"):
        column_importances(["a"], [1, 2], [0, 0], metric="R²")


def test_dependence_is_a_line_over_numbers_and_points_over_categories():
    ax = draw_dependence(dependence("x", [3.0, 1.0], [[0.2, 0.4]], what="mean prediction"))
    assert ax.lines[0].get_xydata().tolist() == [[1.0, 0.4], [3.0, 0.2]]
    ax = draw_dependence(dependence("x", [3.0, 1.0], [[0.2, 0.4]], what="mean prediction", limits=(0, 1)))
    assert ax.get_ylim() == (0, 1)
    ax = draw_dependence(dependence("x", ["b", "a"], [[1, 0], [0, 1]], outputs=["no", "yes"], what="probability"))
    assert [text.get_text() for text in ax.get_xticklabels()] == ["b", "a"]
    assert legend_of(ax) == ["no", "yes"]
    with pytest.raises(ValueError, match="means has shape"):
        dependence("x", [1.0], [[1, 2]], what="prediction")


def test_figures_can_be_as_wide_as_a_page_or_a_phone():
    data = method_intervals([0.9, 0.8], [0.8, 0.7], [1, 0.9], ["a", "b" * 20], metric="accuracy", larger_is_better=True)
    heights = set()
    for width in (4.1, 9.2):
        with figure_width(width):
            ax = draw_method_intervals(data)
        assert ax.figure.get_size_inches()[0] == pytest.approx(width)
        assert is_on_page(ax)
        heights.add(ax.figure.get_size_inches()[1])
    assert len(heights) == 1
    assert draw_method_intervals(data).figure.get_size_inches()[0] == pytest.approx(6.2)


def test_titles_of_methods_take_two_lines_where_there_is_no_room_for_one():
    names = ["multiboosted C4.5 with random attributes (mbsasc)", "forest"]
    data = method_intervals([0.9, 0.8], [0.8, 0.7], [1, 0.9], names, metric="accuracy", larger_is_better=True)
    with figure_width(9.2):
        assert row_names(draw_method_intervals(data)) == names
    with figure_width(4.1):
        ax = draw_method_intervals(data)
    assert row_names(ax)[0].startswith("multiboosted C4.5 with\nrandom")
    assert is_on_page(ax)


@pytest.mark.parametrize(("verdict", "key"), [("tie", "dot: tie"), ("unclear", "ring"), ("behind", "cross")])
def test_every_verdict_of_a_ranking_has_a_mark(verdict, key):
    given = ([0.9, 0.8], [0.8, 0.7], [1, 0.9], ["a", "b"])
    data = method_intervals(*given, metric="accuracy", larger_is_better=True, verdicts=["best", verdict])
    assert key in " ".join(draw_method_intervals(data).get_xlabel().split())
