"""Win/draw/loss records of methods against each other as a map: numbers in cells, coloured by who wins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.scores import check_alpha
from covey.analysis.significance.records import Records
from covey.plots.room import distinct_names, figure_of, give_back_room, make_room, settle, text_size
from covey.plots.style import COLOURS, INK, PLAIN, POINTS, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

LOSS, WIN, EMPTY = COLOURS[5], COLOURS[4], "#EEEEEE"
# Text smaller than this, in points, is left out.
LEGIBLE = 4.5
CELLS, BAR = "_cells", "_wins of the row"
STEPS = 50


@dataclass(frozen=True, eq=False)
class RecordMap:
    """Records of methods, each against each other one, those with the most wins first.

    Parameters
    ----------
    methods : tuple of str
        Names, by the number of wins against all others; equal ones in the order given.
    wins, draws, losses : ndarray of int of shape (n_methods, n_methods)
        Of the row's method against the column's.
    shares : ndarray of float64 of shape (n_methods, n_methods)
        The share of wins among the datasets that are no draws; 0.5 if all are draws, as on the diagonal.
    significant : ndarray of bool of shape (n_methods, n_methods)
        Where the sign test has a p-value less than alpha.
    alpha : float
        The level of significance.
    n_datasets : int
        On how many datasets.
    """

    methods: tuple[str, ...]
    wins: Counts
    draws: Counts
    losses: Counts
    shares: Floats
    significant: NDArray[np.bool_]
    alpha: float
    n_datasets: int

    def text(self, row: int, column: int) -> str:
        """Return a record such as "34/2/5"."""
        return f"{self.wins[row, column]}/{self.draws[row, column]}/{self.losses[row, column]}"

    @property
    def title(self) -> str:
        """What the numbers are."""
        return f"Wins/draws/losses of rows against columns on {self.n_datasets} datasets"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        others = [np.delete(np.arange(len(self.methods)), i) for i in range(len(self.methods))]
        totals = "; ".join(
            f"{name} {self.wins[i].sum()}/{self.draws[i, others[i]].sum()}/{self.losses[i].sum()}, significantly "
            f"better than {np.count_nonzero(self.significant[i] & (self.wins[i] > self.losses[i]))}"
            for i, name in enumerate(self.methods)
        )
        return (
            f"{self.title}. In all, with the number of methods that lose significantly (p < {self.alpha:g}): {totals}."
        )


def record_map(records: Records, *, alpha: float = 0.05) -> RecordMap:
    """Order methods by their wins, and find the share of wins in each pair's decided datasets.

    Parameters
    ----------
    records : Records
        From `win_draw_loss`.
    alpha : float, default=0.05
        The level of significance of the two-tailed sign tests, each taken for itself.

    Returns
    -------
    RecordMap
    """
    if not isinstance(records, Records):
        raise TypeError(f"records must be Records, as win_draw_loss returns them, not {records!r:.60}.")
    level = check_alpha(alpha)
    order = np.argsort(-records.wins.sum(axis=1), kind="stable")
    there = np.ix_(order, order)
    wins, losses = records.wins[there], records.losses[there]
    decided = wins + losses
    return RecordMap(
        methods=tuple(distinct_names([records.methods[position] for position in order], 48)),
        wins=wins,
        draws=records.draws[there],
        losses=losses,
        shares=np.where(decided > 0, wins / np.maximum(decided, 1), 0.5),
        significant=records.p_values[there] < level,
        alpha=level,
        n_datasets=records.n_datasets,
    )


def draw_record_map(records: RecordMap, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the map: a cell for each pair, blue where the row's method wins and orange where it loses.

    Significant records are bold. Where cells are too small for numbers, only these have a dot.

    Parameters
    ----------
    records : RecordMap
        From `record_map`.
    ax : matplotlib Axes or None
        Where to draw, with a colour bar that takes room from the axes; None for a new one.
    title : str or None
        By default what the numbers are; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the map's description, for use as alternative text.
    """
    from covey.plots.refit import keep_fitting

    if not isinstance(records, RecordMap):
        raise TypeError(f"records is a {type(records).__name__}; give record_map(win_draw_loss(scores, ...)).")
    new = ax is None
    ax = axes_of(ax, (8, 6))
    give_back_room(ax)
    dress(ax, title=records.title if title is None else title, description=records.description)
    size = _measure(records, ax, new=new)
    colours = _draw_cells(records, ax)
    bar = _draw_bar(ax, colours, size)
    ax.set_ylabel("method, most wins first", size=size, color=INK)
    slanted = _write_names(records, ax, size)
    look = _Look(colours, bar, slanted, size, tuple(figure_of(ax).get_size_inches()))
    keep_fitting(ax, partial(_write_records, records, look))
    return ax


def _measure(records: RecordMap, ax: Axes, *, new: bool) -> float:
    """Return the size of names at which they leave room for cells; a new figure grows instead."""
    n_methods = len(records.methods)
    longest = max(text_size(ax, name)[0] for name in records.methods)
    # At the full size: names and label at the left, the colour bar at the right, slanted names and label below.
    left, right, bottom = longest + 3 * POINTS, 8 * POINTS, 0.72 * longest + 7 * POINTS
    if new:
        wide = 72 * max(2.8, min(0.62 * n_methods, 4.5 + 0.24 * n_methods))
        width = max(wide + left + right, text_size(ax, ax.get_title())[0] * 1.15 + abs(left - right))
        height = max(0.6 * wide, 1.35 * n_methods * POINTS, 140) + bottom + (28 if ax.get_title() else 12)
        figure_of(ax).set_size_inches(width / 72, height / 72)
    width, height = settle(ax)
    scale = min(1.0, 0.65 * width / (left + right))
    line = 1.1 * n_methods * POINTS  # lines of names that are slanted by 45 degrees take more of the width
    while scale > 0.1 and scale * line > min(height - scale * bottom, 0.7 * (width - scale * (left + right))):
        scale *= 0.95
    make_room(ax, left=scale * left / width, right=scale * right / width, bottom=scale * bottom / height)
    return scale * POINTS


def _draw_cells(records: RecordMap, ax: Axes) -> Colormap:
    """Draw the cells as vector shapes, those of one colour as one, which keeps files small."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    colours = LinearSegmentedColormap.from_list("records", [LOSS, "white", WIN])
    shares = np.where(np.eye(len(records.methods), dtype=bool), -1, records.shares)
    for patch in [patch for patch in ax.patches if patch.get_label() == CELLS]:
        patch.remove()  # of a map that was drawn here before
    for share in np.unique(shares):
        squares = [Path.unit_rectangle().transformed(_shift(*place)) for place in np.argwhere(shares == share)]
        colour = EMPTY if share < 0 else colours(share)
        look: Any = {"facecolor": colour, "edgecolor": "white", "linewidth": 0.6, "zorder": 0.5, "label": CELLS}
        ax.add_patch(PathPatch(Path.make_compound_path(*squares), **look))
    ends = (-0.5, len(records.methods) - 0.5)
    ax.set(xlim=ends, ylim=ends[::-1])
    ax.spines[:].set_visible(False)
    return colours


def _shift(row: int, column: int) -> Any:
    from matplotlib.transforms import Affine2D

    return Affine2D().translate(column - 0.5, row - 0.5)


def _draw_bar(ax: Axes, colours: Colormap, size: float) -> Axes:
    """Draw a bar with the meaning of the colours beside the axes, in place of one that is there."""
    for other in [child for child in ax.child_axes if child.get_label() == BAR]:
        other.remove()
    bar = ax.inset_axes((1.03, 0, 0.04, 1), label=BAR)
    bar.set(xlim=(0, 1), ylim=(0, 1), xticks=[], facecolor="white")
    bar.grid(False)
    for step in range(STEPS):
        # To the top each, so that no gap shows between two of them.
        bar.axhspan(step / STEPS, 1, color=colours((step + 0.5) / STEPS), linewidth=0)
    bar.yaxis.tick_right()
    bar.yaxis.set_label_position("right")
    bar.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    bar.tick_params(labelsize=size, colors=INK, length=2)
    bar.spines[:].set(linewidth=0.5, color=INK, visible=True)
    bar.set_ylabel("wins of the row,\ndraws left out", size=size, color=INK)
    return bar


def _write_names(records: RecordMap, ax: Axes, size: float) -> bool:
    """Write the names of rows and columns, and return whether the latter are slanted."""
    places = np.arange(len(records.methods))
    ax.tick_params(length=0, colors=INK)
    ax.set_yticks(places, records.methods, size=size, **PLAIN)
    cell = settle(ax)[0] / len(places)
    slanted = max(text_size(ax, name, size=size)[0] for name in records.methods) > 0.85 * cell
    turn: Any = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    ax.set_xticks(places, records.methods, size=size, **turn, **PLAIN)
    return slanted


@dataclass(frozen=True)
class _Look:
    """Colours, the bar that explains them, whether names are slanted, and their size in a figure of a size."""

    colours: Colormap
    bar: Axes
    slanted: bool
    size: float
    figure: tuple[float, float]


def _write_records(records: RecordMap, look: _Look, ax: Axes, width: float, height: float) -> None:
    """Write a record into each cell; where there is no room for that, a dot if significant. Fit the names too."""
    count = len(records.methods)
    pairs = [(int(row), int(column)) for row, column in np.argwhere(~np.eye(count, dtype=bool))]
    longest = text_size(ax, max((records.text(*pair) for pair in pairs), key=len), "bold")[0] / POINTS
    size = min(POINTS, 0.83 * width / count / longest, 0.7 * height / count)
    legible = size >= LEGIBLE
    font = _font()
    for pair in pairs:
        text = records.text(*pair) if legible else "•" if records.significant[pair] else ""
        red, green, blue, _ = look.colours(records.shares[pair])
        style: Any = {"color": "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else INK}
        style |= {"ha": "center", "va": "center", "weight": "bold" if records.significant[pair] else "normal"}
        style |= {"family": font}
        style |= {"size": size if legible else 0.8 * min(width, height) / count}
        if text:
            ax.text(pair[1], pair[0], text, **style)
    mark = "bold" if legible else "dot"
    ax.set_xlabel(f"against\n{mark}: p < {records.alpha:g} in a two-tailed sign test", color=INK)
    _fit_names(records, look, ax, width / count, height / count)


def _font() -> str:
    """Return the font that text has: to repeat all those it might have in each cell makes files large."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return str(get_font(findfont(FontProperties())).family_name)


def _fit_names(records: RecordMap, look: _Look, ax: Axes, width: float, height: float) -> None:
    """Give names a size at which they fit cells of a width and height; in a smaller figure all names are smaller."""
    inches = figure_of(ax).get_size_inches()
    full = look.size * float(min(1.0, *(inches / look.figure)))
    widest = max(text_size(ax, name)[0] for name in records.methods) / POINTS
    across = width / 1.55 if look.slanted else 0.92 * width / widest
    for axis, room in ((ax.xaxis, across), (ax.yaxis, height / 1.05)):
        axis.set_tick_params(labelsize=min(full, room))
    tall = height * len(records.methods)
    look.bar.yaxis.set_tick_params(labelsize=min(full, tall / 7))
    wide = text_size(ax, look.bar.get_ylabel(), size=full)[0]
    look.bar.yaxis.label.set_fontsize(full * min(1.0, tall / wide))
    for label in (ax.xaxis.label, ax.yaxis.label):
        label.set_fontsize(full)
