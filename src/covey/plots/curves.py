"""Lines with names: what the figures of curves over a parameter have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import short_number
from covey.plots.room import figure_of, give_back_room, make_room_right, settle, spread, spread_apart
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
# How much wider, in points, a curve is than the same one on top of it, and no more often than so.
WIDER, MOST_WIDER = 1.8, 3
# A legend beside the axes takes no more than this share of their width if it fits below, where it may be so high. If
# it does not, it is beside them up to the last share of their width, and inside if they would vanish.
BESIDE, BELOW, WIDEST = 0.55, 0.45, 0.8


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

    def coincides(self, other: Curve) -> bool:
        """Whether another curve has the same points, up to what can be seen."""
        if not np.array_equal(self.x, other.x):
            return False
        height = float(np.ptp(self.y)) or abs(float(self.y[0])) or 1.0
        return bool(np.abs(self.y - other.y).max() <= 1e-3 * height)


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
        hidden = min(sum(map(curve.coincides, curves[number + 1 :])), MOST_WIDER)
        stride = max(1, -(-len(curve.x) // 12)) if len(curve.x) > MOST_MARKERS else 1
        (line,) = ax.plot(
            curve.x,
            curve.y,
            **look,
            label=f"_{curve.name}",
            drawstyle="default" if smooth else "steps-post",
            linewidth=1.5 + WIDER * hidden,
            markersize=4.5 + WIDER * hidden,
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
        rings = [] if told or all(curve.best is None for curve, _ in named) else [ring_key("best score of each")]
        entries = [*zip([line for _, line in named], texts, strict=True), *rings, *keys]
        legend_outside(ax, entries, handlelength=2.6)
    elif keys:
        legend(ax, *_columns(keys), loc="best", handlelength=1.2)


def legend_outside(ax: Axes, entries: Sequence[Entry], **options: Any) -> bool:
    """Draw a legend on the right of axes, or below them if they would be narrow otherwise and are high enough.

    Axes that are too small for both have it inside. Return whether it is outside.
    """
    from covey.plots.fitting import put_legend_below

    give_back_room(ax)
    width, height = settle(ax)
    legend(ax, *_columns(entries), **{"loc": "upper left", "bbox_to_anchor": (1, 1), "borderaxespad": 0.3, **options})
    point = figure_of(ax).dpi / 72
    drawn = ax.get_legend()
    assert drawn is not None
    size = drawn.get_window_extent()
    if BESIDE * width * point < size.width <= 1.1 * width * point and size.height < BELOW * height * point:
        put_legend_below(ax)
    elif size.width <= WIDEST * width * point:
        make_room_right(ax, drawn)
    else:
        legend(ax, *_columns(entries), **{**options, "loc": "best"})
        return False
    return True


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
    if max(text.get_window_extent().width for text in texts) <= 0.5 * ax.bbox.width:
        make_room_right(ax, max(texts, key=lambda text: text.get_window_extent().width))
        ends_of = EndNames(ax, texts, [line for _, line in named])
        if ends_of.fits():
            ends_of.keep_apart()
            return True
    for text in texts:
        text.remove()
    return False


class EndNames:
    """Names at the ends of curves, which move up and down lest they overlap.

    Parameters
    ----------
    ax : matplotlib Axes
    texts : sequence of Annotation
        The names, each beside the end of its curve.
    lines : sequence of Line2D
        The curves.
    """

    def __init__(self, ax: Axes, texts: Sequence[Any], lines: Sequence[Line2D]) -> None:
        self.ax, self.texts, self.lines = ax, texts, lines
        self.leaders: list[Any] = []

    def _room(self, renderer: Any = None) -> tuple[Floats, Floats, tuple[float, float]]:
        """Return where names should be, how high they are, and where their room begins and ends, in points."""
        point = figure_of(self.ax).dpi / 72
        heights = np.array([text.get_window_extent(renderer).height for text in self.texts]) / point + 2
        wanted = self.ax.transData.transform([text.xy for text in self.texts])[:, 1] / point
        box = self.ax.bbox
        return wanted, heights, (float(box.y0) / point, float(box.y1 + 0.03 * box.height) / point)

    def fits(self) -> bool:
        """Whether all names have room near the ends of their curves."""
        wanted, heights, room = self._room()
        places = spread_apart(wanted, heights, *room)
        return places is not None and bool(np.abs(places - wanted).max() <= FARTHEST * POINTS)

    def keep_apart(self) -> None:
        """Put names apart now, and whenever axes of another size are drawn."""
        from covey.plots.fitting import add_leader, place_when_drawn

        for text, line in zip(self.texts, self.lines, strict=True):
            self.leaders.append(add_leader(self.ax, text.xy, str(line.get_color()), width=0.7, shrink=0))
        place_when_drawn(self.ax, self.place)

    def place(self, renderer: Any = None) -> None:
        """Move names apart, and lead to those that are not level with the ends of their curves."""
        from covey.plots.fitting import lead

        wanted, heights, room = self._room(renderer)
        places = spread_apart(wanted, heights, *room)
        if places is None:
            order = np.argsort(wanted, kind="stable")
            places = np.empty(len(wanted))
            places[order] = spread(wanted[order], float(heights.max()), *room)
        for text, shift, leader in zip(self.texts, (places - wanted).tolist(), self.leaders, strict=True):
            text.set_position((9, shift))
            lead(leader, (7.5, shift), visible=abs(shift) > 0.4 * POINTS)


def ring_key(text: str) -> Entry:
    """Return the entry of a legend that says what a ring is."""
    from matplotlib.lines import Line2D

    look: Any = {"marker": "o", "markersize": 9, "markerfacecolor": "none", "markeredgecolor": GREY, "linestyle": ""}
    return Line2D([], [], markeredgewidth=1.3, **look), text
