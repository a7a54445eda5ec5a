"""Win/draw/loss records of methods against each other as a map: numbers in cells, coloured by who wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.scores import check_alpha
from covey.analysis.significance.records import Records
from covey.learners.describe import clip, one_line
from covey.plots.room import figure_of, make_room, settle, settle_title, text_size, wrap
from covey.plots.style import COLOURS, INK, PLAIN, POINTS, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

LOSS, WIN, EMPTY = COLOURS[5], COLOURS[4], "#EEEEEE"
# Text smaller than this, in points, is left out.
LEGIBLE = 4.5


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
        methods=tuple(clip(one_line(records.methods[position]), 48) for position in order),
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
    new = ax is None
    ax = axes_of(ax, (8, 6))
    dress(ax, title=records.title if title is None else title, description=records.description)
    size = _measure(records, ax, new=new)
    ax.set_ylabel("method, most wins first", size=size, color=INK)
    mesh = _draw_cells(records, ax, size)
    _write_names(records, ax, size)
    note = f"bold or with a dot: p < {records.alpha:g} in a two-tailed sign test"
    ax.set_xlabel(wrap(ax, ["against", note], max(settle(ax)[0], 15 * size), size), size=size, color=INK)
    _write_records(records, ax, mesh)
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
    width, height = settle_title(ax)
    scale = min(1.0, 0.65 * width / (left + right))
    line = 1.1 * n_methods * POINTS  # lines of names that are slanted by 45 degrees take more of the width
    while scale > 0.1 and scale * line > min(height - scale * bottom, 0.7 * (width - scale * (left + right))):
        scale *= 0.95
    make_room(ax, left=scale * left / width, right=scale * right / width, bottom=scale * bottom / height)
    return scale * POINTS


def _draw_cells(records: RecordMap, ax: Axes, size: float) -> QuadMesh:
    """Draw the cells as vector shapes, and a bar with the meaning of their colours."""
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("records", [LOSS, "white", WIN]).with_extremes(bad=EMPTY)
    shares = np.ma.masked_where(np.eye(len(records.methods), dtype=bool), records.shares)
    edges = np.arange(len(records.methods) + 1) - 0.5
    mesh = ax.pcolormesh(edges, edges, shares, cmap=colours, vmin=0, vmax=1, edgecolors="white", linewidth=0.6)
    ax.invert_yaxis()
    ax.spines[:].set_visible(False)
    bar = ax.figure.colorbar(mesh, ax=ax, fraction=0.05, pad=0.03, aspect=25, ticks=[0, 0.25, 0.5, 0.75, 1])
    bar.ax.set_yticklabels(["0 %", "25 %", "50 %", "75 %", "100 %"])
    bar.ax.tick_params(labelsize=size, colors=INK, length=2)
    bar.outline.set_linewidth(0.5)
    bar.set_label("wins of the row,\ndraws left out", size=size, color=INK)
    return mesh


def _write_names(records: RecordMap, ax: Axes, size: float) -> None:
    places = np.arange(len(records.methods))
    ax.tick_params(length=0, colors=INK)
    ax.set_yticks(places, records.methods, size=size, **PLAIN)
    cell = settle(ax)[0] / len(places)
    slanted = max(text_size(ax, name, size=size)[0] for name in records.methods) > 0.85 * cell
    turn: Any = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    ax.set_xticks(places, records.methods, size=size, **turn, **PLAIN)


def _write_records(records: RecordMap, ax: Axes, mesh: QuadMesh) -> None:
    """Write a record into each cell; where there is no room for that when the figure is drawn, a dot if significant."""
    from matplotlib.text import Text

    pairs = [(int(row), int(column)) for row, column in np.argwhere(~np.eye(len(records.methods), dtype=bool))]
    longest = text_size(ax, max((records.text(*pair) for pair in pairs), key=len), "bold")[0] / POINTS

    class Cell(Text):
        """A text that fits its cell whatever a layout makes of the axes."""

        def __init__(self, row: int, column: int, **look: Any) -> None:
            self.record, self.dot = records.text(row, column), "•" if records.significant[row, column] else ""
            super().__init__(column, row, self.record, **look)

        def draw(self, renderer: Any, *args: Any, **kwargs: Any) -> None:
            width, height = (length * 72 / figure_of(ax).dpi / len(records.methods) for length in ax.bbox.size)
            size = min(POINTS, 0.83 * width / longest, 0.7 * height)
            self.set_text(self.record if size >= LEGIBLE else self.dot)
            self.set_fontsize(size if size >= LEGIBLE else 0.8 * min(width, height))
            super().draw(renderer, *args, **kwargs)

    for pair in pairs:
        red, green, blue, _ = mesh.to_rgba(records.shares[pair])
        look: Any = {"color": "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else INK}
        look |= {"ha": "center", "va": "center", "weight": "bold" if records.significant[pair] else "normal"}
        cell = Cell(*pair, **look)
        cell.set_in_layout(False)
        ax.add_artist(cell)
