import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from covey import SphereCoverClassifier
from covey.learners import sphere_cover
from covey.learners.sphere_size import SIZES, best_of, splits


def noisy(n_rows=300, seed=0):
    """Two overlapping classes, of which a pure cover learns the noise."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % 2
    return rng.normal(size=(n_rows, 2)) + 1.2 * y[:, None], y


@pytest.mark.parametrize("cv", [2, 5, 10, 1000])
def test_folds_cut_each_class_evenly(cv):
    codes = np.repeat([0, 1, 2], [50, 30, 3])
    weight = np.ones(83)
    weight[:4] = 0
    rng = np.random.default_rng(0)
    tests = [test for _, test in splits(cv, codes, weight, rng)]
    assert sorted(np.concatenate(tests)) == list(range(4, 83))
    counts = np.array([np.bincount(codes[test], minlength=3) for test in tests])
    assert (np.ptp(counts, axis=0) <= 1).all()


def test_folds_may_be_given():
    codes = np.arange(12) % 2
    given = [(np.arange(6), np.arange(6, 12))]
    [(_, test)] = splits(given, codes, np.ones(12), np.random.default_rng(0))
    assert test.tolist() == list(range(6, 12))
    splitter = StratifiedKFold(3)
    assert len(list(splits(splitter, codes, np.ones(12), np.random.default_rng(0)))) == 3


def test_the_best_size_is_the_smallest_of_equals():
    assert best_of({1: 0.8, 2: 0.9, 3: 0.9}) == 2


def test_noise_asks_for_larger_spheres():
    X, y = noisy()
    model = SphereCoverClassifier("auto", random_state=0).fit(X, y)
    assert model.min_sphere_size_ > 1
    assert model.min_sphere_size_ == best_of(model.size_curve_)
    assert set(model.size_curve_) <= set(SIZES)
    assert (model.sphere_sizes_ >= model.min_sphere_size_).all()
    pure = SphereCoverClassifier(1, random_state=0).fit(X, y)
    fresh = noisy(2000, seed=9)
    assert model.score(*fresh) > pure.score(*fresh)


def test_sizes_that_no_sphere_reaches_are_not_chosen():
    X = np.arange(8.0)[:, None]  # classes take turns: no sphere holds more than its centre
    model = SphereCoverClassifier("auto", cv=2, random_state=0).fit(X, np.arange(8) % 2)
    assert 20 not in model.size_curve_


def test_the_curve_is_that_of_covers_trained_on_the_folds():
    X, y = noisy(1200)
    folds = [(np.arange(800), np.arange(800, 1200))]
    model = SphereCoverClassifier("auto", cv=folds, random_state=0).fit(X, y)
    expected = [
        SphereCoverClassifier(5, random_state=seed).fit(X[:800], y[:800]).score(X[800:], y[800:]) for seed in range(5)
    ]
    assert model.size_curve_[5] == pytest.approx(np.mean(expected), abs=0.04)


def test_a_greedy_cover_can_choose_too():
    X, y = noisy(120)
    one, other = (SphereCoverClassifier("auto", cover="greedy", cv=4, random_state=0).fit(X, y) for _ in range(2))
    assert one.size_curve_ == other.size_curve_


def test_of_many_rows_some_choose(monkeypatch):
    X, y = noisy(400)
    weight = np.ones(400)
    weight[:50] = 0
    whole = SphereCoverClassifier("auto", random_state=0).fit(X, y, weight)
    monkeypatch.setattr(sphere_cover, "MOST_TRIED", 350)
    same = SphereCoverClassifier("auto", random_state=0).fit(X, y, weight)  # as many have weight
    assert same.size_curve_ == whole.size_curve_
    np.testing.assert_array_equal(same.center_indices_, whole.center_indices_)
    monkeypatch.setattr(sphere_cover, "MOST_TRIED", 200)
    tried = []

    def curve(data, weight, *_, **__):
        tried.append((data.rows.codes, weight))
        return {3.0: 0.9}

    monkeypatch.setattr(sphere_cover, "sphere_size_curve", curve)
    some = SphereCoverClassifier("auto", random_state=0).fit(X, y, weight)
    [(codes, weights)] = tried
    assert (weights == 1).all()
    assert np.bincount(codes).tolist() == [100, 100]
    assert some.min_sphere_size_ == 3
    assert some.center_indices_.max() >= 200  # all rows are covered
    SphereCoverClassifier("auto", cv=StratifiedKFold(3), random_state=0).fit(X, y)
    assert len(tried[-1][0]) == 400  # folds that are given are those of all rows
