from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import AdaBoostClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from covey import AdaBoost, BoostingClassifier, Bootstrap, EnsembleClassifier, MultiBoostClassifier, RandomSubspace
from covey.ensemble.chain import MOST_RESTARTS

X, y = load_breast_cancer(return_X_y=True)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)


pytestmark = pytest.mark.filterwarnings("ignore:.* rows were seen by every member:UserWarning")


class Constant(ClassifierMixin, BaseEstimator):
    """Says the same of every row, or the truth, and counts how often it was trained."""

    trained = 0

    def __init__(self, answer=None):
        self.answer = answer

    def fit(self, X, y, sample_weight=None):
        type(self).trained += 1
        self.classes_ = np.unique(y)
        self.truth_ = {tuple(row): label for row, label in zip(X, y, strict=True)}
        return self

    def predict(self, X):
        if self.answer is None:
            return np.array([self.truth_[tuple(row)] for row in X])
        return np.full(len(X), self.answer)


def published_adaboost(X, y, n_members):
    """Algorithm 2 of the multi-strategy paper, as printed, for errors between 0 and one half."""
    m = len(X)
    weight = np.ones(m)
    votes = []
    for _ in range(n_members):
        model = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y, weight)
        wrong = model.predict(X) != y
        epsilon = weight[wrong].sum() / m
        assert 0 < epsilon < 0.5
        votes.append(np.log(1 / (epsilon / (1 - epsilon))))
        for j in range(m):
            weight[j] /= 2 * epsilon if wrong[j] else 2 * (1 - epsilon)
            weight[j] = max(weight[j], 1e-8)
    return votes


def test_votes_are_those_of_the_published_algorithm():
    model = EnsembleClassifier(STUMP, 25, reweight=AdaBoost(), random_state=0).fit(X, y)
    np.testing.assert_allclose(model.estimator_weights_, published_adaboost(X, y, 25), rtol=1e-8)


def test_votes_of_two_classes_are_those_of_scikit_learn():
    ours = EnsembleClassifier(STUMP, 25, reweight=AdaBoost(), random_state=0).fit(X, y)
    theirs = AdaBoostClassifier(STUMP, n_estimators=25, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-6)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_a_member_no_better_than_chance_is_dropped_and_tried_again():
    Constant.trained = 0
    mostly_other = np.r_[0, np.ones(39, dtype=int)]
    with pytest.warns(UserWarning, match="26 members in a row were no better than chance"):
        model = EnsembleClassifier(Constant(0), 2, reweight=AdaBoost(), random_state=0).fit(X[:40], mostly_other)
    assert Constant.trained == 2 * (MOST_RESTARTS + 1)
    assert len(model.estimators_) == 2
    np.testing.assert_array_equal(model.estimator_weights_, [0, 0])
    assert set(model.predict(X[:40])) == {0}  # nobody has a vote, so all have the same


def test_a_restarted_chain_recovers():
    # Half of the rows are of the wrong constant's class: fresh random weights put it below one half sooner or later.
    target = np.repeat([0, 1], 20)
    model = EnsembleClassifier(Constant(0), 3, reweight=AdaBoost(), random_state=0).fit(X[:40], target)
    assert (model.estimator_weights_ > 0).all()


def test_a_perfect_member_votes_with_log_ten_to_the_tenth_and_the_chain_starts_afresh():
    model = EnsembleClassifier(Constant(), 4, reweight=AdaBoost(), random_state=0).fit(X[:30], y[:30])
    np.testing.assert_allclose(model.estimator_weights_, np.full(4, np.log(1e10)))


def test_members_of_a_chain_share_its_opening_and_chains_do_not():
    model = EnsembleClassifier(
        DecisionTreeClassifier(),
        6,
        draw=Bootstrap(0.3),
        subspace=RandomSubspace(9),
        chain_length=3,
        oob_score=True,
        random_state=0,
    ).fit(X, y)
    assert model.estimator_chains_.tolist() == [0, 0, 0, 1, 1, 1]
    left_out = [member.left_out for member in model._members]
    for other in left_out[1:3]:
        np.testing.assert_array_equal(left_out[0], other)
    assert not np.array_equal(left_out[0], left_out[3])


def test_boosting_within_a_bootstrap_never_sees_what_was_left_out():
    model = EnsembleClassifier(
        STUMP, 8, draw=Bootstrap(), reweight=AdaBoost(), chain_length=4, oob_score=True, random_state=0
    ).fit(X, y)
    for chain in (0, 1):
        seen = [member.left_out for member in model._members if member.chain == chain]
        assert all(np.array_equal(seen[0], one) for one in seen)
    assert 0.85 < model.oob_score_ < 1.0


class TestWithoutRestart:
    """AdaBoost.M1 ends where it can learn no more."""

    def test_a_perfect_first_member_is_the_only_one(self):
        model = BoostingClassifier(Constant(), 10, restart=False, random_state=0).fit(X, y)
        assert len(model.estimators_) == 1
        assert model.estimator_weights_.tolist() == [1.0]
        assert model.score(X, y) == 1.0

    def test_a_useless_first_member_is_kept(self):
        model = BoostingClassifier(Constant(answer=0), 10, restart=False, random_state=0).fit(X, y)
        assert len(model.estimators_) == 1
        assert (model.predict(X) == 0).all()

    def test_a_later_one_is_left_out_and_a_warm_start_adds_none(self):
        model = BoostingClassifier(GaussianNB(), 40, restart=False, warm_start=True, random_state=0).fit(X, y)
        grown = len(model.estimators_)
        assert 1 < grown < 40
        assert (model.estimator_weights_ > 0).all()
        assert len(BoostingClassifier(GaussianNB(), 40, random_state=0).fit(X, y).estimators_) == 40
        assert len(model.set_params(n_estimators=60).fit(X, y).estimators_) == grown

    def test_each_sub_committee_ends_by_itself(self):
        model = MultiBoostClassifier(Constant(), 10, chain_length=4, restart=False, warm_start=True, random_state=0)
        assert model.fit(X, y).estimator_chains_.tolist() == [0, 1, 2]
        assert model.set_params(n_estimators=14).fit(X, y).estimator_chains_.tolist() == [0, 1, 2, 3]
        assert len(MultiBoostClassifier(Constant(), 10, random_state=0).fit(X, y).estimators_) == 10
