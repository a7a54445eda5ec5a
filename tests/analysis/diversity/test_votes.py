"""Diversity, error and margins of weighted votes: by hand and by plain loops."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from analysis.diversity.ballots import HIDDEN_TIES, PREDICTIONS, TRUTH, ballots, repeated, shares
from covey.analysis.diversity import Margins, ensemble_error, individual_error, margins, vote_entropy, weighted_variance

QUICK = settings(deadline=None, max_examples=60)


def test_a_vote_worked_by_hand():
    # Shares of the votes: 1; 2/3, 1/3; 2/3, 1/3; three times 1/3; 2/3, 1/3.
    assert weighted_variance(PREDICTIONS) == pytest.approx((0 + 4 / 9 + 4 / 9 + 6 / 9 + 4 / 9) / 5)
    two = -(2 / 3 * log(2 / 3) + 1 / 3 * log(1 / 3)) / log(3)
    assert vote_entropy(PREDICTIONS) == pytest.approx((0 + two + two + 1 + two) / 5)
    assert individual_error(PREDICTIONS, TRUTH) == pytest.approx(7 / 15)
    assert ensemble_error(PREDICTIONS, TRUTH) == pytest.approx((0 + 0 + 0 + 2 / 3 + 1) / 5)


def test_a_weighted_vote_worked_by_hand():
    weights = [1, 1, 2]
    # Shares: 1; 1/2, 1/2; 3/4, 1/4; 1/4, 1/4, 1/2; 3/4, 1/4.
    assert weighted_variance(PREDICTIONS, weights) == pytest.approx((0 + 1 / 2 + 3 / 8 + 5 / 8 + 3 / 8) / 5)
    assert individual_error(PREDICTIONS, TRUTH, weights) == pytest.approx((0 + 2 + 1 + 3 + 4) / 20)
    assert ensemble_error(PREDICTIONS, TRUTH, weights) == pytest.approx((0 + 1 / 2 + 0 + 1 + 1) / 5)


def test_individual_error_counts_errors_though_equation_3_as_printed_counts_hits():
    """MS-I01 of INCONSISTENCIES.csv."""
    assert individual_error([[0, 0], [1, 1]], [0, 1]) == 0
    assert individual_error([[0, 0], [1, 0]], [1, 0]) == 0.75


@QUICK
@given(ballots(min_members=1))
def test_votes_are_those_of_plain_loops(drawn):
    predictions, y, weights = drawn
    cases = [shares(row, weights) for row in predictions]
    n_classes = len({*y, *(code for row in predictions for code in row)})
    variance = sum(1 - sum(share**2 for share in case.values()) for case in cases) / len(cases)
    entropy = -sum(float(share) * log(share) for case in cases for share in case.values() if share)
    wrong = lost = 0
    for case, row, truth in zip(cases, predictions, y, strict=True):
        wrong += sum(weight for code, weight in zip(row, weights, strict=True) if code != truth)
        winners = [code for code, share in case.items() if share == max(case.values())]
        lost += 1 - (truth in winners) / len(winners)
    assert weighted_variance(predictions, weights) == pytest.approx(float(variance), abs=1e-12)
    entropy = entropy / len(cases) / log(n_classes) if n_classes > 1 else 0
    assert vote_entropy(predictions, weights, y=y) == pytest.approx(entropy, abs=1e-12)
    assert individual_error(predictions, y, weights) == pytest.approx(wrong / len(cases) / sum(weights), abs=1e-12)
    assert ensemble_error(predictions, y, weights) == pytest.approx(lost / len(cases), abs=1e-12)


@QUICK
@given(ballots(min_members=1), st.sampled_from([1e-300, 0.1, 7.0, 5e307]))
def test_whole_weights_are_repeated_members_and_only_ratios_of_weights_count(drawn, scale):
    predictions, y, weights = drawn
    scaled = np.multiply(weights, scale)
    for measure in (
        lambda p, w: weighted_variance(p, w),
        lambda p, w: vote_entropy(np.subtract(p, 20), w, classes=range(5)),
        lambda p, w: individual_error(p, y, w),
        lambda p, w: ensemble_error(p, y, w),
        lambda p, w: margins(p, y, w).values,
    ):
        several = measure(repeated(predictions, weights), None)
        np.testing.assert_allclose(measure(predictions, weights), several, atol=1e-12)
        np.testing.assert_allclose(measure(predictions, scaled), several, atol=1e-12)


@pytest.mark.parametrize("n_members", [1, 3, 10, 49, 500])
def test_members_that_agree_have_no_variance_at_all(n_members):
    weights = np.random.default_rng(n_members).random(n_members) + 0.1
    predictions = np.repeat([["x"], ["y"], ["x"]], n_members, axis=1)
    assert weighted_variance(predictions, weights) == 0
    assert vote_entropy(predictions, weights) == 0
    assert ensemble_error(predictions, ["x", "y", "y"], weights) == pytest.approx(1 / 3)


@pytest.mark.parametrize(("row", "weights"), HIDDEN_TIES)
def test_a_tie_that_rounding_hides_is_a_tie(row, weights):
    assert ensemble_error([row], [0], weights) == ensemble_error([row], [1], weights) == 0.5


def test_entropy_counts_classes_that_nobody_names():
    predictions = [[0, 1], [1, 0]]
    assert vote_entropy(predictions) == 1
    assert vote_entropy(predictions, y=[0, 2]) == pytest.approx(log(2) / log(3))
    assert vote_entropy(predictions, classes=["a", "b", "c", "d"]) == pytest.approx(0.5)
    assert vote_entropy([[0, 0]]) == 0


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


def test_text_and_table_tell_the_same():
    found = margins(PREDICTIONS, TRUTH)
    values = found.table().frame["value"]
    assert values["minimum"] == found.minimum
    assert values["median"] == pytest.approx(1 / 3)
    assert values["maximum"] == 1
    assert values["share of negative margins"] == 0.2
    assert str(found) == "Margins of 5 cases: minimum -0.667, mean 0.200; 20.0% negative, 20.0% tied"
    assert isinstance(found, Margins)
