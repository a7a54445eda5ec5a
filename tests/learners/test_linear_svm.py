from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from covey import LinearSVMClassifier
from covey.table import as_table


def scaled(X: np.ndarray) -> np.ndarray:
    spread = np.ptp(X, axis=0)
    return (X - X.min(axis=0)) / np.where(spread > 0, spread, 1)


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_digits])
@pytest.mark.parametrize("weighted", [False, True])
def test_decisions_are_those_of_scikit_learn_on_scaled_columns(load, weighted):
    X, y = load(return_X_y=True)
    X, y = X[:600], y[:600]
    weight = 2.0 ** np.random.default_rng(0).integers(-4, 5, len(y)) if weighted else None
    model = LinearSVMClassifier(tol=1e-6).fit(X, y, weight)
    other = SVC(kernel="linear", tol=1e-6).fit(scaled(X), y, weight)
    np.testing.assert_allclose(model.decision_function(X), other.decision_function(scaled(X)), atol=2e-3)
    assert (model.predict(X) == other.predict(scaled(X))).mean() > 0.995
    assert model.coef_.shape == (len(other.intercept_), X.shape[1])


def test_without_scaling_columns_are_taken_as_they_are():
    X, y = load_wine(return_X_y=True)
    X = X[:, [0, 1, 2, 5, 6, 7]]
    model = LinearSVMClassifier(C=0.3, scale=False, tol=1e-7).fit(X, y)
    other = SVC(kernel="linear", C=0.3, tol=1e-7).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), other.decision_function(X), atol=1e-3)


def test_units_make_no_difference():
    X, y = load_wine(return_X_y=True)
    units = 10.0 ** np.arange(-6, 7)
    one, other = LinearSVMClassifier(tol=1e-8).fit(X, y), LinearSVMClassifier(tol=1e-8).fit(X * units - 5 * units, y)
    np.testing.assert_allclose(one.coef_, other.coef_ * units, rtol=1e-4, atol=1e-7)
    np.testing.assert_array_equal(one.predict(X), other.predict(X * units - 5 * units))


def test_coefficients_are_those_of_the_encoded_columns():
    frame = pd.DataFrame(
        {
            "age": [1.0, 2.0, np.nan, 6.0, 7.0, 8.0],
            "town": ["a", "b", "c", "a", None, "a"],
            "open": ["no", "no", "yes", "no", "yes", "yes"],
        }
    )
    model = LinearSVMClassifier().fit(frame, [0, 0, 0, 1, 1, 1])
    assert model.coef_names_.tolist() == ["age", "town=a", "town=b", "town=c", "open=yes"]
    np.testing.assert_allclose(model.fill_, [4.8, 1, 0, 0, 0])
    encoded = np.array([[4.8, 0, 1, 0, 1], [5, 1, 0, 0, 0]])
    new = pd.DataFrame({"age": [np.nan, 5.0], "town": ["b", "d"], "open": ["yes", None]})
    np.testing.assert_allclose(model.decision_function(new), encoded @ model.coef_[0] + model.intercept_[0])


def test_weights_multiply_the_cost():
    X, y = load_breast_cancer(return_X_y=True)
    heavy = LinearSVMClassifier().fit(X, y, np.full(len(y), 4.0))
    dear = LinearSVMClassifier(C=4.0).fit(X, y)
    np.testing.assert_array_equal(heavy.coef_, dear.coef_)
    assert not np.allclose(dear.coef_, LinearSVMClassifier().fit(X, y).coef_)


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
def test_a_member_is_what_it_would_be_alone_on_its_rows(load):
    X, y = load(return_X_y=True)
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    rows = np.flatnonzero(weight)
    member = LinearSVMClassifier()._fit_member(as_table(X), y, weight)
    alone = LinearSVMClassifier().fit(X[rows], y[rows], weight[rows])
    np.testing.assert_array_equal(member.coef_, alone.coef_)
    np.testing.assert_array_equal(member.intercept_, alone.intercept_)
    np.testing.assert_array_equal(member.class_count_, np.bincount(y, weight))


def test_a_member_of_some_columns_is_what_it_would_be_alone():
    X, y = load_wine(return_X_y=True)
    columns = np.array([7, 2, 11])
    member = LinearSVMClassifier()._fit_member(as_table(X).take(columns), y, np.ones(len(y)))
    np.testing.assert_array_equal(member.coef_, LinearSVMClassifier().fit(X[:, columns], y).coef_)


def test_members_fill_gaps_by_their_own_rows():
    X = np.array([[0.0], [2.0], [np.nan], [10.0], [40.0]])
    weight = np.array([1.0, 1.0, 1.0, 1.0, 0.0])
    y = np.array([0, 0, 1, 1, 1])
    assert LinearSVMClassifier()._fit_member(as_table(X), y, weight).fill_.tolist() == [4.0]
    assert LinearSVMClassifier().fit(X, y, weight).fill_.tolist() == [4.0]


def test_a_member_without_a_class_knows_the_others():
    X, y = load_wine(return_X_y=True)
    member = LinearSVMClassifier()._fit_member(as_table(X), y, (y != 1).astype(float))
    assert member.classes_.tolist() == [0, 2]
    assert member.coef_.shape == (1, 13)
    assert set(member.predict(X)) == {0, 2}


def test_one_class_is_always_said():
    model = LinearSVMClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[7.0]]).tolist() == ["a"]
    assert model.coef_.shape == (0, 1)
    np.testing.assert_array_equal(model.decision_function([[7.0], [8.0]]), [[0.0], [0.0]])


def test_a_class_may_have_one_case():
    X = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1], [5, 5]])
    model = LinearSVMClassifier(C=10).fit(X, [0, 0, 0, 0, 1])
    assert model.predict(X).tolist() == [0, 0, 0, 0, 1]


def test_votes_decide_and_decision_values_decide_ties():
    # A cycle: class 1 beats 0, class 2 beats 1, class 0 beats 2, and 2 does so by most.
    X = np.array([[0.0], [0.5], [1.0]])
    model = LinearSVMClassifier().fit(X, [0, 1, 2])
    model.coef_[:], model.intercept_[:] = 0.0, [1.0, -0.5, 3.0]
    confidence = np.array([-0.5, -2.0, 2.5])
    expected = 1.0 + confidence / (3 * (np.abs(confidence) + 1))
    np.testing.assert_allclose(model.decision_function([[0.0]]), [expected])
    assert model.predict([[0.0]]).tolist() == [2]
    # Two votes are more than any decision value.
    model.intercept_[:] = [0.01, -50.0, -0.01]
    assert model.decision_function([[0.0]]).argmax(axis=1).tolist() == [1]
    assert model.predict([[0.0]]).tolist() == [1]


@pytest.mark.parametrize(("weight", "expected"), [([1, 1, 1, 1], "a"), ([1, 1, 1.5, 0.5], "a"), ([1, 1, 2, 1], "b")])
def test_where_nothing_decides_the_heavier_class_does(weight, expected):
    model = LinearSVMClassifier().fit([[0.0], [1.0], [0.0], [1.0]], ["a", "a", "b", "b"], weight)
    model.coef_[:], model.intercept_[:] = 0.0, 0.0
    assert model.predict([[5.0]]).tolist() == [expected]


def test_a_machine_that_says_nothing_gives_half_a_vote_to_both():
    model = LinearSVMClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
    model.coef_[:], model.intercept_[:] = 0.0, 0.0
    np.testing.assert_array_equal(model.decision_function([[0.0]]), [[1.0, 1.0, 1.0]])


def test_columns_that_do_not_vary_drop_out():
    X, y = load_wine(return_X_y=True)
    with_constant = np.column_stack([np.full(len(X), 1e6), X])
    model = LinearSVMClassifier().fit(with_constant, y)
    np.testing.assert_array_equal(model.coef_[:, 0], 0.0)
    np.testing.assert_allclose(model.coef_[:, 1:], LinearSVMClassifier().fit(X, y).coef_, rtol=1e-9)


def test_too_few_steps_are_told():
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match=r"After 3 steps .* more than tol=0.001; raise max_iter or tol"):
        model = LinearSVMClassifier(max_iter=3).fit(X, y)
    assert model.n_iter_.tolist() == [3]


@pytest.mark.parametrize(
    ("params", "weight", "message"),
    [
        ({"C": 1e200}, 1.0, r"C=1e\+200 with a weight of 1 is too much"),
        ({}, 1e120, r"C=1 with a weight of 1e\+120 is too much"),
        ({"scale": False}, 1.0, r"values as large as 1e\+150, too large for scale=False; set scale=True"),
    ],
)
def test_bad_arguments_are_named(params, weight, message):
    with pytest.raises(ValueError, match=message):
        LinearSVMClassifier(**params).fit([[-1e150], [1.0]], [0, 1], [weight, weight])
