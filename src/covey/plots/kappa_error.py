"""The kappa-error diagram: how much the members of ensembles agree, and how well each pair of them does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.diversity import KappaError, kappa_error_points
from covey.plots.curves import LINE_COLOURS, Entry, Floats, about, darker, legend_outside, looks
from covey.plots.members import check_made, measure_each, shown_names
from covey.plots.style import GREY, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Points drawn in all, and of one ensemble: more would make vector files large and show nothing new.
MOST_POINTS = 6000
MOST_OF_ONE = 2000
# The outline of a cloud holds this share of its pairs, and is drawn from so many pairs up.
CORE = 0.75
LEAST_OUTLINED = 100
# Of the grid for it, in standard deviations.
STEP = 0.08


@dataclass(frozen=True, eq=False)
class KappaErrorDiagram:
    """Pairs of members of one or more ensembles.

    Parameters
    ----------
    ensembles : mapping of str to KappaError
        What `covey.analysis.kappa_error_points` found, by the ensembles' names.
    """

    ensembles: Mapping[str, KappaError]

    @cached_property
    def centroids(self) -> Mapping[str, tuple[float, float]]:
        """The mean kappa and the mean error of all pairs, by the ensembles' names."""
        return {name: (float(found.kappa.mean()), float(found.error.mean())) for name, found in self.ensembles.items()}

    @cached_property
    def shown(self) -> Mapping[str, NDArray[np.intp]]:
        """The positions of the pairs that are drawn, by the ensembles' names: all, or a sample of a large cloud."""
        most = min(MOST_OF_ONE, MOST_POINTS // len(self.ensembles))
        return {name: thin(found, most) for name, found in self.ensembles.items()}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The ensembles' names as they are drawn, by the names."""
        return dict(zip(self.ensembles, shown_names(list(self.ensembles)), strict=True))

    def density(self, name: str) -> tuple[Floats, Floats, Floats, float] | None:
        """Return how densely the pairs of an ensemble lie, and the level above which three quarters of them do.

        Returns
        -------
        kappa, error, density : ndarray of float64 of shape (n_rows, n_columns)
            A grid around the pairs, along the axes of their covariance since clouds are long and narrow, and the
            share of the pairs near each point of it: their histogram, smoothed by a Gaussian.
        level : float
            The greatest density such that the places that are as dense hold at least three quarters.

        None instead of all if the pairs are few, or on a line.
        """
        from scipy.ndimage import gaussian_filter

        points = np.stack([self.ensembles[name].kappa, self.ensembles[name].error])
        covariance = np.cov(points) if points.shape[1] >= LEAST_OUTLINED else np.zeros((2, 2))
        if np.linalg.det(covariance) <= 1e-4 * covariance.diagonal().prod():
            return None
        middle, axes = points.mean(axis=1), np.linalg.cholesky(covariance)
        along = np.linalg.solve(axes, points - middle[:, None])
        edges = [np.arange(side.min() - 1, side.max() + 1 + STEP, STEP) for side in along]
        counts = np.histogram2d(along[0], along[1], bins=edges)[0]
        density = gaussian_filter(counts / counts.sum(), 0.35 / STEP, mode="constant")
        falling = np.sort(density, axis=None)[::-1]
        level = falling[np.searchsorted(np.cumsum(falling) / falling.sum(), CORE)]
        grid = np.stack(np.meshgrid(*((side[1:] + side[:-1]) / 2 for side in edges), indexing="ij"))
        kappa, error = np.tensordot(axes, grid, axes=1) + middle[:, None, None]
        return kappa, error, density, float(level)

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return "Kappa-error diagram"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        parts = []
        for name, (kappa, error) in self.centroids.items():
            pairs, drawn = len(self.ensembles[name].kappa), len(self.shown[name])
            sample = "" if drawn == pairs else f", of which {drawn:,} are shown"
            parts.append(
                f"{self.names[name]}: mean kappa {about(kappa)}, mean error {about(error)} of "
                f"{pairs:,} {'pair' if pairs == 1 else 'pairs'}{sample}"
            )
        return f"Agreement (kappa) and mean error of pairs of members. {'. '.join(parts)}."


def thin(points: KappaError, most: int) -> NDArray[np.intp]:
    """Return the positions of some points, spread over the cloud as all are; its extremes are among them.

    The cloud is cut into strips of as many points each, the strips are read up and down in turn, and points are
    taken at equal steps. Nothing is drawn at random, and the numbers of the members make no difference.
    """
    count = len(points.kappa)
    if count <= most:
        return np.arange(count)
    by_kappa = np.lexsort((points.error, points.kappa))
    strips = np.array_split(by_kappa, max(1, round(np.sqrt(most / 2))))
    snake = np.concatenate(
        [
            strip[np.lexsort((points.kappa[strip], points.error[strip]))][:: -1 if number % 2 else 1]
            for number, strip in enumerate(strips)
        ]
    )
    extremes = [by_kappa[0], by_kappa[-1], points.error.argmin(), points.error.argmax()]
    taken = snake[np.linspace(0, count - 1, most - len(extremes)).round().astype(np.intp)]
    return np.union1d(taken, extremes).astype(np.intp)


def kappa_error_diagram(ensembles: Any, *, classes: Any = None) -> KappaErrorDiagram:
    """Return the kappa and the mean error of each pair of members of one or more ensembles.

    Margineantu and Dietterich (1997); figure 1 of Bay, "Nearest neighbor classification from multiple feature
    subsets", shows three ensembles.

    Parameters
    ----------
    ensembles : mapping of str to KappaError, or to (predictions, y)
        Ensembles by name: what `covey.analysis.kappa_error_points` found, or a tuple of what it takes. One ensemble
        may come without a name.
    classes : array-like of shape (n_classes,), optional
        The ensembles' ``classes_``, when predictions are the codes that their ``member_predictions`` give.

    Returns
    -------
    KappaErrorDiagram
    """
    measure: Any = {"kind": KappaError, "measure": kappa_error_points, "weighted": False}
    return KappaErrorDiagram(measure_each(ensembles, **measure, classes=classes, most=len(LINE_COLOURS)))


def draw_kappa_error(diagram: KappaErrorDiagram, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a point for each pair of members, kappa to the right and mean error upwards, and the middle of each cloud.

    Pairs that agree less are further left, better ones further down. Of a large cloud a sample is drawn, and a line
    around the place where three quarters of its pairs are.

    Parameters
    ----------
    diagram : KappaErrorDiagram
        From `kappa_error_diagram`.
    ax : matplotlib Axes or None
        Where to draw, with a legend that takes room on its right; None for a new one.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the diagram, for use as alternative text.
    """
    from covey.plots.fitting import fit_texts

    check_made(diagram, KappaErrorDiagram, "kappa_error_diagram")
    ax = axes_of(ax, (6.2, 4.2))
    entries = _draw_clouds(ax, diagram)
    _set_limits(ax, diagram)
    shown = diagram.title if title is None else title
    x = "kappa of the pair (smaller: more diverse)"
    dress(ax, title=shown, description=diagram.description, x=x, y="mean error of the pair", grid="both")
    fit_texts(ax)
    legend_outside(ax, entries, borderaxespad=0.2, labelspacing=0.6)
    return ax


def _draw_clouds(ax: Axes, diagram: KappaErrorDiagram) -> list[Entry]:
    """Draw the pairs of each ensemble, their mean and their outline, and return what a legend says of them."""
    many = sum(len(chosen) for chosen in diagram.shown.values())
    size = float(np.clip(5.0 * (200 / many) ** 0.25, 2.2, 5.0))
    entries: list[Entry] = []
    outlined = False
    for look, (name, found) in zip(looks(len(diagram.ensembles)), diagram.ensembles.items(), strict=True):
        chosen = diagram.shown[name]
        mark: Any = {"marker": look["marker"], "color": look["color"], "linestyle": "", "markeredgewidth": 0}
        cloud: Any = {"markersize": size, "alpha": float(np.clip(8 / np.sqrt(len(chosen)), 0.25, 0.8))}
        ax.plot(found.kappa[chosen], found.error[chosen], **mark, **cloud, label=f"_{name}", zorder=2)
        kappa, error = diagram.centroids[name]
        middle: Any = {**mark, "markersize": 11, "markeredgecolor": "white", "markeredgewidth": 1.6}
        (handle,) = ax.plot([kappa], [error], **middle, label=f"_middle of {name}", zorder=4)
        outline = diagram.density(name)
        if outline is not None:
            style: Any = {"colors": [darker(look["color"])], "linestyles": [look["linestyle"]], "linewidths": 1.3}
            ax.contour(*outline[:3], levels=[outline[3]], zorder=3, **style)
            outlined = True
        pairs = len(found.kappa)
        sample = "" if len(chosen) == pairs else f"\n{len(chosen):,} of {pairs:,} pairs shown"
        entries.append((handle, f"{diagram.names[name]}\nκ {about(kappa)}, error {about(error)}{sample}"))
    return [*entries, *_keys(outlined)]


def _keys(outlined: bool) -> list[Entry]:
    """Return what a legend says of marks that all ensembles have."""
    from matplotlib.lines import Line2D

    large = Line2D([], [], marker="o", color=GREY, linestyle="", markersize=9.5, markeredgewidth=0)
    keys: list[Entry] = [(large, "large: mean of all pairs")]
    outline = Line2D([], [], color=GREY, linewidth=1.3, linestyle="--")
    return [*keys, (outline, f"around {CORE:.0%} of pairs")] if outlined else keys


def _set_limits(ax: Axes, diagram: KappaErrorDiagram) -> None:
    """Show all pairs, drawn or not, and no more: the outlines' grids reach further."""
    for axis, values, least, most in (("x", "kappa", -1.0, 1.0), ("y", "error", 0.0, 1.0)):
        every = [getattr(found, values) for found in diagram.ensembles.values()]
        low, high = min(float(part.min()) for part in every), max(float(part.max()) for part in every)
        if high - low < 1e-9:
            # Pairs that are all the same have room around them, but no numbers that cannot be.
            low, high = max(low - 0.05, least), min(high + 0.05, most)
        room = 0.05 * (high - low)
        ax.set(**{f"{axis}lim": (low - room, high + room)})
