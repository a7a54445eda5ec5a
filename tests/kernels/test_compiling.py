"""Compiling of kernels: how long it took, and that it is told of."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest
from numba import njit
from sklearn.base import BaseEstimator, ClassifierMixin

from covey._progress import Progress
from covey.kernels import compiling
from covey.kernels.compiling import COMPILING, compiled_seconds, tell_compiling, waiting_for
from covey.study import CycledFolds
from covey.study.fits import fit_and_predict


def compile_something():
    @njit
    def add(first, second):
        return first + second

    return add(1, 2)


def test_compiling_is_timed_and_told_once(monkeypatch):
    monkeypatch.setattr(compiling, "PATIENCE", 0.0)
    told, before, began = [], compiled_seconds(), perf_counter()
    tell_compiling(told.append)
    assert compile_something() == compile_something() == 3
    assert 0 < compiled_seconds() - before <= perf_counter() - began
    assert told == [COMPILING.format("")]


def test_what_ends_soon_is_not_told(monkeypatch):
    monkeypatch.setattr(compiling, "PATIENCE", 1e6)
    told = []
    tell_compiling(told.append)
    compile_something()
    assert told == []


@pytest.mark.parametrize("module", ["covey.kernels.prune", "elsewhere"])
def test_waiting_for_another_process_is_timed_and_told_as_compiling(monkeypatch, module):
    monkeypatch.setattr(compiling, "PATIENCE", 0.0)
    told, before = [], compiled_seconds()
    tell_compiling(told.append)
    with waiting_for(module) as still_waiting:
        still_waiting()
        still_waiting()
    assert compiled_seconds() > before
    assert told == [COMPILING.format("the tree " if module.startswith("covey") else "")]


def test_a_terminal_or_verbose_asks_to_be_told(monkeypatch, capsys):
    monkeypatch.setattr(Progress, "wanted", False)
    compiling._tell_on_terminal("a line")
    assert capsys.readouterr().err == ""
    Progress("a fit", 3, verbose=1)
    compiling._tell_on_terminal("a line")
    assert capsys.readouterr() == ("", "covey: a line\n")


class Compiling(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        for _ in range(3):
            compile_something()
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_the_time_of_a_fit_has_no_compiling_in_it():
    plan = CycledFolds(1, 2).plan(np.zeros((10, 1)), np.arange(10) % 2, random_state=0)
    before, began = compiled_seconds(), perf_counter()
    seconds = fit_and_predict(Compiling(), plan[0], plan)[1]
    passed, compiled = perf_counter() - began, compiled_seconds() - before
    assert compiled > 0
    assert 0 <= sum(seconds.values()) <= passed - compiled + 1e-6
