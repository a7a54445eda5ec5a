"""Wagging, boosting and MultiBoosting grow what the paper's algorithms 1, 2 and 4 say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from covey import (
    AdaBoost,
    BoostingClassifier,
    C45Classifier,
    EnsembleClassifier,
    Everything,
    MultiBoostClassifier,
    Wagging,
    WaggingClassifier,
)

X, y = load_wine(return_X_y=True)
STUMP = DecisionTreeClassifier(max_depth=1)
ALL = [WaggingClassifier, BoostingClassifier, MultiBoostClassifier]


def chains(**params) -> tuple[int, ...]:
    return MultiBoostClassifier(**params)._plan(50, 4).chains


class RecordingTree(DecisionTreeClassifier):
    """Keeps the weights it was trained with, to see what opened a chain."""

    def fit(self, X, y, sample_weight=None):
        self.seen_ = np.ones(len(X)) if sample_weight is None else sample_weight.copy()
        return super().fit(X, y, sample_weight=sample_weight)


@pytest.mark.parametrize(
    ("model", "lengths", "draw", "reweight"),
    [
        (WaggingClassifier(), (1,) * 100, Wagging, None),
        (BoostingClassifier(), (100,), Everything, AdaBoost),
        (MultiBoostClassifier(), (10,) * 10, Wagging, AdaBoost),
    ],
    ids=str,
)
def test_the_plan_is_the_published_one(model, lengths, draw, reweight):
    plan = model._plan(50, 4)
    assert plan.chains == lengths
    assert isinstance(plan.draw, draw)
    assert plan.subspace is None
    assert plan.reweight is None if reweight is None else isinstance(plan.reweight, reweight)


@pytest.mark.parametrize(
    ("model", "strategies"),
    [
        (WaggingClassifier(STUMP, 7), {"draw": Wagging()}),
        (BoostingClassifier(STUMP, 7), {"reweight": AdaBoost()}),
        (
            MultiBoostClassifier(STUMP, 7, chain_length=3),
            {"draw": Wagging(), "reweight": AdaBoost(), "chain_length": 3},
        ),
    ],
    ids=str,
)
def test_it_is_the_same_as_its_strategies_put_together(model, strategies):
    composed = EnsembleClassifier(STUMP, 7, random_state=5, **strategies).fit(X, y)
    named = model.set_params(random_state=5).fit(X, y)
    np.testing.assert_array_equal(named.estimator_weights_, composed.estimator_weights_)
    np.testing.assert_array_equal(named.member_predictions(X), composed.member_predictions(X))
    np.testing.assert_array_equal(named.predict_proba(X), composed.predict_proba(X))


class TestWeights:
    def test_wagging_opens_every_member_with_other_weights_of_the_same_sum(self):
        model = WaggingClassifier(RecordingTree(max_depth=1), 5, random_state=0).fit(X, y)
        seen = np.array([member.seen_ for member in model.estimators_])
        np.testing.assert_allclose(seen.sum(axis=1), len(X))
        assert len({tuple(row) for row in seen.tolist()}) == 5
        assert (seen > 0).all()

    def test_boosting_opens_with_all_rows_alike_and_goes_on_with_half_the_weight_on_mistakes(self):
        model = BoostingClassifier(RecordingTree(max_depth=1), 3, random_state=0).fit(X, y)
        first, second, _ = model.estimators_
        np.testing.assert_array_equal(first.seen_, 1.0)
        wrong = first.predict(X) != y
        assert second.seen_[wrong].sum() == pytest.approx(len(X) / 2)

    def test_multiboosting_opens_each_sub_committee_by_wagging(self):
        model = MultiBoostClassifier(RecordingTree(max_depth=1), 6, chain_length=2, random_state=0).fit(X, y)
        for opening, following in zip(model.estimators_[::2], model.estimators_[1::2], strict=True):
            assert len(set(opening.seen_)) > len(X) / 2
            wrong = opening.predict(X) != y
            assert following.seen_[wrong].sum() == pytest.approx(len(X) / 2)

    def test_wagged_members_have_one_vote_each(self):
        assert set(WaggingClassifier(STUMP, 5, random_state=0).fit(X, y).estimator_weights_) == {1.0}

    @pytest.mark.parametrize("kind", [BoostingClassifier, MultiBoostClassifier])
    def test_boosted_members_vote_by_the_log_odds_of_being_right(self, kind):
        model = kind(RecordingTree(max_depth=1), 9, random_state=0).fit(X, y)
        for member, vote in zip(model.estimators_, model.estimator_weights_, strict=True):
            error = member.seen_[member.predict(X) != y].sum() / member.seen_.sum()
            assert vote == pytest.approx(np.log((1 - error) / error))


class TestSubCommittees:
    @pytest.mark.parametrize(
        ("params", "expected"),
        [
            ({}, (10,) * 10),
            ({"n_estimators": 1}, (1,)),
            ({"n_estimators": 6}, (2, 2, 2)),
            ({"n_estimators": 10}, (3, 3, 3, 1)),
            ({"n_estimators": 25}, (5,) * 5),
            ({"n_estimators": 1000}, (32,) * 31 + (8,)),
            ({"chain_length": 30}, (30, 30, 30, 10)),
            ({"chain_length": 200}, (100,)),
            ({"n_chains": 3}, (34, 33, 33)),
            ({"n_chains": 100}, (1,) * 100),
            ({"chain_length": 10, "n_chains": 10}, (10,) * 10),
            ({"n_estimators": 95, "chain_length": 10, "n_chains": 10}, (10,) * 9 + (5,)),
        ],
    )
    def test_size_count_or_neither(self, params, expected):
        assert chains(**params) == expected

    @settings(derandomize=True, deadline=None)
    @given(n_estimators=st.integers(1, 400), data=st.data())
    def test_a_number_of_sub_committees_is_kept_and_their_sizes_differ_by_one_at_most(self, n_estimators, data):
        n_chains = data.draw(st.integers(1, n_estimators))
        found = chains(n_estimators=n_estimators, n_chains=n_chains)
        assert len(found) == n_chains
        assert sum(found) == n_estimators
        assert max(found) - min(found) <= 1

    def test_size_and_count_that_contradict_each_other(self):
        with pytest.raises(ValueError, match=r"chain_length=10 and n_chains=5 .* make 10 chains"):
            MultiBoostClassifier(STUMP, chain_length=10, n_chains=5).fit(X, y)

    def test_more_sub_committees_than_members(self):
        with pytest.raises(ValueError, match="n_chains=5 is more than n_estimators=4"):
            MultiBoostClassifier(STUMP, 4, n_chains=5).fit(X, y)

    @pytest.mark.parametrize("name", ["chain_length", "n_chains"])
    @pytest.mark.parametrize("value", [0, 2.5, "ten"])
    def test_a_bad_value_is_named(self, name, value):
        with pytest.raises(ValueError, match=f"'{name}' parameter of MultiBoostClassifier"):
            MultiBoostClassifier(STUMP, **{name: value}).fit(X, y)

    def test_members_of_a_sub_committee_stand_together(self):
        model = MultiBoostClassifier(STUMP, 7, n_chains=3, random_state=0).fit(X, y)
        assert model.estimator_chains_.tolist() == [0, 0, 0, 1, 1, 2, 2]

    def test_a_warm_start_with_a_size_gives_what_one_fit_would_have(self):
        model = MultiBoostClassifier(STUMP, 5, chain_length=3, warm_start=True, random_state=0).fit(X, y)
        model.set_params(n_estimators=10).fit(X, y)
        whole = MultiBoostClassifier(STUMP, 10, chain_length=3, random_state=0).fit(X, y)
        np.testing.assert_array_equal(model.member_predictions(X), whole.member_predictions(X))

    def test_a_warm_start_without_one_is_refused_where_the_sizes_would_change(self):
        model = MultiBoostClassifier(STUMP, 9, warm_start=True, random_state=0).fit(X, y)
        with pytest.raises(ValueError, match="a warm start needs the chain_length"):
            model.set_params(n_estimators=25).fit(X, y)


class TestBases:
    @pytest.mark.parametrize("kind", ALL)
    def test_c45_by_default(self, kind):
        model = kind(n_estimators=2, random_state=0).fit(X, y)
        assert {type(member) for member in model.estimators_} == {C45Classifier}
        assert all(member.attribute_probability in (None, 1.0) for member in model.estimators_)

    @pytest.mark.parametrize("kind", ALL)
    def test_stochastic_attribute_selection_multiplies_with_each(self, kind):
        base = C45Classifier(attribute_probability=0.33)
        model = kind(base, 4, random_state=0).fit(X, y)
        assert {member.attribute_probability for member in model.estimators_} == {0.33}
        assert len({member.random_state for member in model.estimators_}) == 4

    def test_wagging_over_boosting_is_multiboosting(self):
        nested = WaggingClassifier(BoostingClassifier(STUMP, 3), 4, random_state=0).fit(X, y)
        assert nested.estimator_chains_.tolist() == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3
        assert len(set(nested.estimator_weights_.tolist())) > 1

    @pytest.mark.parametrize("kind", ALL)
    def test_no_member_leaves_rows_out_so_there_is_no_out_of_bag_score_to_ask_for(self, kind):
        assert "oob_score" not in kind().get_params()
        model = kind(STUMP, 2, random_state=0).fit(X, y)
        assert not hasattr(model, "oob_score_")


class TestUse:
    @pytest.mark.parametrize("kind", ALL)
    def test_five_lines(self, kind):
        iris, species = load_iris(return_X_y=True)
        model = kind(n_estimators=9, n_jobs=2, random_state=0).fit(iris[::2], species[::2])
        assert model.score(iris[1::2], species[1::2]) > 0.9
        assert model.predict_proba(iris).shape == (150, 3)
        assert model.member_predictions(iris).shape == (150, 9)
        assert len(list(model.staged_predict(iris))) == 9

    def test_parameters_can_be_searched(self):
        search = GridSearchCV(
            MultiBoostClassifier(STUMP, 6, random_state=0), {"n_chains": [1, 3], "estimator__max_depth": [1, 2]}, cv=2
        ).fit(X, y)
        assert search.best_params_.keys() == {"n_chains", "estimator__max_depth"}

    @pytest.mark.parametrize("kind", ALL)
    def test_clones_keep_every_parameter(self, kind):
        model = kind(STUMP, 3, categorical_features=[0], n_jobs=2, random_state=4, warm_start=True, verbose=1)
        copy = clone(model).get_params(deep=False)
        assert str(copy) == str(model.get_params(deep=False))
        assert copy["n_estimators"] == 3
        assert copy["random_state"] == 4
