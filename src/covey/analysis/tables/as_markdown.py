"""Tables as Markdown, in GitHub's dialect."""

from __future__ import annotations

import re

from covey.analysis.tables.grid import Cell, Grid, pad, text_width

# What could start or end markup. An underscore within a word, a lone "<" and a lone "&" cannot.
_MARKUP = re.compile(r"[\\|*`\[\]~$]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?])|&(?=#?\w+;)")
# What would make a heading, a quotation or a list of a line that starts with it.
_BLOCK = re.compile(r"^([#>+=-]|\d+[.)])")


def to_markdown(grid: Grid) -> str:
    """Return a table with pipes, its caption as a bold line above and its notes below, each a paragraph."""
    written = [[_cell(cell) for cell in row] for row in (grid.header, *grid.rows)]
    widths = [max(3, *map(text_width, column)) for column in zip(*written, strict=True)]
    rules = [
        "-" * (width - 1) + ":" if cell.align == "right" else ":" + "-" * (width - 1)
        for cell, width in zip(grid.header, widths, strict=True)
    ]
    lines = []
    for row in (written[0], rules, *written[1:]):
        cells = [pad(text, width, cell.align) for text, width, cell in zip(row, widths, grid.header, strict=True)]
        lines.append(f"| {' | '.join(cells)} |")
    parts = [f"**{escape(grid.caption)}**"] if grid.caption else []
    notes = [_BLOCK.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", escape(note)) for note in grid.notes]
    return "\n\n".join([*parts, "\n".join(lines), *notes]) + "\n"


def escape(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\g<0>", text)


def _cell(cell: Cell) -> str:
    text = escape(cell.text)
    return f"**{text}**" if cell.bold and text else text
