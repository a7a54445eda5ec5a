"""Tables as Markdown, LaTeX and HTML: exact text, and names that parsers read back."""

from __future__ import annotations

import re
import string
import unicodedata
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import example, given, settings, strategies as st

from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import escape_latex as escape, in_one_line, visible

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


LATEX_NAMES = st.text(max_size=12) | st.text(alphabet=string.punctuation + "ab 1αβΩ±≤–—…", max_size=12)


NAMED = {"textasciitilde": "~", "textasciicircum": "^", "textbackslash": "\\", "textless": "<", "textgreater": ">"}


NAMED |= {"textbar": "|", "ldots": "…", "textendash": "–", "textemdash": "—"}


MATHS = {"pm": "±", "times": "×", "infty": "∞", "leq": "≤", "geq": "≥", "neq": "≠", "approx": "≈", "to": "→"}


LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", ",,": "„", "?`": "¿", "!`": "¡"}


def mathematics(name):
    if name in MATHS:
        return MATHS[name]
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    letter = {"LAMBDA": "LAMDA"}.get(name.removeprefix("var").upper(), name.removeprefix("var").upper())
    return unicodedata.lookup(f"GREEK {size} LETTER {letter}")


def read(text):
    """What LaTeX would print."""
    tokens = re.compile(
        r"\\(?P<named>[a-z]+)\{\}|\\(?P<char>[&%$#_{}])|\$\\(?P<maths>[A-Za-z]+)\$|(?P<minus>\$-\$)|(?P<nothing>\{\})"
        r"|(?P<ligature>---?|``|''|,,|\?`|!`)|(?P<plain>[^\\&%$#_{}~^<>|])",
        re.DOTALL,
    )
    shown, place = "", 0
    while place < len(text):
        found = tokens.match(text, place)
        assert found, f"LaTeX stops at {text[place:]!r}"
        part = found.lastgroup
        word = found[part]
        looks = {"named": NAMED, "ligature": LIGATURES}
        shown += {"minus": "−", "nothing": ""}.get(part) or (
            mathematics(word) if part == "maths" else looks.get(part, {}).get(word, "" if part == "nothing" else word)
        )
        place = found.end()
    return shown


def test_latex_a_small_table():
    index = pd.Index(["α-RSE", "[b] & c"], name="method_id")
    frame = pd.DataFrame({"mean": [97.125, -1.0], "p": [1e-9, None], "time": [3.125e-5, float("inf")]}, index=index)
    bold = pd.DataFrame({name: [name == "mean", False] for name in frame}, index=index)
    spread = pd.DataFrame({"mean": [0.5, None], "p": None, "time": None}, index=index, dtype=float)
    formats = {"mean": ".2f", "p": "p", "time": ".2e"}
    table = ResultTable(frame, "Five % of 1 < 2", formats, spread=spread, bold=bold, notes=("A_note.", "Two."))
    assert (
        table.to_latex(label="tab:a_b")
        == r"""% Needs \usepackage{booktabs} in the preamble.
\begin{table}
  \centering
  \caption{Five \% of 1 \textless{} 2}
  \label{tab:a_b}
  \begin{tabular}{lrrr}
    \toprule
    method\_id & mean & p & time \\
    \midrule
    $\alpha$-RSE & \textbf{97.13 $\pm$ 0.50} & $<$0.0001 & 3.13$\times$10$^{-5}$ \\
    {}[b] \& c & $-$1.00\phantom{ $\pm$ 0.50} & -- & $\infty$ \\
    \bottomrule
  \end{tabular}
  \par\smallskip
  \begin{minipage}{\linewidth}
    \footnotesize\raggedright
    A\_note.\par
    Two.\par
  \end{minipage}
\end{table}
"""
    )


def test_caption_and_label_may_be_left_out():
    table = ResultTable(pd.DataFrame({"x": [0.5]}, index=["a"]), formats={"x": "%"})
    text = table.to_latex()
    assert "caption" not in text
    assert "label" not in text
    assert "minipage" not in text
    assert r"    a & 50.0\% \\" in text
    # A reference needs a number, which only a caption makes.
    assert "  \\caption{}\n  \\label{tab:x}\n" in table.to_latex(label="tab:x")


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("a&b", r"a\&b"),
        ("5%", r"5\%"),
        ("$x$", r"\$x\$"),
        ("#1", r"\#1"),
        ("a_b", r"a\_b"),
        ("{a}", r"\{a\}"),
        ("~", r"\textasciitilde{}"),
        ("x^2", r"x\textasciicircum{}2"),
        ("\\", r"\textbackslash{}"),
        ("<|>", r"\textless{}\textbar{}\textgreater{}"),
        ("mean ± sd", r"mean $\pm$ sd"),
        ("αβ-RSE", r"$\alpha$$\beta$-RSE"),
        ("--fast", r"-{}-fast"),
        ("e\u0301", "é"),
    ],
)
def test_special_characters(text, latex):
    assert escape(text) == latex


@settings(deadline=None, max_examples=200)
@given(LATEX_NAMES)
@example("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ")
@example("---`` '' ,, ?` !` −±×∞≤≥≠≈→")
def test_latex_names_come_back(name):
    assert read(escape(visible(name))) == unicodedata.normalize("NFC", visible(name))


@settings(deadline=None, max_examples=100)
@given(LATEX_NAMES, LATEX_NAMES, LATEX_NAMES)
@example("*", "[1cm]", "\\\\")
def test_every_row_has_its_cells(label, column, value):
    table = ResultTable(pd.DataFrame({column: [value, "x"]}, index=pd.Index([label, "y"], name=label)))
    lines = table.to_latex().splitlines()
    rows = [line for line in lines if line.endswith(r"\\")]
    assert len(rows) == 3
    cells = [re.split(r"(?<!\\)&", row.removesuffix(r" \\")) for row in rows]
    wanted = [[label, column], [label, value], ["y", "x"]]
    for row, names in zip(cells, wanted, strict=True):
        shown = [read(cell.strip(" ")) for cell in row]
        assert shown == [unicodedata.normalize("NFC", visible(name)) for name in names]
        # After the end of a row, a star or a bracket would be its option.
        assert not row[0].lstrip().startswith(("[", "*"))


@pytest.mark.parametrize("label", ["a b", "{x}", "a%", "", 3])
def test_a_label_that_would_not_compile_is_refused(label):
    with pytest.raises(ValueError, match=r"label=.* must be letters, digits and : \. _ \+ / -, as in 'tab:accuracy'"):
        ResultTable(pd.DataFrame({"x": [1]})).to_latex(label=label)


HTML_NAMES = st.text(max_size=12) | st.text(alphabet=string.punctuation + "ab 1", max_size=12)


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


def test_html_a_small_table():
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
@given(HTML_NAMES, HTML_NAMES, HTML_NAMES, HTML_NAMES)
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
