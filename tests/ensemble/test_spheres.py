"""The ensembles of the sphere-cover paper."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from covey import (
    BorderResampling,
    BorderSphereEnsembleClassifier,
    EnsembleClassifier,
    RandomSubspace,
    SphereCoverClassifier,
    SphereEnsembleClassifier,
    SubspaceSphereEnsembleClassifier,
)
from covey.datasets import make_ringnorm, make_twonorm
from covey.ensemble import sphere_trial
from covey.ensemble.sphere_trial import Trial
from covey.learners import euclid
from covey.learners.cover import ClassedRows
from covey.table import as_table

ENSEMBLES = [SphereEnsembleClassifier, BorderSphereEnsembleClassifier, SubspaceSphereEnsembleClassifier]


@pytest.fixture(scope="module")
def ringnorm():
    X, y = make_ringnorm(900, random_state=0)
    return X[:300], y[:300], X[300:], y[300:]


@pytest.mark.parametrize("kind", ENSEMBLES)
def test_the_vote_beats_the_mean_of_its_members(kind, ringnorm):
    X, y, new, truth = ringnorm
    model = kind(25, min_sphere_size=1, random_state=0).fit(X, y)
    members = model.member_predictions(new) == np.asarray(truth)[:, None]
    assert model.score(new, truth) > members.mean() + 0.02


def test_members_of_alpha_rse_cover_all_cases_and_differ():
    X, y = make_twonorm(200, random_state=0)
    model = SphereEnsembleClassifier(5, min_sphere_size=1, random_state=0).fit(X, y)
    assert len({tuple(member.center_indices_) for member in model.estimators_}) == 5
    for member in model.estimators_:
        assert len(member.uncovered_indices_) == 0
        assert (member.predict(X) == np.searchsorted(model.classes_, y)).all()


def test_a_member_is_the_classifier_on_its_own():
    X, y = make_twonorm(150, random_state=0)
    model = SphereEnsembleClassifier(3, min_sphere_size=2, random_state=0).fit(X, y)
    codes = np.searchsorted(model.classes_, y)
    for member in model.estimators_:
        alone = SphereCoverClassifier(2, random_state=member.random_state).fit(X, codes)
        np.testing.assert_array_equal(alone.center_indices_, member.center_indices_)
        np.testing.assert_array_equal(alone.radii_, member.radii_)


def test_enemies_are_found_once_for_all_members(monkeypatch):
    searched = []
    search = euclid.find_closest

    def counted(*args, **kwargs):
        searched.append(1)
        return search(*args, **kwargs)

    monkeypatch.setattr(euclid, "find_closest", counted)
    X, y = make_twonorm(200, random_state=0)
    SphereEnsembleClassifier(20, min_sphere_size=2, random_state=0).fit(X, y)
    assert len(searched) == 1


def test_the_border_goes_out_of_the_next_members_cases():
    X, y = make_twonorm(200, random_state=0)
    model = BorderSphereEnsembleClassifier(2, min_sphere_size=1, random_state=0).fit(X, y)
    first, second = model.estimators_
    gone = np.setdiff1d(first.border_indices_, second.center_indices_)
    assert len(gone) > 0
    # A sphere of the second that reaches past one of them holds a stranger: beta > 0.
    codes = np.searchsorted(model.classes_, y)
    strangers = 0
    rows = first._classed_rows(as_table(X), codes.astype(np.int64))
    for center, radius in zip(second.center_indices_, second.radii_, strict=True):
        inside = rows.distances(center) < radius
        strangers += np.count_nonzero(inside & (codes != codes[center]))
    assert strangers > 0


def test_members_of_alpha_rsse_see_as_many_columns_each():
    X, y = make_twonorm(120, random_state=0)
    model = SubspaceSphereEnsembleClassifier(6, subspace_size=7, min_sphere_size=2, random_state=0).fit(X, y)
    assert [len(columns) for columns in model.estimators_features_] == [7] * 6
    assert len({tuple(columns) for columns in model.estimators_features_}) > 1
    assert model.subspace_size_ == 7
    assert [member.centers_.shape[1] for member in model.estimators_] == [7] * 6
    by_hand = EnsembleClassifier(SphereCoverClassifier(2), 6, subspace=RandomSubspace(7), random_state=0).fit(X, y)
    np.testing.assert_array_equal(by_hand.member_predictions(X), model.member_predictions(X))


@pytest.mark.parametrize("size", [0, -1, 1.5, "some", 0.0, 21])
def test_sizes_that_make_no_sense(size):
    X, y = make_twonorm(60, random_state=0)
    with pytest.raises(ValueError, match="subspace_size" if size != 21 else "^subspace_size=21 asks for 21 columns"):
        SubspaceSphereEnsembleClassifier(2, subspace_size=size).fit(X, y)


def test_the_size_of_spheres_is_chosen_once_for_all_members():
    X, y = make_twonorm(150, random_state=0)
    model = SphereEnsembleClassifier(4, cv=3, random_state=0).fit(X, y)
    assert {member.min_sphere_size for member in model.estimators_} == {model.min_sphere_size_}
    assert model.min_sphere_size_ in model.size_curve_


def test_both_parameters_of_alpha_rsse_are_chosen():
    rng = np.random.default_rng(0)
    y = np.arange(240) % 2
    X = rng.normal(size=(240, 10)) + 2.0 * y[:, None] * (np.arange(10) < 3)
    model = SubspaceSphereEnsembleClassifier(10, cv=3, random_state=0).fit(X, y)
    assert list(model.subspace_curve_) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert model.subspace_curve_[model.subspace_size_] == max(model.subspace_curve_.values())
    assert model.size_curve_[model.min_sphere_size_] == max(model.size_curve_.values())
    again = SubspaceSphereEnsembleClassifier(10, cv=3, random_state=0, n_jobs=2).fit(X, y)
    assert (again.subspace_curve_, again.size_curve_) == (model.subspace_curve_, model.size_curve_)


def test_parameters_of_alpha_rsse_are_chosen_on_some_of_many_rows(monkeypatch):
    X, y = make_twonorm(300, random_state=0)
    sizes = []
    monkeypatch.setattr(sphere_trial, "ENOUGH", 30)
    curves = Trial.curves
    monkeypatch.setattr(Trial, "curves", lambda self, *rest: sizes.append(len(self.codes)) or curves(self, *rest))
    chosen = []
    for most in (100, 99, 50):
        monkeypatch.setattr(sphere_trial, "MOST", most)
        model = SubspaceSphereEnsembleClassifier(4, cv=3, random_state=0).fit(X, y)
        chosen.append(model.subspace_curve_)
    assert sizes == [100, 100, 99, 99, 50, 50]  # a third, and no more than the most
    assert chosen[0] != chosen[2]


def test_rows_whose_fate_tells_need_not_be_asked(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (150, 3)).astype(float), rng.integers(0, 2, 150)  # many twins of the other class
    weight = rng.integers(0, 3, 150).astype(float)
    shares = []

    def noted(self, weight, model):
        shares.append(asks(self, weight, model).mean())
        return np.ones(len(weight), dtype=bool)

    asks = BorderResampling.asks
    for least_size in (1, 3):
        made = BorderSphereEnsembleClassifier(12, min_sphere_size=least_size, random_state=0)
        asked_some = made.fit(X, y, weight).estimators_
        with monkeypatch.context() as patch:
            patch.setattr(BorderResampling, "asks", noted)
            asked_all = clone(made).fit(X, y, weight).estimators_
        for one, other in zip(asked_some, asked_all, strict=True):
            np.testing.assert_array_equal(one.center_indices_, other.center_indices_)
            np.testing.assert_array_equal(one.radii_, other.radii_)
    assert max(shares) < 1


@pytest.mark.parametrize("kind", ENSEMBLES)
def test_a_warm_start_keeps_what_was_chosen(kind):
    X, y = make_twonorm(120, random_state=0)
    model = kind(4, cv=3, warm_start=True, random_state=0).fit(X, y)
    chosen = model.min_sphere_size_
    model.set_params(n_estimators=8).fit(X, y)
    assert model.min_sphere_size_ == chosen
    at_once = kind(8, cv=3, random_state=0).fit(X, y)
    np.testing.assert_array_equal(at_once.member_predictions(X), model.member_predictions(X))


@pytest.mark.parametrize("kind", ENSEMBLES)
def test_a_warm_start_with_another_size_gives_it_to_new_members(kind):
    X, y = make_twonorm(90, random_state=0)
    model = kind(2, min_sphere_size=1, warm_start=True, random_state=0).fit(X, y)
    model.set_params(min_sphere_size=3, n_estimators=4).fit(X, y)
    assert [member.min_sphere_size for member in model.estimators_] == [1, 1, 3, 3]


@pytest.mark.parametrize("kind", ENSEMBLES)
def test_the_scale_of_weights_does_not_matter(kind):
    X, y = make_twonorm(90, random_state=0)
    weight = np.random.default_rng(0).integers(1, 4, 90)
    one, other = (kind(4, min_sphere_size=2, random_state=0).fit(X, y, weight * unit) for unit in (1.0, 0.001))
    np.testing.assert_array_equal(one.member_predictions(X), other.member_predictions(X))


def test_other_metrics_take_missing_categories_in_ensembles_too():
    frame = pd.DataFrame({"size": np.arange(20.0), "town": pd.Categorical(["Ely", None, "York", "Ely"] * 5)})
    model = SphereEnsembleClassifier(3, metric="manhattan", random_state=0).fit(frame, np.arange(20) // 10)
    assert model.score(frame, np.arange(20) // 10) == 1.0
    frame.loc[0, "size"] = np.nan
    with pytest.raises(ValueError, match="NaN in column 'size'"):
        model.predict(frame)


@pytest.mark.parametrize("kind", ENSEMBLES)
def test_another_fit_chooses_anew(kind):
    X, y = make_twonorm(90, random_state=0)
    model = kind(2, min_sphere_size=3, random_state=0).fit(X, y)
    assert model.min_sphere_size_ == 3
    assert model.set_params(min_sphere_size=1).fit(X, y).min_sphere_size_ == 1
    assert {member.min_sphere_size for member in model.estimators_} == {1}


def test_generic_algorithms_are_never_used_for_the_euclidean_distance(monkeypatch):
    monkeypatch.setattr(ClassedRows, "random_cover", None)
    X, y = make_twonorm(60, random_state=0)
    SphereEnsembleClassifier(2, random_state=0).fit(X, y).predict(X)
