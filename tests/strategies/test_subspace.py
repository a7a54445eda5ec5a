from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.base import clone
from sklearn.feature_selection import f_classif

from covey.strategies import RandomSubspace, WeightedSubspace
from covey.strategies.subspace import draw_by_weight
from covey.table import as_table


def choose(subspace, n_features, rng, n_samples=4):
    table = as_table(np.zeros((n_samples, n_features)))
    return subspace.choose(table, np.zeros(n_samples), np.ones(n_samples), rng)


def prepare(subspace, rows):
    X, y = rows
    return subspace.prepare(as_table(X), y, np.ones(len(y)))


def inclusion(weights, size):
    """Probability that each column is among the first ``size`` of successive draws, over all orders."""
    found = np.zeros(len(weights))
    for order in permutations(range(len(weights)), size):
        left, probability = sum(weights), 1.0
        for column in order:
            probability *= weights[column] / left
            left -= weights[column]
        found[list(order)] += probability
    return found


@given(st.integers(1, 40), st.sampled_from([0.3, 0.5, 1.0, 1, "sqrt", "log2", "third"]), st.integers(0, 99))
@settings(derandomize=True, deadline=None)
def test_columns_are_distinct_sorted_and_as_many_as_asked(n_features, size, seed):
    subspace = RandomSubspace(size)
    columns = choose(subspace, n_features, np.random.default_rng(seed))
    assert (np.diff(columns) > 0).all()
    assert columns.min() >= 0
    assert columns.max() < n_features
    assert len(columns) == len(choose(subspace, n_features, np.random.default_rng(seed + 1)))


def test_columns_are_uniform(rng):
    repeats, n_features = 4000, 8
    counts = sum(np.bincount(choose(RandomSubspace(3), n_features, rng), minlength=n_features) for _ in range(repeats))
    error = np.sqrt(repeats * (3 / 8) * (5 / 8))
    assert (np.abs(counts - repeats * 3 / 8) <= 4 * error).all()


@pytest.mark.parametrize("subspace", [RandomSubspace(9, True), WeightedSubspace([1, 2, 3], 9, True)], ids=str)
def test_with_replacement_columns_repeat(subspace, rng):
    columns = choose(subspace, 3, rng)
    assert len(columns) == 9
    assert (np.diff(columns) >= 0).all()


def test_weighted_draws_with_replacement_are_in_proportion(rng):
    repeats, share = 20_000, np.array([0.1, 0.2, 0.0, 0.7])
    counts = np.bincount(choose(WeightedSubspace(share * 5, repeats, True), 4, rng), minlength=4)
    assert (np.abs(counts - repeats * share) <= 4 * np.sqrt(repeats * share * (1 - share))).all()


def test_columns_without_weight_come_last(rng):
    subspace = WeightedSubspace([0, 3, 0, 1e-9, 0], 2)
    assert all(choose(subspace, 5, rng).tolist() == [1, 3] for _ in range(50))
    more = [choose(subspace.set_params(size=3), 5, rng) for _ in range(200)]
    assert all({1, 3} < set(columns) and len(columns) == 3 for columns in more)
    assert {column for columns in more for column in columns} == set(range(5))


def test_prepare_works_the_weights_out_once(rows, rng):
    calls = []

    def score(X, y):
        calls.append(X.shape)
        return f_classif(X, y)[0]

    X, y = rows
    subspace = WeightedSubspace(score, 2)
    prepared = prepare(subspace, rows)
    assert subspace.weights is score
    for _ in range(5):
        prepared.choose(as_table(X), y, np.ones(len(X)), rng)
    assert calls == [X.shape]
    np.testing.assert_array_equal(prepared.weights, f_classif(X, y)[0])
    assert (prepared.size, prepared.replacement) == (2, False)


def test_a_callable_can_be_used_without_prepare(rows, rng):
    X, y = rows
    chosen = WeightedSubspace(lambda X, y: np.arange(X.shape[1]) == 4, 1).choose(as_table(X), y, np.ones(len(X)), rng)
    assert chosen.tolist() == [4]


@pytest.mark.parametrize("subspace", [RandomSubspace(7), WeightedSubspace(np.ones(6), 7)], ids=["random", "weighted"])
def test_prepare_refuses_more_distinct_columns_than_there_are(subspace, rows):
    with pytest.raises(
        ValueError, match=r"(Random|Weighted)Subspace size=7 asks for 7 columns, but there are 6; ask for"
    ):
        prepare(subspace, rows)
    assert len(choose(clone(subspace).set_params(replacement=True), 6, np.random.default_rng(0))) == 7


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], r"subspace weights have shape \(2,\), but X has 6 columns"),
        (np.ones((6, 1)), r"have shape \(6, 1\)"),
        ([-1, 1, 1, 1, 1, 1], "must be finite, 0 or more, and not all 0; give at least one column"),
        ([np.nan, 1, 1, 1, 1, 1], "must be finite"),
        ([np.inf, 1, 1, 1, 1, 1], "must be finite"),
        (np.zeros(6), "not all 0"),
    ],
)
def test_prepare_refuses_unusable_weights(weights, message, rows):
    with pytest.raises(ValueError, match=message):
        prepare(WeightedSubspace(weights), rows)
    with pytest.raises(ValueError, match=message):
        prepare(WeightedSubspace(lambda X, y: np.where(np.isfinite(weights), weights, -1)), rows)


def test_scores_that_are_nan_or_infinite_count_for_nothing_or_nearly_all(rows):
    prepared = prepare(WeightedSubspace(lambda X, y: [np.nan, np.inf, 2.0, 0.0, 1.0, 1.0]), rows)
    assert prepared.weights.tolist() == [0.0, 2e9, 2.0, 0.0, 1.0, 1.0]


@pytest.mark.parametrize(("weights", "shift"), [([1, 2, 3, 0, 4], -2000), ([4, 1, 1, 10], 0), ([1, 2, 7], None)])
def test_successive_draws_are_exact_over_any_range_of_weights(weights, shift, rng):
    repeats, n_columns = 4000, len(weights)

    def draw():  # with a shift the exponentials of all logarithms are 0
        if shift is None:
            return choose(WeightedSubspace(weights, 2), n_columns, rng)
        with np.errstate(divide="ignore"):
            return draw_by_weight(np.log(weights) + shift, 2, rng)

    counts = sum(np.bincount(draw(), minlength=n_columns) for _ in range(repeats))
    share = inclusion(np.array(weights, dtype=float) + 1e-12, 2)
    assert (np.abs(counts - repeats * share) <= 4 * np.sqrt(repeats * share * (1 - share)) + 1e-6).all()


def test_columns_without_weight_fill_up_alike(rng):
    logarithms = np.array([-np.inf, 0.0, -np.inf, -np.inf])
    drawn = np.array([draw_by_weight(logarithms, 2, rng) for _ in range(3000)])
    assert (drawn == 1).any(axis=1).all()
    counts = np.bincount(drawn.ravel(), minlength=4)[[0, 2, 3]]
    assert (np.abs(counts - 1000) <= 4 * np.sqrt(3000 * (1 / 3) * (2 / 3))).all()
