"""Training support vector machines in as many calls of the kernel as it takes, each about a second long."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Numbers that the kernel goes through in about a second.
WORK = 2**29


def fit_pairs(
    matrix: NDArray[np.float64],
    columns: NDArray[np.int64],
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    cost: NDArray[np.float64],
    scale: bool,
    tol: float,
    max_iter: int,
    coefficients: NDArray[np.float64],
    intercepts: NDArray[np.float64],
    gaps: NDArray[np.float64],
    n_iter: NDArray[np.int64],
) -> None:
    """Train a machine for each pair of classes; parameters are those of `covey.kernels.smo.improve_pairs`."""
    from covey.kernels.multipliers import STATES
    from covey.kernels.smo import N_COUNTS, PAIR, improve_pairs, working_rows

    largest, n_columns = int(np.sort(np.diff(starts))[-2:].sum()), len(columns)
    room = np.empty((n_columns + STATES + 1) * largest + n_columns)
    chosen = np.empty(working_rows(n_columns), dtype=np.int64)
    counts = np.zeros(N_COUNTS, dtype=np.int64)
    data = matrix, columns, order, starts, cost, scale, tol, max_iter
    while counts[PAIR] < len(intercepts):
        improve_pairs(*data, coefficients, intercepts, gaps, n_iter, room, chosen, counts, WORK)
