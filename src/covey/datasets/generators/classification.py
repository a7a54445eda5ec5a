"""Waveform and LED problems of the CART book, and the layered cake of the Triskel paper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, softmax

from covey._arguments import check_count, check_number
from covey.datasets.generators.task import (
    ClassificationTask,
    Codes,
    Floats,
    Sample,
    check_columns,
    numbered_names,
    present,
    start,
)
from covey.seeds import RandomState

_N_POINTS = 21
_PEAKS = np.array([7, 15, 11])
# h1, h2 and h3, one row each, at the points 1, ..., 21.
_WAVES = np.maximum(6.0 - np.abs(np.arange(1, _N_POINTS + 1) - _PEAKS[:, None]), 0.0)
# The two waves that each class mixes: (h1, h2), (h1, h3), (h2, h3).
_PAIRS = np.array([[0, 1], [0, 2], [1, 2]])
_SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")
# The segments that each digit from 0 to 9 lights.
_LIT = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011"
_DIGITS = np.array([[segment == "1" for segment in digit] for digit in _LIT.split()])


@dataclass(frozen=True)
class WaveformTask(ClassificationTask):
    """The waveform problem with its exact posterior. See `make_waveform`.

    Parameters
    ----------
    n_noise_features : int
        Number of standard normal features after the 21 points of the wave.
    """

    n_noise_features: int = 0

    def __post_init__(self) -> None:
        check_count("n_noise_features", self.n_noise_features, 0)

    def sample(self, n_samples: int, random_state: RandomState = None) -> tuple[Floats, Codes]:
        """Draw a class, mix its two waves in a random proportion and add standard normal noise everywhere."""
        rng = start(n_samples, random_state)
        classes = rng.integers(len(_PAIRS), size=n_samples)
        share = rng.random((n_samples, 1))
        X = rng.standard_normal((n_samples, _N_POINTS + self.n_noise_features))
        first, second = _WAVES[_PAIRS[classes].T]
        X[:, :_N_POINTS] += share * first + (1.0 - share) * second
        return X, classes

    def class_probabilities(self, X: ArrayLike) -> Floats:
        """Return P(class | x), with the mixing proportion integrated out in closed form."""
        wave = check_columns(X, _N_POINTS + self.n_noise_features)[:, :_N_POINTS]
        return np.asarray(softmax(np.stack([_log_density(wave, pair) for pair in _PAIRS], axis=1), axis=1))


def _log_density(X: Floats, pair: Codes) -> Floats:
    """Return the log of the integral over u in [0, 1] of N(x; u f + (1 - u) g, I), without its constant factor.

    Seen as a function of u the integrand is a normal density around the projection of x - g on f - g, so its integral
    is a difference of two normal distribution functions.
    """
    first, second = _WAVES[pair]
    direction = first - second
    length = np.sqrt(direction @ direction)
    rest = X - second
    projection = rest @ direction / length
    # Mirrored to the lower tail, where the logarithm of the distribution function keeps its precision.
    upper, lower = length - projection, -projection
    mirrored = lower > 0
    larger = np.where(mirrored, -lower, upper)
    smaller = np.where(mirrored, -upper, lower)
    log_share = log_ndtr(larger) + np.log1p(-np.exp(log_ndtr(smaller) - log_ndtr(larger)))
    return np.asarray(log_share - np.log(length) - 0.5 * ((rest**2).sum(axis=1) - projection**2))


def make_waveform(
    n_samples: int = 5000, *, n_noise_features: int = 0, random_state: RandomState = None, as_frame: bool = False
) -> Sample:
    """Generate waveform 21 or, with 19 noise features, waveform 40 [1]_.

    With the triangular waves h(i) = max(6 - abs(i - peak), 0), i = 1, ..., 21, that peak at 7 (h1), 15 (h2) and
    11 (h3), a case is u f + (1 - u) g plus standard normal noise at every point, u uniform in [0, 1]. The classes
    0, 1 and 2, equally likely, mix (h1, h2), (h1, h3) and (h2, h3). The best rule errs in 13.3 % of cases
    (usually quoted as 14 %).

    Parameters
    ----------
    n_samples : int
        Number of cases; 5000 in most papers, 300 in the multi-strategy paper's waveform-21.
    n_noise_features : int
        Number of standard normal features added after the 21 points: 0 for waveform 21, 19 for waveform 40.
    random_state, as_frame
        As in `make_twonorm`.

    Returns
    -------
    X : ndarray of shape (n_samples, 21 + n_noise_features), or DataFrame
    y : ndarray of shape (n_samples,), or Series

    Notes
    -----
    Some texts number the waves by other peaks (h1 at 11), which only permutes the classes. The numbering here is that
    of the UCI files, so that generated and stored cases can be mixed.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification and Regression Trees", 1984,
       section 2.6.2.
    """
    return present(*WaveformTask(n_noise_features).sample(n_samples, random_state), as_frame=as_frame)


@dataclass(frozen=True)
class LedTask(ClassificationTask):
    """The LED problem with its exact posterior. See `make_led`.

    Parameters
    ----------
    noise : float
        Probability that a segment shows the wrong state.
    n_irrelevant : int
        Number of random boolean features after the seven segments.
    """

    noise: float = 0.1
    n_irrelevant: int = 17

    def __post_init__(self) -> None:
        check_number("noise", self.noise, 0.0, 1.0)
        check_count("n_irrelevant", self.n_irrelevant, 0)

    @property
    def feature_names(self) -> list[str]:
        """The names of the seven segments and of the irrelevant features."""
        return [*_SEGMENTS, *numbered_names(self.n_irrelevant, "irrelevant")]

    def sample(self, n_samples: int, random_state: RandomState = None) -> tuple[Floats, Codes]:
        """Draw a digit, invert each of its segments with the noise probability and append random bits."""
        rng = start(n_samples, random_state)
        digits = rng.integers(len(_DIGITS), size=n_samples)
        segments = _DIGITS[digits] ^ (rng.random((n_samples, len(_SEGMENTS))) < self.noise)
        irrelevant = rng.integers(2, size=(n_samples, self.n_irrelevant))
        return np.hstack([segments, irrelevant]).astype(np.float64), digits

    def class_probabilities(self, X: ArrayLike) -> Floats:
        """Return P(digit | segments), the same for all digits where the noise level rules the pattern out."""
        segments = check_columns(X, len(_SEGMENTS) + self.n_irrelevant)[:, : len(_SEGMENTS)]
        wrong = (segments[:, None, :] != _DIGITS).sum(axis=2)
        likelihood = self.noise**wrong * (1.0 - self.noise) ** (len(_SEGMENTS) - wrong)
        likelihood[~likelihood.any(axis=1)] = 1.0
        return np.asarray(likelihood / likelihood.sum(axis=1, keepdims=True))


def make_led(
    n_samples: int = 200,
    *,
    noise: float = 0.1,
    n_irrelevant: int = 17,
    random_state: RandomState = None,
    as_frame: bool = False,
) -> Sample:
    """Generate LED 24: ten digits, seven unreliable segments and 17 irrelevant features [1]_ [2]_.

    A digit, each equally likely, lights its segments; each segment is then inverted with the probability ``noise``.
    The irrelevant features are fair coin tosses. With a noise of 0.1 the best rule errs in 26 % of cases.

    Parameters
    ----------
    n_samples : int
        Number of cases; 200 in the multi-strategy paper.
    noise : float
        Probability that a segment is inverted.
    n_irrelevant : int
        Number of irrelevant features: 17 for LED 24, 0 for LED 7.
    random_state, as_frame
        As in `make_twonorm`.

    Returns
    -------
    X : ndarray of shape (n_samples, 7 + n_irrelevant), or DataFrame
        Zeros and ones. All features are nominal: in a frame they have the category dtype, in an array only the caller
        can say so.
    y : ndarray of shape (n_samples,), or Series
        The digit.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification and Regression Trees", 1984,
       section 2.6.1.
    .. [2] G. I. Webb and Z. Zheng, "Multistrategy ensemble learning", 2004, Table 6.
    """
    task = LedTask(noise, n_irrelevant)
    names = task.feature_names
    return present(*task.sample(n_samples, random_state), as_frame=as_frame, names=names, categorical=names)


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
    random_state, as_frame
        As in `make_twonorm`.

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
