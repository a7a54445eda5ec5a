"""Bias and variance against a parameter, such as the size of subspaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.plots.curves import Curve, Floats, about, draw_curves, exactly, name_curves
from covey.plots.members import check_made, levels
from covey.plots.parameter import check_values, set_parameter_axis
from covey.plots.style import GREY, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A panel's heading, and the terms in it, by the kind of decomposition.
DOMINGOS = {
    "average error and bias": ("error", "bias"),
    "variance": ("net_variance", "unbiased_variance", "biased_variance"),
}
OTHERS = {"bias and variance": ("error", "bias", "variance")}


@dataclass(frozen=True, eq=False)
class BiasVarianceCurves:
    """The error and its terms at some values of a parameter.

    Parameters
    ----------
    parameter : str
        What the values are.
    sizes : ndarray of float64 of shape (n_sizes,)
        The values of the parameter, ascending.
    panels : mapping of str to tuple of str
        The headings of the panels, and the terms that each shows.
    terms : mapping of str to ndarray of float64 of shape (n_sizes,)
        The error and its terms at each value.
    """

    parameter: str
    sizes: Floats
    panels: Mapping[str, tuple[str, ...]]
    terms: Mapping[str, Floats]

    @cached_property
    def best(self) -> int:
        """The position of the least error, the smallest value of those that are equal up to rounding."""
        return int(levels(self.terms["error"]).argmin())

    def curves(self, *headings: str) -> tuple[Curve, ...]:
        """Return the curves of one or more panels; the least error is marked."""
        return tuple(
            Curve(
                name=_words(term),
                x=self.sizes,
                y=self.terms[term],
                best=self.best if term == "error" else None,
                note=f"least {about(self.terms[term][self.best])} at {exactly(self.sizes[self.best])}"
                if term == "error"
                else "",
            )
            for heading in headings
            for term in self.panels[heading]
        )

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

    Returns
    -------
    BiasVarianceCurves
    """
    at = check_values(sizes, "sizes")
    if len(decompositions) != len(at):
        raise ValueError(f"decompositions has {len(decompositions)} entries, but sizes {len(at)}; give one for each.")
    panels = dict(DOMINGOS if all(hasattr(found, "net_variance") for found in decompositions) else OTHERS)
    order = np.argsort(at)
    terms = {term: _term(term, decompositions)[order] for shown in panels.values() for term in shown}
    if all(hasattr(found, "noise") for found in decompositions):
        noise = _term("noise", decompositions)[order]
        if noise.any():
            heading = next(iter(panels))
            panels[heading] = (*panels[heading], "noise")
            terms["noise"] = noise
    return BiasVarianceCurves(parameter=parameter, sizes=at[order], panels=panels, terms=terms)


def _term(term: str, decompositions: Sequence[Any]) -> Floats:
    for found in decompositions:
        if not hasattr(found, term):
            raise TypeError(
                f"decompositions holds {found!r:.60}, which has no {term!r}; give what one function, such as domingos "
                "or kohavi_wolpert, returned."
            )
    values = np.array([float(getattr(found, term)) for found in decompositions])
    if not np.isfinite(values).all():
        raise ValueError(f"decompositions has {values[~np.isfinite(values)][0]} for {term!r}; leave that size out.")
    return values


def _words(term: str) -> str:
    return "average error" if term == "error" else term.replace("_", " ")


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
    from covey.plots.fitting import fit_texts

    check_made(curves, BiasVarianceCurves, "bias_variance_curves")
    drawn = _axes(axes, len(curves.panels))
    headings = list(curves.panels)
    first = 0
    for position, ax in enumerate(drawn):
        shown = headings if len(drawn) == 1 else headings[position : position + 1]
        parts = curves.curves(*shown)
        lines = draw_curves(ax, parts, first=first)
        first += len(parts)
        if min(float(part.y.min()) for part in parts) < 0:
            ax.axhline(0, color=GREY, linewidth=0.8, zorder=1)
        head = ", ".join(shown)
        heading = f"{head[:1].upper()}{head[1:]}" if title is None else f"{title}: {head}" if title else ""
        y = "expected loss" if heading else head
        dress(ax, title=heading, description=curves.description, x=curves.parameter, y=y, grid="y")
        set_parameter_axis(ax, curves.sizes)
        fit_texts(ax)
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
