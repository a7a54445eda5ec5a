from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from covey import SVMClassifier, SVMRegressor
from covey.learners import svm_fit
from covey.learners.svm_fit import Kernel, Problem, without_own
from covey.learners.svm_probability import couple, fit_sigmoid, fit_temperature
from covey.table import Indicators, as_table


def piped(machine):
    return make_pipeline(Indicators(), SimpleImputer(strategy="median"), StandardScaler(), machine)


def gappy(n_rows=240, seed=0):
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n_rows)
    town, wet = rng.choice(["a", "b", "c"], n_rows), rng.choice(["no", "yes"], n_rows)
    hidden = size + (town == "a") - (wet == "yes") + 0.5 * rng.normal(size=n_rows)
    frame = pd.DataFrame({"size": size, "town": town, "wet": wet, "still": 7.0})
    frame.loc[::6, "size"] = np.nan
    frame.loc[::7, "town"] = None
    frame.loc[::8, "wet"] = None
    return frame, hidden


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_digits])
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("weighted", [False, True])
def test_machines_are_those_of_scikit_learn(load, kernel, weighted):
    X, y = load(return_X_y=True)
    X, y = X[:500], y[:500]
    Z = StandardScaler().fit_transform(X)
    weight = 2.0 ** np.random.default_rng(0).integers(-2, 3, len(y)) if weighted else None
    if weighted:
        centre = np.average(X, axis=0, weights=weight)
        scale = np.sqrt(np.average((X - centre) ** 2, axis=0, weights=weight))
        Z = (X - centre) / np.where(scale > 0, scale, 1)
    gamma = 1 / np.count_nonzero(Z.var(axis=0))
    model = SVMClassifier(kernel=kernel, tol=1e-5).fit(X, y, weight)
    other = SVC(kernel=kernel, gamma=gamma, tol=1e-5, decision_function_shape="ovo").fit(Z, y, weight)
    sign = 1 if len(model.classes_) == 2 else -1
    expected = other.decision_function(Z).reshape(len(X), -1)
    np.testing.assert_allclose(sign * model.pair_decision_function(X), expected, atol=2e-3)
    # Multipliers and places are those of libsvm.
    assert np.abs(model.n_support_ - other.n_support_).max() <= 2
    np.testing.assert_allclose(np.abs(model.dual_coef_).sum(), np.abs(other.dual_coef_).sum(), rtol=1e-3)


def test_columns_are_those_of_the_usual_pipeline():
    frame, hidden = gappy()
    y = hidden > 0
    for gamma in ("scale", 0.3):
        model = SVMClassifier(gamma=gamma, tol=1e-6).fit(frame, y)
        other = piped(SVC(gamma=gamma, tol=1e-6)).fit(frame, y)
        np.testing.assert_allclose(model.pair_decision_function(frame)[:, 0], other.decision_function(frame), atol=1e-3)
    assert model.fill_.tolist() == [frame["size"].median(), 0, 0, 0, 0, 0, 7]
    assert model.scale_[-1] == 0.0
    assert SVMClassifier(gamma="auto").fit(frame, y).gamma_ == 1 / 7
    assert SVMClassifier(gamma="scale").fit(frame, y).gamma_ == 1 / 6


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("weighted", [False, True])
def test_numbers_are_those_of_scikit_learn(kernel, weighted):
    X, y = load_diabetes(return_X_y=True)
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float) if weighted else np.ones(len(y))
    centre = np.average(X, axis=0, weights=weight)
    Z = (X - centre) / np.sqrt(np.average((X - centre) ** 2, axis=0, weights=weight))
    mean = np.average(y, weights=weight)
    deviation = np.sqrt(np.average((y - mean) ** 2, weights=weight))
    model = SVMRegressor(kernel=kernel, C=2.0, epsilon=0.1, tol=1e-5).fit(X, y, weight)
    other = SVR(kernel=kernel, C=2.0, epsilon=0.1, gamma=0.1, tol=1e-5).fit(Z, (y - mean) / deviation, weight)
    np.testing.assert_allclose((model.predict(X) - mean) / deviation, other.predict(Z), atol=1e-3)
    repeated = SVMRegressor(kernel=kernel, C=2.0, epsilon=0.1, tol=1e-5)
    repeated.fit(np.repeat(X, weight.astype(int), axis=0), np.repeat(y, weight.astype(int)))
    np.testing.assert_allclose(model.predict(X), repeated.predict(X), atol=1e-3 * deviation)


def test_numbers_over_frames_are_those_of_the_usual_pipeline():
    frame, hidden = gappy()
    model = SVMRegressor().fit(frame, 50 + 3 * hidden)
    other = TransformedTargetRegressor(piped(SVR(C=10, epsilon=0.05)), transformer=StandardScaler())
    other.fit(frame, 50 + 3 * hidden)
    np.testing.assert_allclose(model.predict(frame), other.predict(frame), atol=0.01)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_working_sets_have_the_same_optimum(monkeypatch, kernel):
    X, y = make_classification(700, 8, flip_y=0.1, random_state=0)
    whole = SVMClassifier(kernel=kernel, tol=1e-5).fit(X, y)
    number = SVMRegressor(kernel=kernel, C=1.0, tol=1e-5).fit(X, X[:, 0] * X[:, 1])
    monkeypatch.setattr(svm_fit, "MOST_AT_ONCE", 100)
    monkeypatch.setattr("covey.learners.svm.MOST_AT_ONCE", 100)
    monkeypatch.setattr(svm_fit, "WORKING", 60)
    for room in (2**28, 4 * 700 * 64, 4 * 700 * 20):  # products of all rows, of few more than a working set, or fewer
        monkeypatch.setattr(svm_fit, "CACHE_BYTES", room)
        parts = SVMClassifier(kernel=kernel, tol=1e-5).fit(X, y)
        assert parts.n_iter_[0] != whole.n_iter_[0]
        np.testing.assert_allclose(parts.pair_decision_function(X), whole.pair_decision_function(X), atol=1e-3)
        other = SVMRegressor(kernel=kernel, C=1.0, tol=1e-5).fit(X, X[:, 0] * X[:, 1])
        np.testing.assert_allclose(other.predict(X), number.predict(X), atol=2e-3)


def test_rows_that_come_and_go_do_not_stay_for_ever(monkeypatch):
    # Nearly all multipliers end between their limits, many more than a working set has rows.
    X = np.random.default_rng(0).normal(size=(600, 4))
    monkeypatch.setattr(svm_fit, "MOST_AT_ONCE", 100)
    monkeypatch.setattr(svm_fit, "WORKING", 80)
    sizes, climb = [], Problem._climb
    monkeypatch.setattr(Problem, "_climb", lambda *given: sizes.append(len(given[1])) or climb(*given))
    model = SVMRegressor(C=100.0, tol=1e-4).fit(X, np.sin(2 * X).sum(axis=1))
    assert max(sizes) <= 80
    assert len(model.support_vectors_) > 160
    assert len(sizes) < 800  # 2,895 where always the first rows stayed


@pytest.mark.parametrize("n_marks", [300, 3])
def test_columns_of_rare_categories_make_no_other_products(n_marks):
    rng = np.random.default_rng(0)
    marks = rng.random((400, n_marks)) < rng.choice([0.0, 0.02, 0.98], n_marks)  # either value may be the rare one
    rows = np.hstack([rng.normal(size=(400, 3)), rng.integers(0, 2, (400, 2)), (marks - 0.3) * rng.random(n_marks) * 9])
    expected = Kernel("rbf", 0.05)(rows, rows)
    np.testing.assert_allclose(Kernel("rbf", 0.05).all_pairs(rows), expected, atol=1e-5)
    single, some = rows.astype(np.float32), np.array([7, 0, 399])
    values = np.empty((3, 400), dtype=np.float32)
    Kernel("rbf", 0.05).within(single)(some, values)
    np.testing.assert_allclose(values, expected[some], atol=1e-5)
    np.testing.assert_allclose(Kernel("linear", 1.0).all_pairs(rows), rows @ rows.T, rtol=1e-4, atol=1e-3)


def machine_of(rows, label, kernel, cost=1.0):
    limits = np.where(label > 0, 0.0, -cost), np.where(label > 0, cost, 0.0)
    return Problem(rows, kernel, label, *limits, 0.0, 1e-6, 10**6).solve()


@pytest.mark.parametrize("cost", [0.3, 10.0])
def test_values_without_a_row_are_close_to_those_of_machines_without_it(cost):
    X, y = make_classification(120, 5, flip_y=0.05, random_state=3)
    rows, label, kernel = StandardScaler().fit_transform(X), 2.0 * y - 1, Kernel("rbf", 0.2)
    solution = machine_of(rows, label, kernel, cost)
    estimate = without_own(rows, kernel, solution)
    np.testing.assert_allclose(without_own(rows, kernel, solution, kernel.all_pairs(rows)), estimate, atol=1e-4)
    exact = np.empty(len(y))
    for out in range(len(y)):
        others = np.delete(np.arange(len(y)), out)
        left = machine_of(rows[others], label[others], kernel, cost)
        exact[out] = kernel(rows[[out]], rows[others])[0] @ left.value + left.intercept
    # Machines with the row say more of it than those without; the estimate is not off to either side.
    flattery = (label * (solution.said - exact)).mean()
    assert flattery > 0.03
    assert abs((label * (estimate - exact)).mean()) < 0.5 * flattery
    np.testing.assert_array_equal(estimate[solution.value == 0], solution.said[solution.value == 0])


def test_a_sigmoid_is_the_likeliest():
    rng = np.random.default_rng(0)
    value = rng.normal(size=4000)
    positive = rng.random(4000) < 1 / (1 + np.exp(-(2.5 * value - 1)))
    slope, intercept = fit_sigmoid(value, positive, np.ones(4000))
    other = LogisticRegression(C=np.inf, tol=1e-8).fit(value[:, None], positive)
    np.testing.assert_allclose([slope, intercept], [other.coef_[0, 0], other.intercept_[0]], atol=0.01)
    twice = fit_sigmoid(np.tile(value, 2), np.tile(positive, 2), np.ones(8000))
    np.testing.assert_allclose(fit_sigmoid(value, positive, np.full(4000, 2.0)), twice, atol=1e-5)


def test_a_sigmoid_never_falls_and_is_never_sure():
    value, positive = np.array([-1.0, -0.5, 0.5, 1.0]), np.array([True, True, False, False])
    slope, intercept = fit_sigmoid(value, positive, np.ones(4))
    assert (slope, intercept) == (0.001, 0.0)
    slope, intercept = fit_sigmoid(value, ~positive, np.ones(4))
    # Targets are 3/4 and 1/4.
    assert 0.7 < 1 / (1 + np.exp(-slope * 1.0 - intercept)) < 0.85


def test_pairs_that_agree_are_coupled_to_the_probabilities_they_come_from():
    shares = np.array([[0.5, 0.3, 0.2], [0.01, 0.9, 0.09]])
    logs = np.log(shares)
    odds = np.column_stack([logs[:, 1] - logs[:, 0], logs[:, 2] - logs[:, 0], logs[:, 2] - logs[:, 1]])
    np.testing.assert_allclose(np.exp(couple(odds, 3)), shares)
    np.testing.assert_array_equal(couple(np.empty((2, 0)), 1), np.zeros((2, 1)))


def test_the_temperature_is_the_likeliest():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(20_000, 3))
    shares = np.exp(3 * scores) / np.exp(3 * scores).sum(axis=1, keepdims=True)
    codes = (rng.random(20_000)[:, None] > np.cumsum(shares, axis=1)).sum(axis=1)
    assert abs(fit_temperature(scores, codes, np.ones(20_000)) - 3) < 0.1


@pytest.mark.parametrize(("load", "n_rows"), [(load_breast_cancer, 300), (load_wine, 178), (load_digits, 600)])
def test_probabilities_are_no_worse_than_by_cross_validation(load, n_rows):
    X, y = load(return_X_y=True)
    ours, theirs = [], []
    for seed in range(3):
        train, test, known, asked = train_test_split(X[:n_rows], y[:n_rows], stratify=y[:n_rows], random_state=seed)
        ours.append(log_loss(asked, SVMClassifier().fit(train, known).predict_proba(test)))
        sigmoid = np.mean([log_loss(asked, _platt(train, known, test, part)) for part in range(2)])
        theirs.append(sigmoid)
    assert np.mean(ours) < np.mean(theirs) + 0.01


def _platt(train, known, test, seed):
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    model = CalibratedClassifierCV(piped(SVC()), ensemble=False, cv=folds)
    return model.fit(train, known).predict_proba(test)


def test_the_likeliest_class_is_said():
    X, y = make_classification(300, 6, n_informative=4, n_classes=3, weights=[0.7, 0.2], flip_y=0.2, random_state=1)
    for codes in (y, y > 0):
        model = SVMClassifier().fit(X, codes)
        shares, decision = model.predict_proba(X), model.decision_function(X)
        np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(X))
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        if decision.ndim == 1:
            np.testing.assert_allclose(decision, np.log(shares[:, 1] / shares[:, 0]))
        else:
            np.testing.assert_allclose(decision, np.log(shares))


def test_a_member_is_what_it_would_be_alone_on_its_rows():
    frame, hidden = gappy()
    weight = np.random.default_rng(0).integers(0, 3, len(frame)).astype(float)
    rows, y = np.flatnonzero(weight), np.digitize(hidden, [-0.5, 0.5])
    member = SVMClassifier()._fit_member(as_table(frame), y, weight)
    alone = SVMClassifier().fit(frame.iloc[rows], y[rows], weight[rows])
    np.testing.assert_array_equal(member.predict_proba(frame), alone.predict_proba(frame))
    some = SVMClassifier()._fit_member(as_table(frame), y, (y != 1).astype(float))
    assert some.classes_.tolist() == [0, 2]


def test_two_rows_one_class_and_constants():
    model = SVMClassifier().fit([[0.0], [1.0]], ["a", "b"])
    assert model.predict([[-1.0], [2.0]]).tolist() == ["a", "b"]
    lonely = SVMClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert lonely.predict_proba([[7.0]]).tolist() == [[1.0]]
    assert lonely.support_vectors_.shape == (0, 1)
    same = SVMClassifier().fit(np.ones((5, 2)), [0, 0, 0, 1, 1])
    assert same.predict([[1.0, 1.0], [9.0, 9.0]]).tolist() == [0, 0]
    level = SVMRegressor().fit([[1.0], [2.0], [3.0]], [0.1, 0.1, 0.1])
    assert level.predict([[5.0]]).tolist() == [0.1]
    assert level.dual_coef_.shape == (0,)


def test_values_as_large_as_numbers_are():
    X = np.array([[-1.7e308, 0], [-1e308, 5e-324], [1e308, 0], [1.7e308, 5e-324]])
    for kernel in ("rbf", "linear"):
        model = SVMClassifier(kernel=kernel).fit(X, [0, 0, 1, 1])
        assert model.predict(X).tolist() == [0, 0, 1, 1]
        assert np.isfinite(model.predict_proba(X)).all()
    small = SVMRegressor(kernel="linear").fit([[0.0], [1e-300], [2e-300]], [0.0, 1.0, 2.0])
    assert np.isfinite(small.predict([[1e308], [-1e308]])).all()


def test_too_few_steps_are_told():
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match=r"After 3 steps .* more than tol=0.001; raise max_iter or tol"):
        model = SVMClassifier(max_iter=3).fit(X, y)
    assert model.n_iter_.tolist() == [3]
    with pytest.warns(ConvergenceWarning, match=r"After 3 steps"):
        SVMRegressor(max_iter=3).fit(X, y)


@pytest.mark.parametrize("model", [SVMClassifier, SVMRegressor])
@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"C": 1e200}, r"C=1e\+200 with a weight of 1 is too much"),
        ({"C": 0.0}, "'C' parameter"),
        ({"gamma": "large"}, "'gamma' parameter"),
        ({"kernel": "poly"}, "'kernel' parameter"),
    ],
)
def test_bad_arguments_are_named(model, params, message):
    with pytest.raises(ValueError, match=message):
        model(**params).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("n_support_", lambda counts: counts + 1, "support vectors of classes with"),
        ("dual_coef_", lambda values: np.vstack([values, values]), "multipliers for other pairs"),
        ("intercept_", lambda values: values[:-1], "machines for other pairs"),
        ("fill_", lambda values: values[:-1], "support vectors of other columns"),
        ("sigmoid_", lambda values: values * 1e9, "too steep"),
    ],
)
def test_a_state_that_does_not_fit_together_is_refused(name, change, message):
    model = SVMClassifier().fit(*load_wine(return_X_y=True))
    model._check_state()
    setattr(model, name, change(getattr(model, name)))
    with pytest.raises(ValueError, match=message):
        model._check_state()
