"""Layout of text in figures: its size and its lines, names beside points that do not overlap, and legends outside."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.plots.style import GREY, INK, PLAIN, POINTS, Entry, Floats, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Places that are tried for a label: directions from the point, and distances to its label in heights of the label. To
# the right is best, then above and below, as on maps.
DIRECTIONS = np.deg2rad([0, 45, -45, 90, -90, 180, 135, -135, 22, -22, 67, -67, 112, -112, 157, -157])
DISTANCES = np.array([0.55, 0.85, 1.2, 1.7, 2.3, 3, 3.8, 4.8, 6, 7.5, 9.5, 12, 15, 19])
# Costs against a distance of one height: to cover a label or leave the page, a mark, a line; to cross a name or mark
# with the line that leads to another.
LABEL, MARK, LINE, CROSSING = 1e6, 1e4, 1.0, 5.0
# How often all labels may change their places.
ROUNDS = 30
# A legend that would take more than this share of the width of axes is below them.
WIDEST = 0.55


def figure_of(ax: Axes) -> Figure:
    """Return the whole figure that axes are in."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def axes_size(ax: Axes) -> tuple[float, float]:
    """Return the present width and height of axes in points."""
    ax.apply_aspect()  # axes of a fixed shape take it only when they are drawn
    point = figure_of(ax).dpi / 72
    return float(ax.bbox.width) / point, float(ax.bbox.height) / point


def settle(ax: Axes) -> tuple[float, float]:
    """Let the layout engine, if there is one, place the axes, and return their width and height in points."""
    figure = figure_of(ax)
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    return axes_size(ax)


def lay_out(ax: Axes, place: Callable[[Axes, float, float], None] | None = None) -> None:
    """Break the title and names of axes into lines, and place what depends on their size; see `artist.Layout`."""
    from covey.plots.artist import Layout

    layout = Layout(place)
    ax.add_artist(layout)
    layout.set_clip_on(False)  # layout engines leave out what is clipped
    for _ in range(2):  # each layout changes how texts are broken, which changes the next
        settle(ax)
        layout.arrange(ax)
    settle(ax)


def text_size(ax: Axes, text: str, *, size: float = POINTS, weight: str = "normal") -> tuple[float, float]:
    """Return how wide and high a text would be, in points."""
    probe = ax.text(0, 0, text, size=size, weight=weight, **PLAIN)
    box, dpi = probe.get_window_extent(), figure_of(ax).dpi
    probe.remove()
    return float(box.width) * 72 / dpi, float(box.height) * 72 / dpi


def wrap(ax: Axes, text: str, width: float, *, size: float = POINTS) -> str:
    """Return a text in lines of about the same length that are at most so many points wide, if words are."""
    lines = []
    for paragraph in text.split("\n"):
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


def legend_outside(ax: Axes, entries: Sequence[Entry], **options: Any) -> None:
    """Draw a legend on the right of axes, or below them if it is wide; the layout engine makes room."""
    width = settle(ax)[0] * figure_of(ax).dpi / 72
    drawn = legend(ax, entries, **{"loc": "upper left", "bbox_to_anchor": (1, 1), "borderaxespad": 0.3, **options})
    if drawn.get_window_extent().width > WIDEST * width:
        drawn.remove()
        legend_below(ax, entries, **{**options, "ncols": 1})
    else:
        lay_out(ax)


def legend_below(ax: Axes, entries: Sequence[Entry], **options: Any) -> None:
    """Draw a legend below axes and the name of the horizontal one, in as many columns as they are wide by default."""
    width = settle(ax)[0] * figure_of(ax).dpi / 72
    for columns in [options.pop("ncols")] if "ncols" in options else range(len(entries), 0, -1):
        drawn = legend(
            ax, entries, **{"loc": "upper center", "borderaxespad": 0.3, "columnspacing": 1.2, **options}, ncols=columns
        )
        if drawn.get_window_extent().width <= width:
            break
    lay_out(ax, _lower_legend)


def _lower_legend(ax: Axes, width: float, height: float) -> None:
    drawn, axis = ax.get_legend(), ax.xaxis.get_tightbbox()
    if drawn is not None and axis is not None:
        drawn.set_bbox_to_anchor((0.5, float(axis.y0 - ax.bbox.y0) / float(ax.bbox.height)), transform=ax.transAxes)


def annotate(
    ax: Axes, text: str, xy: tuple[float, float], colour: Any, gap: float, *, line: Any = GREY, **options: Any
) -> tuple[Any, Any]:
    """Write a text beside a point, and return it and the line that leads there, whose ends are in points from it."""
    write: Any = {"textcoords": "offset points", "xytext": (9, 0), "annotation_clip": False}
    place: Any = {"xycoords": options.pop("xycoords", "data")}
    drawn = ax.annotate(text, xy, **write, **place, color=colour, **{"size": POINTS, **options}, **PLAIN)
    arrow: Any = {"arrowstyle": "-", "color": line, "linewidth": 0.6, "shrinkA": 0, "shrinkB": gap}
    leader = ax.annotate("", xy, **write, **place, arrowprops=arrow, zorder=2)
    leader.set_in_layout(False)
    return drawn, leader


@dataclass(frozen=True)
class Label:
    """A text to write near a point."""

    xy: tuple[float, float]
    text: str
    colour: Any = INK
    side: float = 6.0  # of the mark at the point, in points
    corner: bool = False  # whether the point is a share of the axes, to which no line leads


class Labels:
    """Texts near points where they cover nothing, with lines to points that are not beside.

    Labels cover neither marks, of some sides in points and those of their own points included, nor paths if they can.
    The size of the text is in points, and less in small axes.
    """

    def __init__(
        self,
        ax: Axes,
        labels: Sequence[Label],
        marks: Any,
        sides: Any,
        paths: Sequence[Floats] = (),
        *,
        size: float = POINTS,
    ) -> None:
        self.labels, self.paths, self.size = labels, paths, size
        self.marks = np.asarray(marks, dtype=np.float64)
        self.half = np.broadcast_to(np.asarray(sides, dtype=np.float64) / 2 + 0.5, len(self.marks))
        self.drawn: list[tuple[Any, Any]] = []
        for label in labels:
            options: Any = {"xycoords": "axes fraction" if label.corner else "data", "va": "bottom", "zorder": 5}
            self.drawn.append(annotate(ax, label.text, label.xy, label.colour, label.side / 2, **options))
            self.drawn[-1][0].set_in_layout(False)  # it is inside the axes, once it is placed
        if labels:
            lay_out(ax, self.place)

    def place(self, ax: Axes, width: float, height: float) -> None:
        """Move labels for axes of a width and height in points."""
        if min(width, height) <= 0:
            return
        point = figure_of(ax).dpi / 72
        size = self.size * float(np.clip(min(width, height) / 180, 0.5, 1))
        for label, (text, _) in zip(self.labels, self.drawn, strict=True):
            text.set(text=wrap(ax, label.text, 0.5 * width, size=size) if label.corner else label.text, fontsize=size)
        sizes = point * np.array([text_size(ax, text.get_text(), size=size) for text, _ in self.drawn])
        at = np.array([(ax.transAxes if label.corner else ax.transData).transform(label.xy) for label in self.labels])
        middle, reach = ax.transData.transform(self.marks), self.half[:, None] * point
        boxes = np.concatenate([middle - reach, middle + reach], axis=1)
        page = np.array(ax.get_window_extent().padded(-point).extents)
        lines = [_along(ax.transData.transform(path), 1.2 * point) for path in self.paths if np.ptp(path, axis=0).any()]
        corners = place_labels(at, sizes, page, boxes, np.concatenate([np.zeros((0, 2)), *lines]))
        drawn = zip(self.labels, self.drawn, corners, sizes, at, strict=True)
        for label, (text, leader), corner, extent, start in drawn:
            text.set_position(tuple((corner - start) / point))
            end = nearest(start, np.concatenate([corner, corner + extent]))
            leader.set_position(tuple((end - start) / point))
            leader.set_visible(not label.corner and bool(np.hypot(*(end - start)) > (label.side / 2 + 6) * point))


def _along(corners: Floats, step: float) -> Floats:
    """Return places along a path, no more than a step apart."""
    lengths = np.hypot(*np.diff(corners, axis=0).T)
    parts = [
        first + np.linspace(0, 1, max(int(length / step), 1) + 1)[:, None] * (second - first)
        for first, second, length in zip(corners, corners[1:], lengths, strict=False)
    ]
    return np.concatenate(parts)


def place_labels(points: Floats, sizes: Floats, page: Floats, marks: Floats, lines: Floats) -> Floats:
    """Return the lower left corners of the labels of points, each near its own, all in the same unit.

    Labels are placed one by one, those of crowded points first, at the place that costs least; then each in turn moves
    to a better place given all others, until none does. Nothing is random. The page and marks are boxes (left, lower,
    right, upper), those of the points among the marks; lines are places along the lines of the figure.
    """
    tried = [candidates(point, size) for point, size in zip(points, sizes, strict=True)]
    fixed = [_fixed_costs(point, boxes, page, marks, lines) for point, boxes in zip(points, tried, strict=True)]
    distance = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    crowd = np.count_nonzero(distance < 3 * sizes.max(axis=1)[:, None], axis=1)
    order = np.lexsort((points[:, 0], -crowd)).tolist()
    chosen: dict[int, int] = {}
    for _ in range(ROUNDS):
        before = dict(chosen)
        for label in order:
            others = [(tried[other][place], points[other]) for other, place in chosen.items() if other != label]
            cost = fixed[label] + _mutual_costs(tried[label], points[label], others)
            chosen[label] = int(cost.argmin())
        if chosen == before:
            break
    return np.array([tried[label][chosen[label], :2] for label in range(len(points))])


def candidates(point: Floats, size: Floats) -> Floats:
    """Return the boxes that a label may take around its point, of shape (n_candidates, 4), the best first."""
    distance, direction = (part.ravel() for part in np.meshgrid(DISTANCES, DIRECTIONS, indexing="ij"))
    toward = np.stack([np.cos(direction), np.sin(direction)], axis=1)
    # The label's nearest side, or its corner, is at the distance: its middle is half a label further.
    middle = point + toward * distance[:, None] * size[1] + np.sign(toward.round(9)) * size / 2 * _slide(toward)
    return np.concatenate([middle - size / 2, middle + size / 2], axis=1)


def _slide(toward: Floats) -> Floats:
    """Return how far, as a share of half a label, to go along each side: less when the other direction leads away."""
    return np.minimum(1.0, 1.5 * np.abs(toward))


def _fixed_costs(point: Floats, boxes: Floats, page: Floats, marks: Floats, lines: Floats) -> Floats:
    """Return what each place costs whatever the other labels do."""
    height = boxes[0, 3] - boxes[0, 1]
    near = np.repeat(DISTANCES, len(DIRECTIONS)) + np.tile(0.02 * np.arange(len(DIRECTIONS)), len(DISTANCES))
    outside = np.maximum(page[:2] - boxes[:, :2], 0).sum(axis=1) + np.maximum(boxes[:, 2:] - page[2:], 0).sum(axis=1)
    covered = (_overlap(boxes, marks) > 0).sum(axis=1)
    # A line that leads through the mark of another point seems to come from there.
    others = marks[~((marks[:, :2] < point) & (point < marks[:, 2:])).all(axis=1)]
    crossed = _crossings(np.repeat(point[None], len(boxes), axis=0), boxes, others).sum(axis=1)
    on_lines = _overlap(boxes, np.concatenate([lines - 0.1 * height, lines + 0.1 * height], axis=1)) > 0
    return np.asarray(
        near
        + LABEL * outside / height
        + MARK * covered
        + CROSSING * crossed
        + LINE * np.minimum(on_lines.sum(axis=1), 10) / 3
    )


def _mutual_costs(boxes: Floats, point: Floats, others: list[tuple[Floats, Floats]]) -> Floats:
    """Return what each place costs given the places of other labels."""
    if not others:
        return np.zeros(len(boxes))
    height = boxes[0, 3] - boxes[0, 1]
    boxes_there = np.array([box for box, _ in others])
    gap = 0.08 * height
    wider = boxes_there + np.array([-gap, -gap, gap, gap])
    covered = _overlap(boxes, wider).sum(axis=1) / height**2
    here = _crossings(np.repeat(point[None], len(boxes), axis=0), boxes, boxes_there)
    foreign = np.concatenate([_crossings(at[None], box[None], boxes) for box, at in others])
    return np.asarray(LABEL * covered + CROSSING * (here.sum(axis=1) + foreign.sum(axis=0)))


def _overlap(boxes: Floats, others: Floats) -> Floats:
    """Return the area that each box has in common with each other one, of shape (n_boxes, n_others)."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.maximum(high - low, 0).prod(axis=2))


def nearest(point: Floats, boxes: Floats) -> Floats:
    """Return the place of each box that is nearest to a point, where the line that leads to it ends."""
    return np.clip(point, boxes[..., :2], boxes[..., 2:])


def _crossings(points: Floats, boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Return whether the line from each point to its box meets each other box, of shape (n_points, n_others)."""
    ends = nearest(points, boxes)
    steps = points + np.linspace(0.1, 0.9, 9)[:, None, None] * (ends - points)
    inside = (steps[:, :, None] > others[:, :2]) & (steps[:, :, None] < others[:, 2:])
    return np.asarray(inside.all(axis=3).any(axis=0))


def spread_apart(wanted: Floats, heights: Floats, low: float, high: float) -> Floats | None:
    """Return middles as near to those wanted, by least squares, as leaves things of some heights apart, if they fit."""
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
    """Return the nearest places, in order and from low to high, that are a gap apart, or less if not all have room."""
    width = high - low
    gaps = np.full(len(places), min(gap, width / max(len(places) - 1, 1)))
    # The outermost places may lie on the borders, so half a gap sticks out on each side.
    apart = spread_apart(places, gaps * (1 - 1e-12), low - gaps[0] / 2, high + gaps[0] / 2)
    assert apart is not None
    return np.where(np.isclose(apart, places, atol=1e-9 * width, rtol=0), places, apart)


def stack(intervals: Sequence[tuple[float, float]], gap: float) -> list[int]:
    """Return a row for each interval, sorted by starts, such that those in one row are a gap apart; few rows."""
    ends: list[float] = []
    rows = []
    for start, end in intervals:
        row = next((row for row, last in enumerate(ends) if last + gap <= start), len(ends))
        ends[row : row + 1] = [end]
        rows.append(row)
    return rows
