"""Artists that lay out the texts of axes when these are drawn, for the size that they have then.

This module loads matplotlib; import it where something is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from matplotlib.artist import Artist
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox

from covey.plots.room import figure_of, give_back_room, make_room, settle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of the room for a line, the share that is used: neighbours may still take a little.
SHARE = 0.97
# Lines are joined again only if they take less than this share.
SURE = 0.88
# Room below what is above a legend, in points.
PAD = 6.0


def _axes(artist: Artist) -> Axes:
    assert artist.axes is not None
    return cast("Axes", artist.axes)


class Placer(Artist):
    """An invisible artist that calls a function before its axes are drawn, if their size or limits have changed.

    Parameters
    ----------
    place : callable
        What to call, with matplotlib's renderer. A method or a function of a module, so that figures can be pickled.
    """

    def __init__(self, place: Callable[[Any], None]) -> None:
        super().__init__()
        self.place = place
        self.seen: tuple[float, ...] | None = None
        self.set(zorder=-1e9, in_layout=False)

    def draw(self, renderer: Any) -> None:
        """Call the function; nothing is drawn."""
        ax = _axes(self)
        # In points, so that the same figure at another resolution stays as it is.
        sides = (round(float(side) * 72 / figure_of(ax).dpi) for side in ax.bbox.size)
        state = (*sides, *ax.get_xlim(), *ax.get_ylim())
        if state != self.seen:
            self.seen = state
            self.place(renderer)


class Fitter(Artist):
    """An invisible artist that breaks the title and the names of axes into lines that fit, whenever they are laid out.

    A legend below the axes stays below the name of the horizontal axis.
    """

    def __init__(self) -> None:
        super().__init__()
        self.broken: dict[str, tuple[str, str]] = {}
        self.below = False
        self.set(zorder=-2e9, clip_on=False)

    def get_tightbbox(self, renderer: Any = None) -> Bbox | None:
        """Fit the texts while a layout is made, and return the room that they take now, as high as they are."""
        self.fit()
        ax = _axes(self)
        texts = [text for text in (ax.title, ax.xaxis.label, ax.yaxis.label) if text.get_text() and text.get_visible()]
        boxes = []
        for text in texts:
            box = text.get_window_extent(renderer)
            # Lines are never too long, so their length is no matter of the layout.
            x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
            level = text is not ax.yaxis.label
            boxes.append(
                Bbox.from_extents(x, box.y0, x + 1, box.y1) if level else Bbox.from_extents(box.x0, y, box.x1, y + 1)
            )
        return Bbox.union(boxes) if boxes else None

    def draw(self, renderer: Any) -> None:
        """Fit the texts that do not fit; nothing is drawn."""
        self.fit(drawing=True)

    def fit(self, *, drawing: bool = False) -> None:
        """Break texts into lines; while drawing, when room was shared out, only those that are too long."""
        ax = _axes(self)
        self._break(ax.yaxis.label, "y", float(ax.bbox.height), drawing)
        axis = ax.yaxis.get_tightbbox() if ax.axison else None
        left = 0.0 if axis is None else max(float(ax.bbox.x0 - axis.x0), 0.0)
        right, lowest = self._beside()
        wide, narrow = (float(ax.bbox.width) + 2 * min(left, side) for side in (right, 0.0))
        self._break(ax.title, "title", wide, drawing)
        self._break(ax.xaxis.label, "x", wide if lowest >= ax.bbox.y0 else narrow, drawing)
        if self.below:
            self.lower_legend()

    def _beside(self) -> tuple[float, float]:
        """Return how far names on the right reach, and the lowest place of any, in pixels."""
        ax = _axes(self)
        legend = ax.get_legend()
        beside: list[Any] = [text for text in ax.texts if text.get_text() and text.get_in_layout()]
        beside += [] if legend is None or self.below else [legend]
        boxes = [artist.get_window_extent() for artist in beside]
        boxes = [box for box in boxes if box.x1 > ax.bbox.x1]
        right = max((float(box.x1 - ax.bbox.x1) for box in boxes), default=0.0)
        return right, min((float(box.y0) for box in boxes), default=float(ax.bbox.y0))

    def lower_legend(self) -> None:
        """Move the legend below the name of the horizontal axis."""
        ax = _axes(self)
        legend, axis = ax.get_legend(), ax.xaxis.get_tightbbox()
        if legend is not None and axis is not None:
            depth = float(ax.bbox.y0 - axis.y0) + PAD * figure_of(ax).dpi / 72
            # A wide one reaches below the names on the left rather than to the right, where there may be nothing.
            middle = min(0.5, 1 - float(legend.get_window_extent().width) / 2 / float(ax.bbox.width))
            legend.set_bbox_to_anchor((middle, -depth / ax.bbox.height), transform=ax.transAxes)

    def _break(self, text: Text, what: str, room: float, drawing: bool) -> None:
        shown = text.get_text()
        whole, broken = self.broken.get(what, ("", ""))
        if shown != broken:
            whole = shown  # someone wrote another text since
        elif drawing and max(_widths(text, shown.split("\n")), default=0.0) <= room:
            return
        before, broken = broken, "\n".join(_fill(text, paragraph, SHARE * room) for paragraph in whole.split("\n"))
        lines = broken.split("\n")
        if shown == before and len(lines) <= before.count("\n") and max(_widths(text, lines)) > SURE * room:
            return  # fewer lines fit only just: the next layout would need more again
        self.broken[what] = whole, broken
        if broken != shown:
            text.set_text(broken)


def _widths(like: Text, pieces: Sequence[str]) -> list[float]:
    """Return how wide pieces of a text would be, in pixels."""
    figure = like.get_figure(root=True)
    look: Any = {"fontproperties": like.get_fontproperties(), "parse_math": like.get_parse_math()}
    widths = []
    for piece in pieces:
        # The axes must not know, or they would seem to have changed.
        probe = Text(0, 0, piece, usetex=like.get_usetex(), **look)
        probe.set_figure(figure)  # type: ignore[arg-type]
        widths.append(float(probe.get_window_extent().width))
    return widths


def _fill(like: Text, paragraph: str, room: float) -> str:
    """Return a paragraph in as few lines as fit, of about the same width; a word that is too wide is broken too."""
    if _widths(like, [paragraph])[0] <= room:
        return paragraph
    words: list[str] = []
    for word in paragraph.split():
        while len(word) > 1 and _widths(like, [word])[0] > room:
            count = next((n for n in range(len(word) - 1, 1, -1) if _widths(like, [word[:n]])[0] <= room), 1)
            words.append(word[:count])
            word = word[count:]
        words.append(word)
    widths = _widths(like, words)
    space = _widths(like, ["a a"])[0] - 2 * _widths(like, ["a"])[0]
    starts = _lines(widths, space, room)
    for narrower in np.linspace(room, max(widths), 25)[1:].tolist():
        fewer = _lines(widths, space, narrower)
        starts = fewer if len(fewer) == len(starts) else starts
    return "\n".join(" ".join(words[start:end]) for start, end in pairwise([*starts, len(words)]))


def _lines(widths: Sequence[float], space: float, room: float) -> list[int]:
    """Return the first word of each line, when each line has as many words as fit."""
    starts, used = [0], 0.0
    for number, width in enumerate(widths):
        if number > starts[-1] and used + width > room:
            starts.append(number)
            used = 0.0
        used += width + space
    return starts


class FromOne(MaxNLocator):
    """Whole numbers from one up: the first tick is 1, whatever room there is on its left."""

    def __init__(self) -> None:
        super().__init__(nbins="auto", integer=True, min_n_ticks=1)

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Return where ticks are between two ends."""
        return np.unique(np.maximum(super().tick_values(vmin, vmax), 1))


def add_leader(ax: Axes, xy: Any, colour: str, *, width: float, shrink: float) -> Any:
    """Add a line that leads from a point to its name; `lead` says where it ends."""
    look: Any = {"arrowstyle": "-", "color": colour, "linewidth": width, "shrinkA": 0, "shrinkB": shrink}
    ends: Any = {"textcoords": "offset points", "annotation_clip": False, "arrowprops": look, "zorder": 2}
    leader = ax.annotate("", xy, xytext=(0, 0), label="_leader", **ends)
    leader.set(visible=False, in_layout=False)
    return leader


def lead(leader: Any, place: tuple[float, float], *, visible: bool) -> None:
    """Let a line lead to a place, in points from its own, if it is to be seen."""
    leader.set_position(place)
    leader.set_visible(visible)


def fit_texts(ax: Axes) -> Fitter:
    """Keep the title and the names of axes within their room from now on; call it before room is made for others."""
    give_back_room(ax)
    fitter = next((artist for artist in ax.artists if isinstance(artist, Fitter)), None)
    if fitter is None:
        fitter = Fitter()
        ax.add_artist(fitter)
        fitter.set_clip_on(False)
    fitter.fit()
    return fitter


def place_when_drawn(ax: Axes, place: Callable[[Any], None]) -> None:
    """Call a function now, and whenever axes of another size are drawn."""
    ax.add_artist(Placer(place))
    place(None)


def put_legend_below(ax: Axes) -> None:
    """Move the legend of axes below them, and make room there."""
    legend = ax.get_legend()
    assert legend is not None
    legend.set_loc("upper center")
    fitter = fit_texts(ax)
    fitter.below = True
    fitter.fit()
    point = figure_of(ax).dpi / 72
    make_room(ax, bottom=min(float(legend.get_window_extent().height + PAD * point) / ax.bbox.height, 0.6))
    fitter.fit()
    # Each layout changes how texts are broken, which changes the next; it takes a few to come to rest.
    for _ in range(2):
        settle(ax)
