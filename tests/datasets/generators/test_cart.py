from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax

from covey.datasets import LedTask, WaveformTask, make_led, make_waveform

N = 200_000
BAYES_ERROR = 0.133

POINTS = np.arange(1, 22)
FIRST, SECOND, THIRD = (np.maximum(6 - np.abs(POINTS - peak), 0) for peak in (7, 15, 11))
MIXED = [(FIRST, SECOND), (FIRST, THIRD), (SECOND, THIRD)]


def moments(code):
    """u has mean 1/2 and variance 1/12."""
    f, g = MIXED[code]
    return (f + g) / 2, np.outer(f - g, f - g) / 12 + np.eye(21)


def posterior_by_quadrature(X):
    nodes, weights = np.polynomial.legendre.leggauss(60)
    share, weights = (nodes + 1) / 2, weights / 2
    log_density = []
    for f, g in MIXED:
        centres = share[:, None] * f + (1 - share[:, None]) * g
        distance = ((X[:, None, :] - centres) ** 2).sum(axis=2)
        log_density.append(np.logaddexp.reduce(-distance / 2 + np.log(weights), axis=1))
    return softmax(np.column_stack(log_density), axis=1)


def test_the_posterior_agrees_with_quadrature():
    X, _ = make_waveform(500, random_state=0)
    np.testing.assert_allclose(WaveformTask().class_probabilities(X), posterior_by_quadrature(X), atol=1e-9)


def test_the_posterior_is_finite_far_from_the_data():
    X = 60 * np.random.default_rng(0).standard_normal((200, 21))
    probabilities = WaveformTask().class_probabilities(X)
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


def test_the_bayes_rule_errs_about_as_often_as_published(assert_share):
    X, y = make_waveform(N, random_state=1)
    task = WaveformTask()
    assert_share(task.predict(X) != y, BAYES_ERROR)
    assert task.bayes_error() == pytest.approx(0.14, abs=0.01)


def test_noise_features_are_standard_normal_and_do_not_change_the_rule(assert_moments):
    X, _ = make_waveform(20_000, n_noise_features=19, random_state=4)
    assert X.shape == (20_000, 40)
    assert_moments(X[:, 21:], np.zeros(19), np.eye(19))
    with_noise, without = WaveformTask(19).class_probabilities(X[:50]), WaveformTask().class_probabilities(X[:50, :21])
    np.testing.assert_array_equal(with_noise, without)


@pytest.mark.parametrize("code", range(3))
def test_class_moments(code, assert_moments, assert_share):
    X, y = make_waveform(30_000, random_state=3)
    assert_share(y == code, 1 / 3)
    assert_moments(X[y == code], *moments(code))


@pytest.mark.parametrize(("name", "n_noise_features"), [("waveform_21", 0), ("waveform_40", 19)])
def test_stored_cases_have_the_same_distribution(name, n_noise_features, stored_cases, assert_moments, assert_share):
    X, y = stored_cases(name)
    assert_share(WaveformTask(n_noise_features).predict(X) != y, BAYES_ERROR)
    for code in range(3):
        assert_moments(X[y == code, :21], *moments(code))


# The segments lit by each digit, from top to bottom and from left to right.
LIT = ["0 1 2 4 5 6", "2 5", "0 2 3 4 6", "0 2 3 5 6", "1 2 3 5", "0 1 3 5 6", "0 1 3 4 5 6", "0 2 5", "0 1 2 3 4 5 6"]
LIT.append("0 1 2 3 5 6")
DIGITS = np.array([[float(str(segment) in lit.split()) for segment in range(7)] for lit in LIT])
PATTERNS = np.array(list(product([0.0, 1.0], repeat=7)))


def exact_bayes_error(noise):
    wrong = (PATTERNS[:, None, :] != DIGITS).sum(axis=2)
    return 1 - (noise**wrong * (1 - noise) ** (7 - wrong)).max(axis=1).sum() / 10


def test_the_bayes_rule_of_led_has_the_exact_bayes_error_which_is_the_known_one(assert_share):
    exact, task = exact_bayes_error(0.1), LedTask()
    assert exact == pytest.approx(0.26, abs=0.001)
    X, y = make_led(100_000, random_state=0)
    assert_share(task.predict(X) != y, exact)
    best = 1 - task.class_probabilities(X).max(axis=1)
    assert best.mean() == pytest.approx(exact, abs=4.5 * best.std() / np.sqrt(len(X)))


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_without_noise_digits_show_themselves_and_with_full_noise_every_segment_is_inverted(noise):
    X, y = make_led(500, noise=noise, n_irrelevant=0, random_state=1)
    np.testing.assert_array_equal(X, np.abs(noise - DIGITS[y]))
    np.testing.assert_array_equal(LedTask(noise, 0).predict(X), y)


def test_an_impossible_pattern_favours_no_digit():
    np.testing.assert_allclose(LedTask(0.0, 0).class_probabilities(np.zeros((1, 7))), 0.1)


def test_shares_of_digits_inversions_and_irrelevant_bits(assert_share):
    X, y = make_led(20_000, random_state=2)
    for digit in range(10):
        assert_share(y == digit, 0.1)
    for segment in range(7):
        assert_share(X[:, segment] != DIGITS[y, segment], 0.1)
    for bit in X[:, 7:].T:
        assert_share(bit, 0.5)
    correlation = np.corrcoef(X, rowvar=False)[7:]
    np.fill_diagonal(correlation[:, 7:], 0)
    assert np.abs(correlation).max() < 5 / np.sqrt(20_000)


def test_frame_columns_of_led_are_nominal():
    X, y = make_led(20, random_state=0, as_frame=True)
    assert list(X.columns)[:2] == ["top", "upper_left"]
    assert X.columns[-1] == "irrelevant17"
    assert all(dtype == pd.CategoricalDtype([0, 1]) for dtype in X.dtypes)
    assert y.name == "class"
    array, codes = make_led(20, random_state=0)
    np.testing.assert_array_equal(X.to_numpy(dtype=float), array)
    np.testing.assert_array_equal(LedTask().predict(X), LedTask().predict(array))
    np.testing.assert_array_equal(y, codes)
