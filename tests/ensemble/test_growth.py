"""Warm starts, and what a fit that fails leaves behind."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from covey import (
    AdaBoost,
    Bootstrap,
    EnsembleClassifier,
    EnsembleRegressor,
    MultiBoostClassifier,
    RandomCommitteeClassifier,
    RandomSubspace,
    RandomSubspaceClassifier,
    RandomSubspaceRegressor,
    RotationForestClassifier,
    StochasticCommitteeClassifier,
    Wagging,
)

X, y = load_iris(return_X_y=True)
STUMP = DecisionTreeClassifier(max_depth=1)


class Failing(GaussianNB):
    """Naive Bayes that fails when it is told to."""

    fails = False

    def fit(self, X, y, sample_weight=None):
        if type(self).fails:
            raise RuntimeError("told to fail")
        return super().fit(X, y, sample_weight)


@pytest.fixture
def failing(monkeypatch):
    monkeypatch.setattr(Failing, "fails", False)
    return Failing


class TestWarmStart:
    @pytest.mark.parametrize(
        "model",
        [
            EnsembleClassifier(draw=Bootstrap()),
            EnsembleClassifier(STUMP, reweight=AdaBoost()),
            EnsembleClassifier(STUMP, draw=Wagging(), reweight=AdaBoost(), chain_length=4),
            EnsembleClassifier(STUMP, subspace=RandomSubspace(2), chain_length=3),
            EnsembleRegressor(),
            MultiBoostClassifier(STUMP, chain_length=3),
            RandomCommitteeClassifier(),
            RandomSubspaceClassifier(GaussianNB(), weighting="evolving", subspace_size=2),
            RandomSubspaceRegressor(weighting="evolving", subspace_size=2),
            RotationForestClassifier(STUMP),
            StochasticCommitteeClassifier(),
        ],
        ids=str,
    )
    def test_growing_in_two_goes_is_growing_in_one(self, model):
        whole = clone(model).set_params(n_estimators=14, random_state=3).fit(X, y)
        grown = clone(model).set_params(n_estimators=6, random_state=3, warm_start=True).fit(X, y)
        first = grown.estimators_[0]
        grown.set_params(n_estimators=14).fit(X, y)
        assert grown.estimators_[0] is first
        np.testing.assert_array_equal(grown.estimator_weights_, whole.estimator_weights_)
        np.testing.assert_array_equal(grown.estimator_chains_, whole.estimator_chains_)
        np.testing.assert_array_equal(grown.member_predictions(X), whole.member_predictions(X))
        np.testing.assert_array_equal(grown.predict(X), whole.predict(X))
        for name in ("feature_weights_path_", "oob_errors_"):
            if hasattr(whole, name):
                np.testing.assert_array_equal(getattr(grown, name), getattr(whole, name))

    def test_fewer_members_are_refused_and_as_many_are_told_of(self):
        model = EnsembleClassifier(n_estimators=4, warm_start=True, random_state=0).fit(X, y)
        with pytest.raises(ValueError, match="n_estimators=3 is less than the 4 members"):
            model.set_params(n_estimators=3).fit(X, y)
        with pytest.warns(UserWarning, match="adds no members"):
            model.set_params(n_estimators=4).fit(X, y)
        assert len(model.estimators_) == 4

    def test_other_classes_or_columns_are_refused_and_change_nothing(self):
        model = EnsembleClassifier(n_estimators=2, warm_start=True, random_state=0).fit(X, y)
        before = model.predict_proba(X)
        model.set_params(n_estimators=4)
        with pytest.raises(ValueError, match=r"warm start needs \[0, 1, 2\]"):
            model.fit(X, y + 1)
        with pytest.raises(ValueError, match="other columns or categories"):
            model.fit(X[:, :2], y)
        np.testing.assert_array_equal(model.predict_proba(X), before)

    @pytest.mark.parametrize(("first", "second"), [((10, 10), (20, 5)), ((8, 4), (12, 2)), ((8, 4), (12, 6))])
    def test_another_chain_length_is_refused(self, first, second):
        model = EnsembleClassifier(
            STUMP, first[0], draw=Wagging(), reweight=AdaBoost(), chain_length=first[1], warm_start=True, random_state=0
        ).fit(X, y)
        with pytest.raises(ValueError, match="needs the chain_length of the last fit"):
            model.set_params(n_estimators=second[0], chain_length=second[1]).fit(X, y)

    @pytest.mark.parametrize(
        "params",
        [
            {"estimator": STUMP, "reweight": AdaBoost()},
            {"estimator": STUMP, "draw": Bootstrap(), "subspace": RandomSubspace(2), "chain_length": 60},
            {"oob_score": True},
        ],
    )
    def test_other_rows_are_refused_where_they_would_matter(self, params):
        model = EnsembleClassifier(n_estimators=40, warm_start=True, random_state=0, **params).fit(X, y)
        with pytest.raises(ValueError, match="a warm start needs the same rows"):
            model.set_params(n_estimators=41).fit(X[::2], y[::2])

    def test_a_fit_that_adds_nothing_does_not_make_other_rows_the_same(self):
        order = np.random.default_rng(0).permutation(150)
        model = EnsembleClassifier(n_estimators=30, warm_start=True, random_state=0).fit(X, y)
        with pytest.warns(UserWarning, match="adds no members"):
            model.fit(X[order], y[order])
        model.set_params(n_estimators=31).fit(X[order], y[order])  # independent members may
        model.set_params(n_estimators=32, oob_score=True)
        for rows in (order, np.arange(150)):  # but what is left out of which rows cannot be told any more
            with pytest.raises(ValueError, match="a warm start needs the same rows"):
                model.fit(X[rows], y[rows])

    def test_a_chain_that_was_not_kept_cannot_go_on(self):
        model = EnsembleClassifier(STUMP, 2, reweight=AdaBoost(), random_state=0).fit(X, y)
        with pytest.raises(ValueError, match="kept nothing to go on from; fit with warm_start=True from the start"):
            model.set_params(n_estimators=4, warm_start=True).fit(X, y)
        judged = EnsembleClassifier(n_estimators=30, oob_score=True, random_state=0).fit(X, y)
        judged.set_params(n_estimators=40, warm_start=True).fit(X, y)
        whole = EnsembleClassifier(n_estimators=40, oob_score=True, random_state=0).fit(X, y)
        assert judged.oob_score_ == whole.oob_score_

    @pytest.mark.filterwarnings("ignore:.* members in a row were no better than chance")
    def test_members_without_a_vote_stay_without(self):
        mostly = np.r_[np.zeros(20, dtype=int), np.ones(130, dtype=int)]

        class Zero(GaussianNB):
            def predict(self, X):
                return np.zeros(len(X), dtype=int)

        model = EnsembleClassifier(Zero(), 1, reweight=AdaBoost(), warm_start=True, random_state=0).fit(X, mostly)
        assert model.estimator_weights_.tolist() == [0]
        model.set_params(n_estimators=2).fit(X, mostly)
        assert model.estimator_weights_.tolist() == [0, 0]


class TestFailure:
    def test_a_first_fit_that_fails_leaves_an_unfitted_model(self, failing):
        failing.fails = True
        model = EnsembleClassifier(failing(), 3, warm_start=True)
        with pytest.raises(RuntimeError, match="told to fail"):
            model.fit(X, y)
        with pytest.raises(NotFittedError):
            model.predict(X)
        failing.fails = False
        assert model.fit(X[:, :2], y).n_features_in_ == 2  # nothing is left of the failed one

    def test_a_refit_that_fails_leaves_the_old_model(self, failing):
        model = EnsembleClassifier(failing(), 3, random_state=0).fit(X, y)
        before = model.predict_proba(X)
        two = y < 1
        failing.fails = True
        with pytest.raises(RuntimeError, match="told to fail"):
            model.fit(X[:, :2], two)
        with pytest.raises(ValueError, match="inconsistent"):
            model.fit(X[:, :3], y[:-1])
        with pytest.raises(ValueError, match="asks for 1000 rows"):
            clone(model).set_params(draw=Bootstrap(1000, replacement=False)).fit(X, two)
        np.testing.assert_array_equal(model.predict_proba(X), before)
        assert model.classes_.tolist() == [0, 1, 2]
        assert model.n_features_in_ == 4

    def test_a_score_that_fails_leaves_the_old_model(self):
        def broken(true, predicted):
            raise RuntimeError("no score")

        model = EnsembleClassifier(n_estimators=30, oob_score=True, random_state=0).fit(X, y)
        before, score = model.predict_proba(X), model.oob_score_
        with pytest.raises(RuntimeError, match="no score"):
            model.set_params(oob_score=broken, random_state=1).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X), before)
        assert model.oob_score_ == score
