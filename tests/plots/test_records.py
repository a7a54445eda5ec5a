"""The map of win/draw/loss records."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from covey.analysis.significance.records import win_draw_loss
from covey.plots.records import draw_record_map, record_map
from covey.reproduce.published import PUBLISHED
from plots.drawn import extents, is_on_page, overlapping, save


def errors():
    """Bay (1999), table 2."""
    table = pd.read_csv(PUBLISHED / "mfs-table-02.csv")
    return table[table["metric"] == "error-pct"].pivot(index="dataset", columns="method", values="mean")


def by_hand():
    return win_draw_loss({"a": [1, 1, 1, 1.0], "b": [2, 2, 2, 1.0], "c": [3, 3, 0, 1.0]}, larger_is_better=True)


def random_records(n_methods, name="method", n_datasets=60):
    noise = np.random.default_rng(0).normal(size=(n_datasets, n_methods))
    columns = [f"{name} {i}" for i in range(n_methods)]
    return win_draw_loss(pd.DataFrame(noise + np.linspace(0, 2, n_methods), columns=columns), larger_is_better=True)


def cells(ax):
    """The texts in cells, once the figure is drawn."""
    ax.figure.canvas.draw()
    return [text for text in ax.texts if text.get_text()]


def colour_of(ax, row, column):
    """The colour of a cell, of which all with one share are a shape."""
    x, y = ax.transData.transform((column, row))
    page = np.asarray(ax.figure.canvas.buffer_rgba())
    # A little beside the middle, where no text is.
    return page[int(page.shape[0] - y - 0.35 * ax.bbox.height / 3), int(x), :3] / 255


def test_a_map_worked_by_hand():
    records = record_map(by_hand(), alpha=0.3)
    # Wins in all: b 3 + 1, c 2 + 2, a 0 + 1; of equal ones the first given.
    assert records.methods == ("b", "c", "a")
    assert [[records.text(i, j) for j in range(3)] for i in range(3)] == [
        ["0/4/0", "1/1/2", "3/1/0"],
        ["2/1/1", "0/4/0", "2/1/1"],
        ["0/1/3", "1/1/2", "0/4/0"],
    ]
    np.testing.assert_allclose(records.shares, [[0.5, 1 / 3, 1], [2 / 3, 0.5, 2 / 3], [0, 1 / 3, 0.5]])
    assert np.argwhere(records.significant).tolist() == [[0, 2], [2, 0]]  # p is 0.25
    assert not record_map(by_hand()).significant.any()
    assert records.title == "Wins/draws/losses of rows against columns on 4 datasets"
    assert "b 4/2/2, significantly better than 1; c 4/2/2, significantly better than 0" in records.description


def test_published_records():
    records = record_map(win_draw_loss(errors(), larger_is_better=False))
    published = pd.read_csv(PUBLISHED / "mfs-table-03.csv")
    for pair in published.itertuples():
        row, column = (records.methods.index(name) for name in (pair.row_method, pair.col_method))
        assert records.text(row, column) == f"{pair.wins}/{pair.ties}/{pair.losses}"
    assert records.methods[0] == "mfs1"


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=8), st.permutations(range(4)))
def test_the_order_given_does_not_matter(rows, order):
    scores = pd.DataFrame(np.array(rows, dtype=float), columns=list("abcd"))
    one = record_map(win_draw_loss(scores, larger_is_better=True))
    other = record_map(win_draw_loss(scores.iloc[:, list(order)], larger_is_better=True))
    at = [other.methods.index(name) for name in one.methods]
    for field in ("wins", "draws", "losses", "shares", "significant"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field)[np.ix_(at, at)])
    assert (np.diff(one.wins.sum(axis=1)) <= 0).all()
    np.testing.assert_allclose(one.shares + one.shares.T, 1)


@pytest.mark.slow
@pytest.mark.parametrize("n_methods", [2, 3, 8, 16])
def test_a_new_figure_holds_all_text_without_overlap(n_methods):
    records = record_map(random_records(n_methods))
    ax = draw_record_map(records)
    written = cells(ax)
    assert [text.get_text() for text in written] == [
        records.text(i, j) for i in range(n_methods) for j in range(n_methods) if i != j
    ]
    assert min(text.get_size() for text in written) >= 5
    assert is_on_page(ax)
    assert not overlapping(extents(ax.get_yticklabels()))
    for text in written:
        box, (x, y) = text.get_window_extent(), text.get_position()
        corners = ax.transData.transform([(x - 0.5, y + 0.5), (x + 0.5, y - 0.5)])
        assert corners[0, 0] <= box.x0 < box.x1 <= corners[1, 0]
        assert corners[0, 1] <= box.y0 < box.y1 <= corners[1, 1]
        assert text.get_weight() == ("bold" if records.significant[y, x] else "normal")
    assert ax.get_label() == records.description
    (bar,) = ax.child_axes
    assert is_on_page(bar)


def test_colours_say_who_wins():
    records = record_map(by_hand())
    ax = draw_record_map(records)
    ax.figure.canvas.draw()
    blue, orange = colour_of(ax, 0, 2), colour_of(ax, 2, 0)
    assert blue[2] > blue[0]
    assert orange[0] > orange[2]
    np.testing.assert_allclose(colour_of(ax, 0, 0), to_rgb("#EEEEEE"))
    # Rows from the top, as they are written.
    assert ax.get_ylim() == (2.5, -0.5)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b", "c", "a"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["b", "c", "a"]


def test_cells_without_room_for_text_have_dots():
    records = record_map(random_records(25))
    ax = draw_record_map(records, plt.subplots(figsize=(6, 4), layout="constrained")[1])
    dots = cells(ax)
    assert {text.get_text() for text in dots} == {"•"}
    there = sorted((int(y), int(x)) for x, y in (text.get_position() for text in dots))
    assert there == [tuple(pair) for pair in np.argwhere(records.significant).tolist()]
    assert is_on_page(ax)


def test_the_note_tells_what_is_drawn():
    ax = draw_record_map(record_map(random_records(8)))
    cells(ax)
    assert "bold: p < 0.05" in ax.get_xlabel().replace("\n", " ")
    ax.figure.set_size_inches(2.4, 2.2)
    cells(ax)
    assert "dot: p < 0.05" in ax.get_xlabel().replace("\n", " ")


def test_the_bar_stays_beside_the_map_and_is_no_picture():
    figure, axes = plt.subplots(2, 2, figsize=(12, 8), layout="constrained")
    axes[0, 0].set_ylabel("a\nlabel\nof\nmany\nlines")
    ax = draw_record_map(record_map(random_records(5)), axes[1, 0])
    figure.canvas.draw()
    (bar,) = ax.child_axes
    assert 0 < bar.get_window_extent().x0 - ax.get_window_extent().x1 < 0.05 * ax.get_window_extent().width
    assert is_on_page(bar)
    assert "<image" not in save(ax)


@pytest.mark.slow
def test_files_stay_small():
    with plt.rc_context({"svg.fonttype": "none"}):
        page = save(draw_record_map(record_map(random_records(30))))
    assert len(page) < 30 * 30 * 510


def test_all_draws():
    records = record_map(win_draw_loss(np.ones((3, 3)), larger_is_better=True))
    assert (records.shares == 0.5).all()
    assert {text.get_text() for text in cells(draw_record_map(records))} == {"0/3/0"}
