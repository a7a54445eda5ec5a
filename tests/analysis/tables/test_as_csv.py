"""Tables that a spreadsheet shows and does not run."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import csv_cell, frame_as_csv


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
