"""Parts of figures that are laid out anew when they are drawn at another size than before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Matplotlib loads slowly: import this module inside functions only.
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from covey.plots.room import figure_of, place_width, settle, wrap

Paint = Callable[[Axes, float, float], None]

# How many points a side may change before anything is painted anew.
SAME = 0.25
# How often a layout engine may place axes whose text has changed.
ROUNDS = 2
# No text gets smaller than this, in points.
LEAST = 1.0


class Refit(Artist):
    """What a figure holds to keep the text of some axes fitting; it draws nothing itself.

    A layout engine and whoever resizes a figure change the size of axes after a figure was laid out. This is drawn
    before all axes. If the size has changed, it takes away what it painted and paints again, and breaks the title and
    the names of the axes into lines that are no longer than these.

    Parameters
    ----------
    ax : matplotlib Axes
        Which axes.
    paint : callable of (ax, width, height), or None
        Draws what depends on the size, given in points. None if only the title and the names of the axes do.
    """

    def __init__(self, ax: Axes, paint: Paint | None) -> None:
        super().__init__()
        self.set_zorder(float("-inf"))
        self.set_in_layout(False)
        self.target, self.paint_parts = ax, paint
        self.painted: list[Artist] = []
        self.size: tuple[float, float, float] | None = None
        self.names = [_Name(text) for text in (ax.title, ax.xaxis.label, ax.yaxis.label)]
        self.anchor = ax.add_artist(Artist())  # axes that are cleared lose it
        self.anchor.set_in_layout(False)

    def fit(self, *, last: bool = False) -> bool:
        """Paint for the present size of the axes; return False if that was done before.

        The last time names have no more lines than before, as no layout engine will make room for them.
        """
        ax, dpi = self.target, figure_of(self.target).dpi
        ax.apply_aspect()
        size = (float(ax.bbox.width) * 72 / dpi, float(ax.bbox.height) * 72 / dpi, float(dpi))
        if self.size is not None and all(abs(a - b) <= SAME for a, b in zip(size, self.size, strict=True)):
            return False
        self.size = size
        self.clean()
        if self.paint_parts is not None and min(size) > 0:
            before = {id(child) for child in ax.get_children()}
            self.paint_parts(ax, size[0], size[1])
            self.painted = [child for child in ax.get_children() if id(child) not in before]
            for part in self.painted:
                part.set_in_layout(False)  # it fits; a layout engine would measure it at a size that is no more
        width = place_width(ax)
        for name, room in zip(self.names, (width + _beside(ax), width, size[1]), strict=True):
            name.fit(ax, room, keep=last)
        return True

    def clean(self) -> None:
        """Take away what was painted."""
        for part in self.painted:
            if part.axes is not None:
                part.remove()
        self.painted = []

    def draw(self, renderer: Any) -> None:
        """Fit all axes of the figure, or vanish with those that were cleared or removed."""
        if self.anchor.axes is None or self.target.get_figure() is None:
            self.remove()
        else:
            fit_all(figure_of(self.target))


def _beside(ax: Axes) -> float:
    """Return how much wider than axes, in points, their title may be: above what is on both sides of them."""
    inside = ax.bbox
    sides = [box for child in ax.child_axes if (box := child.get_tightbbox()) is not None]
    names = ax.yaxis.get_tightbbox(None)
    if not sides or names is None:
        return 0.0
    right, left = max(box.x1 for box in sides) - inside.x1, inside.x0 - names.x0
    return 2 * max(float(min(left, right)), 0.0) * 72 / figure_of(ax).dpi


class _Name:
    """The title or a name of axes, which others may change at any time."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.whole, self.full = text.get_text(), float(text.get_fontsize())
        self.shown, self.size = self.whole, self.full

    def fit(self, ax: Axes, room: float, *, keep: bool) -> None:
        """Break the text into lines no longer than a room in points, or keep its lines; smaller ones if need be."""
        keep = keep and self.text.get_text() == self.shown
        if self.text.get_text() != self.shown:
            self.whole = self.shown = self.text.get_text()
        if self.text.get_fontsize() != self.size:
            self.full = float(self.text.get_fontsize())
        self.size = self.full
        if self.whole and room > 0:
            self.shown = self.shown if keep else wrap(ax, self.whole.split("\n"), room, self.full)
            self.text.set(text=self.shown, fontsize=self.full)
            # The widths of letters are whole pixels, so that a text does not shrink evenly.
            while (share := room / self._length(ax)) < 1 and self.size > LEAST:
                self.size *= max(min(share, 0.98), 0.2)
                self.text.set_fontsize(self.size)

    def _length(self, ax: Axes) -> float:
        box = self.text.get_window_extent()
        return float(box.height if self.text is ax.yaxis.label else box.width) * 72 / figure_of(ax).dpi


def fit_all(figure: Figure) -> None:
    """Fit all axes of a figure; its layout engine has another look at those that are new."""
    parts = [part for part in figure.artists if isinstance(part, Refit) and part.anchor.axes is not None]
    engine = figure.get_layout_engine()
    changed = [part.fit() for part in parts]
    if engine is None or not any(changed):
        return
    for turn in range(ROUNDS):
        engine.execute(figure)
        for part in parts:
            part.fit(last=turn == ROUNDS - 1)


def keep_fitting(ax: Axes, paint: Paint | None = None) -> None:
    """Paint parts of axes now, and again whenever they are drawn at another size; see `Refit`."""
    figure = figure_of(ax)
    for other in [part for part in figure.artists if isinstance(part, Refit) and part.target is ax]:
        other.clean()
        other.remove()
    settle(ax)
    refit = Refit(ax, paint)
    figure.add_artist(refit)
    if refit.fit():
        settle(ax)
        refit.fit()
