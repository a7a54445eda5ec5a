from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_selection import f_classif
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from covey import (
    AdaBoost,
    Bootstrap,
    EnsembleClassifier,
    Everything,
    MajorityVote,
    MeanProbability,
    MeanValue,
    RandomSubspace,
    Wagging,
    WeightedSubspace,
)
from covey.ensemble import BaseEnsembleClassifier, Plan
from covey.strategies import Combine, WeightedVote

X, y = load_iris(return_X_y=True)


def brute_force_shares(model, X):
    """The weighted vote, from the members one by one."""
    shares = np.zeros((len(X), len(model.classes_)))
    codes = model.member_predictions(X)
    for member, weight in enumerate(model.estimator_weights_):
        shares[np.arange(len(X)), codes[:, member]] += weight
    return shares / model.estimator_weights_.sum()


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

    def test_columns_with_replacement_may_repeat(self):
        model = EnsembleClassifier(n_estimators=20, subspace=RandomSubspace(3, replacement=True), random_state=0)
        model.fit(X, y)
        assert any(len(set(columns)) < 3 for columns in model.estimators_features_)
        assert all(len(columns) == 3 for columns in model.estimators_features_)

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
        np.testing.assert_allclose(model.predict_proba(X), brute_force_shares(model, X), atol=1e-11)

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
        shares = model.predict_proba(X)
        np.testing.assert_allclose(model.decision_function(X), shares[:, 1] - shares[:, 0])
        np.testing.assert_array_equal(model.predict(X), model.decision_function(X) > 0)

    def test_mean_probability(self):
        model = EnsembleClassifier(GaussianNB(), 6, combine=MeanProbability(), random_state=0).fit(X, y)
        expected = np.mean([member.predict_proba(X) for member in model.estimators_], axis=0)
        np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-11)

    def test_stages_before_the_first_vote_count_alike(self):
        model = EnsembleClassifier(n_estimators=4, random_state=0).fit(X, y)
        model.estimator_weights_[:2] = 0
        first, second, third, _ = model.staged_predict_proba(X)
        codes = model.member_predictions(X)
        np.testing.assert_array_equal(first.argmax(axis=1), codes[:, 0])
        np.testing.assert_allclose(second.max(axis=1) > 0.9, codes[:, 0] == codes[:, 1])
        np.testing.assert_array_equal(third.argmax(axis=1), codes[:, 2])

    def test_one_head_one_vote(self):
        stump = DecisionTreeClassifier(max_depth=1)
        model = EnsembleClassifier(stump, 9, reweight=AdaBoost(), combine=MajorityVote(), random_state=0).fit(X, y)
        votes = model.member_predictions(X)
        expected = np.stack([(votes == code).mean(axis=1) for code in range(3)], axis=1)
        np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-11)


class TestOutOfBag:
    def test_each_row_is_judged_by_members_that_have_not_seen_it(self):
        model = EnsembleClassifier(n_estimators=40, oob_score=True, random_state=0).fit(X, y)
        votes = model.member_predictions(X)
        left_out = np.stack([np.unpackbits(member.left_out, count=150) for member in model._members], axis=1)
        expected = np.stack([((votes == code) * left_out).sum(axis=1) for code in range(3)], axis=1)
        expected = expected / left_out.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.oob_decision_function_, expected, atol=1e-11)
        assert model.oob_score_ == pytest.approx(np.mean(expected.argmax(axis=1) == y), abs=0.02)

    def test_it_foretells_the_error_on_new_data(self):
        X, y = load_breast_cancer(return_X_y=True)
        model = EnsembleClassifier(n_estimators=50, oob_score=True, random_state=0).fit(X, y)
        held_out = cross_val_score(EnsembleClassifier(n_estimators=50, random_state=0), X, y, cv=10).mean()
        assert model.oob_score_ == pytest.approx(held_out, abs=0.02)

    def test_any_score_of_labels(self):
        model = EnsembleClassifier(n_estimators=40, oob_score=balanced_accuracy_score, random_state=0).fit(X, y)
        labels = model.classes_[model.oob_decision_function_.argmax(axis=1)]
        assert model.oob_score_ == balanced_accuracy_score(y, labels)

    def test_rows_that_every_member_has_seen_are_told_of(self):
        with pytest.warns(UserWarning, match="rows were seen by every member"):
            model = EnsembleClassifier(n_estimators=2, oob_score=True, random_state=0).fit(X, y)
        silent = np.isnan(model.oob_decision_function_).all(axis=1)
        assert 0.1 < silent.mean() < 0.7

    def test_weights_count(self):
        rng = np.random.default_rng(0)
        noise, labels = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
        weight = np.where(labels == 1, 20.0, 1.0)
        model = EnsembleClassifier(n_estimators=60, oob_score=True, random_state=0).fit(noise, labels, weight)
        predicted = model.oob_decision_function_.argmax(axis=1)
        assert model.oob_score_ == pytest.approx(np.average(predicted == labels, weights=weight), abs=0.02)
        assert model.oob_score_ > np.mean(predicted == labels) + 0.1

    @pytest.mark.filterwarnings("ignore:.* rows were seen by every member:UserWarning")
    def test_noise_is_foretold_as_noise_for_a_base_that_takes_no_weights(self):
        rng = np.random.default_rng(0)
        noise, labels = rng.normal(size=(600, 3)), rng.integers(0, 2, 600)
        model = EnsembleClassifier(
            KNeighborsClassifier(3),
            50,
            draw=Bootstrap(),
            reweight=AdaBoost(),
            chain_length=10,
            oob_score=True,
            random_state=0,
        ).fit(noise, labels)
        assert model.oob_score_ == pytest.approx(0.5, abs=3 * np.sqrt(0.25 / 600))

    def test_a_later_fit_without_it_forgets_the_score(self):
        model = EnsembleClassifier(n_estimators=30, oob_score=True, random_state=0).fit(X, y)
        model.set_params(oob_score=False).fit(X, y)
        assert not hasattr(model, "oob_score_")
        assert not hasattr(model, "oob_decision_function_")

    def test_rows_without_weight_are_not_judged(self):
        weight = np.r_[np.zeros(40), np.ones(110)]
        wrong = y.copy()
        wrong[:40] = 2
        model = EnsembleClassifier(n_estimators=40, oob_score=True, random_state=0).fit(X, wrong, weight)
        assert model.oob_score_ > 0.85

    def test_without_rows_left_out_it_is_refused(self):
        for params in (
            {"draw": Wagging()},
            {"draw": Bootstrap(1.0, replacement=False)},
            {"estimator": KNeighborsClassifier(), "subspace": RandomSubspace(2)},
        ):
            with pytest.raises(ValueError, match=r"oob_score needs members that leave rows out.*draw=Bootstrap"):
                EnsembleClassifier(oob_score=True, **params).fit(X, y)


class TestNesting:
    def test_members_come_in_one_list_with_the_product_of_the_votes(self):
        inner = EnsembleClassifier(DecisionTreeClassifier(max_depth=1), 3, reweight=AdaBoost())
        model = EnsembleClassifier(inner, 4, draw=Wagging(), reweight=AdaBoost(), random_state=2).fit(X, y)
        assert len(model.estimators_) == 12
        assert all(isinstance(member, DecisionTreeClassifier) for member in model.estimators_)
        np.testing.assert_allclose(model.predict_proba(X), brute_force_shares(model, X), atol=1e-11)

    def test_wagged_boosting_is_multiboosting(self):
        stump = DecisionTreeClassifier(max_depth=1)
        nested = EnsembleClassifier(EnsembleClassifier(stump, 5, reweight=AdaBoost()), 6, draw=Wagging())
        chained = EnsembleClassifier(stump, 30, draw=Wagging(), reweight=AdaBoost(), chain_length=5)
        scores = [cross_val_score(model.set_params(random_state=4), X, y, cv=5).mean() for model in (nested, chained)]
        assert scores[0] == pytest.approx(scores[1], abs=0.04)

    def test_columns_and_classes_are_those_of_the_outer_ensemble(self):
        rare = np.where(np.arange(150) < 3, "rare", np.array(["a", "b", "c"])[y])
        inner = EnsembleClassifier(GaussianNB(), 3, subspace=RandomSubspace(2))
        outer = EnsembleClassifier(inner, 10, draw=Bootstrap(0.4), subspace=RandomSubspace(3), random_state=0)
        model = outer.fit(X, rare)
        codes = model.member_predictions(X)
        assert any(len(member.classes_) == 3 for member in model.estimators_)
        for member, columns, column in zip(model.estimators_, model.estimators_features_, codes.T, strict=True):
            assert len(columns) == 2
            assert np.mean(model.classes_[column] == rare) > 0.6  # a wrong column or class would be far off
            assert member.n_features_in_ == 2

    def test_categories_keep_their_codes(self):
        rng = np.random.default_rng(0)
        code = rng.integers(0, 6, 300)
        frame = pd.DataFrame({"letter": pd.Categorical.from_codes(code, list("abcdef")), "noise": rng.normal(size=300)})
        target = np.isin(code, [0, 2, 5])
        inner = EnsembleClassifier(DecisionTreeClassifier(), 3, draw=Bootstrap(20))
        model = EnsembleClassifier(inner, 5, draw=Bootstrap(15), random_state=0).fit(frame, target)
        assert model.score(frame, target) > 0.75  # small draws miss categories: recoded, it would be chance

    def test_a_draw_of_one_class_leaves_a_committee_its_votes(self):
        rare = np.zeros(40, dtype=int)
        rare[:2] = 1
        inner = EnsembleClassifier(GaussianNB(), 5, draw=Wagging())
        model = EnsembleClassifier(inner, 20, draw=Bootstrap(0.5), random_state=0).fit(X[:40], rare)
        assert np.bincount(model.estimator_chains_).tolist() == [5] * 20

    def test_three_levels(self):
        inner = EnsembleClassifier(EnsembleClassifier(GaussianNB(), 2), 3)
        model = EnsembleClassifier(inner, 4, random_state=0).fit(X, y)
        assert len(model.estimators_) == 24
        assert model.score(X, y) > 0.9


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

    def test_a_pipeline_as_base(self):
        base = make_pipeline(StandardScaler(), KNeighborsClassifier(1))
        assert EnsembleClassifier(base, 5, random_state=0).fit(X, y).score(X, y) > 0.95


class TestComposition:
    def test_grid_search_over_a_strategys_parameter(self):
        search = GridSearchCV(
            EnsembleClassifier(GaussianNB(), 5, subspace=RandomSubspace(), random_state=0),
            {"subspace__size": [1, 4], "estimator__var_smoothing": [1e-9, 1e-3]},
            cv=3,
        ).fit(X, y)
        assert search.best_params_["subspace__size"] in (1, 4)
        assert len(search.best_estimator_.estimators_features_[0]) == search.best_params_["subspace__size"]

    def test_columns_by_relevance(self):
        wide = np.hstack([X, np.random.default_rng(0).normal(size=(150, 16))])
        subspace = WeightedSubspace(f_classif, size=4)
        model = EnsembleClassifier(GaussianNB(), 30, subspace=subspace, random_state=0).fit(wide, y)
        chosen = np.bincount(np.concatenate(model.estimators_features_), minlength=20)
        assert chosen[[2, 3]].min() > 5 * chosen[4:].max()

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

    def test_a_constant_column_has_no_relevance(self):
        flat = np.hstack([X, np.ones((150, 1))])
        subspace = WeightedSubspace(f_classif, 2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn's, of the constant column
            model = EnsembleClassifier(GaussianNB(), 8, subspace=subspace, random_state=0).fit(flat, y)
        assert 4 not in np.concatenate(model.estimators_features_)

    def test_a_named_algorithm_is_a_plan_and_a_rule(self):
        class Pairs(BaseEnsembleClassifier):
            def __init__(self, n_estimators=10, random_state=None):
                self.n_estimators = n_estimators
                self.random_state = random_state

            oob_score, warm_start, verbose, n_jobs = False, False, 0, None
            categorical_features = "from_dtype"

            def _base(self) -> GaussianNB:
                return GaussianNB()

            def _combine_rule(self) -> Combine:
                return WeightedVote()

            def _plan(self, n_samples: int, n_features: int) -> Plan:
                return Plan((1,) * self.n_estimators, Bootstrap(), RandomSubspace(2))

        assert Pairs(random_state=0).fit(X, y).score(X, y) > 0.9


class TestProgress:
    def test_silent_by_default(self, capsys):
        EnsembleClassifier(n_estimators=2).fit(X, y)
        assert capsys.readouterr().out == ""

    @pytest.mark.parametrize("params", [{}, {"reweight": AdaBoost()}])
    def test_tells_of_each_member(self, capsys, params):
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
            ({"n_jobs": 0}, ValueError, "'n_jobs' parameter"),
            (
                {"estimator": HistGradientBoostingClassifier(categorical_features=[0])},
                ValueError,
                r"categorical_features=\[0\] of the base estimator.*Give it to the ensemble",
            ),
            ({"combine": MeanValue()}, ValueError, "averages numbers"),
            ({"subspace": RandomSubspace(9)}, ValueError, "asks for 9 columns, but there are 4"),
            ({"subspace": WeightedSubspace([1, 1], 1)}, ValueError, r"shape \(2,\), but X has 4 columns"),
            ({"draw": Bootstrap(500, replacement=False)}, ValueError, "asks for 500 rows, but there are 150"),
            ({"reweight": AdaBoost(perfect=0)}, ValueError, "AdaBoost perfect=0 must lie between"),
            ({"reweight": AdaBoost(floor=-1)}, ValueError, "AdaBoost floor=-1 must be"),
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
        with pytest.raises(ValueError, match=r"NaN in column 'x3', and LogisticRegression cannot"):
            EnsembleClassifier(LogisticRegression()).fit(gaps, y)
