"""What ensembles share that choose how many columns their members see."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def subspace_sizes(n_columns: int) -> list[int]:
    """Return ten numbers of columns, evenly spread up to all of them; fewer where there are fewer."""
    return sorted({max(1, round(tenth * n_columns / 10)) for tenth in range(1, 11)})


def right_shares(votes: NDArray[Any], codes: NDArray[Any]) -> NDArray[np.float64]:
    """Return for each row whether its own class has the most votes: a tie may go either way, and counts in part.

    Parameters
    ----------
    votes : ndarray of shape (..., n_rows, n_classes)
    codes : ndarray of shape (n_rows,)
        The rows' own classes.

    Returns
    -------
    ndarray of shape (..., n_rows)
    """
    most = votes.max(axis=-1)
    winners = np.count_nonzero(votes == most[..., None], axis=-1)
    return np.asarray((votes[..., np.arange(len(codes)), codes] == most) / winners)
