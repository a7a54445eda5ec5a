"""Nearest neighbours among cases of mixed types."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler

from covey import Bootstrap, EnsembleClassifier, MixedNeighborsClassifier, RandomSubspace
from covey.learners import case_base
from learners.neighbors_twin import leave_one_out, shares, squared_distances, winner

# length (0 to 10), colour, width with a gap
CASES = pd.DataFrame(
    {
        "length": [0.0, 2.0, 5.0, 10.0, 5.0],
        "colour": ["red", "red", "blue", "blue", None],
        "width": [1.0, np.nan, 3.0, 5.0, 1.0],
    }
)
LABELS = np.array(["a", "a", "b", "b", "c"])


def mixed_data(seed, n_rows=40, n_classes=3):
    """Codes and numbers with gaps and many ties, as an array whose first and third columns are categories."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [rng.integers(0, 3, n_rows), rng.integers(0, 4, n_rows), rng.integers(0, 2, n_rows), rng.normal(size=n_rows)]
    ).astype(float)
    X[rng.random(X.shape) < 0.15] = np.nan
    y = rng.integers(0, n_classes, n_rows)
    y[:n_classes] = np.arange(n_classes)
    return X, y


CATEGORICAL = np.array([True, False, True, False])


class TestByHand:
    def test_distances(self):
        model = MixedNeighborsClassifier(5).fit(CASES, LABELS)
        query = pd.DataFrame({"length": [3.0], "colour": ["red"], "width": [np.nan]})
        distances, rows = model.kneighbors(query)
        # 0.1^2 and both widths missing; 0.3^2 + 1; 0.2^2 + 1 + 1, twice, the first row first; 0.7^2 + 1 + 1
        assert rows.tolist() == [[1, 0, 2, 4, 3]]
        np.testing.assert_allclose(distances**2, [[0.01, 1.09, 2.04, 2.04, 2.49]])

    def test_equally_near_cases_share_the_place(self):
        X, y = [[0.0], [2.0], [2.0], [2.0], [10.0]], ["far", "a", "b", "b", "far"]
        model = MixedNeighborsClassifier(1).fit(X, y)
        assert model.predict([[3.0]]) == ["b"]
        np.testing.assert_allclose(model.predict_proba([[3.0]]), [[1 / 3, 2 / 3, 0.0]])
        model = MixedNeighborsClassifier(2).fit(X, ["b", "a", "a", "b", "far"])
        # 0 is one of the two nearest of 0.5, and the cases at 2 share the other place
        np.testing.assert_allclose(model.predict_proba([[0.5]]), [[1 / 3, 2 / 3, 0.0]])

    def test_of_classes_with_as_many_cases_the_nearest_wins(self):
        X = [[0.0], [1.0], [4.0], [5.0]]
        for labels in (["a", "a", "b", "b"], ["b", "b", "a", "a"]):
            model = MixedNeighborsClassifier(4).fit(X, labels)
            assert model.predict([[2.0]]) == [labels[1]]
            assert model.predict([[3.5]]) == [labels[2]]
            assert model.predict_proba([[2.0]]).argmax() == model.classes_.tolist().index(labels[1])

    def test_a_column_missing_throughout_and_a_query_without_values(self):
        X = np.array([[1.0, np.nan], [2.0, np.nan], [4.0, np.nan]])
        model = MixedNeighborsClassifier(1).fit(X, ["a", "b", "c"])
        distances, rows = model.kneighbors([[2.0, np.nan], [2.0, 7.0], [np.nan, np.nan]])
        assert rows.tolist() == [[1], [1], [0]]
        np.testing.assert_allclose(distances, [[0.0], [1.0], [1.0]])
        np.testing.assert_allclose(model.predict_proba([[np.nan, np.nan]]), [[1 / 3] * 3])


@pytest.mark.parametrize("k", [1, 3, 8])
def test_as_scikit_learn_on_scaled_numbers(k):
    X, y = load_breast_cancer(return_X_y=True)
    train, test = np.arange(len(X)) % 3 > 0, np.arange(len(X)) % 3 == 0
    scaler = MinMaxScaler().fit(X[train])
    peer = KNeighborsClassifier(k, algorithm="brute").fit(scaler.transform(X[train]), y[train])
    model = MixedNeighborsClassifier(k).fit(X[train], y[train])
    np.testing.assert_allclose(model.predict_proba(X[test]), peer.predict_proba(scaler.transform(X[test])), atol=1e-9)
    for asked in (X[test], None):
        theirs = peer.kneighbors(None if asked is None else scaler.transform(asked))
        ours = model.kneighbors(asked)
        np.testing.assert_allclose(ours[0], theirs[0], atol=1e-12)
        np.testing.assert_array_equal(ours[1], theirs[1])
    two = model.kneighbors(X[test], 2, return_distance=False)
    np.testing.assert_array_equal(two, model.kneighbors(X[test], 5)[1][:, :2])


@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3, 7]), st.booleans())
@settings(max_examples=40, deadline=None)
def test_shares_and_winners_are_the_twins(seed, k, scale):
    X, y = mixed_data(seed)
    asked, _ = mixed_data(seed + 1, 15)
    model = MixedNeighborsClassifier(k, scale=scale, categorical_features=[0, 2]).fit(X, y)
    squared = squared_distances(X, asked, CATEGORICAL, scale=scale)
    np.testing.assert_allclose(model.predict_proba(asked), [shares(row, y, k, 3) for row in squared], atol=1e-9)
    np.testing.assert_array_equal(model.predict(asked), [winner(row, y, k, 3) for row in squared])


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_auto_takes_the_smallest_of_the_best_numbers(seed):
    X, y = mixed_data(seed, 25)
    model = MixedNeighborsClassifier("auto", max_neighbors=30, categorical_features=[0, 2]).fit(X, y)
    squared = squared_distances(X, X, CATEGORICAL)
    curve = {k: np.mean(leave_one_out(squared, y, k, 3) == y) for k in range(1, 25)}
    assert model.neighbors_curve_ == pytest.approx(curve)
    assert model.n_neighbors_ == max(curve, key=curve.get)
    again = MixedNeighborsClassifier(model.n_neighbors_, categorical_features=[0, 2]).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), again.predict(X))


def test_auto_tries_no_more_than_asked_and_leaves_no_old_curve_behind():
    X, y = load_iris(return_X_y=True)
    model = MixedNeighborsClassifier("auto", max_neighbors=3).fit(X, y)
    assert list(model.neighbors_curve_) == [1, 2, 3]
    assert not hasattr(model.set_params(n_neighbors=2).fit(X, y), "neighbors_curve_")


class TestWeights:
    @given(st.integers(0, 10**6), st.sampled_from([1, 2, 5, "auto"]))
    @settings(max_examples=30, deadline=None)
    def test_whole_weights_are_repeated_rows(self, seed, k):
        X, y = mixed_data(seed, 20)
        weight = np.random.default_rng(seed).integers(0, 4, len(X))
        weight[:3] = 1
        X[weight == 0] = X[0]  # or they may have categories of their own
        asked, _ = mixed_data(seed + 1, 15)
        one, other = (MixedNeighborsClassifier(k, categorical_features=[0, 2]) for _ in range(2))
        one.fit(X, y, sample_weight=3.0 * weight)
        # by their multiples, since weights that differ by a factor are the same
        divisor = np.gcd.reduce(weight[weight > 0])
        repeated = np.repeat(np.arange(len(X)), weight // divisor)
        other.fit(X[repeated], y[repeated])
        assert one.n_neighbors_ == other.n_neighbors_
        np.testing.assert_allclose(one.predict_proba(asked), other.predict_proba(asked), atol=1e-9)
        np.testing.assert_array_equal(one.predict(asked), other.predict(asked))

    def test_rows_of_little_weight_take_little_of_a_place(self):
        X = [[0.0], [1.0], [2.0], [10.0]]
        model = MixedNeighborsClassifier(1).fit(X, ["a", "b", "c", "c"], sample_weight=[0.3, 0.45, 1.9, 1.351])
        counts = 4 * np.array([0.3, 0.45, 1.9, 1.351]) / 4.001
        np.testing.assert_allclose(model.predict_proba([[0.1]]), [[counts[0], counts[1], 1 - counts[0] - counts[1]]])

    def test_many_rows_of_little_weight(self):
        rng = np.random.default_rng(0)
        X, y = rng.random((300, 2)), rng.integers(0, 2, 300)
        weight = np.where(np.arange(300) < 200, 1e-3, 1.0) * rng.uniform(0.9, 1.1, 300)
        model = MixedNeighborsClassifier(2).fit(X, y, sample_weight=weight)
        counts = weight / weight.mean()
        for query, found in zip(X[:20], model.predict_proba(X[:20]), strict=True):
            order = np.argsort(((X - query) ** 2 / np.ptp(X, axis=0) ** 2).sum(axis=1))
            before = np.cumsum(counts[order]) - counts[order]
            taken = np.clip(2 - before, 0, counts[order])
            np.testing.assert_allclose(found, np.bincount(y[order], taken, minlength=2) / 2, atol=1e-9)

    def test_a_twin_is_found_in_leave_one_out(self):
        X, y = np.array([[0.0], [0.1], [5.0], [5.1]]), np.array([0, 1, 0, 1])
        alone = MixedNeighborsClassifier("auto", max_neighbors=1).fit(X, y)
        assert alone.neighbors_curve_[1] == 0.0
        twins = MixedNeighborsClassifier("auto", max_neighbors=1).fit(X, y, sample_weight=[2, 1, 2, 1])
        assert twins.neighbors_curve_[1] == pytest.approx(4 / 6)


class TestInEnsembles:
    def test_members_of_a_subspace_share_the_range_of_columns(self):
        X, y = load_iris(return_X_y=True)
        ensemble = EnsembleClassifier(MixedNeighborsClassifier(), 5, subspace=RandomSubspace(2), random_state=0)
        ensemble.fit(X, y)
        for member, columns in zip(ensemble.estimators_, ensemble.estimators_features_, strict=True):
            alone = MixedNeighborsClassifier().fit(X[:, columns], y)
            np.testing.assert_array_equal(member.kneighbors()[1], alone.kneighbors()[1])

    def test_members_of_a_bootstrap_keep_one_copy_of_the_data_which_is_not_the_users(self):
        X, y = load_iris(return_X_y=True)
        ensemble = EnsembleClassifier(MixedNeighborsClassifier(), 4, draw=Bootstrap(), random_state=0).fit(X, y)
        kept = {id(member._cases.matrix) for member in ensemble.estimators_}
        assert len(kept) == 1
        expected = ensemble.predict(X)
        asked = X.copy()
        X[:] = 0.0
        np.testing.assert_array_equal(ensemble.predict(asked), expected)

    def test_a_member_can_be_taught_by_itself(self):
        X, y = load_iris(return_X_y=True)
        member = EnsembleClassifier(MixedNeighborsClassifier(), 1, draw=Bootstrap(), random_state=0).fit(X, y)
        member = member.estimators_[0].partial_fit(X[:2], y[:2])
        assert member.n_cases_ == 152


class TestBadInput:
    def test_more_neighbours_than_cases(self):
        with pytest.raises(ValueError, match="n_neighbors=6 is more than the 5 cases"):
            MixedNeighborsClassifier(6).fit(CASES, LABELS)
        model = MixedNeighborsClassifier(5).fit(CASES, LABELS)
        with pytest.raises(ValueError, match="n_neighbors=5 is more than the 4 cases"):
            model.forget([0])
        assert model.n_cases_ == 5
        with pytest.raises(ValueError, match="n_neighbors=5 is more than the 4 cases there are to find"):
            model.kneighbors()
        with pytest.raises(ValueError, match="n_neighbors=0 is too small"):
            model.kneighbors(CASES, 0)


def test_chunks_and_jobs_do_not_matter(monkeypatch):
    X, y = mixed_data(5, 60)
    model = MixedNeighborsClassifier("auto", categorical_features=[0, 2])
    expected = model.fit(X, y).predict_proba(X), model.neighbors_curve_, model.kneighbors()
    monkeypatch.setattr(case_base, "CHUNK_BYTES", 2000)
    for n_jobs in (1, 2):
        model.set_params(n_jobs=n_jobs).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X), expected[0])
        assert model.neighbors_curve_ == expected[1]
        np.testing.assert_array_equal(model.kneighbors(), expected[2])
