"""Nearest neighbours from multiple feature subsets."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.datasets import load_wine

from covey import FeatureSubsetNeighborsClassifier, MixedNeighborsClassifier, seeds
from covey.analysis import member_labels
from covey.ensemble import feature_subsets
from covey.ensemble.size_choice import right_shares, subspace_sizes
from covey.ensemble.subset_neighbors import LEFT_OUT, SEARCHED, SubsetDraws, multiplicities
from covey.learners import case_base
from covey.models.fields import RefusedError
from learners.neighbors_twin import leave_one_out, squared_distances, winner
from learners.test_neighbors import CATEGORICAL, mixed_data
from models.files import reread

WINE = load_wine(return_X_y=True)


def mfs(n_estimators=5, **params):
    return FeatureSubsetNeighborsClassifier(n_estimators, random_state=0, **params)


def keys_of(model):
    return model._draws(model.n_features_in_).preferences(len(model.classes_))


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([1, 3]))
@settings(max_examples=25, deadline=None)
def test_members_are_the_twins(seed, replacement, k):
    X, y = mixed_data(seed, 30)
    asked, _ = mixed_data(seed + 1, 10)
    model = mfs(replacement=replacement, subset_size=3, n_neighbors=k, categorical_features=[0, 2]).fit(X, y)
    said = model.member_predictions(asked, codes=True)
    assert said.dtype == np.int8
    for member, (columns, keys) in enumerate(zip(model.estimators_features_, keys_of(model), strict=True)):
        squared = squared_distances(X, asked, CATEGORICAL, np.bincount(columns, minlength=4))
        assert said[:, member].tolist() == [winner(row, y, k, 3, keys) for row in squared]


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from(["fit", "query"]))
@settings(max_examples=15, deadline=None)
def test_the_curve_is_the_twins_and_the_smallest_of_the_best_is_taken(seed, replacement, resample):
    X, y = mixed_data(seed, 20)
    model = mfs(4, replacement=replacement, resample=resample, categorical_features=[0, 2]).fit(X, y)
    draws, keys = SubsetDraws(model._seed, 4, 4, 4, replacement), keys_of(model)
    curve = {}
    for size in (1, 2, 3, 4):
        votes = np.zeros((20, 3))
        for member in range(4):
            if resample == "fit":
                times = multiplicities(draws.of_members()[member, :size], 4)
                said = leave_one_out(squared_distances(X, X, CATEGORICAL, times), y, 1, 3, keys[member])
            else:
                drawn = draws.of_rows(LEFT_OUT, range(20))[:, member, :size]
                said = [
                    leave_one_out(squared_distances(X, X, CATEGORICAL, multiplicities(own, 4)), y, 1, 3, keys[member])[
                        i
                    ]
                    for i, own in enumerate(drawn)
                ]
            votes[np.arange(20), said] += 1
        most = votes == votes.max(axis=1, keepdims=True)
        curve[size] = np.mean(most[np.arange(20), y] / most.sum(axis=1))
    assert model.size_curve_ == pytest.approx(curve)
    best = max(curve.values())
    assert model.subset_size_ == min(size for size, score in curve.items() if score >= best - 1e-9)


class TestSubsets:
    def test_the_members_that_were_tried_are_those_that_vote(self):
        model = mfs(20).fit(*WINE)
        given = mfs(20, subset_size=model.subset_size_).fit(*WINE)
        np.testing.assert_array_equal(np.stack(model.estimators_features_), np.stack(given.estimators_features_))
        np.testing.assert_array_equal(model.decision_function(WINE[0]), given.decision_function(WINE[0]))

    @pytest.mark.parametrize("resample", ["fit", "query"])
    @pytest.mark.parametrize("replacement", [True, False])
    def test_fewer_members_are_the_first_of_more(self, resample, replacement):
        few, many = (
            mfs(n, subset_size=4, replacement=replacement, resample=resample).fit(*WINE).member_predictions(WINE[0])
            for n in (3, 8)
        )
        np.testing.assert_array_equal(few, many[:, :3])

    @pytest.mark.parametrize("replacement", [True, False])
    def test_small_subsets_are_part_of_large_ones(self, replacement):
        small, large = (SubsetDraws(np.random.SeedSequence(1), 5, 9, size, replacement) for size in (3, 7))
        np.testing.assert_array_equal(small.of_members(), large.of_members()[:, :3])
        np.testing.assert_array_equal(small.of_rows(3, range(4)), large.of_rows(3, range(4))[..., :3])

    def test_with_replacement_a_column_may_count_twice_and_there_may_be_more_than_all(self):
        model = mfs(30, subset_size=20).fit(*WINE)
        assert model.subset_size_ == 20
        assert max(np.bincount(columns).max() for columns in model.estimators_features_) > 2
        with pytest.raises(ValueError, match="subset_size=20 asks for 20 columns, but there are 13"):
            mfs(subset_size=20, replacement=False).fit(*WINE)

    def test_without_replacement_all_columns_are_the_whole_space(self):
        model = mfs(3, subset_size=13, replacement=False).fit(WINE[0][::2], WINE[1][::2])
        assert all(columns.tolist() == list(range(13)) for columns in model.estimators_features_)
        alone = MixedNeighborsClassifier().fit(WINE[0][::2], WINE[1][::2])
        np.testing.assert_array_equal(model.predict(WINE[0]), alone.predict(WINE[0]))

    def test_ten_sizes(self):
        assert subspace_sizes(34) == [3, 7, 10, 14, 17, 20, 24, 27, 31, 34]
        assert subspace_sizes(4) == [1, 2, 3, 4]
        assert list(mfs().fit(*WINE).size_curve_) == subspace_sizes(13)
        assert not hasattr(mfs(subset_size=3).fit(*WINE), "size_curve_")


class TestByRow:
    def test_a_row_gets_columns_by_its_place(self):
        model = mfs(9, subset_size=2, resample="query").fit(*WINE)
        assert not hasattr(model, "estimators_features_")
        same = np.repeat(WINE[0][60:61], 30, axis=0)
        said = model.member_predictions(same)
        assert len(np.unique(said, axis=0)) > 1
        np.testing.assert_array_equal(model.member_predictions(same[:7]), said[:7])

    def test_members_are_the_twins(self):
        X, y = mixed_data(3, 30)
        model = mfs(4, subset_size=2, resample="query", categorical_features=[0, 2]).fit(X, y)
        drawn = model._draws(4).of_rows(3, range(30))
        for i, said in enumerate(model.member_predictions(X)):
            for member in range(4):
                squared = squared_distances(X, X[i : i + 1], CATEGORICAL, multiplicities(drawn[i, member], 4))
                assert said[member] == winner(squared[0], y, 1, 3, keys_of(model)[member])

    def test_fitted_anew_by_fit_it_has_subsets_again(self):
        model = mfs(subset_size=2, resample="query").fit(*WINE)
        assert len(model.set_params(resample="fit").fit(*WINE).estimators_features_) == 5
        assert not hasattr(model.set_params(resample="query").fit(*WINE), "estimators_features_")


class TestVotes:
    def test_shares_stages_and_members_agree(self):
        model = mfs(9, subset_size=3).fit(WINE[0][::2], WINE[1][::2])
        X = WINE[0][1::2]
        said = model.member_predictions(X)
        counts = np.stack([(said == code).sum(axis=1) for code in range(3)], axis=1)
        np.testing.assert_allclose(model.decision_function(X), counts / 9, atol=1e-9)
        stages = list(model.staged_predict(X))
        assert len(stages) == 9
        np.testing.assert_array_equal(stages[0], model.classes_[said[:, 0]])
        np.testing.assert_array_equal(stages[-1], model.predict(X))
        *_, last = model.staged_predict_proba(X)
        np.testing.assert_array_equal(last, model.predict_proba(X))
        np.testing.assert_array_equal(model.estimator_weights_, np.ones(9))
        np.testing.assert_array_equal(member_labels(model, X), model.classes_[said])

    def test_ties_go_by_the_seed_and_not_by_the_order_of_classes(self):
        X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array(["a", "b"])
        won = {
            FeatureSubsetNeighborsClassifier(2, subset_size=1, replacement=False, random_state=seed)
            .fit(X, y)
            .predict([[0.0, 0.0]])
            .item()
            for seed in range(20)
        }
        assert won == {"a", "b"}

    def test_shared_right(self):
        votes = np.array([[2, 2, 0], [1, 3, 0], [1, 1, 1]])
        np.testing.assert_allclose(right_shares(votes, np.array([0, 0, 2])), [0.5, 0.0, 1 / 3])


@pytest.mark.parametrize("params", [{}, {"resample": "query"}, {"n_neighbors": 3}])
def test_chunks_and_jobs_do_not_matter(params, monkeypatch):
    X, y = mixed_data(5, 60)
    model = mfs(categorical_features=[0, 2], **params).fit(X, y)
    expected = model.member_predictions(X)
    monkeypatch.setattr(case_base, "CHUNK_BYTES", 20000)
    for n_jobs in (1, 2):
        again = mfs(categorical_features=[0, 2], n_jobs=n_jobs, **params).fit(X, y)
        assert again.size_curve_ == model.size_curve_
        np.testing.assert_array_equal(again.member_predictions(X), expected)


def test_many_members_take_no_more_memory_than_one():
    rng = np.random.default_rng(0)
    X, y = rng.random((3000, 30)), rng.integers(0, 2, 3000)
    peaks = []
    for n_estimators in (1, 300):
        mfs(n_estimators, subset_size=4).fit(X[:50], y[:50]).predict(X[:5])
        tracemalloc.start()
        model = mfs(n_estimators, subset_size=4).fit(X, y)
        model.predict(X[:50])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 2 * case_base.CHUNK_BYTES


def test_progress(capsys):
    mfs(verbose=2).fit(*WINE)
    assert "178 of 178 cases left out" in capsys.readouterr().out


def test_forged_columns_are_refused():
    model = mfs().fit(*WINE)
    reread(model)
    model.estimators_features_[2] = model.estimators_features_[2] + 99
    with pytest.raises(RefusedError, match="points beyond the 13 features"):
        reread(model)


@pytest.mark.parametrize(
    ("name", "value"),
    [("subset_size", 0), ("subset_size", "half"), ("n_neighbors", 0), ("resample", "never"), ("replacement", "yes")],
)
def test_bad_parameters(name, value):
    with pytest.raises(ValueError, match=name):
        mfs().set_params(**{name: value}).fit(*WINE)


def test_more_neighbours_than_are_left_in_leave_one_out():
    assert mfs(n_neighbors=3).fit(np.eye(3), [0, 1, 1]).predict(np.eye(3)).tolist() == [1, 1, 1]


class TestLeftOut:
    @pytest.mark.parametrize(("resample", "k"), [("fit", 1), ("fit", 3), ("query", 1)])
    def test_vote_shares_are_the_twins(self, resample, k):
        X, y = mixed_data(8, 25)
        model = mfs(6, subset_size=2, n_neighbors=k, resample=resample, categorical_features=[0, 2]).fit(X, y)
        draws, keys = model._draws(4), keys_of(model)
        drawn = np.repeat(draws.of_members()[None], 25, axis=0) if resample == "fit" else draws.of_rows(4, range(25))
        votes = np.zeros((25, 3))
        for i, member in np.ndindex(25, 6):
            squared = squared_distances(X, X, CATEGORICAL, multiplicities(drawn[i, member], 4))
            votes[i, leave_one_out(squared, y, k, 3, keys[member])[i]] += 1
        np.testing.assert_allclose(model._left_out_outputs(), votes / 6)

    def test_rows_without_weight_get_none_and_others_are_as_repeated(self):
        X, y = WINE[0][::3], WINE[1][::3]
        weight = np.arange(len(y)) % 3
        weighted = mfs(6, subset_size=4).fit(X, y, sample_weight=weight)._left_out_outputs()
        repeated = mfs(6, subset_size=4).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))._left_out_outputs()
        assert np.isnan(weighted[weight == 0]).all()
        np.testing.assert_allclose(np.repeat(weighted, weight, axis=0), repeated)

    def test_a_case_alone_has_no_neighbours(self):
        assert np.isnan(mfs(subset_size=1).fit([[1.0]], ["a"])._left_out_outputs()).all()

    def test_of_many_rows_some_choose_the_size(self, monkeypatch):
        everything = mfs(20).fit(*WINE)
        monkeypatch.setattr(feature_subsets, "MOST_LEFT_OUT", 60)
        some = mfs(20).fit(*WINE)
        chosen = some._left_out(some._cases.layout, 60)
        assert len(np.unique(chosen)) == 60
        for size, accuracy in some.size_curve_.items():
            shares = mfs(20, subset_size=size).fit(*WINE)._left_out_outputs()
            assert accuracy == pytest.approx(right_shares(shares, WINE[1])[chosen].mean())
            assert everything.size_curve_[size] == pytest.approx(right_shares(shares, WINE[1]).mean())

    def test_of_very_many_rows_some_are_searched(self, monkeypatch):
        X, y = WINE
        everything = mfs(20, scale=False).fit(X, y)
        monkeypatch.setattr(feature_subsets, "MOST_SEARCHED", len(y))
        assert mfs(20, scale=False).fit(X, y).size_curve_ == everything.size_curve_
        monkeypatch.setattr(feature_subsets, "MOST_SEARCHED", 90)
        some = mfs(20, scale=False).fit(X, y)
        rng = np.random.default_rng(seeds.child(some._seed, SEARCHED))
        searched = some._cases.layout.some(90, rng).rows
        assert (np.abs(np.bincount(y[searched]) - np.bincount(y) * 90 / len(y)) < 1).all()
        assert some.size_curve_ == mfs(20, scale=False).fit(X[searched], y[searched]).size_curve_
        assert some.n_cases_ == len(y)
