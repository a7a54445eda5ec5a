"""Biases of a classifier against a class, so that it says that class only when it is sure."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from covey.strategies.draw import Weights

Biasing = Literal["undersample", "oversample", "weight", "threshold", "smote"]

BIASINGS: tuple[Biasing, ...] = get_args(Biasing)


def undersampled(
    weight: Weights, disfavoured: NDArray[np.bool_], bias: float, rng: np.random.Generator
) -> tuple[Weights, bool]:
    """Keep a random share 1 - bias of a class's rows, and all others; say whether none was left but one was spared."""
    rows = np.flatnonzero(disfavoured & (weight > 0))
    wanted = round((1.0 - bias) * len(rows))
    kept = np.where(disfavoured, 0.0, weight)
    chosen = rng.choice(rows, size=max(wanted, min(1, len(rows))), replace=False)
    kept[chosen] = weight[chosen]
    return kept, wanted == 0 and len(rows) > 0


def oversampled(weight: Weights, disfavoured: NDArray[np.bool_], bias: float, rng: np.random.Generator) -> Weights:
    """Draw further rows of the other class, until there are 1 / (1 - bias) times as many.

    The classes are then in the proportion that undersampling the one by the same bias would bring about.
    """
    rows = np.flatnonzero(~disfavoured & (weight > 0))
    if not len(rows):
        return weight
    further = rng.choice(rows, size=extra_rows(len(rows), bias))
    return weight * (1.0 + np.bincount(further, minlength=len(weight)))


def extra_rows(count: int, bias: float) -> int:
    """Return how many rows are to be added to this many for a bias."""
    return round(count * bias / max(1.0 - bias, 1.0 / (1 + count)))


def downweighted(weight: Weights, disfavoured: NDArray[np.bool_], bias: float) -> Weights:
    """Multiply the weights of a class's rows by 1 - bias, or by a millionth where that would leave none."""
    return np.where(disfavoured, weight * max(1.0 - bias, 1e-6), weight)


def moved_threshold(values: NDArray[np.float64], bias: float, *, positive: bool) -> float:
    """Return the threshold above which a share 1 - bias of those rows lies that lay above 0, or below for negatives.

    Values are the decision values of the training rows, more than 0 for the positive class, and ``positive`` says
    whether the bias is against saying positive.
    """
    certain = values[values > 0] if positive else -values[values <= 0]
    if not len(certain):
        return 0.0
    level = float(np.quantile(certain, bias)) if bias > 0 else 0.0
    # Rows at the level itself remain on either side.
    return max(float(np.nextafter(level, -np.inf)), 0.0) if positive else -level
