"""The search along many subsets of coordinates against all distances worked out one by one."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.neighbors import NearestNeighbors

from covey.kernels.subset_program import measure_program
from covey.learners.closest import WIDTHS, find_in_subsets, vote_in_subsets
from covey.learners.space import Points
from kernels.brute_force import all_squared, least, make_points, make_queries_and_rows


def twin(queries, rows, counts, own, count):
    """What `find_in_subsets` should find."""
    lines = []
    for i in range(len(queries)):
        for chosen in counts[i] if counts.ndim == 3 else counts:
            squared = all_squared(queries.take([i]), rows, chosen)
            squared[0, [own[i]] if own[i] >= 0 else []] = np.inf
            lines.append(least(squared, count))
    shape = (len(queries), counts.shape[-2], count)
    return [np.concatenate(part).reshape(shape) for part in zip(*lines, strict=True)]


def draw_counts(rng, shape, most):
    return rng.integers(0, most + 1, shape) * (rng.random(shape) < 0.5)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(["grid", "continuous", "near"]),
    sizes=st.tuples(st.integers(1, 20), st.integers(1, 200)),
    columns=st.tuples(st.integers(0, 8), st.integers(0, 4), st.integers(0, 4)).filter(any),
    n_subsets=st.integers(1, 40),
    most=st.integers(1, 3),
    count=st.integers(1, 4),
    each_its_own=st.booleans(),
)
def test_it_finds_what_all_distances_say(seed, kind, sizes, columns, n_subsets, most, count, each_its_own):
    rng = np.random.default_rng(seed)
    queries, rows = make_queries_and_rows(rng, kind, sizes, columns)
    counts = draw_counts(rng, (*([sizes[0]] if each_its_own else []), n_subsets, rows.exact.shape[1]), most)
    own = rng.integers(-1, len(rows), len(queries))
    expected_rows, expected = twin(queries, rows, counts, own, count)
    found = find_in_subsets(queries, rows, counts, own=own, count=count)
    # What is found is the twin's own sum of squares of it, in the same order of coordinates: equal to the last bit.
    np.testing.assert_array_equal(found.squared, expected)
    np.testing.assert_array_equal(found.rows, expected_rows)


@pytest.mark.parametrize("n_columns", [1, 2, 9, 37, 120])
@pytest.mark.parametrize("kind", ["whole", "real", "far", "huge", "tiny"])
def test_numbers_of_any_size(n_columns, kind):
    rng = np.random.default_rng(n_columns)
    values = {
        "whole": lambda n: rng.integers(0, 3, (n, n_columns)).astype(float),
        "real": lambda n: rng.standard_normal((n, n_columns)),
        "far": lambda n: 1e6 + rng.standard_normal((n, n_columns)),
        "huge": lambda n: 1e140 * rng.standard_normal((n, n_columns)),
        "tiny": lambda n: 1e-30 * rng.standard_normal((n, n_columns)),
    }[kind]
    even = n_columns + n_columns % 2
    queries, rows = (Points(np.pad(values(n), ((0, 0), (0, even - n_columns))), even, even) for n in (5, 130))
    counts = draw_counts(rng, (12, even), 2)
    own = np.full(5, -1)
    expected_rows, expected = twin(queries, rows, counts, own, 2)
    found = find_in_subsets(queries, rows, counts, count=2)
    np.testing.assert_array_equal(found.squared, expected)
    np.testing.assert_array_equal(found.rows, expected_rows)


@pytest.mark.parametrize("width", WIDTHS)
def test_blocks_of_any_width_give_the_same(width, monkeypatch):
    rng = np.random.default_rng(width)
    queries, rows = (make_points(rng, "near", n, 10, 12, 14) for n in (20, 150))
    counts = draw_counts(rng, (30, 14), 2)
    expected = find_in_subsets(queries, rows, counts, count=2)
    monkeypatch.setattr("covey.learners.closest._best_width", lambda *_: width)
    found = find_in_subsets(queries, rows, counts, count=2)
    np.testing.assert_array_equal(found.rows, expected.rows)
    np.testing.assert_array_equal(found.squared, expected.squared)


def test_a_program_shares_sums():
    subsets = np.array([[1, 1, 0, 1], [1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 2]])
    # Of 0+1, 2+3 and twice 3, one each; then 0+1 with 3, 0+1 with 2, and 0+1, 2+3 and 3+3 with 0.
    assert measure_program(subsets, 2, 12, 2) == (4, 3, 10)
    assert measure_program(subsets, 1, 12, 2) == (4, 1, 3 + 3 + 2 + 2 + 2)


@pytest.mark.parametrize("n_columns", [2, 6, 20])
@pytest.mark.parametrize("levels", [2, 5, None])
def test_it_agrees_with_scikit_learn(n_columns, levels):
    """Distances to the k-th neighbour are those of a brute-force search, and rows too where there are no ties."""
    rng = np.random.default_rng(n_columns)
    values = rng.random((700, n_columns)) if levels is None else rng.integers(0, levels, (700, n_columns)).astype(float)
    values[:, 0] = 0.5  # a column that is constant
    values[100:200] = values[:100]  # rows that are there twice
    queries, rows = Points(values[600:], n_columns, n_columns), Points(values[:600], n_columns, n_columns)
    counts = np.array([rng.permutation(n_columns) < max(1, n_columns // 3) for _ in range(25)]).astype(int)
    found = find_in_subsets(queries, rows, counts, count=3)
    for t, chosen in enumerate(counts.astype(bool)):
        brute = NearestNeighbors(n_neighbors=3, algorithm="brute", metric="sqeuclidean").fit(rows.exact[:, chosen])
        distances, _ = brute.kneighbors(queries.exact[:, chosen])
        np.testing.assert_allclose(found.squared[:, t], distances, rtol=1e-9, atol=1e-12)


def test_more_rows_than_there_are():
    points = Points(np.arange(6.0).reshape(3, 2), 2, 2)
    found = find_in_subsets(points, points, np.array([[1, 1], [2, 0]]), own=np.arange(3), count=4)
    np.testing.assert_array_equal(found.rows[0], [[1, 2, -1, -1], [1, 2, -1, -1]])
    np.testing.assert_array_equal(found.squared[0], [[8, 32, np.inf, np.inf], [8, 32, np.inf, np.inf]])


def test_along_nothing_all_are_equal():
    points = Points(np.arange(6.0).reshape(3, 2), 2, 2)
    found = find_in_subsets(points, points, np.zeros((1, 2), dtype=int), own=np.array([0, -1, 2]), count=1)
    np.testing.assert_array_equal(found.rows[:, 0, 0], [1, 0, 0])
    assert not found.squared.any()


def test_no_queries_and_no_subsets():
    points = Points(np.arange(6.0).reshape(3, 2), 2, 2)
    assert find_in_subsets(points.take(np.arange(0)), points, np.ones((2, 2), dtype=int)).rows.shape == (0, 2, 1)
    assert find_in_subsets(points, points, np.ones((0, 2), dtype=int)).rows.shape == (3, 0, 1)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(["grid", "continuous", "near"]),
    sizes=st.tuples(st.integers(1, 15), st.integers(1, 300)),
    columns=st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 4)).filter(any),
    has_keys=st.booleans(),
)
def test_all_at_the_least_distance_vote(seed, kind, sizes, columns, has_keys):
    rng = np.random.default_rng(seed)
    queries, rows = make_queries_and_rows(rng, "grid" if kind == "near" else kind, sizes, columns)
    if kind == "near":  # apart by less than float32 can tell, and by more than what counts as equal
        for points in (queries, rows):
            points.exact[:, : rows.n_numbers] += rng.integers(0, 3, (len(points), 1)) / 2**22
    counts = draw_counts(rng, (20, rows.exact.shape[1]), 2)
    codes, weight = rng.integers(0, 3, sizes[1]), rng.integers(1, 3, sizes[1]).astype(float)
    keys = rng.random((20, 3)) if has_keys else None
    named = rng.integers(-1, sizes[1], sizes[0])  # by turns left out and counted one case less
    out, twin = np.where(np.arange(sizes[0]) % 2 == 0, named, -1), np.where(np.arange(sizes[0]) % 2 == 0, -1, named)
    found = vote_in_subsets(queries, rows, counts, codes, weight, 3, keys=keys, own=out, twin=twin)
    for t in range(20):
        squared = all_squared(queries, rows, counts[t])
        for i in range(sizes[0]):
            there = np.arange(sizes[1]) != out[i]
            if not there.any():
                assert found[i, t] == -1
                continue
            voters = there & (squared[i] <= squared[i, there].min() * (1 + 1e-9))
            votes = np.bincount(codes[voters], (weight - (np.arange(sizes[1]) == twin[i]))[voters], minlength=3)
            candidates = [c for c in set(codes[voters].tolist()) if votes[c] == max(votes)]
            first = {c: np.flatnonzero(voters & (codes == c))[0] for c in candidates}
            best = max(candidates, key=lambda c: keys[t, c]) if has_keys else min(candidates, key=first.__getitem__)
            assert found[i, t] == best
