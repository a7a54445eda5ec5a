"""The lines that linear members of Triskel draw through two columns, and what their vote makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_consistent_length

from covey import LinearSVMClassifier
from covey._text import clip, counted, one_line
from covey.plots.layout import legend_below
from covey.plots.roc import MINUS, PLUS, name_of
from covey.plots.style import COLOURS, INK, LINES, MARKERS, Entry, Floats, about, begin, darker, draws, joins, mixed
from covey.table import Table, encode_classes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Pixels along each side of the map.
RESOLUTION = 240
# The room around the cases, as a share of their extent.
MARGIN = 0.05
# Of cases and regions; h+ and h- have colours of their own.
CLASS_COLOURS = COLOURS[:2]


@dataclass(frozen=True, eq=False)
class Separator:
    """A line: where the sum of coefficients and columns is as large as a threshold."""

    name: str  #: whose it is: "h⁺", "h⁻", "arbiter", or "h" of a machine by itself
    coefficients: Floats  #: of the two columns, (2,)
    level: float  #: the sum on the line; above it the positive class is said

    @property
    def is_line(self) -> bool:
        """Whether there is a line, and not one class everywhere."""
        return bool(np.any(self.coefficients != 0))

    def ends(self, window: Floats) -> Floats:
        """Return where it enters and leaves a window, of shape (2, 2); no rows if it passes by."""
        a, b = self.coefficients
        places = [(x, (self.level - a * x) / b) for x in window[0]] if b else []
        places += [((self.level - b * y) / a, y) for y in window[1]] if a else []
        slack = 1e-9 * np.ptp(window, axis=1)
        order = np.array(sorted(places)).reshape(-1, 2)
        inside = order[((order >= window[:, 0] - slack) & (order <= window[:, 1] + slack)).all(axis=1)]
        return np.asarray(inside[[0, -1]] if len(inside) else inside)


@dataclass(frozen=True, eq=False)
class SeparatorMap:
    """The lines of members over the cases, and the class of each place."""

    names: tuple[str, str]  #: the columns, the horizontal one first
    classes: tuple[str, str]  #: the negative and the positive class
    points: Floats  #: the cases, (n_cases, 2)
    codes: NDArray[np.intp]  #: the class of each case, 0 or 1, (n_cases,)
    wrong: NDArray[np.bool_]  #: which cases the model gets wrong, (n_cases,)
    separators: tuple[Separator, ...]  #: round by round h+ and h-, and the arbiter
    window: Floats  #: where the map begins and ends, a row per column, (2, 2)
    region: NDArray[np.intp]  #: the class of each pixel, the lowest row first, (n_rows, n_columns)

    @property
    def accuracy(self) -> float:
        """Which share of the cases get their own class."""
        return float(1 - self.wrong.mean())

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        lines = counted(len(self.separators), "linear separator")
        return f"{lines}: {counted(int(self.wrong.sum()), 'case')} of {len(self.wrong)} wrong"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        parts = []
        for line in self.separators:
            a, b = line.coefficients
            if line.is_line:
                sum_ = f"{about(a)} {self.names[0]} {'-' if b < 0 else '+'} {about(abs(b))} {self.names[1]}"
                parts.append(f"{line.name} says {self.classes[1]} where {sum_} is above {about(line.level)}")
            else:
                parts.append(f"{line.name} says {self.classes[int(line.level < 0)]} everywhere")
        return f"{self.title} ({self.accuracy:.1%} right). {'; '.join(parts)}."


def separator_map(model: Any, X: Any, y: Any) -> SeparatorMap:
    """Return the lines of a Triskel over linear machines, or of one machine, for a figure.

    Parameters
    ----------
    model : TriskelClassifier or LinearSVMClassifier
        Fitted on two columns of numbers and two classes.
    X : array-like or data frame of shape (n_cases, 2)
        The cases to show, without missing values.
    y : array-like of shape (n_cases,)
        Their classes.
    """
    separators = _separators(model)
    table = Table(model.schema_.encode(X), model.schema_)
    points = np.asarray(table.matrix, dtype=np.float64)
    if not np.isfinite(points).all():
        raise ValueError("X has missing or infinite values, which have no place on a map; leave such rows out.")
    classes, codes = encode_classes(y)
    check_consistent_length(points, codes)
    known = [str(label) for label in model.classes_]
    strange = [label for label in classes.tolist() if str(label) not in known]
    if strange:
        raise ValueError(f"y has the class {strange[0]!r}, which model was not trained on; it knows {known}.")
    codes = np.searchsorted(model.classes_, classes)[codes]
    low, high = points.min(axis=0), points.max(axis=0)
    extent = np.where(high > low, high - low, 1.0)
    window = np.stack([low - MARGIN * extent, high + MARGIN * extent], axis=1)
    steps = (np.arange(RESOLUTION) + 0.5) / RESOLUTION
    x, up = (start + (end - start) * steps for start, end in window)
    pixels = np.stack(np.meshgrid(x, up), axis=-1).reshape(-1, 2)
    predicted = [
        np.searchsorted(model.classes_, model.predict(Table(some, model.schema_))) for some in (pixels, points)
    ]
    return SeparatorMap(
        names=tuple(clip(one_line(name), 48) for name in table.names),  # type: ignore[arg-type]
        classes=tuple(clip(one_line(label), 24) for label in known),  # type: ignore[arg-type]
        points=points,
        codes=codes,
        wrong=predicted[1] != codes,
        separators=separators,
        window=window,
        region=predicted[0].reshape(RESOLUTION, RESOLUTION),
    )


def _separators(model: Any) -> tuple[Separator, ...]:
    """Return the lines of a model, refusing one that has none."""
    # Figures know no ensembles: what has rounds is a Triskel.
    if not (isinstance(model, LinearSVMClassifier) or hasattr(type(model), "round_predictions")):
        raise TypeError(f"model={model!r:.60} must be a fitted TriskelClassifier or LinearSVMClassifier.")
    if not hasattr(model, "classes_"):
        raise ValueError(f"model={model!r:.60} is not fitted; call its fit with two columns and two classes first.")
    if len(model.classes_) != 2 or model.n_features_in_ != 2 or model.schema_.categorical.any():
        shape = f"{counted(model.n_features_in_, 'column')} and {counted(len(model.classes_), 'class', 'classes')}"
        raise ValueError(f"model was fitted on {shape}; a map takes two columns of numbers and two classes.")
    if isinstance(model, LinearSVMClassifier):
        return (_separator("h", model, None),)
    rounds = model._rounds[0]
    several = len(rounds.pairs) > 1
    separators = [
        _separator(name_of(side, number if several else None), biased.member.model, biased.threshold)
        for number, pair in enumerate(rounds.pairs, start=1)
        for side, biased in zip(("plus", "minus"), pair, strict=True)
    ]
    return (*separators, _separator("arbiter", rounds.arbiter.model, None))


def _separator(name: str, machine: Any, threshold: float | None) -> Separator:
    if not isinstance(machine, LinearSVMClassifier):
        kind = type(machine).__name__
        raise TypeError(f"model has {kind} for {name}, which draws no line; use one over LinearSVMClassifier.")
    if len(machine.classes_) < 2:
        return Separator(name, np.zeros(2), -1.0 if machine.classes_[0] else 1.0)
    level = (0.0 if threshold is None else threshold) - float(machine.intercept_[0])
    return Separator(name, np.asarray(machine.coef_[0], dtype=np.float64), level)


@draws(SeparatorMap, "separator_map")
def draw_separators(diagram: SeparatorMap, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw cases, the lines of members, and each place in the colour of its class; wrong cases have a ring."""
    ax = begin(diagram, ax, (5.0, 5.4), title, x=diagram.names[0], y=diagram.names[1])
    ax.set(xlim=diagram.window[0], ylim=diagram.window[1])
    pale = np.array([mixed(colour, "white", 0.72) for colour in CLASS_COLOURS])
    (left, right), (bottom, top) = diagram.window.tolist()
    look: Any = {"extent": (left, right, bottom, top), "origin": "lower", "aspect": "auto", "zorder": 0}
    ax.imshow(pale[diagram.region], interpolation="nearest", **look)
    legend_below(ax, [*_draw_cases(diagram, ax), *_draw_lines(diagram, ax)])
    return ax


def _draw_cases(diagram: SeparatorMap, ax: Axes) -> list[Entry]:
    entries = []
    size = float(np.clip(5.0 * (150 / len(diagram.codes)) ** 0.25, 2.2, 6))
    for code, name in enumerate(diagram.classes):
        x, y = diagram.points[diagram.codes == code].T
        colour = CLASS_COLOURS[code]
        look: Any = {"marker": MARKERS[code], "color": colour, "markeredgecolor": darker(colour, 0.35)}
        look |= {"linestyle": "", "markersize": size, "markeredgewidth": 0.5, "zorder": 2}
        (drawn,) = ax.plot(x, y, label=f"_class {name}", **look)
        entries.append((drawn, name))
    if diagram.wrong.any():
        x, y = diagram.points[diagram.wrong].T
        ring: Any = {"marker": "o", "markerfacecolor": "none", "markeredgecolor": INK, "markeredgewidth": 0.7}
        (drawn,) = ax.plot(x, y, linestyle="", markersize=1.9 * size, label="_wrong", zorder=3, **ring)
        entries.append((drawn, "wrong"))
    return entries


def _draw_lines(diagram: SeparatorMap, ax: Axes) -> list[Entry]:
    """Draw the lines; one that passes by the window, or is of one class everywhere, is in the legend only."""
    entries = []
    for number, line in enumerate(diagram.separators):
        alone = line.name in ("h", "arbiter")
        colour = INK if alone else (PLUS, MINUS)[number % 2]
        place = line.ends(diagram.window) if line.is_line else np.empty((0, 2))
        style = "-" if alone else LINES[1 + number // 2 % 3]
        look: Any = {"color": colour, "linestyle": style, "linewidth": 1.8, "solid_capstyle": "butt"}
        (drawn,) = ax.plot(*place.T, label=f"_separator {line.name}", zorder=4, scalex=False, scaley=False, **look)
        # All cases are on one side of a line that passes by.
        side = diagram.classes[int(diagram.points[0] @ line.coefficients > line.level)]
        entries.append((drawn, line.name if len(place) else f"{line.name}: {side} everywhere"))
    return entries


@joins(separator_map, draw_separators)
def plot_separators(model: Any, X: Any, y: Any, *, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Draw the lines of linear members."""
    return draw_separators(separator_map(model, X, y), ax, title=title)
