"""Trials of sphere covers over random columns."""

import numpy as np
import pandas as pd
import pytest

from covey import SubspaceSphereEnsembleClassifier, seeds
from covey.ensemble.sphere_trial import Trial, _by_covers, _by_distances
from covey.learners import SphereCoverClassifier
from covey.learners.sphere_size import SIZES, splits
from covey.table import as_table


def mixed(rng, n_rows):
    y = rng.integers(0, 3, n_rows)
    X = rng.normal(size=(n_rows, 6)) + 0.8 * y[:, None]
    X[rng.random(X.shape) < 0.05] = np.nan
    frame = pd.DataFrame(X)
    frame[1] = pd.Categorical(rng.integers(0, 3, n_rows).astype(str))
    return frame, y


def numbers(rng, n_rows):
    y = rng.integers(0, 2, n_rows)
    return rng.normal(size=(n_rows, 7)) + y[:, None], y


def twins(rng, n_rows):
    return rng.integers(0, 3, (n_rows, 4)).astype(float), rng.integers(0, 3, n_rows)


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("make", [mixed, numbers, twins])
@pytest.mark.parametrize("weigh", [np.ones, lambda n: np.arange(n) % 3 * 0.75])
def test_all_distances_at_once_tell_the_same_as_covers_one_by_one(make, weigh, scale):
    rng = np.random.default_rng(0)
    X, y = make(rng, 130)
    weight = weigh(len(y))
    folds = list(splits(4, y, weight, rng))
    trial = Trial(SphereCoverClassifier(scale=scale), as_table(X), y, weight, folds, seeds.seed_sequence(0))
    columns = rng.permutation(X.shape[1])
    subsets = [columns[:1], columns[:3], columns]

    def held_out(way):
        return list(way(trial, subsets, SIZES, [np.random.default_rng(at) for at in range(3)]))

    for (codes, regular), (others, also) in zip(held_out(_by_distances), held_out(_by_covers), strict=True):
        assert regular.tolist() == also.tolist()
        assert (codes[regular] == others[regular]).all()
    assert not regular.all() or make is not twins


def test_other_metrics_are_tried_too():
    X, y = numbers(np.random.default_rng(0), 60)
    model = SubspaceSphereEnsembleClassifier(2, metric="manhattan", cv=3, random_state=0).fit(X, y)
    assert list(model.subspace_curve_) == [1, 2, 3, 4, 5, 6, 7]
    assert model.min_sphere_size_ in model.size_curve_
