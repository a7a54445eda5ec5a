"""Bayesian signed-rank and correlated t-tests: how probable it is that one method is better than another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from covey._arguments import check_count, check_number
from covey._rounding import write_number
from covey.analysis.numbers import Floats
from covey.analysis.scores import check_direction
from covey.analysis.significance.resampled import check_sizes, corrected_standard_error, paired_differences
from covey.analysis.tables.result import Finding, ResultTable, table_of
from covey.seeds import RandomState, generator

# Weights that are held at a time: half a megabyte, which stays in the cache.
CHUNK = 2**16


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(Finding):
    """What is to be believed of two methods after seeing their scores."""

    test: str  #: the name of the test
    n_scores: int  #: how many pairs of scores there were
    larger_is_better: bool  #: which direction is better
    rope: float  #: the largest difference that has no practical meaning
    first_better: float  #: the probability that the first method is better by more than the rope, ...
    equivalent: float  #: ... that they differ by no more than the rope, ...
    second_better: float  #: ... and that the second is better by more; the three sum to 1

    def table(self) -> ResultTable:
        """Return the three probabilities as a table of one row."""
        row = {"first better": self.first_better, "equivalent": self.equivalent, "second better": self.second_better}
        return table_of(
            [row],
            [self.test],
            "test",
            caption=f"Posterior probabilities from {self._setting}",
            formats=dict.fromkeys(row, ".4f"),
        )

    def plot(self, ax: Any = None, *, names: tuple[str, str] = ("first", "second"), title: str | None = None) -> Any:
        """Draw the posterior, and return the axes; see `covey.plots.draw_posterior`."""
        from covey.plots import draw_posterior, posterior_diagram

        return draw_posterior(posterior_diagram(self, names), ax, title=title)

    @property
    def _setting(self) -> str:
        direction = "larger" if self.larger_is_better else "smaller"
        equal = f"differences up to {self.rope:g}" if self.rope else "only ties"
        return f"{self.n_scores} pairs of scores ({direction} is better, {equal} are equivalent)"

    def __str__(self) -> str:
        chances = (self.first_better, self.equivalent, self.second_better)
        first, equal, second = (write_number(chance, ".4f") for chance in chances)
        return f"{self.test} of {self._setting}: first better {first}, equivalent {equal}, second better {second}"


@dataclass(frozen=True, eq=False, repr=False)
class SignedRankPosterior(Posterior):
    """The posterior of the Bayesian signed-rank test."""

    prior_strength: float  #: the weight of the pseudo-observation
    #: of shape (n_samples, 3): for each sample of the posterior the shares of the pairs of datasets that speak for the
    #: first method, for equivalence and for the second; rows sum to 1
    shares: Floats


@dataclass(frozen=True, eq=False, repr=False)
class CorrelatedPosterior(Posterior):
    """The posterior of the Bayesian correlated t-test: a Student distribution of the mean difference."""

    mean_difference: float  #: its centre: the mean of first - second
    scale: float  #: with 0 the whole posterior is at its centre
    degrees_of_freedom: int  #: the number of runs less one
    correlation: float  #: of the scores of two runs: n_test / (n_train + n_test)


def bayesian_signed_rank(
    first: Any,
    second: Any,
    *,
    larger_is_better: bool,
    rope: float = 0.0,
    prior_strength: float = 0.5,
    n_samples: int = 50_000,
    random_state: RandomState = 0,
) -> SignedRankPosterior:
    """Compare two methods over several datasets by the Bayesian signed-rank test.

    The differences d_1, ..., d_q and a pseudo-observation d_0 = 0 get weights w from a Dirichlet distribution with
    parameters (s, 1, ..., 1), where s is the strength of the prior (Benavoli et al., 2014, and with a rope 2017). A
    sample speaks for the first method with the share sum_ij w_i w_j 1[(d_i + d_j)/2 > rope], for the second with that
    of the means below -rope, and for equivalence with the rest, borders included. The probability of each is how often
    its share is the largest.

    Parameters
    ----------
    first, second : array-like of shape (n_datasets,)
        Scores of the two methods, for example mean accuracies, on the same datasets in the same order.
    larger_is_better : bool
        True for accuracies, False for errors.
    rope : float, default=0
        The largest difference that has no practical meaning, in the units of the scores. With 0 only ties speak for
        equivalence.
    prior_strength : float, default=0.5
        The weight of the pseudo-observation, which favours equivalence; 0 leaves it out.
    n_samples : int, default=50_000
        How many samples of the posterior are drawn. The standard error of a probability is at most
        0.5 / sqrt(n_samples), which is 0.0022.
    random_state : int, None, RandomState, Generator or SeedSequence, default=0
        Seeds the samples. With an integer the order of the datasets makes no difference, and exchanging the methods
        exchanges their probabilities.

    Returns
    -------
    SignedRankPosterior
        If all differences are zero, the probability of equivalence is 1.
    """
    check_number("rope", rope, 0.0)
    check_number("prior_strength", prior_strength, 0.0)
    check_count("n_samples", n_samples, 1)
    direction, width, strength = check_direction(larger_is_better), float(rope), float(prior_strength)
    difference, rounding = paired_differences(first, second, matrices=False)
    gain = difference if direction else -difference
    # Samples go by place. The same data must meet the same samples in any order, and mirrored if methods are exchanged.
    as_given, exchanged = (sorted(zip(sign * gain, rounding, strict=True)) for sign in (1, -1))
    mirrored = exchanged > as_given
    data = np.array(exchanged if mirrored else as_given)
    shares = _sample_shares(data, width, strength, int(n_samples), generator(random_state))
    if mirrored:
        shares = shares[:, ::-1]
    largest = shares == shares.max(axis=1, keepdims=True)
    chances = (largest / largest.sum(axis=1, keepdims=True)).mean(axis=0)
    return SignedRankPosterior(
        test="Bayesian signed-rank test",
        n_scores=len(difference),
        larger_is_better=direction,
        rope=width,
        first_better=float(chances[0]),
        equivalent=float(chances[1]),
        second_better=float(chances[2]),
        prior_strength=strength,
        shares=shares,
    )


def bayesian_correlated_t(
    first: Any,
    second: Any,
    *,
    n_train: float,
    n_test: float,
    larger_is_better: bool,
    rope: float = 0.0,
    step: float = 0.0,
) -> CorrelatedPosterior:
    """Compare two methods on one dataset by the Bayesian correlated t-test.

    Runs on overlapping training sets have correlated scores. With the correlation rho = n_test / (n_train + n_test) the
    posterior of the mean difference is a Student distribution with J - 1 degrees of freedom around mean(d), of scale
    sqrt((1/J + rho/(1 - rho)) var(d)), for J differences d with unbiased variance var (Corani and Benavoli, 2015).

    Parameters
    ----------
    first, second, n_train, n_test, larger_is_better
        As for `corrected_t_test`.
    rope : float, default=0
        The largest difference that has no practical meaning, in the units of the scores. With 0 the probability of
        equivalence is 0, unless all differences are zero.
    step : float, default=0
        The least difference that scores can show, such as 1/n_test of an accuracy. Where there is a difference at all,
        var is at least that of rounding to it, step²/12: that a few fits differ by one row each makes nothing sure.

    Returns
    -------
    CorrelatedPosterior
        If all differences are the same, and no step is given, all probability is where that difference lies.
    """
    check_number("rope", rope, 0.0)
    check_number("step", step, 0.0)
    direction, width = check_direction(larger_is_better), float(rope)
    train, test = check_sizes(n_train, n_test)
    difference, rounding = paired_differences(first, second, matrices=True)
    mean, scale, freedom = corrected_standard_error(difference, test / train, rounding)
    if mean != 0:
        scale = max(scale, step * float(np.sqrt((1 / len(difference) + test / train) / 12)))
    if scale == 0:
        border = width + float(rounding.max())
        above, below = float(mean > border), float(mean < -border)
    else:
        from scipy.stats import t as student

        above = float(student.sf((width - mean) / scale, freedom))
        below = float(student.cdf((-width - mean) / scale, freedom))
    better, worse = (above, below) if direction else (below, above)
    return CorrelatedPosterior(
        test="Bayesian correlated t-test",
        n_scores=len(difference),
        larger_is_better=direction,
        rope=width,
        first_better=better,
        equivalent=max(0.0, 1 - above - below),
        second_better=worse,
        mean_difference=mean,
        scale=scale,
        degrees_of_freedom=freedom,
        correlation=test / (train + test),
    )


def _sample_shares(data: Floats, rope: float, strength: float, n_samples: int, rng: np.random.Generator) -> Floats:
    """Return the shares of pairs above the rope, within and below, for each sample of the weights."""
    # A pair counts as above or below only if it is by more than its rounding errors.
    low = np.concatenate(([0.0], data[:, 0] - data[:, 1]))
    high = np.concatenate(([0.0], data[:, 0] + data[:, 1]))
    shares = np.empty((n_samples, 3))
    step = max(1, CHUNK // len(low))
    for start in range(0, n_samples, step):
        part = shares[start : start + step]
        weights = np.empty((len(low), len(part)))
        weights[0] = rng.standard_gamma(strength, len(part))
        weights[1:] = rng.standard_exponential((len(data), len(part)))
        weights /= weights.sum(axis=0)
        part[:, 0] = _share_above(low, weights, 2 * rope)
        part[:, 2] = _share_above(-high, weights, 2 * rope)
    shares[:, 1] = np.maximum(0, 1 - shares[:, 0] - shares[:, 2])
    return shares


def _share_above(values: Floats, weights: Floats, border: float) -> Floats:
    """Return the weight of the pairs of values whose sum is above a border, for each column of weights.

    In the order of the values the partners of each are the last ones, so that sums from the end give their weight.
    """
    order = np.argsort(values)
    ordered, weights = values[order], weights[order]
    partners = np.searchsorted(ordered, border - ordered, side="right")
    from_end = np.zeros((len(values) + 1, weights.shape[1]))
    np.cumsum(weights[::-1], axis=0, out=from_end[1:])
    return np.asarray(np.einsum("ij,ij->j", weights, from_end[len(values) - partners]))
