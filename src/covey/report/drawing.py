"""Figures as SVG for a page.

Text stays text, in the font that figures are laid out for, or another that is no wider. It can be found, marked and
read aloud, and a figure takes less than a third of the room it takes with letters as outlines (eight kinds of figure:
212 kB and 708 kB), which matters in a file with 200 of them.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from html import escape
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

from covey.plots.style import require_matplotlib
from covey.report.page import Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Size = Literal["own", "full", "small"]
# Widths in inches, 0 for a figure's own: of a page's column, and of a phone on which letters are still 10 pixels high.
FULL, SMALL = 9.2, 4.1
WIDTHS: dict[Size, tuple[float, ...]] = {"own": (0,), "full": (FULL, SMALL), "small": (SMALL,)}

# Ids of clips and markers are hashes; with this they are the same each time.
_WRITING: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "covey",
    "svg.image_inline": True,
    "savefig.bbox": None,
    "savefig.facecolor": "auto",
    "savefig.transparent": False,
}
# Figures are laid out for DejaVu Sans. Verdana, of Windows and Apple's systems, is as wide, and others are narrower.
_FONTS = "'DejaVu Sans', Verdana, Arial, Helvetica, sans-serif"
_TAG = re.compile(r"<[^>]*>")  # matplotlib writes > in text and in attributes as &gt;
# What stands in a file of its own, and a style that would reach the rest of a page.
_NOT_DRAWN = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>|<style\b.*?</style>", re.DOTALL)
_COORDINATES = re.compile(r' (?:d|x|y|width|height|points)="[^"]*"')
_LONG = re.compile(r"-?\d+\.\d{3,}")
_OWN_FONT = re.compile(r"font-family: 'DejaVu Sans'[^;\"]*;? ?|(?<=font: )([^;\"']*)'DejaVu Sans'[^;\"]*")
_REFERENCE = re.compile(r'(?:href="#|url\(#)([^")]*)')
_ID = re.compile(r' id="([^"]*)"')


def to_svg(figure: Figure) -> str:
    """Return a figure as an svg element, the same for the same figure, and close it.

    What does not draw is left out, and coordinates have two decimals, hundredths of a point.
    """
    require_matplotlib()
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    written = io.StringIO()
    try:
        with mpl.rc_context(_WRITING), _any_letter():
            figure.savefig(written, format="svg", metadata={"Date": None})
    finally:
        plt.close(figure)
    text = written.getvalue()
    drawing = re.sub(r">\n\s*<", "><", _NOT_DRAWN.sub("", text[text.index("<svg") :]).strip())
    wanted = set(_REFERENCE.findall(drawing))
    drawing = _TAG.sub(lambda tag: _shortened(tag[0], wanted), drawing)
    return drawing.replace("<svg", f'<svg font-family="{_FONTS}" stroke-linejoin="round"', 1)


def _shortened(tag: str, wanted: set[str]) -> str:
    """Return a tag with short coordinates, without the font that the whole drawing has and ids that nobody wants."""
    tag = _COORDINATES.sub(lambda place: _LONG.sub(lambda number: f"{float(number[0]):.2f}", place[0]), tag)
    return _ID.sub(lambda id: id[0] if id[1] in wanted else "", _OWN_FONT.sub(r"\1", tag))


def placed(drawing: Drawing, prefix: str, svg: str | None = None) -> str:
    """Return a drawing for a page with others: its ids begin with a prefix, and it says what it shows.

    Another SVG of the same may be given.
    """

    def prefixed(tag: re.Match[str]) -> str:
        return re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{prefix}", tag[0])

    words = {"title": drawing.caption or drawing.name, "desc": drawing.description}
    named = " ".join(f"{prefix}{kind}" for kind, text in words.items() if text)
    inside = "".join(f'<{kind} id="{prefix}{kind}">{escape(text)}</{kind}>' for kind, text in words.items() if text)
    head, _, rest = _TAG.sub(prefixed, drawing.svg if svg is None else svg).partition(">")
    closed = head.removesuffix("/")
    return f'{closed} role="img" aria-labelledby="{named}">{inside}{rest if closed == head else "</svg>"}'


def drawn(
    draw: Callable[..., Any],
    data: Any,
    *,
    name: str,
    caption: str | None = None,
    size: Size = "own",
    **options: Any,
) -> Drawing:
    """Draw data with a title and a description for a page, by a function such as `covey.plots.draw_score_boxes`.

    The caption is the title unless another is given, and the figure itself then has none; with "" it is the other way
    round. A "full" figure is as wide as the page, and drawn again for a phone; a "small" one fits a phone and a
    `Gallery`. It looks the same whatever matplotlib's style, no window opens, and no figure stays open.
    """
    require_matplotlib()
    from matplotlib import style

    from covey.plots.style import figure_width

    caption = data.title if caption is None else caption
    if caption and "title" in signature(draw).parameters:
        options = {"title": "", **options}
    svgs = []
    for width in WIDTHS[size]:
        with _offscreen(), _any_letter(), style.context("default"), figure_width(width) if width else nullcontext():
            axes = draw(data, **options)
            first = axes.flat[0] if hasattr(axes, "flat") else axes
            svgs.append(to_svg(first.get_figure(root=True)))
    return Drawing(svgs[0], caption, data.description, name, "".join(svgs[1:]))


@contextmanager
def _offscreen() -> Iterator[None]:
    """Let new figures be pictures in memory, not windows."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    before = mpl.get_backend()
    plt.switch_backend("agg")
    try:
        yield
    finally:
        if before.lower() != "agg":
            plt.switch_backend(before)


@contextmanager
def _any_letter() -> Iterator[None]:
    """Let text have letters that matplotlib's font does not: a browser finds a font that does."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield
