from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_selection import f_classif
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from covey import (
    AdaBoost,
    Bootstrap,
    EnsembleClassifier,
    Everything,
    MeanProbability,
    MeanValue,
    RandomSubspace,
    Wagging,
    WeightedSubspace,
)
from covey.ensemble import BaseEnsembleClassifier, Plan
from covey.strategies import Combine, WeightedVote
from ensemble.votes import brute_force_shares

X, y = load_iris(return_X_y=True)


class TestMembers:
    def test_by_default_it_is_bagging(self):
        model = EnsembleClassifier(n_estimators=5, random_state=0).fit(X, y)
        drawn = [tree.tree_.weighted_n_node_samples[0] for tree in model.estimators_]
        distinct = [tree.tree_.n_node_samples[0] for tree in model.estimators_]
        assert drawn == [150] * 5
        assert all(75 < count < 115 for count in distinct)  # 63 % of 150
        assert model.estimator_chains_.tolist() == [0, 1, 2, 3, 4]

    def test_another_strategy_takes_all_rows_unless_told_otherwise(self):
        for params in ({"subspace": RandomSubspace(2)}, {"reweight": AdaBoost()}):
            model = EnsembleClassifier(DecisionTreeClassifier(max_depth=1), 1, random_state=0, **params).fit(X, y)
            assert model.estimators_[0].tree_.n_node_samples[0] == 150

    def test_member_predictions_are_what_the_members_say(self):
        model = EnsembleClassifier(n_estimators=4, subspace=RandomSubspace(2), random_state=0).fit(X, y)
        codes = model.member_predictions(X)
        assert codes.shape == (150, 4)
        for member, (tree, columns) in enumerate(zip(model.estimators_, model.estimators_features_, strict=True)):
            np.testing.assert_array_equal(codes[:, member], tree.predict(X[:, columns]))

    def test_a_class_that_a_member_never_saw(self):
        rare = np.where(np.arange(150) == 0, 3, y)
        for combine in (None, MeanProbability()):
            model = EnsembleClassifier(n_estimators=15, combine=combine, random_state=0).fit(X, rare)
            assert min(len(tree.classes_) for tree in model.estimators_) == 3
            assert model.predict_proba(X).shape == (150, 4)
            np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


class TestVotes:
    def test_shares_are_the_weighted_vote(self):
        model = EnsembleClassifier(
            DecisionTreeClassifier(max_depth=1), 30, draw=Wagging(), reweight=AdaBoost(), chain_length=6, random_state=1
        ).fit(X, y)
        assert len(set(model.estimator_weights_)) > 20
        np.testing.assert_allclose(model.decision_function(X), brute_force_shares(model, X), atol=1e-11)

    def test_stages_end_with_the_prediction(self):
        model = EnsembleClassifier(n_estimators=7, random_state=0).fit(X, y)
        stages = list(model.staged_predict(X))
        assert len(stages) == 7
        np.testing.assert_array_equal(stages[0], model.estimators_[0].predict(X))
        np.testing.assert_array_equal(stages[-1], model.predict(X))
        *_, last = model.staged_predict_proba(X)
        np.testing.assert_array_equal(last, model.predict_proba(X))

    def test_decision_of_two_classes_is_the_lead_of_the_second(self):
        two = y < 1
        model = EnsembleClassifier(n_estimators=5, random_state=0).fit(X, two)
        ones = model.member_predictions(X).mean(axis=1)
        np.testing.assert_allclose(model.decision_function(X), 2 * ones - 1, atol=1e-11)
        np.testing.assert_array_equal(model.predict(X), model.decision_function(X) > 0)

    def test_stages_before_the_first_vote_count_alike(self):
        model = EnsembleClassifier(n_estimators=4, random_state=0).fit(X, y)
        model.estimator_weights_[:2] = 0
        first, second, third, _ = model.staged_predict_proba(X)
        codes = model.member_predictions(X)
        np.testing.assert_array_equal(first.argmax(axis=1), codes[:, 0])
        np.testing.assert_allclose(second.max(axis=1) > 0.6, codes[:, 0] == codes[:, 1])
        np.testing.assert_array_equal(third.argmax(axis=1), codes[:, 2])


class TestMixedBases:
    def test_a_model_that_knows_categories_is_told_of_them(self):
        frame = pd.DataFrame({"x": X[:, 0], "kind": pd.Categorical(np.array(["p", "q", "r"])[y])})
        model = EnsembleClassifier(HistGradientBoostingClassifier(max_iter=5), 3, random_state=0).fit(frame, y)
        assert all(member.is_categorical_.tolist() == [False, True] for member in model.estimators_)

    def test_other_models_get_a_column_per_category(self):
        frame = pd.DataFrame({"x": X[:, 0], "kind": pd.Categorical(np.array(["q", "p", "r"])[y])})
        model = EnsembleClassifier(LogisticRegression(max_iter=500), 3, subspace=RandomSubspace(2), random_state=0)
        model.fit(frame, y)
        assert model.estimators_[0].n_features_in_ == 4
        assert model.estimators_features_[0].tolist() == [0, 1]
        assert model.score(frame, y) == 1.0

    def test_a_pipeline_may_impute_what_its_model_cannot_use(self):
        gaps = X.copy()
        gaps[::4, 1] = np.nan
        base = make_pipeline(SimpleImputer(), GaussianNB())
        assert EnsembleClassifier(base, 5, draw=Wagging(), random_state=0).fit(gaps, y).score(gaps, y) > 0.9

    def test_a_base_that_writes_into_its_data_is_stopped(self):
        class Writer(GaussianNB):
            def fit(self, X, y, sample_weight=None):
                X += 1
                return super().fit(X, y, sample_weight)

        mine = X.copy()
        with pytest.raises(ValueError, match="read-only"):
            EnsembleClassifier(Writer(), 3, draw=Wagging(), random_state=0).fit(mine, y)
        np.testing.assert_array_equal(mine, X)

    def test_identifiers_are_warned_of(self):
        frame = pd.DataFrame({"x": X[:, 0], "id": [f"U{i}" for i in range(150)]})
        with pytest.warns(UserWarning, match="Column 'id' has 150 categories in 150 rows"):
            EnsembleClassifier(n_estimators=2, random_state=0).fit(frame, y)

    def test_categories_that_do_not_occur_make_no_identifier(self):
        """Review: of 5,000 declared categories and three that occur, 255 were said to become columns."""
        declared = [f"U{i}" for i in range(5000)]
        frame = pd.DataFrame({"x": X[:, 0], "key": pd.Categorical.from_codes(np.arange(150) % 3, declared)})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            EnsembleClassifier(n_estimators=2, random_state=0).fit(frame, y)
        frame["key"] = pd.Categorical.from_codes(np.arange(150), declared)
        with pytest.warns(UserWarning, match="'key' has 150 categories in 150 rows, and each becomes a column"):
            EnsembleClassifier(n_estimators=2, random_state=0).fit(frame, y)

    def test_a_base_that_predicts_a_column_vector(self):
        class Column(GaussianNB):
            def predict(self, X):
                return super().predict(X)[:, None]

            def predict_proba(self, X):
                return super().predict_proba(X).tolist()

        for params in ({"draw": Wagging()}, {"combine": MeanProbability()}, {"reweight": AdaBoost()}):
            assert EnsembleClassifier(Column(), 4, random_state=0, **params).fit(X, y).score(X, y) > 0.9

    def test_a_base_that_wants_classes_without_a_gap(self):
        class Strict(GaussianNB):
            def fit(self, X, y, sample_weight=None):
                if (np.unique(y) != np.arange(len(np.unique(y)))).any():
                    raise ValueError("labels must be 0 to k - 1")
                return super().fit(X, y, sample_weight)

        rare = np.where(np.arange(150) == 0, 1, np.where(y == 1, 2, y))
        rare = np.array(["a", "b", "c"])[rare]
        for combine in (None, MeanProbability()):
            model = EnsembleClassifier(Strict(), 20, draw=Bootstrap(), combine=combine, random_state=0).fit(X, rare)
            assert min(len(member.classes_) for member in model.estimators_) == 2
            assert model.score(X, rare) > 0.9
        nested = EnsembleClassifier(EnsembleClassifier(Strict(), 3), 8, random_state=0).fit(X, rare)
        assert nested.score(X, rare) > 0.9


class TestComposition:
    def test_grid_search_over_a_strategys_parameter(self):
        search = GridSearchCV(
            EnsembleClassifier(GaussianNB(), 5, subspace=RandomSubspace(), random_state=0),
            {"subspace__size": [1, 4], "estimator__var_smoothing": [1e-9, 1e-3]},
            cv=3,
        ).fit(X, y)
        assert search.best_params_["subspace__size"] in (1, 4)
        assert len(search.best_estimator_.estimators_features_[0]) == search.best_params_["subspace__size"]

    def test_rows_without_weight_do_not_choose_columns(self):
        spoilt = X.copy()
        spoilt[:30] = np.random.default_rng(0).normal(size=(30, 4)) * 100
        weight = np.r_[np.zeros(30), np.ones(120)]
        chosen = [
            EnsembleClassifier(GaussianNB(), 8, subspace=WeightedSubspace(f_classif, 2), random_state=0)
            .fit(data, y, weight)
            .estimators_features_
            for data in (X, spoilt)
        ]
        np.testing.assert_array_equal(*chosen)

    def test_a_named_algorithm_is_a_plan_and_a_rule(self):
        class Pairs(BaseEnsembleClassifier):
            def __init__(self, n_estimators=10, random_state=None):
                self.n_estimators = n_estimators
                self.random_state = random_state

            def _base(self) -> GaussianNB:
                return GaussianNB()

            def _combine_rule(self) -> Combine:
                return WeightedVote()

            def _plan(self, n_samples: int, n_features: int) -> Plan:
                return Plan((1,) * self.n_estimators, Bootstrap(), RandomSubspace(2))

        assert Pairs(random_state=0).fit(X, y).score(X, y) > 0.9


class TestProgress:
    @pytest.mark.parametrize("params", [{}, {"reweight": AdaBoost()}])
    def test_tells_of_each_member_if_asked_to(self, capsys, params):
        EnsembleClassifier(n_estimators=2).fit(X, y)
        assert capsys.readouterr().out == ""
        EnsembleClassifier(DecisionTreeClassifier(max_depth=1), 3, verbose=2, **params).fit(X, y)
        lines = capsys.readouterr().out.splitlines()
        assert [line.rsplit(",", 1)[0] for line in lines] == [
            f"[EnsembleClassifier] {done} of 3 members" for done in (1, 2, 3)
        ]


class TestMetadata:
    class Grouped(GaussianNB):
        def fit(self, X, y, sample_weight=None, groups=None):
            self.groups_ = groups
            return super().fit(X, y, sample_weight)

    def test_what_the_base_asks_for_reaches_it_row_by_row(self):
        with sklearn.config_context(enable_metadata_routing=True):
            base = self.Grouped().set_fit_request(groups=True, sample_weight=True)
            model = EnsembleClassifier(base, 3, random_state=0).fit(X, y, groups=np.arange(150))
        for member, weights in zip(model.estimators_, model._members, strict=True):
            assert weights.weight == 1
            assert len(member.groups_) == round(member.class_count_.sum()) or len(member.groups_) < 150

    def test_with_routing_a_meta_estimator_that_asks_for_no_weights_gets_a_resample(self):
        with sklearn.config_context(enable_metadata_routing=True):
            base = CalibratedClassifierCV(GaussianNB(), cv=2)
            model = EnsembleClassifier(base, 3, draw=Wagging(), random_state=0).fit(X, y)
        assert model.score(X, y) > 0.9

    def test_without_routing_unknown_metadata_is_refused(self):
        with pytest.raises(ValueError, match="groups"):
            EnsembleClassifier(self.Grouped(), 3).fit(X, y, groups=np.arange(150))


class TestBadArguments:
    @pytest.mark.parametrize(
        ("params", "error", "message"),
        [
            ({"estimator": DecisionTreeClassifier}, TypeError, r"class DecisionTreeClassifier; give an instance"),
            ({"estimator": "tree"}, TypeError, "no fit and predict"),
            ({"estimator": LinearRegression()}, TypeError, "is a regressor"),
            ({"estimator": LinearSVC(), "combine": MeanProbability()}, ValueError, "predict_proba.*WeightedVote"),
            (
                {"estimator": EnsembleClassifier(LinearSVC(), 2), "combine": MeanProbability()},
                ValueError,
                "predict_proba, which LinearSVC does not have",
            ),
            ({"estimator": KMeans(3)}, TypeError, "is a clusterer; give a classifier"),
            ({"chain_length": 2}, ValueError, "chain_length=2 without reweight or subspace"),
            (
                {"estimator": HistGradientBoostingClassifier(categorical_features=[0])},
                ValueError,
                r"categorical_features=\[0\] of the base estimator.*Give it to the ensemble",
            ),
            ({"combine": MeanValue()}, ValueError, "averages numbers"),
            ({"subspace": RandomSubspace(9)}, ValueError, "asks for 9 columns, but there are 4"),
            ({"subspace": WeightedSubspace([1, 1], 1)}, ValueError, r"shape \(2,\), but X has 4 columns"),
            ({"draw": Bootstrap(500, replacement=False)}, ValueError, "asks for 500 rows, but there are 150"),
            ({"draw": Bootstrap(-1)}, ValueError, "Bootstrap size=-1 must be"),
            ({"draw": "bootstrap"}, ValueError, "'draw' parameter"),
            ({"chain_length": 0}, ValueError, "'chain_length' parameter"),
            ({"random_state": -3}, ValueError, "random_state=-3"),
            ({"categorical_features": [17]}, ValueError, r"columns \[17\], but X has 4"),
        ],
    )
    def test_they_are_named_before_work_starts(self, params, error, message):
        with pytest.raises(error, match=message):
            EnsembleClassifier(**params).fit(X, y)

    def test_weights_that_differ_beyond_measure(self):
        weight = np.r_[np.full(75, 1e20), np.full(75, 1e-300)]
        draw = Bootstrap(0.9, replacement=False)
        assert len(EnsembleClassifier(n_estimators=3, draw=draw, random_state=0).fit(X, y, weight).estimators_) == 3
        with pytest.raises(ValueError, match=r"sample_weight adds up to 1.5e\+302"):
            EnsembleClassifier(draw=Wagging()).fit(X, y, np.full(150, 1e300))

    def test_rows_without_weight_cannot_be_drawn(self):
        weight = np.r_[np.ones(20), np.zeros(130)]
        some = np.arange(150) % 3
        with pytest.raises(ValueError, match="asks for 30 rows, but there are 20"):
            EnsembleClassifier(draw=Bootstrap(30, replacement=False)).fit(X, some, weight)

    def test_members_all_alike_are_warned_of(self):
        with pytest.warns(UserWarning, match="All members will be alike"):
            EnsembleClassifier(GaussianNB(), 2, draw=Everything()).fit(X, y)

    def test_gaps_that_the_base_cannot_use(self):
        gaps = X.copy()
        gaps[2, 3] = np.nan
        model = EnsembleClassifier(GaussianNB(), 3, random_state=0).fit(X, y)
        with pytest.raises(ValueError, match=r"NaN in column 'x3', and GaussianNB cannot"):
            model.predict(gaps)
