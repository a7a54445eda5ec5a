from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy import sparse
from sklearn.datasets import make_moons

from covey.datasets import WaveformTask, make_twonorm, simulated_regression_task, twonorm_task
from covey.study import BootstrapSamples, CycledFolds, DisjointSamples, FreshSamples
from covey.study.plans import take_rows
from covey.study.splits import Resamples
from covey.table import as_table


def numbered(n: int = 60, classes: int = 3):
    """Rows whose first column says which row they are, so that it can be seen where they end up."""
    rng = np.random.default_rng(3)
    return np.column_stack([np.arange(n), rng.normal(size=n)]), np.arange(n) % classes


def ids(X) -> list[int]:
    return np.asarray(X)[:, 0].astype(int).tolist()


def test_bootstrap_samples_are_drawn_with_replacement_from_the_training_part_alone():
    X, y = numbered(300)
    plan = BootstrapSamples(n_repeats=50, sample_size=80).plan(X, y, random_state=1)
    assert plan.shape == (50, 100)
    assert ids(plan.X) == plan.cases.tolist()
    drawn = Counter()
    for number in range(len(plan)):
        fit = plan[number]
        assert (fit.repeat, fit.number, len(fit.X)) == (number, number, 80)
        assert not set(ids(fit.X)) & set(plan.cases.tolist())
        assert len(set(ids(fit.X))) < 80
        np.testing.assert_array_equal(fit.y, y[ids(fit.X)])
        np.testing.assert_array_equal(fit.X_test, X[plan.cases])
        drawn.update(ids(fit.X))
    assert len(drawn) == 200
    # 4000 draws over 200 cases: 20 each, with a standard deviation of nearly sqrt(20).
    assert abs(np.array(list(drawn.values())) - 20).max() < 5 * np.sqrt(20)


@pytest.mark.parametrize(("test_size", "expected"), [(1 / 3, 20), (0.25, 15), (7, 7), (np.int64(58), 58)])
def test_the_test_part_is_a_share_or_a_number_of_cases(test_size, expected):
    plan = BootstrapSamples(2, 2, test_size).plan(*numbered(), regression=True, random_state=0)
    assert len(plan.cases) == len(plan.y) == expected


def test_cycled_folds_predict_every_case_once_per_cycle_and_train_on_it_in_the_other_folds():
    X, y = numbered(61)
    plan = CycledFolds().plan(X, y, random_state=0)
    assert len(plan) == 30
    assert plan.shape == (10, 61)
    predicted, trained, sizes = np.zeros((10, 61), int), Counter(), Counter()
    for number in range(30):
        fit = plan[number]
        assert fit.repeat == number // 3
        assert ids(fit.X_test) == fit.test.tolist()
        assert sorted(ids(fit.X) + ids(fit.X_test)) == list(range(61))
        predicted[fit.repeat, fit.test] += 1
        trained.update(ids(fit.X))
        sizes[len(fit.test)] += 1
    assert (predicted == 1).all()
    assert trained == dict.fromkeys(range(61), 20)
    assert sizes == {20: 20, 21: 10}


def test_every_cycle_has_a_partition_of_its_own():
    plan = CycledFolds(n_cycles=20).plan(*numbered(), random_state=0)
    assert len({tuple(plan.place(number)[1]) for number in range(60)}) == 60


@given(st.lists(st.integers(0, 3), min_size=8, max_size=60), st.integers(2, 5), st.integers(0, 2**32))
@settings(deadline=None, max_examples=50)
def test_stratified_folds_share_out_every_class(y, n_folds, seed):
    y = np.array([0, 0, 1, 1, *y])
    plan = CycledFolds(2, n_folds, stratified=True).plan(np.arange(len(y)), y, random_state=seed)
    for cycle in range(2):
        tests = [plan.place(cycle * n_folds + fold)[1] for fold in range(n_folds)]
        assert sorted(np.concatenate(tests).tolist()) == list(range(len(y)))
        counts = np.array([np.bincount(y[test], minlength=4) for test in tests])
        assert np.ptp(counts, axis=0).max() <= 1
        assert np.ptp(counts.sum(axis=1)) <= 1


def test_fresh_samples_are_independent_training_sets_and_one_test_set():
    plan = FreshSamples(twonorm_task(), n_repeats=4, train_size=30, test_size=50).plan(random_state=5)
    assert plan.cases is None
    assert plan.shape == (4, 50)
    sets = [plan[number] for number in range(4)]
    assert {fit.X.shape for fit in sets} == {(30, 20)}
    for fit in sets:
        np.testing.assert_array_equal(fit.X_test, plan.X)
    assert len({fit.X[0, 0] for fit in sets} | {plan.X[0, 0]}) == 5


@pytest.mark.parametrize("task", [make_twonorm, partial(make_twonorm, as_frame=True), make_moons, WaveformTask()])
def test_functions_and_tasks_can_be_sampled(task):
    plan = FreshSamples(task, n_repeats=2, train_size=20, test_size=10).plan(random_state=0)
    assert len(plan.y) == 10
    assert type(plan[1].X) is type(plan.X)


PROTOCOLS = [
    BootstrapSamples(6, 20),
    CycledFolds(2, stratified=True),
    Resamples(6, 0.5),
    Resamples(6, 0.5, stratified=True),
    FreshSamples(twonorm_task(), n_repeats=6, train_size=20, test_size=10),
]


def data_for(protocol):
    return () if isinstance(protocol, FreshSamples) else numbered()


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: type(protocol).__name__)
def test_fits_depend_on_the_seed_and_their_place_alone(protocol):
    first, again, other = (protocol.plan(*data_for(protocol), random_state=seed) for seed in (0, 0, 1))
    backwards = {number: again[number] for number in reversed(range(len(again)))}
    for number in range(len(first)):
        fit, same = first[number], backwards[number]
        np.testing.assert_array_equal(fit.X, same.X)
        np.testing.assert_array_equal(fit.X_test, same.X_test)
        np.testing.assert_array_equal(fit.seed.generate_state(2), same.seed.generate_state(2))
        assert not np.array_equal(fit.X, other[number].X)
    assert len({tuple(fit.seed.generate_state(4)) for fit in backwards.values()}) == len(first)


@pytest.mark.parametrize("protocol", [*PROTOCOLS[:-1], DisjointSamples(8, 10, 20)], ids=str)
def test_more_repeats_leave_the_first_ones_as_they_are(protocol):
    X, y = numbered(100)
    fewer = protocol.lasting()
    few, many = (one.plan(X, y, random_state=0) for one in (fewer, protocol))
    assert len(few) < len(many)
    np.testing.assert_array_equal(few.cases, many.cases)
    for number in range(len(few)):
        np.testing.assert_array_equal(few[number].X, many[number].X)
        np.testing.assert_array_equal(few[number].seed.generate_state(2), many[number].seed.generate_state(2))


@pytest.mark.parametrize("protocol", [CycledFolds(3, 4), Resamples(5), BootstrapSamples(4, 20)])
def test_the_repeat_of_a_fit_is_known_without_its_rows(protocol):
    plan = protocol.plan(*numbered(), random_state=0)
    assert [protocol.repeat_of(number) for number in range(len(plan))] == [fit.repeat for fit in list(plan)]


def test_a_plan_ends_where_it_ends():
    plan = CycledFolds(2).plan(*numbered(), random_state=0)
    assert len(list(plan)) == 6
    for number in (-1, 6):
        with pytest.raises(IndexError, match="plan of 6 fits"):
            plan[number]


def containers():
    X, _ = numbered(6)
    frame = pd.DataFrame({"number": X[:, 0], "kind": pd.Categorical(list("aabbcc"))}, index=list("uvwxyz"))
    return {
        "array": X,
        "list": X.tolist(),
        "sparse": sparse.csr_array(X),
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "table": as_table(frame),
    }


@pytest.mark.parametrize("name", list(containers()))
def test_rows_are_taken_from_anything_that_has_rows(name):
    X = containers()[name]
    taken = take_rows(X, np.array([4, 1, 1]))
    assert type(taken) is type(X)
    values = taken.matrix if name == "table" else taken.toarray() if name == "sparse" else taken
    assert ids(values) == [4, 1, 1]
    if name == "table":
        assert taken.schema is X.schema
        assert taken.shape == (3, 2)


@pytest.mark.parametrize("name", list(containers()))
def test_every_kind_of_rows_gives_the_same_splits(name):
    y = ["no", "yes"] * 3
    plan = BootstrapSamples(1, 3, 2).plan(containers()[name], y, random_state=0)
    expected = BootstrapSamples(1, 3, 2).plan(containers()["array"], y, random_state=0)
    assert plan.cases.tolist() == expected.cases.tolist()
    assert plan[0].y.tolist() == expected[0].y.tolist()


def test_a_sparse_matrix_that_cannot_be_indexed_is_turned_into_one_that_can():
    X, y = numbered()
    plan = CycledFolds(1).plan(sparse.coo_array(X), y, random_state=0)
    np.testing.assert_array_equal(plan[0].X.toarray(), CycledFolds(1).plan(X, y, random_state=0)[0].X)


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(["b", "a"] * 3, dtype="category"),
        pl.Series(["b", "a"] * 3),
        np.array(["b", "a"] * 3, dtype=object),
        ("b", "a") * 3,
    ],
)
def test_labels_of_any_kind_become_an_array(y):
    plan = CycledFolds(1, 2).plan(np.zeros((6, 1)), y, random_state=0)
    assert plan.y.dtype.kind == "U"
    assert plan.y.tolist() == ["b", "a"] * 3


def test_a_sample_of_one_class_is_drawn_again():
    y = np.array([1, 1, 1] + [0] * 57)
    plan = BootstrapSamples(100, 2, 20).plan(np.zeros((60, 1)), y, random_state=3)
    assert all(len(set(plan[number].y)) == 2 for number in range(100))
    numbers = BootstrapSamples(100, 2, 20).plan(np.zeros((60, 1)), y, regression=True, random_state=3)
    assert any(len(set(numbers[number].y)) == 1 for number in range(100))


def test_a_partition_that_leaves_one_class_is_drawn_again():
    y = np.array([1, 1] + [0] * 28)
    plan = CycledFolds(30, 2).plan(np.zeros((30, 1)), y, random_state=0)
    assert all(len(set(plan[number].y)) == 2 for number in range(60))


def rarely(n_samples, random_state):
    return np.zeros((n_samples, 1)), (np.random.default_rng(random_state).random(n_samples) < 0.02).astype(int)


def never(n_samples, random_state):
    return np.zeros((n_samples, 1)), np.zeros(n_samples, dtype=int)


def test_a_fresh_training_set_of_one_class_is_drawn_again_but_not_for_ever():
    plan = FreshSamples(rarely, 20, 10, 5).plan(random_state=0)
    assert all(set(plan[number].y) == {0, 1} for number in range(20))
    with pytest.raises(ValueError, match="100 draws in a row left one class only"):
        FreshSamples(never, 20, 10, 5).plan(random_state=0)[0]


def test_a_regression_needs_no_classes():
    task = simulated_regression_task(random_state=0)
    plan = FreshSamples(task, 2, 10, 5).plan(regression=True, random_state=0)
    assert plan[0].y.dtype == np.float64
    constant = BootstrapSamples(2, 5).plan(np.zeros((20, 1)), np.ones(20), regression=True, random_state=0)
    assert constant[0].y.tolist() == [1.0] * 5


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: BootstrapSamples(0), ValueError, "n_repeats=0"),
        (lambda: BootstrapSamples(2.5), TypeError, "n_repeats=2.5"),
        (lambda: BootstrapSamples(sample_size=1), ValueError, "sample_size=1"),
        (lambda: BootstrapSamples(test_size=1.5), ValueError, "test_size=1.5"),
        (lambda: BootstrapSamples(test_size=0), ValueError, "test_size=0"),
        (lambda: BootstrapSamples(test_size="third"), TypeError, "test_size='third'"),
        (lambda: BootstrapSamples(test_size=True), TypeError, "test_size=True"),
        (lambda: CycledFolds(0), ValueError, "n_cycles=0"),
        (lambda: CycledFolds(n_folds=1), ValueError, "n_folds=1"),
        (lambda: CycledFolds(stratified="yes"), TypeError, "stratified='yes'"),
        (lambda: DisjointSamples(0), ValueError, "n_repeats=0"),
        (lambda: DisjointSamples(train_size=1), ValueError, "train_size=1"),
        (lambda: DisjointSamples(test_size=0), ValueError, "test_size=0"),
        (lambda: FreshSamples(3), TypeError, "task=3 cannot be sampled"),
        (lambda: FreshSamples(WaveformTask), TypeError, r"WaveformTask\(\)"),
        (lambda: FreshSamples(make_moons, 0), ValueError, "n_repeats=0"),
        (lambda: FreshSamples(make_moons, 1, 1), ValueError, "train_size=1"),
        (lambda: FreshSamples(make_moons, 1, 2, 0), ValueError, "test_size=0"),
    ],
)
def test_wrong_parameters_are_refused_at_once(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    ("protocol", "data", "message"),
    [
        (BootstrapSamples(test_size=60), numbered(), "test_size=60 of 60 cases leaves one part empty"),
        (BootstrapSamples(test_size=0.001), numbered(), "test_size=0.001 of 60 cases leaves one part empty"),
        (BootstrapSamples(2, 10), (numbered()[0], [0] * 60), "one class only, 0"),
        (CycledFolds(n_folds=61), numbered(), "n_folds=61 is more than the 60 cases"),
        (CycledFolds(), (numbered()[0], ["a"] * 59 + ["b"]), "all but one, are of one class"),
        (CycledFolds(), (), "CycledFolds needs data; give X and y"),
        (CycledFolds(), (numbered()[0], None), "needs data"),
        (CycledFolds(), (numbered()[0], np.arange(59) % 2), "X has 60 rows, but y has 59 values"),
        (FreshSamples(make_moons), numbered(), "leave X and y out"),
        (FreshSamples(lambda n, random_state: numbered(7)), (), "was asked for 3000 cases and gave 7"),
    ],
)
def test_data_that_a_protocol_cannot_use_is_refused_before_any_fit(protocol, data, message):
    with pytest.raises(ValueError, match=message):
        protocol.plan(*data, random_state=0)


@pytest.mark.parametrize("kind", [CycledFolds, Resamples])
def test_numbers_cannot_be_stratified(kind):
    with pytest.raises(ValueError, match="stratified=True needs classes"):
        kind(stratified=True).plan(*numbered(), regression=True)


@pytest.mark.parametrize("X", [pl.LazyFrame({"a": [1, 2]}), iter([1, 2])], ids=["lazy frame", "iterator"])
def test_what_has_no_rows_to_take_is_refused(X):
    with pytest.raises(TypeError, match="whose rows cannot be taken"):
        CycledFolds().plan(X, [0, 1])


def test_a_bootstrap_sample_may_have_more_cases_than_the_training_part():
    """As on the paper's heart data: 200 of 180."""
    X, y = numbered()
    plan = BootstrapSamples(n_repeats=2).plan(X, y, random_state=0)
    assert len(plan[0].y) == 200
    assert len(plan.y) == 20


def test_disjoint_samples_share_no_case_with_each_other_or_with_the_test():
    X, y = numbered(100)
    plan = DisjointSamples(n_repeats=4, train_size=15, test_size=30).plan(X, y, random_state=2)
    assert plan.shape == (4, 30)
    assert ids(plan.X) == plan.cases.tolist()
    parts = [ids(plan[number].X) for number in range(len(plan))]
    assert [len(part) for part in parts] == [15] * 4
    assert len({*plan.cases.tolist(), *(case for part in parts for case in part)}) == 30 + 4 * 15
    for number, part in enumerate(parts):
        np.testing.assert_array_equal(plan[number].y, y[part])
        np.testing.assert_array_equal(plan[number].X_test, X[plan.cases])
        assert plan[number].repeat == number


def test_disjoint_samples_need_enough_cases_and_classes():
    X, y = numbered(100)
    with pytest.raises(
        ValueError, match=r"n_repeats=9 training sets of train_size=10 .* need 110 cases, but there are"
    ):
        DisjointSamples(9, 10, 20).plan(X, y, random_state=0)
    rare = np.zeros(100, dtype=int)
    rare[DisjointSamples(1, 10, 20).plan(X, y, random_state=0).cases] = 1
    plan = DisjointSamples(1, 10, 20).plan(X, rare, random_state=0)
    with pytest.raises(ValueError, match="Training set 0 of 10 cases has one class only, 0; give a larger train_size"):
        plan[0]
    numbers = DisjointSamples(1, 10, 20).plan(X, rare, regression=True, random_state=0)
    assert len(numbers[0].y) == 10
