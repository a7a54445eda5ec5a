"""What every measure of diversity reads: labels with the truth beside them, weights, and enough members."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.labels import Labels, check_vote_weights, read_labels, vote_shares
from covey.analysis.numbers import Floats


def read_judged(predictions: Any, y: Any, classes: Any) -> tuple[Labels, NDArray[np.intp]]:
    """Return labels that can be judged, and the truth, which must be given."""
    if y is None:
        raise ValueError("y is None, but this measure compares predictions with the truth; give the true labels as y.")
    labels = read_labels(predictions, y, classes=classes)
    assert labels.truth is not None
    return labels, labels.truth


def check_two_members(labels: Labels, measure: str) -> None:
    """Refuse a single member where a measure compares members."""
    n_members = len(labels.codes)
    if n_members < 2:
        raise ValueError(
            f"{measure} compares members with each other and needs two or more, but predictions has {n_members} "
            "column; give a column for each member."
        )


def relative_weights(weights: Any, n_members: int) -> Floats:
    """Return vote weights of which the largest is 1, so that no sum of them is too large or too small for a float."""
    weight = check_vote_weights(weights, n_members)
    return np.asarray(weight / weight.max())


def shares_of(labels: Labels, weights: Any) -> Floats:
    """Return the share of the votes that each class gets, of shape (n_cases, n_classes); exactly 1 if all agree."""
    shares = vote_shares(labels, relative_weights(weights, len(labels.codes)))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares
