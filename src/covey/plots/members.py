"""Members of ensembles: kappa and error of each pair, voting margins, and the error by the number of members."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.analysis.diversity import KappaError, Margins, kappa_error_points, margins
from covey.analysis.staged import StagedErrors, staged_errors
from covey.plots.curves import LINE_COLOURS, Curve, draw_curves, looks, name_curves, set_counting_axis, size_of
from covey.plots.layout import lay_out, legend_outside
from covey.plots.reading import distinct_names, measure_each
from covey.plots.style import GREY, PALE, Entry, Floats, about, begin, darker, draws, legend

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

# A curve of margins has no more steps: smaller ones could not be seen.
MOST_STEPS = 1000


@dataclass(frozen=True, eq=False)
class KappaErrorDiagram:
    """Pairs of members of one or more ensembles."""

    title: ClassVar[str] = "Kappa-error diagram"
    ensembles: Mapping[str, KappaError]  #: what `covey.analysis.kappa_error_points` returns, by the ensembles' names

    @cached_property
    def centroids(self) -> Mapping[str, tuple[float, float]]:
        """The mean kappa and the mean error of all pairs, by the ensembles' names."""
        return {
            name: (float(result.kappa.mean()), float(result.error.mean())) for name, result in self.ensembles.items()
        }

    @cached_property
    def shown(self) -> Mapping[str, NDArray[np.intp]]:
        """The positions of the pairs that are drawn, by the ensembles' names: all, or a sample of a large cloud."""
        most = min(MOST_OF_ONE, MOST_POINTS // len(self.ensembles))
        return {name: thin(pairs, most) for name, pairs in self.ensembles.items()}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The ensembles' names as they are drawn, by the names."""
        return dict(zip(self.ensembles, distinct_names(list(self.ensembles)), strict=True))

    def density(self, name: str) -> tuple[Floats, Floats, Floats, float] | None:
        """Return kappa, error and density on a grid around the pairs, and the level above which 75% of them lie.

        The grid is along the axes of their covariance, since clouds are long and narrow, and the density their
        histogram, smoothed by a Gaussian. None instead of all if the pairs are few, or on a line.
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
    """Return the positions of all points, or of a sample of so many, always the same, with the extremes."""
    count = len(points.kappa)
    if count <= most:
        return np.arange(count)
    ends = [points.kappa.argmin(), points.kappa.argmax(), points.error.argmin(), points.error.argmax()]
    taken = np.random.default_rng(0).choice(count, most - len(ends), replace=False)
    return np.union1d(taken, ends).astype(np.intp)


def kappa_error_diagram(ensembles: Any, *, classes: Any = None) -> KappaErrorDiagram:
    """Return the kappa and the mean error of each pair of members of one or more ensembles.

    Margineantu and Dietterich (1997); figure 1 of Bay, "Nearest neighbor classification from multiple feature
    subsets", shows three ensembles.

    Parameters
    ----------
    ensembles : mapping of str to KappaError, or to (predictions, y)
        Ensembles by name: what `covey.analysis.kappa_error_points` returns, or a tuple of what it takes. One ensemble
        may come without a name.
    classes : array-like of shape (n_classes,), optional
        The ensembles' ``classes_``, when predictions are codes: ``member_predictions(X, codes=True)``.
    """
    measure: Any = {"kind": KappaError, "measure": kappa_error_points, "weighted": False}
    return KappaErrorDiagram(measure_each(ensembles, **measure, classes=classes, most=len(LINE_COLOURS)))


@draws(KappaErrorDiagram, "kappa_error_diagram")
def draw_kappa_error(diagram: KappaErrorDiagram, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a point for each pair of members, kappa to the right and mean error upwards, and the middle of each cloud.

    Pairs that agree less are further left, better ones further down. Of a large cloud a sample is drawn, and a line
    around the place where three quarters of its pairs are.
    """
    x, y = "kappa of the pair (smaller: more diverse)", "mean error of the pair"
    ax = begin(diagram, ax, (6.2, 4.2), title, x=x, y=y, grid="both")
    entries = _draw_clouds(ax, diagram)
    _set_limits(ax, diagram)
    legend_outside(ax, entries, borderaxespad=0.2, labelspacing=0.6)
    return ax


def _draw_clouds(ax: Axes, diagram: KappaErrorDiagram) -> list[Entry]:
    """Draw the pairs of each ensemble, their mean and their outline, and return what a legend says of them."""
    from matplotlib.lines import Line2D

    many = sum(len(chosen) for chosen in diagram.shown.values())
    size = float(np.clip(5.0 * (200 / many) ** 0.25, 2.2, 5.0))
    entries: list[Entry] = []
    outlined = False
    for look, (name, result) in zip(looks(len(diagram.ensembles)), diagram.ensembles.items(), strict=True):
        chosen = diagram.shown[name]
        mark: Any = {"marker": look["marker"], "color": look["color"], "linestyle": "", "markeredgewidth": 0}
        cloud: Any = {"markersize": size, "alpha": float(np.clip(8 / np.sqrt(len(chosen)), 0.25, 0.8))}
        ax.plot(result.kappa[chosen], result.error[chosen], **mark, **cloud, label=f"_{name}", zorder=2)
        kappa, error = diagram.centroids[name]
        middle: Any = {**mark, "markersize": 11, "markeredgecolor": "white", "markeredgewidth": 1.6}
        (handle,) = ax.plot([kappa], [error], **middle, label=f"_middle of {name}", zorder=4)
        density = diagram.density(name)
        if density is not None:
            style: Any = {"colors": [darker(look["color"])], "linestyles": [look["linestyle"]], "linewidths": 1.3}
            ax.contour(*density[:3], levels=[density[3]], zorder=3, **style)
            outlined = True
        pairs = len(result.kappa)
        sample = "" if len(chosen) == pairs else f"\n{len(chosen):,} of {pairs:,} pairs shown"
        entries.append((handle, f"{diagram.names[name]}\nκ {about(kappa)}, error {about(error)}{sample}"))
    large = Line2D([], [], marker="o", color=GREY, linestyle="", markersize=9.5, markeredgewidth=0)
    outline = Line2D([], [], color=GREY, linewidth=1.3, linestyle="--")
    keys: list[Entry] = [(large, "large: mean of all pairs"), (outline, f"around {CORE:.0%} of pairs")]
    return [*entries, *keys[: 1 + outlined]]


def _set_limits(ax: Axes, diagram: KappaErrorDiagram) -> None:
    """Show all pairs, drawn or not, and no more: the outlines' grids reach further."""
    for axis, values, least, most in (("x", "kappa", -1.0, 1.0), ("y", "error", 0.0, 1.0)):
        every = [getattr(result, values) for result in diagram.ensembles.values()]
        low, high = min(float(part.min()) for part in every), max(float(part.max()) for part in every)
        if high - low < 1e-9:
            # Pairs that are all the same have room around them, but no numbers that cannot be.
            low, high = max(low - 0.05, least), min(high + 0.05, most)
        room = 0.05 * (high - low)
        ax.set(**{f"{axis}lim": (low - room, high + room)})


@dataclass(frozen=True, eq=False)
class MarginDistribution:
    """The margins of one or more ensembles."""

    title: ClassVar[str] = "Cumulative distribution of voting margins"
    ensembles: Mapping[str, Margins]  #: what `covey.analysis.margins` returns, by the ensembles' names

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """For each ensemble the share of cases up to each margin, from -1 to 1, in no more than 1000 steps or so."""
        names = distinct_names(list(self.ensembles))
        return tuple(_curve(name, result) for name, result in zip(names, self.ensembles.values(), strict=True))

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        parts = (
            f"{name}: {result.negative:.1%} of {len(result.values):,} margins negative, minimum "
            f"{about(result.minimum)}, mean {about(result.mean)}"
            for name, result in zip(distinct_names(list(self.ensembles)), self.ensembles.values(), strict=True)
        )
        return f"{self.title}. {'. '.join(parts)}."


def _curve(name: str, result: Margins) -> Curve:
    margin, share = result.cumulative()
    if len(margin) > MOST_STEPS:
        # At equal steps upwards, so that no point of the curve moves by more than a step.
        kept = np.unique(np.searchsorted(share, np.linspace(share[0], 1, MOST_STEPS) - 1e-12))
        margin, share = margin[kept], share[kept]
    x, y = np.concatenate([[-1], margin, [1]]), np.concatenate([[0], share, [1]])
    return Curve(name, x, y, note=f"{result.negative:.1%} negative")


def margin_distribution(ensembles: Any, *, classes: Any = None) -> MarginDistribution:
    """Return the voting margins of one or more ensembles.

    Schapire, Freund, Bartlett and Lee (1998): the margin of a case is the share of the votes for its true class less
    the largest share of another class; it is negative where the vote is wrong.

    Parameters
    ----------
    ensembles : mapping of str to Margins, or to (predictions, y) or (predictions, y, weights)
        Ensembles by name: what `covey.analysis.margins` returns, or a tuple of what it takes. One ensemble may come
        without a name.
    classes : array-like of shape (n_classes,), optional
        The ensembles' ``classes_``, when predictions are codes: ``member_predictions(X, codes=True)``.
    """
    return MarginDistribution(measure_each(ensembles, Margins, margins, classes=classes))


@draws(MarginDistribution, "margin_distribution")
def draw_margins(distribution: MarginDistribution, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the share of rows up to each margin, a line per ensemble; where margins are negative, the ground is grey."""
    from matplotlib.ticker import PercentFormatter

    curves = distribution.curves
    x, y = "margin (negative: wrong vote)", "cases up to this margin"
    ax = begin(distribution, ax, size_of(curves, height=3.8), title, x=x, y=y, grid="y")
    ax.axvspan(-1, 0, color=PALE, alpha=0.4, linewidth=0, zorder=0)
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)
    lines = draw_curves(ax, curves, smooth=False)
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set(xlim=(-1, 1.01), ylim=(0, 1.02))
    lay_out(ax)
    inside = [(line, f"{curve.name}\n{curve.note}") for line, curve in zip(lines, curves, strict=True)]
    corner = legend(ax, inside, loc="upper left", handlelength=2.6).get_window_extent()
    margin, share = ax.transData.inverted().transform((corner.x1, corner.y0)).tolist()
    # Left of zero and above all curves, or else outside.
    if margin > -0.02 or max(float(curve.y[curve.x <= margin].max()) for curve in curves) > share - 0.03:
        outside = [(line, f"{curve.name}: {curve.note}") for line, curve in zip(lines, curves, strict=True)]
        legend_outside(ax, outside, handlelength=2.6)
    return ax


@dataclass(frozen=True, eq=False)
class StagedError:
    """The errors of one or more ensembles at each size."""

    title: ClassVar[str] = "Error of the vote against ensemble size"
    ensembles: Mapping[str, StagedErrors]  #: what `covey.analysis.staged_errors` returns, by the ensembles' names

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """A curve for each ensemble, with its final error as a note."""
        return tuple(
            Curve(name=name, x=np.arange(1.0, result.n_members + 1), y=result.errors, note=about(result.final))
            for name, result in zip(distinct_names(list(self.ensembles)), self.ensembles.values(), strict=True)
        )

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        parts = (
            f"{name}: {about(result.errors[0])} with one member, {about(result.final)} with "
            f"{result.n_members}, least {about(result.errors.min())} with {result.best_size}, "
            f"mean of single members {about(result.mean_member_error)}"
            for name, result in zip(distinct_names(list(self.ensembles)), self.ensembles.values(), strict=True)
        )
        return f"{self.title}. {'. '.join(parts)}."


def staged_error(ensembles: Any, *, classes: Any = None) -> StagedError:
    """Return the error of the vote of the first 1, 2, ... members of one or more ensembles.

    Parameters
    ----------
    ensembles : mapping of str to StagedErrors, or to (predictions, y) or (predictions, y, weights)
        Ensembles by name: what `covey.analysis.staged_errors` returns, or a tuple of what it takes. One ensemble may
        come without a name.
    classes : array-like of shape (n_classes,), optional
        The ensembles' ``classes_``, when predictions are codes: ``member_predictions(X, codes=True)``.
    """
    return StagedError(measure_each(ensembles, StagedErrors, staged_errors, classes=classes))


@draws(StagedError, "staged_error")
def draw_staged_error(staged: StagedError, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the error of the vote against the number of members; hollow marks are the mean error of single members."""
    from matplotlib.lines import Line2D

    ax = begin(staged, ax, size_of(staged.curves), title, x="members", y="error", grid="y")
    lines = draw_curves(ax, staged.curves)
    most = max(len(curve.x) for curve in staged.curves)
    hollow: Any = {"linestyle": "", "markerfacecolor": "white", "markersize": 5.5, "markeredgewidth": 1.2, "zorder": 3}
    for line, result in zip(lines, staged.ensembles.values(), strict=True):
        look: Any = {"marker": line.get_marker(), "markeredgecolor": line.get_color(), **hollow}
        ax.plot([1 - 0.03 * most], [result.mean_member_error], label="_mean of members", **look)
    set_counting_axis(ax, most, before=0.06)
    errors = np.concatenate([[*result.errors, result.mean_member_error] for result in staged.ensembles.values()])
    top = float(errors.max()) or 0.1
    # From 0, or a little less lest the axis covers a line there.
    ax.set_ylim(*((-0.03 * top, 1.06 * top) if errors.min() < 0.01 * top else (0.0, None)))
    key = Line2D([], [], marker="o", markeredgecolor=GREY, **hollow)
    name_curves(ax, staged.curves, lines, keys=[(key, "mean error of single members")])
    return ax
