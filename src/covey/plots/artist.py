"""Artist that keeps the text of axes in its place; matplotlib loads slowly, so it is imported where it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from covey.plots.layout import axes_size, figure_of, wrap
from covey.plots.style import POINTS

Place = Callable[[Axes, float, float], None]

# The share by which a side may change before anything is placed anew.
SAME = 0.03


class Layout(Artist):
    """An invisible artist that places text anew when its axes are drawn at another size than before.

    Parameters
    ----------
    place : callable of (ax, width, height), or None
        Moves or resizes what was drawn before; a function of a module or a partial of one, so that figures can be
        pickled. Sizes are in points. None if only the title and the names of the axes depend on the size.
    """

    def __init__(self, place: Place | None) -> None:
        super().__init__()
        self.place = place
        self.size, self.limits = (0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
        self.broken: dict[str, tuple[str, str]] = {}
        self.set(zorder=-1e9, in_layout=False)

    def draw(self, renderer: Any) -> None:
        """Place text if the axes are not as they were; nothing is drawn."""
        if isinstance(self.axes, Axes):
            self.arrange(self.axes)

    def arrange(self, ax: Axes) -> None:
        """Break the title and the names of axes into lines that fit, and place what depends on their size."""
        size = axes_size(ax)
        # Letters of another resolution are a little wider or narrower, which is no reason to move them.
        if np.allclose(self.size, size, rtol=SAME) and self.limits == (*ax.get_xlim(), *ax.get_ylim()):
            return
        self.size = size
        if self.place is not None:
            self.place(ax, *size)
        across, up = _room(ax)
        for key, text, room in (("title", ax.title, across), ("x", ax.xaxis.label, across), ("y", ax.yaxis.label, up)):
            whole, broken = self.broken.get(key, ("", ""))
            if text.get_text() != broken:
                whole = text.get_text()  # someone wrote another text since
            broken = wrap(ax, whole, room, size=float(text.get_fontsize()))
            self.broken[key] = whole, broken
            text.set_text(broken)
        self.limits = (*ax.get_xlim(), *ax.get_ylim())


def _room(ax: Axes) -> tuple[float, float]:
    """Return how wide a title and how high a name at the left may be, in points: as the page, if axes are alone."""
    figure, box = figure_of(ax), ax.bbox
    if len(figure.axes) > 1:
        return axes_size(ax)
    point = figure.dpi / 72
    middle, page = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2), figure.bbox.size
    across, up = (2 * min(at, side - at) / point - POINTS for at, side in zip(middle, page, strict=True))
    return float(across), float(up)
