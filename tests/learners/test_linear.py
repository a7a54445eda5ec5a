"""What linear models share."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey import LeastSquaresRegressor, LogisticClassifier
from covey.learners.linear import FEW_COLUMNS, Factor, thin_svd


@pytest.mark.parametrize("n_columns", [1, FEW_COLUMNS, FEW_COLUMNS + 1, 40])
def test_a_row_has_the_same_prediction_alone_and_among_others(n_columns):
    rng = np.random.default_rng(n_columns)
    X = rng.normal(size=(301, n_columns))
    model = LeastSquaresRegressor().fit(X, X.sum(axis=1) + rng.normal(size=301))
    found = model.predict(X)
    np.testing.assert_array_equal([model.predict(row[None])[0] for row in X[:20]], found[:20])
    np.testing.assert_array_equal(model.predict(X[5:9]), found[5:9])
    np.testing.assert_allclose(found, X @ model.coef_ + model.intercept_)


def test_a_gap_counts_as_the_mean_and_an_unknown_category_as_the_shares():
    frame = pd.DataFrame({"age": [1.0, 2, 3, 6, np.nan], "town": ["a", "b", "c", "a", "b"]})
    model = LeastSquaresRegressor().fit(frame, [1.0, 4.0, 9.0, 3.0, 5.0])
    np.testing.assert_allclose(model.fill_, [3.0, 0.4, 0.2])
    assert model.coef_names_.tolist() == ["age", "town=b", "town=c"]
    new = pd.DataFrame({"age": [np.nan, 2.0], "town": ["b", "d"]})
    age, b, c = model.coef_
    expected = [model.intercept_ + 3 * age + b, model.intercept_ + 2 * age + 0.4 * b + 0.2 * c]
    np.testing.assert_allclose(model.predict(new), expected)


def test_gaps_among_numbers_alone_are_filled_in_their_rows_only():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    model = LogisticClassifier().fit(X, X[:, 0] + rng.normal(size=50) > 0)
    gaps = X.copy()
    gaps[3, 1] = np.nan
    filled = X.copy()
    filled[3, 1] = model.fill_[1]
    np.testing.assert_array_equal(model.decision_function(gaps), model.decision_function(filled))


@pytest.mark.parametrize("model", [LeastSquaresRegressor(), LogisticClassifier()])
def test_the_ridge_is_told_of_where_fit_was_called(model):
    with pytest.warns(UserWarning, match="small ridge") as told:
        model.fit(np.column_stack([np.arange(6.0), np.arange(6.0)]), [0, 1, 0, 1, 0, 1])
    assert [warning.filename for warning in told] == [__file__]


def test_a_table_of_one_category_predicts_the_mean():
    frame = pd.DataFrame({"town": ["a", "a", "a"]})
    model = LeastSquaresRegressor().fit(frame, [1.0, 2.0, 6.0])
    np.testing.assert_allclose(model.predict(frame), [3, 3, 3])
    assert model.coef_.shape == (0,)


def test_a_factor_solves_and_knows_its_pivots_and_condition():
    matrix = np.array([[4.0, 2.0], [2.0, 5.0]])
    factor = Factor(matrix)
    np.testing.assert_allclose(factor.solve(np.array([8.0, 12.0])), [1.0, 2.0])
    assert factor.least_pivot == pytest.approx(0.8)  # 5 - 2 * 2 / 4 is 4 of 5
    assert factor.reciprocal_condition == pytest.approx(1 / np.linalg.cond(matrix, 1))


@pytest.mark.parametrize("matrix", [[[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.0], [0.0, -1.0]]])
def test_a_matrix_without_a_factor_has_pivot_and_condition_0(matrix):
    factor = Factor(np.array(matrix))
    assert factor.least_pivot == factor.reciprocal_condition == 0.0


def test_singular_values_that_are_rounding_do_not_count():
    columns = np.random.default_rng(0).normal(size=(3, 40))
    columns[2] = columns[0] - columns[1]
    left, singular, right, rank = thin_svd(columns)
    assert rank == 2
    np.testing.assert_allclose(left * singular @ right, columns, atol=1e-12)


def test_more_columns_than_rows_and_none():
    assert thin_svd(np.random.default_rng(0).normal(size=(500, 7)))[0].shape == (500, 7)
    assert thin_svd(np.empty((0, 4)))[3] == 0


@pytest.mark.filterwarnings("ignore:.*small ridge")
@pytest.mark.parametrize(("model", "threshold"), [(LeastSquaresRegressor(), None), (LogisticClassifier(), 0.0)])
def test_many_more_columns_than_rows_are_fitted_exactly(model, threshold):
    X = np.random.default_rng(0).normal(size=(60, 12_000))
    y = X[:, 0] if threshold is None else X[:, 0] > threshold
    np.testing.assert_allclose(model.fit(X, y).predict(X), y, atol=1e-4)
    assert model.coef_.shape[-1] == 12_000
