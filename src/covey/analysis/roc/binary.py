"""Labelled cases of a binary problem, as ROC analysis reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.encoding import distinct_labels
from covey.analysis.numbers import Floats, check_finite, read_numbers

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class BinaryCases:
    """The true classes of cases, and what each case counts.

    Parameters
    ----------
    truth : ndarray of bool of shape (n_cases,)
        Whether each case is positive.
    weights : ndarray of float64 of shape (n_cases,)
        What each case counts; not negative.
    positive, negative : label
        The two classes; negative is None where no case shows it.
    """

    truth: Bools
    weights: Floats
    positive: Any
    negative: Any

    @property
    def n_positive(self) -> float:
        """The weight of the positive cases."""
        return float(self.weights[self.truth].sum())

    @property
    def n_negative(self) -> float:
        """The weight of the negative cases."""
        return float(self.weights[~self.truth].sum())

    def says_positive(self, predicted: Any, name: str) -> Bools:
        """Return where predictions say positive, refusing labels that the cases do not have."""
        classes, codes = distinct_labels(predicted, name)
        if len(codes) != len(self.truth):
            raise ValueError(f"{name} has {len(codes)} labels for {len(self.truth)} cases; give a label for each case.")
        strange = [label for label in classes.tolist() if label not in (self.positive, self.negative)]
        if len(strange) > (self.negative is None):
            raise ValueError(
                f"{name} has the label {strange[-1]!r}, but the classes are {self.positive!r} (positive) and "
                f"{'one other' if self.negative is None else repr(self.negative)}; ROC analysis is of binary problems."
            )
        return np.array([label == self.positive for label in classes.tolist()], dtype=bool)[codes]

    def shares(self, chosen: Bools) -> tuple[float, float]:
        """Return which share of the negative and of the positive cases is chosen; NaN where a class has no weight."""
        weight = np.where(chosen, self.weights, 0.0)
        of_negative, of_positive = float(weight[~self.truth].sum()), float(weight[self.truth].sum())
        return _share(of_negative, self.n_negative), _share(of_positive, self.n_positive)


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else float("nan")


def read_cases(y_true: Any, positive: Any = None, sample_weight: Any = None) -> BinaryCases:
    """Return the cases of a binary problem.

    Parameters
    ----------
    y_true : array-like of shape (n_cases,)
        The true labels, of two classes; or of one, if positive is given.
    positive : label, optional
        The positive class, by default the greater of the two, such as 1 of -1 and 1.
    sample_weight : array-like of shape (n_cases,), optional
        What each case counts; by default 1.
    """
    classes, codes = distinct_labels(y_true, "y_true")
    labels = classes.tolist()
    if not labels:
        raise ValueError("y_true has no case; give the label of at least one.")
    if len(labels) > 2:
        few = ", ".join(map(repr, labels[:4])) + (", ..." if len(labels) > 4 else "")
        raise ValueError(
            f"y_true has {len(labels)} classes ({few}), but ROC analysis is of binary problems; give the cases of two "
            "classes alone, or one class against the rest as y_true == label."
        )
    if positive is None and len(labels) < 2:
        raise ValueError(f"y_true has the one class {labels[0]!r}; say by positive which class is the positive one.")
    chosen = labels[1] if positive is None else positive
    others = [label for label in labels if label != chosen]
    if len(others) > 1:
        raise ValueError(f"positive={positive!r} is not among the classes of y_true, which are {labels}; give one.")
    truth = np.array([label == chosen for label in labels], dtype=bool)[codes]
    return BinaryCases(truth, read_case_weights(sample_weight, len(truth)), chosen, others[0] if others else None)


def read_case_weights(sample_weight: Any, n_cases: int) -> Floats:
    """Return what each case counts as float64, refusing weights that are negative or nothing in sum."""
    if sample_weight is None:
        return np.ones(n_cases)
    weights = read_numbers(sample_weight, "sample_weight", "give one weight for each case")
    if weights.shape != (n_cases,):
        raise ValueError(f"sample_weight has shape {weights.shape}, but there are {n_cases} cases; give one each.")
    check_finite(weights, "sample_weight", "give a finite weight for each case")
    if (weights < 0).any() or not weights.any():
        raise ValueError("sample_weight must not be negative, and not zero throughout; leave out cases without weight.")
    return weights
