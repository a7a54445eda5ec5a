from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hnp

from covey.ensemble.voting import VoteCount
from covey.strategies import MajorityVote, MeanProbability, WeightedVote

N_CLASSES = 3
votes = hnp.arrays(np.intp, st.tuples(st.integers(1, 6), st.integers(1, 7)), elements=st.integers(0, N_CLASSES - 1))


def vote(codes, weights, combine, seed=0, order=None):
    """Count votes given as an array of (rows, members)."""
    rng = np.random.default_rng(seed)
    factors = 0.5 + rng.random(codes.shape[1])
    count = VoteCount(combine, len(codes), rng.random(N_CLASSES))
    for member in range(codes.shape[1]) if order is None else order:
        count.add(codes[:, member], weights[member], factors[member])
    return count


@settings(derandomize=True, deadline=None)
@given(codes=votes, seed=st.integers(0, 99))
def test_a_winner_has_the_most_votes(codes, seed):
    winners = vote(codes, np.ones(codes.shape[1]), MajorityVote(), seed).winners()
    for row, winner in zip(codes, winners, strict=True):
        tally = np.bincount(row, minlength=N_CLASSES)
        assert tally[winner] == tally.max()


@settings(derandomize=True, deadline=None)
@given(codes=votes, seed=st.integers(0, 99), data=st.data())
def test_renamed_classes_win_alike(codes, seed, data):
    n_members = codes.shape[1]
    weights = np.array(data.draw(st.lists(st.sampled_from([1.0, 2.0]), min_size=n_members, max_size=n_members)))
    renamed = np.array(data.draw(st.permutations(range(N_CLASSES))))
    expected = renamed[vote(codes, weights, WeightedVote(), seed).winners()]
    np.testing.assert_array_equal(vote(renamed[codes], weights, WeightedVote(), seed).winners(), expected)


@settings(derandomize=True, deadline=None)
@given(codes=votes, seed=st.integers(0, 99), data=st.data())
def test_the_order_of_members_and_rows_does_not_matter(codes, seed, data):
    weights = np.linspace(0.1, 1.3, codes.shape[1])
    expected = vote(codes, weights, WeightedVote(), seed)
    order = data.draw(st.permutations(range(codes.shape[1])))
    other = vote(codes, weights, WeightedVote(), seed, order)
    np.testing.assert_array_equal(other.winners(), expected.winners())
    np.testing.assert_allclose(other.shares(), expected.shares())
    np.testing.assert_array_equal(vote(codes[::-1], weights, WeightedVote(), seed).winners(), expected.winners()[::-1])


@settings(derandomize=True, deadline=None)
@given(codes=votes, seed=st.integers(0, 99))
def test_the_winner_has_the_greatest_probability(codes, seed):
    count = vote(codes, np.ones(codes.shape[1]), MajorityVote(), seed)
    probabilities = count.probabilities()
    np.testing.assert_array_equal(probabilities.argmax(axis=1), count.winners())
    np.testing.assert_allclose(count.decided_shares(), count.shares(), atol=1e-11)
    np.testing.assert_array_equal(count.decided_shares().argmax(axis=1), count.winners())


def test_ties_go_to_either_class_by_the_seed():
    codes = np.array([[0, 1], [1, 0], [2, 0]])
    outcomes = {tuple(vote(codes, np.ones(2), MajorityVote(), seed).winners()) for seed in range(20)}
    assert outcomes == {(0, 1, 2), (1, 0, 0)}  # the first member's factor is the greater, or the second's


def test_a_tie_in_both_counts_is_broken_by_the_seed():
    won = set()
    for seed in range(20):
        keys = 1 + np.random.default_rng(seed).random(2)
        count = VoteCount(MeanProbability(), 1, keys)
        count.add(np.array([[0.5, 0.5]]), 1.0, 0.3)
        won.add(int(count.winners()[0]))
    assert won == {0, 1}


def test_votes_by_weight_by_head_and_by_probability():
    codes = np.array([[0, 1, 1]])
    weights = np.array([5.0, 1.0, 2.0])
    np.testing.assert_allclose(vote(codes, weights, WeightedVote()).shares(), [[5 / 8, 3 / 8, 0]])
    np.testing.assert_allclose(vote(codes, weights, MajorityVote()).shares(), [[1 / 3, 2 / 3, 0]])
    count = VoteCount(MeanProbability(), 1, np.array([1.1, 1.2, 1.3]))
    count.add(np.array([[0.2, 0.8, 0.0]]), 3.0, 0.1)
    count.add(np.array([[0.6, 0.0, 0.4]]), 1.0, 0.2)
    np.testing.assert_allclose(count.shares(), [[0.3, 0.6, 0.1]])


@pytest.mark.parametrize("combine", [WeightedVote(), MajorityVote()])
def test_votes_for_some_rows_only(combine):
    count = VoteCount(combine, 3, np.array([1.1, 1.2, 1.3]))
    count.add(np.array([1, 2]), 1.0, 0.5, rows=np.array([0, 2]))
    np.testing.assert_array_equal(count.total, [1, 0, 1])
    np.testing.assert_array_equal(count.winners()[[0, 2]], [1, 2])
    assert np.isnan(count.shares()[1]).all()
