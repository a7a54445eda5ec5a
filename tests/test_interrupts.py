"""Ctrl-C that compiled code turned into a SystemError is an interrupt again, wherever it comes out."""

from __future__ import annotations

import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from covey import CoveyClassifier, EnsembleClassifier, OneVsOneClassifier
from covey.study import CycledFolds, repeat_predictions
from covey.study.pool import run_tasks

X, y = load_iris(return_X_y=True)


def raise_hidden(*_):
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as interrupt:
        raise SystemError("CPUDispatcher(<function>) returned a result with an exception set") from interrupt


class Interrupted(DecisionTreeClassifier):
    """A tree that is being fitted when Ctrl-C is pressed."""

    def fit(self, X, y, sample_weight=None):
        raise_hidden()


@pytest.mark.parametrize(
    "model",
    [EnsembleClassifier(Interrupted(), 2), OneVsOneClassifier(Interrupted()), CoveyClassifier([Interrupted()], cv=2)],
    ids=lambda model: type(model).__name__,
)
def test_a_fit_is_interrupted_and_leaves_the_model_as_it_was(model):
    before = vars(clone(model)).keys()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert vars(model).keys() == before


def test_a_study_in_this_process_stops_rather_than_counting_a_failed_cell():
    begun = run_tasks(raise_hidden, [1, 2], n_workers=1)
    with pytest.raises(KeyboardInterrupt):
        next(begun)


def test_repeated_fits_stop():
    with pytest.raises(KeyboardInterrupt):
        repeat_predictions(Interrupted(), CycledFolds(1, 2), X, y, random_state=0)
