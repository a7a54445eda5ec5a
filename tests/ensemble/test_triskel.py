"""Triskel against its algorithm, its vote and its figures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from covey import LinearSVMClassifier, OneVsOneClassifier, TriskelClassifier, load_model, save_model
from covey.analysis import embedded_space, first_agreement, inclusion_share, roc_point
from covey.datasets import make_layered_cake

X, Y = load_breast_cancer(return_X_y=True)
FLOWERS, KINDS = load_iris(return_X_y=True)
CAKE, LAYERS = make_layered_cake(random_state=0)

spared = pytest.mark.filterwarnings("ignore:In .* would have left no case:UserWarning")


class Threshold(ClassifierMixin, BaseEstimator):
    """Says 1 beyond the mean of its first column, weighted; it has no decision values."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        self.at_ = np.average(X[:, 0], weights=sample_weight)
        return self

    def predict(self, X):
        return self.classes_[(X[:, 0] > self.at_).astype(int)]


class TestVote:
    @given(st.integers(1, 6), st.integers(0, 2**31))
    @settings(derandomize=True, deadline=None, max_examples=60)
    def test_published_weights_let_the_first_agreeing_pair_decide(self, n_rounds, seed):
        said = np.random.default_rng(seed).choice([-1, 1], size=(50, 2 * n_rounds + 1))
        weights = np.array([*np.repeat([2.0 ** (n_rounds - t) for t in range(1, n_rounds + 1)], 2), 1.0])
        pairs = [(said[:, place], said[:, place + 1]) for place in range(0, 2 * n_rounds, 2)]
        np.testing.assert_array_equal(np.sign(said @ weights), first_agreement(pairs, said[:, -1]))

    @pytest.mark.parametrize("n_rounds", [1, 2, 4])
    def test_the_estimator_votes_so(self, n_rounds):
        model = TriskelClassifier(n_rounds=n_rounds, random_state=0).fit(X, Y)
        members = model.classes_[model.member_predictions(X)]
        pairs = model.round_predictions(X)
        np.testing.assert_array_equal(model.predict(X), first_agreement(pairs, members[:, -1]))
        votes = np.array([2.0 ** (n_rounds - t) for t in range(1, n_rounds + 1)]).repeat(2)
        np.testing.assert_array_equal(model.estimator_weights_, [*votes, 1.0])
        np.testing.assert_array_equal(model.predict_proba(X).argmax(axis=1), model.predict(X))

    def test_prediction_1_holds_where_thresholds_move(self):
        # Thresholds of one model: inclusion holds, and so does proposition 1, to the last digits.
        model = TriskelClassifier(GaussianNB(), 1, covering="separate", biasing="threshold", bias=0.4, random_state=0)
        model.fit(X, Y)
        ((plus, minus),) = model.round_predictions(X)
        assert inclusion_share(plus, minus) == 0
        hard = plus != minus
        arbiter = model.classes_[model.member_predictions(X)][:, -1]
        space = embedded_space(roc_point(Y, plus), roc_point(Y, minus))
        inner, whole = roc_point(Y[hard], arbiter[hard]), roc_point(Y, model.predict(X))
        outer = space.outer(inner)
        assert outer.fpr == pytest.approx(whole.fpr, abs=1e-12)
        assert outer.tpr == pytest.approx(whole.tpr, abs=1e-12)


class TestRounds:
    def test_the_arbiter_learns_from_hard_cases_alone(self):
        model = TriskelClassifier(n_rounds=1, covering="separate", random_state=0).fit(X, Y)
        ((plus, minus),) = model.round_predictions(X)
        hard = (plus != Y) | (minus != Y)
        alone = LinearSVMClassifier().fit(X[hard], Y[hard])
        np.testing.assert_allclose(model.estimators_[-1].coef_, alone.coef_, rtol=0.05, atol=1e-3)

    def test_soft_covering_halves_and_doubles(self):
        weights = []

        class Noting(LinearSVMClassifier):
            def _fit_member(self, table, codes, weight):
                weights.append(weight.copy())
                return super()._fit_member(table, codes, weight)

        TriskelClassifier(Noting(), 2, bias=0.0, random_state=0).fit(X, Y)
        assert len(weights) == 5
        assert set(weights[0]) == {1.0}
        assert set(weights[2]) == {0.5, 2.0}
        assert set(weights[4]) <= {0.25, 1.0, 4.0}
        np.testing.assert_array_equal(weights[2], weights[3])

    def test_normalised_weights_keep_their_sum(self):
        sums = []

        class Noting(LinearSVMClassifier):
            def _fit_member(self, table, codes, weight):
                sums.append(weight.sum())
                return super()._fit_member(table, codes, weight)

        TriskelClassifier(Noting(), 3, bias=0.0, normalize_weights=True, random_state=0).fit(X, Y)
        np.testing.assert_allclose(sums, len(Y))

    @pytest.mark.parametrize(("n_rounds", "members"), [(1, 3), (2, 5), (4, 9)])
    def test_two_members_per_round_and_an_arbiter(self, n_rounds, members):
        model = TriskelClassifier(n_rounds=n_rounds, random_state=0).fit(X, Y)
        assert model.n_members_.tolist() == [members]
        assert len(model.estimators_) == members

    def test_fewer_where_no_hard_case_is_left(self):
        model = TriskelClassifier(n_rounds=4, random_state=0).fit(FLOWERS, KINDS)
        assert model.pairs_ == [(0, 1), (0, 2), (1, 2)]
        assert model.n_members_.tolist() == [3, 3, 9]

    def test_undersampling_keeps_a_tenth_of_a_class(self):
        sizes = []

        class Noting(LinearSVMClassifier):
            def _fit_member(self, table, codes, weight):
                sizes.append(np.bincount(codes[weight > 0]).tolist())
                return super()._fit_member(table, codes, weight)

        TriskelClassifier(Noting(), 1, random_state=0).fit(X, Y)
        negative, positive = np.bincount(Y)
        assert sizes[0] == [negative, round(0.1 * positive)]
        assert sizes[1] == [round(0.1 * negative), positive]
        assert sizes[2] == [negative, positive]

    def test_hard_cases_of_one_class_have_a_constant_arbiter(self):
        rows = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [1.2]])
        classes = np.array([0, 0, 0, 1, 1, 1, 1])
        model = TriskelClassifier(Threshold(), 1, covering="separate", bias=0.0, random_state=0).fit(rows, classes)
        ((plus, minus),) = model.round_predictions(rows)
        assert set(classes[(plus != classes) | (minus != classes)]) == {1}
        assert set(model.classes_[model.member_predictions(rows)[:, -1]]) == {1}


class TestBiasing:
    @pytest.mark.parametrize("biasing", ["undersample", "oversample", "weight", "threshold", "smote"])
    def test_h_plus_says_positive_less_often_and_h_minus_more(self, biasing):
        model = TriskelClassifier(n_rounds=1, bias=0.9, biasing=biasing, random_state=0).fit(X, Y)
        ((plus, minus),) = model.round_predictions(X)
        base = LinearSVMClassifier().fit(X, Y).predict(X)
        assert plus.mean() < base.mean() < minus.mean()

    @pytest.mark.parametrize("bias", [0.3, (0.2, 0.6)])
    def test_a_threshold_leaves_the_share_asked_for(self, bias):
        model = TriskelClassifier(n_rounds=1, biasing="threshold", bias=bias, random_state=0).fit(X, Y)
        ((plus, minus),) = model.round_predictions(X)
        base = LinearSVMClassifier().fit(X, Y).predict(X)
        first, second = model.bias_[0]
        assert plus.sum() == pytest.approx((1 - first) * base.sum(), abs=2)
        assert (1 - minus).sum() == pytest.approx((1 - second) * (1 - base).sum(), abs=2)

    def test_auto_finds_the_layers_that_the_published_strength_does_not(self):
        published = TriskelClassifier(n_rounds=1, covering="separate", random_state=0).fit(CAKE, LAYERS)
        chosen = TriskelClassifier(n_rounds=1, covering="separate", bias="auto", random_state=0).fit(CAKE, LAYERS)
        assert published.score(CAKE, LAYERS) < 0.7
        assert chosen.score(CAKE, LAYERS) > published.score(CAKE, LAYERS) + 0.1
        assert chosen.bias_.shape == (1, 2)

    def test_boosting_fails_where_triskel_does_not(self):
        from covey import BoostingClassifier

        boosted = BoostingClassifier(LinearSVMClassifier(), 50, restart=False, random_state=0).fit(CAKE, LAYERS)
        triskel = TriskelClassifier(n_rounds=1, covering="separate", bias="auto", biasing="weight", random_state=0)
        assert boosted.score(CAKE, LAYERS) < 0.7
        assert triskel.fit(CAKE, LAYERS).score(CAKE, LAYERS) > 0.85


class TestClasses:
    def test_pairs_of_classes_vote(self):
        model = TriskelClassifier(n_rounds=2, random_state=0).fit(FLOWERS, KINDS)
        said = model.member_predictions(FLOWERS)
        assert said.shape == (150, 3)
        counts = np.array([np.bincount(row, minlength=3) for row in said])
        decided = np.sort(counts, axis=1)[:, -1] > np.sort(counts, axis=1)[:, -2]
        np.testing.assert_array_equal(model.predict(FLOWERS)[decided], counts.argmax(axis=1)[decided])
        assert model.score(FLOWERS, KINDS) > 0.95

    def test_a_biased_classifier_per_class_and_an_arbiter(self):
        wine, kinds = load_wine(return_X_y=True)
        model = TriskelClassifier(n_rounds=1, covering="separate", multiclass="triskel-m", random_state=0)
        assert model.fit(wine, kinds).score(wine, kinds) > 0.95
        # Three biased classifiers, and an arbiter that is a machine per pair already; else it is one model per pair.
        assert model.n_members_.tolist() == [4]
        bayes = TriskelClassifier(GaussianNB(), 1, multiclass="triskel-m", random_state=0).fit(wine, kinds)
        assert bayes.n_members_.tolist() == [6]
        assert bayes.score(wine, kinds) > 0.95
        assert not hasattr(model, "member_predictions")

    def test_one_claim_decides_and_several_or_none_are_arbitrated(self):
        model = TriskelClassifier(n_rounds=1, covering="separate", multiclass="triskel-m", random_state=0)
        model.fit(FLOWERS, KINDS)
        feed = model._new_inputs(FLOWERS)
        said = np.column_stack([one.codes(feed) for one in model._classes.rounds[0]])
        claims = model._classes.claims(feed)
        alone = said.sum(axis=1) == 1
        np.testing.assert_array_equal(claims[alone], said[alone].argmax(axis=1))
        assert (claims[~alone] == -1).all()
        np.testing.assert_array_equal(model.predict(FLOWERS)[alone], claims[alone])

    def test_two_classes_make_one_problem_either_way(self):
        one = TriskelClassifier(multiclass="triskel-m", random_state=0).fit(X, Y)
        other = TriskelClassifier(random_state=0).fit(X, Y)
        np.testing.assert_array_equal(one.predict(X), other.predict(X))
        np.testing.assert_array_equal(one.member_predictions(X), other.member_predictions(X))

    def test_pairs_are_the_same_whatever_the_number_of_jobs(self):
        one, two = (TriskelClassifier(random_state=0, n_jobs=jobs).fit(FLOWERS, KINDS) for jobs in (1, 2))
        np.testing.assert_array_equal(one.predict_proba(FLOWERS), two.predict_proba(FLOWERS))


def test_the_most_rounds_still_let_the_arbiter_decide():
    rng = np.random.default_rng(0)
    rows, classes = rng.normal(size=(80, 2)), rng.integers(0, 2, 80)
    model = TriskelClassifier(GaussianNB(), 32, bias=0.5, normalize_weights=True, random_state=0).fit(rows, classes)
    assert model.n_members_.tolist() == [65]
    said = model.classes_[model.member_predictions(rows)]
    np.testing.assert_array_equal(model.predict(rows), first_agreement(model.round_predictions(rows), said[:, -1]))


class TestBadInput:
    def test_a_base_without_decision_values_has_no_threshold(self):
        with pytest.raises(
            ValueError, match="biasing='threshold' needs decision values or probabilities, and Threshold"
        ):
            TriskelClassifier(Threshold(), biasing="threshold").fit(X, Y)

    def test_a_class_that_would_be_left_out_keeps_a_case(self):
        rows = np.arange(12.0)[:, None]
        classes = np.repeat([0, 1], [9, 3])
        with pytest.warns(
            UserWarning, match=r"In \d+ of 3 members bias=0.9 would have left no case of a class, and one"
        ):
            model = TriskelClassifier(n_rounds=1, random_state=0).fit(rows, classes)
        assert model.score(rows, classes) > 0.7

    @spared
    def test_a_class_of_one_case(self):
        rows = np.arange(12.0)[:, None]
        classes = np.array([0] * 5 + [1] * 6 + [2])
        for multiclass in ("one-vs-one", "triskel-m"):
            model = TriskelClassifier(multiclass=multiclass, random_state=0).fit(rows, classes)
            assert set(model.predict(rows)) <= {0, 1, 2}

    def test_imbalanced_learn_is_asked_for(self, monkeypatch):
        monkeypatch.setattr("covey.ensemble.triskel.find_spec", lambda name: None)
        with pytest.raises(ValueError, match="biasing='smote' needs imbalanced-learn, which is not installed"):
            TriskelClassifier(biasing="smote").fit(X, Y)

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"bias": (0.5, 1.0)}, r"bias=\(0.5, 1.0\) must be two numbers from 0 up and less than 1"),
            ({"bias": (0.5, 0.5, 0.5)}, "must be two numbers"),
            ({"covering": (-1, 2)}, r"covering=\(-1, 2\) must be two numbers from 0 up"),
            ({"covering": (1, 0)}, "leaves no hard case; give the second factor more than 0"),
            ({"bias": 1.0}, "The 'bias' parameter"),
            ({"n_rounds": 33}, "The 'n_rounds' parameter"),
            ({"bias": (0.5, 0.9), "multiclass": "triskel-m"}, "'triskel-m' has no h-; give one"),
            ({"estimator": LinearSVMClassifier(categorical_features=[0])}, "categorical_features=.* cannot be kept"),
        ],
    )
    def test_strengths_and_factors_out_of_range(self, params, message):
        with pytest.raises(ValueError, match=message):
            TriskelClassifier(**params).fit(X, Y)

    def test_missing_values_are_no_matter_for_smote(self):
        gaps = X.copy()
        gaps[0, 0] = np.nan
        with pytest.raises(ValueError, match="biasing='smote' takes no missing values, as in column 'x0'"):
            TriskelClassifier(biasing="smote").fit(gaps, Y)


@spared
@pytest.mark.parametrize(
    "base",
    [DecisionTreeClassifier(max_depth=2), KNeighborsClassifier(3), LogisticRegression(max_iter=5000), Perceptron()],
)
def test_any_base_estimator(base):
    model = TriskelClassifier(base, 2, random_state=0).fit(FLOWERS, KINDS)
    assert model.score(FLOWERS, KINDS) > 0.8


@spared
def test_categories_and_gaps():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.normal(size=90), "town": rng.choice(["Ely", "Hull", "York"], 90)})
    classes = np.where(frame["size"] + (frame["town"] == "Ely") > 0.5, "yes", "no")
    frame.loc[::9, "size"] = np.nan
    frame.loc[::7, "town"] = None
    model = TriskelClassifier(random_state=0).fit(frame, classes)
    assert model.score(frame, classes) > 0.8


@pytest.mark.parametrize("multiclass", ["one-vs-one", "triskel-m"])
@pytest.mark.parametrize("biasing", ["undersample", "threshold"])
def test_it_can_be_saved(multiclass, biasing, tmp_path):
    model = TriskelClassifier(multiclass=multiclass, biasing=biasing, random_state=0).fit(FLOWERS, KINDS)
    loaded = load_model(save_model(model, tmp_path / "model.covey"))
    np.testing.assert_array_equal(loaded.predict_proba(FLOWERS), model.predict_proba(FLOWERS))


class TestOneVsOne:
    def test_it_is_scikit_learns(self):
        from sklearn.multiclass import OneVsOneClassifier as Peer

        ours = OneVsOneClassifier(GaussianNB(), random_state=0).fit(FLOWERS, KINDS)
        peer = Peer(GaussianNB()).fit(FLOWERS, KINDS)
        np.testing.assert_array_equal(ours.predict(FLOWERS), peer.predict(FLOWERS))
        assert ours.pairs_ == [(0, 1), (0, 2), (1, 2)]

    def test_over_the_linear_machine_it_is_the_machine_but_for_ties_if_nothing_is_scaled(self):
        ours = OneVsOneClassifier(LinearSVMClassifier(scale=False), random_state=0).fit(FLOWERS, KINDS)
        machine = LinearSVMClassifier(scale=False).fit(FLOWERS, KINDS)
        assert np.mean(ours.predict(FLOWERS) == machine.predict(FLOWERS)) > 0.99
