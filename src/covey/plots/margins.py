"""The distribution of voting margins: how many cases are won or lost, and by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.analysis.diversity import Margins, margins
from covey.plots.curves import Curve, about, draw_curves, legend_outside
from covey.plots.members import check_made, measure_each, shown_names
from covey.plots.room import settle
from covey.plots.style import GREY, PALE, axes_of, dress, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

# A curve has no more steps: smaller ones could not be seen.
MOST_STEPS = 1000
# So many ensembles have their legend inside, at the upper left, unless one loses so many cases that its curve is there.
MOST_INSIDE = 6
MOST_LOST = 0.4
# How far to the right a legend inside may reach.
MOST_RIGHT = -0.02


@dataclass(frozen=True, eq=False)
class MarginDistribution:
    """The margins of one or more ensembles.

    Parameters
    ----------
    ensembles : mapping of str to Margins
        What `covey.analysis.margins` found, by the ensembles' names.
    """

    ensembles: Mapping[str, Margins]

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """For each ensemble the share of cases up to each margin, from -1 to 1, in no more than 1000 steps or so."""
        names = shown_names(list(self.ensembles))
        return tuple(_curve(name, found) for name, found in zip(names, self.ensembles.values(), strict=True))

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return "Cumulative distribution of voting margins"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        parts = (
            f"{name}: {found.negative:.1%} of {len(found.values):,} margins negative, minimum "
            f"{about(found.minimum)}, mean {about(found.mean)}"
            for name, found in zip(shown_names(list(self.ensembles)), self.ensembles.values(), strict=True)
        )
        return f"{self.title}. {'. '.join(parts)}."


def _curve(name: str, found: Margins) -> Curve:
    margin, share = found.cumulative()
    if len(margin) > MOST_STEPS:
        # At equal steps upwards, so that no point of the curve moves by more than a step.
        kept = np.unique(np.searchsorted(share, np.linspace(share[0], 1, MOST_STEPS) - 1e-12))
        margin, share = margin[kept], share[kept]
    x, y = np.concatenate([[-1], margin, [1]]), np.concatenate([[0], share, [1]])
    return Curve(name, x, y, note=f"{found.negative:.1%} negative")


def margin_distribution(ensembles: Any, *, classes: Any = None) -> MarginDistribution:
    """Return the voting margins of one or more ensembles.

    Schapire, Freund, Bartlett and Lee (1998): the margin of a case is the share of the votes for its true class less
    the largest share of another class; it is negative where the vote is wrong.

    Parameters
    ----------
    ensembles : mapping of str to Margins, or to (predictions, y) or (predictions, y, weights)
        Ensembles by name: what `covey.analysis.margins` found, or a tuple of what it takes. One ensemble may come
        without a name.
    classes : array-like of shape (n_classes,), optional
        The ensembles' ``classes_``, when predictions are the codes that their ``member_predictions`` give.

    Returns
    -------
    MarginDistribution
    """
    return MarginDistribution(measure_each(ensembles, Margins, margins, classes=classes))


def draw_margins(distribution: MarginDistribution, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the share of cases up to each margin, a line per ensemble; where margins are negative, the ground is grey.

    Parameters
    ----------
    distribution : MarginDistribution
        From `margin_distribution`.
    ax : matplotlib Axes or None
        Where to draw; the legend of many ensembles takes room on its right. None for a new one.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the distribution, for use as alternative text.
    """
    from matplotlib.ticker import PercentFormatter

    from covey.plots.fitting import fit_texts

    check_made(distribution, MarginDistribution, "margin_distribution")
    curves = distribution.curves
    lost = max(found.share_up_to(0) for found in distribution.ensembles.values())
    inside = len(curves) <= MOST_INSIDE and lost <= MOST_LOST
    ax = axes_of(ax, (5.6, 3.8) if inside else (7.4, max(3.8, 0.21 * len(curves) + 0.8)))
    ax.axvspan(-1, 0, color=PALE, alpha=0.4, linewidth=0, zorder=0)
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)
    lines = draw_curves(ax, curves, smooth=False)
    shown = distribution.title if title is None else title
    x, y = "margin (negative: wrong vote)", "cases up to this margin"
    dress(ax, title=shown, description=distribution.description, x=x, y=y, grid="y")
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set(xlim=(-1, 1.01), ylim=(0, 1.02))
    fit_texts(ax)
    if not (inside and MarginLegend(ax, curves, lines).fits()):
        entries = [(line, f"{curve.name}: {curve.note}") for line, curve in zip(lines, curves, strict=True)]
        if not legend_outside(ax, entries, handlelength=2.6):
            legend_outside(ax, [(line, curve.name) for line, curve in zip(lines, curves, strict=True)])
    return ax


class MarginLegend:
    """A legend at the upper left of the axes, left of zero and above all curves.

    Parameters
    ----------
    ax : matplotlib Axes
    curves : sequence of Curve
        The curves.
    lines : sequence of Line2D
        How they are drawn.
    """

    def __init__(self, ax: Axes, curves: Sequence[Curve], lines: Sequence[Line2D]) -> None:
        self.ax, self.curves = ax, curves
        # The shares that are negative may take a line of their own, or are left out if the axes are small.
        self.wordings = [[f"{curve.name}{gap}{curve.note}" for curve in curves] for gap in (": ", "\n")]
        self.wordings.append([curve.name for curve in curves])
        legend(ax, lines, self.wordings[0], loc="upper left", handlelength=2.6)

    def fits(self) -> bool:
        """Whether there is room; then the legend is kept within it whenever axes of another size are drawn."""
        from covey.plots.fitting import place_when_drawn

        settle(self.ax)
        if not self._choose():
            return False
        place_when_drawn(self.ax, self.place)
        return True

    def place(self, renderer: Any = None) -> None:
        """Choose the longest wording that has room, or the shortest."""
        self._choose()

    def _choose(self) -> bool:
        drawn = self.ax.get_legend()
        assert drawn is not None
        for wording in self.wordings:
            for text, words in zip(drawn.get_texts(), wording, strict=True):
                text.set_text(words)
            corner = drawn.get_window_extent()
            margin, share = self.ax.transData.inverted().transform((corner.x1, corner.y0)).tolist()
            highest = max(float(curve.y[curve.x <= max(margin, -1)].max()) for curve in self.curves)
            if margin <= MOST_RIGHT and highest < share - 0.03:
                return True
        return False
