"""Predicted and true labels of any kind, as codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.encoding import Codes, distinct_labels, encode_matrix
from covey.analysis.numbers import Floats, read_numbers
from covey.table.column import unmask

# Shares of the vote that differ by no more are equal: the same votes summed in another order may differ so much.
TIE = 1e-12


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
    _check_no_gaps(matrix, cases)
    by_voter = np.ascontiguousarray(matrix.T if cases == 0 else matrix)
    if classes is not None and not _is_text(by_voter):
        return Labels(known, _check_codes(by_voter, len(known)), truth)
    found, codes = encode_matrix(by_voter, known)
    if known is not None and len(found) > len(known):
        _check_strangers(found[np.unique(codes)], known, classes)
        truth = None if truth is None else np.searchsorted(found, known)[truth]
    return Labels(found, codes, truth)


def _matrix(predictions: Any) -> NDArray[Any]:
    if hasattr(predictions, "toarray"):
        raise TypeError("predictions is a sparse matrix; give predictions.toarray().")
    if isinstance(predictions, np.ma.MaskedArray):
        predictions = unmask(predictions)
    try:
        matrix = np.asarray(predictions)
    except ValueError:
        raise ValueError("predictions must be a matrix of labels, but its rows differ in length.") from None
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(f"predictions has shape {matrix.shape}, but must be a matrix of labels with no empty side.")
    if matrix.dtype.kind in "US" and not hasattr(predictions, "dtype"):
        matrix = np.asarray(predictions, dtype=object)  # NumPy has turned numbers among text into text
    return matrix


def _check_no_gaps(matrix: NDArray[Any], cases: int) -> None:
    if matrix.dtype.kind not in "fO":
        return
    import pandas as pd

    gaps = np.argwhere(pd.isna(matrix))
    if len(gaps):
        case, voter = gaps[0][[cases, 1 - cases]].tolist()
        who = "member" if cases == 0 else "repeat"
        more = f" (and {len(gaps) - 1} more)" if len(gaps) > 1 else ""
        raise ValueError(
            f"predictions has no label for case {case} by {who} {voter}{more}, both counted from 0; "
            "predict what is missing, or leave that case out."
        )


def _is_text(matrix: NDArray[Any]) -> bool:
    if matrix.dtype.kind == "O":
        return all(isinstance(label, str) for label in matrix[0])
    return matrix.dtype.kind in "US"


def _check_strangers(predicted: NDArray[Any], known: NDArray[Any], classes: Any) -> None:
    """Refuse labels that are not among given classes, and numbers that are positions among y's classes by all signs."""
    strange = np.setdiff1d(predicted, known)
    if classes is not None:
        raise ValueError(f"predictions has the label {strange[0].item()!r}, which is not among classes.")
    positions = np.arange(len(known))
    # Labels that start at 0 are their own codes, as far as can be seen.
    if known.dtype.kind in "US" or len(known) < 2 or 0 in known or np.isin(known, predicted).all():
        return
    if np.isin(predicted, positions).all():
        raise ValueError(
            f"predictions look like class codes from 0 to {positions[-1]}, for y has {_few(known)} and not "
            f"{_few(strange)}; give the model's classes_ as classes, or if they are labels all labels as classes."
        )


def _few(labels: Any) -> str:
    values = list(labels)
    return ", ".join(map(str, values[:4])) + (", ..." if len(values) > 4 else "")


def _encode_truth(y: Any, classes: Any) -> tuple[Any, NDArray[np.intp] | None]:
    """Return the classes known before looking at predictions, and the true codes."""
    if classes is None:
        return (None, None) if y is None else distinct_labels(y, "y")
    known, order = distinct_labels(classes, "classes")
    if not np.array_equal(order, np.arange(len(known))):
        raise ValueError("classes must be sorted and different, as a fitted model's classes_ are.")
    if y is None:
        return known, None
    labels, codes = distinct_labels(y, "y")
    strange = [label for label in labels.tolist() if label not in set(known.tolist())]
    if strange:
        raise ValueError(f"y has the label {strange[0]!r}, which is not among classes.")
    return known, np.searchsorted(known, labels)[codes]


def _check_codes(matrix: NDArray[Any], n_classes: int) -> Codes:
    try:
        numbers = matrix if matrix.dtype.kind in "biu" else matrix.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError("predictions mixes text and numbers as labels; make them all text.") from None
    whole = numbers.dtype.kind != "f" or bool((numbers == np.rint(numbers)).all())
    if not whole or numbers.min() < 0 or numbers.max() >= n_classes:
        raise ValueError(
            f"predictions must be whole numbers from 0 to {n_classes - 1}, positions among classes; "
            "leave classes out if they are labels."
        )
    return np.ascontiguousarray(numbers, dtype=np.min_scalar_type(n_classes - 1))


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
    weight = read_numbers(weights, "weights", "give one weight for each member")
    if weight.shape != (n_voters,):
        raise ValueError(f"weights has shape {weight.shape}, but there are {n_voters} members; give one weight each.")
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError("weights must be finite and not negative; leave members out that are to count for nothing.")
    if not weight.any():
        raise ValueError("weights sum to zero, so nobody votes; give at least one member a positive weight.")
    return weight
