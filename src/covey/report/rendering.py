"""A page as one HTML file that needs nothing else: no network, no other file, and no script but its own.

Whatever names hold is shown as text. Should an escape ever be missed, the page's security policy lets no script run but
the one whose hash it gives, and nothing be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Any

from covey._text import spelt_out
from covey.analysis.tables.formats import Cell, frame_as_csv, html_cell
from covey.analysis.tables.result import grid_of
from covey.report.drawing import placed
from covey.report.page import (
    Block,
    Details,
    Drawing,
    Figures,
    Gallery,
    Listing,
    Page,
    Prose,
    Remarks,
    Section,
    TableBlock,
    Tone,
)

if TYPE_CHECKING:
    from jinja2 import Environment

    from covey.analysis.tables import ResultTable

View = dict[str, Any]

LONGEST_SLUG = 48


def slug(name: str, otherwise: str = "part") -> str:
    """Return any text in small letters, digits and hyphens: safe as an id, in an address and as the name of a file.

    Examples
    --------
    >>> print(slug("Große Straße / 2.csv"), slug("../../etc/passwd"), slug("数据", "dataset"))
    grosse-strasse-2-csv etc-passwd dataset
    """
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_SLUG].rstrip("-") or otherwise


class Names:
    """Slugs that differ, by a number where names do not."""

    def __init__(self, *taken: str) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def new(self, name: str, otherwise: str = "part") -> str:
        """Return a slug that was not returned before."""
        base = slug(name, otherwise)
        number = self._next.get(base, 1)
        while (text := base if number == 1 else f"{base}-{number}") in self._taken:
            number += 1
        self._taken.add(text)
        self._next[base] = number + 1
        return text


def render_page(page: Page) -> str:
    """Return a report as HTML.

    Parameters
    ----------
    page : Page
        What it says.

    Returns
    -------
    str
        A whole file, to be written as UTF-8. The same page gives the same text.
    """
    from covey import __version__

    environment = _environment()
    script, style = _text("script.js"), _text("style.css")
    chapters = _Views().chapters(page)
    html = environment.get_template("page.html").render(
        page=page,
        chapters=chapters,
        groups=[(group, list(members)) for group, members in groupby(chapters, key=lambda chapter: chapter["group"])],
        policy=_policy(script),
        script=_as_is(script),
        style=_as_is(style),
        version=__version__,
    )
    return spelt_out(html, keep="\n\t")


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _environment() -> Environment:
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError as error:
        raise ImportError("Reports need jinja2: pip install 'covey[study]'.") from error
    return Environment(
        loader=FunctionLoader(_text), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


@cache
def _text(name: str) -> str:
    return (files("covey.report") / "templates" / name).read_text("utf-8")


def _as_is(text: str) -> Any:
    """Mark text that is HTML already."""
    from markupsafe import Markup

    return Markup(text)


class _Views:
    """Turns the parts of one page into what the templates show, with ids that differ from each other."""

    def __init__(self) -> None:
        self.names = Names("main", "contents")
        self.files = Names()
        self.n_drawings = self.n_tables = 0

    def chapters(self, page: Page) -> list[View]:
        """Return the chapters: the first, those of the page, and how it was done."""
        parts = [("Overview", page.sections, "")]
        parts += [(chapter.title, chapter.sections, chapter.group) for chapter in page.chapters]
        parts += [("Method", page.method, "")] if page.method else []
        return [self.chapter(title, sections, group) for title, sections, group in parts]

    def chapter(self, title: str, sections: Sequence[Section], group: str) -> View:
        name = self.names.new(title, "chapter")
        within = Names()
        shown = [
            {
                "id": f"{name}/{within.new(section.title, 'section')}",
                "title": section.title,
                "blocks": [self.block(block) for block in section.blocks],
            }
            for section in sections
        ]
        headings = [(section["id"], section["title"]) for section in shown if section["title"]]
        return {"id": name, "title": title, "group": group, "sections": shown, "headings": headings}

    def block(self, block: Block) -> View:
        match block:
            case Prose(paragraphs):
                return {"kind": "prose", "paragraphs": paragraphs}
            case Remarks(paragraphs):
                return {"kind": "remarks", "paragraphs": paragraphs}
            case Gallery(drawings):
                return {"kind": "gallery", "blocks": [self.drawing(inner) for inner in drawings]}
            case Figures(items):
                return {"kind": "figures", "entries": items}
            case Listing(items):
                return {"kind": "listing", "entries": items}
            case Details(title, blocks):
                return {"kind": "details", "title": title, "blocks": [self.block(inner) for inner in blocks]}
            case Drawing():
                return self.drawing(block)
            case TableBlock():
                return self.table(block)
        raise TypeError(f"block={block!r:.80} is none that a page can show; give one of covey.report.page.")

    def drawing(self, block: Drawing) -> View:
        self.n_drawings += 1
        return {
            "kind": "drawing",
            "svg": _as_is(placed(block, f"svg{self.n_drawings}.")),
            "narrow": _as_is(placed(block, f"svg{self.n_drawings}n.", block.narrow)) if block.narrow else "",
            "caption": block.caption,
            "file": self.files.new(block.name, "figure"),
        }

    def table(self, block: TableBlock) -> View:
        self.n_tables += 1
        grid, file = grid_of(block.table), self.files.new(block.name, "table")
        columns = _columns(block.table)
        heads = [cell.text for cell in grid.header]
        for column in block.badges:
            if column not in heads:
                raise ValueError(
                    f"badges names the column {column!r}, but the table {block.name!r} has {heads!r:.200}."
                )
        tones = [block.badges.get(head, {}) for head in heads]
        return {
            "kind": "table",
            "id": f"table{self.n_tables}.",
            "caption": grid.caption or block.name,
            "header": [{"text": cell.text, "number": cell.align == "right"} for cell in grid.header],
            "rows": [
                [
                    _cell(cell, value, place < grid.n_labels, tone)
                    for place, (cell, value, tone) in enumerate(zip(row, values, tones, strict=True))
                ]
                for row, values in zip(grid.rows, zip(*columns, strict=True), strict=True)
            ],
            "notes": grid.notes,
            "filterable": block.filterable,
            "downloads": (
                ("CSV", f"{file}.csv", _whole(_csv(block.table))),
                ("LaTeX", f"{file}.tex", _whole(block.table.to_latex(label=f"tab:{file}"))),
            ),
        }


def _columns(table: ResultTable) -> list[list[Any]]:
    """Return the values of a table, the labels of its rows first."""
    index, frame = table.frame.index, table.frame
    labels = [list(index.get_level_values(level)) for level in range(index.nlevels)]
    return labels + [list(frame.iloc[:, position].array) for position in range(frame.shape[1])]


def _csv(table: ResultTable) -> str:
    """Return a table's values as they are, each column that has spreads followed by these."""
    if table.spread is None or table.spread.isna().to_numpy().all():
        return table.to_csv()
    frame, taken = table.to_frame(), 0
    for position, name in enumerate(table.frame.columns):
        spread = table.spread.iloc[:, position]
        if not spread.isna().all():
            taken += 1
            frame.insert(position + taken, f"{name} ±", spread, allow_duplicates=True)
    return frame_as_csv(frame)


def _whole(text: str) -> Any:
    """Return text for a template element, which must come out as it went in: line ends too."""
    return _as_is(escape(text, quote=False).replace("\r", "&#13;"))


def _cell(cell: Cell, value: Any, is_label: bool, tones: Mapping[str, Tone]) -> Any:
    """Return a cell of a table, with the number by which to sort it where it shows one."""
    number = _sortable(value) if cell.number else ""
    marks = f' data-v="{number}"' if number else ""
    if cell.room and cell.align == "right":
        marks += f' data-room="{escape(cell.room)}"'
    return _as_is(html_cell(cell, "row" if is_label else None, marks, tones.get(cell.text, "")))


def _sortable(value: Any) -> str:
    """Return a number as a browser reads it; nothing where it is too large for that."""
    try:
        number = float(value)
    except OverflowError:
        return ""
    return repr(number).replace("inf", "Infinity")
