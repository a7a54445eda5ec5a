"""Figures as SVG for a page.

Text stays text, in the font that figures are laid out for, or another that is no wider. It can be found, marked and
read aloud, and a figure takes less than a third of the room it takes with letters as outlines (eight kinds of figure:
212 kB and 708 kB), which matters in a file with 200 of them.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import signature
from typing import TYPE_CHECKING, Any

from covey.report.names import slug
from covey.report.page import Drawing
from covey.report.svg import clean_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Ids of clips and markers are hashes; with this they are the same each time.
_WRITING: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "covey",
    "svg.image_inline": True,
    "savefig.bbox": None,
    "savefig.facecolor": "auto",
    "savefig.transparent": False,
}


def to_svg(figure: Figure, *, prefix: str) -> str:
    """Return a figure as an svg element, the same for the same figure, and close it.

    Parameters
    ----------
    figure : matplotlib Figure
        What to write.
    prefix : str
        What its ids start with, so that figures in one page do not take each other's clips.
    """
    _require_matplotlib()
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    written = io.StringIO()
    try:
        with mpl.rc_context(_WRITING), _any_letter():
            figure.savefig(written, format="svg", metadata={"Date": None})
    finally:
        plt.close(figure)
    return clean_svg(written.getvalue(), f"{slug(prefix)}-")


def drawn(
    draw: Callable[..., Any],
    data: Any,
    *,
    name: str,
    caption: str | None = None,
    prefix: str | None = None,
    **options: Any,
) -> Drawing:
    """Draw a figure of `covey.plots` for a page.

    It looks the same whatever matplotlib's style, no window opens, and no figure stays open.

    Parameters
    ----------
    draw : callable
        Such as `covey.plots.draw_score_boxes`.
    data : object
        What it draws, which has a title and a description.
    name : str
        What a download is called.
    caption : str, optional
        By default the data's title, which the figure itself then does not repeat. With "" it has no caption, but its
        title.
    prefix : str, optional
        What its ids start with; by default the name.
    **options
        For the function that draws.
    """
    _require_matplotlib()
    from matplotlib import style

    caption = data.title if caption is None else caption
    if caption and "title" in signature(draw).parameters:
        options = {"title": "", **options}
    with _offscreen(), _any_letter(), style.context("default"):
        axes = draw(data, **options)
        first = axes.flat[0] if hasattr(axes, "flat") else axes
        svg = to_svg(first.get_figure(root=True), prefix=name if prefix is None else prefix)
    return Drawing(svg=svg, caption=caption, description=data.description, name=name)


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


def _require_matplotlib() -> None:
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise ImportError("Figures need matplotlib: pip install 'covey[study]'.") from error
