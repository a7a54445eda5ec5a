"""Tables as LaTeX, with the rules of the booktabs package."""

from __future__ import annotations

import re
import unicodedata

from covey.analysis.tables.grid import MISSING, Cell, Grid

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
    r"""Return a table environment: caption, label, tabular, and the notes below it.

    Parameters
    ----------
    grid : Grid
        The cells.
    label : str, optional
        What ``\ref`` finds it by. Such a table has a number, so it gets a caption even if that is empty.
    """
    if label is not None and (not isinstance(label, str) or not _LABEL.fullmatch(label)):
        raise ValueError(f"label={label!r} must be letters, digits and : . _ + / -, as in 'tab:accuracy'.")
    lines = [r"\begin{table}", r"  \centering"]
    lines += [rf"  \caption{{{escape(grid.caption)}}}"] if grid.caption or label is not None else []
    lines += [rf"  \label{{{label}}}"] if label is not None else []
    lines += [rf"  \begin{{tabular}}{{{''.join(cell.align[0] for cell in grid.header)}}}", r"    \toprule"]
    lines += [_row(grid.header), r"    \midrule", *map(_row, grid.rows), r"    \bottomrule", r"  \end{tabular}"]
    if grid.notes:
        lines += [r"  \par\smallskip", r"  \begin{minipage}{\linewidth}", r"    \footnotesize\raggedright"]
        lines += [rf"    {escape(note)}\par" for note in grid.notes]
        lines += [r"  \end{minipage}"]
    return "\n".join(["% Needs \\usepackage{booktabs} in the preamble.", *lines, r"\end{table}"]) + "\n"


def escape(text: str) -> str:
    """Return text that LaTeX shows as it is; accents that follow their letter are made one with it."""
    return _TEXT.sub(
        lambda found: _SPECIAL.get(found[0], f"{found[0]}{{}}"),
        unicodedata.normalize("NFC", text),
    )


def _row(cells: tuple[Cell, ...]) -> str:
    first, *others = map(_cell, cells)
    # A bracket or a star after the end of a row or a rule would be read as its option.
    guarded = f"{{}}{first}" if first.startswith(("[", "*")) else first
    return rf"    {' & '.join([guarded, *others])} \\"


def _cell(cell: Cell) -> str:
    words = "--" if cell.text == MISSING else escape(cell.text)
    text = _NUMBER.sub(_sign, cell.text) if cell.number else words
    bold = rf"\textbf{{{text}}}" if cell.bold and text else text
    return rf"{bold}\phantom{{{_NUMBER.sub(_sign, cell.room)}}}" if cell.room and cell.align == "right" else bold


def _sign(found: re.Match[str]) -> str:
    """Return a sign or a power of ten within a number as mathematics."""
    text = found[0]
    if text.startswith("e"):
        return rf"$\times$10$^{{{int(text[1:])}}}$"
    return f"${text}$" if text in "-+<" else _SPECIAL[text]
