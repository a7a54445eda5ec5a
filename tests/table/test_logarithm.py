"""Regressors that are trained on logarithms."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.linear_model import LinearRegression

from covey import load_model, save_model
from covey.models.fields import RefusedError
from covey.table import LogTarget


@pytest.fixture
def prices():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    return X, np.exp(10 + X @ [1.0, -2.0, 0.0] + rng.normal(size=60))


def test_predictions_are_those_of_scikit_learn_and_of_the_scale_of_the_target(prices, tmp_path):
    X, y = prices
    model = clone(LogTarget(LinearRegression())).fit(X, y)
    theirs = TransformedTargetRegressor(LinearRegression(), func=np.log, inverse_func=np.exp).fit(X, y)
    np.testing.assert_allclose(model.predict(X), theirs.predict(X))
    assert model.n_features_in_ == 3
    loaded = load_model(save_model(model, tmp_path / "m.covey"))
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


def test_what_has_no_logarithm_is_refused(prices):
    X, y = prices
    with pytest.raises(ValueError, match="y has 0, which has no logarithm; give numbers above 0"):
        LogTarget(LinearRegression()).fit(X, np.where(y > y.min(), y, 0))


def test_predictions_stay_finite():
    model = LogTarget(LinearRegression()).fit([[0], [1]], [1.0, 1e300])
    assert np.isfinite(model.predict([[5]])).all()


def test_a_state_without_a_regressor_is_refused():
    model = LogTarget(LinearRegression()).fit([[0], [1], [2]], [1, 10, 100])
    model._check_state()
    model.regressor = False
    with pytest.raises(RefusedError, match="has no regressor"):
        model._check_state()
