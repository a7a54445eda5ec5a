"""Scores against a parameter: those of methods, and the terms of bias and variance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.scores import check_direction
from covey.plots.curves import MOST_CURVES, Curve, draw_curves, name_curves, ring_key, set_parameter_axis, size_of
from covey.plots.reading import by_value, check_spread, check_values, column_methods, distinct_names, levels
from covey.plots.style import GREY, Floats, about, begin, capitalised, draws, exactly

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_Read = tuple[Floats, tuple[str, ...] | None]

# The heading of a panel of bias and variance, and the terms in it, by the kind of decomposition.
DOMINGOS = {
    "average error and bias": ("error", "bias"),
    "variance": ("net_variance", "unbiased_variance", "biased_variance"),
}
OTHERS = {"bias and variance": ("error", "bias", "variance")}


@dataclass(frozen=True, eq=False)
class ParameterCurves:
    """Scores of one or more methods at some values of a parameter."""

    parameter: str  #: what the values are
    metric: str  #: what the scores are
    larger_is_better: bool  #: whether the greatest score is the best
    values: Floats  #: the values of the parameter, ascending, (n_values,)
    methods: tuple[str, ...]  #: the names of the methods; one that is alone may be ""
    scores: Floats  #: the scores, (n_values, n_methods)
    #: how far to go up and down from each score, for example a standard deviation, (n_values, n_methods)
    spread: Floats | None

    @cached_property
    def best(self) -> tuple[int, ...]:
        """For each method the position of its best value, the smallest of those that are equal up to rounding."""
        sign = 1 if self.larger_is_better else -1
        return tuple(int(levels(sign * column).argmax()) for column in self.scores.T)

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """A curve for each method, with its best point."""
        names = distinct_names(self.methods) if self.methods != ("",) else [""]
        return tuple(
            Curve(
                name=name,
                x=self.values,
                y=self.scores[:, method],
                spread=None if self.spread is None else self.spread[:, method],
                best=best,
                note=f"best {about(self.scores[best, method])} at {exactly(self.values[best])}",
            )
            for method, (name, best) in enumerate(zip(names, self.best, strict=True))
        )

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"{capitalised(self.metric)} against {self.parameter}"

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
    """
    larger_is_better = check_direction(larger_is_better)
    at = check_values(values, "values")
    read = _read(scores, values, "scores")
    numbers, known = read
    count = numbers.shape[1]
    if count > MOST_CURVES:
        raise ValueError(f"scores has {count} methods, but only {MOST_CURVES} can be told apart; leave some out.")
    names = column_methods(methods, known or (("",) if count == 1 else None), count)
    around = None if spread is None else check_spread(_read(spread, values, "spread", read)[0], "spread")
    order = np.argsort(at)
    around = None if around is None else around[order]
    return ParameterCurves(parameter, metric, larger_is_better, at[order], names, numbers[order], around)


def _read(scores: Any, values: Any, what: str, like: _Read | None = None) -> _Read:
    """Return numbers with a row per value and a column per method, and the methods' names if they are known."""
    known = scores if isinstance(scores, Mapping) else getattr(scores, "columns", None)
    names = None if known is None else tuple(map(str, known))
    columns = list(scores.values()) if isinstance(scores, Mapping) else [scores]
    columns = [by_value(column, values, what) for column in columns]
    try:
        numbers = np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be numbers, a row per value and a column per method.") from None
    expected = (len(values), numbers.shape[-1] if like is None else like[0].shape[1])
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


@draws(ParameterCurves, "parameter_curves")
def draw_parameter_curves(curves: ParameterCurves, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw scores against a parameter: a line per method, a band for its spread, and a ring around its best point."""
    ax = begin(curves, ax, size_of(curves.curves), title, x=curves.parameter, y=curves.metric, grid="y")
    lines = draw_curves(ax, curves.curves)
    set_parameter_axis(ax, curves.values)
    alone = curves.curves[0] if len(curves.curves) == 1 and not curves.curves[0].name else None
    name_curves(ax, curves.curves, lines, keys=[ring_key(alone.note)] if alone else [])
    return ax


@dataclass(frozen=True, eq=False)
class BiasVarianceCurves:
    """The error and its terms at some values of a parameter."""

    parameter: str  #: what the values are
    sizes: Floats  #: the values of the parameter, ascending, (n_sizes,)
    panels: Mapping[str, tuple[str, ...]]  #: the headings of the panels, and the terms that each shows
    terms: Mapping[str, Floats]  #: the error and its terms at each value, (n_sizes,)

    @cached_property
    def best(self) -> int:
        """The position of the least error, the smallest value of those that are equal up to rounding."""
        return int(levels(self.terms["error"]).argmin())

    def curves(self, *headings: str) -> tuple[Curve, ...]:
        """Return the curves of one or more panels; the least error is marked."""
        curves = []
        for term in (term for heading in headings for term in self.panels[heading]):
            best = self.best if term == "error" else None
            note = "" if best is None else f"least {about(self.terms[term][best])} at {exactly(self.sizes[best])}"
            curves.append(Curve(_words(term), self.sizes, self.terms[term], best=best, note=note))
        return tuple(curves)

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"Bias and variance against {self.parameter}"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        first, last = exactly(self.sizes[0]), exactly(self.sizes[-1])
        runs = (f"{_words(term)} from {about(y[0])} to {about(y[-1])}" for term, y in self.terms.items())
        least = f"least average error {about(self.terms['error'][self.best])} at {exactly(self.sizes[self.best])}"
        return f"{self.title}, from {first} to {last}: {', '.join(runs)}; {least}."


def bias_variance_curves(
    sizes: Any, decompositions: Sequence[Any], *, parameter: str = "subspace size"
) -> BiasVarianceCurves:
    """Return decompositions of the error at some values of a parameter as curves.

    Figure 6 of Younsi and Bagnall, "Ensembles of random sphere cover classifiers", shows average error and bias,
    and net, unbiased and biased variance, against the number of attributes that each member sees.

    Parameters
    ----------
    sizes : array-like of shape (n_sizes,)
        The values of the parameter, all different, in any order.
    decompositions : sequence of Domingos, or of KohaviWolpert, KongDietterich or SquaredLoss
        What `domingos` and so on return, one for each size. Other objects do if they have the attributes ``error``,
        ``bias``, ``net_variance``, ``unbiased_variance`` and ``biased_variance``; or ``error``, ``bias`` and
        ``variance``. Where all have a ``noise`` that is not always 0, it is shown as well.
    parameter : str, default="subspace size"
        The name of the parameter.
    """
    at = check_values(sizes, "sizes")
    if len(decompositions) != len(at):
        raise ValueError(f"decompositions has {len(decompositions)} entries, but sizes {len(at)}; give one for each.")
    panels = dict(DOMINGOS if all(hasattr(part, "net_variance") for part in decompositions) else OTHERS)
    order = np.argsort(at)
    terms = {term: _term(term, decompositions)[order] for names in panels.values() for term in names}
    if all(hasattr(part, "noise") for part in decompositions):
        noise = _term("noise", decompositions)[order]
        if noise.any():
            heading = next(iter(panels))
            panels[heading] = (*panels[heading], "noise")
            terms["noise"] = noise
    return BiasVarianceCurves(parameter=parameter, sizes=at[order], panels=panels, terms=terms)


def _term(term: str, decompositions: Sequence[Any]) -> Floats:
    for part in decompositions:
        if not hasattr(part, term):
            raise TypeError(
                f"decompositions holds {part!r:.60}, which has no {term!r}; give what one function, such as domingos "
                "or kohavi_wolpert, returned."
            )
    values = np.array([float(getattr(part, term)) for part in decompositions])
    if not np.isfinite(values).all():
        raise ValueError(f"decompositions has {values[~np.isfinite(values)][0]} for {term!r}; leave that size out.")
    return values


def _words(term: str) -> str:
    return "average error" if term == "error" else term.replace("_", " ")


@draws(BiasVarianceCurves, "bias_variance_curves")
def draw_bias_variance_curves(
    curves: BiasVarianceCurves, axes: Axes | Sequence[Axes] | None = None, *, title: str | None = None
) -> NDArray[Any]:
    """Draw bias and variance against a parameter, with a ring around the least average error.

    Domingos' terms take two panels, the error and the bias on the left and variances on the right; the terms of other
    decompositions take one.

    Parameters
    ----------
    curves : BiasVarianceCurves
        From `bias_variance_curves`.
    axes : matplotlib Axes, as many of them as there are panels, or None
        Where to draw; one for all panels in one. None for new ones.
    title : str or None
        By default each panel is headed by what it shows; a text goes before that. "" for none.

    Returns
    -------
    ndarray of matplotlib Axes
        Those drawn in, from left to right. Their label is the description of the curves, for use as alternative text.
    """
    drawn = _axes(axes, len(curves.panels))
    headings = list(curves.panels)
    first = 0
    for position, ax in enumerate(drawn):
        here = headings if len(drawn) == 1 else headings[position : position + 1]
        head, parts = ", ".join(here), curves.curves(*here)
        heading = capitalised(head) if title is None else f"{title}: {head}" if title else ""
        begin(curves, ax, (0, 0), heading, x=curves.parameter, y="expected loss" if heading else head, grid="y")
        lines = draw_curves(ax, parts, first=first)
        first += len(parts)
        if min(float(part.y.min()) for part in parts) < 0:
            ax.axhline(0, color=GREY, linewidth=0.8, zorder=1)
        set_parameter_axis(ax, curves.sizes)
        name_curves(ax, parts, lines)
    return drawn


def _axes(axes: Any, n_panels: int) -> NDArray[Any]:
    """Return the axes given, or new ones, as a flat array."""
    if axes is None:
        from matplotlib import pyplot as plt

        size = (4.9 * n_panels, 3.4)
        return np.ravel(plt.subplots(1, n_panels, figsize=size, layout="constrained", squeeze=False)[1])
    given = np.empty(np.size(axes), dtype=object)
    given[:] = np.ravel(np.asarray(axes, dtype=object))
    if len(given) not in (1, n_panels):
        raise ValueError(f"axes has {len(given)} axes, but must be one, or {n_panels}: one for each panel.")
    return given
