"""The search kernel against all distances worked out one by one."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.learners.closest import find_closest
from covey.learners.euclid import EuclideanRows
from covey.learners.space import Points, space_of
from covey.table import as_table
from kernels.brute_force import all_squared, least, make_queries_and_rows


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(["grid", "continuous", "near"]),
    sizes=st.tuples(st.integers(1, 150), st.integers(1, 150)),
    columns=st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 3)).filter(any),
    by_edge=st.booleans(),
    count=st.integers(1, 3),
)
def test_it_finds_what_all_distances_say(seed, kind, sizes, columns, by_edge, count):
    rng = np.random.default_rng(seed)
    queries, rows = make_queries_and_rows(rng, kind, sizes, columns)
    radius = rng.integers(0, 9, len(rows)) / 4
    if not by_edge:
        radius[rng.random(len(rows)) < 0.2] = np.inf
    skip = np.sort(rng.integers(0, len(rows) + 1, (1, 2)))
    squared = all_squared(queries, rows)
    values = np.sqrt(squared) - radius if by_edge else np.where(np.sqrt(squared) < radius, squared, np.inf)
    values[:, skip[0, 0] : skip[0, 1]] = np.inf
    expected_where, expected = least(values, count)

    lanes = queries.lanes([np.arange(len(queries))])
    where, found = find_closest(
        queries, lanes, rows, skip=skip.astype(np.int64), radius=radius, count=count, by_edge=by_edge
    )
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(where < 0, expected_where < 0)
    if kind == "grid" and not by_edge:  # sums of such squares are exact, and ties are ties
        np.testing.assert_array_equal(where, expected_where)


def test_of_equal_rows_the_one_of_lowest_rank_comes_first():
    points = Points(np.zeros((70, 2)), 2, 2)
    rank = np.roll(np.arange(70), 7)
    where, _ = find_closest(points, points.lanes([np.arange(70)]), points, rank=rank, count=2)
    assert (where == [7, 8]).all()


def test_queries_in_no_lane_are_not_searched_for():
    points = Points(np.arange(8.0).reshape(4, 2), 2, 2)
    where, value = find_closest(points, points.lanes([np.array([2])]), points)
    assert where.ravel().tolist() == [-1, -1, 2, -1]
    assert value[2, 0] == 0


@pytest.mark.parametrize("offset", [0.0, 1e9])
@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30, 1e140])
def test_numbers_of_any_size(scale, offset):
    rng = np.random.default_rng(1)
    points = Points((offset + rng.random((200, 6))) * scale, 6, 6)
    _, value = find_closest(points, points.lanes([np.arange(200)]), points, count=2)
    squared = ((points.exact[:, None] - points.exact) ** 2).sum(axis=2)
    np.testing.assert_allclose(value[:, 1], np.sort(squared, axis=1)[:, 1], rtol=1e-12)
    assert (value[:, 0] == 0).all()


def test_a_query_beyond_float32_finds_its_row():
    rows = Points(np.array([[0.0, 0.0], [1e100, 0.0], [3e100, 0.0]]), 2, 2)
    queries = Points(np.array([[1.4e100, 0.0], [1e110, 0.0], [0.0, 0.0]]), 2, 2)
    where, _ = find_closest(queries, queries.lanes([np.arange(3)]), rows)
    assert where.ravel().tolist() == [1, 2, 0]


@pytest.mark.parametrize("n_classes", [2, 3])  # of two classes each product is used for both
@pytest.mark.parametrize("scale", [1e-30, 1e-22, 1e-19, 1.0, 1e14, 1e25])
def test_many_columns_of_numbers_of_any_size(scale, n_classes):
    rng = np.random.default_rng(2)
    X, y = rng.random((90, 160)) * scale, np.arange(90) % n_classes
    rows = EuclideanRows(y, space_of(as_table(X), scale=False)[1])
    found = rows.all_enemies(1)
    for case in range(90):
        distances = np.where(y == y[case], np.inf, rows.distances(case))
        assert found.rows[case, 0] == np.argmin(distances)
        assert found.distances[case, 0] == pytest.approx(distances.min(), rel=1e-12)
