"""Training of an ensemble over random columns: weights by round, and errors by the number of columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from covey._arguments import check_count
from covey._text import counted
from covey.plots.columns import as_shares, column_names, fitted_attribute, never_drawn
from covey.plots.curves import (
    LINE_COLOURS,
    MOST_CURVES,
    Curve,
    draw_curves,
    draw_ring,
    name_curves,
    set_counting_axis,
    set_parameter_axis,
    size_of,
)
from covey.plots.layout import lay_out
from covey.plots.reading import distinct_names
from covey.plots.style import DASHES, GREY, PALE, Floats, about, begin, capitalised, draws, joins, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# So many columns are drawn as grey lines, more as an area from the least to the greatest of them.
MOST_GREY = 60
# Columns that were not drawn yet weigh much at first: if all rounds take so many times the range of those after the
# first part of them, that range is shown, and a share more on both sides.
START, DWARFED, MARGIN = 10, 2.5, 0.3

# What is said of a size chosen for each reason.
REASONS = {
    "minimum": "chosen, a clear minimum",
    "elbow": "chosen, the elbow",
    "rule": "by rule, as there is no clear minimum or elbow",
}


@dataclass(frozen=True, eq=False)
class WeightCurves:
    """The weights of all columns after each round."""

    title: ClassVar[str] = "Weights of columns by round"
    #: the names of the columns, the greatest final weight first; equal ones as in the data, and those never drawn last
    columns: tuple[str, ...]
    weights: Floats  #: their weights after each round, as shares of the sum, (n_rounds, n_columns)
    n_named: int  #: how many columns are drawn in colour and named

    @property
    def uniform(self) -> float:
        """The weight of each column if all weighed the same."""
        return 1 / len(self.columns)

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """A curve for each column that is named."""
        rounds = np.arange(1.0, len(self.weights) + 1)
        return tuple(
            Curve(name=name, x=rounds, y=self.weights[:, place])
            for place, name in enumerate(distinct_names(self.columns[: self.n_named]))
        )

    @property
    def others(self) -> Floats:
        """The weights of the other columns, of shape (n_rounds, n_others)."""
        return self.weights[:, self.n_named :]

    @cached_property
    def n_beyond(self) -> int:
        """After how many rounds the weights stay within `limits`."""
        low, high = self.limits
        beyond = np.flatnonzero(((self.weights < low) | (self.weights > high)).any(axis=1))
        return int(beyond[-1]) + 1 if len(beyond) else 0

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest weight to show, of later rounds only if the first would dwarf them."""
        low, high = float(self.weights.min()), float(self.weights.max())
        later = self.weights[len(self.weights) // START :]
        least, greatest = min(float(later.min()), self.uniform), max(float(later.max()), self.uniform)
        margin = MARGIN * (greatest - least)
        if high - low <= DWARFED * (greatest - least) or not margin:
            return low, high
        return max(low, least - margin), min(high, greatest + margin)

    @property
    def grey(self) -> str:
        """What the axis says of the other columns, "" if there are none."""
        n_others = self.others.shape[1]
        words = f"range of {n_others:,} others" if n_others > MOST_GREY else counted(n_others, "other")
        return f"grey: {words}, " if n_others else ""

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        last = ", ".join(f"{curve.name} {about(curve.y[-1])}" for curve in self.curves)
        words = f"{self.title}, as shares of their sum; all alike would be {about(self.uniform)}. "
        words += f"After {counted(len(self.weights), 'round')}: {last}"
        if not self.others.size:
            return f"{words}."
        low, high = about(self.others[-1].min()), about(self.others[-1].max())
        between = f"{low} to {high}" if low != high else low
        return f"{words}; {counted(self.others.shape[1], 'other column')} {between}."


def weight_curves(model: Any, *, top: int = 5) -> WeightCurves:
    """Return the weights of columns after each round of training.

    As figures 5.1 and 5.4 of Lobato Ramos, "Evolutionary weights for random subspace learning".

    Parameters
    ----------
    model : fitted model
        With ``feature_weights_path_``: `covey.RandomSubspaceRegressor` or `covey.RandomSubspaceClassifier` with
        ``weighting="evolving"``.
    top : int, default=5
        How many columns to name, those of the greatest final weight; at most 20, which can be told apart. Weights
        begin high, so columns that no member ever saw come last.
    """
    check_count("top", top, 1)
    if top > MOST_CURVES:
        raise ValueError(f"top={top!r} is more than the {MOST_CURVES} that can be told apart; name fewer columns.")
    remedy = 'only weights that evolve have a path; fit a random subspace ensemble with weighting="evolving".'
    weights = as_shares(fitted_attribute(model, "feature_weights_path_", "model", remedy))
    names = column_names(model)
    order = np.lexsort((-weights[-1].round(12), never_drawn(model)))
    columns = tuple(names[column] for column in order.tolist())
    return WeightCurves(columns, weights[:, order], min(int(top), len(columns)))


@draws(WeightCurves, "weight_curves")
def draw_weight_curves(path: WeightCurves, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the weight of each column against the round: those that end up highest in colour, the others grey.

    Of many others only the area that they take is drawn. A dashed line is where all weights would be if they were the
    same.
    """
    rounds = "round" if path.n_beyond == 1 else counted(path.n_beyond, "round")
    beyond = f"; the first {rounds} in part beyond" if path.n_beyond else ""
    x = f"round ({path.grey}dashed: all alike, {about(path.uniform)}{beyond})"
    ax = begin(path, ax, size_of(path.curves), title, x=x, y="weight", grid="y")
    ax.axhline(path.uniform, color=GREY, linewidth=1, linestyle=DASHES, label="_uniform", zorder=1.8)
    _draw_others(path, ax)
    lines = draw_curves(ax, path.curves)
    set_counting_axis(ax, len(path.weights))
    if path.n_beyond:
        ax.set_ylim(*path.limits)
    name_curves(ax, path.curves, lines)
    return ax


def _draw_others(path: WeightCurves, ax: Axes) -> None:
    """Draw the columns that have no name."""
    from matplotlib.collections import LineCollection

    rounds = np.arange(1.0, len(path.weights) + 1)
    if path.others.shape[1] > MOST_GREY:
        low, high = path.others.min(axis=1), path.others.max(axis=1)
        ax.fill_between(rounds, low, high, color=PALE, linewidth=0, label="_others", zorder=1.5)
    elif path.others.size:
        points = [np.column_stack([rounds, column]) for column in path.others.T]
        ax.add_collection(LineCollection(points, colors="#BBBBBB", linewidths=0.8, label="_others", zorder=1.6))


@joins(weight_curves, draw_weight_curves)
def plot_weight_path(model: Any, *, top: int = 5, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Draw how the weights of columns evolved."""
    return draw_weight_curves(weight_curves(model, top=top), ax, title=title)


@dataclass(frozen=True, eq=False)
class SizeErrors:
    """Errors by the number of columns that members see."""

    metric: str  #: what the errors are
    sizes: Floats  #: the numbers of columns, ascending, (n_sizes,)
    errors: Floats  #: the error at each, (n_sizes,)
    standard_errors: Floats  #: how far off each error may be; NaN where that is not known, (n_sizes,)
    chosen: int  #: the number of columns chosen, which may not be among those tried
    reason: str  #: why: "minimum", "elbow" or "rule"

    @property
    def verdict(self) -> str:
        """Which size was chosen, and why."""
        return f"{self.chosen} {REASONS[self.reason]}"

    @property
    def error_of_chosen(self) -> float:
        """The error at the size chosen, on the line between its neighbours if it was not tried."""
        return float(np.interp(self.chosen, self.sizes, self.errors))

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"{capitalised(self.metric)} by number of columns"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        best = int(self.errors.argmin())
        ends = f"{about(self.errors[0])} at {self.sizes[0]:g}"
        if len(self.sizes) > 1:
            ends += f", {about(self.errors[-1])} at {self.sizes[-1]:g}, least {about(self.errors[best])} at "
            ends += f"{self.sizes[best]:g}"
        return f"{self.title} on cases set aside: {ends}. {self.verdict}."


def size_errors(model: Any, *, metric: str | None = None) -> SizeErrors:
    """Return the errors by which a fitted model chose how many columns its members see.

    As figures 5.6, 5.8 and every second one up to 5.20 of Lobato Ramos, "Evolutionary weights for random subspace
    learning".

    Parameters
    ----------
    model : fitted model or SizeCurve
        With ``size_curve_``: `covey.RandomSubspaceRegressor` or `covey.RandomSubspaceClassifier` with
        ``subspace_size="auto"``; or the curve itself.
    metric : str, optional
        The name of the errors; by default "error" for a classifier, "mean squared error" for a regressor.
    """
    curve = model
    if not hasattr(model, "standard_errors"):
        remedy = 'only a size that was chosen has a curve; fit a random subspace ensemble with subspace_size="auto".'
        curve = fitted_attribute(model, "size_curve_", "model", remedy)
    if isinstance(curve, Mapping):
        raise TypeError(
            f"model={shown(model)} has scores alone in its size_curve_, a mapping; draw them with "
            "parameter_curves and draw_parameter_curves."
        )
    parts = (curve.sizes, curve.errors, curve.standard_errors)
    sizes, errors, standard = (np.asarray(part, dtype=np.float64) for part in parts)
    if metric is None:
        # A curve alone does not say what its errors are.
        metric = "mean squared error" if curve is not model and not hasattr(model, "classes_") else "error"
    return SizeErrors(metric, sizes, errors, standard, int(curve.chosen), str(curve.reason))


@draws(SizeErrors, "size_errors")
def draw_size_errors(curve: SizeErrors, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw errors against the number of columns, with a standard error up and down, and mark the number chosen.

    Sizes are compared row by row, so one may be clearly better than another whose bar overlaps its own.
    """
    known = np.isfinite(curve.standard_errors)
    y = f"{curve.metric} (bars: standard error)" if known.any() else curve.metric
    x = f"columns that a member sees (dashed: {curve.verdict})"
    ax = begin(curve, ax, (5.6, 3.6), title, x=x, y=y, grid="y")
    colour = LINE_COLOURS[0]
    ax.axvline(curve.chosen, color=GREY, linewidth=1, linestyle=DASHES, label="_chosen", zorder=1.5)
    look: Any = {"ecolor": colour, "elinewidth": 1, "capsize": 2, "alpha": 0.5, "zorder": 2, "fmt": "none"}
    ax.errorbar(curve.sizes[known], curve.errors[known], curve.standard_errors[known], label="_bars", **look)
    look = {"color": colour, "marker": "o", "markersize": 4.5, "markeredgecolor": "white", "markeredgewidth": 0.5}
    ax.plot(curve.sizes, curve.errors, linewidth=1.5, label="_errors", zorder=2.5, **look)
    if curve.chosen in curve.sizes:
        draw_ring(ax, curve.chosen, curve.error_of_chosen, colour, "_ring")
    set_parameter_axis(ax, curve.sizes)
    lay_out(ax)
    return ax


@joins(size_errors, draw_size_errors)
def plot_size_curve(model: Any, *, metric: str | None = None, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Draw the errors by which the number of columns was chosen."""
    return draw_size_errors(size_errors(model, metric=metric), ax, title=title)
