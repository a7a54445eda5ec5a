from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine

from covey import method
from covey.analysis.staged import staged_errors
from covey.reproduce.rsc.reading import (
    FEW,
    FULL_SPACE,
    MANY,
    SUBSPACE,
    VOTING,
    Accuracies,
    accuracies,
    in_order,
    misprints_on,
    published_means,
    runs_of,
    votes_of,
)
from reproduce.rsc.printed import Made, printed_accuracies


@pytest.mark.slow
@pytest.mark.parametrize("id", VOTING)
def test_the_first_members_of_many_are_the_ensemble_of_few(id):
    """What lets one fit serve two tables; it does not hold for those that are trained twice."""
    X, y = load_wine(return_X_y=True)
    many, few = (method(id, n_estimators=size, random_state=3).fit(X[::2], y[::2]) for size in (40, 15))
    votes, said = many.member_predictions(X[1::2]), few.member_predictions(X[1::2])
    np.testing.assert_array_equal(votes[:, :15], said)
    np.testing.assert_allclose(many.estimator_weights_[:15], few.estimator_weights_)
    errors = staged_errors(votes, y[1::2], many.estimator_weights_, classes=many.classes_).errors
    ties = 1 / len(said)  # each counts for its share here, and goes one way there
    assert errors[14] == pytest.approx(1 - few.score(X[1::2], y[1::2]), abs=2 * ties)


@pytest.mark.parametrize(("number", "size", "methods"), [(2, 25, FULL_SPACE), (3, 100, FULL_SPACE), (4, 25, SUBSPACE)])
def test_accuracies_are_read_back(number, size, methods):
    found = printed_accuracies()
    ids = ("full-space" if methods == FULL_SPACE else "subspace", "unscaled")
    ours = accuracies(found, size, methods, ids)
    printed = published_means(number)
    assert list(ours.mean.index) == list(printed.index)
    np.testing.assert_allclose(ours.mean, printed[list(methods)], atol=1e-9)
    assert ours.spread.isna().all(axis=None)


def test_an_experiment_that_is_lacking_leaves_its_datasets_out():
    ours = accuracies(printed_accuracies(), FEW, FULL_SPACE, ("full-space", "elsewhere"))
    assert "wdbc" not in ours.mean.index
    assert len(ours.whole) == 15


def test_a_dataset_on_which_a_fit_failed_is_left_out():
    made = Made({("a", "bagging 25"): 90.0, ("b", "bagging 25"): 80.0}, repeats=2)
    frame = made.frame()
    frame.loc[0, "status"] = "failed"
    made.frame = lambda: frame
    assert list(runs_of(made, "bagging 25")) == ["b"]


def test_spread_is_the_deviation_over_repeats():
    runs = {("heart", "bagging"): np.array([0.8, 0.9])}
    ours = Accuracies.of(runs, ["heart"], ["bagging", "multiboost"])
    assert ours.mean.loc["heart", "bagging"] == pytest.approx(85)
    assert ours.spread.loc["heart", "bagging"] == pytest.approx(np.std([80, 90], ddof=1))
    assert ours.whole.empty


def test_a_class_that_the_training_part_lacks_has_no_votes(ecoli_like):
    first, second = votes_of(ecoli_like, "ecoli", "boost")
    # The case of class c counts as an error of every member; the other is right by both.
    assert first.errors.tolist() == [0.5, 0.5]
    assert first.member_errors.tolist() == [0.5, 0.5]
    assert first.n_classes == 3
    # The second member weighs more and is right about both.
    assert second.errors.tolist() == [0.5, 0.0]
    np.testing.assert_allclose(runs_of(ecoli_like, "boost", size=25)["ecoli"], [0.5, 1.0])
    np.testing.assert_allclose(runs_of(ecoli_like, "boost")["ecoli"], [0.5, 1.0])


def test_datasets_come_in_the_order_of_the_paper():
    assert in_order({"ecoli", "abalone", "heart"}, MANY // 50) == ["abalone", "heart", "ecoli"]


@pytest.mark.parametrize(
    ("table", "ids"), [(3, {"RSC-I11", "RSC-I13"}), (10, {"RSC-I04", "RSC-I05", "RSC-I06", "RSC-I07", "RSC-I08"})]
)
def test_misprints_of_a_table_are_named(table, ids):
    assert {line.partition(",")[0] for line in misprints_on(table)} == ids


def test_other_tables_have_none():
    assert [table for table in range(2, 12) if not misprints_on(table)] == []
    assert misprints_on(1) == ()
