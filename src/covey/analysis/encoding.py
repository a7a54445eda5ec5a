"""Labels of any kind as positions among sorted classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.table.target import check_labels

Codes = NDArray[np.unsignedinteger[Any]]


def encode_matrix(matrix: NDArray[Any], known: NDArray[Any] | None) -> tuple[NDArray[Any], Codes]:
    """Return the classes in predictions and among the known ones, and the predictions as positions among them."""
    if matrix.dtype.kind not in "biuUS":
        import pandas as pd

        positions, labels = pd.factorize(matrix.reshape(-1), use_na_sentinel=False)
        own, order = distinct_labels(labels, "predictions")
        classes = join_labels(own, known)
        places = np.searchsorted(classes, own)[order].astype(_smallest(classes))
        return classes, places[positions].reshape(matrix.shape)
    classes = join_labels(np.unique(matrix[0]), known)
    codes, strange = _place(matrix, classes)
    if strange:
        classes = join_labels(np.unique(np.concatenate(strange)), classes)
        codes, _ = _place(matrix, classes)
    return classes, codes


def _place(matrix: NDArray[Any], classes: NDArray[Any]) -> tuple[Codes, list[NDArray[Any]]]:
    """Return each label's position among classes, and the labels that are not among them.

    It goes row by row among the few classes: sorting all labels at once would take many times as long.
    """
    codes = np.empty(matrix.shape, dtype=_smallest(classes))
    find, strange = _finder(classes), []
    for row, out in zip(matrix, codes, strict=True):
        place = find(row)
        out[:] = place
        wrong = classes[place] != row
        if wrong.any():
            strange.append(np.unique(row[wrong]))
    return codes, strange


def _finder(classes: NDArray[Any]) -> Callable[[NDArray[Any]], NDArray[np.intp]]:
    """Return a function that gives labels their positions among classes; what is not among them gets any position.

    Text is found by a number made of those characters in which the classes differ, in half the time of comparing text.
    """
    last = len(classes) - 1
    if classes.dtype.kind != "U":
        return lambda row: np.minimum(np.searchsorted(classes, row), last)
    letters = classes.view(np.uint32).reshape(len(classes), -1)
    columns = np.flatnonzero((letters != letters[0]).any(axis=0))
    factors = np.random.default_rng(0).integers(2**63, size=len(columns), dtype=np.uint64)

    def keys(labels: NDArray[Any]) -> NDArray[np.uint64]:
        letters = labels.astype(classes.dtype).view(np.uint32).reshape(len(labels), -1)
        total = np.zeros(len(labels), dtype=np.uint64)
        for column, factor in zip(columns, factors, strict=True):
            total += letters[:, column] * factor
        return total

    numbers = keys(classes)
    order = np.argsort(numbers)
    numbers = numbers[order]
    if len(np.unique(numbers)) <= last:
        return lambda row: np.minimum(np.searchsorted(classes, row), last)
    return lambda row: order[np.minimum(np.searchsorted(numbers, keys(row)), last)]


def distinct_labels(values: Any, name: str) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the different labels, sorted, and the position of each value among them."""
    labels = check_labels(values, name)
    if labels.dtype.kind == "f" and (labels != np.rint(labels)).any():
        real = labels[labels != np.rint(labels)][0]
        raise ValueError(f"{name} holds {real}, which is no class label; for predicted numbers use squared_loss.")
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.reshape(-1)


def join_labels(labels: NDArray[Any], known: NDArray[Any] | None, name: str = "predictions") -> NDArray[Any]:
    """Return the sorted union of labels and of those known before, refusing text among numbers."""
    if known is None:
        return labels
    said, true = ("text" if one.dtype.kind in "US" else "numbers" for one in (labels, known))
    if said != true:
        raise ValueError(
            f"{name} holds {said}, but the other labels are {true}: all must be of one kind. "
            "If predictions are class codes, give the model's classes_ as classes."
        )
    return np.union1d(labels, known)


def _smallest(classes: NDArray[Any]) -> np.dtype[Any]:
    return np.min_scalar_type(max(len(classes) - 1, 0))
