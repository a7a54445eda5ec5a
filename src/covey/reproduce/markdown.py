"""Blocks of a page as Markdown: prose and tables, the published figures in brackets behind ours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import MISSING, Cell, Grid, escape_markdown, to_markdown
from covey.analysis.tables.result import grid_of
from covey.report.page import Block, Listing, Prose, Remarks, TableBlock

BRACKETS = "In brackets: the published."


def to_paragraphs(blocks: Iterable[Block]) -> list[str]:
    """Return prose and tables; figures, and what can be unfolded, are left to the report."""
    parts: list[str] = []
    for block in blocks:
        match block:
            case Prose(paragraphs) | Remarks(paragraphs):
                parts += map(escape_markdown, paragraphs)
            case Listing(items):
                parts.append(to_list(items))
            case TableBlock(table):
                parts.append(to_table(table))
    return parts


def to_list(items: Iterable[tuple[str, str]]) -> str:
    """Return terms and what they stand for as a list."""
    return "\n".join(
        f"- **{escape_markdown(term)}**: {escape_markdown(' '.join(text.split()))}" for term, text in items
    )


def to_table(table: ResultTable) -> str:
    """Return a table in which each published figure stands behind ours; standard deviations are left out."""
    return to_markdown(_joined(grid_of(replace(table, spread=None)))).rstrip()


def _joined(grid: Grid) -> Grid:
    """Join each column of published figures with that of ours."""
    pairs = _pairs([cell.text for cell in grid.header], grid.n_labels)
    if not pairs:
        return grid
    kept = [place for place in range(len(grid.header)) if place not in pairs.values()]

    def row_of(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(_both(cells[place], cells[pairs[place]]) if place in pairs else cells[place] for place in kept)

    header = tuple(grid.header[place] for place in kept)
    return replace(grid, header=header, rows=tuple(map(row_of, grid.rows)), notes=(BRACKETS, *grid.notes))


def _pairs(names: list[str], n_labels: int) -> dict[int, int]:
    """Return the places of columns of ours with those of the published: of the same name, else just before."""
    pairs = {}
    for place, name in enumerate(names):
        if place > n_labels and (name == "published" or name.startswith("published ") or name.endswith(", published")):
            ours = "ours" if name == "published" else name.removeprefix("published ").removesuffix(", published")
            pairs[names.index(ours) if ours in names else place - 1] = place
    return pairs


def _both(ours: Cell, published: Cell) -> Cell:
    """Return a cell with the published figure behind ours."""
    theirs = "" if published.text in ("", MISSING) else f" ({published.text})"
    return replace(ours, text=f"{ours.text or MISSING}{theirs}" if theirs else ours.text)
