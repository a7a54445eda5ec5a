"""Weights that ensembles over random columns give to each column, one or more ensembles side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_count
from covey._text import clip, one_line
from covey.plots.curves import looks
from covey.plots.layout import lay_out, legend_outside
from covey.plots.reading import distinct_names
from covey.plots.rows import begin_rows
from covey.plots.style import DASHES, GREY, Entry, Floats, about, capitalised, draws, joins, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More models than this, side by side in one row, cannot be told apart.
MOST_MODELS = 6


@dataclass(frozen=True, eq=False)
class ColumnWeights:
    """The weights of the columns that weigh most."""

    models: tuple[str, ...]  #: the names of the models; one that is alone may be ""
    #: the names of the columns shown, the greatest mean weight over the models first; equal ones as in the data, and
    #: those never drawn last
    columns: tuple[str, ...]
    weights: Floats  #: their weights, as shares of the sum over all columns, (n_shown, n_models)
    n_columns: int  #: how many columns there are
    #: to how many of them some model with evolving weights gave no member, so that they still have the weight that
    #: they began with
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
        for number, model in enumerate(distinct_names(self.models) if self.models != ("",) else [""]):
            pairs = zip(distinct_names(self.columns), self.weights[:, number], strict=True)
            listed = ", ".join(f"{column} {about(weight)}" for column, weight in pairs)
            parts.append(f"{model}: {listed}" if model else listed)
        rest = f" {capitalised(self.rest)}." if self.rest else ""
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
    """
    check_count("top", top, 1)
    named = models if isinstance(models, Mapping) else {"": models}
    if not 0 < len(named) <= MOST_MODELS:
        raise ValueError(f"models has {len(named)} of them; give 1 to {MOST_MODELS}, as no more can be told apart.")
    remedy = "give a fitted RandomSubspaceRegressor or RandomSubspaceClassifier, or a mapping of names to such."
    shares = [
        as_shares(fitted_attribute(model, "feature_weights_", f"models[{name!r}]" if name else "models", remedy))
        for name, model in named.items()
    ]
    columns = [column_names(model) for model in named.values()]
    for name, theirs in zip(named, columns, strict=True):
        if theirs != columns[0]:
            raise ValueError(
                f"models[{name!r}] was trained on columns {shown(list(theirs))}, but the first on "
                f"{shown(list(columns[0]))}; give models of the same columns."
            )
    weights = np.column_stack(shares)
    never = np.any([never_drawn(model) for model in named.values()], axis=0)
    order = np.lexsort((-weights.mean(axis=1).round(12), never))[: int(top)].tolist()
    return ColumnWeights(
        models=tuple(map(str, named)),
        columns=tuple(columns[0][column] for column in order),
        weights=weights[order],
        n_columns=len(columns[0]),
        n_never_drawn=int(np.count_nonzero(never)),
    )


def fitted_attribute(model: Any, name: str, what: str, remedy: str) -> Any:
    """Return a fitted attribute of a model; errors say what the model is called, and what would give it one."""
    if hasattr(model, name):
        return getattr(model, name)
    short = clip(one_line(repr(model)), 80)
    if hasattr(model, "fit") and not hasattr(model, "n_features_in_"):
        raise ValueError(f"{what}={short} is not fitted; call its fit first.")
    raise TypeError(f"{what}={short} has no {name}; {remedy}")


def as_shares(weights: Any) -> Floats:
    """Return weights divided by their sum over the last axis."""
    weights = np.asarray(weights, dtype=np.float64)
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


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


@draws(ColumnWeights, "column_weights")
def draw_column_weights(weights: ColumnWeights, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the weight of each column as a line that ends in a mark, those of several models one below the other."""
    n_models = len(weights.models)
    keys = [f"dashed: all alike, {about(weights.uniform)}", *([weights.rest] if weights.rest else [])]
    x, height = f"weight ({'; '.join(keys)})", 0.18 + 0.07 * n_models
    ax, room = begin_rows(weights, ax, title, distinct_names(weights.columns), x=x, height=height)
    ax.axvline(weights.uniform, color=GREY, linewidth=1, linestyle=DASHES, label="_uniform", zorder=1.5)
    marks: list[Entry] = []
    step = 0.7 / n_models
    size = min(6.0, 0.8 * step * room)
    names = distinct_names(weights.models, 20)
    for number, (look, name) in enumerate(zip(looks(n_models), names, strict=True)):
        places = np.arange(len(weights.columns)) + step * (number - (n_models - 1) / 2)
        values = weights.weights[:, number]
        ax.hlines(places, 0, values, color=look["color"], linewidth=min(1.6, 0.3 * size), zorder=2)
        mark: Any = {"color": look["color"], "marker": look["marker"], "markersize": size, "markeredgewidth": 0}
        label = f"_{weights.models[number] or 'weights'}"
        marks.append((ax.plot(values, places, linestyle="", label=label, zorder=3, **mark)[0], name))
    ax.locator_params(axis="x", nbins=6)  # weights have many digits
    ax.set_xlim(0, 1.06 * max(float(weights.weights.max()), weights.uniform))
    lay_out(ax)
    if n_models > 1:
        legend_outside(ax, marks, handlelength=1)
    return ax


@joins(column_weights, draw_column_weights)
def plot_feature_weights(models: Any, *, top: int = 20, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Draw the final weights of columns in one or more fitted models."""
    return draw_column_weights(column_weights(models, top=top), ax, title=title)
