"""Text that fits axes at whatever size they are drawn."""

from __future__ import annotations

import io
import pickle
from functools import partial

import matplotlib as mpl
import pytest

from covey.plots.refit import Refit, keep_fitting
from plots.drawn import is_on_page

mpl.use("Agg")

from matplotlib import pyplot as plt

LONG = "a title with many words that needs several lines in narrow axes"


@pytest.fixture(autouse=True)
def no_figure_left_open():
    yield
    plt.close("all")


def write_size(word, ax, width, height):
    ax.text(0.5, 0.5, f"{word} {width:.0f} {height:.0f}")


def written(ax):
    ax.figure.canvas.draw()
    return [text.get_text() for text in ax.texts]


def test_parts_are_painted_anew_for_another_size():
    figure = plt.figure(figsize=(4, 2))
    ax = figure.add_axes((0, 0, 1, 1))
    keep_fitting(ax, partial(write_size, "size"))
    assert written(ax) == ["size 288 144"]
    (before,) = ax.texts
    assert written(ax) == ["size 288 144"]
    assert ax.texts[0] is before
    figure.set_size_inches(2, 2)
    assert written(ax) == ["size 144 144"]
    figure.set_dpi(50)
    assert written(ax) == ["size 144 144"]


def test_others_in_a_grid_change_the_size_and_all_fit():
    figure, axes = plt.subplots(1, 2, figsize=(6, 3), layout="constrained")
    for ax in axes:
        keep_fitting(ax, partial(write_size, "size"))
    axes[1].set_ylabel("a\nlabel\nof\nmany\nlines")
    figure.canvas.draw()
    for ax in axes:
        box = ax.get_window_extent()
        assert written(ax) == [f"size {box.width * 0.72:.0f} {box.height * 0.72:.0f}"]


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_titles_and_names_are_broken_into_lines(layout):
    figure, ax = plt.subplots(figsize=(6, 4), layout=layout)
    ax.set(title=LONG, xlabel=LONG, ylabel=LONG)
    keep_fitting(ax)
    figure.canvas.draw()
    few = ax.get_title().count("\n")
    figure.set_size_inches(3, 3)
    if layout:
        assert is_on_page(ax)
    figure.canvas.draw()
    assert ax.get_title().count("\n") > few
    box = ax.get_window_extent()
    assert ax.title.get_window_extent().width <= box.width + 1
    assert ax.xaxis.label.get_window_extent().width <= box.width + 1
    assert ax.yaxis.label.get_window_extent().height <= box.height + 1
    figure.set_size_inches(20, 10)
    figure.canvas.draw()
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == (LONG, LONG, LONG)


def test_a_word_that_is_too_long_shrinks():
    ax = plt.subplots(figsize=(3, 3), layout="constrained")[1]
    ax.set_title("onewordwithoutanyblank" * 3)
    full = ax.title.get_fontsize()
    keep_fitting(ax)
    assert is_on_page(ax)
    assert ax.title.get_fontsize() < full


def test_what_others_write_later_counts():
    figure, ax = plt.subplots(figsize=(4, 3))
    ax.set_title(LONG)
    keep_fitting(ax)
    ax.set_title("my own", fontsize=7)
    figure.set_size_inches(3, 3)
    figure.canvas.draw()
    assert (ax.get_title(), ax.title.get_fontsize()) == ("my own", 7)


def test_cleared_and_removed_axes_are_let_go():
    figure, axes = plt.subplots(1, 2)
    for ax in axes:
        keep_fitting(ax, partial(write_size, "size"))
    axes[0].clear()
    axes[1].remove()
    figure.canvas.draw()
    assert not axes[0].texts
    assert not any(isinstance(part, Refit) for part in figure.artists)


def test_drawing_again_replaces():
    ax = plt.figure(figsize=(4, 2)).add_axes((0, 0, 1, 1))
    for word in ("first", "second"):
        keep_fitting(ax, partial(write_size, word))
    assert written(ax) == ["second 288 144"]
    assert len(ax.figure.artists) == 1


def test_a_figure_can_be_pickled_and_drawn_again():
    figure, ax = plt.subplots(layout="constrained")
    keep_fitting(ax, partial(write_size, "size"))
    twin = pickle.loads(pickle.dumps(figure))
    twin.set_size_inches(3, 3)
    twin.savefig(io.BytesIO())
    assert twin.axes[0].texts[0].get_text() != ax.texts[0].get_text()


def test_subfigures_are_fitted_too():
    figure = plt.figure(figsize=(8, 4))
    left, right = figure.subfigures(1, 2)
    axes = [part.add_axes((0, 0, 1, 1)) for part in (left, right)]
    for ax in axes:
        keep_fitting(ax, partial(write_size, "size"))
    figure.set_size_inches(4, 2)
    figure.canvas.draw()
    assert [ax.texts[0].get_text() for ax in axes] == ["size 144 144"] * 2
