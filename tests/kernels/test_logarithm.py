import math

import numba
import numpy as np
import pytest

from covey.kernels.logarithm import rough_xlog2x, xlog2x


def over_all(function):
    @numba.njit
    def results(values):
        result = np.empty_like(values)
        for i in range(len(values)):
            result[i] = function(values[i])
        return result

    return results


all_of, all_roughly = over_all(xlog2x), over_all(rough_xlog2x)


def expected(values):
    return np.array([x * math.log2(x) if x > 0 else 0.0 for x in values.tolist()])


@pytest.mark.parametrize("scale", [1e-250, 1e-12, 1e-3, 1.0, 1e3, 1e9, 1e250])
def test_it_is_that_of_the_library(scale):
    values = scale * np.random.default_rng(0).uniform(0.5, 4.0, 20_000)
    # Near 1 the logarithm itself has no more digits than the distance from 1.
    np.testing.assert_allclose(all_of(values) / values, expected(values) / values, rtol=1e-13, atol=1e-15)


def test_whole_numbers():
    values = np.arange(2.0, 100_000.0)
    np.testing.assert_allclose(all_of(values), expected(values), rtol=1e-13)


def test_powers_of_two_and_their_neighbours():
    powers = 2.0 ** np.arange(-900, 1000, 7)
    for values in (powers, np.nextafter(powers, 0), np.nextafter(powers, np.inf)):
        np.testing.assert_allclose(all_of(values) / values, expected(values) / values, rtol=1e-13, atol=1e-15)


def test_one_and_nothing_have_no_information():
    assert all_of(np.array([0.0, -0.0, -1e-9, 1e-310])).tolist() == [0.0] * 4
    assert abs(all_of(np.array([1.0]))[0]) < 1e-15


@pytest.mark.parametrize("scale", [1e-250, 1e-12, 1.0, 1e9, 1e250])
def test_the_rough_one_is_within_a_hundred_millionth(scale):
    values = np.append(scale * np.random.default_rng(0).uniform(0.5, 4.0, 20_000), scale * 2.0 ** np.arange(-3, 4))
    np.testing.assert_allclose(all_roughly(values) / values, expected(values) / values, rtol=1e-13, atol=1e-8)


def test_the_rough_one_of_nothing_and_of_what_rounding_leaves():
    np.testing.assert_allclose(all_roughly(np.array([0.0, 1e-310, -1e-310, -1e-12])), 0.0, atol=1e-8)
