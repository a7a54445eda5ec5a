import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import nan_euclidean_distances

from covey import SphereCoverClassifier
from covey.learners.metric import MetricRows, distances_between


def rows(seed=0, n_rows=50):
    rng = np.random.default_rng(seed)
    return rng.random((n_rows, 4)), rng.integers(0, 2, n_rows)


def test_missing_values_of_both_rows_are_left_out():
    X, _ = rows()
    X[np.random.default_rng(1).random(X.shape) < 0.3] = np.nan
    [found] = distances_between(X[:9], X, "nan_euclidean", {})
    expected = nan_euclidean_distances(X[:9], X)
    np.testing.assert_allclose(found, np.where(np.isnan(expected), 2.0, expected), atol=1e-7)


@pytest.mark.parametrize("metric", ["cosine", "correlation", "nan_euclidean", "manhattan"])
def test_a_distance_does_not_depend_on_the_company(metric):
    X, _ = rows(n_rows=300)
    [together] = distances_between(X, X, metric, {})
    for row in (0, 17, 299):
        np.testing.assert_array_equal(next(distances_between(X[[row]], X, metric, {}))[0], together[row])


def test_blocks_make_no_difference(monkeypatch):
    X, y = rows()
    whole = SphereCoverClassifier(metric="manhattan", random_state=0).fit(X, y)
    monkeypatch.setattr("covey.learners.metric.MOST_DISTANCES", 70)
    parts = SphereCoverClassifier(metric="manhattan", random_state=0).fit(X, y)
    np.testing.assert_array_equal(parts.center_indices_, whole.center_indices_)
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))


def test_lists_give_the_same_cover():
    X, y = rows()
    classed = MetricRows(y, X, "manhattan")
    radius = classed.all_enemies(1).distances[:, 0]
    draws = np.random.default_rng(2).permutation(len(X))
    plain = classed.random_cover(draws, radius, np.ones(len(X)), 2.0)
    listed = classed.random_cover(draws, radius, np.ones(len(X)), 2.0, classed.list_all(radius))
    for one, other in zip(plain, listed, strict=True):
        np.testing.assert_array_equal(one, other)


def test_too_many_cases_are_not_listed(monkeypatch):
    monkeypatch.setattr("covey.learners.metric.MOST_LISTED", 10)
    X, y = rows()
    classed = MetricRows(y, X, "manhattan")
    assert classed.list_all(np.full(len(X), 9.0)) is None


@pytest.mark.parametrize(
    ("metric", "params", "message"),
    [
        ("nearest", None, "metric='nearest' is unknown; give one of"),
        ("precomputed", None, "metric='precomputed' is unknown"),
        ("euclidean", {"p": 3}, "metric_params={'p': 3}, but metric='euclidean' has no parameters"),
        ("mahalanobis", None, "metric='mahalanobis' needs 'VI' in metric_params"),
        ("seuclidean", {}, "metric='seuclidean' needs 'V' in metric_params"),
    ],
)
def test_wrong_metrics(metric, params, message):
    with pytest.raises(ValueError, match=message):
        SphereCoverClassifier(metric=metric, metric_params=params).fit(*rows())


def test_parameters_reach_the_metric():
    X, y = rows()
    params = {"VI": np.linalg.inv(np.cov(X.T))}
    model = SphereCoverClassifier(metric="mahalanobis", metric_params=params, scale=False, random_state=0).fit(X, y)
    lines = model.explain(X[:3])
    expected = cdist(X[:3], model.centers_, "mahalanobis", **params)
    np.testing.assert_allclose(lines["distance"], expected[np.arange(3), lines["sphere"]])


def test_l2_is_the_mixed_distance():
    X, y = rows()
    X[::5, 1] = np.nan
    one, other = (SphereCoverClassifier(metric=metric, random_state=0).fit(X, y) for metric in ("l2", "euclidean"))
    np.testing.assert_array_equal(one.radii_, other.radii_)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))
