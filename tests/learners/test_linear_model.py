from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey import LeastSquaresRegressor, LogisticClassifier
from covey.learners.linear_model import FEW_COLUMNS


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
