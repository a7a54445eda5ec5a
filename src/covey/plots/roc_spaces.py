"""Embedded ROC spaces: the hard cases of one round or several, between the biased classifiers of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import clip, counted, one_line
from covey.analysis.roc import EmbeddedSpace, IsoAccuracy, RocPoint, iso_accuracy
from covey.plots.curves import Floats, about
from covey.plots.members import check_made
from covey.plots.roc_marks import MINUS, PLUS, Mark, draw_line, draw_marks, dress_roc, name_of, write_marks
from covey.plots.style import COLOURS, GREY, INK, MARKERS, axes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More rounds are drawn, but have no names, nor have spaces that are smaller: they lie in a corner of the others.
MOST_NAMED, LEAST_NAMED = 3, 0.05
# More named points could not be told apart.
MOST_POINTS = 8
TINT = COLOURS[2]


@dataclass(frozen=True, eq=False)
class RocSpaceDiagram:
    """Embedded ROC spaces, and classifiers in the space around them.

    Parameters
    ----------
    spaces : tuple of EmbeddedSpace
        The spaces of successive rounds, each inside the one before.
    points : mapping of str to RocPoint
        Other classifiers by name. Lines of equal accuracy lead through them.
    """

    spaces: tuple[EmbeddedSpace, ...]
    points: Mapping[str, RocPoint]

    @property
    def lines(self) -> dict[str, IsoAccuracy]:
        """The line of equal accuracy through each named point."""
        return {name: iso_accuracy(point) for name, point in self.points.items()}

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What is marked, and what is written beside it."""
        marks = []
        for number, space in enumerate(self.spaces, start=1):
            told = number if len(self.spaces) > 1 else None
            for side, point, colour, shape in (("plus", space.plus, PLUS, "v"), ("minus", space.minus, MINUS, "^")):
                seen = number == 1 or (number <= MOST_NAMED and max(space.width, space.height) >= LEAST_NAMED)
                text = name_of(side, told) if seen else ""
                marks.append(Mark(point.xy, text, colour, shape, 7 - 0.7 * min(number - 1, MOST_NAMED)))
        first, last = self.spaces[0], self.spaces[-1]
        marks.append(Mark(first.best.xy, f"best: {first.best.accuracy:.3f}", TINT, "*", 11))
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

    Returns
    -------
    RocSpaceDiagram
    """
    given = [spaces] if isinstance(spaces, EmbeddedSpace) else spaces
    if not isinstance(given, Sequence) or not all(isinstance(space, EmbeddedSpace) for space in given):
        shown = clip(one_line(repr(spaces)), 60)
        raise TypeError(f"spaces={shown} is no embedded space; give what embedded_space or nested_spaces returns.")
    if not given:
        raise ValueError("spaces is empty; give the space of at least one round.")
    named = {} if points is None else points
    if not isinstance(named, Mapping) or not all(isinstance(point, RocPoint) for point in named.values()):
        shown = clip(one_line(repr(points)), 60)
        raise TypeError(f"points={shown} must be points by name; give a mapping such as {{'h': roc_point(y, said)}}.")
    if len(named) > MOST_POINTS:
        raise ValueError(
            f"points has {len(named)} of them; give no more than the {MOST_POINTS} that can be told apart."
        )
    for name, point in named.items():
        one, other = given[0].plus, point
        slack = 1e-9 * one.n_cases
        if max(abs(one.n_positive - other.n_positive), abs(one.n_negative - other.n_negative)) > slack:
            raise ValueError(
                f"points[{name!r}] is of {other.n_positive:g} positive and {other.n_negative:g} negative cases, spaces "
                f"of {one.n_positive:g} and {one.n_negative:g}; measure all on the same cases."
            )
    return RocSpaceDiagram(tuple(given), {str(name): point for name, point in named.items()})


def draw_roc_spaces(diagram: RocSpaceDiagram, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw each round's space as a rectangle from h+ to h-, with its best point and its middle.

    Parameters
    ----------
    diagram : RocSpaceDiagram
        From `roc_space_diagram`.
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

    check_made(diagram, RocSpaceDiagram, "roc_space_diagram")
    ax = axes_of(ax, (5.0, 5.2))
    note = "numbers: accuracy; grey lines: equal accuracy" if diagram.points else "numbers: accuracy"
    shown = diagram.title if title is None else title
    dress_roc(ax, title=shown, description=diagram.description, note=note)
    paths = [draw_line(ax, line, f"line {name}") for name, line in diagram.lines.items()]
    paths = [path for path in paths if np.ptp(path)]
    paths += [path for number, space in enumerate(diagram.spaces, start=1) for path in _draw_space(ax, space, number)]
    draw_marks(ax, diagram.marks)
    keep_fitting(ax, partial(write_marks, diagram.marks, paths))
    return ax


def _draw_space(ax: Axes, space: EmbeddedSpace, number: int) -> list[Floats]:
    """Draw a rectangle and the line from h+ to h-, and return their outlines."""
    from matplotlib.patches import Rectangle

    corner, sides = space.plus.xy, (space.width, space.height)
    tint: Any = {"facecolor": (*_rgb(TINT), 0.13), "edgecolor": TINT, "linewidth": max(1.5 - 0.2 * number, 0.7)}
    ax.add_patch(Rectangle(corner, *sides, label=f"_space {number}", zorder=1.5, clip_on=False, **tint))
    (left, low), (right, high) = space.plus.xy, space.minus.xy
    chord = np.array([[left, low], [right, high]])
    ax.plot(*chord.T, color=GREY, linewidth=0.8, linestyle=":", label=f"_chord {number}", zorder=1.9)
    return [np.array([[left, low], [left, high], [right, high], [right, low], [left, low]]), chord]


def _rgb(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    return to_rgb(colour)


def plot_roc_spaces(
    spaces: Any,
    *,
    points: Mapping[str, RocPoint] | None = None,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Draw embedded ROC spaces: `roc_space_diagram`, then `draw_roc_spaces`.

    Parameters
    ----------
    spaces, points
        As of `roc_space_diagram`.
    ax, title
        As of `draw_roc_spaces`.

    Returns
    -------
    matplotlib Axes
    """
    return draw_roc_spaces(roc_space_diagram(spaces, points=points), ax, title=title)
