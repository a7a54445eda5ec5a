"""Curves of how well probabilities tell a class from the rest: ROC, and precision against recall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from covey.analysis.diagnostics import ScoreCurve
from covey.plots.curves import looks
from covey.plots.layout import legend_below
from covey.plots.reading import distinct_names
from covey.plots.style import DASHES, GREY, Entry, begin, draws, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = Literal["roc", "precision-recall"]
MOST_CLASSES = 6
NAMES = {
    "roc": ("ROC curve", "false positive rate: others taken for it", "true positive rate: the class found", "area"),
    "precision-recall": ("Precision against recall", "recall", "precision", "average precision"),
}


@dataclass(frozen=True, eq=False)
class ClassCurves:
    """A curve for each of some classes."""

    kind: Kind  #: "roc" or "precision-recall"
    curves: tuple[ScoreCurve, ...]  #: each of a class against the rest

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        one = f" of class {self.names[0]}" if len(self.curves) == 1 else " of each class against the rest"
        return f"{NAMES[self.kind][0]}{one}"

    @property
    def names(self) -> list[str]:
        """The classes as they are written."""
        return distinct_names([curve.label for curve in self.curves], 24)

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        what = NAMES[self.kind][3]
        parts = (f"{name}: {what} {curve.area:.3f}" for name, curve in zip(self.names, self.curves, strict=True))
        return f"{self.title}. {'. '.join(parts)}."


def class_curves(curves: Sequence[ScoreCurve], kind: Kind) -> ClassCurves:
    """Return curves of classes to be drawn.

    Parameters
    ----------
    curves : sequence of ScoreCurve
        From `covey.analysis.diagnostics`, one for each of up to 6 classes.
    kind : {"roc", "precision-recall"}
        What they are.
    """
    if kind not in get_args(Kind):
        raise ValueError(f"kind={kind!r} is unknown; give one of {', '.join(map(repr, get_args(Kind)))}.")
    given = tuple(curves)
    if not 1 <= len(given) <= MOST_CLASSES or not all(isinstance(curve, ScoreCurve) for curve in given):
        raise ValueError(f"curves={shown(curves)} must be 1 to {MOST_CLASSES} of ScoreCurve.")
    return ClassCurves(kind, given)


@draws(ClassCurves, "class_curves")
def draw_class_curves(curves: ClassCurves, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a curve for each class, and in grey what guessing would give."""
    from matplotlib.ticker import PercentFormatter

    _, x, y, what = NAMES[curves.kind]
    ax = begin(curves, ax, (4.8, 4.0 + 0.18 * len(curves.curves)), title, x=x, y=y, grid="both")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.03))
    entries: list[Entry] = []
    grey: Any = {"color": GREY, "linewidth": 1, "linestyle": DASHES, "zorder": 1.5}
    # Rows with the same probability are found together; precision between two recalls is that of the larger one.
    step: Any = "default" if curves.kind == "roc" else "steps-pre"
    for name, curve, look in zip(curves.names, curves.curves, looks(len(curves.curves)), strict=True):
        line: Any = {"color": look["color"], "linestyle": look["linestyle"], "linewidth": 1.8, "zorder": 2.5}
        (drawn,) = ax.plot(curve.x, curve.y, drawstyle=step, label=f"_{curve.label}", **line)
        entries.append((drawn, f"{name}: {what} {curve.area:.3f}"))
    ends = [([0, 1], [0, 1])] if curves.kind == "roc" else [([0, 1], [curve.share] * 2) for curve in curves.curves]
    for across, up in ends:
        (guess,) = ax.plot(across, up, label="_guess", **grey)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    legend_below(ax, [*entries, (guess, "guessing")], handlelength=2.2, ncols=1)
    return ax
