import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.strategies import MajorityVote, MeanProbability, MeanValue, WeightedVote

N_SAMPLES, N_CLASSES = 4, 3
codes = st.lists(st.integers(0, N_CLASSES - 1), min_size=N_SAMPLES, max_size=N_SAMPLES)
votes = st.lists(st.tuples(codes, st.sampled_from([0.0, 0.5, 1.0, 23.0])), max_size=12)


@pytest.mark.parametrize(
    ("combine", "worth"), [(WeightedVote(), lambda w: w), (MajorityVote(), lambda w: 1.0 if w > 0 else 0.0)]
)
@given(votes=votes)
@settings(derandomize=True, deadline=None)
def test_votes_are_counted_as_one_by_one(combine, worth, votes):
    scores, expected = np.zeros((N_SAMPLES, N_CLASSES)), np.zeros((N_SAMPLES, N_CLASSES))
    for output, weight in votes:
        combine.add(scores, np.array(output), weight)
        for row, code in enumerate(output):
            expected[row, code] += worth(weight)
    np.testing.assert_allclose(scores, expected)
    np.testing.assert_allclose(scores.sum(axis=1), sum(combine.share(weight) for _, weight in votes))


@pytest.mark.parametrize(("combine", "width"), [(MeanProbability(), N_CLASSES), (MeanValue(), 1)], ids=str)
def test_probabilities_and_values_are_averaged_by_weight(combine, width, rng):
    members, weights = rng.normal(size=(5, N_SAMPLES, width)), np.array([1.0, 0.0, 2.0, 0.5, 3.0])
    scores = np.zeros((N_SAMPLES, width))
    for output, weight in zip(members, weights, strict=True):
        combine.add(scores, output if width > 1 else output[:, 0], weight)
    total = sum(combine.share(weight) for weight in weights)
    np.testing.assert_allclose(scores / total, np.average(members, axis=0, weights=weights))


@pytest.mark.parametrize(
    ("combine", "output"),
    [
        (WeightedVote(), np.array([0, 2])),
        (MajorityVote(), np.array([0, 2])),
        (MeanProbability(), np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])),
    ],
)
def test_a_factor_scales_what_a_member_adds(combine, output):
    whole, half = np.zeros((2, N_CLASSES)), np.zeros((2, N_CLASSES))
    combine.add(whole, output, 3.0)
    combine.add(half, output, 3.0, factor=0.5)
    np.testing.assert_allclose(half, whole / 2)
    assert whole.sum() == pytest.approx(2 * combine.share(3.0))
