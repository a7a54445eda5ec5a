"""The argument on maximal variance, against what can be built and tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest

from covey.analysis.diversity import ensemble_error, individual_error, weighted_variance
from covey.reproduce.multistrategy.arithmetic import judge_maximal_variance, least_members, vote_errs, wrong_votes
from covey.reproduce.paper import Found


@pytest.mark.parametrize(
    ("error", "members"), [("0", 1), ("1/4", 3), ("1/3", 3), ("17/50", 5), ("2/5", 5), ("49/100", 51)]
)
def test_least_members(error, members):
    assert least_members(Fraction(error)) == members


@pytest.mark.parametrize(("cases", "members", "wrong"), [(3, 3, 1), (4, 3, 1), (5, 5, 2), (4, 5, 1), (6, 5, 2)])
def test_no_other_spread_of_errors_has_more_variance(cases, members, wrong):
    """Of all numbers of wrong votes by case with the same sum, those that the function says are best."""
    error = Fraction(wrong, cases)
    total = wrong * members
    spreads = [one for one in combinations_with_replacement(range(members + 1), cases) if sum(one) == total]
    variance = {one: sum(Fraction(2 * k * (members - k), members**2) for k in one) for one in spreads}
    best = [one for one, value in variance.items() if value == max(variance.values())]
    assert [{*one} <= {*wrong_votes(error, members)} for one in best] == [True]


@pytest.mark.parametrize(("wrong", "cases", "members"), [(1, 3, 3), (2, 5, 5), (3, 7, 7), (1, 4, 3), (4, 9, 9)])
def test_such_an_ensemble_makes_no_error(wrong, cases, members):
    """Members err on cases in turn, so that all have the same error and cases differ by one wrong vote at most."""
    said = np.zeros((cases, members), dtype=int)
    turn = 0
    for member in range(members):
        for _ in range(wrong):
            said[turn % cases, member] = 1
            turn += 1
    truth = np.zeros(cases, dtype=int)
    assert individual_error(said, truth) == pytest.approx(wrong / cases)
    assert weighted_variance(said) > 0
    assert members >= least_members(Fraction(wrong, cases))
    assert ensemble_error(said, truth) == 0


def test_fewer_members_may_err():
    assert vote_errs(Fraction(2, 5), 3)
    assert not vote_errs(Fraction(2, 5), 5)
    assert vote_errs(Fraction(1, 3), 4)  # a tie


def test_verdict():
    verdict = judge_maximal_variance(Found({}, quick=True))
    assert verdict.status == "held"
    assert "With an even t a tie is possible" in verdict.found
