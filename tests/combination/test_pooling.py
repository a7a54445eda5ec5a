"""Pools: exponents and weights are the best there are, checked against brute force, and probabilities stay such."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import check_grad

from covey.combination.pooling import (
    Pool,
    _arithmetic_loss,
    _geometric_loss,
    best_exponent,
    best_weights,
    greedy_weights,
    influences,
    log_probabilities,
    pool_classes,
    pool_numbers,
)


def members_of(n_members=3, n_rows=200, n_classes=3, seed=0, skill=None):
    """Probabilities of members that know more or less of the classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    skill = rng.uniform(0.5, 2.0, size=n_members) if skill is None else skill
    logits = rng.normal(size=(n_members, n_rows, n_classes)) + np.asarray(skill)[:, None, None] * np.eye(n_classes)[y]
    outputs = np.exp(logits) / np.exp(logits).sum(axis=2, keepdims=True)
    return outputs, y, np.full(n_rows, 1 / n_rows), np.bincount(y, minlength=n_classes) / n_rows


def mean_loss(probabilities, y):
    return -np.log(probabilities[np.arange(len(y)), y]).mean()


@pytest.mark.parametrize("kind", [_geometric_loss, _arithmetic_loss])
def test_gradients_are_those_of_the_losses(kind):
    outputs, y, weight, frequencies = members_of()
    loss = kind(log_probabilities(outputs, frequencies), y, weight)
    for weights in ([0.2, 0.3, 0.5], [1.0, 0.1, 0.4]):
        assert check_grad(lambda w: loss(w)[0], lambda w: loss(w)[1], np.array(weights)) < 1e-6


@pytest.mark.parametrize("power", [0.3, 1.0, 3.0])
def test_an_exponent_undoes_a_power(power):
    """Probabilities that are right, raised to a power: the exponent is its inverse, but for the noise of labels."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(20_000, 3))
    right = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    y = (rng.random((20_000, 1)) > right.cumsum(axis=1)).sum(axis=1)
    weight = np.full(len(y), 1 / len(y))
    assert best_exponent(np.log(right**power), y, weight) == pytest.approx(1 / power, rel=0.03)


def test_weights_are_the_best_of_a_grid():
    outputs, y, weight, frequencies = members_of(n_members=2, skill=[2.0, 0.5])
    loss = _geometric_loss(log_probabilities(outputs, frequencies), y, weight)
    prior = 3 / len(y)
    total, weights = best_weights(loss, 2, prior, free=False)
    shares = np.linspace(0.001, 0.999, 999)
    values = [loss(np.array([s, 1 - s]))[0] - prior * (np.log(s) + np.log(1 - s)) for s in shares]
    assert total == 1.0
    assert weights[0] == pytest.approx(shares[np.argmin(values)], abs=2e-3)


def test_a_free_sum_sharpens_members_that_err_independently():
    outputs, y, weight, frequencies = members_of(n_members=5, n_rows=1000, skill=[1.0] * 5)
    pool = pool_classes(outputs, y, weight, frequencies, "optimal", "geometric")
    assert pool.sharpness > 1.5
    assert pool.weights.sum() == pytest.approx(1.0)


def test_the_prior_matters_only_where_rows_are_few():
    outputs, y, *_ = members_of(n_members=2, n_rows=4000, skill=[3.0, 1.0])
    few, many = slice(0, 8), slice(None)
    weights = [
        pool_numbers(
            outputs[:, part, 0], (y[part] == 0) * 1.0, np.full(len(y[part]), 1 / len(y[part])), "optimal"
        ).weights.max()
        for part in (few, many)
    ]
    assert weights[0] < 0.97 < 0.99 < weights[1]


def test_a_member_that_knows_nothing_has_no_share():
    outputs, y, weight, frequencies = members_of(n_members=3, n_rows=4000, skill=[2.0, 1.0, 0.0])
    shares = influences(pool_classes(outputs, y, weight, frequencies, "optimal", "auto"), outputs)
    assert shares[0] > shares[1] > 0.1 > 0.02 > shares[2]


@pytest.mark.parametrize("rule", ["geometric", "arithmetic"])
@pytest.mark.parametrize("weighting", ["optimal", "greedy", "uniform"])
def test_pools_are_better_than_their_best_member(rule, weighting):
    outputs, y, weight, frequencies = members_of(n_members=4, n_rows=2000, skill=[1.0, 1.2, 0.9, 1.1])
    pooled = pool_classes(outputs, y, weight, frequencies, weighting, rule)(outputs)
    np.testing.assert_allclose(pooled.sum(axis=1), 1.0)
    assert mean_loss(pooled, y) < min(mean_loss(output, y) for output in outputs) - 0.02


def test_auto_takes_the_better_of_both_means():
    outputs, y, weight, frequencies = members_of()
    losses = {
        rule: mean_loss(pool_classes(outputs, y, weight, frequencies, "optimal", rule)(outputs), y)
        for rule in ("geometric", "arithmetic", "auto")
    }
    assert losses["auto"] == min(losses.values())


def test_greedy_weights_by_hand():
    """Errors of two members that cancel out in equal parts, and of one that is worse than both together."""
    errors = np.array([[1.0, -1.0], [-1.0, 1.0], [0.5, 0.5]])

    def loss(weights):
        return float(((weights @ errors) ** 2).mean()), np.zeros(3)

    np.testing.assert_allclose(greedy_weights(loss, 3)[:2].sum(), 1.0, atol=0.05)


def test_numbers_get_the_weights_of_least_squares():
    rng = np.random.default_rng(0)
    y = rng.normal(size=20_000)
    outputs = y + rng.normal(size=(2, 20_000)) * [[0.1], [0.2]]
    pool = pool_numbers(outputs, y, np.full(len(y), 1 / len(y)), "optimal")
    np.testing.assert_allclose(pool.weights, [0.8, 0.2], atol=0.02)  # as the inverse of the variances
    np.testing.assert_allclose(pool(outputs), pool.weights @ outputs)


def test_a_member_without_any_error_has_all_the_weight():
    y = np.arange(5.0)
    pool = pool_numbers(np.stack([y, y + 1.0]), y, np.full(5, 0.2), "optimal")
    assert pool.weights.tolist() == [1.0, 0.0]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000), n_classes=st.integers(2, 6), hard=st.booleans())
def test_probabilities_stay_probabilities(seed, n_classes, hard):
    outputs, y, weight, frequencies = members_of(n_rows=30, n_classes=n_classes, seed=seed)
    if hard:  # zeros and ones
        outputs = (outputs == outputs.max(axis=2, keepdims=True)).astype(float)
    pool = pool_classes(outputs, y, weight, frequencies, "optimal", "auto")
    pooled = pool(outputs)
    np.testing.assert_allclose(pooled.sum(axis=1), 1.0)
    present = frequencies > 0
    assert (pooled[:, present] > 0).all()
    assert np.isfinite(pool.exponents).all()
    pool._check_state()


def test_no_rows_give_equal_weights():
    pool = pool_classes(np.empty((2, 0, 3)), np.empty(0, dtype=int), np.empty(0), np.full(3, 1 / 3), "optimal", "auto")
    assert pool.weights.tolist() == [0.5, 0.5]
    assert isinstance(pool, Pool)
