"""Committees whose members differ by their seeds alone."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from covey import (
    BoostingClassifier,
    C45Classifier,
    EnsembleClassifier,
    Everything,
    MeanProbability,
    RandomCommitteeClassifier,
    RandomTreeClassifier,
    StochasticCommitteeClassifier,
)

X, y = load_wine(return_X_y=True)
BOTH = [RandomCommitteeClassifier, StochasticCommitteeClassifier]


@pytest.mark.parametrize("kind", BOTH)
def test_members_see_all_rows_and_columns_and_have_seeds_of_their_own(kind):
    plan = kind()._plan(50, 4)
    assert plan.chains == (1,) * 100
    assert isinstance(plan.draw, Everything)
    assert plan.subspace is None
    assert plan.reweight is None
    model = kind(ExtraTreeClassifier(), 6, random_state=0).fit(X, y)
    assert len({member.random_state for member in model.estimators_}) == 6
    assert {member.tree_.n_node_samples[0] for member in model.estimators_} == {len(X)}
    assert {len(columns) for columns in model.estimators_features_} == {X.shape[1]}
    assert set(model.estimator_weights_) == {1.0}


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
    def test_by_default_c45_with_a_third_of_the_attributes(self):
        model = StochasticCommitteeClassifier(n_estimators=5, random_state=0).fit(X, y)
        assert {type(member) for member in model.estimators_} == {C45Classifier}
        assert {member.attribute_probability for member in model.estimators_} == {0.33}
        assert model.estimator is None

    def test_members_vote_by_majority(self):
        model = StochasticCommitteeClassifier(n_estimators=8, random_state=0).fit(X, y)
        codes = model.member_predictions(X)
        shares = np.stack([(codes == code).mean(axis=1) for code in range(3)], axis=1)
        np.testing.assert_allclose(model.predict_proba(X), shares)

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

    def test_it_is_the_same_as_its_strategies_put_together(self):
        base = C45Classifier(attribute_probability=0.2)
        named = StochasticCommitteeClassifier(n_estimators=4, attribute_probability=0.2, random_state=3).fit(X, y)
        composed = EnsembleClassifier(base, 4, draw=Everything(), random_state=3).fit(X, y)
        np.testing.assert_array_equal(named.member_predictions(X), composed.member_predictions(X))

    @pytest.mark.parametrize("value", [0, 1.5, -0.1, None, "third"])
    def test_a_bad_probability_is_named(self, value):
        with pytest.raises(ValueError, match="'attribute_probability' parameter of StochasticCommitteeClassifier"):
            StochasticCommitteeClassifier(attribute_probability=value).fit(X, y)


class TestRandomCommittee:
    def test_by_default_random_trees(self):
        model = RandomCommitteeClassifier(n_estimators=5, random_state=0).fit(X, y)
        assert {type(member) for member in model.estimators_} == {RandomTreeClassifier}
        assert len({tuple(column) for column in model.member_predictions(X[::2] + 0.1).T.tolist()}) > 1

    def test_probabilities_are_averaged(self):
        model = RandomCommitteeClassifier(ExtraTreeClassifier(max_depth=2), 5, random_state=0).fit(X, y)
        expected = np.mean([member.predict_proba(X) for member in model.estimators_], axis=0)
        np.testing.assert_allclose(model.predict_proba(X), expected)

    def test_it_is_the_same_as_its_strategies_put_together(self):
        base = ExtraTreesClassifier(3, max_depth=2)
        named = RandomCommitteeClassifier(base, 4, random_state=3).fit(X, y)
        composed = EnsembleClassifier(base, 4, draw=Everything(), combine=MeanProbability(), random_state=3).fit(X, y)
        np.testing.assert_array_equal(named.predict_proba(X), composed.predict_proba(X))

    @pytest.mark.parametrize("kind", BOTH)
    def test_a_warm_start_gives_what_one_fit_would_have(self, kind):
        model = kind(n_estimators=3, warm_start=True, random_state=0).fit(X, y).set_params(n_estimators=6).fit(X, y)
        whole = kind(n_estimators=6, random_state=0).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))
