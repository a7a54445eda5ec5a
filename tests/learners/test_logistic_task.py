from __future__ import annotations

import gc

import numpy as np
import pytest

from covey.learners import labelled_design, logistic_task
from covey.learners.labelled_design import likelihood_of
from covey.learners.logistic_task import Problem, own_task, shared_task
from covey.table import as_table


def example(n_classes: int = 2, seed: int = 0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(90, 6)) * [1, 10, 100, 1, 0.01, 1] + [0, 5, -300, 0, 0, 0]
    score = X[:, 0] + X[:, 1] / 10 + rng.normal(size=90) * 2
    return X, np.digitize(score, np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_shared_fit_is_that_of_its_columns_alone(n_classes, weighted):
    X, codes = example(n_classes)
    table = as_table(X)
    weight = np.random.default_rng(1).integers(0, 3, 90).astype(float) if weighted else np.ones(90)
    columns = np.array([4, 0, 2])
    shared = shared_task(table.take(columns), codes, weight)
    alone = own_task(as_table(X[:, columns]), codes, weight)
    assert shared.reference is not None
    found, expected = (task.solve(1e-4, 1e-10, 100) for task in (shared, alone))
    np.testing.assert_allclose(found.coefficients / shared.scale, expected.coefficients / alone.scale, rtol=1e-6)
    np.testing.assert_allclose(
        shared.centre + shared.scale * found.mean, alone.centre + alone.scale * expected.mean, rtol=1e-9, atol=1e-12
    )
    assert found.ridge == expected.ridge == 0.0


def test_what_is_shared_goes_with_the_table():
    X, codes = example()
    table = as_table(X)
    shared_task(table.take(np.array([0, 1, 2])), codes, np.ones(90)).solve(1e-4, 1e-6, 50)
    gc.collect()
    before = len(logistic_task._LABELLED), len(labelled_design._REFERENCES)
    del table
    gc.collect()
    assert (len(logistic_task._LABELLED), len(labelled_design._REFERENCES)) == (before[0] - 1, before[1] - 1)


def test_other_labels_of_the_same_table_are_learnt_afresh():
    X, codes = example()
    table = as_table(X)
    first = shared_task(table, codes, np.ones(90)).solve(1e-4, 1e-10, 100)
    second = shared_task(table, 1 - codes, np.ones(90)).solve(1e-4, 1e-10, 100)
    np.testing.assert_allclose(second.coefficients, -first.coefficients, rtol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_fewer_dimensions_give_the_same_ridge_solution(n_classes):
    rng = np.random.default_rng(3)
    values = np.vstack([rng.normal(size=(8, 30)), np.ones(30)])
    weight = rng.random(30)
    weight /= weight.sum()
    labels = np.sort(rng.integers(0, n_classes, 30))
    problem = Problem(values, weight, likelihood_of(labels, weight, n_classes), 1e-10, 100)
    direct, ridge, _ = problem.solve(0.05, None, separable=True)
    np.testing.assert_allclose(problem._reduced(0.05).coefficients, direct.coefficients, rtol=1e-6, atol=1e-8)
    assert ridge == 0.05


def test_a_start_among_saturated_probabilities_costs_iterations_but_no_ridge():
    X, codes = example()
    task = own_task(as_table(X), codes, np.ones(90))
    values, labels = task.labelled.shared.values, task.labelled.labels
    problem = Problem(values, np.full(90, 1 / 90), likelihood_of(labels, np.full(90, 1 / 90), 2), 1e-10, 100)
    near, _, _ = problem.solve(1e-4, None, separable=False)
    far, ridge, _ = problem.solve(1e-4, np.full((1, 7), 1e4), separable=False)
    np.testing.assert_allclose(far.coefficients, near.coefficients, rtol=1e-6)
    assert ridge == 0.0


def test_more_coefficients_than_there_is_room_for_are_refused(monkeypatch):
    monkeypatch.setattr(logistic_task, "MOST_BYTES", 8 * 13**2)
    X, codes = example(3)
    with pytest.raises(ValueError, match="3 classes and 6 columns, categories counted, make 14 coefficients"):
        own_task(as_table(X), codes, np.ones(90)).solve(1e-4, 1e-6, 50)
    own_task(as_table(X[:, :5]), codes, np.ones(90)).solve(1e-4, 1e-6, 50)
