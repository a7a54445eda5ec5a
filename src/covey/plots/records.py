"""Win/draw/loss records of methods against each other as a map: numbers in cells, coloured by who wins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.scores import check_alpha
from covey.analysis.significance.records import Records
from covey.plots.layout import lay_out, settle, text_size
from covey.plots.reading import distinct_names
from covey.plots.style import BLUE, INK, ORANGE, PLAIN, POINTS, Floats, begin, draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Counts = NDArray[np.int64]

EMPTY = "#EEEEEE"
# Text smaller than this, in points, is left out.
LEGIBLE = 4.5


@dataclass(frozen=True, eq=False)
class RecordMap:
    """Records of methods, each against each other one, those with the most wins first."""

    methods: tuple[str, ...]  #: names, by the number of wins against all others; equal ones in the order given
    wins: Counts  #: of the row's method against the column's, (n_methods, n_methods)
    draws: Counts
    losses: Counts
    #: the share of wins among the datasets that are no draws; 0.5 if all are draws, as on the diagonal
    shares: Floats
    significant: NDArray[np.bool_]  #: where the sign test has a p-value less than alpha, (n_methods, n_methods)
    alpha: float  #: the level of significance
    n_datasets: int  #: on how many datasets

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


@draws(RecordMap, "record_map")
def draw_record_map(records: RecordMap, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the map: a cell for each pair, blue where the row's method wins and orange where it loses.

    Significant records are bold. Where cells are too small for numbers, only these have a dot.
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.font_manager import FontProperties, findfont, get_font

    count = len(records.methods)
    ax = begin(records, ax, _size(records), title, x="against", y="method, most wins first")
    colours = LinearSegmentedColormap.from_list("records", [ORANGE, "white", BLUE], N=47).with_extremes(bad=EMPTY)
    shares = np.ma.masked_where(np.eye(count, dtype=bool), records.shares)
    look: Any = {"vmin": 0, "vmax": 1, "edgecolors": "white", "linewidth": 0.6, "zorder": 0.5, "clip_on": False}
    cells = ax.pcolormesh(np.arange(count), np.arange(count), shares, cmap=colours, shading="nearest", **look)
    ax.set_ylim(count - 0.5, -0.5)
    ax.spines[:].set_visible(False)
    bar = ax.inset_axes((1.03, 0, 0.04, 1))
    ax.get_figure(root=True).colorbar(cells, cax=bar, ticks=[0, 0.25, 0.5, 0.75, 1], format="{x:.0%}")  # type: ignore[union-attr]
    bar.set_label("")
    bar.tick_params(labelsize=POINTS, colors=INK, length=2)
    bar.set_ylabel("wins of the row,\ndraws left out", size=POINTS, color=INK)
    ax.tick_params(length=0)
    ax.set_yticks(range(count), records.methods, **PLAIN)
    longest = max(text_size(ax, name)[0] for name in records.methods)
    slanted = longest > 0.8 * settle(ax)[0] / count
    slant: Any = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    ax.set_xticks(range(count), records.methods, **slant, **PLAIN)
    texts = []
    # To repeat in each cell all fonts that text might have makes files large.
    font = str(get_font(findfont(FontProperties())).family_name)
    for row, column in np.argwhere(~np.eye(count, dtype=bool)).tolist():
        red, green, blue, _ = colours(records.shares[row, column])
        style: Any = {"color": "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else INK}
        style |= {"ha": "center", "va": "center", "weight": "bold" if records.significant[row, column] else "normal"}
        style["family"] = font
        texts.append(ax.text(column, row, records.text(row, column), **style))
        texts[-1].set_in_layout(False)
    lay_out(ax, partial(_write_records, records, texts))
    return ax


def _size(records: RecordMap) -> tuple[float, float]:
    """Return the size of a new figure in inches, which has room for the names and for numbers in all cells."""
    count, names = len(records.methods), 0.07 * max(map(len, records.methods))
    wide = max(2.8, min(0.62 * count, 4.5 + 0.24 * count))
    return max(wide + names + 1.5, 5.8), max(0.6 * wide, 0.17 * count, 1.95) + 0.7 * names + 1.3


def _write_records(records: RecordMap, texts: list[Any], ax: Axes, width: float, height: float) -> None:
    """Write a record into each cell; where there is no room for that, a dot if significant. Names fit rows."""
    count = len(records.methods)
    pairs = np.argwhere(~np.eye(count, dtype=bool)).tolist()
    longest = text_size(ax, max((records.text(*pair) for pair in pairs), key=len), weight="bold")[0] / POINTS
    size = min(POINTS, 0.83 * width / count / longest, 0.7 * height / count)
    legible = size >= LEGIBLE
    for text, pair in zip(texts, pairs, strict=True):
        dot = "•" if records.significant[*pair] else ""
        text.set(text=records.text(*pair) if legible else dot)
        text.set_fontsize(size if legible else 0.8 * min(width, height) / count)
    ax.set_xlabel(f"against\n{'bold' if legible else 'dot'}: p < {records.alpha:g} in a two-tailed sign test")
    for axis, room in ((ax.xaxis, width / count / 1.3), (ax.yaxis, height / count / 1.05)):
        axis.set_tick_params(labelsize=max(min(POINTS, room), 1.0))
