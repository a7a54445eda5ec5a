"""RSSL, adaptive RSSL, RASSEL and ERASSEL."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import f_classif
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey import (
    EnsembleClassifier,
    EnsembleRegressor,
    EvolvingSubspace,
    RandomSubspaceClassifier,
    RandomSubspaceRegressor,
    load_model,
    save_model,
)
from covey.datasets import make_simulated_logistic, make_simulated_regression

X, Y = make_simulated_regression(random_state=1)
CANCER, MALIGNANT = load_breast_cancer(return_X_y=True)
RELEVANT = {0, 3, 4}

ridged = pytest.mark.filterwarnings("ignore:.*small ridge:UserWarning")


def top_three(model):
    return set(model.feature_weights_.argsort()[-3:].tolist())


class TestUniform:
    def test_members_are_least_squares_on_their_columns(self):
        model = RandomSubspaceRegressor(n_estimators=20, subspace_size=4, random_state=0).fit(X, Y)
        for member, columns in zip(model.estimators_, model.estimators_features_, strict=True):
            peer = LinearRegression().fit(X[:, columns], Y)
            np.testing.assert_allclose(member.coef_, peer.coef_, rtol=1e-6, atol=1e-9)
            assert member.intercept_ == pytest.approx(peer.intercept_, rel=1e-6)

    def test_all_columns_are_as_likely(self):
        model = RandomSubspaceRegressor(n_estimators=400, subspace_size=3, random_state=0).fit(X, Y)
        np.testing.assert_array_equal(model.feature_weights_, np.full(10, 0.1))
        assert model.selection_counts_.sum() == 1200
        assert (np.abs(model.selection_counts_ - 120) <= 4 * np.sqrt(400 * 0.3 * 0.7)).all()

    def test_bootstrap_draws_that_share_of_the_rows(self):
        model = RandomSubspaceRegressor(n_estimators=50, subspace_size=3, bootstrap=0.7, oob_score=True, random_state=0)
        model.fit(X, Y)
        left_out = [np.unpackbits(bits, count=300).mean() for bits in model._left_out]
        assert np.mean(left_out) == pytest.approx((1 - 1 / 300) ** 210, abs=0.02)
        assert model.oob_errors_.shape == (50,)
        assert model.oob_score_ == pytest.approx(model.score(X, Y), abs=0.1)

    def test_without_a_bootstrap_there_is_nothing_out_of_bag(self):
        model = RandomSubspaceRegressor(n_estimators=5, subspace_size=3, random_state=0).fit(X, Y)
        assert not hasattr(model, "oob_errors_")
        with pytest.raises(AttributeError, match="no path with weighting='uniform'; use 'evolving'"):
            _ = model.feature_weights_path_


class TestRelevance:
    def test_numbers_weigh_by_squared_correlation(self):
        model = RandomSubspaceRegressor(n_estimators=5, weighting="relevance", subspace_size=3, random_state=0).fit(
            X, Y
        )
        squares = np.array([np.corrcoef(column, Y)[0, 1] ** 2 for column in X.T])
        np.testing.assert_allclose(model.feature_weights_, squares / squares.sum())

    @ridged
    def test_classes_weigh_by_the_f_statistic(self):
        model = RandomSubspaceClassifier(n_estimators=5, weighting="relevance", subspace_size=3, random_state=0)
        model.fit(CANCER, MALIGNANT)
        scores = f_classif(CANCER, MALIGNANT)[0]
        np.testing.assert_allclose(model.feature_weights_, scores / scores.sum())

    @ridged
    def test_any_score_and_any_weights_will_do(self):
        by_score = RandomSubspaceClassifier(n_estimators=5, weighting=f_classif, subspace_size=3, random_state=0)
        by_name = RandomSubspaceClassifier(n_estimators=5, weighting="relevance", subspace_size=3, random_state=0)
        given = RandomSubspaceClassifier(n_estimators=5, weighting=[0, 1, 3], subspace_size=1, random_state=0)
        np.testing.assert_allclose(
            by_score.fit(CANCER, MALIGNANT).feature_weights_, by_name.fit(CANCER, MALIGNANT).feature_weights_
        )
        np.testing.assert_allclose(given.fit(CANCER[:, :3], MALIGNANT).feature_weights_, [0, 0.25, 0.75])
        assert given.selection_counts_[0] == 0

    @pytest.mark.parametrize("weighting", ["uniform", "relevance", "evolving"])
    def test_a_constant_response_is_predicted(self, weighting):
        model = RandomSubspaceRegressor(n_estimators=5, weighting=weighting, subspace_size=2, random_state=0)
        np.testing.assert_allclose(model.fit(X, np.full(300, 7.0)).predict(X), 7.0)
        np.testing.assert_allclose(model.feature_weights_, 0.1)


class TestEvolving:
    def test_one_chain_whose_path_ends_at_the_weights(self):
        model = RandomSubspaceRegressor(n_estimators=40, weighting="evolving", subspace_size=3, random_state=0).fit(
            X, Y
        )
        path = model.feature_weights_path_
        assert path.shape == (40, 10)
        np.testing.assert_allclose(path.sum(axis=1), 1.0)
        np.testing.assert_array_equal(path[-1], model.feature_weights_)
        assert model.oob_errors_.shape == (40,)
        assert set(model.estimator_chains_) == {0}

    def test_weights_follow_from_what_members_did_out_of_their_bags(self):
        model = RandomSubspaceRegressor(
            n_estimators=30, weighting="evolving", subspace_size=3, scale_errors=False, warm_start=True, random_state=0
        ).fit(X, Y)
        errors = []
        for member, columns, bits in zip(model.estimators_, model.estimators_features_, model._left_out, strict=True):
            rows = np.flatnonzero(np.unpackbits(bits, count=300))
            errors.append(np.mean((member.predict(X[rows][:, columns]) - Y[rows]) ** 2))
        np.testing.assert_allclose(model.oob_errors_, errors)
        drawn = np.array([np.isin(np.arange(10), columns) for columns in model.estimators_features_])
        mean = np.array([np.mean(np.array(errors)[drawn[:, j]]) if drawn[:, j].any() else 0.0 for j in range(10)])
        weights = np.exp(-(mean - mean.min()))
        np.testing.assert_allclose(model.feature_weights_, weights / weights.sum())

    @pytest.mark.parametrize("size", [3, pytest.param(5, marks=pytest.mark.slow)])
    def test_it_finds_the_columns_that_make_the_response_in_three_of_four_samples(self, size):
        hits = 0
        for seed in range(20):
            data = make_simulated_regression(random_state=seed)
            model = RandomSubspaceRegressor(weighting="evolving", subspace_size=size, random_state=seed).fit(*data)
            hits += top_three(model) == RELEVANT
        assert hits >= 15

    @pytest.mark.slow
    @pytest.mark.parametrize(("credit", "least"), [("accuracy", 14), ("error", 14), ("conditional", 18)])
    def test_it_finds_the_columns_that_make_the_classes(self, credit, least):
        hits = 0
        for seed in range(20):
            data = make_simulated_logistic(random_state=seed)
            model = RandomSubspaceClassifier(
                n_estimators=100, weighting="evolving", credit=credit, subspace_size=3, random_state=seed
            ).fit(*data)
            hits += top_three(model) == RELEVANT
        assert hits >= least

    def test_chains_learn_by_themselves_and_are_pooled(self):
        model = RandomSubspaceRegressor(
            n_estimators=50, weighting="evolving", subspace_size=3, n_chains=4, random_state=0
        ).fit(X, Y)
        assert np.bincount(model.estimator_chains_).tolist() == [13, 13, 12, 12]
        assert model.feature_weights_path_.shape == (13, 10)
        alone = RandomSubspaceRegressor(n_estimators=13, weighting="evolving", subspace_size=3, random_state=0).fit(
            X, Y
        )
        for ours, own in zip(model.estimators_features_[:13], alone.estimators_features_, strict=True):
            np.testing.assert_array_equal(ours, own)

    def test_a_warm_start_keeps_to_its_credit(self):
        model = RandomSubspaceRegressor(
            n_estimators=3, weighting="evolving", subspace_size=2, warm_start=True, random_state=0
        ).fit(X, Y)
        with pytest.raises(ValueError, match="credit='conditional' is not that of the members there are"):
            model.set_params(n_estimators=5, credit="conditional").fit(X, Y)

    def test_a_saved_model_has_its_path(self, tmp_path):
        model = RandomSubspaceRegressor(n_estimators=6, weighting="evolving", random_state=0).fit(X, Y)
        loaded = load_model(save_model(model, tmp_path / "model.covey"))
        np.testing.assert_array_equal(loaded.size_curve_.errors, model.size_curve_.errors)
        np.testing.assert_array_equal(loaded.feature_weights_path_, model.feature_weights_path_)
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))

    def test_the_strategy_goes_with_other_learners_and_ensembles(self):
        trees = EnsembleRegressor(DecisionTreeRegressor(max_depth=4), 60, subspace=EvolvingSubspace(3), random_state=0)
        assert trees.fit(X, Y).score(X, Y) > 0.3
        assert set(trees.estimator_chains_) == {0}
        votes = EnsembleClassifier(DecisionTreeClassifier(), 20, subspace=EvolvingSubspace(5), random_state=0)
        assert votes.fit(CANCER, MALIGNANT).score(CANCER, MALIGNANT) > 0.95


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"weighting": "evolving", "bootstrap": False}, "bootstrap=False leaves no rows out.*give a share such as 0.7"),
        ({"n_chains": 2}, "n_chains=2 is for weighting='evolving'"),
        ({"n_estimators": 5, "weighting": "evolving", "n_chains": 9}, "n_chains=9 is more than n_estimators=5"),
        ({"subspace_size": 50}, "^subspace_size=50 asks for 50 columns, but there are 10; ask for at most 10"),
        ({"oob_score": True}, r"oob_score needs members that leave rows out.*such as bootstrap=0\.7"),
    ],
)
def test_what_does_not_go_together_is_refused(params, message):
    with pytest.raises(ValueError, match=message):
        RandomSubspaceRegressor(**{"subspace_size": 2, **params}).fit(X, Y)


class TestConditional:
    def test_a_gain_is_what_a_column_changes_beside_the_others(self):
        model = RandomSubspaceRegressor(
            n_estimators=3, weighting="evolving", credit="conditional", subspace_size=3, warm_start=True, random_state=0
        ).fit(X, Y)
        for one, bits in zip(model._growth.rounds, model._left_out, strict=True):
            unseen = np.unpackbits(bits, count=300).astype(bool)
            assert unseen.any()
            assert one.gains.shape == (3,)
        assert not np.allclose(model._growth.rounds[0].gains, model._growth.rounds[0].gains[0])

    @pytest.mark.slow
    def test_a_copy_of_a_column_gains_nothing_by_it(self):
        found = {"error": 0, "conditional": 0}
        for seed in range(20):
            data = make_simulated_regression(design="direct", random_state=seed)
            for credit in found:
                model = RandomSubspaceRegressor(
                    n_estimators=120, weighting="evolving", credit=credit, subspace_size=5, random_state=seed
                ).fit(*data)
                found[credit] += top_three(model) == RELEVANT
        assert found["conditional"] >= 14
        assert found["conditional"] >= found["error"] + 3

    def test_one_column_is_set_against_a_constant(self):
        model = RandomSubspaceRegressor(
            weighting="evolving", credit="conditional", subspace_size=1, random_state=0
        ).fit(X, Y)
        assert top_three(model) == RELEVANT

    def test_a_base_without_probabilities_goes_by_errors(self):
        from sklearn.svm import LinearSVC

        model = RandomSubspaceClassifier(
            LinearSVC(), n_estimators=12, weighting="evolving", credit="conditional", subspace_size=2, random_state=0
        ).fit(*make_simulated_logistic(random_state=0))
        assert model.feature_weights_.sum() == pytest.approx(1)


class TestSize:
    def test_auto_keeps_the_curve_it_chose_by(self):
        model = RandomSubspaceRegressor(n_estimators=20, random_state=0).fit(X, Y)
        assert model.size_curve_.sizes.tolist() == list(range(1, 11))
        assert model.subspace_size_ == model.size_curve_.chosen
        assert {len(columns) for columns in model.estimators_features_} == {model.subspace_size_}

    def test_auto_leaves_linear_models_three_rows_for_each_column(self):
        rng = np.random.default_rng(0)
        wide = rng.normal(size=(60, 200))
        response = wide[:, 0] + rng.normal(size=60)
        for bootstrap, most in ((False, 20), (0.7, 10)):
            model = RandomSubspaceRegressor(n_estimators=20, bootstrap=bootstrap, random_state=0).fit(wide, response)
            assert model.subspace_size_ <= most
            assert model.size_curve_.sizes.max() == most
        trees = RandomSubspaceRegressor(DecisionTreeRegressor(max_depth=2), 3, random_state=0).fit(wide, response)
        assert trees.size_curve_.sizes.max() == 200

    def test_auto_is_the_rule_where_there_are_too_few_rows(self):
        model = RandomSubspaceRegressor(n_estimators=5, random_state=0).fit(X[:9], Y[:9])
        assert model.subspace_size_ == 3
        assert not hasattr(model, "size_curve_")

    @pytest.mark.parametrize(("size", "count"), [("sqrt", 4), ("third", 4), (0.5, 5), (7, 7), (1.0, 10)])
    def test_rules_are_rounded_up(self, size, count):
        assert (
            RandomSubspaceRegressor(n_estimators=5, subspace_size=size, random_state=0).fit(X, Y).subspace_size_
            == count
        )

    def test_a_warm_start_keeps_the_size(self):
        model = RandomSubspaceRegressor(n_estimators=10, warm_start=True, random_state=0).fit(X, Y)
        size = model.subspace_size_
        assert model.set_params(n_estimators=15).fit(X, Y).subspace_size_ == size

    def test_a_warm_start_with_another_size_adds_members_of_that_size(self):
        model = RandomSubspaceRegressor(n_estimators=4, subspace_size=2, warm_start=True, random_state=0).fit(X, Y)
        model.set_params(n_estimators=6, subspace_size=5).fit(X, Y)
        assert [len(columns) for columns in model.estimators_features_] == [2, 2, 2, 2, 5, 5]

    def test_rows_that_hardly_count_hardly_count_in_the_choice(self):
        weight = np.where(np.arange(300) < 150, 1.0, 1e-9)
        garbage = np.where(weight == 1.0, Y, 1e3)
        model = RandomSubspaceRegressor(n_estimators=5, random_state=0).fit(X, garbage, weight)
        assert model.size_curve_.errors.max() < 1000

    def test_a_second_fit_on_fewer_columns_forgets_the_first(self):
        model = RandomSubspaceRegressor(n_estimators=5, subspace_size=0.9, random_state=0).fit(X, Y)
        assert model.fit(X[:, :2], Y).subspace_size_ == 2


class TestClassifier:
    def test_probabilities_are_averaged_or_votes_counted(self):
        data = make_simulated_logistic(random_state=3)
        mean = RandomSubspaceClassifier(n_estimators=20, subspace_size=3, random_state=0).fit(*data)
        members = [
            member.predict_proba(data[0][:, columns])
            for member, columns in zip(mean.estimators_, mean.estimators_features_, strict=True)
        ]
        lead = np.mean(members, axis=0) @ [-1, 1]
        np.testing.assert_allclose(mean.decision_function(data[0]), lead, atol=1e-11)
        votes = RandomSubspaceClassifier(n_estimators=20, subspace_size=3, combine="vote", random_state=0).fit(*data)
        shares = np.mean(votes.member_predictions(data[0]), axis=1)
        np.testing.assert_allclose(votes.decision_function(data[0]), 2 * shares - 1, atol=1e-6)

    def test_a_base_without_probabilities_can_only_vote(self):
        from sklearn.linear_model import Perceptron

        data = make_simulated_logistic(random_state=3)
        with pytest.raises(
            ValueError, match=r"combine='probability' needs predict_proba, which Perceptron .* use 'vote'"
        ):
            RandomSubspaceClassifier(Perceptron(), combine="probability", subspace_size=2).fit(*data)

    def test_members_are_logistic_regressions(self):
        data = make_simulated_logistic(random_state=3)
        model = RandomSubspaceClassifier(n_estimators=5, subspace_size=3, random_state=0).fit(*data)
        for member, columns in zip(model.estimators_, model.estimators_features_, strict=True):
            peer = LogisticRegression(C=np.inf, tol=1e-9, max_iter=1000).fit(data[0][:, columns], data[1])
            np.testing.assert_allclose(member.coef_.ravel(), peer.coef_.ravel(), rtol=1e-4, atol=1e-6)

    def test_a_column_that_predicts_a_class_perfectly_is_told_of_once(self):
        frame = np.column_stack([MALIGNANT, CANCER[:, :6]])
        with pytest.warns(UserWarning, match="small ridge") as caught:
            model = RandomSubspaceClassifier(n_estimators=20, subspace_size=3, random_state=0).fit(frame, MALIGNANT)
        assert len(caught) == 1
        assert np.isfinite(model.predict_proba(frame)).all()
        assert model.score(frame, MALIGNANT) > 0.95

    def test_more_columns_than_rows(self):
        rng = np.random.default_rng(4)
        wide = rng.normal(size=(60, 12_000))
        classes = (wide[:, 0] + wide[:, 1] > 0).astype(int)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            for weighting in ("uniform", "relevance", "evolving"):
                model = RandomSubspaceClassifier(
                    n_estimators=10, weighting=weighting, subspace_size="sqrt", random_state=0
                )
                assert model.fit(wide, classes).predict(wide).shape == (60,)
                assert model.feature_weights_.shape == (12_000,)
