"""Tables as Markdown: exact text, and names that survive both a hand-written and a real parser."""

from __future__ import annotations

import re
import string
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import example, given, settings, strategies as st

from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import in_one_line, text_width, visible

NAMES = st.text(max_size=12) | st.text(alphabet=string.punctuation + "ab 1\n", max_size=12)


def test_a_small_table():
    index = pd.Index(["α-RSE", "a|b"], name="method")
    frame = pd.DataFrame(
        {"mean": [97.125, -1.0], "p": [1e-9, None], "wins": [3, 12], "fit": ["x_y", "_z_"]}, index=index
    )
    bold = pd.DataFrame({name: [name == "mean", name == "fit"] for name in frame}, index=index)
    spread = pd.DataFrame({"mean": [0.5, None], "p": None, "wins": None, "fit": None}, index=index, dtype=float)
    notes = ("1. First * note.", "Second.")
    table = ResultTable(frame, "All *of* it", {"mean": ".2f", "p": "p"}, spread=spread, bold=bold, notes=notes)
    assert table.to_markdown() == (
        "**All \\*of\\* it**\n"
        "\n"
        "| method |             mean |       p | wins | fit       |\n"
        "| :----- | ---------------: | ------: | ---: | :-------- |\n"
        "| α-RSE  | **97.13 ± 0.50** | <0.0001 |    3 | x_y       |\n"
        "| a\\|b   |            -1.00 |       – |   12 | **\\_z\\_** |\n"
        "\n"
        "1\\. First \\* note.\n"
        "\n"
        "Second.\n"
    )


def test_without_caption_and_notes_and_with_narrow_columns():
    frame = pd.DataFrame({"x": [1], "y": ["b"]}, index=["a"])
    assert ResultTable(frame).to_markdown() == "|     |   x | y   |\n| :-- | --: | :-- |\n| a   |   1 | b   |\n"


def split(line):
    """The cells of a row: between pipes that no backslash stands before, without backslashes before punctuation."""
    cells, place = [""], 0
    while place < len(line):
        if line[place] == "\\" and line[place + 1] in string.punctuation:
            cells[-1] += line[place + 1]
            place += 1
        elif line[place] == "|":
            cells.append("")
        else:
            cells[-1] += line[place]
        place += 1
    assert not cells[0]
    assert not cells[-1]
    return [cell.strip() for cell in cells[1:-1]]


@settings(deadline=None, max_examples=100)
@given(NAMES, NAMES, NAMES)
@example("\\|", "a\\", "|\n|")
def test_names_come_back(label, column, value):
    table = ResultTable(pd.DataFrame({column: [value, "x"]}, index=pd.Index([label, "y"], name="n")))
    lines = table.to_markdown().splitlines()
    assert len(lines) == 4
    assert len(set(map(text_width, lines))) == 1
    assert re.fullmatch(r"\| :-{2,} \| :-{2,} \|", lines[1])
    assert split(lines[0]) == ["n", visible(column).strip()]
    assert split(lines[2]) == [visible(label).strip(), visible(value).strip()]


class Words(HTMLParser):
    """The texts of some elements of a page."""

    def __init__(self, tags):
        super().__init__()
        self.tags, self.found, self.inside, self.others = tags, [], False, set()

    def handle_starttag(self, tag, attrs):
        if tag in self.tags:
            self.found.append("")
            self.inside = True
        else:
            self.others.add(tag)

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in self.tags

    def handle_data(self, data):
        if self.inside:
            self.found[-1] += data


@settings(deadline=None, max_examples=100)
@given(NAMES, NAMES, NAMES, st.text(alphabet=string.punctuation + "ab 1", min_size=1, max_size=12))
@example("_a_", "<b>&amp;", "~~x~~ `y` **z** [u](v)", "# a")
@example("a_b_c", "__x__", "_", "12) x")
def test_a_parser_shows_names_as_they_are(label, column, value, note):
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable(["table", "strikethrough"])
    table = ResultTable(pd.DataFrame({column: [value]}, index=pd.Index([label], name="n")), notes=(note,))
    words = Words({"th", "td", "p"})
    words.feed(reader.render(table.to_markdown()))
    wanted = ["n", *(visible(name) for name in (column, label, value)), *filter(None, [in_one_line(note)])]
    assert [text.strip() for text in words.found] == [text.strip() for text in wanted]
    assert words.others <= {"table", "thead", "tbody", "tr"}


@settings(deadline=None, max_examples=100)
@given(NAMES)
@example("*")
@example("[a]")
def test_a_parser_shows_bold_cells_and_captions_as_bold(name):
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable(["table", "strikethrough"])
    frame = pd.DataFrame({"x": [name, "u"]}, index=["a", "b"])
    table = ResultTable(frame, caption=name, bold=frame == name)
    words = Words({"strong"})
    words.feed(reader.render(table.to_markdown()))
    wanted = [in_one_line(name), visible(name)]
    assert words.found == [text for text in wanted if text] + (["u"] if name == "u" else [])
