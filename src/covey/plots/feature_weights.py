"""The weights that ensembles over random columns give to each column, one or more ensembles side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_count
from covey._text import clip, one_line
from covey.plots.curves import Floats, about, legend_outside, looks
from covey.plots.members import check_made, shown_names
from covey.plots.named_rows import longest_name, make_room_for_names, write_row_names
from covey.plots.room import settle
from covey.plots.style import GREY, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More models than this, side by side in one row, cannot be told apart.
MOST_MODELS = 6
# How the line is drawn at which all columns would weigh the same.
DASHES = (0, (4, 3))


@dataclass(frozen=True, eq=False)
class ColumnWeights:
    """The weights of the columns that weigh most.

    Parameters
    ----------
    models : tuple of str
        The names of the models; one that is alone may be "".
    columns : tuple of str
        The names of the columns shown, the greatest mean weight over the models first; equal ones as in the data, and
        those never drawn last.
    weights : ndarray of float64 of shape (n_shown, n_models)
        Their weights, as shares of the sum over all columns.
    n_columns : int
        How many columns there are.
    n_never_drawn : int
        To how many of them some model with evolving weights gave no member, so that they still have the weight that
        they began with.
    """

    models: tuple[str, ...]
    columns: tuple[str, ...]
    weights: Floats
    n_columns: int
    n_never_drawn: int = 0

    @property
    def uniform(self) -> float:
        """The weight of each column if all weighed the same."""
        return 1 / self.n_columns

    @property
    def n_left_out(self) -> int:
        """How many columns are not shown."""
        return self.n_columns - len(self.columns)

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        if not self.n_left_out:
            return "Weights of columns"
        n_drawn = self.n_columns - self.n_never_drawn
        drawn = f"{n_drawn:,} that were drawn" if self.n_never_drawn else f"{self.n_columns:,}"
        # More than were drawn are shown only if they were asked for.
        largest = f", the {len(self.columns)} largest of {drawn}" if len(self.columns) <= n_drawn else ""
        return f"Weights of columns{largest}"

    @property
    def rest(self) -> str:
        """What is left out, and how much it weighs, "" if nothing is."""
        if not self.n_left_out:
            return ""
        shares = [f"{share:.0%}" for share in np.clip(1 - self.weights.sum(axis=0), 0, 1)]
        alike = len({*shares}) == 1
        words = shares[0] if alike else ", ".join(shares)
        whose = "" if alike else f" ({', '.join(self.models)})"
        verb = "has" if self.n_left_out == 1 else "have"
        never = f", {self.n_never_drawn:,} {'was' if self.n_never_drawn == 1 else 'were'} never drawn"
        never = never if self.n_never_drawn else ""
        return f"{self.n_left_out:,} not shown {verb} {words} of the weight{whose}{never}"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        parts = []
        for number, model in enumerate(shown_names(self.models) if self.models != ("",) else [""]):
            pairs = zip(shown_names(self.columns), self.weights[:, number], strict=True)
            listed = ", ".join(f"{column} {about(weight)}" for column, weight in pairs)
            parts.append(f"{model}: {listed}" if model else listed)
        rest = f" {self.rest[:1].upper()}{self.rest[1:]}." if self.rest else ""
        return (
            f"{self.title}, as shares of their sum; all alike would be {about(self.uniform)}. {'. '.join(parts)}.{rest}"
        )


def column_weights(models: Any, *, top: int = 20) -> ColumnWeights:
    """Return the final weights of columns in one or more fitted models, the greatest first.

    As figures 5.2, 5.3 and 5.5 of Lobato Ramos, "Evolutionary weights for random subspace learning".

    Parameters
    ----------
    models : fitted model, or mapping of name to fitted model
        Each with ``feature_weights_``, as `covey.RandomSubspaceRegressor` and `covey.RandomSubspaceClassifier` have,
        trained on the same columns.
    top : int, default=20
        How many columns to show, those of the greatest mean weight over the models. Weights that evolve begin high,
        so columns that no member ever saw come last.

    Returns
    -------
    ColumnWeights
    """
    check_count("top", top, 1)
    named = models if isinstance(models, Mapping) else {"": models}
    if not 0 < len(named) <= MOST_MODELS:
        raise ValueError(
            f"models has {len(named)} of them; give one or more, and no more than the {MOST_MODELS} that can be told "
            "apart."
        )
    found = [shares_of(model, f"models[{name!r}]" if name else "models") for name, model in named.items()]
    columns = [column_names(model) for model in named.values()]
    for name, own in zip(named, columns, strict=True):
        if own != columns[0]:
            raise ValueError(
                f"models[{name!r}] was trained on columns {clip(one_line(repr(list(own))), 60)}, but the first on "
                f"{clip(one_line(repr(list(columns[0]))), 60)}; give models of the same columns."
            )
    shares = np.column_stack(found)
    never = np.any([never_drawn(model) for model in named.values()], axis=0)
    order = np.lexsort((-shares.mean(axis=1).round(12), never))[: int(top)].tolist()
    return ColumnWeights(
        models=tuple(map(str, named)),
        columns=tuple(columns[0][column] for column in order),
        weights=shares[order],
        n_columns=len(columns[0]),
        n_never_drawn=int(np.count_nonzero(never)),
    )


def fitted_attribute(model: Any, name: str, what: str, remedy: str) -> Any:
    """Return a fitted attribute of a model; errors say what the model is called, and what would give it one."""
    if hasattr(model, name):
        return getattr(model, name)
    shown = clip(one_line(repr(model)), 80)
    if hasattr(model, "fit") and not hasattr(model, "n_features_in_"):
        raise ValueError(f"{what}={shown} is not fitted; call its fit first.")
    raise TypeError(f"{what}={shown} has no {name}; {remedy}")


def shares_of(model: Any, what: str) -> Floats:
    """Return the weights of a model's columns as shares of their sum."""
    remedy = "give a fitted RandomSubspaceRegressor or RandomSubspaceClassifier, or a mapping of names to such."
    return as_shares(fitted_attribute(model, "feature_weights_", what, remedy), f"{what}.feature_weights_", 1)


def as_shares(given: Any, what: str, n_dimensions: int) -> Floats:
    """Return weights divided by their sum over the last axis, refusing what are no weights."""
    weights = np.asarray(given, dtype=np.float64)
    if weights.ndim != n_dimensions or not weights.size:
        raise ValueError(
            f"{what} has shape {weights.shape}, but needs {n_dimensions} dimensions and at least a column."
        )
    total = weights.sum(axis=-1, keepdims=True)
    if not np.isfinite(weights).all() or (weights < 0).any() or (total <= 0).any():
        raise ValueError(f"{what} must be finite, not negative and not all zero; fit the model again.")
    return np.asarray(weights / total)


def column_names(model: Any) -> tuple[str, ...]:
    """Return the names of the columns that a model was trained on: x0, x1, ... if they have none."""
    schema = getattr(model, "schema_", None)
    names = getattr(model, "feature_names_in_", None) if schema is None else schema.names
    count = np.shape(model.feature_weights_)[-1]
    return tuple(f"x{column}" for column in range(count)) if names is None else tuple(map(str, names))


def never_drawn(model: Any) -> NDArray[np.bool_]:
    """Say of each column whether its weight evolves, but no member has seen it yet."""
    counts = getattr(model, "selection_counts_", None)
    if counts is None or not hasattr(model, "feature_weights_path_"):
        return np.zeros(np.shape(model.feature_weights_)[-1], dtype=bool)
    return np.asarray(np.asarray(counts) == 0)


def draw_column_weights(weights: ColumnWeights, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the weight of each column as a line that ends in a mark, those of several models one below the other.

    Parameters
    ----------
    weights : ColumnWeights
        From `column_weights`.
    ax : matplotlib Axes or None
        Where to draw; None for a new one, as high as the number of columns asks for.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the weights, for use as alternative text.
    """
    from covey.plots.fitting import fit_texts

    check_made(weights, ColumnWeights, "column_weights")
    count, n_models = len(weights.columns), len(weights.models)
    row = 0.18 + 0.07 * n_models
    ax = axes_of(ax, (6.2, 1.15 + row * max(count, 3)))
    shown = weights.title if title is None else title
    keys = [f"dashed: all alike, {about(weights.uniform)}", *([weights.rest] if weights.rest else [])]
    dress(ax, title=shown, description=weights.description, x=f"weight ({'; '.join(keys)})", grid="x")
    fitter = fit_texts(ax)
    width, height = settle(ax)
    ax.axvline(weights.uniform, color=GREY, linewidth=1, linestyle=DASHES, label="_uniform", zorder=1.5)
    marks = _draw_marks(weights, ax, height / count)
    ax.locator_params(axis="x", nbins=int(np.clip(width / 50, 2, 8)))  # weights have many digits
    ax.set_xlim(0, 1.06 * max(float(weights.weights.max()), weights.uniform))
    write_row_names(ax, shown_names(weights.columns, longest_name(width)))
    make_room_for_names(ax, fitter, 1.0)
    if n_models > 1:
        for longest in (32, 20, 12):
            if legend_outside(ax, list(zip(marks, shown_names(weights.models, longest), strict=True)), handlelength=1):
                break
    return ax


def _draw_marks(weights: ColumnWeights, ax: Axes, room: float) -> Sequence[Any]:
    """Draw lines and marks, and return the marks of each model; room is the height of a row in points."""
    n_models = len(weights.models)
    step = 0.7 / n_models
    size = min(6.0, 0.8 * step * room)
    drawn = []
    for number, look in enumerate(looks(n_models)):
        places = np.arange(len(weights.columns)) + step * (number - (n_models - 1) / 2)
        values = weights.weights[:, number]
        ax.hlines(places, 0, values, color=look["color"], linewidth=min(1.6, 0.3 * size), zorder=2)
        name = weights.models[number] or "weights"
        (mark,) = ax.plot(
            values, places, color=look["color"], marker=look["marker"], markersize=size, linestyle="", label=f"_{name}"
        )
        mark.set(zorder=3, markeredgewidth=0)
        drawn.append(mark)
    return drawn


def plot_feature_weights(models: Any, *, top: int = 20, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Draw the final weights of columns in one or more fitted models: `column_weights`, then `draw_column_weights`.

    Parameters
    ----------
    models, top
        As of `column_weights`.
    ax, title
        As of `draw_column_weights`.

    Returns
    -------
    matplotlib Axes
    """
    return draw_column_weights(column_weights(models, top=top), ax, title=title)
