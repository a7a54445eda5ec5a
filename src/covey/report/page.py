"""The parts of a page before it is HTML: prose, tables, figures and downloads, all of it plain.

Text is text: whatever a name holds, it is shown as it is written. How it looks is up to `covey.report.rendering`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from covey.analysis.tables import ResultTable

Tone = Literal["good", "bad", "neutral"]


@dataclass(frozen=True)
class Prose:
    """Paragraphs."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Remarks:
    """Sentences that must be read before the rest is believed, in a box that is seen."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Figures:
    """A few numbers that matter most, each large, with what it is above and a remark below."""

    items: tuple[tuple[str, str, str], ...]  # label, value, remark


@dataclass(frozen=True, eq=False)
class TableBlock:
    """A table that can be sorted, filtered, and downloaded as CSV and LaTeX; its caption and notes are shown."""

    table: ResultTable
    name: str  # what downloads are called, such as "ranking-wine"
    badges: Mapping[str, Mapping[str, Tone]] = field(default_factory=dict)  # of columns whose cells are verdicts
    filterable: bool = False  # whether rows can be filtered, for tables of more than a screenful


@dataclass(frozen=True)
class Drawing:
    """A figure."""

    svg: str  # from `covey.report.drawing.to_svg`
    caption: str
    description: str  # what it shows in words, for those who do not see it
    name: str  # what a download is called
    narrow: str = ""  # the same for a narrow screen, where one SVG would have letters too small to read


@dataclass(frozen=True)
class Gallery:
    """Small figures side by side, as many as there is room for."""

    drawings: tuple[Drawing, ...]


@dataclass(frozen=True)
class Listing:
    """Terms and what they stand for: how numbers were obtained, a dataset's facts."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Details:
    """Blocks that open on a click."""

    title: str
    blocks: tuple[Block, ...]


Block = Prose | Remarks | Figures | TableBlock | Drawing | Gallery | Listing | Details


@dataclass(frozen=True)
class Section:
    """A headline with blocks."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Chapter:
    """A page of its own within the file, such as one dataset's."""

    title: str  # its name in the list of chapters
    sections: tuple[Section, ...]
    group: str = ""  # the headline under which the list has it, such as "Datasets"


@dataclass(frozen=True)
class Page:
    """A report.

    Parameters
    ----------
    title, subtitle : str
    summary : tuple of str
        The answer in words, a sentence or two in each paragraph: what a reader in a hurry reads.
    sections : tuple of Section
        Of the first chapter.
    chapters : tuple of Chapter
        More, each reached from the list.
    method : tuple of Section
        How every number was obtained: the last chapter.
    """

    title: str
    subtitle: str
    summary: tuple[str, ...]
    sections: tuple[Section, ...] = ()
    chapters: tuple[Chapter, ...] = ()
    method: tuple[Section, ...] = ()
