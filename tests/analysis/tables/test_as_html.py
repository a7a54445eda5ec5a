"""Tables as HTML: exact text, and cells read back by a parser."""

from __future__ import annotations

import string
from html.parser import HTMLParser

import pandas as pd
from hypothesis import example, given, settings, strategies as st

from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import in_one_line, visible

NAMES = st.text(max_size=12) | st.text(alphabet=string.punctuation + "ab 1", max_size=12)


class Cells(HTMLParser):
    """The elements of a table that hold text, and the attributes of all."""

    def __init__(self):
        super().__init__()
        self.texts, self.open, self.attributes, self.tags = [], [], set(), set()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag in ("th", "td", "caption"):
            self.texts.append((tag, ""))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and {"th", "td", "caption"} & set(self.open):
            tag, text = self.texts[-1]
            self.texts[-1] = (tag, text + data)
        else:
            assert not data.strip()


def test_a_small_table():
    index = pd.Index(["α-RSE", "<b>"], name="method")
    frame = pd.DataFrame({"mean": [97.125, -1.0], "p": [1e-9, None], "same": [True, False]}, index=index)
    bold = pd.DataFrame({name: [name == "mean", name == "same"] for name in frame}, index=index)
    spread = pd.DataFrame({"mean": [0.5, None], "p": None, "same": None}, index=index, dtype=float)
    table = ResultTable(frame, "This & that", {"mean": ".2f", "p": "p"}, spread=spread, bold=bold, notes=("1 < 2.",))
    assert table.to_html() == (
        '<table class="covey-table">\n'
        "  <caption>This &amp; that</caption>\n"
        "  <thead>\n"
        '    <tr><th scope="col">method</th><th scope="col" class="num">mean</th>'
        '<th scope="col" class="num">p</th><th scope="col">same</th></tr>\n'
        "  </thead>\n"
        "  <tbody>\n"
        '    <tr><th scope="row">α-RSE</th><td class="num best"><strong>97.13 ± 0.50</strong></td>'
        '<td class="num">&lt;0.0001</td><td>yes</td></tr>\n'
        '    <tr><th scope="row">&lt;b&gt;</th><td class="num">−1.00</td>'
        '<td class="num">–</td><td class="best"><strong>no</strong></td></tr>\n'
        "  </tbody>\n"
        "  <tfoot>\n"
        '    <tr><td colspan="4">1 &lt; 2.</td></tr>\n'
        "  </tfoot>\n"
        "</table>\n"
    )
    assert table._repr_html_() == table.to_html()


def test_minus_is_a_sign_in_numbers_only_and_a_nameless_index_has_no_head():
    table = ResultTable(pd.DataFrame({"x-y": [-1, 2]}, index=["a-b", "c"]))
    text = table.to_html()
    assert '<tr><td></td><th scope="col" class="num">x-y</th></tr>' in text
    assert '<tr><th scope="row">a-b</th><td class="num">−1</td></tr>' in text
    assert "caption" not in text
    assert "tfoot" not in text


@settings(deadline=None, max_examples=100)
@given(NAMES, NAMES, NAMES, NAMES)
@example("</td>", '" onclick="x', "<script>", "&lt;")
def test_cells_come_back(label, column, value, caption):
    frame = pd.DataFrame({column: [value]}, index=pd.Index([label], name="n"))
    cells = Cells()
    cells.feed(ResultTable(frame, caption, bold=frame == value, notes=(caption,)).to_html())
    cells.close()
    assert not cells.open
    wanted = [("th", "n"), ("th" if visible(column) else "td", visible(column)), ("th", visible(label))]
    wanted += [("td", visible(value)), ("td", in_one_line(caption))]
    assert cells.texts == [("caption", in_one_line(caption))] * bool(in_one_line(caption)) + wanted
    assert cells.attributes <= {"class", "scope", "colspan"}
    assert cells.tags <= {"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "strong"}
