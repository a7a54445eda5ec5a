"""Tables as plain text, for terminals."""

from __future__ import annotations

from dataclasses import replace

from covey.analysis.tables.grid import Cell, Grid, pad, text_width


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
