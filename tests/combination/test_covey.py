"""CoveyClassifier and CoveyRegressor: members, weights, bad input, budgets, and what they say of themselves."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, make_classification
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron, Ridge
from sklearn.metrics import log_loss, mean_squared_error
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey import CoveyClassifier, CoveyRegressor, MixedNeighborsClassifier, load_model, save_model

FEW = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=4)), ("near", KNeighborsClassifier())]
NUMBERS = [("line", Ridge()), ("tree", DecisionTreeRegressor(max_depth=4)), ("near", KNeighborsRegressor())]


def few(**params):
    return CoveyClassifier(FEW, random_state=0, **params)


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


def halves(X, y):
    return X[::2], y[::2], X[1::2], y[1::2]


def test_the_combination_is_better_than_its_members(cancer):
    X, y, new, true = halves(*cancer)
    model = few().fit(X, y)
    alone = [log_loss(true, member.fit(X, y).predict_proba(new)) for _, member in FEW]
    assert log_loss(true, model.predict_proba(new)) < min(alone)
    assert sum(model.weights_.values()) == pytest.approx(1.0)
    assert list(model.weights_) == sorted(model.weights_, key=model.weights_.get, reverse=True)


def test_numbers_are_better_predicted_than_by_each_member():
    X, y, new, true = halves(*load_diabetes(return_X_y=True))
    model = CoveyRegressor(NUMBERS, random_state=0).fit(X, y)
    alone = [mean_squared_error(true, member.fit(X, y).predict(new)) for _, member in NUMBERS]
    assert mean_squared_error(true, model.predict(new)) < min(alone)
    np.testing.assert_allclose(model.oof_residuals_, y - model.oof_predictions_)


def test_out_of_fold_predictions_are_those_of_cross_validation(cancer):
    """One member alone with the folds of a splitter: scikit-learn's own out-of-fold probabilities, tempered."""
    X, y = cancer
    folds = GroupKFold(4)
    groups = np.arange(len(y)) // 7
    model = CoveyClassifier([GaussianNB()], cv=folds, pooling="geometric").fit(X, y, groups=groups)
    theirs = cross_val_predict(GaussianNB(), X, y, cv=folds, groups=groups, method="predict_proba")
    np.testing.assert_allclose(model.oof_predictions_, model._pool(theirs[None]))
    assert model.member_scores_.loc["GaussianNB", "log loss"] == pytest.approx(log_loss(y, theirs))


def test_probabilities_are_calibrated():
    """The expected calibration error, in ten bins of confidence, of members that are over-confident."""
    X, y = make_classification(4000, 12, n_informative=5, flip_y=0.2, random_state=0)
    model = few().fit(X[:1000], y[:1000])

    def error(probabilities):
        sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == y[1000:]
        bins = np.minimum((10 * sure).astype(int), 9)
        return sum((bins == b).mean() * abs(sure[bins == b].mean() - right[bins == b].mean()) for b in set(bins))

    assert error(DecisionTreeClassifier(random_state=0).fit(X[:1000], y[:1000]).predict_proba(X[1000:])) > 0.2
    assert error(model.predict_proba(X[1000:])) < 0.03


@pytest.mark.parametrize("weighting", ["optimal", "greedy", "uniform"])
def test_a_member_that_knows_nothing_gets_no_weight_unless_all_get_the_same(cancer, weighting):
    members = [GaussianNB(), ("none", DummyClassifier(strategy="uniform"))]
    model = CoveyClassifier(members, weighting=weighting, random_state=0).fit(*cancer)
    if weighting == "uniform":
        assert model.weights_["none"] == 0.5
    else:
        assert list(model.weights_) == ["GaussianNB"]
        assert len(model.estimators_) == 1
        assert model.member_scores_.loc["none", "left out"] == "the others do as well without it"


def test_members_by_id_and_by_name():
    X, y = load_iris(return_X_y=True)
    model = CoveyClassifier(["c4.5", "logistic regression", GaussianNB(), GaussianNB(var_smoothing=0.1)], cv=3)
    scores = model.fit(X, y).member_scores_
    assert sorted(scores.index) == ["GaussianNB 1", "GaussianNB 2", "c4.5", "logistic regression"]
    assert list(scores.columns) == ["weight", "accuracy", "log loss", "disagreement", "seconds", "left out"]


def test_auto_takes_unlike_families():
    X, y = load_iris(return_X_y=True)
    model = CoveyClassifier(random_state=0).fit(X[::2], y[::2])
    assert len(model.member_scores_) >= 7
    assert model.score(X[1::2], y[1::2]) > 0.93


def test_auto_for_numbers():
    X, y, new, true = halves(*load_diabetes(return_X_y=True))
    model = CoveyRegressor(random_state=0).fit(X[:120], y[:120])
    assert len(model.member_scores_) >= 6
    assert model.score(new, true) > 0.4


def test_categories_and_missing_values(cancer):
    X, y = cancer
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(X[:, :4], columns=list("abcd"))
    frame["size"] = pd.cut(X[:, 2], 4, labels=["xs", "s", "m", "l"]).astype(str)
    frame = frame.mask(rng.random(frame.shape) < 0.1)
    model = CoveyClassifier(["c4.5", "logistic regression", "nn"], cv=3, random_state=0).fit(frame, y)
    assert model.score(frame, y) > 0.9
    assert model.feature_importances_.shape == (5,)


def test_rare_classes_and_more_classes_than_folds():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(9), [60, 30, 10, 5, 3, 2, 1, 1, 1])
    X = rng.normal(size=(len(y), 3)) + y[:, None]
    model = few(cv=5).fit(X, y)
    probabilities = model.predict_proba(X)
    assert probabilities.shape == (len(y), 9)
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)


def test_two_rows_and_one_row():
    with pytest.warns(UserWarning, match=r"Left out: near: ValueError: Expected n_neighbors <= n_samples_fit"):
        model = few().fit([[0.0], [1.0]], ["a", "b"])
    assert set(model.predict([[0.0], [1.0]])) <= {"a", "b"}
    assert few().fit([[0.0]], ["a"]).predict([[7.0]]).tolist() == ["a"]


def test_one_class_and_a_constant_target():
    model = CoveyClassifier().fit([[0.0], [1.0], [2.0]], ["a", "a", "a"])
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]
    assert CoveyRegressor().fit([[0.0], [1.0], [2.0]], [3.0, 3.0, 3.0]).predict([[5.0]]).tolist() == [3.0]


class _Broken(ClassifierMixin, BaseEstimator):
    """A classifier that fails on data like this."""

    def fit(self, X, y):
        raise RuntimeError("this data is not for me")

    def predict(self, X): ...

    def predict_proba(self, X): ...


def test_a_member_that_fails_is_left_out_with_a_warning(cancer):
    with pytest.warns(UserWarning, match=r"Left out: _Broken: RuntimeError: this data is not for me\."):
        model = CoveyClassifier([GaussianNB(), _Broken()], cv=2).fit(*cancer)
    assert list(model.weights_) == ["GaussianNB"]
    with pytest.raises(ValueError, match=r"No member could be fitted. _Broken: RuntimeError: this data is not for me"):
        CoveyClassifier([_Broken()], cv=2).fit(*cancer)


@pytest.mark.parametrize(
    ("members", "error", "message"),
    [
        ([], ValueError, "members is empty"),
        (["mbsacs"], ValueError, r"members\[0\]='mbsacs' is no method for classification; did you mean 'mbsasc'"),
        (["rssl", GaussianNB], TypeError, r"members\[1\] is the class GaussianNB; give an instance: GaussianNB\(\)"),
        ([LinearRegression()], TypeError, r"members\[0\]=LinearRegression\(\) is no classifier"),
        ([Perceptron()], TypeError, r"members\[0\]=Perceptron\(\) has no predict_proba"),
        ([3], TypeError, r"members\[0\]=3 is no estimator"),
        ("forest", ValueError, "The 'members' parameter of CoveyClassifier must be"),
    ],
)
def test_wrong_members_are_refused(members, error, message, cancer):
    with pytest.raises(error, match=message):
        CoveyClassifier(members).fit(*cancer)


def test_a_classifier_is_no_member_for_numbers():
    with pytest.raises(TypeError, match=r"members\[0\]=LogisticRegression\(\) is no regressor"):
        CoveyRegressor([LogisticRegression()]).fit([[0.0], [1.0]], [0.0, 1.0])


def test_class_weights_move_the_border(cancer):
    X, y = cancer
    plain, heavy = few().fit(X, y), few(class_weight={0: 1.0, 1: 20.0}).fit(X, y)
    assert heavy.predict_proba(X)[:, 1].mean() > plain.predict_proba(X)[:, 1].mean() + 0.02


def test_rows_without_weight_count_as_absent(cancer):
    X, y = cancer
    weight = (np.arange(len(y)) < 200).astype(float)
    model = few().fit(X, y, weight)
    assert np.isnan(model.oof_predictions_[200:]).all()
    assert not np.isnan(model.oof_predictions_[:200]).any()


def test_the_same_seed_gives_the_same_model_on_any_number_of_threads(cancer):
    one, two = few().fit(*cancer), few(n_jobs=2).fit(*cancer)
    np.testing.assert_array_equal(one.predict_proba(cancer[0]), two.predict_proba(cancer[0]))


def test_importances_tell_the_columns_that_matter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    y = (X[:, 2] + 0.3 * rng.normal(size=400) > 0).astype(int)
    model = few().fit(X, y)
    assert model.feature_importances_.argmax() == 2
    assert model.feature_importances_[2] > 10 * np.abs(np.delete(model.feature_importances_, 2)).max()
    values = CoveyRegressor(NUMBERS, random_state=0).fit(X, X[:, 1]).feature_importances_
    assert values.argmax() == 1


def test_an_explanation_has_the_members_by_weight(cancer):
    X, y = cancer
    model = few().fit(X, y)
    told = model.explain(X[:3])
    assert told.loc[0].index.tolist() == ["covey", *model.weights_]
    np.testing.assert_allclose(told.xs("covey", level="member")["probability"], model.predict_proba(X[:3]).max(axis=1))
    assert told.xs("covey", level="member")["prediction"].tolist() == model.predict(X[:3]).tolist()


def test_an_interval_holds_nine_of_ten_rows():
    X, y, new, true = halves(*load_diabetes(return_X_y=True))
    told = CoveyRegressor(NUMBERS, random_state=0).fit(X, y).explain(new).xs("covey", level="member")
    assert 0.84 < ((told["low"] <= true) & (true <= told["high"])).mean() < 0.96


def test_the_table_is_shown_in_notebooks(cancer):
    model = few()
    assert "<table" not in model._repr_html_().rpartition("</style>")[2] or "accuracy" not in model._repr_html_()
    shown = model.fit(*cancer)._repr_mimebundle_()["text/html"]
    assert "log loss" in shown
    assert "bayes" in shown


def test_tuning_is_done_once(monkeypatch, cancer):
    """The number of neighbours is chosen on the first fold alone."""
    chosen = []
    choose = MixedNeighborsClassifier._choose

    def counting(self, layout):
        chosen.append(self.n_neighbors)
        return choose(self, layout)

    monkeypatch.setattr(MixedNeighborsClassifier, "_choose", counting)
    CoveyClassifier(["knn", GaussianNB()], cv=4, random_state=0).fit(*cancer)
    assert chosen[0] == "auto"
    assert len(chosen) >= 4
    assert "auto" not in chosen[1:]


def test_progress_has_a_line_for_each_member(cancer, capsys):
    few(verbose=1, cv=2).fit(*cancer)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(FEW)
    assert all(line.startswith("[CoveyClassifier] ") for line in lines)


def test_a_regressor_of_one_member_is_that_member():
    X, y = load_diabetes(return_X_y=True)
    model = CoveyRegressor([("mean", DummyRegressor()), Ridge()], weighting="greedy", cv=3, random_state=0).fit(X, y)
    assert model.weights_ == {"Ridge": 1.0}
    np.testing.assert_allclose(model.predict(X), Ridge().fit(X, y).predict(X))


def test_columns_that_tell_nothing_are_no_hindrance(cancer):
    """A column without a single value, at which histogram boosting fails, and one of a single value."""
    X = np.column_stack([np.full(len(cancer[1]), np.nan), cancer[0][:, :3], np.ones(len(cancer[1]))])
    model = CoveyClassifier(["gradient boosting", GaussianNB()], cv=2, random_state=0).fit(X, cancer[1])
    assert "gradient boosting" in model.weights_
    assert model.feature_importances_[[0, 4]].tolist() == [0.0, 0.0]
    assert (
        CoveyClassifier([DecisionTreeClassifier()], cv=2)
        .fit(np.ones((9, 2)), np.arange(9) % 3)
        .score(np.ones((9, 2)), [0] * 9)
    )


def test_members_that_are_never_chosen_are_not_kept(cancer, tmp_path):
    """Of six trees that are much alike greedy steps take some; the others have no weight and are no members."""
    trees = [DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (1, 4, 5, 6, 7, 8)]
    model = CoveyClassifier(trees, weighting="greedy", random_state=0).fit(*cancer)
    assert len(model.estimators_) == len(model.weights_) < 6
    save_model(model, tmp_path / "model.covey")
    np.testing.assert_array_equal(load_model(tmp_path / "model.covey").predict(cancer[0]), model.predict(cancer[0]))


class _Moody(GaussianNB):
    """A classifier that fails on the rows of the second fold."""

    def fit(self, X, y, sample_weight=None):
        if len(X) == 40:
            raise RuntimeError("not today")
        time.sleep(0.05)
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_member_that_fails_on_one_fold_is_left_out(cancer, n_jobs):
    """Its other folds may be under way by then; what comes of them does not count."""
    X, y = cancer[0][:90], cancer[1][:90]
    order = np.arange(90)
    folds = [(np.delete(order, part), part) for part in (order[:30], order[30:80], order[80:])]
    members = [("well", GaussianNB()), ("moody", _Moody())]
    with pytest.warns(UserWarning, match="Left out: moody: RuntimeError: not today"):
        model = CoveyClassifier(members, cv=folds, n_jobs=n_jobs, random_state=0).fit(X, y)
    assert list(model.weights_) == ["well"]
    assert np.isfinite(model.member_scores_.loc["moody", "log loss"])
