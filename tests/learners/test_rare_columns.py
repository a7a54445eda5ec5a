"""Columns of rare categories, whose products pass over most rows."""

import numpy as np
import pandas as pd
import pytest

from covey import LogisticClassifier, RandomSubspaceClassifier
from covey.learners import logistic_fit
from covey.learners.rare_columns import RareColumns, sums_over, taken_apart


@pytest.fixture
def values():
    """Columns x rows: numbers, marks of which either value may be the rare one, constants, and halves."""
    rng = np.random.default_rng(0)
    marks = rng.random((200, 900)) < rng.choice([0.01, 0.98, 0.05, 0.0], 200)[:, None]
    numbers, halves = rng.normal(size=(4, 900)), rng.integers(0, 2, (2, 900))
    values = np.vstack([marks[:90] * 2.0 - 0.3, numbers, halves, marks[90:] * 1.5 - 0.4, np.ones((1, 900))])
    values[0], values[1] = marks.sum(axis=0) == 99, 1.0  # never and always
    return values


def test_products_are_those_of_all_rows(values):
    apart, rng = taken_apart(values), np.random.default_rng(1)
    assert isinstance(apart, RareColumns)
    assert 150 < len(apart.rare) < 203
    coefficients, residuals, weight = rng.normal(size=(3, len(values))), rng.normal(size=(3, 900)), rng.random(900)
    np.testing.assert_allclose(coefficients @ apart, coefficients @ values, atol=1e-11)
    np.testing.assert_allclose(sums_over(residuals, apart), residuals @ values.T, atol=1e-11)
    np.testing.assert_allclose(apart.products(weight), (values * weight) @ values.T, atol=1e-10)


def test_few_columns_stay_as_they_are(values):
    assert taken_apart(values[:100]) is not None
    assert isinstance(taken_apart(values[:100]), np.ndarray)
    assert isinstance(taken_apart(np.random.default_rng(0).normal(size=(200, 50))), np.ndarray)


@pytest.mark.filterwarnings("ignore:The columns of X tell")
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_models_over_categories_are_the_same(monkeypatch, n_classes):
    rng = np.random.default_rng(n_classes)
    town, size = rng.integers(0, 180, 12_000), rng.normal(size=12_000)
    frame = pd.DataFrame({"town": pd.Categorical(town.astype(str)), "size": size})
    y = (rng.normal(size=180)[town] / 4 + size + rng.logistic(size=12_000)).argsort().argsort() * n_classes // 12_000
    model = LogisticClassifier(ridge=1e-3).fit(frame, y)
    monkeypatch.setattr(logistic_fit, "taken_apart", lambda values: values)
    other = LogisticClassifier(ridge=1e-3).fit(frame, y)
    assert model.ridge_ == other.ridge_
    np.testing.assert_allclose(model.predict_proba(frame), other.predict_proba(frame), atol=1e-6)


def test_members_that_see_the_same_attributes_are_fitted_once(monkeypatch):
    rng, fits = np.random.default_rng(0), []
    frame = pd.DataFrame({f"a{j}": pd.Categorical(rng.integers(0, 9, 300).astype(str)) for j in range(3)})
    solve = logistic_fit.Task._solve
    monkeypatch.setattr(logistic_fit.Task, "_solve", lambda *given: fits.append(1) or solve(*given))
    y = (frame["a0"].cat.codes < 4).to_numpy() ^ (rng.random(300) < 0.2)
    RandomSubspaceClassifier(n_estimators=30, subspace_size=2, bootstrap=False, random_state=0).fit(frame, y)
    assert len(fits) == 3
