"""Reliability diagrams: how often predictions of some confidence are right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from covey.analysis.calibration import ReliabilityBins, reliability_bins
from covey.plots.curves import LINE_COLOURS, looks
from covey.plots.layout import legend_outside
from covey.plots.reading import distinct_names
from covey.plots.style import DASHES, GREY, Entry, about, begin, draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The sides, in points, of the marks of a bin with all rows and of one with few.
LARGEST, SMALLEST = 13.0, 3.5


@dataclass(frozen=True, eq=False)
class ReliabilityDiagram:
    """Confidence and accuracy of one or more methods."""

    title: ClassVar[str] = "Accuracy against confidence, expected calibration error (ECE)"
    methods: Mapping[str, ReliabilityBins]  #: what `covey.analysis.reliability_bins` returns, by the methods' names

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The methods' names as they are drawn, by the names."""
        return dict(zip(self.methods, distinct_names(list(self.methods)), strict=True))

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        parts = []
        for name, bins in self.methods.items():
            used = bins.counts > 0
            columns = (bins.confidence[used], bins.accuracy[used], bins.counts[used])
            pairs = (f"{sure:.2f} {right:.2f} ({count:,})" for sure, right, count in zip(*columns, strict=True))
            error = f"expected calibration error {about(bins.error)}"
            parts.append(f"{self.names[name]}: {error}; confidence and accuracy (rows) {', '.join(pairs)}")
        return f"Accuracy against confidence. {'. '.join(parts)}."


def reliability(y: Any, probabilities: Any, *, classes: Any = None, n_bins: int = 10) -> ReliabilityDiagram:
    """Return how often predictions of some confidence are right, by one or more methods.

    The confidence is the probability of the predicted class; bins of it have equal widths.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels.
    probabilities : array-like of shape (n_samples, n_classes), or mapping of str to such
        What ``predict_proba`` returns, or, for what was not seen in training, the ``oof_predictions_`` of a
        `CoveyClassifier`; by name if there are several methods. Rows that are NaN throughout are left out.
    classes : array-like of shape (n_classes,), optional
        The models' ``classes_``; by default the labels in y, sorted.
    n_bins : int, default=10
        How many bins of confidence there are from 0 to 1.
    """
    named = probabilities if isinstance(probabilities, Mapping) else {"predictions": probabilities}
    most = len(LINE_COLOURS)
    if not 0 < len(named) <= most:
        raise ValueError(
            f"probabilities has {len(named)} methods; give one or more, and no more than the {most} that can be told "
            "apart."
        )
    methods = {}
    for name, given in named.items():
        try:
            methods[str(name)] = reliability_bins(y, given, classes=classes, n_bins=n_bins)
        except ValueError as error:
            raise ValueError(f"{name!r}: {error}" if named is probabilities else str(error)) from error
    return ReliabilityDiagram(methods)


@draws(ReliabilityDiagram, "reliability")
def draw_reliability(diagram: ReliabilityDiagram, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the accuracy of each bin against its mean confidence, with a 95% interval and its share of rows as area.

    Below the diagonal, predictions are surer than they are right.
    """
    from matplotlib.ticker import PercentFormatter

    x, y = "confidence: probability of the predicted class", "accuracy: share of rows predicted right"
    size = (6.2, 4.6 + 0.2 * max(0, len(diagram.methods) - 4))
    ax = begin(diagram, ax, size, title, x=x, y=y, grid="both")
    every = diagram.methods.values()
    left = min(float(bins.edges[np.argmax(bins.counts > 0)]) for bins in every)
    bottom = min(left, *(float(np.nanmin(bins.low)) for bins in every))
    # A little further than 1, lest the marks that most rows are in are cut off.
    ax.set(xlim=(left - 0.03 * (1 - left), 1 + 0.03 * (1 - left)), ylim=(bottom - 0.03, 1 + 0.03 * (1 - bottom)))
    diagonal: Any = {"color": GREY, "linewidth": 1, "linestyle": DASHES, "zorder": 1.5, "label": "_diagonal"}
    (line,) = ax.plot([left, 1], [left, 1], **diagonal)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    entries = _draw_bins(ax, diagram)
    legend_outside(ax, [*entries, (line, "perfect calibration")], handlelength=2.6)
    return ax


def _draw_bins(ax: Axes, diagram: ReliabilityDiagram) -> list[Entry]:
    """Draw the bins of each method, and return what a legend says of them."""
    from matplotlib.lines import Line2D

    entries: list[Entry] = []
    for number, (look, (name, bins)) in enumerate(
        zip(looks(len(diagram.methods)), diagram.methods.items(), strict=True)
    ):
        used = bins.counts > 0
        sure, right = bins.confidence[used], bins.accuracy[used]
        line: Any = {"color": look["color"], "linestyle": look["linestyle"]}
        over = 2.5 + number / len(diagram.methods)
        ax.vlines(sure, bins.low[used], bins.high[used], color=look["color"], linewidth=1.2, alpha=0.55, zorder=2)
        ax.plot(sure, right, **line, linewidth=1.1, alpha=0.75, label=f"_{name}", zorder=over)
        sides = np.maximum(LARGEST * np.sqrt(bins.counts[used] / bins.n_cases), SMALLEST)
        mark: Any = {"color": look["color"], "marker": look["marker"], "linewidths": 0.6, "edgecolors": "white"}
        ax.scatter(sure, right, sides**2, **mark, zorder=over)
        key = Line2D([], [], marker=look["marker"], markersize=6, markeredgecolor="white", **line)
        entries.append((key, f"{diagram.names[name]}, ECE {about(bins.error)}"))
    bar = Line2D([], [], color=GREY, marker="|", markersize=11, linestyle="", markeredgewidth=1.2)
    disc = Line2D([], [], color=GREY, marker="o", markersize=8, linestyle="", markeredgewidth=0)
    return [*entries, (disc, "area: share of rows"), (bar, "95% interval")]
