from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from analysis.diversity.ballots import HIDDEN_TIES, PREDICTIONS, TRUTH, ballots, shares
from covey.analysis.diversity import Margins, ensemble_error, margins

QUICK = settings(deadline=None, max_examples=60)


def test_margins_worked_by_hand():
    found = margins(PREDICTIONS, TRUTH)
    np.testing.assert_allclose(found.values, [1, 1 / 3, 1 / 3, 0, -2 / 3])
    assert found.minimum == pytest.approx(-2 / 3)
    assert found.mean == pytest.approx(0.2)
    assert (found.negative, found.tied) == (0.2, 0.2)
    values, up_to = found.cumulative()
    np.testing.assert_allclose(values, [-2 / 3, 0, 1 / 3, 1])
    np.testing.assert_allclose(up_to, [0.2, 0.4, 0.8, 1])


@QUICK
@given(ballots(min_members=1))
def test_margins_are_those_of_plain_loops(drawn):
    predictions, y, weights = drawn
    found = margins(predictions, y, weights)
    for value, row, truth in zip(found.values, predictions, y, strict=True):
        votes = shares(row, weights)
        margin = votes.pop(truth, 0) - max(votes.values(), default=0)
        assert value == pytest.approx(float(margin), abs=1e-12)
        assert np.sign(value) == np.sign(margin)


@QUICK
@given(ballots(min_members=1))
def test_negative_margins_are_the_votes_errors_up_to_ties(drawn):
    predictions, y, weights = drawn
    found, error = margins(predictions, y, weights), ensemble_error(predictions, y, weights)
    assert found.negative <= error + 1e-12
    assert error <= found.negative + found.tied + 1e-12
    assert found.share_up_to(0) == pytest.approx(found.negative + found.tied)
    if not found.tied:
        assert error == pytest.approx(found.negative)


@QUICK
@given(ballots(min_members=1))
def test_the_cumulative_distribution_is_that_of_the_margins(drawn):
    predictions, y, weights = drawn
    found = margins(predictions, y, weights)
    values, up_to = found.cumulative()
    assert (np.diff(values) > 1e-9).all()
    assert (np.diff(up_to) > 0).all()
    assert up_to[-1] == 1
    assert [found.share_up_to(value) for value in values] == pytest.approx(list(up_to))


@pytest.mark.parametrize("n_members", [3, 5, 7, 10, 30, 49])
def test_rounding_does_not_part_equal_margins(n_members):
    random = np.random.default_rng(n_members)
    predictions = random.integers(2, size=(400, n_members))
    found = margins(predictions, np.zeros(400, dtype=int))
    ahead = n_members - 2 * predictions.sum(axis=1)
    for count in set(ahead.tolist()):
        assert found.share_up_to(count / n_members) == np.mean(ahead <= count)
    assert len(found.cumulative()[0]) == len(set(ahead.tolist()))


@pytest.mark.parametrize(("row", "weights"), HIDDEN_TIES)
def test_a_tie_that_rounding_hides_is_no_margin(row, weights):
    assert margins([row, row], [0, 1], weights).values.tolist() == [0, 0]


def test_one_class_has_margin_one():
    np.testing.assert_array_equal(margins([["x", "x"], ["x", "x"]], ["x", "x"]).values, [1, 1])


def test_text_and_table_tell_the_same():
    found = margins(PREDICTIONS, TRUTH)
    values = found.table().frame["value"]
    assert values["minimum"] == found.minimum
    assert values["median"] == pytest.approx(1 / 3)
    assert values["maximum"] == 1
    assert values["share of negative margins"] == 0.2
    assert str(found) == "Margins of 5 cases: minimum -0.667, mean 0.200; 20.0% negative, 20.0% tied"
    assert isinstance(found, Margins)


def test_bad_input():
    with pytest.raises(ValueError, match="weights sum to zero"):
        margins(PREDICTIONS, TRUTH, [0, 0, 0])
    with pytest.raises(ValueError, match="y is None"):
        margins(PREDICTIONS, None)
    with pytest.raises(ValueError, match="y has 2 labels"):
        margins(PREDICTIONS, ["a", "b"])
    with pytest.raises(ValueError, match="predictions has shape"):
        margins(["a", "b"], ["a", "b"])
