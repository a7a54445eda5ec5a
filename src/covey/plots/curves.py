"""Lines with names: what the figures of curves over a parameter have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.learners.describe import short_number
from covey.plots.room import figure_of, make_room_right, spread_apart
from covey.plots.style import COLOURS, GREY, INK, LINES, MARKERS, PLAIN, POINTS, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

Floats = NDArray[np.float64]
Entry = tuple[Any, str]

# The colours that show best as thin lines on white come first; ink stands for yellow, which does not show at all.
LINE_COLOURS = (*(COLOURS[code] for code in (4, 5, 2, 0, 6, 1, 8, 9, 7)), INK)
# Twice as many lines as colours can be told apart, since no two with the same colour have the same style.
MOST_CURVES = 2 * len(LINE_COLOURS)
# Longer curves have no marker at each point.
MOST_MARKERS = 25
# Legends of more curves hold their names alone.
MOST_NOTES = 6
# How far, in lines of text, a name may be from the end of its curve.
FARTHEST = 4


@dataclass(frozen=True, eq=False)
class Curve:
    """A line through points.

    Parameters
    ----------
    name : str
        What it shows, "" for a line that needs no name.
    x, y : ndarray of float64 of shape (n_points,)
        The points, from left to right.
    spread : ndarray of float64 of shape (n_points,), or None
        Half the width of the band around the line.
    best : int or None
        The position of the point to mark.
    note : str
        What is written under the name.
    """

    name: str
    x: Floats
    y: Floats
    spread: Floats | None = None
    best: int | None = None
    note: str = ""


def looks(count: int, first: int = 0) -> list[dict[str, Any]]:
    """Return a colour, a marker and a line style for each of some curves, no two alike up to `MOST_CURVES`."""
    return [
        {
            "color": LINE_COLOURS[number % len(LINE_COLOURS)],
            "marker": MARKERS[number % len(MARKERS)],
            "linestyle": LINES[number % len(LINES)],
        }
        for number in range(first, first + count)
    ]


def darker(colour: str, share: float = 0.35) -> tuple[float, float, float]:
    """Return a colour mixed with black, in which text can be read."""
    from matplotlib.colors import to_rgb

    red, green, blue = (float((1 - share) * part) for part in to_rgb(colour))
    return red, green, blue


def wants_log(values: Floats) -> bool:
    """Whether values are spread over orders of magnitude, so that most of them would crowd in a corner."""
    low, high = float(values.min()), float(values.max())
    return bool(low > 0 and high >= 30 * low and np.median(values) < 0.25 * high)


def exactly(value: float) -> str:
    """Return the value of a parameter as a text, in full if it is short."""
    return short_number(float(value), 3)


def about(score: float) -> str:
    """Return a score in three digits, or four from ten up, which percentages need."""
    if abs(score) >= 1e4:
        return f"{score:.0f}" if abs(score) < 1e15 else f"{score:.3g}"
    return f"{score:.4g}" if abs(score) >= 10 else f"{score:.3g}"


def draw_curves(ax: Axes, curves: Sequence[Curve], *, first: int = 0, smooth: bool = True) -> list[Line2D]:
    """Draw curves with their bands, and a ring around the best point of each.

    Parameters
    ----------
    ax : matplotlib Axes
    curves : sequence of Curve
    first : int, default=0
        How many looks to leave to curves elsewhere.
    smooth : bool, default=True
        Whether a line leads from point to point; otherwise it stays level up to the next point.

    Returns
    -------
    list of Line2D
        The lines, in the order of the curves.
    """
    lines = []
    for number, (curve, look) in enumerate(zip(curves, looks(len(curves), first), strict=True)):
        if curve.spread is not None:
            low, high = curve.y - curve.spread, curve.y + curve.spread
            ax.fill_between(curve.x, low, high, color=look["color"], alpha=0.15, linewidth=0, zorder=1.5)
        stride = max(1, -(-len(curve.x) // 12)) if len(curve.x) > MOST_MARKERS else 1
        (line,) = ax.plot(
            curve.x,
            curve.y,
            **look,
            label=f"_{curve.name}",
            drawstyle="default" if smooth else "steps-post",
            linewidth=1.5,
            markersize=4.5,
            markeredgecolor="white",
            markeredgewidth=0.5,
            # Each curve has its markers elsewhere, so that curves on top of each other can be seen.
            markevery=(number * stride // max(len(curves), 1), stride) if stride > 1 else None,
            zorder=2.5,
        )
        lines.append(line)
        if curve.best is not None:
            ring: Any = {"marker": "o", "markersize": 10, "markerfacecolor": "none", "markeredgecolor": look["color"]}
            at = [curve.x[curve.best]], [curve.y[curve.best]]
            ax.plot(*at, linestyle="", label=f"_best of {curve.name}", markeredgewidth=1.3, zorder=3, **ring)
    return lines


def size_of(curves: Sequence[Curve], width: float = 5.6, height: float = 3.6) -> tuple[float, float]:
    """Return the size in inches of a new figure of curves: larger if many names take room on the right."""
    count = len(curves)
    return (width, height) if count <= MOST_NOTES else (1.3 * width, max(height, 0.21 * count + 0.8))


def name_curves(ax: Axes, curves: Sequence[Curve], lines: Sequence[Line2D], keys: Sequence[Entry] = ()) -> None:
    """Write the names of curves at their ends if there is room, otherwise into a legend on the right.

    It comes after all else, since it depends on the room that is left.

    Parameters
    ----------
    ax : matplotlib Axes
    curves : sequence of Curve
    lines : sequence of Line2D
        From `draw_curves`.
    keys : sequence of (artist, str)
        What else the legend explains.
    """
    named = [(curve, line) for curve, line in zip(curves, lines, strict=True) if curve.name]
    if len(named) > 0 and not _name_ends(ax, named):
        # As the lines lie above each other at their ends.
        named.sort(key=lambda pair: -pair[0].y[-1])
        told = len(named) <= MOST_NOTES
        texts = [f"{curve.name} ({curve.note})" if curve.note and told else curve.name for curve, _ in named]
        entries = [*zip([line for _, line in named], texts, strict=True), *keys]
        legend(ax, *_columns(entries), loc="upper left", bbox_to_anchor=(1, 1), borderaxespad=0.3, handlelength=2.6)
        make_room_right(ax, ax.get_legend())
    elif keys:
        legend(ax, *_columns(keys), loc="best", handlelength=1.2)


def _columns(entries: Sequence[Entry]) -> tuple[list[Any], list[str]]:
    return [artist for artist, _ in entries], [text for _, text in entries]


def _name_ends(ax: Axes, named: Sequence[tuple[Curve, Line2D]]) -> bool:
    """Write names at the ends of curves; return whether they fit, and leave nothing behind if not."""
    ends = np.array([[curve.x[-1], curve.y[-1]] for curve, _ in named])
    if np.ptp(ends[:, 0]) > 0:
        return False
    texts = [
        ax.annotate(
            f"{curve.name}\n{curve.note}" if curve.note else curve.name,
            (x, y),
            xytext=(9, 0),
            textcoords="offset points",
            color=darker(str(line.get_color())),
            fontsize=POINTS,
            verticalalignment="center",
            linespacing=1.1,
            annotation_clip=False,
            **PLAIN,
        )
        for (x, y), (curve, line) in zip(ends.tolist(), named, strict=True)
    ]
    ax.autoscale_view()
    sizes = [text.get_window_extent() for text in texts]
    if max(size.width for size in sizes) <= 0.5 * ax.bbox.width:
        make_room_right(ax, max(texts, key=lambda text: text.get_window_extent().width))
        point = figure_of(ax).dpi / 72
        heights = np.array([size.height for size in sizes]) + 2 * point
        wanted = ax.transData.transform(ends)[:, 1]
        places = spread_apart(wanted, heights, ax.bbox.y0, ax.bbox.y1 + 0.03 * ax.bbox.height)
        if places is not None and np.abs(places - wanted).max() <= FARTHEST * POINTS * point:
            for text, shift, (_, line) in zip(texts, (places - wanted) / point, named, strict=True):
                _shift(ax, text, float(shift), line)
            return True
    for text in texts:
        text.remove()
    return False


def _shift(ax: Axes, text: Any, shift: float, line: Line2D) -> None:
    """Move a name up by some points, and lead to it from the end of its curve unless it is level with it."""
    text.set_position((9, shift))
    if abs(shift) > 0.4 * POINTS:
        look: Any = {"arrowstyle": "-", "color": line.get_color(), "linewidth": 0.7, "shrinkA": 0, "shrinkB": 0}
        ends: Any = {"textcoords": "offset points", "annotation_clip": False, "arrowprops": look, "zorder": 2}
        ax.annotate("", text.xy, xytext=(7.5, shift), label="_leader", **ends)


def ring_key(text: str) -> Entry:
    """Return the entry of a legend that says what a ring is."""
    from matplotlib.lines import Line2D

    look: Any = {"marker": "o", "markersize": 9, "markerfacecolor": "none", "markeredgecolor": GREY, "linestyle": ""}
    return Line2D([], [], markeredgewidth=1.3, **look), text
