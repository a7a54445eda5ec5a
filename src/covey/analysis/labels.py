"""Predicted and true labels of any kind, as codes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.table.target import check_labels

Codes = NDArray[np.unsignedinteger[Any]]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Labels:
    """What voters said of cases, and what is true of them.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        The labels, sorted.
    codes : ndarray of the smallest unsigned int of shape (n_voters, n_cases)
        What each voter, a member of an ensemble or a repeated run, says of each case: a position among the classes.
    truth : ndarray of int of shape (n_cases,), or None
        The true class of each case, where it was given.
    """

    classes: NDArray[Any]
    codes: Codes
    truth: NDArray[np.intp] | None

    @property
    def correct(self) -> NDArray[np.bool_]:
        """Whether each voter is right about each case, of the shape of the codes."""
        assert self.truth is not None
        return np.asarray(self.codes == self.truth.astype(self.codes.dtype))


def read_labels(predictions: Any, y: Any = None, *, classes: Any = None, cases: int = 0) -> Labels:
    """Return predictions and true labels as codes of the same classes.

    Parameters
    ----------
    predictions : array-like of shape (n_cases, n_voters) or (n_voters, n_cases)
        Labels: numbers, booleans or text; or, if classes is given, positions among them.
    y : array-like of shape (n_cases,), optional
        The true labels.
    classes : array-like of shape (n_classes,), optional
        An ensemble's ``classes_``, when predictions are the codes that its ``member_predictions`` gives.
    cases : {0, 1}
        Which axis of predictions the cases are on.
    """
    matrix = _matrix(predictions)
    n_cases = matrix.shape[cases]
    known, truth = _encode_truth(y, classes)
    if truth is not None and len(truth) != n_cases:
        shape = "(n_cases, n_members)" if cases == 0 else "(n_repeats, n_cases)"
        raise ValueError(
            f"y has {len(truth)} labels, but predictions, of shape {shape}, has {n_cases} cases; "
            "give a label for each, and transpose predictions if cases are on its other axis."
        )
    by_voter = matrix.T if cases == 0 else matrix
    if classes is not None:
        return Labels(known, _check_codes(by_voter, len(known)), truth)
    found, codes = _encode(np.ascontiguousarray(by_voter), known)
    if truth is not None and len(found) > len(known):
        truth = np.searchsorted(found, known)[truth]
    return Labels(found, codes, truth)


def _matrix(predictions: Any) -> NDArray[Any]:
    matrix = np.asarray(predictions)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(f"predictions has shape {matrix.shape}, but must be a matrix of labels with no empty side.")
    if matrix.dtype.kind in "US" and not hasattr(predictions, "dtype"):
        matrix = np.asarray(predictions, dtype=object)  # NumPy has turned numbers among text into text
    return matrix


def _encode(matrix: NDArray[Any], known: NDArray[Any] | None) -> tuple[NDArray[Any], Codes]:
    """Return the classes in predictions and among the known ones, and the predictions as positions among them."""
    if matrix.dtype.kind not in "biuUS":
        import pandas as pd

        positions, labels = pd.factorize(matrix.reshape(-1), use_na_sentinel=False)
        own, order = _distinct(labels, "predictions")
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


def _distinct(values: Any, name: str) -> tuple[NDArray[Any], NDArray[np.intp]]:
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


def _encode_truth(y: Any, classes: Any) -> tuple[Any, NDArray[np.intp] | None]:
    """Return the classes known before looking at predictions, and the true codes."""
    if classes is None:
        return (None, None) if y is None else _distinct(y, "y")
    known, order = _distinct(classes, "classes")
    if not np.array_equal(order, np.arange(len(known))):
        raise ValueError("classes must be sorted and different, as a fitted model's classes_ are.")
    if y is None:
        return known, None
    labels, codes = _distinct(y, "y")
    strange = [label for label in labels.tolist() if label not in set(known.tolist())]
    if strange:
        raise ValueError(f"y has the label {strange[0]!r}, which is not among classes.")
    return known, np.searchsorted(known, labels)[codes]


def _check_codes(matrix: NDArray[Any], n_classes: int) -> Codes:
    if matrix.dtype.kind not in "iu" or matrix.min() < 0 or matrix.max() >= n_classes:
        raise ValueError(
            f"predictions must be whole numbers from 0 to {n_classes - 1}, positions among classes; "
            "leave classes out if they are labels."
        )
    return np.ascontiguousarray(matrix, dtype=np.min_scalar_type(n_classes - 1))


def vote_shares(labels: Labels, weights: Any = None) -> Floats:
    """Return the share of the votes that each class gets, of shape (n_cases, n_classes).

    Parameters
    ----------
    labels : Labels
        From `read_labels`.
    weights : array-like of shape (n_voters,), optional
        Vote weights, not negative; by default all alike.
    """
    n_voters, n_cases = labels.codes.shape
    weight = check_vote_weights(weights, n_voters)
    votes = np.zeros((n_cases, len(labels.classes)))
    flat, first = votes.reshape(-1), np.arange(n_cases) * len(labels.classes)
    # A voter names one class per case, so no place of the sum is hit twice at a time.
    for codes, one in zip(labels.codes, weight, strict=True):
        flat[first + codes] += one
    return np.asarray(votes / weight.sum())


def check_vote_weights(weights: Any, n_voters: int) -> Floats:
    """Return vote weights as float64, refusing such as cannot be: negative ones, too few, or nothing in sum."""
    if weights is None:
        return np.ones(n_voters)
    weight = np.asarray(weights, dtype=np.float64)
    if weight.shape != (n_voters,):
        raise ValueError(f"weights has shape {weight.shape}, but there are {n_voters} members; give one weight each.")
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError("weights must be finite and not negative; leave members out that are to count for nothing.")
    if not weight.any():
        raise ValueError("weights sum to zero, so nobody votes; give at least one member a positive weight.")
    return weight
