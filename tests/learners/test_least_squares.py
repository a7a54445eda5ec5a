from __future__ import annotations

import gc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.linear_model import LinearRegression, Ridge

from covey import Bootstrap, EnsembleRegressor, LeastSquaresRegressor, RandomSubspace, Wagging
from covey.learners import least_squares as module
from covey.table import as_table
from learners.examples import members

RIDGE = "kept finite by a small ridge"


def awkward(n_samples: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """Columns of very different size, far from 0, two of them strongly correlated."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, 6)) * [1e-3, 1.0, 1e3, 1.0, 1.0, 1.0] + [0.0, 1e6, 5.0, 0.0, -3.0, 0.0]
    X[:, 5] = X[:, 3] + 1e-4 * X[:, 5]
    return X, X @ [300.0, 2.0, 3e-3, 1.0, -1.0, 1.0] + rng.normal(size=n_samples)


def exact(X: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None) -> LinearRegression:
    model = LinearRegression()
    if "tol" in model.get_params():  # from scikit-learn 1.7 on
        model.set_params(tol=1e-15)
    return model.fit(X, y, weight)


@pytest.mark.parametrize("weighted", [False, True])
def test_coefficients_are_those_of_scikit_learn(weighted):
    X, y = awkward()
    weight = np.random.default_rng(1).integers(0, 4, len(y)).astype(float) if weighted else None
    model, other = LeastSquaresRegressor().fit(X, y, weight), exact(X, y, weight)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-6)
    np.testing.assert_allclose(model.intercept_, other.intercept_, rtol=1e-6)
    assert model.ridge_ == 0.0


@pytest.mark.parametrize("closeness", [1e-3, 1e-5, 1e-7])
def test_nearly_dependent_columns_are_told_apart_without_a_ridge(closeness):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 3))
    X[:, 2] = X[:, 0] + closeness * rng.normal(size=200)
    y = X @ [1.0, 2.0, 3.0]
    model = LeastSquaresRegressor().fit(X, y)
    np.testing.assert_allclose(model.coef_, [1, 2, 3], rtol=1e-6)
    assert model.ridge_ == 0.0


def test_every_member_has_the_coefficients_of_its_own_columns():
    X, y = awkward()
    for draw in (None, Bootstrap(0.7), Wagging()):
        ensemble = EnsembleRegressor(LeastSquaresRegressor(), 12, subspace=RandomSubspace(3), draw=draw, random_state=0)
        for model, columns, weight in members(ensemble, X, y):
            other = exact(X[:, columns], y, weight)
            np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-6, atol=1e-12)
            np.testing.assert_allclose(model.intercept_, other.intercept_, rtol=1e-6)


def test_members_over_categories_and_gaps_are_what_they_would_be_alone():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=80),
            "b": rng.choice(["x", "y", "z"], 80),
            "c": np.where(rng.random(80) < 0.2, np.nan, rng.normal(size=80)),
            "d": rng.normal(size=80),
        }
    )
    y = frame["a"] + frame["c"].fillna(0) + (frame["b"] == "z") + rng.normal(size=80)
    for draw in (None, Bootstrap(0.7)):
        ensemble = EnsembleRegressor(LeastSquaresRegressor(), 8, subspace=RandomSubspace(3), draw=draw, random_state=1)
        for model, columns, weight in members(ensemble, frame, y.to_numpy()):
            alone = LeastSquaresRegressor().fit(frame.iloc[:, columns], y, weight)
            np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-9)
            np.testing.assert_allclose(model.fill_, alone.fill_, rtol=1e-9)
            np.testing.assert_allclose(
                model.predict(as_table(frame).take(columns)), alone.predict(frame.iloc[:, columns])
            )


def test_what_members_share_goes_with_the_table():
    X, y = awkward()
    EnsembleRegressor(LeastSquaresRegressor(), 3, subspace=RandomSubspace(3), random_state=0).fit(X, y)
    gc.collect()
    assert len(module._DESIGNS) == len(module._RESPONSES) == len(module._MOMENTS) == 0


@pytest.mark.parametrize("draw", [None, Bootstrap(0.7)])
def test_members_of_a_second_response_do_not_see_the_first(draw):
    X, y = awkward()
    table = as_table(X)
    part = table.take(np.array([1, 3]))
    weight = np.ones(len(y)) if draw is None else draw.draw(np.ones(len(y)), np.random.default_rng(0))
    first, second = (LeastSquaresRegressor()._fit_member(part, target, weight) for target in (y, -2 * y))
    np.testing.assert_allclose(second.coef_, -2 * first.coef_)


def test_dependent_columns_share_the_effect_and_are_told_of():
    rng = np.random.default_rng(4)
    x = rng.normal(size=50)
    X = np.column_stack([x, 3 * x + 1, rng.normal(size=50)])
    with pytest.warns(UserWarning, match="linearly dependent.*kept finite by a small ridge of 1e-06"):
        model = LeastSquaresRegressor().fit(X, 6 * x + X[:, 2])
    np.testing.assert_allclose(model.coef_, [3, 1, 1], rtol=1e-4)
    assert model.ridge_ == 1e-6


@pytest.mark.filterwarnings(f"ignore:.*{RIDGE}")
@pytest.mark.parametrize("weighted", [False, True])
def test_the_ridge_is_that_of_scikit_learn_on_standardised_columns(weighted):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(20, 30)) * np.arange(1, 31), rng.normal(size=20)
    weight = rng.random(20) + 0.5 if weighted else np.ones(20)
    share = weight / weight.sum()
    scale = np.sqrt(share @ (X - share @ X) ** 2)
    model = LeastSquaresRegressor(ridge=0.01).fit(X, y, weight)
    other = Ridge(alpha=0.01, solver="svd").fit(X / scale, y, share)
    np.testing.assert_allclose(model.coef_, other.coef_ / scale, rtol=1e-8)


def test_a_column_that_does_not_vary_has_coefficient_0_and_is_no_singularity():
    rng = np.random.default_rng(7)
    X = np.column_stack([rng.normal(size=40), np.full(40, 0.1), rng.normal(size=40)])
    y = X[:, 0] - X[:, 2]
    model = LeastSquaresRegressor().fit(X, y)
    np.testing.assert_allclose(model.coef_, [1, 0, -1], atol=1e-12)
    assert model.ridge_ == model.coef_[1] == 0.0
    weight = np.zeros(40)
    weight[:20] = 1
    X[:20, 2] = 7.0  # varies only where no row has weight
    member = LeastSquaresRegressor()._fit_member(as_table(X), y, weight)
    assert member.coef_[2] == member.ridge_ == 0.0


def test_a_constant_response_is_predicted():
    X, _ = awkward()
    model = LeastSquaresRegressor().fit(X, np.full(len(X), 3.5))
    np.testing.assert_allclose(model.predict(X), 3.5)
    np.testing.assert_allclose(model.coef_ * X.std(axis=0), 0, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_numbers_of_any_size(scale):
    X, y = awkward()
    model = LeastSquaresRegressor().fit(X * scale, y / scale)
    expected = exact(X, y)
    np.testing.assert_allclose(model.predict(X * scale) * scale, expected.predict(X), rtol=1e-6)


small = st.integers(-5, 5)


@given(st.lists(st.tuples(small, small, small, st.integers(0, 3)), min_size=6, max_size=20))
@settings(derandomize=True, deadline=None)
@pytest.mark.filterwarnings(f"ignore:.*{RIDGE}")
def test_weights_are_repetitions_and_residuals_are_uncorrelated_with_columns(rows):
    data = np.array(rows, dtype=float)
    X, y, weight = data[:, :2], data[:, 2], data[:, 3]
    if not weight.any():
        return
    model = LeastSquaresRegressor().fit(X, y, weight)
    repeated = LeastSquaresRegressor().fit(np.repeat(X, weight.astype(int), axis=0), np.repeat(y, weight.astype(int)))
    np.testing.assert_allclose(model.predict(X), repeated.predict(X), atol=1e-6)
    residual = weight * (y - model.predict(X))
    np.testing.assert_allclose([residual.sum(), *(residual @ X)], 0, atol=1e-3 if model.ridge_ else 1e-8)
