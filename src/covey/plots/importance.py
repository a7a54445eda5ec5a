"""What a model looks at: how much worse it is without each column, and how predictions change along a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.analysis.numbers import check_finite, read_numbers
from covey.plots.curves import looks
from covey.plots.layout import lay_out, legend_below
from covey.plots.reading import distinct_names
from covey.plots.rows import begin_rows
from covey.plots.style import BLUE, GREY, INK, PLAIN, POINTS, Floats, about, begin, draws, mixed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_COLUMNS = 10
MOST_OUTPUTS = 6


@dataclass(frozen=True, eq=False)
class ColumnImportances:
    """How much worse a score is when the values of a column are shuffled."""

    metric: str  #: of which the loss is measured, with its unit
    columns: tuple[str, ...]  #: those shown, the most important first
    losses: Floats  #: the mean loss by shuffling each
    spreads: Floats  #: its standard deviation over shuffles
    n_columns: int  #: how many columns there are

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        some = "" if len(self.columns) == self.n_columns else f", the {len(self.columns)} largest of {self.n_columns:,}"
        return f"Loss of {self.metric} when a column is shuffled{some}"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        names = zip(distinct_names(self.columns), self.losses, strict=True)
        return f"{self.title}. {', '.join(f'{name} {about(loss)}' for name, loss in names)}."


def column_importances(
    columns: Sequence[str], losses: Any, spreads: Any, *, metric: str, top: int = MOST_COLUMNS
) -> ColumnImportances:
    """Return the importances of columns to be drawn, the largest first.

    Parameters
    ----------
    columns : sequence of str
        Their names.
    losses, spreads : array-like of shape (n_columns,)
        Mean and standard deviation of the loss, as `sklearn.inspection.permutation_importance` has them.
    metric : str
        The score that is lost.
    top : int, default=10
        How many columns to show.
    """
    mean, deviation = (read_numbers(given, name) for given, name in ((losses, "losses"), (spreads, "spreads")))
    if mean.shape != (len(columns),) or deviation.shape != mean.shape or not len(columns):
        raise ValueError(f"losses has shape {mean.shape}, spreads {deviation.shape}; give one for each column.")
    check_finite(mean, "losses", "leave that column out")
    check_finite(deviation, "spreads", "leave that column out")
    order = np.argsort(-mean, kind="stable")[:top]
    return ColumnImportances(
        metric, tuple(str(columns[place]) for place in order), mean[order], deviation[order], len(columns)
    )


@draws(ColumnImportances, "column_importances")
def draw_importances(importances: ColumnImportances, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a bar for each column, the most important on top, with a line of a standard deviation to each side."""
    x = f"loss of {importances.metric} (line: standard deviation over shuffles)"
    names = distinct_names(importances.columns, 28)
    ax, room = begin_rows(importances, ax, title, names, x=x, height=0.27)
    places = np.arange(len(names), dtype=np.float64)
    ax.barh(places, importances.losses, 0.6, color=mixed(BLUE, "white", 0.3), zorder=2)
    low, high = importances.losses - importances.spreads, importances.losses + importances.spreads
    ax.hlines(places, low, high, colors=INK, linewidth=min(1.4, 0.1 * room), zorder=3)
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)
    lay_out(ax)
    return ax


@dataclass(frozen=True, eq=False)
class Dependence:
    """The mean prediction for all rows if a column had some value in each."""

    column: str
    values: tuple[str, ...] | Floats  #: the categories, or numbers in ascending order
    outputs: tuple[str, ...]  #: the classes whose probability is predicted; one that is alone may be ""
    means: Floats  #: (n_outputs, n_values)
    what: str  #: what is predicted, such as "mean probability"
    limits: tuple[float, float] | None = None  #: of the axis of means, so that figures of columns can be compared

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        one = f" of {self.outputs[0]}" if len(self.outputs) == 1 and self.outputs[0] else ""
        return f"{self.what[:1].upper()}{self.what[1:]}{one} by {self.column}"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        ends = [value if isinstance(value, str) else about(value) for value in (self.values[0], self.values[-1])]
        parts = (
            f"{f'{name}: ' if name else ''}{about(mean[0])} at {ends[0]}, {about(mean[-1])} at {ends[1]}"
            for name, mean in zip(self.outputs, self.means, strict=True)
        )
        return f"{self.title}. {'. '.join(parts)}."


def dependence(
    column: str,
    values: Any,
    means: Any,
    *,
    outputs: Sequence[str] = ("",),
    what: str,
    limits: tuple[float, float] | None = None,
) -> Dependence:
    """Return the partial dependence of predictions on a column, to be drawn.

    Parameters
    ----------
    column : str
        Its name.
    values : array-like of shape (n_values,)
        Numbers, or names of categories.
    means : array-like of shape (n_outputs, n_values)
        The mean prediction, as `sklearn.inspection.partial_dependence` has it.
    outputs : sequence of str
        The classes whose probabilities they are, up to 6; one name "" for a number.
    what : str
        What is predicted, the name of the axis.
    limits : tuple of float, optional
        Where that axis begins and ends, the same for several columns that are to be compared.
    """
    at, numbers = np.asarray(values), read_numbers(means, "means")
    if at.ndim != 1 or not len(at) or numbers.shape != (len(outputs), len(at)) or not 1 <= len(outputs) <= MOST_OUTPUTS:
        raise ValueError(
            f"means has shape {numbers.shape}, but must have a row for each of {len(outputs)} outputs, at most "
            f"{MOST_OUTPUTS}, and a column for each of the values, of shape {at.shape}."
        )
    check_finite(numbers, "means", "leave that value out")
    if at.dtype.kind in "biuf":
        at = at.astype(np.float64)
        check_finite(at, "values", "leave that value out")
        order = np.argsort(at)
        return Dependence(column, at[order], tuple(outputs), numbers[:, order], what, limits)
    return Dependence(column, tuple(map(str, at)), tuple(outputs), numbers, what, limits)


@draws(Dependence, "dependence")
def draw_dependence(dependence: Dependence, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a line for each output over a column of numbers, or points over its categories."""
    several = len(dependence.outputs) > 1
    (column,) = distinct_names([dependence.column], 40)
    size = (4.8, 3.2 + (0.16 * len(dependence.outputs) if several else 0))
    ax = begin(dependence, ax, size, title, x=column, y=dependence.what, grid="both")
    names = None if isinstance(dependence.values, np.ndarray) else distinct_names(dependence.values, 16)
    x = np.arange(len(names)) if names is not None else np.asarray(dependence.values)
    entries = []
    outputs = distinct_names(dependence.outputs, 24)
    for name, mean, look in zip(outputs, dependence.means, looks(len(outputs)), strict=True):
        style: Any = {"color": look["color"], "linewidth": 1.8 if names is None else 0.8}
        style |= {"linestyle": look["linestyle"], "marker": "" if names is None else look["marker"]}
        entries.append((ax.plot(x, mean, label=f"_{name}", zorder=2.5, **style)[0], name))
    if names is not None:
        slant: Any = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if sum(map(len, names)) > 40 else {}
        ax.set_xticks(x, names, size=POINTS, **slant, **PLAIN)
    else:
        ax.locator_params(axis="x", nbins=5)
    if dependence.limits is not None:
        ax.set_ylim(*dependence.limits)
    if several:
        legend_below(
            ax, [(line, text) for (line, _), text in zip(entries, distinct_names(dependence.outputs, 24), strict=True)]
        )
    else:
        lay_out(ax)
    return ax
