"""Scores of methods against a parameter, such as accuracy against the least sphere size alpha."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.analysis.scores import check_direction
from covey.plots.curves import (
    MOST_CURVES,
    Curve,
    Floats,
    about,
    draw_curves,
    exactly,
    name_curves,
    ring_key,
    size_of,
    wants_log,
)
from covey.plots.members import by_value, check_made, levels, shown_names
from covey.plots.style import axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_Read = tuple[Floats, tuple[str, ...] | None]

# So many values on a logarithmic axis are written out.
MOST_TICKS = 10


@dataclass(frozen=True, eq=False)
class ParameterCurves:
    """Scores of one or more methods at some values of a parameter.

    Parameters
    ----------
    parameter, metric : str
        What the values and the scores are.
    larger_is_better : bool
        Whether the greatest score is the best.
    values : ndarray of float64 of shape (n_values,)
        The values of the parameter, ascending.
    methods : tuple of str
        The names of the methods; one that is alone may be "".
    scores : ndarray of float64 of shape (n_values, n_methods)
        The scores.
    spread : ndarray of float64 of shape (n_values, n_methods), or None
        How far to go up and down from each score, for example a standard deviation.
    """

    parameter: str
    metric: str
    larger_is_better: bool
    values: Floats
    methods: tuple[str, ...]
    scores: Floats
    spread: Floats | None

    @cached_property
    def best(self) -> tuple[int, ...]:
        """For each method the position of its best value, the smallest of those that are equal up to rounding."""
        sign = 1 if self.larger_is_better else -1
        return tuple(int(levels(sign * column).argmax()) for column in self.scores.T)

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """A curve for each method, with its best point."""
        shown = shown_names(self.methods) if self.methods != ("",) else [""]
        return tuple(
            Curve(
                name=name,
                x=self.values,
                y=self.scores[:, method],
                spread=None if self.spread is None else self.spread[:, method],
                best=best,
                note=f"best {about(self.scores[best, method])} at {exactly(self.values[best])}",
            )
            for method, (name, best) in enumerate(zip(shown, self.best, strict=True))
        )

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"{self.metric[:1].upper()}{self.metric[1:]} against {self.parameter}"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        ends = f"from {exactly(self.values[0])} to {exactly(self.values[-1])}"
        better = "larger" if self.larger_is_better else "smaller"
        notes = (f"{curve.name}: {curve.note}" if curve.name else curve.note.capitalize() for curve in self.curves)
        band = "" if self.spread is None else " Bands show the spread."
        return f"{self.title} {ends}, {better} is better. {'. '.join(notes)}.{band}"


def parameter_curves(
    values: Any,
    scores: Any,
    *,
    parameter: str,
    metric: str,
    larger_is_better: bool,
    spread: Any = None,
    methods: Sequence[str] | None = None,
) -> ParameterCurves:
    """Return the scores of one or more methods as curves over a parameter.

    As figure 3 of Younsi and Bagnall, "Ensembles of random sphere cover classifiers", does for accuracy and alpha.

    Parameters
    ----------
    values : array-like of shape (n_values,)
        The values of the parameter, all different, in any order.
    scores : array-like or data frame of shape (n_values,) or (n_values, n_methods), or mapping of method to scores
        A score for each value and method. Rows whose labels are the values, or the labels of values, are matched.
    parameter, metric : str
        Names for the axes.
    larger_is_better : bool
        True for accuracies, False for errors.
    spread : array-like, data frame or mapping of the shape of scores, optional
        How far to go up and down from each score, for example a standard deviation.
    methods : sequence of str, optional
        Names; by default a frame's columns or a mapping's keys, otherwise "1", "2", ..., and none for one method.

    Returns
    -------
    ParameterCurves
    """
    larger_is_better = check_direction(larger_is_better)
    at = check_values(values, "values")
    read = _read(scores, values, "scores")
    given, names = read[0], _check_names(methods, read[1], read[0].shape[1])
    around = None if spread is None else _read(spread, values, "spread", read)[0]
    if around is not None and (around < 0).any():
        raise ValueError(f"spread has {around.min():g}, but no spread is negative.")
    order = np.argsort(at)
    words: Any = {"parameter": parameter, "metric": metric, "larger_is_better": larger_is_better}
    return ParameterCurves(
        **words,
        values=at[order],
        methods=names,
        scores=given[order],
        spread=None if around is None else around[order],
    )


def check_values(values: Any, name: str) -> Floats:
    """Return values of a parameter as float64, refusing such as are missing, infinite or there twice."""
    try:
        at = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, not {values!r:.60}.") from None
    if at.ndim != 1 or not len(at):
        raise ValueError(f"{name} has shape {at.shape}, but must be a list of at least one number.")
    if not np.isfinite(at).all():
        raise ValueError(f"{name} has {at[~np.isfinite(at)][0]}, which has no place on an axis; leave it out.")
    found, counts = np.unique(at, return_counts=True)
    if len(found) < len(at):
        raise ValueError(f"{name} has {found[counts > 1][0]:g} twice; give one score, such as their mean, for each.")
    return at


def _read(scores: Any, values: Any, what: str, like: _Read | None = None) -> _Read:
    """Return numbers with a row per value and a column per method, and the methods' names if they are known."""
    names, n_values = None, len(values)
    scores = by_value(scores, values, what)
    if isinstance(scores, Mapping):
        names = tuple(map(str, scores))
        lengths = {np.shape(column) for column in scores.values()}
        if lengths != {(n_values,)}:
            raise ValueError(f"{what} has columns of shape {lengths}, but each must have {n_values} numbers.")
        scores = np.column_stack([np.asarray(by_value(column, values, what)) for column in scores.values()])
    elif hasattr(scores, "columns"):
        names = tuple(map(str, scores.columns))
    try:
        numbers = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be numbers, a row per value and a column per method.") from None
    numbers = numbers[:, None] if numbers.ndim == 1 else numbers
    expected = (n_values, numbers.shape[-1] if like is None else like[0].shape[1])
    if numbers.shape != expected or 0 in expected:
        raise ValueError(f"{what} has shape {numbers.shape}, but must have {expected}: a row per value, then methods.")
    if not np.isfinite(numbers).all():
        row, column = np.argwhere(~np.isfinite(numbers))[0]
        method = f" for method {names[column]!r}" if names else ""
        raise ValueError(f"{what} has {numbers[row, column]} in row {row}{method}; run what is missing, or drop it.")
    if names and like and like[1] and like[1] != names:
        if set(names) != set(like[1]):
            raise ValueError(f"{what} is of {list(names)!r:.60}, but scores of {list(like[1])!r:.60}.")
        numbers = numbers[:, [names.index(name) for name in like[1]]]
    return numbers, names


def _check_names(given: Sequence[str] | None, found: tuple[str, ...] | None, count: int) -> tuple[str, ...]:
    if count > MOST_CURVES:
        raise ValueError(f"scores has {count} methods, but only {MOST_CURVES} can be told apart; leave some out.")
    if given is None:
        return found or (("",) if count == 1 else tuple(map(str, range(1, count + 1))))
    names = tuple(map(str, given))
    if len(names) != count or len(set(names)) < count:
        raise ValueError(f"methods={given!r:.80} must be {count} different names, one for each column of scores.")
    return names


def draw_parameter_curves(curves: ParameterCurves, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw scores against a parameter: a line per method, a band for its spread, and a ring around its best point.

    Parameters
    ----------
    curves : ParameterCurves
        From `parameter_curves`.
    ax : matplotlib Axes or None
        Where to draw; names may take room on its right. None for a new one.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the curves, for use as alternative text.
    """
    from covey.plots.fitting import fit_texts

    check_made(curves, ParameterCurves, "parameter_curves")
    ax = axes_of(ax, size_of(curves.curves))
    lines = draw_curves(ax, curves.curves)
    shown = curves.title if title is None else title
    dress(ax, title=shown, description=curves.description, x=curves.parameter, y=curves.metric, grid="y")
    set_parameter_axis(ax, curves.values)
    fit_texts(ax)
    alone = curves.curves[0] if len(curves.curves) == 1 and not curves.curves[0].name else None
    name_curves(ax, curves.curves, lines, keys=[ring_key(alone.note)] if alone else [])
    return ax


def set_parameter_axis(ax: Axes, values: Floats) -> None:
    """Scale the horizontal axis for a parameter: logarithmic if the values ask for it, whole numbers if they are."""
    from matplotlib.ticker import MaxNLocator

    if wants_log(values):
        ax.set_xscale("log")
        if len(values) <= MOST_TICKS:
            ax.set_xticks(values, [exactly(value) for value in values])
            ax.minorticks_off()
    elif (values == np.round(values)).all():
        ax.xaxis.set_major_locator(MaxNLocator(nbins="auto", integer=True, min_n_ticks=min(2, len(values))))
