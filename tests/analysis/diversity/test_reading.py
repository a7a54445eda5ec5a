from __future__ import annotations

import numpy as np
import pytest

from analysis.diversity.ballots import PREDICTIONS, TRUTH
from covey.analysis.labels import check_two_members, read_judged, read_labels, relative_weights, shares_of


def test_the_truth_is_given_as_positions_among_the_classes():
    labels, truth = read_judged(PREDICTIONS, TRUTH, None)
    assert labels.codes.shape == (3, 5)
    assert labels.classes[truth].tolist() == TRUTH
    with pytest.raises(ValueError, match="y is None"):
        read_judged(PREDICTIONS, None, None)


def test_the_error_for_one_member_names_the_measure():
    check_two_members(read_labels(PREDICTIONS), "kappa")
    with pytest.raises(ValueError, match="kappa compares members with each other and needs two or more"):
        check_two_members(read_labels([[0], [1]]), "kappa")


def test_weights_of_any_size_can_be_summed():
    np.testing.assert_array_equal(relative_weights([1e308, 5e307, 0], 3), [1, 0.5, 0])
    np.testing.assert_array_equal(relative_weights(None, 2), [1, 1])


@pytest.mark.parametrize("n_members", [3, 10, 49, 500])
def test_shares_of_members_that_agree_are_exactly_one(n_members):
    weights = np.random.default_rng(n_members).random(n_members)
    labels = read_labels(np.zeros((2, n_members), dtype=int), [0, 1])
    np.testing.assert_array_equal(shares_of(labels, weights), [[1, 0], [1, 0]])
