"""Bayesian comparisons of two methods: the density of their difference, or samples in a triangle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.analysis.significance.bayes import CorrelatedPosterior, Posterior, SignedRankPosterior
from covey.plots.layout import legend_below
from covey.plots.reading import check_methods, distinct_names
from covey.plots.style import BLUE, GREY, INK, ORANGE, POINTS, Floats, about, begin, draws, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# So many samples are drawn as points: more would make files large and show nothing new.
MOST_POINTS = 2000
# The density is drawn at so many places, from one such quantile to the other.
N_PLACES, TAIL = 400, 5e-4
# For the first method, for equivalence, for the second.
SIDES = (BLUE, GREY, ORANGE)
# Where the triangle's corners lie: the first method's, that of equivalence, the second's.
CORNERS = np.array([[1.0, 0.0], [0.5, 0.75**0.5], [0.0, 0.0]])


@dataclass(frozen=True, eq=False)
class PosteriorDiagram:
    """A posterior of two methods, and their names."""

    posterior: CorrelatedPosterior | SignedRankPosterior
    names: tuple[str, ...]  #: the first method and the second

    @property
    def chances(self) -> tuple[float, float, float]:
        """How probable it is that the first is better, that both are equivalent, that the second is better."""
        return self.posterior.first_better, self.posterior.equivalent, self.posterior.second_better

    @property
    def verdicts(self) -> tuple[str, str, str]:
        """The three in words, each with its probability."""
        first, second = distinct_names(self.names)
        rope = f" (within {about(self.posterior.rope)})" if self.posterior.rope else ""
        words = (f"{first} better", f"equivalent{rope}", f"{second} better")
        return tuple(f"{word}: {chance:.1%}" for word, chance in zip(words, self.chances, strict=True))  # type: ignore[return-value]

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"{self.posterior.test} of {self.posterior.n_scores} pairs of scores"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        return f"{self.title}. {'. '.join(self.verdicts)}."


def posterior_diagram(posterior: Posterior, names: tuple[str, str] = ("first", "second")) -> PosteriorDiagram:
    """Return what a Bayesian comparison found, to be drawn.

    Parameters
    ----------
    posterior : CorrelatedPosterior or SignedRankPosterior
        From `covey.analysis.bayesian_correlated_t` or `covey.analysis.bayesian_signed_rank`.
    names : pair of str, default=("first", "second")
        What the two methods are called.
    """
    if not isinstance(posterior, CorrelatedPosterior | SignedRankPosterior):
        made = "bayesian_correlated_t or bayesian_signed_rank"
        raise TypeError(f"posterior={shown(posterior)} is no posterior; give what covey.analysis.{made} returns.")
    given = check_methods(names)
    if len(given) != 2:
        raise ValueError(f"names={shown(names)} must be two, the first method's and the second's.")
    return PosteriorDiagram(posterior, given)


@draws(PosteriorDiagram, "posterior_diagram")
def draw_posterior(diagram: PosteriorDiagram, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the posterior of two methods.

    Of a correlated t-test the density of the mean difference, with the area of each verdict in its colour; of a
    signed-rank test the samples in a triangle, each coloured by the corner that it is nearest to.
    """
    if isinstance(diagram.posterior, CorrelatedPosterior):
        first, second = distinct_names(diagram.names)
        x = f"mean difference of scores, {first} less {second}"
        ax = begin(diagram, ax, (6.2, 3.8), title, x=x)
        entries = _draw_density(ax, diagram.posterior)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
    else:
        ax = begin(diagram, ax, (5.0, 4.7), title)
        entries = _draw_triangle(ax, diagram.posterior, distinct_names(diagram.names))
        ax.set_axis_off()
    legend_below(ax, list(zip(entries, diagram.verdicts, strict=True)), ncols=1)
    return ax


def _draw_density(ax: Axes, posterior: CorrelatedPosterior) -> list[Any]:
    """Draw the density of the difference, and return an artist for each verdict."""
    from matplotlib.patches import Patch
    from scipy.stats import t as student

    rope, mean, scale = posterior.rope, posterior.mean_difference, posterior.scale
    sides = SIDES if posterior.larger_is_better else SIDES[::-1]
    if scale:
        reach = max(-student.ppf(TAIL, posterior.degrees_of_freedom) * scale, 2 * scale)
        low, high = min(mean - reach, -1.3 * rope), max(mean + reach, 1.3 * rope)
        at = np.union1d(np.linspace(low, high, N_PLACES), [-rope, rope])
        density = student.pdf((at - mean) / scale, posterior.degrees_of_freedom) / scale
        for colour, inside in zip(sides, (at >= rope, np.abs(at) <= rope, at <= -rope), strict=True):
            ax.fill_between(at, 0, density, where=inside.tolist(), color=colour, alpha=0.45, linewidth=0, zorder=2)
        ax.plot(at, density, color=INK, linewidth=1.3, label="_density", zorder=3)
        ax.set(xlim=(low, high), ylim=(0, 1.06 * float(density.max())))
    else:
        # All differences are the same: all belief is there.
        reach = 1.5 * max(abs(mean), rope) or 1.0
        ax.axvline(mean, color=INK, linewidth=2, label="_density", zorder=3)
        ax.set(xlim=(-reach, reach), ylim=(0, 1))
    for border in {-rope, rope}:
        ax.axvline(border, color=GREY, linewidth=1, linestyle=(0, (4, 3)), label="_rope", zorder=2.5)
    return [Patch(color=colour, alpha=0.45) for colour in SIDES]


def _draw_triangle(ax: Axes, posterior: SignedRankPosterior, names: list[str]) -> list[Any]:
    """Draw the samples between three corners, and return an artist for each verdict."""
    from matplotlib.lines import Line2D

    ax.plot(*CORNERS[[0, 1, 2, 0]].T, color=INK, linewidth=1.2, label="_triangle", zorder=3)
    middle = CORNERS.mean(axis=0)
    for two in ([0, 1], [1, 2], [2, 0]):
        end = CORNERS[two].mean(axis=0)
        ax.plot(*np.array([middle, end]).T, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1.5)
    samples = posterior.shares[:: -(-len(posterior.shares) // MOST_POINTS)]
    places: Floats = samples @ CORNERS
    nearest = samples.argmax(axis=1)
    look: Any = {"marker": "o", "linestyle": "", "markersize": 3, "markeredgewidth": 0}
    entries: list[Any] = []
    for side, colour in enumerate(SIDES):
        ax.plot(*places[nearest == side].T, **look, color=colour, alpha=0.35, label=f"_samples {side}", zorder=2)
        entries.append(Line2D([], [], **{**look, "markersize": 7}, color=colour))
    texts = (names[0], "equivalent", names[1])
    for text, (x, y), align in zip(texts, CORNERS.tolist(), ("right", "center", "left"), strict=True):
        shift, vertical = (0.03, "bottom") if y else (-0.03, "top")
        ax.text(x, y + shift, text, ha=align, va=vertical, size=POINTS, color=INK, parse_math=False)
    ax.set(xlim=(-0.05, 1.05), ylim=(-0.12, 0.97), aspect="equal", anchor="S", xticks=[], yticks=[])
    return entries
