"""Marks with names in ROC space."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from covey.analysis.roc import iso_accuracy
from covey.plots.roc import BEYOND, Mark, draw_line, draw_marks, dress_roc, name_of, write_marks
from plots.drawn import extents, line, names_of, overlapping

mpl.use("Agg")

from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def no_figure_left_open():
    yield
    plt.close("all")


def test_names_of_classifiers():
    assert (name_of("plus"), name_of("minus")) == ("h⁺", "h⁻")
    assert name_of("plus", 12) == "h₁₂⁺"


def test_axes_are_square_and_hold_marks_on_the_border():
    ax = plt.subplots(figsize=(6, 4))[1]
    dress_roc(ax, title="title", description="words", note="note")
    ax.figure.canvas.draw()
    box = ax.get_window_extent()
    assert box.width == pytest.approx(box.height)
    assert ax.get_xlim() == ax.get_ylim() == (-BEYOND, 1 + BEYOND)
    assert ax.get_xlabel() == "false positive rate (note)"
    assert (ax.get_title(), ax.get_label()) == ("title", "words")
    dress_roc(ax, title="", description="")
    assert ax.get_xlabel() == "false positive rate"


def test_a_line_of_equal_accuracy():
    ax = plt.subplots()[1]
    ends = draw_line(ax, iso_accuracy(0.75, 10, 20), "some")
    np.testing.assert_allclose(ends, [[0, 0.25], [0.375, 1]])
    np.testing.assert_array_equal(line(ax, "some").get_xydata(), ends)


@pytest.mark.parametrize("size", [(5, 5.2), (3.4, 2.6)])
def test_names_do_not_overlap_and_stay_inside(size):
    marks = [Mark((0.01 * n, 1 - 0.01 * n), f"mark {n}", "#000000", "o") for n in range(5)]
    marks += [Mark((0.5, 0.5), "", "#000000", "x"), Mark((1.0, 1.0), "at the corner", "#0000FF", "^")]
    ax = plt.subplots(figsize=size)[1]
    dress_roc(ax, title="", description="")
    draw_marks(ax, marks)
    ax.figure.canvas.draw()
    width, height = ax.get_window_extent().size * 72 / ax.figure.dpi
    write_marks(marks, [np.array([[0.0, 0.0], [1.0, 1.0]])], ax, width, height)
    names = names_of(ax)
    assert len(names) == 6
    assert not overlapping(extents(names))
    page = ax.get_window_extent()
    for box in extents(names):
        assert page.x0 <= box.x0 < box.x1 <= page.x1
        assert page.y0 <= box.y0 < box.y1 <= page.y1


def test_marks_without_names():
    ax = plt.subplots()[1]
    write_marks([Mark((0.5, 0.5), "", "#000000", "x")], [], ax, 100, 100)
    assert not names_of(ax)
