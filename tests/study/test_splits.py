from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey.study.fingerprint import describe
from covey.study.repeats import run_fit
from covey.study.splits import FixedSplit, Resamples
from study.test_protocols import ids, numbered


def test_each_resample_divides_all_cases_anew():
    X, y = numbered()
    plan = Resamples().plan(X, y, random_state=0)
    assert plan.shape == (30, 60)
    assert plan.cases.tolist() == list(range(60))
    for number in range(30):
        fit = plan[number]
        assert (fit.repeat, fit.number) == (number, number)
        assert len(fit.y) == 40
        assert ids(fit.X_test) == fit.test.tolist() == sorted(fit.test.tolist())
        assert sorted(ids(fit.X) + ids(fit.X_test)) == list(range(60))
        np.testing.assert_array_equal(fit.y, y[ids(fit.X)])
    assert len({tuple(plan.place(number)[1]) for number in range(30)}) == 30


@pytest.mark.parametrize(("train_size", "expected"), [(2 / 3, 40), (0.75, 45), (7, 7), (np.int64(59), 59)])
def test_the_training_part_is_a_share_or_a_number_of_cases(train_size, expected):
    plan = Resamples(2, train_size).plan(*numbered(), random_state=0)
    assert len(plan[1].y) == expected
    assert len(plan[1].test) == 60 - expected


@given(
    st.lists(st.integers(0, 3), min_size=4, max_size=60),
    st.floats(0.3, 0.8),
    st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=100)
def test_stratified_resamples_divide_every_class_in_proportion(y, share, seed):
    y = np.array([0, 0, 1, 1, *y])
    n, n_train = len(y), round(share * len(y))
    plan = Resamples(3, share, stratified=True).plan(np.arange(n), y, random_state=seed)
    for number in range(3):
        fit = plan[number]
        assert len(fit.y) == n_train
        drawn, wanted = np.bincount(fit.y, minlength=4), np.bincount(y, minlength=4) * n_train / n
        assert (abs(drawn - wanted) < 1).all()
        # A whole share is met exactly.
        assert (drawn[wanted % 1 == 0] == wanted[wanted % 1 == 0]).all()


@pytest.mark.parametrize("stratified", [False, True])
def test_every_case_is_as_likely_as_any_other_to_be_trained_on(stratified):
    y = np.array([0] * 3 + [1] * 5 + [2] * 12)
    plan = Resamples(3000, 7, stratified).plan(np.arange(20), y, random_state=0)
    tested = Counter(int(case) for number in range(3000) for case in plan.place(number)[1])
    # 3000 draws of 13 in 20: 1950 each, with a standard deviation of 26.
    assert abs(np.array([tested[case] for case in range(20)]) - 1950).max() < 4 * 26


def test_a_training_part_of_one_class_is_drawn_again():
    y = np.array(["rare"] * 2 + ["common"] * 28)
    plan = Resamples(50, 10).plan(np.zeros((30, 1)), y, random_state=0)
    assert all(len(set(plan[number].y)) == 2 for number in range(50))
    numbers = Resamples(50, 10).plan(np.zeros((30, 1)), y == "rare", regression=True, random_state=0)
    assert any(len(set(numbers[number].y)) == 1 for number in range(50))
    hopeless = Resamples(1, 2).plan(np.zeros((100_000, 1)), np.arange(100_000) == 0, random_state=0)
    with pytest.raises(ValueError, match=r"100 draws in a row left one class only.*larger train_size"):
        hopeless[0]


def test_a_fixed_split_trains_on_the_first_rows():
    X, y = numbered()
    plan = FixedSplit(n_train=45).plan(X, y, random_state=0)
    assert (len(plan), plan.shape) == (1, (1, 15))
    fit = plan[0]
    assert ids(fit.X) == list(range(45))
    assert ids(fit.X_test) == plan.cases.tolist() == list(range(45, 60))
    assert fit.test.tolist() == list(range(15))
    np.testing.assert_array_equal(plan.y, y[45:])


@pytest.mark.parametrize("test", [[7, 3, 50], (50, 7, 3), np.array([3, 50, 7]), pd.Series([3, 7, 50])])
def test_a_fixed_split_tests_on_the_rows_that_are_named(test):
    protocol = FixedSplit(test=test)
    assert protocol == FixedSplit(test=[3, 7, 50])
    assert hash(protocol) == hash(FixedSplit(test=[3, 7, 50]))
    fit = protocol.plan(*numbered(), random_state=0)[0]
    assert ids(fit.X_test) == [3, 7, 50]
    assert set(ids(fit.X)) == set(range(60)) - {3, 7, 50}


def test_a_fixed_split_is_the_same_for_any_seed_but_its_learners_are_not():
    first, second = (FixedSplit(n_train=40).plan(*numbered(), random_state=seed)[0] for seed in (0, 1))
    np.testing.assert_array_equal(first.X, second.X)
    assert first.seed.generate_state(1) != second.seed.generate_state(1)


@pytest.mark.parametrize("protocol", [Resamples(3), FixedSplit(n_train=40), FixedSplit(test=[1, 2])], ids=str)
def test_learners_of_both_kinds_can_be_trained(protocol):
    X, y = numbered()
    for model, target, regression in (
        (DecisionTreeClassifier(), y.astype(str), False),
        (DecisionTreeRegressor(), X[:, 1], True),
    ):
        plan = protocol.plan(X, target, regression=regression, random_state=0)
        run = run_fit(model, plan, len(plan) - 1)
        assert len(run.predictions) == len(plan.place(len(plan) - 1)[1])
    constant = protocol.plan(X, np.ones(60), regression=True, random_state=0)
    assert set(constant[0].y) == {1.0}


@pytest.mark.parametrize(
    "protocol", [Resamples(3, stratified=True), FixedSplit(n_train=40), FixedSplit(test=[2, 1])], ids=str
)
def test_protocols_can_be_sent_described_and_compared(protocol):
    again = pickle.loads(pickle.dumps(protocol))
    assert again == protocol
    assert hash(again) == hash(protocol)
    assert describe(protocol.lasting()) == describe(again.lasting())


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Resamples(0), ValueError, "n_repeats=0"),
        (lambda: Resamples(True), TypeError, "n_repeats=True"),
        (lambda: Resamples(train_size=0), ValueError, "train_size=0"),
        (lambda: Resamples(train_size=1.5), ValueError, "train_size=1.5"),
        (lambda: Resamples(train_size="most"), TypeError, "train_size='most'"),
        (lambda: Resamples(train_size=True), TypeError, "train_size=True"),
        (lambda: Resamples(stratified=1), TypeError, "stratified=1"),
        (lambda: FixedSplit(), ValueError, "neither of them given"),
        (lambda: FixedSplit(3, [1]), ValueError, "both of them given"),
        (lambda: FixedSplit(0), ValueError, "n_train=0"),
        (lambda: FixedSplit(0.7), TypeError, "n_train=0.7"),
        (lambda: FixedSplit(test=[]), ValueError, r"test=\[\] is empty"),
        (lambda: FixedSplit(test=7), TypeError, "test=7 is no sequence"),
        (lambda: FixedSplit(test="first"), TypeError, "test='first' is no sequence"),
        (lambda: FixedSplit(test=[3, -1]), ValueError, r"test\[1\]=-1"),
        (lambda: FixedSplit(test=[True, False]), TypeError, r"test\[0\]=True"),
        (lambda: FixedSplit(test=[1.0]), TypeError, r"test\[0\]=1.0"),
        (lambda: FixedSplit(test=[4, 2, 4]), ValueError, "names row 4 twice"),
    ],
)
def test_wrong_parameters_are_refused_at_once(make, error, message):
    with pytest.raises(error, match=message):
        make()


X, Y = numbered()
ONE_CLASS = (X, ["a"] * 60)


@pytest.mark.parametrize(
    ("protocol", "data", "message"),
    [
        (Resamples(train_size=60), (X, Y), "train_size=60 of 60 cases leaves one part empty"),
        (Resamples(train_size=0.001), (X, Y), "train_size=0.001 of 60 cases leaves one part empty"),
        (Resamples(train_size=1.0), (X, Y), "train_size=1.0 of 60 cases leaves one part empty"),
        (Resamples(train_size=1), (X, Y), "train_size=1 of 60 cases trains on one case"),
        (Resamples(), ONE_CLASS, "All cases of y are of one class, 'a'"),
        (Resamples(), (), "Resamples needs data; give X and y"),
        (FixedSplit(60), (X, Y), "n_train=60 of 60 leaves one part empty"),
        (FixedSplit(600), (X, Y), "n_train=600 of 60 leaves one part empty"),
        (FixedSplit(test=range(60)), (X, Y), "test with 60 rows of 60 leaves one part empty"),
        (FixedSplit(test=[60]), (X, Y), "test names row 60, but there are 60, counted from 0"),
        (FixedSplit(20), (X, np.arange(60) < 30), "n_train=20: the training part has one class only, True"),
        (FixedSplit(test=[0]), (X, ["b"] + ["a"] * 59), "test with 1 row: the training part has one class only, 'a'"),
    ],
)
def test_data_that_a_protocol_cannot_use_is_refused_before_any_fit(protocol, data, message):
    with pytest.raises(ValueError, match=message):
        protocol.plan(*data, random_state=0)
