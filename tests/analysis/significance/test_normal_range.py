from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.integrate import quad
from scipy.special import log_ndtr
from scipy.stats import norm, studentized_range

from covey.analysis.significance.normal_range import range_quantile, range_sf

# Demšar (2006), table 5a: quantiles divided by the root of 2, for 2 to 10 methods.
DEMSAR = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}


def tail(q, k):
    return float(range_sf(np.array([q]), k)[0])


def twin(q, k):
    """The same probability by adaptive quadrature over the greatest number, not the least, in logarithms."""

    def integrand(u):
        with np.errstate(divide="ignore"):
            inside = np.log1p(-np.exp(log_ndtr(u - q) - log_ndtr(u)))
        return k * np.exp(norm.logpdf(u) + (k - 1) * log_ndtr(u)) * -np.expm1((k - 1) * inside)

    peaks = sorted({q / 2 - 0.5, q / 2, q / 2 + 0.5, -norm.ppf(1 / k)})
    return quad(integrand, -12, q / 2 + 14, points=peaks, epsabs=0, epsrel=1e-12, limit=500)[0]


@pytest.mark.parametrize("k", [2, 3, 5, 10, 100])
def test_agrees_with_scipy(k):
    q = np.array([0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0])
    np.testing.assert_allclose(range_sf(q, k), studentized_range.sf(q, k, np.inf), rtol=1e-6, atol=1e-13)


@pytest.mark.parametrize("k", [2, 3, 8, 60, 500, 10_000])
@pytest.mark.parametrize("q", [0.3, 2.0, 5.0, 9.0, 15.0, 30.0, 45.0])
def test_has_all_digits_in_the_tail(q, k):
    assert tail(q, k) == pytest.approx(twin(q, k), rel=1e-10)


def test_of_two_numbers_has_a_closed_form():
    q = np.linspace(0.001, 52, 700)
    np.testing.assert_allclose(range_sf(q, 2), 2 * norm.sf(q / np.sqrt(2)), rtol=2e-12)


@pytest.mark.parametrize("alpha", DEMSAR)
def test_quantiles_are_those_that_demsar_prints(alpha):
    found = [range_quantile(alpha, k) / np.sqrt(2) for k in range(2, 11)]
    np.testing.assert_allclose(found, DEMSAR[alpha], atol=1.01e-3)  # two of them are printed one unit off
    assert np.sum(np.abs(np.subtract(found, DEMSAR[alpha])) > 5.1e-4) <= 2


@pytest.mark.parametrize("k", [2, 3, 17, 400, 10_000])
@pytest.mark.parametrize("alpha", [1e-12, 1e-4, 0.01, 0.1, 0.5, 0.9, 0.999])
def test_quantile_is_the_root(alpha, k):
    q = range_quantile(alpha, k)
    assert tail(q, k) == pytest.approx(alpha, rel=1e-12)


@given(st.floats(1e-12, 0.999), st.integers(2, 10_000), st.floats(1e-9, 60))
@settings(deadline=None, max_examples=50)
def test_p_value_and_quantile_decide_alike(alpha, k, q):
    critical = range_quantile(alpha, k)
    if abs(q - critical) > 1e-9:
        assert (tail(q, k) <= alpha) == (q >= critical)


@given(st.lists(st.floats(0, 60), min_size=2, max_size=20), st.integers(2, 5_000))
@settings(deadline=None, max_examples=50)
def test_falls_with_the_range_and_does_not_depend_on_the_others(ranges, k):
    q = np.sort(ranges)
    p_values = range_sf(q, k)
    assert (np.diff(p_values) <= 1e-12 * p_values[:-1]).all()
    assert ((p_values >= 0) & (p_values <= 1)).all()
    np.testing.assert_allclose(p_values[::-1], [tail(value, k) for value in q[::-1]], rtol=1e-14)


def test_ends_of_the_scale():
    np.testing.assert_array_equal(range_sf(np.array([-1.0, 0.0, 1e-300, 70.0, 1e300, np.inf]), 7), [1, 1, 1, 0, 0, 0])
    assert range_sf(np.array([]), 4).shape == (0,)
