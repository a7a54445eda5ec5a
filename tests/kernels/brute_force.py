"""Points of many kinds, and the closest of them by all distances worked out one by one."""

import numpy as np

from covey.learners.space import Points

KINDS = ["grid", "third", "continuous", "normal", "near", "constant", "copies", "skewed"]


def make_points(rng, kind, n_points, n_plain, n_numbers, n_columns):
    shape = (n_points, n_columns)
    values = {
        "grid": lambda: rng.integers(0, 4, shape) / 4,
        "third": lambda: rng.integers(0, 4, shape) / 3,
        "continuous": lambda: rng.random(shape),
        "normal": lambda: rng.normal(size=shape),
        "near": lambda: rng.integers(0, 3, shape) / 4 + rng.integers(0, 3, (n_points, 1)) / 2**30,
        "constant": lambda: np.full(shape, 0.3),
        "copies": lambda: rng.random((5, n_columns))[rng.integers(0, 5, n_points)],
        "skewed": lambda: np.exp(4 * rng.normal(size=shape)),
    }[kind]()
    values[:, n_numbers:] = rng.integers(-1, 3, (n_points, n_columns - n_numbers))
    gaps = values[:, n_plain:n_numbers]
    gaps[rng.random(gaps.shape) < rng.choice([0.02, 0.3, 0.97])] = np.inf
    return Points(values, n_plain, n_numbers)


def make_queries_and_rows(rng, kind, sizes, columns):
    """Points of which so many pairs of columns are plain numbers, so many may be missing, and so many categories."""
    n_plain = 2 * columns[0]
    n_numbers = n_plain + columns[1]
    return [make_points(rng, kind, size, n_plain, n_numbers, n_numbers + columns[2]) for size in sizes]


def all_squared(queries, rows, counts=None):
    """All squared distances, added up in the order of the kernels; by default each coordinate counts once."""
    n_plain, n_numbers = min(queries.n_plain, rows.n_plain), rows.n_numbers
    counts = np.ones(rows.exact.shape[1], dtype=int) if counts is None else counts
    total = np.zeros((len(queries), len(rows)))
    for f in np.flatnonzero(counts):
        with np.errstate(invalid="ignore"):
            difference = queries.exact[:, f, None] - rows.exact[None, :, f]
            squares = difference * difference
        if n_plain <= f < n_numbers:
            squares = np.where(np.isnan(squares), 0.0, np.where(np.isinf(squares), 1.0, squares))
        elif f >= n_numbers:
            squares = (difference != 0).astype(float)
        total += counts[f] * squares
    return total


def least(values, count):
    """The columns of the least values of each row, the first of equals first, and these values; -1 and infinity."""
    order = np.argsort(values, axis=1, kind="stable")[:, :count]
    where, value = np.full((len(values), count), -1), np.full((len(values), count), np.inf)
    value[:, : order.shape[1]] = np.take_along_axis(values, order, axis=1)
    where[:, : order.shape[1]] = order
    return np.where(np.isinf(value), -1, where), value
