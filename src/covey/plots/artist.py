"""Artist that keeps the text of axes in its place; matplotlib loads slowly, so it is imported where it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from covey.plots.layout import axes_size, figure_of, text_size, wrap
from covey.plots.style import POINTS

Place = Callable[[Axes, float, float], None]

# The share by which a side may change before anything is placed anew.
SAME = 0.03
# Lines are joined again only if they then take less than this share of their room, lest layouts go back and forth.
SURE = 0.9


class Layout(Artist):
    """An invisible artist that breaks the names of axes into lines, and places text when their size has changed.

    To place is to move or resize what was drawn before, given the axes, their width and their height in points.
    Lambdas would place too, but figures with them cannot be pickled.
    """

    def __init__(self, place: Place | None) -> None:
        super().__init__()
        self.place = place
        self.size, self.limits = (0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
        self.broken: dict[str, tuple[str, str]] = {}
        self.set(zorder=-1e9)

    def get_tightbbox(self, renderer: Any = None) -> None:
        """Break names while a layout engine measures the axes, so that it makes room for their lines."""
        if isinstance(self.axes, Axes):
            self.break_names(self.axes)

    def draw(self, renderer: Any) -> None:
        """Place text if the axes are not as they were; nothing is drawn."""
        if isinstance(self.axes, Axes):
            self.arrange(self.axes)

    def arrange(self, ax: Axes) -> None:
        """Place what depends on the size of axes, if it has changed, and break their names."""
        size = axes_size(ax)
        # Letters of another resolution are a little wider or narrower, which is no reason to move them.
        same = np.allclose(self.size, size, rtol=SAME) and self.limits == (*ax.get_xlim(), *ax.get_ylim())
        if self.place is not None and not same:
            self.size = size
            self.place(ax, *size)
            self.limits = (*ax.get_xlim(), *ax.get_ylim())
        self.break_names(ax)

    def break_names(self, ax: Axes) -> None:
        """Break the title and the names of axes into lines that fit."""
        across, up = _room(ax)
        for key, text, room in (("title", ax.title, across), ("x", ax.xaxis.label, across), ("y", ax.yaxis.label, up)):
            whole, broken = self.broken.get(key, ("", ""))
            size = float(text.get_fontsize())
            if text.get_text() != broken:
                whole = broken = text.get_text()  # someone wrote another text since
            fewer = wrap(ax, whole, SURE * room, size=size)
            if text_size(ax, broken, size=size)[0] > room:
                broken = wrap(ax, whole, room, size=size)
            elif fewer.count("\n") < broken.count("\n"):
                broken = fewer
            self.broken[key] = whole, broken
            text.set_text(broken)


def _room(ax: Axes) -> tuple[float, float]:
    """Return how wide a title and how high a name at the left may be, in points: as the page, if axes are alone."""
    figure, box = figure_of(ax), ax.bbox
    if len(figure.axes) > 1:
        return axes_size(ax)
    point = figure.dpi / 72
    middle, page = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2), figure.bbox.size
    across, up = (2 * min(at, side - at) / point - POINTS for at, side in zip(middle, page, strict=True))
    return float(across), float(up)
