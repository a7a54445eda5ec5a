"""Embedded ROC spaces, drawn."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from covey.analysis.roc import RocPoint, embedded_space, nested_spaces
from covey.plots.roc import draw_roc_spaces, plot_roc_spaces, roc_space_diagram
from plots.drawn import extents, is_on_page, line, names_of, overlapping, save


def point(fpr, tpr, n_positive=100, n_negative=100):
    return RocPoint(fpr, tpr, n_positive, n_negative)


ONE = embedded_space(point(0.1, 0.4), point(0.6, 0.9))
POINTS = {"h": point(0.4, 0.55), "Triskel": point(0.2, 0.8)}


def rounds(count):
    """Spaces of which each takes the middle part of the one before."""
    pairs, size = [], 100.0
    for _ in range(count):
        pairs.append((point(0.1, 0.2, size, size), point(0.8, 0.9, size, size)))
        size *= 0.7
    return nested_spaces(pairs)


def patch(ax, number):
    (found,) = (one for one in ax.patches if one.get_label() == f"_space {number}")
    return found


def mark(ax, text):
    return line(ax, f"mark {text}").get_xydata().tolist()


def test_what_is_drawn_of_one_round():
    """Figure 3b."""
    diagram = roc_space_diagram(ONE, points={"h": POINTS["h"]})
    ax = draw_roc_spaces(diagram)
    assert patch(ax, 1).get_bbox().extents == pytest.approx([0.1, 0.4, 0.6, 0.9])
    assert mark(ax, "h⁺") == [[0.1, 0.4]]
    assert mark(ax, "h⁻") == [[0.6, 0.9]]
    assert mark(ax, "best: 0.900") == [[0.1, 0.9]]
    np.testing.assert_allclose(mark(ax, "random arbiter: 0.650"), [[0.35, 0.65]])
    assert mark(ax, "h: 0.575") == [[0.4, 0.55]]
    np.testing.assert_allclose(line(ax, "line h").get_xydata(), [[0, 0.15], [0.85, 1]])
    assert {text.get_text() for text in names_of(ax)} == {
        "h⁺",
        "h⁻",
        "best: 0.900",
        "random arbiter: 0.650",
        "h: 0.575",
    }
    assert ax.get_title() == "ROC space of the hard cases of 1 round"
    assert ax.get_xlabel().replace("\n", " ") == "false positive rate (numbers: accuracy; grey lines: equal accuracy)"


def test_in_words():
    assert roc_space_diagram(ONE, points={"h": POINTS["h"]}).description == (
        "ROC space of the hard cases of 1 round, false positive rate first. Round 1: h+ at (0.1, 0.4), h- at (0.6, "
        "0.9), accuracy 0.65 with a random arbiter, at best 0.9. h at (0.4, 0.55), accuracy 0.575."
    )


def test_rounds_lie_in_each_other():
    """Figure 3c."""
    ax = plot_roc_spaces(rounds(3))
    boxes = [patch(ax, number).get_bbox() for number in (1, 2, 3)]
    for outside, inside in pairwise(boxes):
        assert outside.x0 < inside.x0 < inside.x1 < outside.x1
        assert outside.y0 < inside.y0 < inside.y1 < outside.y1
    written = {text.get_text() for text in names_of(ax)}
    assert {"h₁⁺", "h₁⁻", "h₂⁺", "h₂⁻", "h₃⁺", "h₃⁻"} <= written
    assert ax.get_xlabel() == "false positive rate (numbers: accuracy)"
    assert ax.get_title().endswith("3 rounds")


def test_later_rounds_and_tiny_spaces_have_no_names():
    spaces = rounds(6)
    assert {text.get_text() for text in names_of(plot_roc_spaces(spaces))} == {
        "h₁⁺",
        "h₁⁻",
        "h₂⁺",
        "h₂⁻",
        "h₃⁺",
        "h₃⁻",
        "best: 0.900",
        f"random arbiter: {spaces[-1].centre.accuracy:.3f}",
    }
    small = embedded_space(ONE.centre, ONE.centre)
    assert "h₂⁺" not in {text.get_text() for text in names_of(plot_roc_spaces([ONE, small]))}


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 4])
def test_nothing_is_cut_off(count):
    ax = plot_roc_spaces(rounds(count), points=POINTS)
    assert is_on_page(ax)
    assert not overlapping(extents(names_of(ax)))


def test_spaces_without_extent_and_strange_names():
    flat = embedded_space(point(0, 0.5), point(0, 1))
    save(plot_roc_spaces(flat, points={"$x_{": point(0, 1), "two\nlines": point(1, 0)}))
    save(plot_roc_spaces(embedded_space(point(0, 1), point(0, 1))))
