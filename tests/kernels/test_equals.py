"""The rows at the same distance as one that was found."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from covey.kernels.equals import sum_equals
from covey.learners.space import Points
from kernels.brute_force import all_squared


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=40, deadline=None)
def test_it_is_the_twin(seed, per_query):
    rng = np.random.default_rng(seed)
    n_rows, n_queries, n_subsets, n_classes = int(rng.integers(1, 600)), 4, 3, 3
    rows, queries = (rng.integers(0, 3, (n, 7)).astype(float) for n in (n_rows, n_queries))
    for points in (rows, queries):
        points[:, 2:5][rng.random((len(points), 3)) < 0.2] = np.inf
    counts = rng.integers(0, 3, (n_queries if per_query else 1, n_subsets, 7))
    codes, weight = rng.integers(0, n_classes, n_rows), rng.choice([0.5, 1.0, 2.0], n_rows)
    own = np.array([-1, 0, n_rows - 1, -1])
    pairs = np.array([[q, s] for q in range(n_queries) for s in range(n_subsets)])
    squared = rng.integers(0, 5, len(pairs)).astype(float)
    values = rng.standard_normal(n_rows)
    sums = np.empty((len(pairs), n_classes), dtype=np.int64), np.empty((len(pairs), n_classes)), np.empty(len(pairs))
    sum_equals(pairs, queries, rows, counts, 2, 5, squared, 1e-9, codes, weight, values, own, *sums)
    asked, there = Points(queries, 2, 5), Points(rows, 2, 5)
    for at, (query, subset) in enumerate(pairs.tolist()):
        away = all_squared(asked.take([query]), there, counts[query if per_query else 0, subset])[0]
        mass, total = {}, 0.0
        for row in np.flatnonzero(away == squared[at]):
            amount = weight[row] - (row == own[query])
            if amount > 0:
                mass[codes[row]] = mass.get(codes[row], 0.0) + amount
                total += amount * values[row]
        assert sums[0][at, : len(mass)].tolist() == list(mass)
        np.testing.assert_allclose(sums[1][at], [*mass.values(), *[0.0] * (n_classes - len(mass))])
        np.testing.assert_allclose(sums[2][at], total, atol=1e-9)
