from itertools import product

import numpy as np
import pandas as pd
import pytest

from covey.datasets.generators import LedTask, make_led

# The segments lit by each digit, from top to bottom and from left to right.
LIT = ["0 1 2 4 5 6", "2 5", "0 2 3 4 6", "0 2 3 5 6", "1 2 3 5", "0 1 3 5 6", "0 1 3 4 5 6", "0 2 5", "0 1 2 3 4 5 6"]
LIT.append("0 1 2 3 5 6")
DIGITS = np.array([[float(str(segment) in lit.split()) for segment in range(7)] for lit in LIT])
PATTERNS = np.array(list(product([0.0, 1.0], repeat=7)))


def exact_bayes_error(noise):
    wrong = (PATTERNS[:, None, :] != DIGITS).sum(axis=2)
    return 1 - (noise**wrong * (1 - noise) ** (7 - wrong)).max(axis=1).sum() / 10


def test_the_exact_bayes_error_is_the_known_one():
    assert exact_bayes_error(0.1) == pytest.approx(0.26, abs=0.001)


def test_the_bayes_rule_has_the_exact_bayes_error(assert_share):
    task = LedTask()
    X, y = make_led(100_000, random_state=0)
    assert_share(task.predict(X) != y, exact_bayes_error(0.1))
    best = 1 - task.class_probabilities(X).max(axis=1)
    assert best.mean() == pytest.approx(exact_bayes_error(0.1), abs=4.5 * best.std() / np.sqrt(len(X)))


def test_without_noise_every_digit_shows_itself():
    X, y = make_led(500, noise=0.0, n_irrelevant=0, random_state=1)
    np.testing.assert_array_equal(X, DIGITS[y])
    np.testing.assert_array_equal(LedTask(0.0, 0).predict(X), y)


def test_with_full_noise_every_segment_is_inverted():
    X, y = make_led(500, noise=1.0, n_irrelevant=0, random_state=1)
    np.testing.assert_array_equal(X, 1 - DIGITS[y])
    np.testing.assert_array_equal(LedTask(1.0, 0).predict(X), y)


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


def test_defaults_are_those_of_led_24():
    X, y = make_led(random_state=0)
    assert X.shape == (200, 24)
    assert y.shape == (200,)
    assert set(np.unique(X)) == {0.0, 1.0}


def test_frame_columns_are_nominal():
    X, y = make_led(20, random_state=0, as_frame=True)
    assert list(X.columns)[:2] == ["top", "upper_left"]
    assert X.columns[-1] == "irrelevant17"
    assert all(dtype == pd.CategoricalDtype([0, 1]) for dtype in X.dtypes)
    assert y.name == "class"
    array, codes = make_led(20, random_state=0)
    np.testing.assert_array_equal(X.to_numpy(dtype=float), array)
    np.testing.assert_array_equal(LedTask().predict(X), LedTask().predict(array))
    np.testing.assert_array_equal(y, codes)


def test_bad_arguments():
    with pytest.raises(ValueError, match=r"noise=1\.1 is out of range; give a finite number between 0 and 1"):
        make_led(10, noise=1.1)
    with pytest.raises(ValueError, match="n_irrelevant=-1 is too small"):
        make_led(10, n_irrelevant=-1)
    with pytest.raises(ValueError, match="n_samples=0 is too small"):
        make_led(0)
