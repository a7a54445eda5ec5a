"""Distributions of voting margins."""

from __future__ import annotations

import numpy as np
import pytest

from covey.analysis.diversity import Margins, margins
from covey.plots.members import MOST_STEPS, draw_margins, margin_distribution
from plots.drawn import is_on_page, legend_of, line, save

HAND = Margins(np.array([0.5, -0.2, 1.0, 0.5]))


def some(count=50, low=-0.2, seed=0):
    return Margins(np.random.default_rng(seed).uniform(low, 1, count))


def test_a_curve_worked_by_hand():
    (curve,) = margin_distribution(HAND).curves
    assert curve.x.tolist() == [-1, -0.2, 0.5, 1, 1]
    assert curve.y.tolist() == [0, 0.25, 0.75, 1, 1]
    assert curve.note == "25.0% negative"


def test_from_predictions():
    votes, y, weights = [["a", "b", "a"], ["b", "b", "a"]], ["a", "a"], [1, 1, 2]
    found = margin_distribution({"x": (votes, y, weights)})
    assert found.ensembles["x"].values.tolist() == margins(votes, y, weights).values.tolist() == [0.5, 0.0]
    codes = margin_distribution({"x": ([[0, 1, 0], [1, 1, 0]], y, weights)}, classes=["a", "b"])
    assert codes.ensembles["x"].values.tolist() == [0.5, 0.0]


def test_many_steps_are_thinned_without_a_visible_change():
    found = some(100_000)
    (curve,) = margin_distribution(found).curves
    assert len(curve.x) <= MOST_STEPS + 2
    for margin in np.linspace(-0.3, 1, 40):
        drawn = curve.y[np.searchsorted(curve.x, margin, side="right") - 1]
        assert drawn == pytest.approx(found.share_up_to(margin), abs=1.01 / MOST_STEPS)


def test_in_words():
    found = margin_distribution({"hand": HAND})
    assert found.title == "Cumulative distribution of voting margins"
    assert found.description == (
        "Cumulative distribution of voting margins. hand: 25.0% of 4 margins negative, minimum -0.2, mean 0.45."
    )


def test_what_is_drawn():
    found = margin_distribution({"_a": some(seed=1), "$b": HAND})
    ax = draw_margins(found)
    assert line(ax, "$b").get_ydata().tolist() == [0, 0.25, 0.75, 1, 1]
    assert line(ax, "$b").get_drawstyle() == "steps-post"
    assert [drawn for drawn in ax.lines if list(drawn.get_xdata()) == [0, 0]]
    assert legend_of(ax) == [f"_a\n{found.ensembles['_a'].negative:.1%} negative", "$b\n25.0% negative"]
    assert ax.get_title() == found.title
    assert ax.get_xlim() == pytest.approx((-1, 1.01))


def test_the_legend_does_not_cover_a_curve():
    good = draw_margins(margin_distribution({"good": some()}))
    good.figure.canvas.draw()
    box = good.get_legend().get_window_extent()
    places = good.transData.transform(line(good, "good").get_xydata())
    assert not ((places > [box.x0, box.y0]) & (places < [box.x1, box.y1])).all(axis=1).any()
    for ensembles in ({"bad": Margins(np.full(9, -0.9))}, {f"forest {seed}": some(seed=seed) for seed in range(9)}):
        ax = draw_margins(margin_distribution(ensembles))
        assert is_on_page(ax)
        assert ax.get_legend().get_window_extent().x0 >= ax.bbox.x1


@pytest.mark.slow
@pytest.mark.parametrize("values", [[1.0], [-1.0], [0.0], [1.0] * 30])
def test_margins_that_are_all_the_same(values):
    save(draw_margins(margin_distribution(Margins(np.array(values)))))
