"""Confusion matrix: what rows of each class were taken for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.plots.layout import lay_out, settle, text_size
from covey.plots.reading import distinct_names
from covey.plots.style import BLUE, INK, PLAIN, POINTS, Floats, begin, draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of more classes the cells are too small for numbers.
MOST_CLASSES = 15


@dataclass(frozen=True, eq=False)
class ConfusionMap:
    """How often each class was taken for each class."""

    title: ClassVar[str] = "What rows of each class were taken for"
    classes: tuple[str, ...]  #: names, the first on top and at the left
    counts: NDArray[np.int64]  #: a row for each true class and a column for each predicted one

    @property
    def shares(self) -> Floats:
        """The counts as shares of their rows; 0 where a class has none."""
        totals = self.counts.sum(axis=1, keepdims=True)
        return np.asarray(self.counts / np.maximum(totals, 1))

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        parts = []
        for row, name in enumerate(self.classes):
            taken = ", ".join(
                f"{other} {self.shares[row, column]:.1%}"
                for column, other in enumerate(self.classes)
                if self.counts[row, column]
            )
            parts.append(f"{name}: {taken or 'no rows'}")
        return f"{self.title}. {'. '.join(parts)}."


def confusion_map(counts: Any, classes: Sequence[Any]) -> ConfusionMap:
    """Return a confusion matrix to be drawn.

    Parameters
    ----------
    counts : array-like of shape (n_classes, n_classes)
        What `sklearn.metrics.confusion_matrix` returns: a row for each true class.
    classes : sequence of shape (n_classes,)
        Their labels.
    """
    numbers = np.asarray(counts)
    if numbers.shape != (len(classes), len(classes)) or not 2 <= len(classes) <= MOST_CLASSES:
        raise ValueError(
            f"counts has shape {numbers.shape} and classes {len(classes)} labels; give a row and a column for each of "
            f"2 to {MOST_CLASSES} classes, for more could not be read."
        )
    if numbers.dtype.kind not in "iu" or (numbers < 0).any():
        raise ValueError(f"counts={numbers.tolist()!r:.60} must be whole numbers of 0 or more.")
    return ConfusionMap(tuple(distinct_names([str(label) for label in classes], 20)), numbers.astype(np.int64))


@draws(ConfusionMap, "confusion_map")
def draw_confusion(confusion: ConfusionMap, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a cell for each true and each predicted class, darker the more rows of the true class are in it."""
    from matplotlib.colors import LinearSegmentedColormap

    count, shares = len(confusion.classes), confusion.shares
    ax = begin(confusion, ax, (4.8, max(3.6, 1.3 + 0.42 * count)), title, x="predicted class", y="true class")
    colours = LinearSegmentedColormap.from_list("shares", ["#F4F6F8", BLUE], N=64)
    look: Any = {"vmin": 0, "vmax": 1, "edgecolors": "white", "linewidth": 1.2, "zorder": 0.5, "clip_on": False}
    ax.pcolormesh(np.arange(count), np.arange(count), shares, cmap=colours, shading="nearest", **look)
    ax.set_ylim(count - 0.5, -0.5)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, labelsize=POINTS)
    ax.set_yticks(range(count), confusion.classes, **PLAIN)
    longest = max(text_size(ax, name)[0] for name in confusion.classes)
    slanted = longest > 0.9 * settle(ax)[0] / count
    slant: Any = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    ax.set_xticks(range(count), confusion.classes, **slant, **PLAIN)
    size = min(POINTS + 1, 0.32 * settle(ax)[0] / count)
    for row, column in np.argwhere(confusion.counts > 0).tolist():
        share = float(shares[row, column])
        style: Any = {"color": "white" if share > 0.55 else INK, "ha": "center", "va": "center", "size": size}
        text = f"{100 * share:.0f}%" if share >= 0.005 else "<1%"
        ax.text(column, row, text, weight="bold" if row == column else "normal", **style).set_in_layout(False)
    lay_out(ax)
    return ax
