"""Tables as plain text."""

from __future__ import annotations

import pandas as pd
from hypothesis import given, settings, strategies as st

from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import text_width
from covey.analysis.tables.result import grid_of


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
