"""Tables as HTML: the bare elements, for a page's own style."""

from __future__ import annotations

from html import escape

from covey.analysis.tables.grid import Cell, Grid


def to_html(grid: Grid) -> str:
    """Return a table element of the class "covey-table", with cells of the classes "num" and "best"."""
    lines = ['<table class="covey-table">']
    lines += [f"  <caption>{escape(grid.caption)}</caption>"] if grid.caption else []
    header = "".join(html_cell(cell, "col" if cell.text else None) for cell in grid.header)
    lines += ["  <thead>", f"    <tr>{header}</tr>", "  </thead>", "  <tbody>"]
    for row in grid.rows:
        scopes = ["row" if place < grid.n_labels else None for place in range(len(row))]
        lines.append(f"    <tr>{''.join(map(html_cell, row, scopes))}</tr>")
    lines.append("  </tbody>")
    if grid.notes:
        notes = [f'    <tr><td colspan="{len(grid.header)}">{escape(note)}</td></tr>' for note in grid.notes]
        lines += ["  <tfoot>", *notes, "  </tfoot>"]
    return "\n".join([*lines, "</table>"]) + "\n"


def html_cell(cell: Cell, scope: str | None, marks: str = "", badge: str = "") -> str:
    """Return a cell, or the head of a row or column, with further attributes, and as a badge of some class."""
    kinds = [*(["num"] if cell.align == "right" else []), *(["best"] if cell.bold else [])]
    marks = (f' scope="{scope}"' if scope else "") + (f' class="{" ".join(kinds)}"' if kinds else "") + marks
    text = escape(cell.text.replace("-", "−") if cell.number else cell.text)
    text = f'<span class="badge {escape(badge)}">{text}</span>' if badge else text
    tag = "th" if scope else "td"
    return f"<{tag}{marks}>{f'<strong>{text}</strong>' if cell.bold else text}</{tag}>"
