from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize

from covey.learners.newton import ManyClasses, TwoClasses, contrasts, hessian, maximise


def problem(n_classes: int, n_rows: int = 60):
    """Return columns with one of ones at the end, labels, weights and a likelihood."""
    rng = np.random.default_rng(n_classes)
    columns = np.vstack([rng.normal(size=(3, n_rows)), np.ones(n_rows)])
    labels = (columns[0] + rng.normal(size=n_rows) > np.linspace(-1, 1, n_classes + 1)[1:-1, None]).sum(axis=0)
    weight = rng.random(n_rows)
    weight /= weight.sum()
    made = TwoClasses(labels, weight) if n_classes == 2 else ManyClasses(labels, weight, n_classes)
    return columns, labels, weight, made


def loss(theta, columns, labels, weight, n_classes):
    logits = theta.reshape(-1, len(columns)) @ columns
    logits = np.vstack([np.zeros(len(labels)), logits]) if n_classes == 2 else contrasts(n_classes) @ logits
    logits = logits - logits.max(axis=0)
    own = logits[labels, np.arange(len(labels))]
    return -weight @ (own - np.log(np.exp(logits).sum(axis=0)))


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_first_and_second_derivatives_are_those_of_the_loss(n_classes):
    columns, labels, weight, made = problem(n_classes)
    theta = np.random.default_rng(9).normal(size=(n_classes - 1, 4))

    def gradient(flat):
        return (made.residuals(flat.reshape(theta.shape) @ columns) @ columns.T).ravel()

    numeric = approx_fprime(theta.ravel(), loss, 1e-7, columns, labels, weight, n_classes)
    np.testing.assert_allclose(gradient(theta.ravel()), numeric, atol=1e-6)
    bent = np.array(
        [approx_fprime(theta.ravel(), lambda flat, j=j: gradient(flat)[j], 1e-7) for j in range(theta.size)]
    )
    made.residuals(theta @ columns)
    penalty = np.array([0.5, 0.0, 1.0, 0.0])
    found = hessian(columns, made.curvatures(), n_classes - 1, penalty)
    np.testing.assert_allclose(found, bent + np.diag(np.tile(penalty, n_classes - 1)), atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("ridge", [0.0, 0.1])
@pytest.mark.parametrize("start", [0.0, 3.0, -20.0])
def test_the_maximum_is_that_of_a_general_optimiser_from_anywhere(n_classes, ridge, start):
    columns, labels, weight, made = problem(n_classes)
    penalty = np.array([ridge, ridge, ridge, 0.0])
    at = np.full((n_classes - 1, 4), start) * np.random.default_rng(1).normal(size=(n_classes - 1, 4))
    found = maximise(columns, made, at, penalty, 1e-10, 100)
    assert found.outcome == "converged"

    def penalised(flat):
        return loss(flat, columns, labels, weight, n_classes) + (flat.reshape(-1, 4) ** 2 @ penalty).sum() / 2

    other = minimize(penalised, np.zeros(found.coefficients.size), tol=1e-12)
    np.testing.assert_allclose(found.coefficients.ravel(), other.x, atol=1e-4)


def test_one_step_of_two_classes_is_weighted_least_squares():
    # Equations 2.6 and 2.7: from 0 all weights are 1/4 and the working response is 4 (y - 1/2).
    columns, labels, weight, made = problem(2)
    found = maximise(columns, made, np.zeros((1, 4)), np.zeros(4), 1e-30, 1)
    root = np.sqrt(weight / 4)
    direction = np.linalg.lstsq((columns * root).T, root * 4 * (labels - 0.5), rcond=None)[0]
    ratio = found.coefficients[0] / direction
    np.testing.assert_allclose(ratio, ratio[0])
    assert found.outcome == "unfinished"


def test_separable_classes_are_found_out():
    x = np.array([[-2.0, -1.0, 1.0, 2.0], [1.0, 1.0, 1.0, 1.0]])
    for labels in ([0, 0, 1, 1], [1, 1, 0, 0]):
        made = TwoClasses(np.array(labels), np.full(4, 0.25))
        assert maximise(x, made, np.zeros((1, 2)), np.zeros(2), 1e-8, 100).outcome == "separable"


def test_classes_separable_but_for_a_plane_are_found_out():
    rng = np.random.default_rng(0)
    both = np.concatenate([rng.normal(size=30), np.zeros(30)])
    labels = np.concatenate([np.ones(30, dtype=int), rng.integers(0, 2, 30)])
    columns = np.vstack([np.abs(both), rng.normal(size=60), np.ones(60)])
    turned = np.array([[1.0, 0.7, 0], [-0.4, 1.0, 0], [0, 0, 1]]) @ columns  # no single column tells any more
    for some in (columns, turned):
        made = TwoClasses(labels, np.full(60, 1 / 60))
        assert maximise(some, made, np.zeros((1, 3)), np.zeros(3), 1e-8, 100).outcome == "separable"
        three = ManyClasses(np.where(some[1] > 1, 2, labels), np.full(60, 1 / 60), 3)
        assert maximise(some, three, np.zeros((2, 3)), np.zeros(3), 1e-8, 100).outcome == "separable"


def test_overlapping_classes_are_never_called_separable():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        columns = np.vstack([rng.normal(size=(2, 25)), np.ones(25)])
        labels = rng.integers(0, 2, 25)
        twice = np.hstack([columns, columns[:, :4]])  # rows of both classes at each of four places
        answers = np.concatenate([labels, 1 - labels[:4]])
        made = TwoClasses(answers, np.full(29, 1 / 29))
        assert maximise(twice, made, np.zeros((1, 3)), np.zeros(3), 1e-8, 100).outcome == "converged"


def test_dependent_columns_are_found_out():
    columns, _, _, made = problem(2)
    twice = np.vstack([columns, columns[:1]])
    assert maximise(twice, made, np.zeros((1, 5)), np.zeros(5), 1e-8, 100).outcome == "singular"


def test_margins_are_how_far_the_own_class_leads():
    two = TwoClasses(np.array([0, 1]), np.full(2, 0.5))
    assert two.margins(np.array([[3.0, 3.0]])).tolist() == [-3.0, 3.0]
    three = ManyClasses(np.array([0, 1, 2]), np.full(3, 1 / 3), 3)
    by_class = np.array([[2.0, 1.0, 0.0], [-1.0, 1.0, 1.0], [-1.0, -2.0, -1.0]])
    np.testing.assert_allclose(three.margins(contrasts(3).T @ by_class), [3, 0, -2], atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_contrasts_are_orthonormal_and_add_up_to_0(n_classes):
    found = contrasts(n_classes)
    np.testing.assert_allclose(found.T @ found, np.eye(n_classes - 1), atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=0), 0, atol=1e-12)
