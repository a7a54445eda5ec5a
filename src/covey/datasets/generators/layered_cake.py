"""Layered cake of the Triskel paper: four layers of alternating class that defeat boosted linear separators."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from covey._arguments import check_number
from covey.datasets.generators.task import ClassificationTask, Codes, Floats, Sample, check_columns, present, start
from covey.seeds import RandomState

# Lower edges of the four layers of equal thickness; the cake spans [-1, 1] across its layers.
_EDGES = np.array([-1.0, -0.5, 0.0, 0.5])
_THICKNESS = 0.5


@dataclass(frozen=True)
class LayeredCakeTask(ClassificationTask):
    """The layered cake with its exact posterior.

    Parameters
    ----------
    inner_share, gap, angle, noise : float
        As in `make_layered_cake`.
    """

    inner_share: float = 0.4
    gap: float = 0.2
    angle: float = 0.0
    noise: float = 0.0

    def __post_init__(self) -> None:
        for name in ("inner_share", "gap", "noise"):
            check_number(name, getattr(self, name), 0.0, 1.0)
        check_number("angle", self.angle)

    def sample(self, n_samples: int, random_state: RandomState = None) -> tuple[Floats, Codes]:
        """Draw a layer by its probability, then a point uniformly from the filled part of the layer."""
        rng = start(n_samples, random_state)
        outer, inner = (1.0 - self.inner_share) / 2, self.inner_share / 2
        layer = rng.choice(4, size=n_samples, p=[outer, inner, inner, outer])
        along = rng.uniform(-1.0, 1.0, n_samples)
        across = _EDGES[layer] + _THICKNESS * (self.gap / 2 + (1.0 - self.gap) * rng.random(n_samples))
        inverted = rng.random(n_samples) < self.noise
        return np.column_stack([along, across]) @ self._axes(), (layer + inverted) % 2

    def class_probabilities(self, X: ArrayLike) -> Floats:
        """Return P(class | x); points outside the cake count to the nearest layer, gaps to the layer they are in."""
        across = check_columns(X, 2) @ self._axes()[1]
        layer = np.clip(np.searchsorted(_EDGES, across, side="right") - 1, 0, 3)
        positive = np.where(layer % 2, 1.0 - self.noise, self.noise)
        return np.column_stack([1.0 - positive, positive])

    def _axes(self) -> Floats:
        """Return the direction along the layers and the direction across them, one per row."""
        cosine, sine = np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))
        return np.array([[cosine, sine], [-sine, cosine]])


def make_layered_cake(
    n_samples: int = 300,
    *,
    inner_share: float = 0.4,
    gap: float = 0.2,
    angle: float = 0.0,
    noise: float = 0.0,
    random_state: RandomState = None,
    as_frame: bool = False,
) -> Sample:
    """Generate the layered cake of the Triskel paper's Figures 1 and 4 [1]_.

    Four parallel layers of equal thickness fill the square [-1, 1] x [-1, 1]; from the lowest to the highest their
    classes are 0 (the paper's -1), 1 (+1), 0 and 1. Cases are uniform within a layer.

    A linear separator with a hinge loss cuts the cake in the middle: it is right on the outer layers, wrong on the
    inner ones, and reversing it there leaves no error. Boosting then gives both halves the same weight, and the same
    learner finds no separator with an error below 0.5. Three separators with a majority vote have no
    error: cuts below the highest and above the lowest layer, which agree outside and disagree inside, and the reversed
    middle cut, which decides inside.

    Parameters
    ----------
    n_samples : int
        Number of cases.
    inner_share : float
        Probability of the two inner layers together, which is the error of the middle cut. Up to a share of 2/3 no
        linear separator has an expected error below half of it.
    gap : float
        Share of a layer's thickness that stays empty, half of it on either side, so that neighbouring layers are
        ``gap / 2`` apart in a cake of height 2.
    angle : float
        Degrees by which the cake is turned anticlockwise about its centre. At 0 the layers are level, and a tree with
        axis-parallel splits separates them easily; at 45 it cannot.
    noise : float
        Probability that a class is inverted; up to 0.5 this is the Bayes error.
    random_state : int, None, RandomState, Generator or SeedSequence
        Where the randomness comes from.
    as_frame : bool
        Whether to return a pandas frame and series instead of arrays.

    Returns
    -------
    X : ndarray of shape (n_samples, 2), or DataFrame
    y : ndarray of shape (n_samples,), or Series

    Notes
    -----
    The paper gives no parameters. Its training accuracies, 0.703 and 0.803, fit 300 cases (211 and 241 right), hence
    the default size; an inner share of 0.4 gives a base classifier that is poor (0.6), yet accepted by the first round
    of boosting.

    References
    ----------
    .. [1] R. Khoussainov, A. Hess and N. Kushmerick, "Ensembles of biased classifiers", 2005, sections 1, 3 and 5.
    """
    return present(*LayeredCakeTask(inner_share, gap, angle, noise).sample(n_samples, random_state), as_frame=as_frame)
