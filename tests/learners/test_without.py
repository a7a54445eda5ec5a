"""Linear models without one of their columns, beside models that are trained without it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey import LeastSquaresRegressor, LogisticClassifier, RandomSubspaceClassifier, RandomSubspaceRegressor
from covey.learners import logistic_without
from covey.table import Table, as_table


def example(n_rows: int = 240, seed: int = 0):
    """Return a table with categories and missing values, scores, and the counts of a bootstrap sample."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n_rows, 4)) * [1, 10, 0.1, 1], columns=list("abcd"))
    frame["town"] = pd.Categorical(rng.choice(["x", "y", "z"], n_rows))
    score = frame["a"] + frame["b"] / 10 + (frame["town"] == "z") + rng.normal(size=n_rows)
    frame.loc[::7, "c"] = np.nan
    frame.loc[::11, "town"] = None
    frame["same"] = 3.0
    weight = np.bincount(rng.integers(0, n_rows, n_rows), minlength=n_rows).astype(float)
    return as_table(frame), score.to_numpy(), weight


def one_by_one(model, table, y, weight, rows):
    """Train a member with all columns, and one without each, and return what each says of some rows."""
    outputs = []
    for column in (table.shape[1], *range(table.shape[1])):
        some = table.take(np.flatnonzero(np.arange(table.shape[1]) != column))
        other = type(model)(**model.get_params())._fit_member(some, y, weight)
        seen = Table(some.matrix[rows], some.schema)
        outputs.append(other.predict_proba(seen) if hasattr(other, "predict_proba") else other.predict(seen))
    return np.array(outputs)


@pytest.mark.parametrize("even", [False, True])
def test_least_squares_without_each_column(even):
    table, y, weight = example()
    weight = np.ones_like(weight) if even else weight
    rows = np.arange(100) if even else np.flatnonzero(weight == 0)
    for part in (table, table.take(np.array([3, 0, 4])), table.take(np.array([1, 5]))):
        model = LeastSquaresRegressor()._fit_member(part, y, weight)
        said = model.say_without_each(part, y, weight, rows)
        np.testing.assert_allclose(said, one_by_one(model, part, y, weight, rows), rtol=1e-8, atol=1e-10)


def test_dependent_columns_are_left_out_by_training_anew():
    table, y, weight = example()
    twice = table.take(np.array([0, 0, 1]))
    model = LeastSquaresRegressor()._fit_member(twice, y, weight)
    assert model.say_without_each(twice, y, weight, np.arange(5)) is None


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_logistic_regression_without_each_column(n_classes, class_weight):
    table, score, weight = example()
    codes = np.digitize(score, np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]))
    rows = np.flatnonzero(weight == 0)
    model = LogisticClassifier(tol=1e-9, class_weight=class_weight)._fit_member(table, codes, weight)
    said = model.say_without_each(table, codes, weight, rows)
    assert model.ridge_ == 0.0
    np.testing.assert_allclose(said, one_by_one(model, table, codes, weight, rows), atol=1e-6)


@pytest.mark.parametrize("kind", ["apart", "dependent", "both apart"])
def test_a_ridge_is_used_without_a_column_where_it_is_needed_still(kind):
    table, score, weight = example()
    codes = (score > 0).astype(np.intp)
    matrix = table.matrix[:, [0, 1, 3]]
    extra = {"apart": [codes * 1.0], "dependent": [matrix[:, 0] - matrix[:, 1]], "both apart": [codes, 2.0 - codes]}
    noise = 0.1 * np.random.default_rng(1).random((240, len(extra[kind]))) * (kind != "dependent")
    part = as_table(np.column_stack([matrix, np.column_stack(extra[kind]) + noise]))
    rows = np.flatnonzero(weight == 0)
    model = LogisticClassifier(tol=1e-9)._fit_member(part, codes, weight)
    assert model.ridge_ > 0
    said = model.say_without_each(part, codes, weight, rows)
    np.testing.assert_allclose(said, one_by_one(model, part, codes, weight, rows), atol=1e-6)


def test_what_few_steps_do_not_reach_newtons_method_does(monkeypatch):
    table, score, weight = example()
    codes, rows = (score > 0).astype(np.intp), np.flatnonzero(weight == 0)
    model = LogisticClassifier(tol=1e-9)._fit_member(table, codes, weight)
    expected = model.say_without_each(table, codes, weight, rows)
    monkeypatch.setattr(logistic_without, "MOST_STEPS", 1)
    np.testing.assert_allclose(model.say_without_each(table, codes, weight, rows), expected, atol=1e-6)


def test_classes_that_a_member_has_not_seen_and_many_of_them_are_left_to_training():
    table, score, weight = example()
    codes = np.digitize(score, [-1, 0, 1])
    some = np.where(codes == 3, 0.0, weight)
    model = LogisticClassifier()._fit_member(table, codes, some)
    assert model.say_without_each(table, codes, some, np.arange(5)) is None
    many = np.digitize(score, np.quantile(score, np.arange(1, 8) / 8))
    model = LogisticClassifier()._fit_member(table, many, weight)
    assert model.say_without_each(table, many, weight, np.arange(5)) is None


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_weights_by_conditional_credit_are_those_of_members_trained_one_by_one(classes, monkeypatch):
    table, score, _ = example()
    table = Table(table.matrix[:, :5], table.schema.take(np.arange(5)))  # what gains nothing has a spread of rounding
    y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes)) if classes else score
    family, base = (
        (RandomSubspaceClassifier, LogisticClassifier) if classes else (RandomSubspaceRegressor, LeastSquaresRegressor)
    )
    model = family(
        base(), 12, weighting="evolving", credit="conditional", subspace_size=3, random_state=0, bootstrap=0.7
    )
    weights = model.fit(table, y).feature_weights_path_
    monkeypatch.delattr(base, "say_without_each")
    np.testing.assert_allclose(model.fit(table, y).feature_weights_path_, weights, rtol=1e-3, atol=1e-6)
