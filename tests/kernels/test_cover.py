"""The cover kernels against the same algorithms in plain Python, which any metric goes through."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.learners.cover import ClassedRows
from covey.learners.euclid import EuclideanRows
from covey.learners.space import Points


def make_rows(seed, kind, n_cases, n_columns, n_classes):
    rng = np.random.default_rng(seed)
    values = rng.random((n_cases, n_columns)) if kind == "continuous" else rng.integers(0, 5, (n_cases, n_columns)) / 4
    codes = np.unique(rng.integers(0, n_classes, n_cases), return_inverse=True)[1].astype(np.int64)
    n_plain = n_columns - n_columns % 2
    return EuclideanRows(codes, Points(values, n_plain, n_columns)), rng


TABLES = {
    "seed": st.integers(0, 10**6),
    "kind": st.sampled_from(["continuous", "grid"]),
    "n_cases": st.integers(1, 160),
    "n_columns": st.integers(1, 5),
    "n_classes": st.integers(1, 3),
}


def assert_same_fates(one, other):
    for name, left, right in zip(one._fields, one, other, strict=True):
        if name == "size":  # only that of a centre is known
            left, right = left[one.drawn], right[one.drawn]
        np.testing.assert_array_equal(left, right, err_msg=name)


@settings(max_examples=40, deadline=None)
@given(**TABLES, count=st.integers(1, 3), n_spare=st.integers(0, 4))
def test_enemies(seed, kind, n_cases, n_columns, n_classes, count, n_spare):
    rows, rng = make_rows(seed, kind, n_cases, n_columns, n_classes)
    weight = rng.integers(0, 3, n_cases).astype(float)
    known = rows.all_enemies(count + n_spare)
    for some in (np.ones(n_cases), weight):
        present, found = some > 0, rows.enemies(known, some, count)
        for case in np.flatnonzero(present):
            distances = np.where((rows.codes != rows.codes[case]) & present, rows.distances(case), np.inf)
            expected = np.full(count, np.inf)
            expected[: min(count, n_cases)] = np.sort(distances)[:count]
            np.testing.assert_array_equal(found.distances[case], expected)
            enemies = found.rows[case]
            assert (enemies[np.isinf(expected)] == -1).all()
            assert (distances[enemies[enemies >= 0]] == expected[enemies >= 0]).all()


@settings(max_examples=40, deadline=None)
@given(**TABLES, least_size=st.sampled_from([0.0, 1.0, 2.0, 5.0]), weights=st.sampled_from(["ones", "whole", "real"]))
def test_covers(seed, kind, n_cases, n_columns, n_classes, least_size, weights):
    rows, rng = make_rows(seed, kind, n_cases, n_columns, n_classes)
    weight = {
        "ones": np.ones(n_cases),
        "whole": rng.integers(0, 3, n_cases).astype(float),
        "real": np.ceil(8 * rng.exponential(size=n_cases)) / 8 * (rng.random(n_cases) < 0.8),
    }[weights]
    known = rows.all_enemies(1)
    radius = rows.enemies(known, weight, 1).distances[:, 0]
    draws = rng.permutation(np.flatnonzero(weight))

    expected = ClassedRows.random_cover(rows, draws, radius, weight, least_size)
    assert_same_fates(rows.random_cover(draws, radius, weight, least_size), expected)
    lists = rows.list_all(known.distances[:, 0])
    assert_same_fates(rows.random_cover(draws, radius, weight, least_size, lists), expected)
    expected_greedy = ClassedRows.greedy_cover(rows, radius, weight, least_size)
    assert_same_fates(rows.greedy_cover(radius, weight, least_size), expected_greedy)

    centers = np.flatnonzero(expected.drawn)
    held = ClassedRows.rows_inside(rows, centers, radius)
    for found, cases in zip(rows.rows_inside(centers, radius), held, strict=True):
        np.testing.assert_array_equal(np.sort(found), cases)


def test_spheres_that_hold_too_many_are_not_listed(monkeypatch):
    monkeypatch.setattr("covey.learners.euclid.MOST_LISTED", 100)
    rows, rng = make_rows(0, "continuous", 120, 2, 2)
    radius = rows.all_enemies(1).distances[:, 0] * 3
    lists = rows.list_all(radius)
    held = np.array([len(rows.inside(case, float(radius[case]))) for case in range(120)])
    assert len(lists.rows) <= 100
    assert set(held[lists.radius >= 0]) <= set(range(4))
    draws, weight = rng.permutation(120), np.ones(120)
    assert_same_fates(
        rows.random_cover(draws, radius, weight, 1.0, lists),
        ClassedRows.random_cover(rows, draws, radius, weight, 1.0),
    )


@pytest.mark.parametrize("n_classes", [1, 3])
def test_the_sphere_that_decides(n_classes):
    rows, rng = make_rows(3, "continuous", 90, 3, n_classes)
    radius = rows.all_enemies(1).distances[:, 0]
    centers = np.flatnonzero(rng.random(90) < 0.2)
    cases = np.arange(90)
    verdict = rows.decide(cases, centers, radius[centers])
    for case in cases:
        distances = rows.distances(case)[centers]
        holds = distances < radius[centers]
        assert verdict.inside[case] == holds.any()
        values = np.where(holds, distances, np.inf) if holds.any() else distances - radius[centers]
        assert verdict.sphere[case] == np.argmin(values)
        assert verdict.distance[case] == pytest.approx(distances[verdict.sphere[case]])


@pytest.mark.parametrize("kind", ["continuous", "grid"])
@pytest.mark.parametrize("n_numbers", [160, 150])
def test_few_rows_of_many_columns_look_distances_up(kind, n_numbers, monkeypatch):
    rng = np.random.default_rng(5)
    values = rng.random((70, 160)) if kind == "continuous" else rng.integers(0, 3, (70, 160)) / 2
    values[:, n_numbers:] = rng.integers(0, 4, (70, 160 - n_numbers))
    values[:, 140:n_numbers][rng.random((70, n_numbers - 140)) < 0.1] = np.inf
    values[60:] = values[:10]  # some rows at no distance
    codes = np.arange(70) % 3
    known, searched = (EuclideanRows(codes, Points(values, 140, n_numbers)) for _ in range(2))
    assert known._squared is not None
    monkeypatch.setattr("covey.learners.euclid.MOST_NUMBERS", 0)
    assert searched._squared is None
    np.testing.assert_array_equal(np.sqrt(known._squared), [searched.distances(row) for row in range(70)])
    present = np.flatnonzero(rng.random(70) < 0.8)
    for of, among in ((np.arange(70), np.arange(70)), (present, rng.permutation(present))):
        for one, other in zip(known.closest_enemies(of, among, 2), searched.closest_enemies(of, among, 2), strict=True):
            np.testing.assert_array_equal(one, other)
    radius, weight = searched.all_enemies(1).distances[:, 0], rng.integers(0, 3, 70).astype(float)
    radius[5] = np.inf
    draws = rng.permutation(np.flatnonzero(weight))
    for least_size in (0.0, 3.0):
        expected = searched.random_cover(draws, radius, weight, least_size)
        assert_same_fates(known.random_cover(draws, radius, weight, least_size), expected)
    centers = np.flatnonzero(expected.drawn)
    for one, other in zip(
        known.decide(present, centers, radius[centers]), searched.decide(present, centers, radius[centers]), strict=True
    ):
        np.testing.assert_array_equal(one, other)
