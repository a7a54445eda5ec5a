"""Cells of a table, and its formats: plain text, Markdown, LaTeX, HTML and comma-separated values."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey._rounding import is_number, write_number
from covey._text import CONTROLS, spelt_out

if TYPE_CHECKING:
    import pandas as pd

Align = Literal["left", "right"]
MISSING = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell."""

    text: str  # one line; a number has "-" for minus, "∞", and " ± " before its spread; what is missing is "–"
    align: Align = "left"  # which all cells of a column share
    bold: bool = False
    number: bool = False  # so that renderers may write its signs as such
    room: str = ""  # to leave room for: a number without a spread stands below the others' numbers


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a table, with its caption and notes, of one line each."""

    caption: str
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_labels: int  # how many columns at the left are names of the rows
    notes: tuple[str, ...]


def cell_of(value: Any, spec: str | None, bold: bool = False) -> Cell:
    """Return a value as a cell."""
    if is_missing(value):
        return Cell(MISSING, bold=bold)
    if isinstance(value, bool | np.bool_):
        return Cell("yes" if value else "no", bold=bold)
    if is_number(value):
        return Cell(write_number(value, spec), bold=bold, number=True)
    return Cell(visible(value), bold=bold)


def with_spread(cells: list[Cell], spread: list[Any], spec: str) -> list[Cell]:
    """Write the spread behind numbers that have one, and leave room for it behind the rest."""
    texts = [
        f" ± {write_number(deviation, spec.removeprefix('+'))}" if cell.number and not is_missing(deviation) else ""
        for cell, deviation in zip(cells, spread, strict=True)
    ]
    widest = max(texts, key=len, default="")
    return [
        replace(cell, text=cell.text + text, room="" if text else widest)
        for cell, text in zip(cells, texts, strict=True)
    ]


def column_of(name: Any, cells: list[Cell], values: pd.Series[Any] | pd.Index[Any]) -> list[Cell]:
    """Return a name and the cells below it, at the right if they are numbers, some of which may be missing."""
    numeric = [cell.number for cell in cells if cell.text != MISSING or cell.number]
    right = all(numeric) and (bool(numeric) or values.dtype.kind in "iuf")
    side: Align = "right" if right else "left"
    return [replace(cell, align=side) for cell in (Cell(visible(name)), *cells)]


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN or one of pandas' signs for what is missing."""
    import pandas as pd

    if isinstance(value, float):  # most are, and this is many times as fast
        return value != value
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def visible(value: Any) -> str:
    """Return a name as one line that can be seen."""
    return spelt_out(str(value).strip())


def in_one_line(text: str) -> str:
    """Return a caption or note with each stretch of blanks and line breaks as one blank."""
    return visible(" ".join(text.split()))


def text_width(text: str) -> int:
    """Return how many columns of a terminal a text takes: Chinese letters take two, combining accents none."""
    if text.isascii():
        return len(text)
    shown = [char for char in text if unicodedata.category(char) not in ("Mn", "Me", "Cf")]
    return len(shown) + sum(unicodedata.east_asian_width(char) in "WF" for char in shown)


def pad(text: str, width: int, align: Align) -> str:
    """Return a text with blanks up to a width, counted as a terminal does."""
    blanks = " " * (width - text_width(text))
    return text + blanks if align == "left" else blanks + text


# Plain text, for terminals.


def to_text(grid: Grid) -> str:
    """Return columns side by side, with the caption above and the notes below; a star follows what is bold."""
    columns = [_marked(column) for column in zip(grid.header, *grid.rows, strict=True)]
    widths = [max(text_width(cell.text) for cell in column) for column in columns]
    lines = [
        "  ".join(pad(cell.text, width, cell.align) for cell, width in zip(row, widths, strict=True))
        for row in zip(*columns, strict=True)
    ]
    rule = "  ".join("-" * width for width in widths)
    parts = [grid.caption, ""] if grid.caption else []
    notes = ["", *grid.notes] if grid.notes else []
    return "\n".join(line.rstrip() for line in (*parts, lines[0], rule, *lines[1:], *notes))


def _marked(column: tuple[Cell, ...]) -> list[Cell]:
    """Put a star behind bold cells, and blanks behind others where digits must stay below digits."""
    right = column[0].align == "right"
    other = " " if right and any(cell.bold for cell in column) else ""
    return [
        replace(cell, text=cell.text + ("*" if cell.bold else other) + " " * (right * len(cell.room)))
        for cell in column
    ]


# Markdown, in GitHub's dialect.

# What could start or end markup. An underscore within a word, a lone "<" and a lone "&" cannot.
_MARKUP = re.compile(r"[\\|*`\[\]~$]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?])|&(?=#?\w+;)")
# What would make a heading, a quotation or a list of a line that starts with it.
_BLOCK = re.compile(r"^([#>+=-]|\d+[.)])")


def to_markdown(grid: Grid) -> str:
    """Return a table with pipes, its caption as a bold line above and its notes below, each a paragraph."""
    written = [[_markdown_cell(cell) for cell in row] for row in (grid.header, *grid.rows)]
    widths = [max(3, *map(text_width, column)) for column in zip(*written, strict=True)]
    rules = [
        "-" * (width - 1) + ":" if cell.align == "right" else ":" + "-" * (width - 1)
        for cell, width in zip(grid.header, widths, strict=True)
    ]
    lines = []
    for row in (written[0], rules, *written[1:]):
        cells = [pad(text, width, cell.align) for text, width, cell in zip(row, widths, grid.header, strict=True)]
        lines.append(f"| {' | '.join(cells)} |")
    parts = [f"**{escape_markdown(grid.caption)}**"] if grid.caption else []
    notes = [_BLOCK.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", escape_markdown(note)) for note in grid.notes]
    return "\n\n".join([*parts, "\n".join(lines), *notes]) + "\n"


def escape_markdown(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\g<0>", text)


def _markdown_cell(cell: Cell) -> str:
    text = escape_markdown(cell.text)
    return f"**{text}**" if cell.bold and text else text


# LaTeX, with the rules of the booktabs package.

_GREEK = {
    **{"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta"},
    **{"ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma"},
    **{"τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta"},
    **{"Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega"},
}
_SIGNS = {"±": "pm", "×": "times", "∞": "infty", "≤": "leq", "≥": "geq", "≠": "neq", "≈": "approx", "→": "to"}
# What LaTeX reads as a command, what its first font has other letters for, and what needs mathematics.
_SPECIAL = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "−": "$-$",
    "…": r"\ldots{}",
    **{char: f"$\\{name}$" for char, name in {**_GREEK, **_SIGNS}.items()},
}
# Two hyphens would become a dash, and two quotes another: an empty group keeps them apart.
_TEXT = re.compile(rf"[{re.escape(''.join(_SPECIAL))}]|([-`',])(?=\1)|[?!](?=`)")
_NUMBER = re.compile(r"e[+-]\d+|[-+<%±∞]")
_LABEL = re.compile(r"[A-Za-z0-9:._+/-]+")


def to_latex(grid: Grid, label: str | None = None) -> str:
    """Return a table environment, numbered if it has a label to refer to; then the caption stays even if empty."""
    if label is not None and (not isinstance(label, str) or not _LABEL.fullmatch(label)):
        raise ValueError(f"label={label!r} must be letters, digits and : . _ + / -, as in 'tab:accuracy'.")
    lines = [r"\begin{table}", r"  \centering"]
    lines += [rf"  \caption{{{escape_latex(grid.caption)}}}"] if grid.caption or label is not None else []
    lines += [rf"  \label{{{label}}}"] if label is not None else []
    lines += [rf"  \begin{{tabular}}{{{''.join(cell.align[0] for cell in grid.header)}}}", r"    \toprule"]
    lines += [
        _latex_row(grid.header),
        r"    \midrule",
        *map(_latex_row, grid.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
    ]
    if grid.notes:
        lines += [r"  \par\smallskip", r"  \begin{minipage}{\linewidth}", r"    \footnotesize\raggedright"]
        lines += [rf"    {escape_latex(note)}\par" for note in grid.notes]
        lines += [r"  \end{minipage}"]
    return "\n".join(["% Needs \\usepackage{booktabs} in the preamble.", *lines, r"\end{table}"]) + "\n"


def escape_latex(text: str) -> str:
    """Return text that LaTeX shows as it is; accents that follow their letter are made one with it."""
    composed = unicodedata.normalize("NFC", text)
    return _TEXT.sub(lambda match: _SPECIAL.get(match[0], f"{match[0]}{{}}"), composed)


def _latex_row(cells: tuple[Cell, ...]) -> str:
    first, *others = map(_latex_cell, cells)
    # A bracket or a star after the end of a row or a rule would be read as its option.
    guarded = f"{{}}{first}" if first.startswith(("[", "*")) else first
    return rf"    {' & '.join([guarded, *others])} \\"


def _latex_cell(cell: Cell) -> str:
    words = "--" if cell.text == MISSING else escape_latex(cell.text)
    text = _NUMBER.sub(_sign, cell.text) if cell.number else words
    bold = rf"\textbf{{{text}}}" if cell.bold and text else text
    return rf"{bold}\phantom{{{_NUMBER.sub(_sign, cell.room)}}}" if cell.room and cell.align == "right" else bold


def _sign(match: re.Match[str]) -> str:
    """Return a sign or a power of ten within a number as mathematics."""
    text = match[0]
    if text.startswith("e"):
        return rf"$\times$10$^{{{int(text[1:])}}}$"
    return f"${text}$" if text in "-+<" else _SPECIAL[text]


# HTML: the bare elements, for a page's own style.


def to_html(grid: Grid) -> str:
    """Return a table element of the class "covey-table", with cells of the classes "num" and "best"."""
    lines = ['<table class="covey-table">']
    lines += [f"  <caption>{html.escape(grid.caption)}</caption>"] if grid.caption else []
    header = "".join(html_cell(cell, "col" if cell.text else None) for cell in grid.header)
    lines += ["  <thead>", f"    <tr>{header}</tr>", "  </thead>", "  <tbody>"]
    for row in grid.rows:
        scopes = ["row" if place < grid.n_labels else None for place in range(len(row))]
        lines.append(f"    <tr>{''.join(map(html_cell, row, scopes))}</tr>")
    lines.append("  </tbody>")
    if grid.notes:
        notes = [f'    <tr><td colspan="{len(grid.header)}">{html.escape(note)}</td></tr>' for note in grid.notes]
        lines += ["  <tfoot>", *notes, "  </tfoot>"]
    return "\n".join([*lines, "</table>"]) + "\n"


def html_cell(cell: Cell, scope: str | None, marks: str = "", badge: str = "") -> str:
    """Return a cell, or the head of a row or column, with further attributes, and as a badge of some class."""
    kinds = [*(["num"] if cell.align == "right" else []), *(["best"] if cell.bold else [])]
    marks = (f' scope="{scope}"' if scope else "") + (f' class="{" ".join(kinds)}"' if kinds else "") + marks
    text = html.escape(cell.text.replace("-", "−") if cell.number else cell.text)
    text = f'<span class="badge {html.escape(badge)}">{text}</span>' if badge else text
    tag = "th" if scope else "td"
    return f"<{tag}{marks}>{f'<strong>{text}</strong>' if cell.bold else text}</{tag}>"


# Comma-separated values that a spreadsheet shows and does not run.

# What a formula can start with, in the wide letters of Chinese and Japanese too.
_STARTS = tuple("=+-@＝＋－＠")
_PLAIN_KINDS = "iufcbmM"


def frame_as_csv(frame: pd.DataFrame, *, index: bool = True) -> str:
    """Return a frame as comma-separated text: see `csv_cell` for what becomes of text, names and labels."""
    import pandas as pd

    levels = range(frame.index.nlevels) if index else ()
    columns = [_cells(frame.index.get_level_values(level)) for level in levels]
    columns += [_cells(frame.iloc[:, place]) for place in range(frame.shape[1])]
    names = [*(frame.index.names if index else ()), *frame.columns]
    written = pd.DataFrame(dict(enumerate(columns)))
    return written.to_csv(index=False, header=["" if name is None else csv_cell(name) for name in names])


def csv_cell(value: Any) -> Any:
    r"""Return a value as a cell of comma-separated text; what is no text stays.

    Text that a spreadsheet would run as a formula gets a quote (``'``) before it, as OWASP advises; numbers as text and
    signs alone do nothing. Control characters and line breaks become escapes (``\n``), so that each row is one line.
    """
    if not isinstance(value, str):
        return value
    text = spelt_out(value, kinds=CONTROLS)
    runs = text.startswith(_STARTS) and not _is_number(text) and any(letter.isalnum() for letter in text)
    return f"'{text}" if runs else text


def _cells(values: Any) -> Any:
    """Return the values of a column or index, text as cells."""
    import pandas as pd

    plain = values.dtype.kind in _PLAIN_KINDS
    return values.array if plain else pd.array([csv_cell(value) for value in values.array], dtype=object)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
