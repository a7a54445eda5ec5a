"""Cells of a table, as plain text and as comma-separated values that a spreadsheet shows and does not run."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import csv_cell, frame_as_csv, in_one_line, pad, text_width, visible
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


def test_a_small_table():
    index = pd.Index(["α-RSE", "中文", "nearest"], name="method")
    columns = {"mean": [97.125, -1.0, 8.0], "p": [1e-9, None, 0.5], "n": [3, 12, -1], "same": ["yes", "no", "no"]}
    frame = pd.DataFrame(columns, index=index)
    bold = pd.DataFrame(False, index=index, columns=list(columns))
    bold.loc["α-RSE", "mean"] = bold.loc["中文", "same"] = True
    spread = pd.DataFrame(float("nan"), index=index, columns=list(columns))
    spread["mean"] = [0.5, 10.25, None]
    table = ResultTable(
        frame, "A caption", {"mean": ".1f", "p": "p"}, spread=spread, bold=bold, notes=("Note.", "Two.")
    )
    assert str(table) == (
        "A caption\n"
        "\n"
        "method          mean         p   n  same\n"
        "-------  ------------  -------  --  ----\n"
        "α-RSE     97.1 ± 0.5*  <0.0001   3  yes\n"
        "中文     -1.0 ± 10.3         –  12  no*\n"
        "nearest   8.0           0.5000  -1  no\n"
        "\n"
        "Note.\n"
        "Two."
    )
    assert repr(table) == str(table)


def test_without_caption_and_notes():
    assert str(ResultTable(pd.DataFrame({"x": [0.5]}, index=["a"]))) == "       x\n-  -----\na  0.500"


def cut(line, start, end):
    """The part of a line between two columns of a terminal."""
    return "".join(char for at, char in enumerate(line) if start <= text_width(line[:at]) < end)


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cf", "Mn", "Me"]), max_size=8)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(WORDS, st.floats(), st.booleans(), WORDS), min_size=1, max_size=5))
def test_columns_stand_below_each_other(rows):
    labels, numbers, marks, words = zip(*rows, strict=True)
    frame = pd.DataFrame({"number": numbers, "word": words}, index=pd.Index(labels, name="label"))
    bold = pd.DataFrame({"number": marks, "word": False}, index=frame.index)
    table = ResultTable(frame, bold=bold, default_format=".3g")
    lines = str(table).split("\n")
    first, second = (at + 2 for at in range(len(lines[1])) if lines[1].startswith("  ", at))
    for line, row, mark in zip(lines[2:], grid_of(table).rows, marks, strict=True):
        whole = line + " " * second  # blanks at its end were left out
        label, number, word = cut(whole, 0, first - 2), cut(whole, first, second - 2), cut(whole, second, 10**6)
        assert (label.rstrip(), word.rstrip()) == (row[0].text, row[2].text)
        assert number.lstrip() == row[1].text + ("*" if mark else " " if any(marks) else "")


@pytest.mark.parametrize("text", ["=1+1", "@SUM(1)", "+ve", "-a", "-2+3+cmd|' /C calc'!A0", "＝1+1", "--1", "=A1"])
def test_what_a_spreadsheet_would_run_is_quoted(text):
    assert csv_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["-1", "+1", "-5.2", "-1e-05", "+.5", "-inf", "-", "+", "--", "a=1", ">50K", "", "'=1"]
)
def test_numbers_signs_and_other_text_stay(text):
    assert csv_cell(text) == text


@pytest.mark.parametrize("value", [-1, -1.5, None, True, np.float64(-2)])
def test_what_is_no_text_stays(value):
    assert csv_cell(value) is value


def test_controls_are_written_as_escapes_and_marks_of_a_language_stay():
    assert csv_cell("\t=1+1") == r"\t=1+1"
    assert csv_cell("\r@a\nb\x1b[2J\x9b") == r"\r@a\nb\x1b[2J\x9b"
    assert csv_cell("שלום\u200f") == "שלום\u200f"


@given(st.text())
def test_no_text_is_run_or_breaks_a_line(text):
    cell = csv_cell(text)
    assert not [letter for letter in cell if ord(letter) < 32 or 127 <= ord(letter) < 160]
    cell.encode()
    assert not cell.startswith(tuple("=+-@")) or not any(map(str.isalnum, cell)) or np.isreal(float(cell))
    frame = pd.DataFrame({"a": [text, "x"]}, index=pd.Index([text, "y"], name="n"))
    written = frame_as_csv(frame)
    assert len(written.split("\n")) == 4
    again = pd.read_csv(io.StringIO(written), dtype=str, keep_default_na=False, index_col=0)
    assert (again["a"].tolist(), again.index.tolist()) == ([cell, "x"], [cell, "y"])


def test_names_and_labels_of_rows_are_cells_too():
    frame = pd.DataFrame({"=a()": [-1.5]}, index=pd.MultiIndex.from_tuples([("@b", -1)], names=["+c", "\x1b"]))
    assert ResultTable(frame).to_csv() == "'+c,\\x1b,'=a()\n'@b,-1,-1.5\n"


FRAMES = [
    pd.DataFrame({"a": [1.5, np.nan, -np.inf], "b": ["x", "y,z", None], "c": pd.Categorical(["u", "v", "u"])}),
    pd.DataFrame(
        {"a": [True, False], "b": pd.array([1, None], dtype="Int64"), "c": pd.to_datetime(["2020-01-01"] * 2)}
    ),
    pd.DataFrame({"a": [1, 2]}, index=pd.MultiIndex.from_arrays([["p", "q"], [0.1, 2]], names=["m", None])),
    pd.DataFrame({1: [1, None], "x": [None, "-3"]}, index=pd.Index(["p", "q"], name="n"), dtype=object),
    pd.DataFrame({"a": []}),
]


@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize("frame", FRAMES)
def test_harmless_frames_are_written_as_pandas_does(frame, index):
    assert frame_as_csv(frame, index=index) == frame.to_csv(index=index)
