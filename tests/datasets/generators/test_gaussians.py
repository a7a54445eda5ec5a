import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import ncx2, norm

from covey.datasets import (
    make_ringnorm,
    make_threenorm,
    make_twonorm,
    ringnorm_task,
    threenorm_task,
    twonorm_task,
)

N = 200_000
A = 2 / np.sqrt(20)
ALTERNATING = A * np.tile([1.0, -1.0], 10)


def threenorm_error():
    """Integrate over the two directions that matter: along the first class's means (u) and the second's (v).

    The likelihood ratio is cosh(2u) / exp(2v), so the border is v = log(cosh(2u)) / 2.
    """

    def border(u):
        return np.logaddexp(2 * u, -2 * u) / 2 - np.log(2) / 2

    first, _ = quad(lambda u: norm.pdf(u, 2) * norm.sf(border(u)), -10, 14)
    second, _ = quad(lambda u: norm.pdf(u) * norm.cdf(border(u), 2), -12, 12)
    return (first + second) / 2


def ringnorm_error(a):
    """The border is a sphere around 4a/3, so both errors are noncentral chi-square probabilities."""
    squared = 20 * a**2
    radius = 8 / 3 * (20 * np.log(2) + squared / 6)
    wide_inside = ncx2.cdf(radius / 4, 20, 16 / 9 * squared / 4)
    narrow_outside = ncx2.sf(radius, 20, squared / 9)
    return (wide_inside + narrow_outside) / 2


EXACT = [
    (twonorm_task, make_twonorm, norm.cdf(-2), 0.023, 0.0005),
    (threenorm_task, make_threenorm, threenorm_error(), 0.105, 0.0005),
    (ringnorm_task, make_ringnorm, ringnorm_error(A), 0.013, 0.001),
]


@pytest.mark.parametrize(("make_task", "make", "exact", "published", "rounding"), EXACT, ids=["two", "three", "ring"])
def test_the_bayes_rule_has_the_exact_bayes_error_which_is_the_published_one(
    make_task, make, exact, published, rounding, assert_share
):
    assert exact == pytest.approx(published, abs=rounding)
    task = make_task()
    X, y = make(N, random_state=0)
    assert_share(y == 1, 0.5)
    probabilities = task.class_probabilities(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert_share(task.predict(X) != y, exact)
    best = 1 - probabilities.max(axis=1)
    assert best.mean() == pytest.approx(exact, abs=4.5 * best.std() / np.sqrt(N))


def test_the_printed_offset_of_ringnorm_is_further_from_the_published_error():
    assert ringnorm_error(A) == pytest.approx(0.0124, abs=5e-5)
    assert ringnorm_error(A / 2) == pytest.approx(0.0150, abs=5e-5)


@pytest.mark.parametrize(
    ("make", "code", "mean", "covariance"),
    [
        (make_twonorm, 0, np.full(20, A), np.eye(20)),
        (make_twonorm, 1, np.full(20, -A), np.eye(20)),
        (make_threenorm, 0, np.zeros(20), np.eye(20) + A**2),
        (make_threenorm, 1, ALTERNATING, np.eye(20)),
        (make_ringnorm, 0, np.zeros(20), 4 * np.eye(20)),
        (make_ringnorm, 1, np.full(20, A), np.eye(20)),
    ],
)
def test_class_moments(make, code, mean, covariance, assert_moments):
    X, y = make(20_000, random_state=2)
    assert X.dtype == np.float64
    assert y.dtype == np.int64
    assert_moments(X[y == code], mean, covariance)


def test_other_dimensions_keep_the_error_of_twonorm(assert_share):
    task = twonorm_task(4)
    X, y = task.sample(50_000, 3)
    assert X.shape == (50_000, 4)
    assert_share(task.predict(X) != y, norm.cdf(-2))


def test_stored_twonorm_has_the_same_distribution(stored_cases, assert_moments, assert_share):
    X, y = stored_cases("twonorm")
    assert_moments(X[y == 0], np.full(20, A), np.eye(20))
    assert_moments(X[y == 1], np.full(20, -A), np.eye(20))
    assert_share(twonorm_task().predict(X) != y, norm.cdf(-2))


def test_how_far_the_means_of_ringnorm_are_apart_can_be_chosen():
    assert ringnorm_task(distance=1.0).bayes_error() == pytest.approx(0.0150, abs=2e-4)
    X, y = make_ringnorm(20_000, distance=1.0, random_state=0)
    np.testing.assert_allclose(X[y == 1].mean(axis=0), 1 / np.sqrt(20), atol=0.05)
