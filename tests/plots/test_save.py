"""Files of figures say what they show."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from covey.analysis import friedman
from covey.plots import (
    bias_variance_curves,
    critical_difference_diagram,
    draw_bias_variance_curves,
    draw_critical_difference,
    save_figure,
)


@pytest.fixture
def ranks():
    scores = np.array([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [1, 2, 3]])
    comparison = friedman(scores, larger_is_better=True, methods=["a", "b & <c>", "d"]).nemenyi()
    yield draw_critical_difference(critical_difference_diagram(comparison))
    plt.close("all")


def test_an_svg_has_title_and_description(ranks, tmp_path):
    save_figure(ranks, tmp_path / "ranks.svg")
    text = (tmp_path / "ranks.svg").read_text(encoding="utf-8")
    assert "Nemenyi test of 3 methods on 5 datasets" in text
    assert "b &amp; &lt;c&gt;" in text


def test_other_formats(ranks, tmp_path):
    save_figure(ranks, tmp_path / "ranks.png", dpi=50)
    with Image.open(tmp_path / "ranks.png") as image:
        assert image.info["Description"] == ranks.get_label()
    save_figure(ranks, tmp_path / "ranks.pdf")
    assert b"/Subject" in (tmp_path / "ranks.pdf").read_bytes()
    save_figure(ranks, tmp_path / "ranks.jpg")
    assert (tmp_path / "ranks.jpg").stat().st_size > 0


def test_all_axes_of_a_figure_are_described(tmp_path):
    from covey.analysis import domingos

    found = [domingos([["a", "b"], ["b", "b"]], ["a", "b"])] * 3
    axes = draw_bias_variance_curves(bias_variance_curves([1, 2, 3], found))
    save_figure(axes, tmp_path / "curves.svg")
    text = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert all(str(ax.get_label())[:40] in text for ax in np.ravel(axes))
    plt.close("all")
