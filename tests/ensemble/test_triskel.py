"""Triskel against its algorithm, its vote and its figures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from covey import LinearSVMClassifier, OneVsOneClassifier, TriskelClassifier, load_model, save_model
from covey.analysis import embedded_space, first_agreement, inclusion_share, roc_point
from covey.datasets import make_layered_cake
from covey.ensemble.biased import fit_biased, with_synthetic
from covey.ensemble.fit import TrainingData
from covey.ensemble.inputs import Inputs
from covey.ensemble.one_vs_one import Pairing, one_vs_one, one_vs_rest
from covey.table import as_table

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
    @pytest.mark.parametrize("n_rounds", [1, 2, 4])
    def test_the_estimator_votes_so(self, n_rounds):
        model = TriskelClassifier(n_rounds=n_rounds, random_state=0).fit(X, Y)
        members = model.member_predictions(X)
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
        arbiter = model.member_predictions(X)[:, -1]
        space = embedded_space(roc_point(Y, plus), roc_point(Y, minus))
        inner, whole = roc_point(Y[hard], arbiter[hard]), roc_point(Y, model.predict(X))
        outer = space.outer(inner)
        assert outer.fpr == pytest.approx(whole.fpr, abs=1e-12)
        assert outer.tpr == pytest.approx(whole.tpr, abs=1e-12)


class TestRounds:
    @staticmethod
    def weights_of_members(**params):
        """Return the weights that each member of a Triskel on the cancer data was trained with, and the codes."""
        noted = []

        class Noting(LinearSVMClassifier):
            def _fit_member(self, table, codes, weight):
                noted.append(weight.copy())
                return super()._fit_member(table, codes, weight)

        TriskelClassifier(Noting(), random_state=0, **params).fit(X, Y)
        return noted

    def test_soft_covering_halves_and_doubles(self):
        weights = self.weights_of_members(n_rounds=2, bias=0.0)
        assert len(weights) == 5
        assert set(weights[0]) == {1.0}
        assert set(weights[2]) == {0.5, 2.0}
        assert set(weights[4]) <= {0.25, 1.0, 4.0}
        np.testing.assert_array_equal(weights[2], weights[3])

    def test_normalised_weights_keep_their_sum(self):
        weights = self.weights_of_members(n_rounds=3, bias=0.0, normalize_weights=True)
        np.testing.assert_allclose(np.sum(weights, axis=1), len(Y))

    def test_undersampling_keeps_a_tenth_of_a_class(self):
        sizes = [np.bincount(Y[weight > 0]).tolist() for weight in self.weights_of_members(n_rounds=1)]
        negative, positive = np.bincount(Y)
        assert sizes == [[negative, round(0.1 * positive)], [round(0.1 * negative), positive], [negative, positive]]

    def test_the_arbiter_learns_from_hard_cases_alone(self):
        model = TriskelClassifier(n_rounds=1, covering="separate", random_state=0).fit(X, Y)
        ((plus, minus),) = model.round_predictions(X)
        hard = (plus != Y) | (minus != Y)
        alone = LinearSVMClassifier().fit(X[hard], Y[hard])
        np.testing.assert_allclose(model.estimators_[-1].coef_, alone.coef_, rtol=0.05, atol=1e-3)

    def test_fewer_where_no_hard_case_is_left(self):
        model = TriskelClassifier(n_rounds=4, random_state=0).fit(FLOWERS, KINDS)
        assert model.pairs_ == [(0, 1), (0, 2), (1, 2)]
        assert model.n_members_.tolist() == [3, 3, 9]

    def test_hard_cases_of_one_class_have_a_constant_arbiter(self):
        rows = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [1.2]])
        classes = np.array([0, 0, 0, 1, 1, 1, 1])
        model = TriskelClassifier(Threshold(), 1, covering="separate", bias=0.0, random_state=0).fit(rows, classes)
        ((plus, minus),) = model.round_predictions(rows)
        assert set(classes[(plus != classes) | (minus != classes)]) == {1}
        assert set(model.member_predictions(rows)[:, -1]) == {1}


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
        inputs = model._new_inputs(FLOWERS)
        said = np.column_stack([biased.codes(inputs) for biased in model._classes.rounds[0]])
        claims = model._classes.claims(inputs)
        alone = said.sum(axis=1) == 1
        np.testing.assert_array_equal(claims[alone], said[alone].argmax(axis=1))
        assert (claims[~alone] == -1).all()
        np.testing.assert_array_equal(model.predict(FLOWERS)[alone], claims[alone])

    def test_two_classes_make_one_problem_either_way(self):
        one = TriskelClassifier(multiclass="triskel-m", random_state=0).fit(X, Y)
        other = TriskelClassifier(random_state=0).fit(X, Y)
        np.testing.assert_array_equal(one.predict(X), other.predict(X))
        np.testing.assert_array_equal(one.member_predictions(X), other.member_predictions(X))


def test_the_most_rounds_still_let_the_arbiter_decide():
    rng = np.random.default_rng(0)
    rows, classes = rng.normal(size=(80, 2)), rng.integers(0, 2, 80)
    model = TriskelClassifier(GaussianNB(), 32, bias=0.5, normalize_weights=True, random_state=0).fit(rows, classes)
    assert model.n_members_.tolist() == [65]
    said = model.member_predictions(rows)
    np.testing.assert_array_equal(model.predict(rows), first_agreement(model.round_predictions(rows), said[:, -1]))


class TestBadInput:
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
        with pytest.raises(ValueError, match=r"biasing='smote' needs imbalanced-learn, .*pip install 'covey\[smote\]'"):
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
            (
                {"estimator": Threshold(), "biasing": "threshold"},
                "needs decision values or probabilities, and Threshold",
            ),
            ({"biasing": "smote"}, "biasing='smote' takes no missing values, as in column 'x0'"),
        ],
    )
    def test_what_cannot_be_done(self, params, message):
        rows = np.where((np.arange(len(X)) == 0)[:, None], np.nan, X) if params.get("biasing") == "smote" else X
        with pytest.raises(ValueError, match=message):
            TriskelClassifier(**params).fit(rows, Y)


@spared
@pytest.mark.parametrize(
    "base",
    [DecisionTreeClassifier(max_depth=2), KNeighborsClassifier(3), LogisticRegression(max_iter=5000), Perceptron()],
)
def test_any_base_estimator(base):
    model = TriskelClassifier(base, 2, random_state=0).fit(FLOWERS, KINDS)
    assert model.score(FLOWERS, KINDS) > 0.8


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


DATA = TrainingData(
    Inputs(as_table(np.zeros((5, 1)))), np.array([0, 1, 2, 1, 0]), np.array([1.0, 2.0, 3.0, 0.0, 5.0]), 3
)


def test_a_pair_leaves_other_classes_without_weight():
    pair = Pairing(0, 2).binary(DATA)
    assert pair.weight.tolist() == [1.0, 0.0, 3.0, 0.0, 5.0]
    assert pair.y[pair.weight > 0].tolist() == [0, 1, 0]
    assert pair.n_classes == 2


def test_one_class_against_all_others():
    pair = Pairing(-1, 1).binary(DATA)
    np.testing.assert_array_equal(pair.weight, DATA.weight)
    assert pair.y.tolist() == [0, 1, 0, 1, 0]


def test_every_pair_and_every_class():
    assert [(one.negative, one.positive) for one in one_vs_one(3)] == [(0, 1), (0, 2), (1, 2)]
    assert one_vs_one(1) == [Pairing(0, 0)]
    assert [one.positive for one in one_vs_rest(3)] == [0, 1, 2]
    assert Pairing(0, 2).name(np.array([0, 1, 1])).tolist() == [0, 2, 2]


RNG = np.random.default_rng(7)
NUMBERS = pd.DataFrame(RNG.normal(size=(60, 3)), columns=["a", "b", "c"])
MIXED = NUMBERS.assign(town=RNG.choice(["Ely", "York"], 60)).astype({"town": "category"})
NAMES = MIXED[["town"]].assign(size=RNG.choice(["s", "m", "l"], 60)).astype("category")
CODES = (NUMBERS["a"] + RNG.normal(size=60) > 0).to_numpy().astype(np.intp)


def training(frame, *, weighs=True):
    return TrainingData(Inputs(as_table(frame)), CODES, np.ones(60), 2, weighs)


@pytest.mark.parametrize("frame", [NUMBERS, MIXED, NAMES], ids=["numbers", "mixed", "nominal"])
@pytest.mark.parametrize("against", [0, 1])
def test_synthetic_cases_are_of_the_other_class_and_as_many_as_oversampling_draws(frame, against):
    own = int((against != CODES).sum())
    made = with_synthetic(training(frame), against, 0.5, np.random.default_rng(0))
    assert (made.y == 1 - against).sum() == 2 * own
    assert (made.y == against).sum() == 60 - own
    assert set(made.weight) == {1.0}
    assert made.inputs.table.schema == as_table(frame).schema


def test_a_threshold_is_as_fair_to_one_class_as_to_the_other():
    def said(codes, against):
        some = TrainingData(Inputs(as_table(NUMBERS)), codes, np.ones(60), 2)
        tree = DecisionTreeClassifier(max_depth=2, random_state=0)
        return fit_biased("threshold", tree, some, against, 0.3, np.random.default_rng(0)).codes(some.inputs)

    np.testing.assert_array_equal(said(CODES, 1), 1 - said(1 - CODES, 0))


@pytest.mark.parametrize("biasing", ["weight", "oversample"])
def test_rows_drawn_by_weight_keep_a_case_of_each_class(biasing):
    data, rng = training(NUMBERS, weighs=False), np.random.default_rng(0)
    biased = fit_biased(biasing, KNeighborsClassifier(1), data, 1, 0.9999, rng)
    assert biased.spared
    assert set(biased.codes(data.inputs)) == {0, 1}


def test_probabilities_serve_where_there_are_no_decision_values():
    found = fit_biased("threshold", GaussianNB(), training(NUMBERS), 1, 0.5, np.random.default_rng(0))
    plain = fit_biased("threshold", GaussianNB(), training(NUMBERS), 1, 0.0, np.random.default_rng(0))
    inputs = training(NUMBERS).inputs
    assert found.codes(inputs).sum() == pytest.approx(plain.codes(inputs).sum() / 2, abs=1)
