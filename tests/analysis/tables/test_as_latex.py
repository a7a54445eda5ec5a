r"""Tables as LaTeX: exact text, and names read back by a small reader that knows LaTeX's special characters."""

from __future__ import annotations

import re
import string
import unicodedata

import pandas as pd
import pytest
from hypothesis import example, given, settings, strategies as st

from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import escape_latex as escape, visible

NAMES = st.text(max_size=12) | st.text(alphabet=string.punctuation + "ab 1αβΩ±≤–—…", max_size=12)
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


def test_a_small_table():
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
@given(NAMES)
@example("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ")
@example("---`` '' ,, ?` !` −±×∞≤≥≠≈→")
def test_names_come_back(name):
    assert read(escape(visible(name))) == unicodedata.normalize("NFC", visible(name))


@settings(deadline=None, max_examples=100)
@given(NAMES, NAMES, NAMES)
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
