"""Reliability diagrams."""

from __future__ import annotations

import numpy as np

from covey.analysis import reliability_bins
from covey.plots import draw_reliability, reliability
from covey.plots.calibration import LARGEST
from plots.drawn import is_on_page, legend_of, line

Y = np.array(["a", "b", "a"])
HAND = np.array([[0.75, 0.25], [0.75, 0.25], [1.0, 0.0]])


def test_the_numbers_are_those_of_the_analysis():
    diagram = reliability(Y, {"one": HAND, "two": HAND[:, ::-1]}, n_bins=5)
    for name, given in (("one", HAND), ("two", HAND[:, ::-1])):
        assert diagram.methods[name].error == reliability_bins(Y, given, n_bins=5).error


def test_in_words():
    diagram = reliability(Y, HAND)
    assert diagram.title == "Accuracy against confidence, expected calibration error (ECE)"
    assert diagram.description == (
        "Accuracy against confidence. predictions: expected calibration error 0.167; confidence and accuracy (rows) "
        "0.75 0.50 (2), 1.00 1.00 (1)."
    )


def test_what_is_drawn():
    ax = draw_reliability(reliability(Y, {"one": HAND, "$two": HAND[:, ::-1]}))
    assert line(ax, "one").get_xdata().tolist() == [0.75, 1.0]
    assert line(ax, "one").get_ydata().tolist() == [0.5, 1.0]
    assert legend_of(ax)[:2] == ["one, ECE 0.167", "$two, ECE 0.5"]
    assert legend_of(ax)[-1] == "perfect calibration"
    bins = reliability_bins(Y, HAND)
    bars = ax.collections[0].get_segments()
    np.testing.assert_allclose([bar[:, 1] for bar in bars], np.stack([bins.low, bins.high], axis=1)[bins.counts > 0])
    np.testing.assert_allclose(ax.collections[1].get_sizes(), LARGEST**2 * np.array([2, 1]) / 3)


def test_a_single_row_and_ten_methods():
    assert is_on_page(draw_reliability(reliability(["a"], [[1.0]])))
    rng = np.random.default_rng(0)
    y, ten = rng.integers(0, 3, 90), {f"_{number}" * 20: rng.dirichlet(np.ones(3), 90) for number in range(10)}
    assert is_on_page(draw_reliability(reliability(y, ten)))
