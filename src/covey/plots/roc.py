"""ROC space: the embedded spaces of hard cases, round by round, and the bias curves of two classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from covey._text import clip, counted, one_line
from covey.analysis.roc import BiasCurve, BiasCurves, BiasedPair, EmbeddedSpace, IsoAccuracy, RocPoint, iso_accuracy
from covey.plots.layout import Label, Labels
from covey.plots.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    MARKERS,
    ORANGE,
    Floats,
    about,
    begin,
    darker,
    draws,
    exactly,
    joins,
    shown,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The colours of h+ and h-.
PLUS, MINUS = BLUE, ORANGE
# How far beyond 0 and 1 the axes reach, so that marks on the border are whole.
BEYOND = 0.04
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
# More rounds are drawn, but have no names, nor have spaces that are smaller: they lie in a corner of the others.
MOST_NAMED, LEAST_NAMED = 3, 0.05
# More named points could not be told apart.
MOST_POINTS = 8
# How many strengths of a curve are written at most, and how far apart their points are at least.
MOST_STRENGTHS, APART = 5, 0.09


@dataclass(frozen=True)
class Mark:
    """A point of ROC space with a shape, and a name or ""."""

    xy: tuple[float, float]  # false and true positive rate
    text: str
    colour: str
    marker: str
    size: float = 6.0  # in points


def name_of(side: str, number: int | None = None) -> str:
    """Return the name of h+ or h-, of a round if a number is given."""
    subscript = "" if number is None else str(number).translate(SUBSCRIPTS)
    return f"h{subscript}{'⁺' if side == 'plus' else '⁻'}"


def begin_roc(data: Any, ax: Axes | None, title: str | None, note: str) -> Axes:
    """Return axes that are a ROC space: square, from 0 to 1, with names; a note is told after the horizontal one."""
    ax = begin(data, ax, (5.0, 5.2), title, x=f"false positive rate ({note})", y="true positive rate")
    ends, ticks = (-BEYOND, 1 + BEYOND), np.linspace(0, 1, 6)
    ax.set(xlim=ends, ylim=ends, aspect="equal", anchor="N", xticks=ticks, yticks=ticks)
    return ax


def draw_line(ax: Axes, line: IsoAccuracy, label: str) -> Floats:
    """Draw a line of equal accuracy, and return its ends."""
    ends = line.ends()
    ax.plot(*ends.T, color=GREY, linewidth=1, label=f"_{label}", zorder=1.8)
    return ends


def draw_marks(ax: Axes, marks: Sequence[Mark], paths: Sequence[Floats]) -> None:
    """Draw marks, the largest first, so that a smaller one in the same place is seen, and write their names."""
    for mark in sorted(marks, key=lambda mark: -mark.size):
        look: Any = {"color": mark.colour, "marker": mark.marker, "markersize": mark.size, "markeredgewidth": 1.6}
        if mark.marker not in "x+":
            look |= {"markeredgecolor": "white", "markeredgewidth": 0.08 * mark.size}
        ax.plot(*mark.xy, linestyle="", label=f"_mark {mark.text}", zorder=3.5, clip_on=False, **look)
    labels = [Label(mark.xy, mark.text, darker(mark.colour, 0.3), mark.size) for mark in marks if mark.text]
    Labels(ax, labels, [mark.xy for mark in marks], [mark.size for mark in marks], paths)


@dataclass(frozen=True, eq=False)
class RocSpaceDiagram:
    """Embedded ROC spaces, and classifiers in the space around them."""

    spaces: tuple[EmbeddedSpace, ...]  #: the spaces of successive rounds, each inside the one before
    points: Mapping[str, RocPoint]  #: other classifiers by name. Lines of equal accuracy lead through them

    @property
    def lines(self) -> dict[str, IsoAccuracy]:
        """The line of equal accuracy through each named point."""
        return {name: iso_accuracy(point) for name, point in self.points.items()}

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What is marked, and what is written beside it."""
        marks = []
        for number, space in enumerate(self.spaces, start=1):
            count = number if len(self.spaces) > 1 else None
            for side, point, colour, shape in (("plus", space.plus, PLUS, "v"), ("minus", space.minus, MINUS, "^")):
                seen = number == 1 or (number <= MOST_NAMED and max(space.width, space.height) >= LEAST_NAMED)
                text = name_of(side, count) if seen else ""
                marks.append(Mark(point.xy, text, colour, shape, 7 - 0.7 * min(number - 1, MOST_NAMED)))
        first, last = self.spaces[0], self.spaces[-1]
        marks.append(Mark(first.best.xy, f"best: {first.best.accuracy:.3f}", GREEN, "*", 11))
        marks.append(Mark(last.centre.xy, f"random arbiter: {last.centre.accuracy:.3f}", INK, "x", 6))
        shapes = ("D", *(marker for marker in MARKERS if marker not in "D^v"))
        for shape, (name, point) in zip(shapes, self.points.items(), strict=False):
            marks.append(Mark(point.xy, f"{clip(one_line(name), 24)}: {point.accuracy:.3f}", INK, shape, 6))
        return tuple(marks)

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"ROC space of the hard cases of {counted(len(self.spaces), 'round')}"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        rounds = []
        for number, space in enumerate(self.spaces, start=1):
            rounds.append(
                f"Round {number}: h+ at {_at(space.plus)}, h- at {_at(space.minus)}, accuracy "
                f"{about(space.centre.accuracy)} with a random arbiter, at best {about(space.best.accuracy)}"
            )
        others = [f"{name} at {_at(point)}, accuracy {about(point.accuracy)}" for name, point in self.points.items()]
        return f"{self.title}, false positive rate first. {'. '.join([*rounds, *others])}."


def _at(point: RocPoint) -> str:
    return f"({about(point.fpr)}, {about(point.tpr)})"


def roc_space_diagram(spaces: Any, *, points: Mapping[str, RocPoint] | None = None) -> RocSpaceDiagram:
    """Return embedded ROC spaces for a figure, as figures 3b and 3c of the Triskel paper.

    Parameters
    ----------
    spaces : EmbeddedSpace or sequence of EmbeddedSpace
        From `covey.analysis.embedded_space` or `covey.analysis.nested_spaces`.
    points : mapping of str to RocPoint, optional
        Classifiers to show beside, such as ``{"h": base, "Triskel": ensemble}``, at most 8. They and the spaces are of
        the same cases.
    """
    given = [spaces] if isinstance(spaces, EmbeddedSpace) else spaces
    if not isinstance(given, Sequence) or not all(isinstance(space, EmbeddedSpace) for space in given):
        raise TypeError(
            f"spaces={shown(spaces)} is no embedded space; give what embedded_space or nested_spaces returns."
        )
    if not given:
        raise ValueError("spaces is empty; give the space of at least one round.")
    named = {} if points is None else points
    if not isinstance(named, Mapping) or not all(isinstance(point, RocPoint) for point in named.values()):
        raise TypeError(
            f"points={shown(points)} must be points by name; give a mapping such as {{'h': roc_point(y, predictions)}}."
        )
    if len(named) > MOST_POINTS:
        raise ValueError(
            f"points has {len(named)} of them; give no more than the {MOST_POINTS} that can be told apart."
        )
    for name, point in named.items():
        plus = given[0].plus
        if max(abs(plus.n_positive - point.n_positive), abs(plus.n_negative - point.n_negative)) > 1e-9 * plus.n_cases:
            raise ValueError(
                f"points[{name!r}] is of {point.n_positive:g} positive and {point.n_negative:g} negative cases, spaces "
                f"of {plus.n_positive:g} and {plus.n_negative:g}; measure all on the same cases."
            )
    return RocSpaceDiagram(tuple(given), {str(name): point for name, point in named.items()})


@draws(RocSpaceDiagram, "roc_space_diagram")
def draw_roc_spaces(diagram: RocSpaceDiagram, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw each round's space as a rectangle from h+ to h-, with its best point and its middle."""
    from matplotlib.patches import Rectangle

    note = "numbers: accuracy; grey lines: equal accuracy" if diagram.points else "numbers: accuracy"
    ax = begin_roc(diagram, ax, title, note)
    paths = [draw_line(ax, line, f"line {name}") for name, line in diagram.lines.items()]
    for number, space in enumerate(diagram.spaces, start=1):
        (left, low), (right, high) = space.plus.xy, space.minus.xy
        tint: Any = {"facecolor": (GREEN, 0.13), "edgecolor": GREEN, "linewidth": max(1.5 - 0.2 * number, 0.7)}
        look: Any = {"label": f"_space {number}", "zorder": 1.5, "clip_on": False, **tint}
        ax.add_patch(Rectangle((left, low), space.width, space.height, **look))
        chord = np.array([[left, low], [right, high]])
        ax.plot(*chord.T, color=GREY, linewidth=0.8, linestyle=":", label=f"_chord {number}", zorder=1.9)
        paths += [np.array([[left, low], [left, high], [right, high], [right, low], [left, low]]), chord]
    draw_marks(ax, diagram.marks, paths)
    return ax


@joins(roc_space_diagram, draw_roc_spaces)
def plot_roc_spaces(
    spaces: Any, *, points: Mapping[str, RocPoint] | None = None, ax: Axes | None = None, title: str | None = None
) -> Axes:
    """Draw embedded ROC spaces."""
    return draw_roc_spaces(roc_space_diagram(spaces, points=points), ax, title=title)


@dataclass(frozen=True, eq=False)
class BiasCurveDiagram:
    """Bias curves, and a pair of their points."""

    title: ClassVar[str] = "Bias curves in ROC space"
    curves: BiasCurves  #: what `covey.analysis.bias_curves` returns
    pair: BiasedPair  #: the best pair of strengths

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What is marked and named: h, the pair, its middle, h reversed, and the strengths of other points."""
        base, pair = self.curves.base, self.pair
        marks = [
            Mark(base.xy, f"h: accuracy {base.accuracy:.3f}", INK, "D", 7),
            Mark(pair.plus.xy, f"{name_of('plus')}: bias {exactly(pair.strength_plus)}", PLUS, "v", 8.5),
            Mark(pair.minus.xy, f"{name_of('minus')}: bias {exactly(pair.strength_minus)}", MINUS, "^", 8.5),
            Mark(pair.centre.xy, f"random arbiter: {pair.centre.accuracy:.3f}", INK, "x", 6.5),
            Mark(pair.reversed.xy, f"h reversed: {pair.reversed.accuracy:.3f}", GREEN, "*", 12),
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
    """
    if not isinstance(curves, BiasCurves):
        raise TypeError(f"curves={shown(curves)} is no BiasCurves; give what covey.analysis.bias_curves returns.")
    return BiasCurveDiagram(curves, curves.best_pair(by, symmetric=symmetric))


@draws(BiasCurveDiagram, "bias_curve_diagram")
def draw_bias_curves(diagram: BiasCurveDiagram, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the bias curves of h+ and h- from h on, the concavity beneath their convex hull, and the best pair.

    Beside some points of the curves is their bias. h reversed decides hard cases, where the pair disagrees, against h;
    its number and that of the random arbiter are accuracies.
    """
    ax = begin_roc(diagram, ax, title, "shaded: concavity; grey line: as accurate as h")
    curves, pair, concavity = diagram.curves, diagram.pair, diagram.curves.concavity
    outline = np.concatenate([[[0.0, 0.0]], concavity.points, [[1.0, 1.0]], concavity.hull[::-1]])
    ax.fill(*outline.T, color="#EEEEEE", linewidth=0, label="_concavity", zorder=1.2)
    paths = [draw_line(ax, curves.line, "line"), concavity.hull]
    ax.plot(*concavity.hull.T, color=GREY, linewidth=0.8, linestyle="--", label="_hull", zorder=1.7)
    for curve, colour, name in ((curves.plus, PLUS, "plus"), (curves.minus, MINUS, "minus")):
        path = np.column_stack([curve.fpr, curve.tpr])
        ax.plot(*path.T, color=colour, linewidth=1.6, label=f"_{name}", zorder=2.5, clip_on=False)
        paths.append(path)
    chord = np.array([pair.plus.xy, pair.minus.xy])
    ax.plot(*chord.T, color=INK, linewidth=0.9, linestyle=":", label="_chord", zorder=2.2)
    draw_marks(ax, diagram.marks, [*paths, chord])
    return ax


@joins(bias_curve_diagram, draw_bias_curves)
def plot_bias_curves(
    curves: BiasCurves,
    *,
    by: str = "reversal",
    symmetric: bool = False,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Draw bias curves."""
    return draw_bias_curves(bias_curve_diagram(curves, by=by, symmetric=symmetric), ax, title=title)
