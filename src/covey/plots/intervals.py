"""Mean scores of methods with confidence intervals, the best on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.analysis.scores import check_alpha, check_direction
from covey.plots.curves import LINE_COLOURS, Floats, about
from covey.plots.members import by_name, check_made, levels, shown_names
from covey.plots.named_rows import longest_name, make_room_for_names, write_row_names
from covey.plots.room import settle
from covey.plots.style import GREY, PALE, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# How a method with each verdict is drawn: the mark, and whether it is filled.
LOOKS: dict[str, tuple[str, bool, str]] = {
    "best": ("D", True, "best mean"),
    "level": ("o", True, "not shown to differ from the best"),
    "worse": ("o", False, "significantly worse"),
    "": ("o", True, ""),
}


@dataclass(frozen=True, eq=False)
class MethodIntervals:
    """Mean scores of methods, and how far off they may be.

    Parameters
    ----------
    metric : str
        What the scores are.
    larger_is_better : bool
        Whether the greatest score is the best.
    alpha : float
        The intervals hold the true mean with a confidence of 1 - alpha.
    methods : tuple of str
        The names of the methods, the best mean first; those that are equal up to rounding as they were given.
    means, lows, highs : ndarray of float64 of shape (n_methods,)
        The means, and the ends of the intervals; NaN where there is none.
    verdicts : tuple of str
        "best", "level" or "worse" for each method, or "" where nothing was tested.
    """

    metric: str
    larger_is_better: bool
    alpha: float
    methods: tuple[str, ...]
    means: Floats
    lows: Floats
    highs: Floats
    verdicts: tuple[str, ...]

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"Mean {self.metric} by method"

    @property
    def confidence(self) -> str:
        """The confidence of the intervals as a text."""
        return f"{100 * (1 - self.alpha):g}%"

    @property
    def has_intervals(self) -> bool:
        """Whether some method has an interval."""
        return bool(np.isfinite(self.lows).any())

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        better = "larger" if self.larger_is_better else "smaller"
        parts = []
        for place, name in enumerate(shown_names(self.methods)):
            low, high = self.lows[place], self.highs[place]
            between = f" ({about(low)} to {about(high)})" if isfinite(low) else ""
            verdict = LOOKS[self.verdicts[place]][2]
            parts.append(f"{name}: {about(self.means[place])}{between}{', ' if verdict else ''}{verdict}")
        sure = f", with {self.confidence} confidence intervals" if self.has_intervals else ""
        return f"{self.title}{sure}, {better} is better, the best first. {'. '.join(parts)}."


def method_intervals(
    means: Any,
    lows: Any,
    highs: Any,
    methods: Sequence[str],
    *,
    metric: str,
    larger_is_better: bool,
    alpha: float = 0.05,
    verdicts: Sequence[str] | None = None,
) -> MethodIntervals:
    """Return mean scores with their confidence intervals, the best first.

    Parameters
    ----------
    means, lows, highs : array-like of shape (n_methods,), or mapping or series of method to number
        The mean score of each method and the ends of its interval, NaN for none. Those with labels are matched by
        them, others by their order.
    methods : sequence of str
        Their names.
    metric : str
        What the scores are.
    larger_is_better : bool
        True for accuracies, False for errors.
    alpha : float, default=0.05
        The intervals were made for a confidence of 1 - alpha.
    verdicts : sequence of str, optional
        What a test said of each method: "best", "level" or "worse"; "" for nothing.

    Returns
    -------
    MethodIntervals
    """
    names = tuple(map(str, methods))
    if not names or len(set(names)) < len(names):
        raise ValueError(f"methods={list(names)!r:.80} must be one or more names, all different.")
    direction, level = check_direction(larger_is_better), check_alpha(alpha)
    middle, low, high = (
        _vector(given, what, names) for given, what in ((means, "means"), (lows, "lows"), (highs, "highs"))
    )
    _check_ends(middle, low, high, names)
    said = ("",) * len(names) if verdicts is None else tuple(map(str, verdicts))
    if len(said) != len(names) or not set(said) <= set(LOOKS):
        known = ", ".join(map(repr, LOOKS))
        raise ValueError(f"verdicts={list(said)!r:.80} must be one for each of {len(names)} methods, of {known}.")
    order = np.argsort(levels(-middle if direction else middle), kind="stable").tolist()
    return MethodIntervals(
        metric=metric,
        larger_is_better=direction,
        alpha=level,
        methods=tuple(names[place] for place in order),
        means=middle[order],
        lows=low[order],
        highs=high[order],
        verdicts=tuple(said[place] for place in order),
    )


def _vector(given: Any, what: str, methods: Sequence[str]) -> Floats:
    try:
        values = np.array(by_name(given, methods, what), dtype=np.float64)
    except (TypeError, ValueError) as error:
        if str(error).startswith(what):
            raise
        raise ValueError(f"{what} must be numbers, one for each method.") from None
    if values.shape != (len(methods),):
        raise ValueError(f"{what} has shape {values.shape}, but there are {len(methods)} methods; give one for each.")
    return values


def _check_ends(means: Floats, lows: Floats, highs: Floats, methods: Sequence[str]) -> None:
    for place, name in enumerate(methods):
        mean, low, high = means[place], lows[place], highs[place]
        if not np.isfinite(mean):
            raise ValueError(f"means has {mean} for method {name!r}; run what is missing, or leave it out.")
        if np.isnan(low) and np.isnan(high):
            continue
        if not (np.isfinite(low) and np.isfinite(high) and low <= mean <= high):
            raise ValueError(
                f"lows and highs have {low} and {high} for method {name!r}, whose mean is {mean}; give an interval "
                "around it, or NaN for both."
            )


def draw_method_intervals(intervals: MethodIntervals, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a mark for the mean of each method, one below the other, with its interval as a line.

    The best is a diamond, methods that are not significantly worse are filled circles, the others hollow.

    Parameters
    ----------
    intervals : MethodIntervals
        From `method_intervals`.
    ax : matplotlib Axes or None
        Where to draw; None for a new one, as high as the number of methods asks for.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the intervals, for use as alternative text.
    """
    from covey.plots.fitting import fit_texts

    check_made(intervals, MethodIntervals, "method_intervals")
    count = len(intervals.methods)
    ax = axes_of(ax, (6.2, 1.15 + 0.3 * max(min(count, 12), 2) + 0.22 * max(count - 12, 0)))
    shown = intervals.title if title is None else title
    dress(ax, title=shown, description=intervals.description, x=_name_axis(intervals), grid="x")
    fitter = fit_texts(ax)
    width, height = settle(ax)
    _draw_marks(intervals, ax, height / count)
    write_row_names(ax, shown_names(intervals.methods, longest_name(width)))
    make_room_for_names(ax, fitter, 0.8)
    return ax


def _name_axis(intervals: MethodIntervals) -> str:
    """Return the name of the axis, which says what is drawn."""
    keys = [f"line: {intervals.confidence} confidence interval"] if intervals.has_intervals else []
    marks = {"best": "diamond", "level": "dot", "worse": "ring"}
    said = [verdict for verdict in marks if verdict in intervals.verdicts]
    words = {"level": "not shown to differ"}
    keys += [f"{marks[verdict]}: {words.get(verdict, verdict)}" for verdict in said] if len(said) > 1 else []
    return f"{intervals.metric} ({', '.join(keys)})" if keys else intervals.metric


def _draw_marks(intervals: MethodIntervals, ax: Axes, room: float) -> None:
    """Draw means and intervals; room is the height of a row in points."""
    places = np.arange(len(intervals.methods), dtype=np.float64)
    colour, size = LINE_COLOURS[0], min(6.5, 0.42 * room)
    ax.axvline(intervals.means[0], color=PALE, linewidth=1.4, zorder=1)
    known = np.isfinite(intervals.lows)
    lines: Any = {"linewidth": min(2.0, 0.15 * room), "zorder": 2}
    shades = [GREY if verdict == "worse" else colour for verdict in intervals.verdicts]
    drawn = [shade for shade, there in zip(shades, known, strict=True) if there]
    ax.hlines(places[known], intervals.lows[known], intervals.highs[known], colors=drawn, **lines)
    for verdict, (marker, filled, _) in LOOKS.items():
        own = [place for place, said in enumerate(intervals.verdicts) if said == verdict]
        shade = GREY if verdict == "worse" else colour
        look: Any = {"marker": marker, "markersize": size, "markeredgecolor": shade, "markeredgewidth": 1.3}
        face = shade if filled else "white"
        if own:
            ax.plot(
                intervals.means[own],
                places[own],
                linestyle="",
                markerfacecolor=face,
                label=f"_{verdict or 'untested'}",
                zorder=3,
                **look,
            )
