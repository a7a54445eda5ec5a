"""Budgets of time: what is tried, what is left out and told, and what stays as of the first fold."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

from covey import CoveyClassifier
from covey.kernels.compiling import waiting_for


class Timed(GaussianNB):
    """A classifier whose fits take some seconds of a clock that stands still otherwise."""

    now = 0.0
    fits: ClassVar[list[tuple[float, int]]] = []

    def __init__(self, takes=1.0, var_smoothing=1e-9):
        super().__init__(var_smoothing=var_smoothing)
        self.takes = takes

    def fit(self, X, y, sample_weight=None):
        Timed.now += self.takes
        self.fits.append((self.takes, len(y)))
        return super().fit(X, y, sample_weight)


class Compiled(Timed):
    """A classifier whose first fit waits for kernels to be compiled."""

    def fit(self, X, y, sample_weight=None):
        if not self.fits:
            with waiting_for("covey.kernels.grow"):
                Timed.now += 100.0
        return super().fit(X, y, sample_weight)


@pytest.fixture
def clock(monkeypatch):
    """Let only the fits of `Timed` take time."""
    monkeypatch.setattr(Timed, "now", 0.0)
    monkeypatch.setattr(Timed, "fits", [])
    monkeypatch.setattr("covey.kernels.compiling.time", SimpleNamespace(perf_counter=lambda: Timed.now))
    return Timed


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


def timed(budget, *seconds, **params):
    members = [(f"{takes:g} s", Timed(takes)) for takes in seconds]
    return CoveyClassifier(members, weighting="uniform", budget=budget, random_state=0, **params)


def test_members_that_fit_into_the_budget_are_all_fitted_on_all_rows(clock, cancer):
    model = timed(20.0, 1.0, 2.0, cv=5).fit(*cancer)
    assert list(model.weights_) == ["1 s", "2 s"]
    assert clock.now == 18.0
    assert [n_rows for _, n_rows in clock.fits[-2:]] == [569, 569]


def test_compiling_takes_nothing_from_the_budget(clock, cancer):
    members = [("first", Compiled(1.0)), ("second", Timed(2.0))]
    model = CoveyClassifier(members, weighting="uniform", budget=20.0, cv=5, random_state=0).fit(*cancer)
    assert [score.seconds for score in model._scores] == [6.0, 12.0]
    assert clock.now == 118.0


def test_what_does_not_fit_is_left_out_and_named(clock, cancer):
    """After 1 + 4 seconds 7 of 12 are left, and 4 more folds of the second would take 16."""
    said = (
        "Left out: 4 s: it would have taken about 20 s more, for which there is no time; 2 s: no time was left to try "
        "it. The budget was 12 seconds; a larger budget gives members more time."
    )
    with pytest.warns(UserWarning, match=f"^{re.escape(said)}$"):
        model = timed(12.0, 1.0, 4.0, 2.0, cv=5).fit(*cancer)
    assert list(model.weights_) == ["1 s"]
    assert clock.now == 1.0 + 4.0 + 4.0 + 1.0


def test_members_stay_as_of_the_first_fold_where_time_is_short(clock, cancer):
    """Of 10 seconds 10 - 2 * (1 + 3) = 2 are left for fits on all rows, enough for the first member only."""
    said = "Fitted on the first fold's rows only, for lack of time: '3 s'. The budget was 10 seconds;"
    with pytest.warns(UserWarning, match=f"^{re.escape(said)}"):
        model = timed(10.0, 1.0, 3.0, cv=2).fit(*cancer)
    assert model.weights_ == {"1 s": 0.5, "3 s": 0.5}
    assert clock.now == 9.0
    of_the_second = [n_rows for takes, n_rows in clock.fits if takes == 3.0]
    assert len(of_the_second) == 2
    assert [int(member.class_count_.sum()) for member in model.estimators_] == [569, of_the_second[0]]


def test_one_member_is_tried_however_short_the_time(clock, cancer):
    with pytest.warns(UserWarning, match="Left out: 6 s: no time was left to try it. Fitted on the first"):
        model = timed(0.1, 5.0, 6.0, cv=[(np.arange(300), np.arange(300, 569))]).fit(*cancer)
    assert list(model.weights_) == ["5 s"]
    assert clock.now == 5.0


def test_what_is_quick_on_many_rows_is_tried_first(clock, cancer):
    members = [("slow", Timed(9.0)), ("gradient boosting", Timed(1.0))]
    with pytest.warns(UserWarning, match="Left out: slow: it would have taken about"):
        model = CoveyClassifier(members, budget=14.0, cv=3, random_state=0).fit(*cancer)
    assert [takes for takes, _ in clock.fits] == [1.0, 9.0, 1.0, 1.0, 1.0]
    assert list(model.weights_) == ["gradient boosting"]
