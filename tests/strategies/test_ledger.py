"""Each ledger against its formula, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.strategies.ledger import (
    FadingLedger,
    HeldLedger,
    MeanLedger,
    PrintedLedger,
    Round,
    SpreadLedger,
    weights_path,
)

FIRST, BOTH, NONE = np.array([0]), np.array([0, 1]), np.array([2])


def after(ledger, *lessons):
    for columns, value in lessons:
        ledger.learn(columns, value)
    return ledger.standing.tolist()


def test_mean_is_over_the_members_that_drew_a_column():
    assert after(MeanLedger(3, 0.0), (FIRST, 4.0), (BOTH, 2.0), (FIRST, 3.0)) == [3.0, 2.0, 0.0]


def test_held_values_count_for_each_round():
    # One column of zeros, then 4, 2, 2 for the first and 0, 2, 2 for the second, as in appendix A's data frame.
    assert after(HeldLedger(3, 0.0), (FIRST, 4.0), (BOTH, 2.0), (NONE, 8.0)) == [8 / 4, 4 / 4, 8 / 4]


def test_fading_repeats_the_mean_of_an_undrawn_column():
    # The columns of appendix A's data frame: 0, 4, 2, and then their mean; 0, 0, 2, mean; 0, 0, 0, 8.
    rows = after(FadingLedger(3, 0.0), (FIRST, 4.0), (BOTH, 2.0), (NONE, 8.0))
    assert rows == pytest.approx([(0 + 4 + 2 + 2) / 4, (0 + 0 + 2 + 2 / 3) / 4, (0 + 0 + 0 + 8) / 4])


def test_printed_sums_all_earlier_standings():
    # T1 = 4; T2 = (4 + 2) / 2 = 3; not drawn: T3 = 3; T4 = (4 + 3 + 3 + 6) / 4 = 4. Second: 0, (0 + 2) / 2 = 1, 1, 1.
    assert after(PrintedLedger(2, 0.0), (FIRST, 4.0), (BOTH, 2.0), (np.array([], int), 9.0), (FIRST, 6.0)) == [4.0, 1.0]


def test_spread_is_the_mean_gain_in_units_of_its_spread():
    ledger = SpreadLedger(3, -1.0)
    assert after(ledger, (BOTH, np.array([1.0, -2.0]))) == [-1.0, -1.0, -1.0]
    assert after(ledger, (BOTH, np.array([3.0, -2.0]))) == [-2.0, 10.0, -1.0]
    assert after(SpreadLedger(1, -1.0), (FIRST, np.zeros(1)), (FIRST, np.zeros(1))) == [0.0]


LESSONS = st.lists(st.tuples(st.integers(0, 2), st.sets(st.integers(0, 3), min_size=1), st.floats(0, 9)), max_size=12)


@given(LESSONS)
@settings(derandomize=True, deadline=None)
@pytest.mark.parametrize("kind", [MeanLedger, SpreadLedger])
def test_pooled_chains_know_what_one_that_had_all_members_would(kind, lessons):
    chains, one = [kind(4, -1.0) for _ in range(3)], kind(4, -1.0)
    for chain, columns, value in lessons:
        for ledger in (chains[chain], one):
            ledger.learn(np.array(sorted(columns)), value)
    np.testing.assert_allclose(chains[0].pooled(chains[1:]), one.standing, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("kind", [HeldLedger, FadingLedger, PrintedLedger])
def test_pooled_chains_of_other_kinds_are_averaged(kind):
    one, other = kind(2, 0.0), kind(2, 0.0)
    one.learn(FIRST, 4.0)
    np.testing.assert_array_equal(one.pooled([other]), one.standing / 2)
    np.testing.assert_array_equal(one.pooled([]), one.standing)


def test_the_path_takes_a_round_of_each_chain_at_a_time():
    rounds = [Round(0, FIRST, 1.0), Round(0, FIRST, 3.0), Round(1, FIRST, 5.0), Round(0, BOTH, np.nan)]
    path = weights_path(rounds, [MeanLedger(2, 0.0), MeanLedger(2, 0.0)], lambda one: one.loss, lambda values: values)
    assert [row.tolist() for row in path] == [[3.0, 0.0], [3.0, 0.0], [3.0, 0.0]]
