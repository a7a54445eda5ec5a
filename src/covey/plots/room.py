"""How much room text takes in a figure, where to get it, and how to keep things apart."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import count, islice, zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import clip, one_line
from covey.plots.style import PLAIN, POINTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

# Where axes keep the place that they had before room was taken from them, and the one that they have since.
KEPT = "_covey_place"


def figure_of(ax: Axes) -> Figure:
    """Return the whole figure that axes are in."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def settle(ax: Axes) -> tuple[float, float]:
    """Let the layout engine, if there is one, place the axes, and return their width and height in points."""
    figure = figure_of(ax)
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    ax.apply_aspect()  # axes of a fixed shape take it only when they are drawn
    box = ax.get_window_extent()
    return float(box.width) * 72 / figure.dpi, float(box.height) * 72 / figure.dpi


def place_width(ax: Axes) -> float:
    """Return the width in points of the place that axes have, of which a fixed shape may leave some empty."""
    figure = ax.get_figure(root=False)
    assert figure is not None
    return float(ax.get_position(original=True).width * figure.bbox.width) * 72 / figure_of(ax).dpi


def distinct_names(names: Sequence[Any], longest: int) -> list[str]:
    """Return names in a line each and not too long, such that different names stay different.

    A long name loses its middle. Where that makes names the same, they lose another part, or else have numbers.

    Parameters
    ----------
    names : sequence
        The names, of any type.
    longest : int
        How many characters each may have, at least 12.
    """
    lines = {str(name): one_line(name) for name in names}
    short = {name: clip(line, longest) for name, line in lines.items()}
    for text in dict.fromkeys(short.values()):
        twins = [name for name in short if short[name] == text]
        if len(twins) == 1:
            continue
        taken = {there for name, there in short.items() if name not in twins}
        columns = zip_longest(*(lines[name] for name in twins))
        start = next((place for place, letters in enumerate(columns) if len({*letters}) > 1), 0)
        found = [_around(lines[name], start, longest) for name in twins]
        if len({*found} - taken) < len(twins):
            endings = (f" ({number})" for number in count(1))
            numbered = (clip(text, longest - len(ending)) + ending for ending in endings)
            found = list(islice((there for there in numbered if there not in taken), len(twins)))
        short |= dict(zip(twins, found, strict=True))
    return [short[str(name)] for name in names]


def _around(line: str, start: int, longest: int) -> str:
    """Return the beginning of a text, and a part of it around some place."""
    head = (longest - 2) // 3
    room = longest - head - 2
    start = max(start - room // 3, head)
    if len(line) <= longest:
        return line
    if start + room + 1 >= len(line):
        return f"{line[:head]}…{line[len(line) - room - 1 :]}"
    return f"{line[:head]}…{line[start : start + room]}…"


def text_size(ax: Axes, text: str, weight: str = "normal", *, size: float = POINTS) -> tuple[float, float]:
    """Return how wide and high a text would be, in points."""
    probe = ax.text(0, 0, text, size=size, weight=weight, **PLAIN)
    box, dpi = probe.get_window_extent(), figure_of(ax).dpi
    probe.remove()
    return float(box.width) * 72 / dpi, float(box.height) * 72 / dpi


def wrap(ax: Axes, paragraphs: Sequence[str], width: float, size: float = POINTS) -> str:
    """Return paragraphs in lines of about the same length that are at most so many points wide, if words are."""
    lines = []
    for paragraph in paragraphs:
        columns, broken = len(paragraph), paragraph
        while columns > 8 and (wide := text_size(ax, broken, size=size)[0]) > width:
            # Lines that are far too long need not be tried at nearly the same length.
            columns = min(columns - 1, int((0.95 if wide < 1.3 * width else 0.8) * columns))
            broken = _fill(paragraph, columns)
        while columns > 8 and (shorter := _fill(paragraph, columns - 1)).count("\n") == broken.count("\n"):
            columns, broken = columns - 1, shorter
        lines.append(broken)
    return "\n".join(lines)


def _fill(paragraph: str, columns: int) -> str:
    return textwrap.fill(paragraph, columns, break_long_words=False, break_on_hyphens=False)


def give_back_room(ax: Axes) -> None:
    """Put axes back where they were before room was taken from them, unless they were moved since."""
    kept = getattr(ax, KEPT, None)
    if kept is None:
        return
    (cell, bounds), taken = kept
    delattr(ax, KEPT)
    if _place(ax) != taken:
        return
    if cell is not None:
        ax.set_subplotspec(cell)
    else:
        ax.set_position(bounds)


def _place(ax: Axes) -> tuple[Any, Any]:
    """Return the cell of a grid that axes are in, or else their bounds."""
    cell = ax.get_subplotspec()
    return cell, None if cell is not None else ax.get_position(original=True).bounds


def make_room(ax: Axes, *, left: float = 0.0, right: float = 0.0, bottom: float = 0.0) -> None:
    """Take room from the sides of axes, as shares of their width and height, unless a layout engine will.

    Room that was taken from them before is given back first, so that drawing again does not make them smaller.
    """
    if figure_of(ax).get_layout_engine() is not None:
        return
    give_back_room(ax)
    before, place = _place(ax), ax.get_position(original=True)
    width, height = 1 - left - right, 1 - bottom
    if before[0] is not None:
        grid = before[0].subgridspec(
            2, 3, width_ratios=(left, width, right), height_ratios=(height, bottom), wspace=0, hspace=0
        )
        ax.set_subplotspec(grid[0, 1])
    else:
        corner = place.x0 + left * place.width, place.y0 + bottom * place.height
        ax.set_position((*corner, width * place.width, height * place.height))
    setattr(ax, KEPT, (before, _place(ax)))


def make_room_right(ax: Axes, artist: Any) -> None:
    """Make room on the right of axes for an artist that lies outside of them."""
    give_back_room(ax)
    width = ax.bbox.width
    share = min(1.08 * max(artist.get_window_extent().x1 - ax.bbox.x1, 0) / width, 0.6)
    settle(ax)
    make_room(ax, right=share)


def spread_apart(wanted: Floats, heights: Floats, low: float, high: float) -> Floats | None:
    """Return places as near as possible to those wanted, in the sense of least squares, at which nothing overlaps.

    Parameters
    ----------
    wanted, heights : ndarray of float64 of shape (n_things,)
        Where the middle of each thing should be, and how much room it takes.
    low, high : float
        Where the room begins and ends.

    Returns
    -------
    ndarray of float64 of shape (n_things,), or None
        None if the things are higher than the room.
    """
    if heights.sum() > high - low:
        return None
    from sklearn.isotonic import isotonic_regression

    order = np.argsort(wanted, kind="stable")
    height = heights[order]
    # Stacked without gaps, each thing would be here; what is left of its wish must not decrease.
    piled = np.cumsum(height) - height / 2
    rest = isotonic_regression(wanted[order] - piled)
    places = np.empty(len(wanted))
    places[order] = np.clip(rest, low, high - height.sum()) + piled
    return places


def spread(places: Floats, gap: float, low: float, high: float) -> Floats:
    """Return the nearest places, by the sum of squares, that are a gap apart or more, in order, and from low to high.

    The gap is smaller if not all have room.

    Parameters
    ----------
    places : ndarray of float64 of shape (n_places,)
        Sorted.
    gap, low, high : float
        The least distance, and the range.
    """
    width = high - low
    gaps = np.full(len(places), min(gap, width / max(len(places) - 1, 1)))
    # The outermost places may lie on the borders, so half a gap sticks out on each side.
    apart = spread_apart(places, gaps * (1 - 1e-12), low - gaps[0] / 2, high + gaps[0] / 2)
    assert apart is not None
    return np.where(np.isclose(apart, places, atol=1e-9 * width, rtol=0), places, apart)


def stack(intervals: Sequence[tuple[float, float]], gap: float) -> list[int]:
    """Return a row for each interval, such that those in one row are a gap apart or more, in as few rows as can be.

    Parameters
    ----------
    intervals : sequence of tuple of float
        Their starts and ends, sorted by starts.
    gap : float
        The least distance.
    """
    ends: list[float] = []
    rows = []
    for start, end in intervals:
        row = next((row for row, last in enumerate(ends) if last + gap <= start), len(ends))
        ends[row : row + 1] = [end]
        rows.append(row)
    return rows
