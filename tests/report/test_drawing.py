"""Figures as SVG: the same each time, small, and fit to stand with others in one page."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest

from covey.plots import accuracy_time, draw_accuracy_time, draw_score_boxes, score_boxes
from covey.report.drawing import drawn, placed, to_svg
from covey.report.page import Drawing
from report.pages import HOSTILE, raw_svg

mpl.use("Agg")

from matplotlib import pyplot as plt

NAMES = ("boosting", "bagging", "a_$b$")


@pytest.fixture(autouse=True)
def no_figure_left_open():
    assert not plt.get_fignums()
    yield
    left = plt.get_fignums()
    plt.close("all")
    assert not left


def boxes():
    rng = np.random.default_rng(0)
    return score_boxes({name: rng.random(20) for name in NAMES}, metric="accuracy", larger_is_better=True)


def figure_with(text="name"):
    figure, axes = plt.subplots(figsize=(4, 3))
    axes.plot([0, 1, 2], [0, 3, 1], marker="o", label=text)
    axes.scatter(range(50), range(50), s=9)
    axes.bar([0, 1], [1, 2], hatch="//", alpha=0.5)
    axes.imshow(np.eye(4), extent=(0, 2, 0, 2))
    axes.set_title(text, parse_math=False)
    return figure


def ids(svg):
    return re.findall(r'\bid="([^"]*)"', svg)


def references(svg):
    return re.findall(r'(?:href="#|url\(#)([^")]*)', svg)


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_the_same_figure_gives_the_same_text_and_is_closed():
    first, second = (to_svg(figure_with()) for _ in range(2))
    assert first == second
    assert not re.search(r"\d{4}-\d\d-\d\d|<metadata|<!DOCTYPE|<style", first)


def test_a_figure_is_closed_even_if_it_cannot_be_drawn():
    figure = figure_with()
    figure.axes[0].set_xlabel("$\\undefined$")
    with pytest.raises(ValueError, match="undefined"):
        to_svg(figure)


def test_ids_start_with_the_prefix_and_every_reference_finds_one():
    svg = placed(Drawing(to_svg(figure_with()), "A <b>", '"Two"', "name"), "one.")
    assert len(set(ids(svg))) == len(ids(svg)) > 2
    assert all(name.startswith("one.") for name in ids(svg))
    assert {*references(svg), "one.title", "one.desc"} == set(ids(svg))
    assert 'role="img" aria-labelledby="one.title one.desc"' in svg
    assert '<title id="one.title">A &lt;b&gt;</title><desc id="one.desc">&quot;Two&quot;</desc>' in svg


@pytest.mark.parametrize("name", HOSTILE)
def test_text_stays_text(name):
    svg = to_svg(figure_with(name))
    assert name.strip() in [text.strip() for text in texts(svg)]
    assert not re.search(r"<(script|img|style|foreignObject)|<[^>]*\son\w+=", svg)


def test_a_drawing_keeps_its_shapes_and_its_size_but_takes_less_room():
    figure = figure_with()
    raw = raw_svg(figure)
    svg = to_svg(figure)
    for shape in ("path", "use", "text", "image", "pattern", "clipPath"):
        assert svg.count(f"<{shape}") == raw.count(f"<{shape}") > 0, shape
    assert re.search(r'width="[\d.]+pt" height="[\d.]+pt" viewBox="0 0 [\d.]+ [\d.]+"', svg)
    assert "data:image/png;base64," in svg
    figure = draw_score_boxes(boxes()).get_figure()
    assert len(raw_svg(figure)) > 1.4 * len(to_svg(figure))


def test_a_figure_of_covey_for_a_page():
    plt.switch_backend("svg")
    try:
        drawing = drawn(draw_score_boxes, boxes(), name="boxes")
        assert mpl.get_backend() == "svg"
    finally:
        plt.switch_backend("agg")
    assert (drawing.caption, drawing.description, drawing.name) == (boxes().title, boxes().description, "boxes")
    assert boxes().title not in texts(drawing.svg)
    assert set(NAMES) <= set(texts(drawing.svg))
    assert drawn(draw_score_boxes, boxes(), name="boxes", caption="Mine").caption == "Mine"
    without = drawn(draw_score_boxes, boxes(), name="boxes", caption="")
    assert without.caption == ""
    assert boxes().title in texts(without.svg)


def test_figures_look_the_same_whatever_the_style():
    times = accuracy_time([0.8, 0.9, 0.7], [1, 20, 3], NAMES, metric="accuracy", larger_is_better=True)
    plain = drawn(draw_accuracy_time, times, name="times")
    before = dict(mpl.rcParams)
    with plt.style.context("dark_background"), mpl.rc_context({"font.size": 20, "savefig.bbox": "tight"}):
        assert drawn(draw_accuracy_time, times, name="times") == plain
    assert dict(mpl.rcParams) == before


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    data = boxes()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'covey\[study\]'"):
        drawn(draw_score_boxes, data, name="boxes")


def test_the_box_of_equal_scores_is_clear_of_the_edge():
    found = score_boxes({"constant": [0.5] * 6, "other": [0.6, 0.7, 0.8]}, metric="accuracy", larger_is_better=True)
    axes = draw_score_boxes(found)
    low, high = axes.get_xlim()
    plt.close(axes.figure)
    assert low < 0.5 - 0.02 * (high - low)
    assert high > 0.8 + 0.02 * (high - low)
