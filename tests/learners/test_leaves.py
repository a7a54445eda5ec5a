"""The search by leaves against all distances worked out one by one, and the votes of what it finds."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey import FeatureSubsetNeighborsClassifier
from covey.datasets import make_twonorm
from covey.ensemble import feature_subsets
from covey.learners.leaf_votes import Ranks, leaves_pay, may_pay
from covey.learners.leaves import Leaves
from covey.learners.space import Points, space_of
from covey.table import as_table
from kernels.brute_force import KINDS, all_squared, least, make_queries_and_rows


def find_by_leaves(queries, rows, counts, *, count=1, row_groups=None, query_groups=None):
    """Arrange rows and search them."""
    return Leaves.of(rows, counts, row_groups).find(queries, count, query_groups)


def assert_same(found, expected):
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_array_equal(found[0], expected[0])


def brute_force(queries, rows, counts, count=1, row_groups=None, query_groups=None):
    values = all_squared(queries, rows, counts)
    if row_groups is not None:
        values[query_groups[:, None] == row_groups] = np.inf
    return least(values, count)


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(KINDS),
    sizes=st.tuples(st.integers(1, 60), st.one_of(st.integers(1, 200), st.integers(1000, 2500))),
    columns=st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)).filter(any),
    count=st.integers(1, 4),
    n_groups=st.sampled_from([0, 1, 3, 20]),
    is_spread=st.booleans(),
)
def test_it_finds_what_all_distances_say(seed, kind, sizes, columns, count, n_groups, is_spread):
    rng = np.random.default_rng(seed)
    queries, rows = make_queries_and_rows(rng, kind, sizes, columns)
    n_plain, n_numbers, n_columns = rows.n_plain, rows.n_numbers, rows.exact.shape[1]
    if is_spread:  # queries in and far outside of the box of the rows
        factors = 10.0 ** rng.integers(-2, 4, (len(queries), 1))
        queries = Points(
            np.hstack([queries.exact[:, :n_numbers] * factors - factors / 3, queries.exact[:, n_numbers:]]),
            n_plain,
            n_numbers,
        )
    elif kind != "copies":
        queries.exact[: len(queries) // 2] = rows.exact[rng.integers(0, len(rows), len(queries) // 2)]
    counts = rng.integers(0, 4, n_columns) * (rng.random(n_columns) < 0.7)
    groups = {}
    if n_groups:
        groups = {
            "row_groups": rng.integers(0, n_groups, len(rows)),
            "query_groups": rng.integers(0, n_groups + 1, len(queries)),
        }
    found = find_by_leaves(queries, rows, counts, count=count, **groups)
    assert_same(found, brute_force(queries, rows, counts, count, **groups))


@pytest.mark.parametrize("n_columns", [1, 2, 3, 4, 5, 6, 7, 11])
def test_many_rows(n_columns):
    rng = np.random.default_rng(n_columns)
    rows, queries = Points(rng.random((20_000, 12)), 12, 12), Points(rng.random((50, 12)), 12, 12)
    counts = np.zeros(12, dtype=np.int64)
    counts[rng.permutation(12)[:n_columns]] = rng.integers(1, 3, n_columns)
    assert_same(find_by_leaves(queries, rows, counts, count=3), brute_force(queries, rows, counts, count=3))


def test_of_equal_rows_the_lowest_comes_first():
    points = Points(np.zeros((5000, 2)), 2, 2)
    found, squared = find_by_leaves(points.take(np.arange(3)), points, np.ones(2, int), count=3)
    assert found.tolist() == [[0, 1, 2]] * 3
    assert (squared == 0).all()


def test_masses_of_equal_rows_are_passed_over():
    rng = np.random.default_rng(0)
    grid = np.stack(np.meshgrid(*[np.arange(4) / 3] * 3), axis=-1).reshape(-1, 3)
    exact = np.hstack([grid[rng.integers(0, 64, 30_000)], np.zeros((30_000, 1))])
    rows = Points(exact, 4, 4)
    queries = Points(np.vstack([exact[:20], exact[:20] + 0.1, np.full((1, 4), 0.5), np.full((1, 4), 40.0)]), 4, 4)
    leaves = Leaves.of(rows, np.array([1, 1, 1, 1]))
    assert_same(leaves.find(queries, count=2), brute_force(queries, rows, np.ones(4, int), count=2))
    assert leaves.effort(queries).share < 0.02


def test_without_a_coordinate_that_counts_the_lowest_rows_are_closest():
    rng = np.random.default_rng(0)
    rows = Points(rng.random((300, 2)), 2, 2)
    found, squared = find_by_leaves(rows, rows, np.zeros(2, int), count=2)
    assert (found == [0, 1]).all()
    assert (squared == 0).all()


@pytest.mark.parametrize("n_rows", [0, 1, 2, 63, 64, 65, 1024, 1025])
def test_fewer_rows_than_are_asked_for(n_rows):
    rng = np.random.default_rng(n_rows)
    rows, queries = Points(rng.random((n_rows, 2)), 2, 2), Points(rng.random((4, 2)), 2, 2)
    found, squared = find_by_leaves(queries, rows, np.ones(2, int), count=n_rows + 2)
    assert (found[:, n_rows:] == -1).all()
    assert np.isinf(squared[:, n_rows:]).all()
    assert (np.sort(found[:, :n_rows], axis=1) == np.arange(n_rows)).all()
    assert (np.diff(squared[:, :n_rows], axis=1) >= 0).all()


def test_no_queries():
    rows = Points(np.random.default_rng(0).random((100, 2)), 2, 2)
    found, _ = find_by_leaves(rows.take(np.arange(0)), rows, np.ones(2, int))
    assert found.shape == (0, 1)


@pytest.mark.parametrize("offset", [0.0, 1e9])
@pytest.mark.parametrize("scale", [1e-150, 1e-30, 1e-20, 1e-18, 1.0, 1e17, 1e30, 1e140])
def test_numbers_of_any_size(scale, offset):
    rng = np.random.default_rng(1)
    points = Points((offset + rng.random((400, 4))) * scale, 4, 4)
    for counts in ([1, 1, 1, 1], [0, 3, 0, 1], [0, 0, 50, 0]):
        assert_same(
            find_by_leaves(points, points, np.array(counts), count=3),
            brute_force(points, points, np.array(counts), count=3),
        )


@pytest.mark.parametrize("scale", [1e-200, 1e-140, 1e-22, 1e-12, 1.0, 1e14, 1e25, 1e140])
@pytest.mark.parametrize("has_others", [False, True])
def test_spaces_that_are_not_scaled(scale, has_others):
    rng = np.random.default_rng(2)
    X = (7 + rng.random((500, 5))) * scale
    if has_others:
        X[rng.random((500, 5)) < 0.1] = np.nan
        X[:, 3] = rng.integers(0, 3, 500)
    space, rows = space_of(as_table(X, [3] if has_others else []), scale=False)
    asked = X[:40].copy()
    asked[::3, 1] = np.nan
    asked[1::3] *= 1000
    queries = space.place(asked)
    counts = space.coordinate_counts(np.array([1, 2, 1, 1, 0]))
    assert_same(find_by_leaves(queries, rows, counts, count=2), brute_force(queries, rows, counts, count=2))
    only = space.coordinate_counts(np.array([0, 0, 0, 3, 0]))
    assert_same(find_by_leaves(queries, rows, only, count=2), brute_force(queries, rows, only, count=2))


def test_a_query_beyond_float32_finds_its_row():
    rows = Points(np.array([[0.0, 0.0], [1e100, 0.0], [3e100, 0.0]]), 2, 2)
    queries = Points(np.array([[1.4e100, 0.0], [1e110, 0.0], [0.0, 0.0]]), 2, 2)
    found, _ = find_by_leaves(queries, rows, np.ones(2, int))
    assert found.ravel().tolist() == [1, 2, 0]


def test_a_number_missing_where_none_was_in_training():
    rng = np.random.default_rng(3)
    space, rows = space_of(as_table(rng.random((700, 4))))
    asked = rng.random((30, 4))
    asked[::2, 1] = np.nan
    queries = space.place(asked)
    counts = np.array([1, 1, 0, 2])
    assert_same(find_by_leaves(queries, rows, counts, count=2), brute_force(queries, rows, counts, count=2))


def test_a_case_without_rows_of_other_groups_finds_none():
    rows = Points(np.random.default_rng(0).random((200, 2)), 2, 2)
    groups = np.zeros(200, dtype=np.int64)
    found, squared = find_by_leaves(rows, rows, np.ones(2, int), row_groups=groups, query_groups=groups)
    assert (found == -1).all()
    assert np.isinf(squared).all()


def test_effort_grows_with_the_number_of_coordinates():
    rng = np.random.default_rng(4)
    rows, queries = Points(rng.random((20_000, 10)), 10, 10), Points(rng.random((32, 10)), 10, 10)
    shares = [Leaves.of(rows, np.arange(10) < n_columns).effort(queries).share for n_columns in (2, 4, 6, 8, 10)]
    assert sorted(shares) == shares
    assert shares[0] < 0.01
    assert shares[-1] > 0.1


def sample(kind, n_rows):
    X, y = make_twonorm(n_rows, n_features=6, random_state=0)
    return (np.clip(np.rint(X), -2, 2) if kind == "coarse" else X), y


@pytest.mark.parametrize("kind", ["fine", "coarse"])
@pytest.mark.parametrize("replacement", [False, True])
def test_leaves_and_scanning_agree(monkeypatch, kind, replacement):
    """Coarse numbers are full of ties, and of rows that are equal along few columns."""
    X, y = sample(kind, 1200)
    model = FeatureSubsetNeighborsClassifier(12, subset_size=3, replacement=replacement, random_state=0)
    model.fit(X[:900], y[:900], sample_weight=np.arange(900) % 3)
    expected = model.member_predictions(X[900:])
    for name in ("may_pay", "leaves_pay"):
        monkeypatch.setattr(feature_subsets, name, lambda *_: True)
    np.testing.assert_array_equal(model.member_predictions(X[900:]), expected)
    model.n_jobs = 2
    np.testing.assert_array_equal(model.member_predictions(X[900:]), expected)


@pytest.mark.parametrize(
    ("kind", "n_rows", "n_queries", "pays"),
    [
        ("fine", 20_000, 20_000, True),
        ("fine", 20_000, 300, False),  # arranging takes longer than scanning
        ("fine", 2_000, 20_000, False),
        ("coarse", 20_000, 20_000, True),
        ("coarse", 20_000, 300, False),  # sorting takes longer than scanning
    ],
)
def test_where_leaves_pay(kind, n_rows, n_queries, pays):
    X, y = sample(kind, n_rows + n_queries)
    model = FeatureSubsetNeighborsClassifier(3, subset_size=2, replacement=False, random_state=0)
    layout = model.fit(X[:n_rows], y[:n_rows])._cases.layout
    pairs = np.eye(6, dtype=int)[:3] + np.eye(6, dtype=int)[3:]
    counts, queries = layout.space.coordinate_counts(pairs), layout.space.place(X[n_rows:])
    keys = np.random.default_rng(0).random((3, 2))
    ranks = Ranks.of(layout.points, queries)
    assert (may_pay(layout, n_queries, counts) and leaves_pay(layout, queries, ranks, counts, keys)) is pays
