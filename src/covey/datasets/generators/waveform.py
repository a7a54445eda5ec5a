"""The waveform recognition problem of the CART book: noisy mixtures of two of three triangular waves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, softmax

from covey._arguments import check_count
from covey.datasets.generators.arguments import check_table
from covey.datasets.generators.task import ClassificationTask, Codes, Floats, Sample, present
from covey.seeds import RandomState, generator

_N_POINTS = 21
_PEAKS = np.array([7, 15, 11])
# h1, h2 and h3, one row each, at the points 1, ..., 21.
_WAVES = np.maximum(6.0 - np.abs(np.arange(1, _N_POINTS + 1) - _PEAKS[:, None]), 0.0)
# The two waves that each class mixes: (h1, h2), (h1, h3), (h2, h3).
_PAIRS = np.array([[0, 1], [0, 2], [1, 2]])


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
        check_count("n_samples", n_samples, 1)
        rng = generator(random_state)
        classes = rng.integers(len(_PAIRS), size=n_samples)
        share = rng.random((n_samples, 1))
        X = rng.standard_normal((n_samples, _N_POINTS + self.n_noise_features))
        first, second = _WAVES[_PAIRS[classes].T]
        X[:, :_N_POINTS] += share * first + (1.0 - share) * second
        return X, classes

    def class_probabilities(self, X: ArrayLike) -> Floats:
        """Return P(class | x), with the mixing proportion integrated out in closed form."""
        wave = check_table(X, _N_POINTS + self.n_noise_features)[:, :_N_POINTS]
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
    random_state : int, None, RandomState, Generator or SeedSequence
        Where the randomness comes from.
    as_frame : bool
        Whether to return a pandas frame and series instead of arrays.

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
    X, y = WaveformTask(n_noise_features).sample(n_samples, random_state)
    return present(X, y, as_frame=as_frame)
