"""Critical-difference diagrams in whatever room there is."""

from __future__ import annotations

import io
import pickle
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from covey.analysis.significance import bonferroni_dunn, nemenyi
from covey.plots.critical_difference import critical_difference_diagram, draw_critical_difference
from plots.drawn import extents, is_on_page, names_of, overlapping

mpl.use("Agg")

from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def no_figure_left_open():
    yield
    plt.close("all")


def diagram_of(n_methods=6, test=nemenyi, **options):
    noise = np.random.default_rng(0).normal(size=(60, n_methods))
    columns = [f"the method {i}" for i in range(n_methods)]
    scores = pd.DataFrame(noise + np.linspace(0, 2.5, n_methods), columns=columns)
    return critical_difference_diagram(test(scores, larger_is_better=True, alpha=0.1, **options))


def fits(ax):
    """Whether all text of a drawn diagram is apart, and in its axes."""
    boxes = extents([*names_of(ax), *ax.get_xticklabels()])
    place = ax.get_window_extent().padded(1)
    inside = all(place.x0 <= b.x0 and b.x1 <= place.x1 and place.y0 <= b.y0 and b.y1 <= place.y1 for b in boxes)
    return inside and not overlapping(boxes)


@pytest.mark.slow
@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.parametrize("n_methods", [3, 6, 20])
def test_others_may_take_room_later(layout, n_methods):
    figure, axes = plt.subplots(2, 2, figsize=(12, 8), layout=layout)
    draw_critical_difference(diagram_of(n_methods), axes[0, 0])
    axes[1, 0].set(title="\n" * 5, xlabel="\n" * 6, ylabel="\n" * 6)
    figure.canvas.draw()
    assert fits(axes[0, 0])
    figure.set_size_inches(7, 6)
    figure.canvas.draw()
    assert fits(axes[0, 0])


@pytest.mark.slow
@pytest.mark.parametrize(
    "make", [diagram_of, lambda: diagram_of(12, test=bonferroni_dunn, control="the method 3")], ids=["bars", "control"]
)
def test_a_resized_figure_fits(make):
    ax = draw_critical_difference(make())
    ax.figure.set_size_inches(3.4, 2.6)
    assert is_on_page(ax)
    assert fits(ax)
    small = max(text.get_size() for text in ax.texts)
    ax.figure.set_size_inches(12, 8)
    ax.figure.canvas.draw()
    assert fits(ax)
    assert small < max(text.get_size() for text in ax.texts) == 9


def test_bars_of_a_row_do_not_meet():
    diagram = diagram_of(40)
    ax = draw_critical_difference(diagram, plt.subplots(figsize=(4, 5))[1])
    ax.figure.canvas.draw()
    point = ax.figure.dpi / 72
    lines = sorted((b.level, b.start, b.end, line) for b, line in zip(diagram.bars, bars_of(ax), strict=True))
    for (row, _, end, one), (other, start, _, _) in pairwise(lines):
        if row == other:
            gap = np.diff(ax.transData.transform([(end, 0), (start, 0)])[:, 0])[0]
            assert gap > one.get_markersize() * point


def bars_of(ax):
    return [line for line in ax.lines if line.get_label() == "_bar"]


@pytest.mark.parametrize("in_grid", [True, False])
def test_drawing_again_changes_nothing(in_grid):
    figure = plt.figure(figsize=(7, 4))
    ax = figure.add_subplot() if in_grid else figure.add_axes((0.1, 0.1, 0.8, 0.8))
    seen = []
    for _ in range(3):
        ax.clear()
        draw_critical_difference(diagram_of(), ax)
        figure.canvas.draw()
        seen.append((ax.get_position().bounds, ax.get_xlim(), len(ax.texts)))
    assert seen[0] == seen[1] == seen[2]


def test_a_figure_can_be_pickled():
    ax = draw_critical_difference(diagram_of())
    pickle.loads(pickle.dumps(ax.figure)).savefig(io.BytesIO())
