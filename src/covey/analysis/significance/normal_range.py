"""The range of normal numbers (the studentised range of known spread), and the critical difference of mean ranks."""

from __future__ import annotations

from math import ceil, log, pi, sqrt

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from covey._arguments import check_count
from covey.analysis.numbers import Floats
from covey.analysis.scores import check_alpha

# A standard normal number beyond this is too rare to matter beside rounding, wherever the integrand has its peak.
REACH = 6.5
# The probability of a larger range than this is below the least positive number.
FARTHEST = 80.0
CELLS_AT_ONCE = 1 << 16


def range_sf(q: Floats, k: int) -> Floats:
    """Return the probability that k standard normal numbers have a range of q or more (Harter 1960).

    P(R >= q) = k ∫ φ(u) [S(u)^(k-1) - (S(u) - S(u+q))^(k-1)] du, where φ is the normal density, S its upper tail, and u
    the least of the numbers. The difference of powers is taken as S(u)^(k-1) (1 - (1 - S(u+q)/S(u))^(k-1)), which loses
    no digits: 11 or more are right however small the result is, checked for k up to 10,000. The trapezoid rule is as
    good as exact here: the integrand is analytic and fades quickly on both sides.
    """
    from scipy.special import log_ndtr, ndtr, ndtri

    ranges = np.minimum(q, FARTHEST)
    extreme = max(2.0, -float(ndtri(1.0 / k)))  # about where the least of k numbers lies, below the mean
    step = 0.27 / extreme
    count = ceil((2.0 * REACH + extreme) / step) + 2
    # The integrand peaks near -q/2, or near the usual least number if that lies farther out. All ranges take their
    # nodes from one grid, so that the part of the integrand without q is worked out once.
    first = np.floor(-(np.maximum(ranges / 2.0, extreme) + REACH) / step).astype(np.intp)
    start = int(first.min(initial=0))
    nodes = step * np.arange(start, int(first.max(initial=start)) + count)
    above = ndtr(-nodes)
    density = step * k / sqrt(2.0 * pi) * np.exp(-0.5 * nodes**2 + (k - 1) * log_ndtr(-nodes))
    windows = [sliding_window_view(values, count) for values in (nodes, above, density)]
    result = np.ones(len(ranges))
    positive = np.flatnonzero(ranges > 0)
    rows = max(1, CELLS_AT_ONCE // count)
    for begin in range(0, len(positive), rows):
        part = positive[begin : begin + rows]
        u, share, weight = (window[first[part] - start] for window in windows)
        u += ranges[part, None]
        beyond = ndtr(np.negative(u, out=u), out=u)
        beyond /= share
        np.minimum(beyond, 1.0, out=beyond)  # a tiny range may come out above 1 by rounding
        with np.errstate(divide="ignore"):  # and then nobody stays within it: log 0 is -inf, as it should be
            fewer = np.log1p(np.negative(beyond, out=beyond), out=beyond)
        fewer *= k - 1
        weight *= np.expm1(fewer, out=fewer)
        result[part] = -weight.sum(axis=1)
    return np.minimum(result, 1.0) + 0.0  # no negative zero


def range_quantile(alpha: float, k: int) -> float:
    """Return the range that k standard normal numbers reach with probability alpha: the root of `range_sf`."""
    from scipy.optimize import brentq
    from scipy.special import ndtri_exp

    level = log(alpha)

    def excess(q: float) -> float:
        return float(np.log(np.maximum(range_sf(np.array([q]), k)[0], np.finfo(float).tiny)) - level)

    # A range of q takes a number beyond q/2 on either side, which has a probability of at most 2 k S(q/2).
    highest = -2.0 * float(ndtri_exp(level - log(2 * k)))
    return float(brentq(excess, 0.0, highest, xtol=1e-15, rtol=4 * np.finfo(float).eps))


def critical_difference(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Return how far apart two mean ranks must be to differ significantly by Nemenyi's test.

    CD = q / sqrt(2) sqrt(k (k+1) / (6 n)) for k methods and n datasets (section 5 of the sphere-cover paper), where
    q is the upper alpha quantile of the studentised range, computed and not looked up.

    Parameters
    ----------
    n_methods, n_datasets : int
        How many, 2 or more of each.
    alpha : float, default=0.05
        The probability of calling any two methods different when all are alike.

    References
    ----------
    P. Nemenyi (1963). Distribution-free multiple comparisons. Ph.D. thesis, Princeton University.

    J. Demšar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1-30.
    """
    check_count("n_methods", n_methods, 2)
    check_count("n_datasets", n_datasets, 2)
    k, n = int(n_methods), int(n_datasets)
    return range_quantile(check_alpha(alpha), k) / sqrt(2.0) * rank_spread(k, n)


def rank_spread(k: int, n: int) -> float:
    """Return the standard deviation of the difference of two mean ranks when all methods are alike."""
    return sqrt(k * (k + 1) / (6.0 * n))
