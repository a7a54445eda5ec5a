"""Texts that are laid out when they are drawn."""

from __future__ import annotations

import pickle

import matplotlib as mpl
import pytest

from plots.drawn import is_on_page

mpl.use("Agg")

from matplotlib import pyplot as plt

from covey.plots.fitting import Fitter, FromOne, fit_texts, place_when_drawn

LONG = "a title of many words, too long for a small figure"


@pytest.fixture(autouse=True)
def no_figure_left_open():
    yield
    plt.close("all")


def named(size=(3.4, 2.6), layout="constrained", text=LONG):
    ax = plt.subplots(figsize=size, layout=layout)[1]
    ax.set(title=text, xlabel=text, ylabel=text)
    fit_texts(ax)
    return ax


@pytest.mark.slow
@pytest.mark.parametrize("size", [(3.4, 2.6), (5, 4), (12, 9)])
@pytest.mark.parametrize("text", [LONG, "x" * 30, "short", "two\nlines"])
def test_nothing_is_cut(size, text):
    ax = named(size, text=text)
    assert is_on_page(ax)
    for shown in (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()):
        assert "".join(shown.split()) == "".join(text.split())


def test_lines_follow_the_size():
    ax = named()
    ax.figure.canvas.draw()
    assert "\n" in ax.get_title()
    ax.figure.set_size_inches(12, 9)
    ax.figure.canvas.draw()
    assert ax.get_title() == ax.get_xlabel() == ax.get_ylabel() == LONG
    ax.figure.set_size_inches(3.4, 2.6)
    assert is_on_page(ax)
    ax.set_title("another")
    ax.figure.canvas.draw()
    assert ax.get_title() == "another"


def test_there_is_one_fitter_and_it_can_be_pickled():
    ax = named()
    assert fit_texts(ax) is fit_texts(ax)
    assert len([artist for artist in ax.artists if isinstance(artist, Fitter)]) == 1
    pickle.loads(pickle.dumps(ax.figure)).canvas.draw()


def test_things_are_placed_when_the_size_changes():
    ax, calls = plt.subplots()[1], []
    place_when_drawn(ax, calls.append)
    assert calls == [None]
    ax.figure.canvas.draw()
    ax.figure.canvas.draw()
    assert len(calls) == 2
    ax.figure.set_size_inches(3, 3)
    ax.figure.canvas.draw()
    assert len(calls) == 3


def test_ticks_from_one():
    assert FromOne().tick_values(-14, 500)[0] == 1
    assert (FromOne().tick_values(0.9, 4.1) >= 1).all()
