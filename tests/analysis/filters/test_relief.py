from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy.sparse import csr_array
from sklearn.datasets import load_breast_cancer, load_wine

from covey.analysis.filters import information_gain, relieff


def twin_difference(column, codes, nominal):
    """A function of two rows: how much they differ, or are expected to, by the rule of the docstring."""
    known = [value for value in column if value is not None]
    width = (max(known) - min(known)) if known and not nominal else 0

    def apart(a, b):
        return float(a != b) if nominal else abs(a - b) / width if width else 0.0

    def likely(row):
        if column[row] is not None:
            return [column[row]]
        own = [value for value, code in zip(column, codes, strict=True) if code == codes[row] and value is not None]
        return own or known

    def difference(i, j):
        pairs = [(a, b) for a in likely(i) for b in likely(j)]
        return sum(apart(a, b) for a, b in pairs) / max(len(pairs), 1)

    return difference


def twin(columns, nominal, codes, n_neighbors, rows):
    differences = [twin_difference(column, codes, kind) for column, kind in zip(columns, nominal, strict=True)]
    n, scores = len(codes), [0.0] * len(columns)
    prior = {code: codes.count(code) / n for code in codes}
    for i in rows:
        for code in prior:
            others = [(sum(one(i, j) for one in differences), j) for j in range(n) if j != i and codes[j] == code]
            count = min(n_neighbors, len(others))
            if not count:
                continue
            last = sorted(others)[count - 1][0]
            closer = [j for distance, j in others if distance < last - 1e-9]
            tied = [j for distance, j in others if abs(distance - last) <= 1e-9]
            factor = -1 if code == codes[i] else prior[code] / (1 - prior[codes[i]])
            for a, one in enumerate(differences):
                total = sum(one(i, j) for j in closer)
                total += (count - len(closer)) / len(tied) * sum(one(i, j) for j in tied)
                scores[a] += factor * total / count / len(rows)
    return scores


@st.composite
def mixed_tables(draw):
    n = draw(st.integers(2, 9))
    codes = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n).filter(lambda codes: len(set(codes)) > 1))
    nominal = draw(st.lists(st.booleans(), min_size=1, max_size=3))
    cell = st.sampled_from([None, 0, 1, 2, 5])
    return [draw(st.lists(cell, min_size=n, max_size=n)) for _ in nominal], nominal, codes


@settings(deadline=None)
@given(mixed_tables(), st.integers(1, 4))
def test_scores_are_those_of_the_published_formula(table, n_neighbors):
    columns, nominal, codes = table
    X = np.array(columns, dtype=float).T
    found = relieff(X, codes, n_neighbors=n_neighbors, categorical_features=nominal)
    np.testing.assert_allclose(found, twin(columns, nominal, codes, n_neighbors, range(len(codes))), atol=1e-9)


def test_scores_by_hand():
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    # The nearest hit is 1/11 away for all, the nearest misses 10/11, 9/11, 9/11 and 10/11.
    assert relieff(X, [0, 0, 1, 1], n_neighbors=1)[0] == pytest.approx(38 / 44 - 1 / 11)
    # The nearest row of the other class: at a distance of 1 for all; the other class has no hits.
    assert relieff([["x"], ["y"], ["y"]], [0, 1, 1])[0] == pytest.approx((1 + 1 + 1) / 3)


def test_scores_are_wekas():
    """Of Weka 3.6.14, ReliefFAttributeEval, with its defaults."""
    found = relieff(*load_wine(return_X_y=True))
    expected = [0.1192374299, 0.0708455612, 0.0406117827, 0.0573728973, 0.0426984027, 0.1039292584, 0.1682068881]
    np.testing.assert_allclose(found[:7], expected, rtol=1e-8)
    found = relieff(*load_breast_cancer(return_X_y=True))
    np.testing.assert_allclose(found[[0, 20, 29]], [0.0830207627, 0.1066553316, 0.0133482821], rtol=1e-8)


def test_what_matters_only_together_is_seen():
    X = np.random.default_rng(0).integers(2, size=(200, 4)).astype(float)
    y = (X[:, 0] != X[:, 1]).astype(int)
    found = relieff(X, y)
    assert found[:2].min() > found[2:].max() + 0.2
    assert information_gain(X, y, categorical_features=range(4)).max() < 0.05


def test_attributes_that_could_be_exchanged_score_alike():
    grid = np.array(np.meshgrid(range(4), range(4), range(4))).reshape(3, -1).T  # nothing but ties
    found = relieff(grid, grid.sum(axis=1) > 4, n_neighbors=5)
    np.testing.assert_allclose(found, found[0])
    assert found[0] > 0


@pytest.fixture(scope="module")
def mixed():
    X, y = load_wine(return_X_y=True)
    frame = pd.DataFrame(X[:, :4], columns=["a", "b", "c", "d"])
    frame["kind"] = pd.Categorical.from_codes(np.digitize(X[:, 6], [1, 2]), ["low", "middle", "high"])
    gaps = np.random.default_rng(2).random(frame.shape) < 0.1
    return frame.mask(gaps), y


def test_order_of_rows_and_columns_and_scale_do_not_matter(mixed):
    frame, y = mixed
    expected = relieff(frame, y)
    rows = np.random.default_rng(3).permutation(len(y))
    np.testing.assert_allclose(relieff(frame.iloc[rows], y[rows]), expected)
    np.testing.assert_allclose(relieff(frame[frame.columns[::-1]], y)[::-1], expected)
    np.testing.assert_allclose(relieff(frame.assign(a=frame["a"] * 1e6 - 7, b=frame["b"] * -1e-9), y), expected)
    np.testing.assert_array_equal(relieff(pl.from_pandas(frame), y), expected)


def test_huge_numbers_and_constants():
    X = np.array([[-1.7e308, 3.0, np.nan], [-1.6e308, 3.0, np.nan], [1.6e308, 3.0, np.nan], [1.7e308, 3.0, np.nan]])
    np.testing.assert_allclose(relieff(X, [0, 0, 1, 1], n_neighbors=1), [(64 + 2) / 68 - 2 / 68, 0, 0], rtol=0.02)


def test_parts_add_up(mixed, monkeypatch):
    frame, y = mixed
    expected = relieff(frame, y)
    monkeypatch.setattr("covey.analysis.filters.relief.CELLS", 100)
    np.testing.assert_allclose(relieff(frame, y), expected)


def test_a_sample_of_rows_is_repeatable_and_near_the_whole(mixed):
    frame, y = mixed
    some = relieff(frame, y, n_samples=90, random_state=4)
    np.testing.assert_array_equal(some, relieff(frame, y, n_samples=90, random_state=4))
    assert not np.array_equal(some, relieff(frame, y, n_samples=90, random_state=5))
    np.testing.assert_allclose(some, relieff(frame, y), atol=0.05)
    np.testing.assert_allclose(relieff(frame, y, n_samples=len(y), random_state=6), relieff(frame, y))


def test_a_sample_is_scored_by_the_published_formula():
    columns, codes = [[0, 1, 2, 5, 4, None, 3]], [0, 0, 0, 1, 1, 1, 2]
    X = np.array(columns, dtype=float).T
    rows = np.sort(np.random.default_rng(np.random.SeedSequence(1)).choice(7, 3, replace=False)).tolist()
    found = relieff(X, codes, n_neighbors=2, n_samples=3, random_state=1)
    np.testing.assert_allclose(found, twin(columns, [False], codes, 2, rows), atol=1e-12)
    assert found[0] > 0.1


@pytest.mark.parametrize(
    ("X", "y", "options", "error", "message"),
    [
        ([[1.0], [2.0]], [3, 3], {}, ValueError, "y has one class only"),
        ([[1.0], [2.0]], [0, 1], {"n_neighbors": 0}, ValueError, "n_neighbors=0 is too small"),
        (
            [[1.0], [2.0]],
            [0, 1],
            {"n_samples": 3},
            ValueError,
            "n_samples=3 is more than the 2 rows",
        ),
        (np.empty((0, 2)), [], {}, ValueError, "0 sample"),
        (csr_array(np.eye(2)), [0, 1], {}, TypeError, "Sparse data.*toarray"),
    ],
)
def test_what_is_refused(X, y, options, error, message):
    with pytest.raises(error, match=message):
        relieff(X, y, **options)
