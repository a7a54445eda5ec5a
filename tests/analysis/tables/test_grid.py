"""The cells of a table, before they are written in any format."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import in_one_line, pad, text_width, visible
from covey.analysis.tables.result import grid_of


def frame_of(values, names=None, **columns):
    return pd.DataFrame(values or columns, index=pd.Index(names or list("ab"), name="row"))


def texts(table):
    return [[cell.text for cell in row] for row in grid_of(table).rows]


def test_every_kind_of_value():
    frame = frame_of(
        None,
        number=[0.12345, -2.0],
        whole=[3, -20],
        missing=[np.nan, np.inf],
        answer=[True, False],
        text=["x", None],
        maybe=pd.array([1, None], dtype="Int64"),
        p=[1e-9, 0.04],
        share=[0.5, 1.0],
        any=[1.5, "two"],
    )
    table = ResultTable(frame, formats={"p": "p", "share": "%"})
    assert texts(table) == [
        ["a", "0.123", "3", "–", "yes", "x", "1", "<0.0001", "50.0%", "1.500"],
        ["b", "-2.000", "-20", "∞", "no", "–", "–", "0.0400", "100.0%", "two"],
    ]
    sides = "".join(cell.align[0] for cell in grid_of(table).header)
    assert sides == "lrrrllrrrl"
    for row in grid_of(table).rows:
        assert "".join(cell.align[0] for cell in row) == sides
    assert [cell.number for cell in grid_of(table).rows[1]] == [
        *(False, True, True, True, False, False, False, True, True, False)
    ]


def test_whole_numbers_take_a_format_of_their_own_only():
    frame = frame_of(None, plain=[1000, 2], own=[1000, 2])
    assert texts(ResultTable(frame, formats={"own": ",.1f"})) == [["a", "1000", "1,000.0"], ["b", "2", "2.0"]]


def test_the_spread_follows_its_number_in_the_same_format():
    frame = frame_of(None, x=[1.005, 2.0], y=[np.nan, 3.0], text=["u", "v"], n=[4, 5], change=[0.5, -0.5])
    spread = frame_of(None, x=[0.125, np.nan], y=[1.0, 1.0], text=[np.nan] * 2, n=[0.5, np.nan], change=[0.1, 0.2])
    grid = grid_of(ResultTable(frame, formats={"x": ".2f", "change": "+.1f"}, spread=spread))
    assert [[cell.text for cell in row] for row in grid.rows] == [
        ["a", "1.01 ± 0.13", "–", "u", "4 ± 0.500", "+0.5 ± 0.1"],
        ["b", "2.00", "3.000 ± 1.000", "v", "5", "-0.5 ± 0.2"],
    ]
    assert [[cell.room for cell in row] for row in grid.rows] == [
        ["", "", " ± 1.000", "", "", ""],
        ["", " ± 0.13", "", "", " ± 0.500", ""],
    ]


def test_bold_cells():
    frame = frame_of(None, x=[1.0, 2.0], y=["u", "v"])
    bold = frame_of(None, x=[True, False], y=[False, True])
    grid = grid_of(ResultTable(frame, bold=bold))
    assert [[cell.bold for cell in row] for row in grid.rows] == [[False, True, False], [False, False, True]]
    assert not any(cell.bold for cell in grid.header)


def test_rows_may_have_several_labels_and_labels_be_numbers():
    index = pd.MultiIndex.from_tuples([("a", 10, 0.5), ("b", 20, 1.0)], names=["method", "size", None])
    grid = grid_of(ResultTable(pd.DataFrame({5: [1, 2]}, index=index)))
    assert grid.n_labels == 3
    assert [cell.text for cell in grid.header] == ["method", "size", "", "5"]
    assert [[cell.text for cell in row] for row in grid.rows] == [["a", "10", "0.5", "1"], ["b", "20", "1.0", "2"]]
    assert [cell.align for cell in grid.header] == ["left", "right", "right", "right"]


def test_no_rows_and_no_columns():
    empty = grid_of(ResultTable(pd.DataFrame({"x": np.empty(0), "y": np.empty(0, dtype=object)})))
    assert empty.rows == ()
    assert [cell.align for cell in empty.header][1:] == ["right", "left"]
    assert texts(ResultTable(pd.DataFrame(index=["a", "b"]))) == [["a"], ["b"]]


def test_short_floats_keep_their_digits():
    frame = frame_of(None, x=np.array([0.15, 0.25], dtype=np.float32))
    assert texts(ResultTable(frame, default_format=".1f")) == [["a", "0.2"], ["b", "0.3"]]


def test_names_are_one_line():
    assert visible(" a\nb\tc\x1b[0m\u2028 ") == r"a\nb\tc\x1b[0m\u2028"[:-6]
    assert visible("é 中\u00a0x") == "é 中\u00a0x"
    assert in_one_line("  One\n  two\tthree.\n") == "One two three."


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("中文", 4), ("e\u0301", 1), ("Ａ", 2), ("α±–∞−", 5), ("", 0)])
def test_width_in_a_terminal(text, width):
    assert text_width(text) == width
    assert pad(text, 6, "left") == text + " " * (6 - width)
    assert pad(text, 6, "right") == " " * (6 - width) + text
