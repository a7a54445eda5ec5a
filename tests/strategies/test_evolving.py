from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.strategies import EvolvingSubspace, Round
from covey.strategies.ledger import FadingLedger, HeldLedger, MeanLedger, PrintedLedger, SpreadLedger
from covey.table import as_table

COLUMNS = np.array([0, 2])


def prepared(subspace, y, weight=None):
    y = np.asarray(y)
    table = as_table(np.zeros((len(y), 4)))
    return subspace.prepare(table, y, np.ones(len(y)) if weight is None else weight)


def weights_after(subspace, *rounds, n_chains=1):
    return subspace.path([Round(0, COLUMNS, *one) for one in rounds], n_chains, 4)[-1]


def test_equation_3_3_with_and_without_the_unit_of_the_response():
    y = [0.0, 4.0]  # its variance is 4
    raw = prepared(EvolvingSubspace(2, scale_errors=False), y)
    np.testing.assert_allclose(weights_after(raw, (2.0,)), np.exp([-2, 0, -2, 0]) / np.exp([-2, 0, -2, 0]).sum())
    scaled = prepared(EvolvingSubspace(2), y)
    np.testing.assert_allclose(weights_after(scaled, (2.0,)), np.exp([-0.5, 0, -0.5, 0]) / (2 + 2 * np.exp(-0.5)))


def test_case_weights_count_in_the_scale():
    once = prepared(EvolvingSubspace(2), [0.0, 1.0], np.array([3.0, 1.0]))
    often = prepared(EvolvingSubspace(2), [0.0, 0.0, 0.0, 1.0])
    np.testing.assert_allclose(weights_after(once, (0.1,)), weights_after(often, (0.1,)))


def test_equation_3_5_weighs_by_accuracy():
    subspace = prepared(EvolvingSubspace(2, credit="accuracy"), [0, 1])
    np.testing.assert_allclose(weights_after(subspace, (0.2,)), np.array([0.8, 1, 0.8, 1]) / 3.6)


def test_errors_of_classes_are_scaled_by_the_most_frequent_class():
    subspace = prepared(EvolvingSubspace(2), [0, 0, 0, 1])
    scale = np.exp([-0.2 / 0.25, 0, -0.2 / 0.25, 0])
    np.testing.assert_allclose(weights_after(subspace, (0.2,)), scale / scale.sum())


def test_members_that_are_never_right_leave_all_columns_alike():
    subspace = prepared(EvolvingSubspace(4, credit="accuracy"), [0, 1])
    path = subspace.path([Round(0, np.arange(4), 1.0)], 1, 4)
    np.testing.assert_allclose(path[-1], 0.25)
    ledger = subspace.open(4)
    subspace.note(ledger, Round(0, np.arange(4), 1.0))
    np.testing.assert_array_equal(subspace.draw(ledger, np.random.default_rng(0)), np.arange(4))


@pytest.mark.parametrize(("y", "loss"), [([0.0, 1.0], np.nan), ([3.0, 3.0], 0.0)], ids=["saw every row", "constant"])
def test_what_tells_nothing_leaves_columns_alike(y, loss):
    np.testing.assert_allclose(weights_after(prepared(EvolvingSubspace(2), y), (loss,)), 0.25)


def test_conditional_credit_goes_by_gains():
    subspace = prepared(EvolvingSubspace(2, credit="conditional"), [0.0, 1.0])
    found = weights_after(subspace, (9.0, np.array([1.0, 0.0])), (1.0, np.array([3.0, 0.0])))
    # Gains of 1 and 3 are 2 spreads; none at all is 0; a column not drawn twice is taken for 1 spread.
    np.testing.assert_allclose(found, np.exp([2, 1, 0, 1]) / np.exp([2, 1, 0, 1]).sum())


def test_draws_follow_the_weights():
    subspace = prepared(EvolvingSubspace(1, scale_errors=False), [0.0, 1.0])
    ledger = subspace.open(4)
    subspace.note(ledger, Round(0, COLUMNS, np.log(4)))
    rng, repeats = np.random.default_rng(3), 4000
    counts = np.bincount(np.concatenate([subspace.draw(ledger, rng) for _ in range(repeats)]), minlength=4)
    share = np.array([0.1, 0.4, 0.1, 0.4])
    assert (np.abs(counts - repeats * share) <= 4 * np.sqrt(repeats * share * (1 - share))).all()


@pytest.mark.parametrize(
    ("subspace", "y", "message"),
    [
        (EvolvingSubspace(5), [0.0, 1.0], "EvolvingSubspace size=5 asks for 5 columns, but there are 4"),
        (EvolvingSubspace(2, "median"), [0.0, 1.0], "update='median'"),
        (EvolvingSubspace(2, credit="luck"), [0.0, 1.0], "credit='luck'"),
        (EvolvingSubspace(2, credit="accuracy"), [0.0, 1.0], "credit='accuracy' is for classes.*use credit='error'"),
        (EvolvingSubspace(2, "running", "conditional"), [0.0, 1.0], "update='running' does not go with"),
    ],
)
def test_wrong_settings_are_refused(subspace, y, message):
    with pytest.raises(ValueError, match=message):
        prepared(subspace, y)


@pytest.mark.parametrize(("y", "kind"), [([0.0, 1.0], HeldLedger), ([0, 1], FadingLedger)])
def test_running_follows_the_thesis_by_task(y, kind):
    assert type(prepared(EvolvingSubspace(2, "running"), y).open(4)) is kind


def test_the_path_takes_a_round_of_each_chain_at_a_time():
    rounds = [Round(0, FIRST, 1.0), Round(0, FIRST, 3.0), Round(1, FIRST, 5.0), Round(0, BOTH, np.nan)]
    path = prepared(EvolvingSubspace(1, scale_errors=False), [0.0, 1.0]).path(rounds, 2, 2)
    np.testing.assert_allclose(path, np.tile(np.exp([-3.0, 0.0]) / (1 + np.exp(-3.0)), (3, 1)))


# Each ledger against its formula, worked by hand.

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
