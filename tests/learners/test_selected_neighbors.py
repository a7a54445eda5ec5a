"""Nearest neighbours along selected columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.datasets import load_iris

from covey import MixedNeighborsClassifier, SelectedNeighborsClassifier
from covey.learners import case_base, neighbors
from covey.learners.sampling import some_of_each
from learners.neighbors_twin import leave_one_out, squared_distances
from learners.test_neighbors import CATEGORICAL, mixed_data


def accuracy(X, y, columns, k):
    times = np.isin(np.arange(X.shape[1]), columns)
    return np.mean(leave_one_out(squared_distances(X, X, CATEGORICAL, times), y, k, 3) == y)


def select(X, y, k, direction):
    """Add, or drop, the best column of each step, the first of equals, as long as that is worth it."""
    forward = direction == "forward"
    chosen = [] if forward else list(range(X.shape[1]))
    path, score = [], -1.0 if forward else accuracy(X, y, chosen, k)
    while len(chosen) < X.shape[1] if forward else len(chosen) > 1:
        changes = [j for j in range(X.shape[1]) if (j in chosen) != forward]
        tried = [accuracy(X, y, sorted({*chosen} ^ {j}), k) for j in changes]
        if max(tried) <= score + 1e-9 if forward else max(tried) < score - 1e-9:
            break
        best = changes[int(np.argmax(tried))]
        chosen, score = sorted({*chosen} ^ {best}), max(tried)
        path.append((best, score))
    return chosen, path


@given(st.integers(0, 10**6), st.sampled_from([1, 3]), st.sampled_from(["forward", "backward"]))
@settings(max_examples=25, deadline=None)
def test_the_steps_are_the_twins(seed, k, direction):
    X, y = mixed_data(seed, 24)
    selected, path = select(X, y, k, direction)
    model = SelectedNeighborsClassifier(direction, n_neighbors=k, categorical_features=[0, 2]).fit(X, y)
    assert model.selected_features_.tolist() == selected
    assert model.n_selected_features_ == len(selected)
    assert [feature for feature, _ in model.selection_path_] == [feature for feature, _ in path]
    np.testing.assert_allclose([score for _, score in model.selection_path_], [score for _, score in path])
    assert model.selection_score_ == pytest.approx(accuracy(X, y, selected, k))


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_only_selected_columns_count(direction):
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, np.random.default_rng(0).normal(size=(len(X), 3))])
    model = SelectedNeighborsClassifier(direction).fit(X, y)
    selected = model.get_support(indices=True)
    assert 0 < len(selected) < 7
    assert np.flatnonzero(model.get_support()).tolist() == selected.tolist()
    alone = MixedNeighborsClassifier().fit(X[:, selected], y)
    np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(X[:, selected]))
    np.testing.assert_array_equal(model.kneighbors()[1], alone.kneighbors()[1])
    noisy = X.copy()
    noisy[:, ~model.get_support()] = 99.0
    np.testing.assert_array_equal(model.predict(noisy), model.predict(X))


def test_a_useless_first_column_is_better_than_none():
    model = SelectedNeighborsClassifier().fit(np.ones((6, 2)), [0, 0, 0, 1, 1, 1])
    assert model.selected_features_.tolist() == [0]
    assert len(model.selection_path_) == 1


def test_backward_keeps_the_last_column_and_drops_the_first_of_equals():
    model = SelectedNeighborsClassifier("backward").fit(np.ones((6, 3)), [0, 0, 0, 1, 1, 1])
    assert model.selected_features_.tolist() == [2]
    assert [feature for feature, _ in model.selection_path_] == [0, 1]


def test_chunks_and_jobs_do_not_matter(monkeypatch):
    X, y = mixed_data(5, 60)
    model = SelectedNeighborsClassifier(categorical_features=[0, 2]).fit(X, y)
    monkeypatch.setattr(case_base, "CHUNK_BYTES", 3000)
    for n_jobs in (1, 2):
        again = SelectedNeighborsClassifier(categorical_features=[0, 2], n_jobs=n_jobs).fit(X, y)
        assert again.selection_path_ == model.selection_path_


def test_more_neighbours_than_cases():
    with pytest.raises(ValueError, match="n_neighbors=4 is more than the 3 cases"):
        SelectedNeighborsClassifier(n_neighbors=4).fit(np.eye(3), [0, 1, 1])


def test_of_many_rows_some_are_left_out(monkeypatch):
    X, y = mixed_data(3, 40)
    monkeypatch.setattr(neighbors, "MOST_LEFT_OUT", 25)
    rows = some_of_each(y, np.ones(40), 25, np.random.default_rng(0))
    distances = [squared_distances(X, X, CATEGORICAL, np.eye(X.shape[1])[j]) for j in range(X.shape[1])]
    alone = [np.mean((leave_one_out(squared, y, 1, 3) == y)[rows]) for squared in distances]
    model = SelectedNeighborsClassifier(categorical_features=CATEGORICAL).fit(X, y)
    assert model.selection_path_[0] == (int(np.argmax(alone)), pytest.approx(max(alone)))
    assert model.n_cases_ == 40
