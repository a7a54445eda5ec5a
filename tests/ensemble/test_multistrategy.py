"""Wagging, boosting, MultiBoosting and committees grow what the paper's algorithms 1 to 4 say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.datasets import load_wine
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from covey import (
    AdaBoost,
    BoostingClassifier,
    C45Classifier,
    EnsembleClassifier,
    Everything,
    MeanProbability,
    MultiBoostClassifier,
    RandomCommitteeClassifier,
    RandomTreeClassifier,
    StochasticCommitteeClassifier,
    Wagging,
    WaggingClassifier,
)

X, y = load_wine(return_X_y=True)
STUMP = DecisionTreeClassifier(max_depth=1)
RANDOM = ExtraTreeClassifier(max_depth=2)
ALL = [WaggingClassifier, BoostingClassifier, MultiBoostClassifier]
BOTH = [RandomCommitteeClassifier, StochasticCommitteeClassifier]


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
        (RandomCommitteeClassifier(), (1,) * 100, Everything, None),
        (StochasticCommitteeClassifier(), (1,) * 100, Everything, None),
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
        (
            StochasticCommitteeClassifier(n_estimators=7, attribute_probability=0.2),
            {"estimator": C45Classifier(attribute_probability=0.2), "draw": Everything()},
        ),
        (
            RandomCommitteeClassifier(RANDOM, 7),
            {"estimator": RANDOM, "draw": Everything(), "combine": MeanProbability()},
        ),
    ],
    ids=str,
)
def test_it_is_the_same_as_its_strategies_put_together(model, strategies):
    composed = EnsembleClassifier(**{"estimator": STUMP, "n_estimators": 7, "random_state": 5, **strategies}).fit(X, y)
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


class TestBases:
    @pytest.mark.parametrize("kind", [*ALL, *BOTH])
    def test_trees_by_default(self, kind):
        model = kind(n_estimators=5, random_state=0).fit(X, y)
        assert {len(columns) for columns in model.estimators_features_} == {X.shape[1]}
        if kind is RandomCommitteeClassifier:
            assert {type(member) for member in model.estimators_} == {RandomTreeClassifier}
            assert len({tuple(column) for column in model.member_predictions(X[::2] + 0.1).T.tolist()}) > 1
            return
        probability = 0.33 if kind is StochasticCommitteeClassifier else C45Classifier().attribute_probability
        assert {type(member) for member in model.estimators_} == {C45Classifier}
        assert {member.attribute_probability for member in model.estimators_} == {probability}

    @pytest.mark.parametrize("kind", ALL)
    def test_stochastic_attribute_selection_multiplies_with_each(self, kind):
        base = C45Classifier(attribute_probability=0.33)
        model = kind(base, 4, random_state=0).fit(X, y)
        assert {member.attribute_probability for member in model.estimators_} == {0.33}
        assert len({member.random_state for member in model.estimators_}) == 4


@pytest.mark.parametrize("kind", BOTH)
def test_a_base_that_is_not_random_is_refused(kind):
    with pytest.raises(ValueError, match=rf"GaussianNB\(\) has no random_state.*{kind.__name__} would be alike"):
        kind(GaussianNB()).fit(X, y)


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("base", [DecisionTreeClassifier, "tree"])
def test_what_is_no_estimator_is_refused(kind, base):
    with pytest.raises(TypeError, match="estimator"):
        kind(base).fit(X, y)


class TestStochasticCommittee:
    def test_members_differ_as_a_lone_tree_would_not(self):
        model = StochasticCommitteeClassifier(n_estimators=8, random_state=0).fit(X, y)
        assert len({tuple(column) for column in model.member_predictions(X).T.tolist()}) > 1
        sure = StochasticCommitteeClassifier(n_estimators=8, attribute_probability=1.0, random_state=0).fit(X, y)
        assert (sure.member_predictions(X) == sure.member_predictions(X)[:, :1]).all()

    def test_its_probability_goes_to_every_part_that_has_one(self):
        own = C45Classifier(attribute_probability=0.9)
        for base, name in [
            (own, "attribute_probability"),
            (make_pipeline(SimpleImputer(), own), "c45classifier__attribute_probability"),
        ]:
            model = StochasticCommitteeClassifier(base, 3, attribute_probability=0.5, random_state=0).fit(X, y)
            assert {member.get_params()[name] for member in model.estimators_} == {0.5}
        boosted = StochasticCommitteeClassifier(BoostingClassifier(own, 2), 3, random_state=0).fit(X, y)
        assert {member.attribute_probability for member in boosted.estimators_} == {0.33}
        assert own.attribute_probability == 0.9

    def test_a_random_base_without_one_is_used_as_it_is(self):
        model = StochasticCommitteeClassifier(ExtraTreeClassifier(max_depth=2), 3, random_state=0).fit(X, y)
        composed = EnsembleClassifier(ExtraTreeClassifier(max_depth=2), 3, draw=Everything(), random_state=0).fit(X, y)
        np.testing.assert_array_equal(model.member_predictions(X), composed.member_predictions(X))


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        *((MultiBoostClassifier, name, value) for name in ("chain_length", "n_chains") for value in (0, 2.5, "ten")),
        *((StochasticCommitteeClassifier, "attribute_probability", value) for value in (0, 1.5, -0.1, None, "third")),
    ],
)
def test_a_bad_value_is_named(kind, name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter of {kind.__name__}"):
        kind(**{name: value}).fit(X, y)
