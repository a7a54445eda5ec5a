"""Formats of a table: plain text, Markdown, LaTeX and HTML of its cells, and comma-separated values."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from covey._text import CONTROLS, spelt_out
from covey.analysis.tables.grid import MISSING, Cell, Grid, pad, text_width

if TYPE_CHECKING:
    import pandas as pd


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
    header = "".join(_html_cell(cell, "col" if cell.text else None) for cell in grid.header)
    lines += ["  <thead>", f"    <tr>{header}</tr>", "  </thead>", "  <tbody>"]
    for row in grid.rows:
        scopes = ["row" if place < grid.n_labels else None for place in range(len(row))]
        lines.append(f"    <tr>{''.join(map(_html_cell, row, scopes))}</tr>")
    lines.append("  </tbody>")
    if grid.notes:
        notes = [f'    <tr><td colspan="{len(grid.header)}">{html.escape(note)}</td></tr>' for note in grid.notes]
        lines += ["  <tfoot>", *notes, "  </tfoot>"]
    return "\n".join([*lines, "</table>"]) + "\n"


def _html_cell(cell: Cell, scope: str | None) -> str:
    """Return a cell, or the head of a row or column."""
    kinds = [*(["num"] if cell.align == "right" else []), *(["best"] if cell.bold else [])]
    marks = (f' scope="{scope}"' if scope else "") + (f' class="{" ".join(kinds)}"' if kinds else "")
    text = html.escape(cell.text.replace("-", "−") if cell.number else cell.text)
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
    r"""Return a value as a cell of comma-separated text.

    Text that a spreadsheet would run as a formula gets a quote (``'``) before it, as OWASP advises. Numbers, written as
    text too, and signs alone stay as they are: they do nothing. Control characters and line breaks are written as
    escapes (``\n``), so that each row is one line.

    Anything but text is returned as it is.

    Examples
    --------
    >>> from covey.analysis.tables.formats import csv_cell
    >>> [csv_cell(text) for text in ("=1+1", "@SUM(A1)", "-1.5", "+", "a\nb")]
    ["'=1+1", "'@SUM(A1)", '-1.5', '+', 'a\\nb']
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
