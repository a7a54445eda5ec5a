"""Shares of classes of which the winner is the greatest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Scores that differ by less than this share of the total are a tie: sums of the same votes in another order are.
TIE = 1e-12


def put_ahead(shares: NDArray[np.float64], winners: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return shares of classes, the winner of a tie ahead by as little as makes it the greatest.

    Without that, the class with the greatest probability would be another one than the prediction.
    """
    rows = np.arange(len(shares))
    ahead, others = shares.copy(), shares.copy()
    others[rows, winners] = -np.inf
    close = others.max(axis=1) > shares[rows, winners] - TIE if shares.shape[1] > 1 else np.zeros(len(rows), bool)
    ahead[rows[close], winners[close]] = others[close].max(axis=1) + TIE
    return ahead
