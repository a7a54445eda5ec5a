"""Residuals of predicted numbers: against the predictions, and how they are distributed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from covey.analysis.numbers import check_finite, read_numbers
from covey.plots.curves import LINE_COLOURS
from covey.plots.layout import lay_out
from covey.plots.style import GREY, INK, PALE, Floats, about, begin, draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More points make files large and hide each other; cells with counts are drawn instead.
MOST_POINTS = 1500
N_CELLS = 28
MOST_BARS = 40


@dataclass(frozen=True, eq=False)
class Residuals:
    """Predictions and how far off they are."""

    title: ClassVar[str] = "Residuals against predictions"
    predictions: Floats
    residuals: Floats  #: truth less prediction

    @cached_property
    def quantiles(self) -> tuple[float, float, float]:
        """The 5%, 50% and 95% quantiles of the residuals."""
        low, middle, high = np.quantile(self.residuals, [0.05, 0.5, 0.95]).tolist()
        return low, middle, high

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        low, middle, high = map(about, self.quantiles)
        return (
            f"Truth less prediction of {len(self.residuals):,} predictions: median {middle}, nine of ten from {low} to "
            f"{high}."
        )


@dataclass(frozen=True, eq=False)
class ResidualBars(Residuals):
    """The distribution of residuals."""

    title: ClassVar[str] = "Distribution of residuals"


def residuals(y: Any, predictions: Any) -> Residuals:
    """Return the residuals of predicted numbers, to be drawn against the predictions.

    Parameters
    ----------
    y, predictions : array-like of shape (n_samples,)
        The truth and what was predicted.
    """
    return Residuals(*_read(y, predictions))


def residual_bars(y: Any, predictions: Any) -> ResidualBars:
    """Return the residuals of predicted numbers, to be drawn as a histogram.

    Parameters
    ----------
    y, predictions : array-like of shape (n_samples,)
        The truth and what was predicted.
    """
    return ResidualBars(*_read(y, predictions))


def _read(y: Any, predictions: Any) -> tuple[Floats, Floats]:
    truth, said = (read_numbers(given, name) for given, name in ((y, "y"), (predictions, "predictions")))
    if truth.ndim != 1 or truth.shape != said.shape or not len(truth):
        raise ValueError(f"y and predictions have shapes {truth.shape} and {said.shape}; give a number for each row.")
    for values, name in ((truth, "y"), (said, "predictions")):
        check_finite(values, name, "leave such rows out")
    return said, truth - said


@draws(Residuals, "residuals")
def draw_residuals(residuals: Residuals, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw truth less prediction against the prediction: a point each, or cells shaded by how many are in them."""
    many = len(residuals.residuals) > MOST_POINTS
    x = "prediction (darker: more rows)" if many else "prediction"
    ax = begin(residuals, ax, (4.8, 3.6), title, x=x, y="truth less prediction", grid="both")
    if many:
        bins: Any = {"gridsize": N_CELLS, "mincnt": 1, "bins": "log", "cmap": "Blues", "linewidths": 0.1, "zorder": 2}
        ax.hexbin(residuals.predictions, residuals.residuals, **bins)
    else:
        look: Any = {"linestyle": "", "marker": "o", "markersize": 3.2, "markeredgewidth": 0, "zorder": 2}
        ax.plot(residuals.predictions, residuals.residuals, color=LINE_COLOURS[0], alpha=0.45, **look)
    ax.axhline(0, color=INK, linewidth=1, zorder=3)
    lay_out(ax)
    return ax


@draws(ResidualBars, "residual_bars")
def draw_residual_bars(bars: ResidualBars, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a histogram of residuals, with lines at the quantiles between which nine of ten are."""
    low, middle, high = bars.quantiles
    x = "truth less prediction (dashed: nine of ten are between)"
    ax = begin(bars, ax, (4.8, 3.6), title, x=x, y="predictions", grid="y")
    edges = np.histogram_bin_edges(bars.residuals, "auto" if np.ptp(bars.residuals) > 0 else 1)
    if len(edges) > MOST_BARS + 1:
        edges = np.linspace(edges[0], edges[-1], MOST_BARS + 1)
    ax.hist(
        bars.residuals, bins=edges.tolist(), color=LINE_COLOURS[0], alpha=0.75, edgecolor=PALE, linewidth=0.4, zorder=2
    )
    for place, style in ((low, "--"), (middle, "-"), (high, "--")):
        ax.axvline(place, color=INK if style == "-" else GREY, linestyle=style, linewidth=1.1, zorder=3)
    lay_out(ax)
    return ax
