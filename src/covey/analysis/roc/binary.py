"""Labels of a binary problem: the true classes of cases, and the votes of pairs of biased classifiers on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._text import listed
from covey.analysis.labels import distinct_labels
from covey.analysis.numbers import Floats, read_weights
from covey.table.target import check_labels

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class BinaryCases:
    """The true classes of cases, and what each case counts."""

    truth: Bools  # whether each case is positive
    weights: Floats
    positive: Any
    negative: Any  # None where no case shows it

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

    def share(self, chosen: Bools, positive: bool) -> float:
        """Return which share of the positive or of the negative cases is chosen; NaN where the class has no weight."""
        some = self.truth if positive else ~self.truth
        whole = float(self.weights[some].sum())
        return float(np.where(chosen, self.weights, 0.0)[some].sum()) / whole if whole > 0 else float("nan")


def read_cases(y_true: Any, positive: Any = None, sample_weight: Any = None) -> BinaryCases:
    """Return the cases of a binary problem; the positive class is by default the greater label."""
    classes, codes = distinct_labels(y_true, "y_true")
    labels = classes.tolist()
    if not labels:
        raise ValueError("y_true has no case; give the label of at least one.")
    if len(labels) > 2:
        few = listed([repr(label) for label in labels], 4)
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
    return BinaryCases(
        truth, read_weights(sample_weight, len(truth), "sample_weight", "case"), chosen, others[0] if others else None
    )


def first_agreement(pairs: Any, arbiter: Any) -> NDArray[Any]:
    """Return what the first pair of biased classifiers says that agrees, and the arbiter's word where none does.

    Triskel's vote (Khoussainov, Heß and Kushmerick 2005, section 3) amounts to this for all weights of which twice
    that of a pair exceeds the sum of all later votes, such as 2^(K - t) for the members of round t of K and 1 for the
    arbiter.

    Parameters
    ----------
    pairs : sequence of (array-like, array-like), each of shape (n_cases,)
        The labels that h+ and h- predict, round by round; array-like of shape (n_rounds, 2, n_cases). It may be empty.
    arbiter : array-like of shape (n_cases,)
        The labels that the arbiter predicts.

    Examples
    --------
    >>> from covey.analysis import first_agreement
    >>> first_agreement([([-1, -1, 1], [-1, 1, 1]), ([1, 1, -1], [1, 1, -1])], [-1, -1, -1])
    array([-1,  1,  1])
    """
    vote = check_labels(arbiter, "arbiter")
    read = read_pairs(pairs)
    kinds = {labels.dtype.kind in "US" for labels in [vote, *(labels for pair in read for labels in pair)]}
    if len(kinds) > 1:
        raise ValueError("pairs and arbiter mix text and numbers as labels; make them all of one kind.")
    for number, (plus, minus) in reversed(list(enumerate(read))):
        if len(plus) != len(vote):
            raise ValueError(f"pairs[{number}] has {len(plus)} labels, but arbiter has {len(vote)}; give one per case.")
        vote = np.where(plus == minus, plus, vote)
    return vote


def read_pairs(pairs: Any) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return the labels of pairs of classifiers, round by round."""
    if not _is_sequence(pairs):
        raise TypeError(f"pairs={pairs!r:.60} must be a sequence; give a pair (plus, minus) of labels for each round.")
    read = []
    for number, pair in enumerate(pairs):
        if not _is_sequence(pair) or len(pair) != 2:
            raise ValueError(f"pairs[{number}] is no pair; give (plus, minus), the labels that h+ and h- predict.")
        plus, minus = (check_labels(labels, f"pairs[{number}][{side}]") for side, labels in enumerate(pair))
        if len(plus) != len(minus):
            raise ValueError(f"pairs[{number}] has {len(plus)} and {len(minus)} labels; give one per case for both.")
        read.append((plus, minus))
    return read


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


def inclusion_share(plus: Any, minus: Any, positive: Any = None, sample_weight: Any = None) -> float:
    """Return the share of cases that break the inclusion assumption: h+ says +1, and h- says -1.

    Where it is 0, proposition 1 of the Triskel paper is exact: see `embedded_space`.

    Parameters
    ----------
    plus, minus : array-like of shape (n_cases,)
        The labels that h+ and h- predict, of no more than two classes.
    positive, sample_weight
        As for `roc_point`; the positive class is by default the greater of the labels that are predicted.

    Examples
    --------
    >>> from covey.analysis import inclusion_share
    >>> inclusion_share([-1, 1, 1, -1], [1, 1, -1, -1])
    0.25
    """
    ((first, second),) = read_pairs([(plus, minus)])
    labels = sorted({*first.tolist(), *second.tolist()}, key=lambda label: (isinstance(label, str), label))
    others = [label for label in labels if label != positive]
    if len(labels) > 2 or (positive is not None and len(others) > 1):
        raise ValueError(
            f"plus and minus say {', '.join(map(repr, labels[:4]))}, but the inclusion assumption is of binary "
            f"problems; give labels of two classes{'' if positive is None else f', positive={positive!r} among them'}."
        )
    if not labels:
        raise ValueError("plus and minus have no case; give the labels of at least one.")
    weights = read_weights(sample_weight, len(first), "sample_weight", "case")
    chosen = labels[-1] if positive is None else positive
    broken = np.array([says == chosen != other for says, other in zip(first.tolist(), second.tolist(), strict=True)])
    return float(weights[broken].sum() / weights.sum())
