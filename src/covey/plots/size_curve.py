"""The error on cases set aside against the number of columns that members see, and the number chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import clip, one_line
from covey.plots.curves import LINE_COLOURS, Floats, about
from covey.plots.feature_weights import DASHES, fitted_attribute
from covey.plots.members import check_made
from covey.plots.parameter import check_values, set_parameter_axis
from covey.plots.style import GREY, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What is said of a size chosen for each reason.
REASONS = {
    "minimum": "chosen, a clear minimum",
    "elbow": "chosen, the elbow",
    "rule": "by rule, as there is no clear minimum or elbow",
}
_PARTS = ("sizes", "errors", "standard_errors", "chosen", "reason")


@dataclass(frozen=True, eq=False)
class SizeErrors:
    """Errors by the number of columns that members see.

    Parameters
    ----------
    metric : str
        What the errors are.
    sizes, errors : ndarray of float64 of shape (n_sizes,)
        The numbers of columns, ascending, and the errors.
    standard_errors : ndarray of float64 of shape (n_sizes,)
        How far off each error may be; NaN where that is not known.
    chosen : int
        The number of columns chosen, which may not be among those tried.
    reason : {"minimum", "elbow", "rule"}
        Why.
    """

    metric: str
    sizes: Floats
    errors: Floats
    standard_errors: Floats
    chosen: int
    reason: str

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
        return f"{self.metric[:1].upper()}{self.metric[1:]} by number of columns"

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

    Returns
    -------
    SizeErrors
    """
    curve = model
    if not all(hasattr(model, part) for part in _PARTS):
        remedy = 'only a size that was chosen has a curve; fit a random subspace ensemble with subspace_size="auto".'
        curve = fitted_attribute(model, "size_curve_", "model", remedy)
    if isinstance(curve, Mapping):
        raise TypeError(
            f"model={clip(one_line(repr(model)), 60)} has scores alone in its size_curve_, a mapping; draw them with "
            "parameter_curves and draw_parameter_curves."
        )
    sizes = check_values(curve.sizes, "sizes")
    errors, standard = (np.asarray(part, dtype=np.float64) for part in (curve.errors, curve.standard_errors))
    if not len(sizes) == len(errors) == len(standard) or not np.isfinite(errors).all() or (np.diff(sizes) <= 0).any():
        raise ValueError(
            f"model has a curve of {len(sizes)} sizes, {len(errors)} errors and {len(standard)} standard errors; give "
            "as many of each, finite, the sizes ascending."
        )
    if curve.reason not in REASONS:
        raise ValueError(f"reason={curve.reason!r} is unknown; it must be one of {', '.join(map(repr, REASONS))}.")
    if metric is None:
        # A curve alone does not say what its errors are.
        metric = "mean squared error" if curve is not model and not hasattr(model, "classes_") else "error"
    return SizeErrors(metric, sizes, errors, standard, int(curve.chosen), str(curve.reason))


def draw_size_errors(curve: SizeErrors, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw errors against the number of columns, with a standard error up and down, and mark the number chosen.

    Sizes are compared case by case, so one may be clearly better than another whose bar overlaps its own.

    Parameters
    ----------
    curve : SizeErrors
        From `size_errors`.
    ax : matplotlib Axes or None
        Where to draw; None for a new one.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the errors, for use as alternative text.
    """
    from covey.plots.fitting import fit_texts

    check_made(curve, SizeErrors, "size_errors")
    ax = axes_of(ax, (5.6, 3.6))
    colour = LINE_COLOURS[0]
    ax.axvline(curve.chosen, color=GREY, linewidth=1, linestyle=DASHES, label="_chosen", zorder=1.5)
    known = np.isfinite(curve.standard_errors)
    bars: Any = {"ecolor": colour, "elinewidth": 1, "capsize": 2, "alpha": 0.5, "zorder": 2}
    ax.errorbar(
        curve.sizes[known], curve.errors[known], curve.standard_errors[known], fmt="none", label="_bars", **bars
    )
    look: Any = {"color": colour, "marker": "o", "markersize": 4.5, "markeredgecolor": "white", "markeredgewidth": 0.5}
    ax.plot(curve.sizes, curve.errors, linewidth=1.5, label="_errors", zorder=2.5, **look)
    if curve.chosen in curve.sizes:
        ring: Any = {"marker": "o", "markersize": 10, "markerfacecolor": "none", "markeredgecolor": colour}
        at = [curve.chosen], [curve.error_of_chosen]
        ax.plot(*at, linestyle="", markeredgewidth=1.3, label="_ring", zorder=3, **ring)
    shown = curve.title if title is None else title
    y = f"{curve.metric} (bars: standard error)" if known.any() else curve.metric
    x = f"columns that a member sees (dashed: {curve.verdict})"
    dress(ax, title=shown, description=curve.description, x=x, y=y, grid="y")
    set_parameter_axis(ax, curve.sizes)
    fit_texts(ax)
    return ax


def plot_size_curve(model: Any, *, metric: str | None = None, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Draw the errors by which the number of columns was chosen: `size_errors`, then `draw_size_errors`.

    Parameters
    ----------
    model, metric
        As of `size_errors`.
    ax, title
        As of `draw_size_errors`.

    Returns
    -------
    matplotlib Axes
    """
    return draw_size_errors(size_errors(model, metric=metric), ax, title=title)
