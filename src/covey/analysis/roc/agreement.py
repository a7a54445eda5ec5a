"""What Triskel's vote amounts to: the first pair that agrees decides, else the arbiter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.roc.binary import read_case_weights
from covey.table.target import check_labels


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

    Returns
    -------
    ndarray of shape (n_cases,)

    Examples
    --------
    >>> from covey.analysis import first_agreement
    >>> first_agreement([([-1, -1, 1], [-1, 1, 1]), ([1, 1, -1], [1, 1, -1])], [-1, -1, -1])
    array([-1,  1,  1])
    """
    said = check_labels(arbiter, "arbiter")
    read = read_pairs(pairs)
    kinds = {"text" if one.dtype.kind in "US" else "numbers" for one in [said, *(one for pair in read for one in pair)]}
    if len(kinds) > 1:
        raise ValueError("pairs and arbiter mix text and numbers as labels; make them all of one kind.")
    for number, (plus, minus) in reversed(list(enumerate(read))):
        for side, one in enumerate((plus, minus)):
            if len(one) != len(said):
                raise ValueError(
                    f"pairs[{number}][{side}] has {len(one)} labels, but arbiter has {len(said)}; give one per case."
                )
        said = np.where(plus == minus, plus, said)
    return said


def read_pairs(pairs: Any) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return the labels of pairs of classifiers, round by round."""
    if not isinstance(pairs, Sequence | np.ndarray) or isinstance(pairs, str):
        raise TypeError(f"pairs={pairs!r:.60} must be a sequence; give a pair (plus, minus) of labels for each round.")
    read = []
    for number, pair in enumerate(pairs):
        if not isinstance(pair, Sequence | np.ndarray) or isinstance(pair, str) or len(pair) != 2:
            raise ValueError(f"pairs[{number}] is no pair; give (plus, minus), the labels that h+ and h- predict.")
        plus, minus = (check_labels(one, f"pairs[{number}][{side}]") for side, one in enumerate(pair))
        if len(plus) != len(minus):
            raise ValueError(f"pairs[{number}] has {len(plus)} and {len(minus)} labels; give one per case for both.")
        read.append((plus, minus))
    return read


def inclusion_share(plus: Any, minus: Any, positive: Any = None, sample_weight: Any = None) -> float:
    """Return the share of cases that break the inclusion assumption: h+ says +1, and h- says -1.

    Where it is 0, proposition 1 of the Triskel paper is exact: see `embedded_space`.

    Parameters
    ----------
    plus, minus : array-like of shape (n_cases,)
        The labels that h+ and h- predict, of no more than two classes.
    positive : label, optional
        The positive class, by default the greater of the labels that are predicted.
    sample_weight : array-like of shape (n_cases,), optional
        What each case counts; by default 1.

    Returns
    -------
    float

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
    weights = read_case_weights(sample_weight, len(first))
    chosen = labels[-1] if positive is None else positive
    broken = np.array([one == chosen != other for one, other in zip(first.tolist(), second.tolist(), strict=True)])
    return float(weights[broken].sum() / weights.sum())
