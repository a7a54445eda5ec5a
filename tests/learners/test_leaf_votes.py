import numpy as np
import pytest

from covey import FeatureSubsetNeighborsClassifier
from covey.datasets import make_twonorm
from covey.ensemble import feature_subsets
from covey.learners import leaf_votes


def sample(kind, n_rows):
    X, y = make_twonorm(n_rows, n_features=6, random_state=0)
    return (np.clip(np.rint(X), -2, 2) if kind == "coarse" else X), y


@pytest.mark.parametrize("kind", ["fine", "coarse"])
@pytest.mark.parametrize("replacement", [False, True])
def test_leaves_and_scanning_agree(monkeypatch, kind, replacement):
    """Coarse numbers are full of ties: few of them are counted in the leaves, more by scanning."""
    X, y = sample(kind, 1200)
    model = FeatureSubsetNeighborsClassifier(12, subset_size=3, replacement=replacement, random_state=0)
    model.fit(X[:900], y[:900], sample_weight=np.arange(900) % 3)
    expected = model.member_predictions(X[900:])
    monkeypatch.setattr(feature_subsets, "leaves_pay", lambda *_: True)
    np.testing.assert_array_equal(model.member_predictions(X[900:]), expected)
    model.n_jobs = 2
    np.testing.assert_array_equal(model.member_predictions(X[900:]), expected)


@pytest.mark.parametrize(
    ("kind", "n_rows", "n_queries", "pays"),
    [
        ("fine", 20_000, 20_000, True),
        ("fine", 20_000, 300, False),  # arranging takes longer than scanning
        ("fine", 2_000, 20_000, False),
        ("coarse", 20_000, 20_000, False),  # too many at the same distance
    ],
)
def test_where_leaves_pay(kind, n_rows, n_queries, pays):
    X, y = sample(kind, n_rows + n_queries)
    model = FeatureSubsetNeighborsClassifier(3, subset_size=2, replacement=False, random_state=0)
    layout = model.fit(X[:n_rows], y[:n_rows])._cases.layout
    pairs = np.eye(6, dtype=int)[:3] + np.eye(6, dtype=int)[3:]
    counts = layout.space.coordinate_counts(pairs)
    assert leaf_votes.leaves_pay(layout, layout.space.place(X[n_rows:]), counts) is pays
