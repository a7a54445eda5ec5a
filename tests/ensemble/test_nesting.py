"""Ensembles of ensembles: one list of members with the right votes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from covey import AdaBoost, Bootstrap, EnsembleClassifier, RandomSubspace, Wagging
from ensemble.votes import brute_force_shares

X, y = load_iris(return_X_y=True)


def test_members_come_in_one_list_with_the_product_of_the_votes():
    inner = EnsembleClassifier(DecisionTreeClassifier(max_depth=1), 3, reweight=AdaBoost())
    model = EnsembleClassifier(inner, 4, draw=Wagging(), reweight=AdaBoost(), random_state=2).fit(X, y)
    assert len(model.estimators_) == 12
    assert all(isinstance(member, DecisionTreeClassifier) for member in model.estimators_)
    np.testing.assert_allclose(model.decision_function(X), brute_force_shares(model, X), atol=1e-11)


def test_columns_and_classes_are_those_of_the_outer_ensemble():
    rare = np.where(np.arange(150) < 3, "rare", np.array(["a", "b", "c"])[y])
    inner = EnsembleClassifier(GaussianNB(), 3, subspace=RandomSubspace(2))
    outer = EnsembleClassifier(inner, 10, draw=Bootstrap(0.4), subspace=RandomSubspace(3), random_state=0)
    model = outer.fit(X, rare)
    said = model.member_predictions(X)
    assert any(len(member.classes_) == 3 for member in model.estimators_)
    for member, columns, column in zip(model.estimators_, model.estimators_features_, said.T, strict=True):
        assert len(columns) == 2
        assert np.mean(column == rare) > 0.6  # a wrong column or class would be far off
        assert member.n_features_in_ == 2


def test_categories_keep_their_codes():
    rng = np.random.default_rng(0)
    code = rng.integers(0, 6, 300)
    frame = pd.DataFrame({"letter": pd.Categorical.from_codes(code, list("abcdef")), "noise": rng.normal(size=300)})
    target = np.isin(code, [0, 2, 5])
    inner = EnsembleClassifier(DecisionTreeClassifier(), 3, draw=Bootstrap(20))
    model = EnsembleClassifier(inner, 5, draw=Bootstrap(15), random_state=0).fit(frame, target)
    assert model.score(frame, target) > 0.75  # small draws miss categories: recoded, it would be chance


def test_a_draw_of_one_class_leaves_a_committee_its_votes():
    rare = np.zeros(40, dtype=int)
    rare[:2] = 1
    inner = EnsembleClassifier(GaussianNB(), 5, draw=Wagging())
    model = EnsembleClassifier(inner, 20, draw=Bootstrap(0.5), random_state=0).fit(X[:40], rare)
    assert np.bincount(model.estimator_chains_).tolist() == [5] * 20


@pytest.mark.filterwarnings("ignore:.* members in a row were no better than chance")
def test_a_committee_that_found_nothing_votes_as_it_predicts():
    mostly = np.r_[np.zeros(20, dtype=int), np.ones(130, dtype=int)]

    class Zero(GaussianNB):
        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    inner = EnsembleClassifier(Zero(), 2, reweight=AdaBoost())
    model = EnsembleClassifier(inner, 2, draw=Wagging(), random_state=0).fit(X, mostly)
    assert model.estimator_weights_.tolist() == [1, 1, 1, 1]
