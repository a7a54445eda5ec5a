import numpy as np
import pytest
from scipy.special import expit

from covey.datasets import (
    make_simulated_logistic,
    make_simulated_regression,
    simulated_logistic_task,
    simulated_regression_task,
)

DESIGNS = ["orthogonal", "collinear", "direct"]
RELEVANT = [0, 3, 4]


@pytest.mark.parametrize(("make_task", "highest_mean"), [(simulated_regression_task, 5), (simulated_logistic_task, 1)])
def test_orthogonal_parameters_are_in_the_thesis_ranges(make_task, highest_mean):
    models = [make_task(random_state=seed).model for seed in range(100)]
    means = np.stack([model.mean for model in models])
    variances = np.stack([np.diag(model.covariance) for model in models])
    for drawn, low, high in ((means, 0, highest_mean), (variances, 1, 3)):
        np.testing.assert_array_equal(drawn, drawn.round(2))
        assert drawn.min() >= low
        assert drawn.max() <= high
        standard_error = (high - low) / np.sqrt(12 * drawn.size)
        assert drawn.mean() == pytest.approx((low + high) / 2, abs=4.5 * standard_error)
    assert all(np.count_nonzero(model.covariance) == 10 for model in models)


def test_collinear_covariance_is_a_singular_correlation_matrix():
    covariances = [
        simulated_regression_task(design="collinear", random_state=seed).model.covariance for seed in range(50)
    ]
    for covariance in covariances:
        np.testing.assert_allclose(np.diag(covariance), 1)
        # Ten cases of ten variables leave nine dimensions once their means are removed.
        assert np.linalg.matrix_rank(covariance) == 9
    between = np.stack(covariances)[:, 0, 6]
    # x7 = 2 x1 + eta correlates by 2 / sqrt(5) = 0.894; the thesis's own draw had 0.87.
    assert np.median(between) == pytest.approx(0.894, abs=0.04)
    others = np.abs(np.stack(covariances)[:, 1, 2])
    assert others.max() > 0.5


def test_direct_design_correlates_x1_and_x7_only():
    model = simulated_regression_task(design="direct", random_state=3).model
    variance = model.covariance[0, 0]
    assert model.mean[6] == 2 * model.mean[0]
    assert model.covariance[6, 6] == pytest.approx(4 * variance + 1)
    assert model.covariance[0, 6] == model.covariance[6, 0] == pytest.approx(2 * variance)
    assert np.count_nonzero(model.covariance) == 12
    X, _ = simulated_regression_task(design="direct", random_state=3).sample(20_000, 0)
    rest = X[:, 6] - 2 * X[:, 0]
    assert rest.mean() == pytest.approx(0, abs=4.5 / np.sqrt(20_000))
    assert rest.var() == pytest.approx(1, abs=4.5 * np.sqrt(2 / 20_000))
    assert 0.89 < model.covariance[0, 6] / np.sqrt(variance * model.covariance[6, 6]) < 0.97


@pytest.mark.parametrize("design", DESIGNS)
def test_response_is_x1_x4_x5_and_noise_with_a_variance_of_sixteen(design, assert_moments):
    n = 50_000
    task = simulated_regression_task(design=design, intercept=1.0, random_state=5)
    X, y = task.sample(n, 6)
    assert_moments(X[:20_000], task.model.mean, task.model.covariance)
    np.testing.assert_allclose(task.predict(X), 1 + X[:, RELEVANT].sum(axis=1))
    assert np.flatnonzero(task.model.coefficients).tolist() == RELEVANT
    residual = y - task.predict(X)
    assert residual.mean() == pytest.approx(0, abs=4.5 * 4 / np.sqrt(n))
    assert residual.var() == pytest.approx(16, abs=4.5 * 16 * np.sqrt(2 / n))
    assert np.abs(np.corrcoef(np.column_stack([residual, X]), rowvar=False)[0, 1:]).max() < 5 / np.sqrt(n)


def test_least_squares_has_the_published_error():
    """Table 5.1: mean squared errors of 15.5 to 17.0 after training on 70 % of 300 cases."""
    errors = []
    for seed in range(40):
        X, y = make_simulated_regression(random_state=seed)
        design = np.column_stack([np.ones(300), X])
        coefficients, *_ = np.linalg.lstsq(design[:210], y[:210], rcond=None)
        errors.append(np.mean((y[210:] - design[210:] @ coefficients) ** 2))
    # Eleven estimated coefficients add about 11/210 to the variance of 16.
    assert np.mean(errors) == pytest.approx(16 * (1 + 11 / 210), abs=4.5 * np.std(errors) / np.sqrt(40))


@pytest.mark.parametrize("design", DESIGNS)
def test_classes_follow_their_probabilities(design):
    n = 50_000
    task = simulated_logistic_task(design=design, intercept=1.0, random_state=7)
    X, y = task.sample(n, 8)
    probability = task.class_probabilities(X)[:, 1]
    np.testing.assert_allclose(probability, expit(1 + X[:, RELEVANT].sum(axis=1)))
    groups = np.digitize(probability, [0.1, 0.3, 0.5, 0.7, 0.9])
    for group in np.unique(groups):
        members = groups == group
        error = np.sqrt((probability * (1 - probability))[members].mean() / members.sum())
        assert y[members].mean() == pytest.approx(probability[members].mean(), abs=4.5 * error)
    assert task.bayes_error(n) == pytest.approx(np.mean(task.predict(X) != y), abs=4.5 * 0.5 / np.sqrt(n))


@pytest.mark.parametrize(
    ("make", "make_task"),
    [
        (make_simulated_regression, simulated_regression_task),
        (make_simulated_logistic, simulated_logistic_task),
    ],
)
def test_the_parameters_of_a_sample_can_be_had(make, make_task):
    X, y = make(60, design="collinear", random_state=9)
    rng = np.random.default_rng(np.random.SeedSequence(9))
    same_X, same_y = make_task(design="collinear", random_state=rng).sample(60, rng)
    np.testing.assert_array_equal(X, same_X)
    np.testing.assert_array_equal(y, same_y)
