"""The LED display problem of the CART book: digits shown by seven unreliable segments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from covey._arguments import check_count, check_number
from covey.datasets.generators.arguments import check_table
from covey.datasets.generators.task import ClassificationTask, Codes, Floats, Sample, numbered_names, present
from covey.seeds import RandomState, generator

_SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")
_DIGITS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ],
    dtype=bool,
)


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
        check_count("n_samples", n_samples, 1)
        rng = generator(random_state)
        digits = rng.integers(len(_DIGITS), size=n_samples)
        segments = _DIGITS[digits] ^ (rng.random((n_samples, len(_SEGMENTS))) < self.noise)
        irrelevant = rng.integers(2, size=(n_samples, self.n_irrelevant))
        return np.hstack([segments, irrelevant]).astype(np.float64), digits

    def class_probabilities(self, X: ArrayLike) -> Floats:
        """Return P(digit | segments), the same for all digits where the noise level rules the pattern out."""
        segments = check_table(X, len(_SEGMENTS) + self.n_irrelevant)[:, : len(_SEGMENTS)]
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
    random_state : int, None, RandomState, Generator or SeedSequence
        Where the randomness comes from.
    as_frame : bool
        Whether to return a pandas frame and series instead of arrays.

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
    X, y = task.sample(n_samples, random_state)
    return present(X, y, as_frame=as_frame, names=task.feature_names, categorical=task.feature_names)
