"""Folds: every row asked once, classes spread evenly, rare ones and groups kept, splitters taken as they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.model_selection import GroupKFold, ShuffleSplit

from covey.combination.folds import HELD_OUT_FROM, MANY_ROWS, make_folds

SEED = np.random.SeedSequence(0)


def folds_of(y, cv=None, weight=None, groups=None):
    weight = np.ones(len(y)) if weight is None else weight
    return make_folds(cv, np.zeros((len(y), 1)), np.asarray(y), weight, groups, SEED)


@settings(max_examples=40, deadline=None)
@given(y=st.lists(st.integers(0, 4), min_size=2, max_size=60), cv=st.integers(2, 6), weight=st.integers(0, 2**31 - 1))
def test_every_row_with_weight_is_asked_once_and_never_trains_for_itself(y, cv, weight):
    present = np.random.default_rng(weight).random(len(y)) < 0.8
    present[:2] = True
    folds = folds_of(y, min(cv, int(present.sum())), present.astype(float))
    asked = np.concatenate([rows for _, rows in folds])
    assert sorted(asked) == np.flatnonzero(present).tolist()
    for train, rows in folds:
        assert sorted([*train, *rows]) == np.flatnonzero(present).tolist()


def test_classes_and_numbers_are_spread_evenly():
    y = np.repeat([0, 1, 2], [100, 50, 7])
    for _, asked in folds_of(y, 5):
        counts = np.bincount(y[asked], minlength=3)
        assert abs(counts[0] - 20) <= 1
        assert abs(counts[1] - 10) <= 1
        assert counts[2] in (1, 2)
    numbers = np.random.default_rng(0).normal(size=500)
    means = [numbers[asked].mean() for _, asked in folds_of(numbers, 5)]
    assert np.ptp(means) < 0.05  # 0.2 if they were drawn at random


@pytest.mark.parametrize(("n_rows", "n_folds"), [(2, 2), (100, 5), (MANY_ROWS, 4), (HELD_OUT_FROM, 1)])
def test_the_number_of_folds_by_size(n_rows, n_folds):
    folds = folds_of(np.arange(n_rows) % 2)
    assert len(folds) == n_folds
    if n_folds == 1:
        assert len(folds[0][1]) == n_rows // 5


def test_groups_stay_together():
    groups = np.repeat(np.arange(20), 5)
    for cv in (None, 4, GroupKFold(3)):
        for train, asked in folds_of(np.arange(100) % 3, cv, groups=groups):
            assert not set(groups[train]) & set(groups[asked])


def test_a_splitter_may_ask_some_rows_several_times():
    folds = folds_of(np.arange(30) % 2, ShuffleSplit(4, test_size=0.5, random_state=0))
    assert [len(asked) for _, asked in folds] == [15] * 4


def test_too_many_folds_are_refused():
    with pytest.raises(ValueError, match="cv=5 folds cannot be made of 3 rows; give 2 to 3"):
        folds_of([0, 1, 0], 5)
