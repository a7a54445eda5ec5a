from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info, threadpool_limits

from covey import AdaBoost, CoveyClassifier, EnsembleClassifier, Wagging
from covey.parallel import _LINEAR_ALGEBRA, each, one_thread


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_results_come_in_the_order_of_the_arguments(n_jobs):
    assert list(each(divmod, ((number, 3) for number in range(20)), n_jobs)) == [divmod(n, 3) for n in range(20)]


def test_work_starts_only_when_results_are_asked_for():
    asked = []
    results = each(asked.append, ((number,) for number in range(5)), 1)
    assert asked == []
    next(results)
    assert asked == [0]


def blas_threads(_: int) -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_linear_algebra_keeps_to_its_share_of_the_cores():
    before = blas_threads(0)
    within = next(iter(each(blas_threads, [(1,)], 64)))
    assert set(within) <= {1}
    assert blas_threads(0) == before


class Threads(DecisionTreeClassifier):
    """A tree that notes how many threads OpenMP has as it is fitted and asked."""

    seen: ClassVar[set[int]] = set()

    def note(self):
        of_openmp = (library for library in threadpool_info() if library["user_api"] == "openmp")
        self.seen.update(library["num_threads"] for library in of_openmp)

    def fit(self, X, y, sample_weight=None, check_input=True):
        self.note()
        return super().fit(X, y, sample_weight, check_input)

    def predict_proba(self, X, check_input=True):
        self.note()
        return super().predict_proba(X, check_input)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_members_of_the_combination_have_one_thread_of_openmp(n_jobs):
    X, y = load_iris(return_X_y=True)
    Threads.seen.clear()
    with threadpool_limits(3, user_api="openmp"):
        CoveyClassifier([Threads(), "nn"], n_jobs=n_jobs, random_state=0).fit(X, y).predict(X)
        assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "openmp"} == {3}
    assert Threads.seen == {1}


def test_processes_give_the_same_model_as_threads():
    X, y = load_iris(return_X_y=True)
    params = {"draw": Wagging(), "reweight": AdaBoost(), "chain_length": 3, "n_jobs": 2, "random_state": 0}
    threads = EnsembleClassifier(DecisionTreeClassifier(max_depth=1), 9, **params).fit(X, y)
    with parallel_config(backend="loky"):
        processes = EnsembleClassifier(DecisionTreeClassifier(max_depth=1), 9, **params).fit(X, y)
        found = processes.predict_proba(X)
    np.testing.assert_array_equal(found, threads.predict_proba(X))
    np.testing.assert_array_equal(processes.estimator_weights_, threads.estimator_weights_)


def test_overlapping_uses_leave_the_threads_of_others_alone():
    X, y = load_iris(return_X_y=True)
    model = EnsembleClassifier(n_estimators=4, n_jobs=2, random_state=0).fit(X, y)
    before = blas_threads(0)
    one, other = model.staged_predict(X), model.staged_predict(X)
    next(one)
    next(other)
    assert blas_threads(0) == before
    list(one)
    next(other)
    assert blas_threads(0) == before
    one, other = (each(blas_threads, [(1,), (2,)], 2) for _ in range(2))
    next(one)
    next(other)
    list(one)
    list(other)
    assert blas_threads(0) == before


def test_where_several_limits_hold_the_lowest_counts_until_who_set_it_ends():
    before = blas_threads(0)
    with _LINEAR_ALGEBRA.limited(2):
        two = blas_threads(0)
        with one_thread():
            assert set(next(iter(each(blas_threads, [(1,)], 2)))) <= {1}
            with one_thread():
                pass
            assert set(blas_threads(0)) <= {1}
        assert blas_threads(0) == two
    assert blas_threads(0) == before
