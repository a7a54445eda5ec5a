"""Votes of the nearest rows along a few columns, equal rows merged, against all distances worked out one by one."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.learners.case_base import Layout
from covey.learners.leaf_votes import LEAST_GAP, Ranks, merge, vote_by_leaves
from covey.learners.space import Points, Space
from kernels.brute_force import KINDS, all_squared, make_queries_and_rows

TIE = 1e-9


def layout_of(rng, rows, n_classes):
    n_rows, n_columns = rows.exact.shape
    codes, weight = rng.integers(0, n_classes, n_rows), rng.integers(1, 4, n_rows).astype(float)
    low = np.zeros(rows.n_numbers)
    space = Space(np.arange(n_columns), low, low + 0.5, rows.n_plain, rows.n_numbers)
    return Layout(space, rows, codes, weight, np.arange(n_rows))


def winners_by_brute_force(layout, queries, counts, keys):
    squared = all_squared(queries, layout.points, counts)
    voters = squared <= squared.min(axis=1, keepdims=True) * (1 + TIE)
    votes = np.stack([(voters * layout.weight)[:, layout.codes == code].sum(axis=1) for code in range(len(keys))])
    return np.where(votes.max(axis=0)[:, None] - TIE <= votes.T, keys, -np.inf).argmax(axis=1)


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(KINDS),
    sizes=st.tuples(st.integers(1, 60), st.one_of(st.integers(1, 200), st.integers(1000, 2500))),
    columns=st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)).filter(any),
    n_classes=st.integers(1, 4),
    shares_rows=st.booleans(),
)
def test_all_rows_at_the_least_distance_vote(seed, kind, sizes, columns, n_classes, shares_rows):
    rng = np.random.default_rng(seed)
    queries, rows = make_queries_and_rows(rng, kind, sizes, columns)
    if shares_rows:
        queries.exact[::2] = rows.exact[rng.integers(0, len(rows), -(-len(queries) // 2))]
    layout, keys = layout_of(rng, rows, n_classes), rng.random(n_classes)
    counts = rng.integers(0, 3, rows.exact.shape[1])
    winners = vote_by_leaves(layout, queries, Ranks.of(rows, queries), counts, keys)
    np.testing.assert_array_equal(winners, winners_by_brute_force(layout, queries, counts, keys))


def test_equal_rows_and_queries_count_once():
    rows = Points(np.array([[0.0, 5.0], [1.0, 6.0], [0.0, 7.0], [0.0, 8.0]]), 2, 2)
    queries = Points(np.array([[0.0, 1.0], [0.4, 2.0], [0.4, 3.0], [1.0, 4.0]]), 2, 2)
    space = Space(np.arange(2), np.zeros(2), np.full(2, 0.5), 2, 2)
    layout = Layout(space, rows, np.array([1, 0, 0, 1]), np.array([1.0, 1.0, 2.0, 2.0]), np.arange(4))
    merged = merge(layout, Ranks.of(rows, queries), np.array([1, 0]), np.array([0.3, 0.2]))
    assert rows.exact[merged.rows, 0].tolist() == [0.0, 1.0]
    assert merged.ballot.starts.tolist() == [0, 2, 3]
    assert merged.ballot.codes.tolist() == [0, 1, 0]
    assert merged.ballot.votes.tolist() == [2.0, 3.0, 1.0]
    assert queries.exact[merged.queries, 0].tolist() == [0.4]
    assert merged.answered.tolist() == [1, -1, -1, 0]
    assert merged.asked[1] == merged.asked[2] == 0


@pytest.mark.parametrize("values", ["many", "close"])
def test_columns_that_are_not_merged(values):
    column = {"many": np.random.default_rng(0).random(5000), "close": np.array([0.0, 0.5 * LEAST_GAP, 1.0])}[values]
    points = Points(np.column_stack([column, np.zeros(len(column))]), 2, 2)
    ranks = Ranks.of(points, points)
    assert ranks.sizes.tolist() == [0, 1]
    assert ranks.keys(np.array([0, 1]), 2) is None
    assert ranks.keys(np.array([1]), 2) is not None
