"""What figures in ROC space have in common: square axes, lines of equal accuracy, and marks with names beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.analysis.roc import IsoAccuracy
from covey.plots.curves import Floats, darker
from covey.plots.placement import nearest, place_labels
from covey.plots.room import figure_of
from covey.plots.style import COLOURS, GREY, INK, PLAIN, POINTS, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of h+, h-, and what no class has.
PLUS, MINUS = COLOURS[4], COLOURS[5]
# How far beyond 0 and 1 the axes reach, so that marks on the border are whole.
BEYOND = 0.04
# What h+ and h- are called, for a round or for none.
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Mark:
    """A point of ROC space with a shape, and a name or "".

    Parameters
    ----------
    xy : tuple of float
        False and true positive rate.
    text : str
        What is written beside it.
    colour, marker : str
        How it looks.
    size : float
        How large, in points.
    """

    xy: tuple[float, float]
    text: str
    colour: str
    marker: str
    size: float = 6.0


def name_of(side: str, number: int | None = None) -> str:
    """Return the name of h+ or h-, of a round if one is given."""
    subscript = "" if number is None else str(number).translate(SUBSCRIPTS)
    return f"h{subscript}{'⁺' if side == 'plus' else '⁻'}"


def dress_roc(ax: Axes, *, title: str, description: str, note: str = "") -> None:
    """Make axes a ROC space: square, from 0 to 1, with names; a note is told after the horizontal one."""
    x = f"false positive rate ({note})" if note else "false positive rate"
    dress(ax, title=title, description=description, x=x, y="true positive rate")
    ends = (-BEYOND, 1 + BEYOND)
    ax.set(xlim=ends, ylim=ends, aspect="equal", anchor="N")
    ticks = np.linspace(0, 1, 6)
    ax.set(xticks=ticks, yticks=ticks)


def draw_line(ax: Axes, line: IsoAccuracy, label: str, **look: Any) -> Floats:
    """Draw a line of equal accuracy, and return its ends."""
    ends = line.ends()
    ax.plot(*ends.T, **{"color": GREY, "linewidth": 1, "label": f"_{label}", "zorder": 1.8, **look})
    return ends


def draw_marks(ax: Axes, marks: Sequence[Mark]) -> None:
    """Draw marks, the largest first, so that a smaller one in the same place is seen."""
    for mark in sorted(marks, key=lambda mark: -mark.size):
        look: Any = {"color": mark.colour, "marker": mark.marker, "markersize": mark.size, "markeredgewidth": 1.6}
        if mark.marker not in "x+":
            look |= {"markeredgecolor": "white", "markeredgewidth": 0.08 * mark.size}
        ax.plot(*mark.xy, linestyle="", label=f"_mark {mark.text}", zorder=3.5, clip_on=False, **look)


def write_marks(marks: Sequence[Mark], paths: Sequence[Floats], ax: Axes, width: float, height: float) -> None:
    """Write the names of marks where they cover nothing, at the size that axes have room for.

    Parameters
    ----------
    marks : sequence of Mark
    paths : sequence of ndarray of float64 of shape (n_corners, 2)
        Lines that names had better not cover.
    ax : matplotlib Axes
    width, height : float
        The size of the axes in points.
    """
    from matplotlib.patheffects import withStroke

    point = figure_of(ax).dpi / 72
    size = POINTS * float(np.clip(min(width, height) / 170, 0.55, 1))
    named = [mark for mark in marks if mark.text]
    if not named:
        return
    write: Any = {"textcoords": "offset points", "size": size, "va": "bottom", "zorder": 5, **PLAIN}
    # Where no place is free, a name can be read on top of a line all the same.
    write["path_effects"] = [withStroke(linewidth=0.35 * size, foreground="white")]
    texts = [
        ax.annotate(mark.text, mark.xy, xytext=(0, 0), annotation_clip=False, color=_ink(mark.colour), **write)
        for mark in named
    ]
    sizes = np.array([text.get_window_extent().size for text in texts])
    at = ax.transData.transform([mark.xy for mark in named])
    every = ax.transData.transform([mark.xy for mark in marks])
    half = np.array([[mark.size / 2 + 0.5] for mark in marks]) * point
    boxes = np.concatenate([every - half, every + half], axis=1)
    page = np.array(ax.get_window_extent().padded(-point).extents)
    lines = np.concatenate([_along(ax.transData.transform(path), 1.2 * point) for path in paths])
    for text, lower, extent, middle, mark in zip(
        texts, place_labels(at, sizes, page, boxes, lines), sizes, at, named, strict=True
    ):
        text.set_position(tuple((lower - middle) / point))
        end = nearest(middle, np.concatenate([lower, lower + extent]))
        if np.hypot(*(end - middle)) > (mark.size / 2 + 6) * point:
            look: Any = {"arrowstyle": "-", "color": GREY, "linewidth": 0.6, "shrinkA": 0, "shrinkB": mark.size / 2}
            where: Any = {"xytext": tuple((end - middle) / point), "textcoords": "offset points"}
            ax.annotate("", mark.xy, **where, arrowprops=look, annotation_clip=False)


def _ink(colour: str) -> Any:
    return INK if colour == INK else darker(colour, 0.3)


def _along(corners: Floats, step: float) -> Floats:
    """Return places along a path, no more than a step apart."""
    lengths = np.hypot(*np.diff(corners, axis=0).T)
    parts = [
        first + np.linspace(0, 1, max(int(length / step), 1) + 1)[:, None] * (second - first)
        for first, second, length in zip(corners, corners[1:], lengths, strict=False)
    ]
    return np.concatenate(parts)
