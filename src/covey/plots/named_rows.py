"""Rows with the names of methods on the left, the best on top."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.plots.room import figure_of, make_room, settle
from covey.plots.style import INK, PLAIN, POINTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from covey.plots.fitting import Fitter


def longest_name(width: float) -> int:
    """Return how many letters of a name there is room for on axes of a width in points."""
    return int(np.clip(0.45 * width / (0.55 * POINTS), 12, 40))


def write_row_names(ax: Axes, names: Sequence[str]) -> None:
    """Write names on the left, the first on top, as small as the room for each asks."""
    from covey.plots.fitting import place_when_drawn

    ax.set_yticks(range(len(names)), list(names))
    ax.set_ylim(len(names) - 0.4, -0.6)
    for text in ax.get_yticklabels():
        text.set(color=INK, **PLAIN)
    place_when_drawn(ax, partial(_fit_names, ax))
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def make_room_for_names(ax: Axes, fitter: Fitter, usual_lines: float) -> None:
    """Make room for names that are longer, and a name of the axis that is higher, than usual margins are.

    Parameters
    ----------
    ax : Axes
    fitter : Fitter
        Of the name of the axis.
    usual_lines : float
        How many lines of that name the margin has room for anyway.
    """
    width, height = settle(ax)
    point = figure_of(ax).dpi / 72
    names = max(float(text.get_window_extent().width) for text in ax.get_yticklabels()) / point
    left = min(max(names - 4 * POINTS, 0.0) / width, 0.6)
    make_room(ax, left=left)
    # Narrower axes may have a name of more lines.
    fitter.fit()
    lines = float(ax.xaxis.label.get_window_extent().height) / point
    make_room(ax, left=left, bottom=min(max(lines - usual_lines * POINTS, 0.0) / height, 0.4))


def _fit_names(ax: Axes, renderer: Any = None) -> None:
    """Write the names as large as the height of a row allows."""
    names = ax.get_yticklabels()
    room = float(ax.bbox.height) / figure_of(ax).dpi * 72 / len(names)
    for text in names:
        text.set_fontsize(min(POINTS + 0.5, 0.85 * room))
