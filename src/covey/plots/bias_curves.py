"""Bias curves in ROC space: two classifiers of growing bias, their concavity, and the best pair of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.roc import BiasCurve, BiasCurves, BiasedPair
from covey.plots.curves import Floats, about, exactly
from covey.plots.members import check_made
from covey.plots.roc_marks import MINUS, PLUS, Mark, draw_line, draw_marks, dress_roc, name_of, write_marks
from covey.plots.style import COLOURS, GREY, INK, axes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# How many strengths of a curve are written at most, and how far apart their points are at least.
MOST_STRENGTHS, APART = 5, 0.09
HOLLOW, TINT = "#EEEEEE", COLOURS[2]


@dataclass(frozen=True, eq=False)
class BiasCurveDiagram:
    """Bias curves, and a pair of their points.

    Parameters
    ----------
    curves : BiasCurves
        What `covey.analysis.bias_curves` found.
    pair : BiasedPair
        The best pair of strengths.
    """

    curves: BiasCurves
    pair: BiasedPair

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What is marked and named: h, the pair, its middle, h reversed, and the strengths of other points."""
        base, pair = self.curves.base, self.pair
        marks = [
            Mark(base.xy, f"h: accuracy {base.accuracy:.3f}", INK, "D", 7),
            Mark(pair.plus.xy, f"{name_of('plus')}: bias {exactly(pair.strength_plus)}", PLUS, "v", 8.5),
            Mark(pair.minus.xy, f"{name_of('minus')}: bias {exactly(pair.strength_minus)}", MINUS, "^", 8.5),
            Mark(pair.centre.xy, f"random arbiter: {pair.centre.accuracy:.3f}", INK, "x", 6.5),
            Mark(pair.reversed.xy, f"h reversed: {pair.reversed.accuracy:.3f}", TINT, "*", 12),
        ]
        taken = [mark.xy for mark in marks]
        for curve, colour, shape in ((self.curves.plus, PLUS, "v"), (self.curves.minus, MINUS, "^")):
            told = self.told(curve, taken)
            for place in range(1, len(curve)):
                text = exactly(curve.strengths[place]) if place in told else ""
                marks.append(Mark(curve.point(place).xy, text, colour, shape, 4.5))
        return tuple(marks)

    def told(self, curve: BiasCurve, taken: list[tuple[float, float]]) -> list[int]:
        """Return the places of a curve whose strengths are written: few, and apart from each other and what is taken.

        What is chosen is added to what is taken. The end of the curve comes first, then points that are far from all.
        """
        chosen: list[int] = []
        left = list(range(1, len(curve)))[::-1]
        while left and len(chosen) < MOST_STRENGTHS:
            rates = np.column_stack([curve.fpr[left], curve.tpr[left]])
            gaps = np.hypot(*(rates[:, None] - np.array(taken)).transpose(2, 0, 1)).min(axis=1)
            best = 0 if not chosen and gaps[0] > APART else int(gaps.argmax())
            if gaps[best] <= APART:
                break
            chosen.append(left.pop(best))
            taken.append(curve.point(chosen[-1]).xy)
        return sorted(chosen)

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return "Bias curves in ROC space"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        base, pair = self.curves.base, self.pair
        ends = " and ".join(
            f"h{sign} to ({about(curve.fpr[-1])}, {about(curve.tpr[-1])}) at a bias of {exactly(curve.strengths[-1])}"
            for sign, curve in (("+", self.curves.plus), ("-", self.curves.minus))
        )
        deep = self.curves.concavity.accuracy
        return (
            f"{self.title}, false positive rate first: from h at ({about(base.fpr)}, {about(base.tpr)}), accuracy "
            f"{about(base.accuracy)}, {ends}. Best pair: h+ biased by {exactly(pair.strength_plus)}, h- by "
            f"{exactly(pair.strength_minus)}; accuracy {about(pair.centre.accuracy)} with a random arbiter, "
            f"{about(pair.reversed.accuracy)} with h reversed on hard cases. The curves lie up to {about(deep)} in "
            "accuracy beneath their convex hull."
        )


def bias_curve_diagram(curves: BiasCurves, *, by: str = "reversal", symmetric: bool = False) -> BiasCurveDiagram:
    """Return bias curves for a figure, as figure 4 of the Triskel paper.

    Parameters
    ----------
    curves : BiasCurves
        From `covey.analysis.bias_curves`.
    by, symmetric
        Which pair to mark: as of `covey.analysis.BiasCurves.best_pair`.

    Returns
    -------
    BiasCurveDiagram
    """
    if not isinstance(curves, BiasCurves):
        raise TypeError(f"curves={curves!r:.60} is no BiasCurves; give what covey.analysis.bias_curves returns.")
    return BiasCurveDiagram(curves, curves.best_pair(by, symmetric=symmetric))


def draw_bias_curves(diagram: BiasCurveDiagram, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the bias curves of h+ and h- from h on, the concavity beneath their convex hull, and the best pair.

    Beside some points of the curves is their bias. h reversed decides hard cases, where the pair disagrees, against h;
    its number and that of the random arbiter are accuracies.

    Parameters
    ----------
    diagram : BiasCurveDiagram
        From `bias_curve_diagram`.
    ax : matplotlib Axes or None
        Where to draw, made square; None for a new one.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the diagram, for use as alternative text.
    """
    from covey.plots.refit import keep_fitting

    check_made(diagram, BiasCurveDiagram, "bias_curve_diagram")
    ax = axes_of(ax, (5.0, 5.2))
    curves, pair = diagram.curves, diagram.pair
    note = "shaded: concavity; grey line: as accurate as h"
    shown = diagram.title if title is None else title
    dress_roc(ax, title=shown, description=diagram.description, note=note)
    concavity = curves.concavity
    outline = np.concatenate([[[0.0, 0.0]], concavity.points, [[1.0, 1.0]], concavity.hull[::-1]])
    ax.fill(*outline.T, color=HOLLOW, linewidth=0, label="_concavity", zorder=1.2)
    paths = [draw_line(ax, curves.line, "line"), concavity.hull]
    ax.plot(*concavity.hull.T, color=GREY, linewidth=0.8, linestyle="--", label="_hull", zorder=1.7)
    for curve, colour, name in ((curves.plus, PLUS, "plus"), (curves.minus, MINUS, "minus")):
        path: NDArray[Any] = np.column_stack([curve.fpr, curve.tpr])
        ax.plot(*path.T, color=colour, linewidth=1.6, label=f"_{name}", zorder=2.5, clip_on=False)
        paths.append(path)
    chord = np.array([pair.plus.xy, pair.minus.xy])
    ax.plot(*chord.T, color=INK, linewidth=0.9, linestyle=":", label="_chord", zorder=2.2)
    draw_marks(ax, diagram.marks)
    keep_fitting(ax, partial(write_marks, diagram.marks, [*_seen(paths), *_seen([chord])]))
    return ax


def _seen(paths: list[Floats]) -> list[Floats]:
    """Return the paths that are more than a point."""
    return [path for path in paths if len(path) > 1 and np.ptp(path, axis=0).any()]


def plot_bias_curves(
    curves: BiasCurves,
    *,
    by: str = "reversal",
    symmetric: bool = False,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Draw bias curves: `bias_curve_diagram`, then `draw_bias_curves`.

    Parameters
    ----------
    curves, by, symmetric
        As of `bias_curve_diagram`.
    ax, title
        As of `draw_bias_curves`.

    Returns
    -------
    matplotlib Axes
    """
    return draw_bias_curves(bias_curve_diagram(curves, by=by, symmetric=symmetric), ax, title=title)
