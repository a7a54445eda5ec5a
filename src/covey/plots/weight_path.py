"""How the weights of columns change from round to round while an ensemble is trained."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._arguments import check_count
from covey._text import counted
from covey.plots.curves import MOST_CURVES, Curve, Floats, about, draw_curves, name_curves, size_of
from covey.plots.feature_weights import DASHES, as_shares, column_names, fitted_attribute, never_drawn
from covey.plots.members import check_made, shown_names
from covey.plots.named_rows import longest_name
from covey.plots.room import settle
from covey.plots.style import GREY, PALE, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# So many columns are drawn as grey lines, more as an area from the least to the greatest of them.
MOST_GREY = 60
# Columns that were not drawn yet weigh much at first: if all rounds take so many times the range of those after the
# first part of them, that range is shown, and a share more on both sides.
START, DWARFED, MARGIN = 10, 2.5, 0.3


@dataclass(frozen=True, eq=False)
class WeightCurves:
    """The weights of all columns after each round.

    Parameters
    ----------
    columns : tuple of str
        The names of the columns, the greatest final weight first; equal ones as in the data, and those never drawn
        last.
    weights : ndarray of float64 of shape (n_rounds, n_columns)
        Their weights after each round, as shares of the sum.
    n_named : int
        How many columns are drawn in colour and named.
    """

    columns: tuple[str, ...]
    weights: Floats
    n_named: int

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
            for place, name in enumerate(shown_names(self.columns[: self.n_named]))
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
    def title(self) -> str:
        """What is shown, in a line."""
        return "Weights of columns by round"

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

    Returns
    -------
    WeightCurves
    """
    check_count("top", top, 1)
    if top > MOST_CURVES:
        raise ValueError(f"top={top!r} is more than the {MOST_CURVES} that can be told apart; name fewer columns.")
    remedy = 'only weights that evolve have a path; fit a random subspace ensemble with weighting="evolving".'
    given = fitted_attribute(model, "feature_weights_path_", "model", remedy)
    weights = as_shares(given, "model.feature_weights_path_", 2)
    names = column_names(model)
    order = np.lexsort((-weights[-1].round(12), never_drawn(model)))
    columns = tuple(names[column] for column in order.tolist())
    return WeightCurves(columns, weights[:, order], min(int(top), len(columns)))


def draw_weight_curves(path: WeightCurves, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the weight of each column against the round: those that end up highest in colour, the others grey.

    Of many others only the area that they take is drawn. A dashed line is where all weights would be if they were the
    same.

    Parameters
    ----------
    path : WeightCurves
        From `weight_curves`.
    ax : matplotlib Axes or None
        Where to draw; names may take room on its right. None for a new one.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the path, for use as alternative text.
    """
    from covey.plots.fitting import FromOne, fit_texts

    check_made(path, WeightCurves, "weight_curves")
    ax = axes_of(ax, size_of(path.curves))
    ax.axhline(path.uniform, color=GREY, linewidth=1, linestyle=DASHES, label="_uniform", zorder=1.8)
    others = _draw_others(path, ax)
    shown = path.title if title is None else title
    beyond = f"; the first {counted(path.n_beyond, 'round')} in part beyond" if path.n_beyond > 1 else ""
    beyond = "; the first round in part beyond" if path.n_beyond == 1 else beyond
    x = f"round ({others}dashed: all alike, {about(path.uniform)}{beyond})"
    dress(ax, title=shown, description=path.description, x=x, y="weight", grid="y")
    fit_texts(ax)
    names = shown_names(path.columns[: path.n_named], longest_name(settle(ax)[0]))
    curves = [replace(curve, name=name) for curve, name in zip(path.curves, names, strict=True)]
    lines = draw_curves(ax, curves)
    n_rounds = len(path.weights)
    ax.xaxis.set_major_locator(FromOne())
    ax.set_xlim(1 - 0.02 * n_rounds, n_rounds + 0.02 * n_rounds)
    if path.n_beyond:
        ax.set_ylim(*path.limits)
    name_curves(ax, curves, lines)
    return ax


def _draw_others(path: WeightCurves, ax: Axes) -> str:
    """Draw the columns that have no name, and return what the axis says of them."""
    from matplotlib.collections import LineCollection

    n_others = path.others.shape[1]
    if not n_others:
        return ""
    rounds = np.arange(1.0, len(path.weights) + 1)
    if n_others > MOST_GREY:
        low, high = path.others.min(axis=1), path.others.max(axis=1)
        ax.fill_between(rounds, low, high, color=PALE, linewidth=0, label="_others", zorder=1.5)
        return f"grey: range of {n_others:,} others, "
    points = [np.column_stack([rounds, column]) for column in path.others.T]
    ax.add_collection(LineCollection(points, colors="#BBBBBB", linewidths=0.8, label="_others", zorder=1.6))
    return f"grey: {counted(n_others, 'other')}, "


def plot_weight_path(model: Any, *, top: int = 5, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Draw how the weights of columns evolved: `weight_curves`, then `draw_weight_curves`.

    Parameters
    ----------
    model, top
        As of `weight_curves`.
    ax, title
        As of `draw_weight_curves`.

    Returns
    -------
    matplotlib Axes
    """
    return draw_weight_curves(weight_curves(model, top=top), ax, title=title)
