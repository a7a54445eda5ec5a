from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from covey.strategies import EvolvingSubspace, Round
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


def test_scaled_errors_do_not_depend_on_the_unit():
    one, other = (prepared(EvolvingSubspace(2), np.array([1.0, 2.0, 4.0]) * unit) for unit in (1, 1000))
    np.testing.assert_allclose(weights_after(one, (0.3,)), weights_after(other, (0.3e6,)))


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


def test_a_member_that_saw_every_row_tells_nothing():
    subspace = prepared(EvolvingSubspace(2), [0.0, 1.0])
    np.testing.assert_allclose(weights_after(subspace, (float("nan"),)), 0.25)


def test_conditional_credit_goes_by_gains():
    subspace = prepared(EvolvingSubspace(2, credit="conditional"), [0.0, 1.0])
    found = weights_after(subspace, (9.0, np.array([1.0, 0.0])), (1.0, np.array([3.0, 0.0])))
    # Gains of 1 and 3 are 2 spreads; none at all is 0; a column not drawn twice is taken for 1 spread.
    np.testing.assert_allclose(found, np.exp([2, 1, 0, 1]) / np.exp([2, 1, 0, 1]).sum())


def test_running_follows_the_thesis_by_task():
    numbers, classes = prepared(EvolvingSubspace(2, "running"), [0.0, 1.0]), prepared(EvolvingSubspace(2), [0, 1])
    assert type(numbers.open(4)).__name__ == "HeldLedger"
    assert (
        type(
            clone(classes)
            .set_params(update="running")
            .prepare(as_table(np.zeros((2, 4))), np.array([0, 1]), np.ones(2))
            .open(4)
        ).__name__
        == "FadingLedger"
    )


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
        (EvolvingSubspace(5), [0.0, 1.0], "subspace size=5 asks for 5 columns, but there are 4"),
        (EvolvingSubspace(2, "median"), [0.0, 1.0], "update='median'"),
        (EvolvingSubspace(2, credit="luck"), [0.0, 1.0], "credit='luck'"),
        (EvolvingSubspace(2, credit="accuracy"), [0.0, 1.0], "credit='accuracy' is for classes.*use credit='error'"),
        (EvolvingSubspace(2, "running", "conditional"), [0.0, 1.0], "update='running' does not go with"),
    ],
)
def test_wrong_settings_are_refused(subspace, y, message):
    with pytest.raises(ValueError, match=message):
        prepared(subspace, y)


def test_a_constant_response_has_no_scale_and_is_no_trouble():
    subspace = prepared(EvolvingSubspace(2), [3.0, 3.0])
    np.testing.assert_allclose(weights_after(subspace, (0.0,)), 0.25)
