"""The closest enemies: by leaves they are those found by looking everywhere."""

import numpy as np
import pytest

from covey.learners import euclid
from covey.learners.euclid import EuclideanRows
from covey.learners.leaves import Effort
from covey.learners.space import space_of
from covey.table import as_table


def data_of(kind, rng, n_rows=1500):
    codes = rng.integers(0, 4, n_rows)
    X = {
        "normal": lambda: rng.normal(size=(n_rows, 5)) + codes[:, None],
        "ties": lambda: rng.integers(0, 5, (n_rows, 3)) / 3,
        "sevenths": lambda: rng.integers(0, 7, (n_rows, 7)) / 7,
        "copies": lambda: rng.random((40, 3))[rng.integers(0, 40, n_rows)],
        "gaps": lambda: np.where(rng.random((n_rows, 4)) < 0.1, np.nan, rng.random((n_rows, 4))),
        "mixed": lambda: np.hstack([rng.random((n_rows, 3)), rng.integers(0, 4, (n_rows, 2))]),
    }[kind]()
    return as_table(X, [3, 4] if kind == "mixed" else []), codes


@pytest.fixture
def uses_leaves(monkeypatch):
    """Look into leaves however few the cases."""
    monkeypatch.setattr(euclid, "FEWEST_QUERIES", 0)
    monkeypatch.setattr(euclid, "FEWEST_ROWS", 0)
    monkeypatch.setattr(euclid.Leaves, "effort", lambda *_, **__: Effort(0.0, 0.0, 0, 0))


@pytest.mark.parametrize("kind", ["normal", "ties", "sevenths", "copies", "gaps", "mixed"])
@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.usefixtures("uses_leaves")
def test_both_ways_find_the_same(kind, scale):
    rng = np.random.default_rng(7)
    table, codes = data_of(kind, rng)
    rows = EuclideanRows(codes, space_of(table, scale=scale)[1])
    every = np.arange(len(codes))
    for of, among in ((every, every), (every[::3], np.flatnonzero(rng.random(len(codes)) < 0.6))):
        found = rows._enemies_by_leaves(of, among, 3)
        expected = rows._enemies_among_all(of, among, 3)
        np.testing.assert_array_equal(found.rows, expected.rows)
        np.testing.assert_array_equal(found.distances, expected.distances)


def test_leaves_are_used_where_they_pay():
    rng = np.random.default_rng(8)
    codes = np.arange(6000) % 3
    every = np.arange(6000)
    few, many = (
        EuclideanRows(codes, space_of(as_table(rng.normal(size=(6000, n_columns))))[1]) for n_columns in (2, 30)
    )
    assert few._enemies_by_leaves(every, every, 1) is not None
    assert many._enemies_by_leaves(every, every, 1) is None
    assert few._enemies_by_leaves(every[:10], every, 1) is None


@pytest.mark.parametrize("kind", ["normal", "ties", "copies", "gaps", "mixed"])
def test_threads_find_what_one_does(kind):
    table, codes = data_of(kind, np.random.default_rng(9))
    one, several = (EuclideanRows(codes, space_of(table)[1], n_jobs) for n_jobs in (1, 3))
    alone, together = one.all_enemies(2), several.all_enemies(2)
    np.testing.assert_array_equal(together.rows, alone.rows)
    np.testing.assert_array_equal(together.distances, alone.distances)
    expected, found = (rows.list_all(alone.distances[:, 0]) for rows in (one, several))
    np.testing.assert_array_equal(found.radius, expected.radius)
    np.testing.assert_array_equal(found.offset, expected.offset)
    np.testing.assert_array_equal(found.rows, expected.rows)


@pytest.mark.parametrize("n_classes", [2, 3])  # of two classes each product is used for both
@pytest.mark.parametrize("kind", ["ties", "near", "far", "tiny", "huge"])
def test_products_of_many_columns_find_what_all_distances_say(kind, n_classes):
    rng = np.random.default_rng(9)
    X = {
        "ties": lambda: rng.integers(0, 2, (150, 151)) / 3,
        "near": lambda: rng.random((6, 160))[rng.integers(0, 6, 150)] + 1e-9 * rng.integers(0, 3, (150, 160)),
        "far": lambda: 1e4 + rng.random((150, 160)),
        "tiny": lambda: 1e-30 * rng.random((150, 160)),
        "huge": lambda: 1e14 * rng.random((150, 160)),
    }[kind]()
    codes = rng.integers(0, n_classes, 150)
    rows = EuclideanRows(codes, space_of(as_table(X), scale=False)[1])
    every = np.arange(150)
    expected = rows._known_enemies(rows._squared, every, every, 1)
    for of, among in ((every, every), (every[::2], every), (every, every[::3])):
        chosen = rows._enemies_among_all(of, among, 1)
        known = expected if len(among) == 150 else rows._known_enemies(rows._squared, every, among, 1)
        np.testing.assert_array_equal(chosen.rows, known.rows[of])
        np.testing.assert_array_equal(chosen.distances, known.distances[of])
