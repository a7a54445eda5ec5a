"""Little, odd and contradictory data: a sensible model or a clear error, never a crash."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

# Boosting that finds nothing better than chance says so, and naive Bayes divides by the variance of a constant.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.* members in a row were no better than chance:UserWarning"),
    pytest.mark.filterwarnings("ignore:.* encountered in (divide|log|subtract|square):RuntimeWarning"),
]


def finite(model, X) -> bool:
    predicted = model.predict(X)
    return len(predicted) == len(X) and (predicted.dtype.kind in "iUO" or bool(np.isfinite(predicted).all()))


def test_one_row(entry):
    y = np.array([1]) if entry.is_classifier else np.array([2.5])
    if "neighbours" in entry.name:
        entry = type(entry)(entry.name, clone(entry.estimator).set_params(estimator__n_neighbors=1))
    model = entry.new().fit(np.array([[1.0, 2.0]]), y)
    np.testing.assert_array_equal(model.predict([[3.0, 4.0], [1.0, 2.0]]), [y[0], y[0]])


def test_one_class(entry, data):
    if not entry.is_classifier:
        pytest.skip("no classes")
    X, _ = data
    model = entry.new().fit(X, np.full(len(X), "only"))
    assert set(model.predict(X)) == {"only"}
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(model.predict_proba(X), np.ones((len(X), 1)))


def test_few_or_constant_columns_and_conflicting_rows(entry, data):
    X, y = data
    partly = X.copy()
    partly[:, 1] = 4.0
    twice, answers = np.vstack([X, X]), np.concatenate([y, y[::-1]])
    for rows, target in ((X[:, :1], y), (partly, y), (np.ones_like(X), y), (twice, answers)):
        assert finite(entry.new().fit(rows, target), X[:, : rows.shape[1]])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_scales(entry, data, scale):
    X, y = data
    scales = np.array([scale, 1.0, 1.0, scale, 1.0])
    assert finite(entry.new().fit(X * scales, y), X * scales)


def test_weight_zero_is_absence(entry, data):
    X, y = data
    weight = np.ones(len(X))
    weight[::4] = 0
    spoilt = X.copy()
    spoilt[::4] = 1e6  # must not be looked at
    answers = y.copy()
    answers[::4] = y[0]
    expected = entry.new().fit(X, answers, sample_weight=weight)
    np.testing.assert_array_equal(
        expected.predict(X), entry.new().fit(spoilt, answers, sample_weight=weight).predict(X)
    )


@pytest.mark.parametrize(
    ("weight", "message"),
    [(-1.0, "Negative values in data passed to sample_weight"), (0.0, "zero"), (np.nan, "NaN")],
)
def test_bad_weights(entry, data, weight, message):
    X, y = data
    with pytest.raises(ValueError, match=message):
        entry.new().fit(X, y, sample_weight=np.full(len(X), weight))
    if entry.is_classifier:
        with pytest.raises(ValueError, match=r"classes \[2\] have no row with a positive sample_weight"):
            entry.new().fit(X, y, sample_weight=(y != 2).astype(float))


def test_bad_data(entry, data):
    X, y = data
    infinite, gap = X.copy(), y.astype(float)
    infinite[3, 2] = np.inf
    gap[4] = np.nan
    for wrong, target, message in [
        (X[:0], y[:0], "0 sample"),
        (X[:, :0], y, "0 feature"),
        (infinite, y, "infinity in column 'x2'"),
        (X, y[:-1], "inconsistent numbers of samples"),
        (X, gap, "Input y contains NaN: row 4 has no value"),
        (X[0], y, "Expected 2D array"),
    ]:
        with pytest.raises(ValueError, match=message):
            entry.new().fit(wrong, target)
