import numpy as np
import pytest
from scipy.special import softmax

from covey.datasets.generators import WaveformTask, make_waveform

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


def test_noise_features_do_not_change_the_rule():
    X, _ = make_waveform(50, n_noise_features=19, random_state=2)
    assert X.shape == (50, 40)
    np.testing.assert_array_equal(
        WaveformTask(19).class_probabilities(X), WaveformTask().class_probabilities(X[:, :21])
    )


@pytest.mark.parametrize("code", range(3))
def test_class_moments(code, assert_moments, assert_share):
    X, y = make_waveform(30_000, random_state=3)
    assert_share(y == code, 1 / 3)
    assert_moments(X[y == code], *moments(code))


def test_noise_features_are_standard_normal(assert_moments):
    X, _ = make_waveform(20_000, n_noise_features=19, random_state=4)
    assert_moments(X[:, 21:], np.zeros(19), np.eye(19))


def test_frame_and_bad_arguments():
    X, y = make_waveform(4, n_noise_features=19, random_state=0, as_frame=True)
    assert list(X.columns) == [f"x{number}" for number in range(1, 41)]
    assert y.name == "class"
    with pytest.raises(ValueError, match="n_noise_features=-1 is too small"):
        make_waveform(4, n_noise_features=-1)
    with pytest.raises(ValueError, match="n_samples=0 is too small"):
        make_waveform(0)


@pytest.mark.parametrize(("name", "n_noise_features"), [("waveform_21", 0), ("waveform_40", 19)])
def test_stored_cases_have_the_same_distribution(name, n_noise_features, stored_cases, assert_moments, assert_share):
    X, y = stored_cases(name)
    assert_share(WaveformTask(n_noise_features).predict(X) != y, BAYES_ERROR)
    for code in range(3):
        assert_moments(X[y == code, :21], *moments(code))
