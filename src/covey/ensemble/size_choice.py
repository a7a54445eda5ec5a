"""The number of columns that members see, by errors on rows set aside: a clear minimum, else an elbow, else a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from covey.models.fields import Array, Field, Text, Whole

Floats = NDArray[np.float64]

# How many sizes are tried at most, and of more classes than that, which models of all classes at once take long over.
MOST_SIZES = 20
MANY_CLASSES = 50
SIZES_OF_MANY_CLASSES = 8
# A difference is clear if chance makes one as large in fewer than this share of cases.
LEVEL = 0.05
# What larger sizes still gain matters if it is more than this share of the whole fall.
GAIN = 0.05
# Errors that differ by less, as a share of the largest loss, are equal.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class SizeCurve:
    """Errors by the number of columns that members see, and the number chosen."""

    sizes: NDArray[np.int64]  #: the numbers of columns tried, ascending
    errors: Floats  #: the mean loss on the rows set aside, for each
    standard_errors: Floats  #: its standard error over these rows; NaN if there is one row
    chosen: int  #: the number chosen, which is not among those tried if a rule was followed that gives another
    reason: str  #: "minimum", "elbow" or "rule"

    _state: ClassVar[dict[str, Field]] = {
        "sizes": Array(np.int64, "sizes", low=1),
        "errors": Array(np.float64, "sizes", low=-np.inf, high=np.inf, nan=True),
        "standard_errors": Array(np.float64, "sizes", low=-np.inf, high=np.inf, nan=True),
        "chosen": Whole(1),
        "reason": Text("minimum", "elbow", "rule"),
    }


def candidate_sizes(n_columns: int, n_classes: int = 0) -> list[int]:
    """Return the numbers of columns to try: all up to 20, else 20 from one to all, each by the same factor further.

    Small numbers, where the same factor is less than one column, follow one by one. Of more than 50 classes there are 8
    in the place of 20.
    """
    most, sizes = SIZES_OF_MANY_CLASSES if n_classes > MANY_CLASSES else MOST_SIZES, [1]
    for steps in range(min(n_columns, most) - 1, 0, -1):
        last = sizes[-1]
        sizes.append(max(last + 1, round(last * (n_columns / last) ** (1 / steps))))
    return sizes


def choose_size(sizes: Any, losses: Any, rule: int) -> SizeCurve:
    """Choose the number of columns that members see (thesis, section 3.4).

    The thesis looks at the curve; here, what it looks for is made precise. All sizes are judged on the same cases, so
    two of them are compared by the differences of their losses case by case: a difference is *clear* if its mean over
    its standard error exceeds the one-sided 5 per cent point of Student's t, the 5 per cent being divided by the
    number of sizes that the smaller error was picked from.

    1. A **minimum**, the smallest size of the least error, is chosen if its error is clearly less than those of the
       smallest and of the largest size. It is not the largest, as then no column would be left out; it may be the
       smallest.
    2. An **elbow** is where the fall of the errors comes to an end: the smallest size whose error exceeds the least
       one by at most a twentieth of the fall from the smallest size, or by one standard error of their difference. It
       is chosen if the error of the smallest size is clearly more than the mean of all others, and the elbow is a bend:
       its error lies clearly beneath the straight line from the smallest to the largest size, so that errors that
       fall evenly have none.
    3. Otherwise the **rule** is followed, by Breiman (2001) a third of the columns for numbers and their square root
       for classes.

    Losses are squared errors, or 0 and 1 for right and wrong, of shape (n_sizes, n_rows), on the same rows in the same
    order. Multiplied by a positive number, or all raised by the same amount, they give the same choice.
    """
    tried, loss = np.asarray(sizes, dtype=np.int64), np.asarray(losses, dtype=np.float64)
    errors = loss.mean(axis=1)
    standard = np.array([_standard_error(row) for row in loss])
    for reason, find in (("minimum", _minimum), ("elbow", _elbow)):
        place = find(tried, loss)
        if place is not None:
            return SizeCurve(tried, errors, standard, int(tried[place]), reason)
    return SizeCurve(tried, errors, standard, int(rule), "rule")


def _standard_error(values: Floats) -> float:
    """Return the standard error of a mean, NaN for that of one value."""
    return float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else float("nan")


def _is_clear(differences: Floats, n_picked_from: int, rounding: float) -> bool:
    """Whether differences, one for each case, are more than chance makes of the best of so many sizes."""
    mean = float(differences.mean())
    if len(differences) < 2 or mean <= rounding:
        return False
    bound = float(stats.t.isf(LEVEL / n_picked_from, len(differences) - 1))
    return mean > bound * _standard_error(differences)


def _least(loss: Floats) -> tuple[int, float]:
    """Return the first place of the least error, and how much errors may differ by rounding."""
    errors, rounding = loss.mean(axis=1), ROUNDING * float(np.abs(loss).max())
    return int((errors <= errors.min() + rounding).argmax()), rounding


def _minimum(sizes: NDArray[np.int64], loss: Floats) -> int | None:
    """Return the place of a clear minimum."""
    best, rounding = _least(loss)
    ends = {0, len(sizes) - 1} - {best}
    is_clear = all(_is_clear(loss[end] - loss[best], len(sizes) - 1, rounding) for end in ends)
    return best if best < len(sizes) - 1 and is_clear else None


def _elbow(sizes: NDArray[np.int64], loss: Floats) -> int | None:
    """Return the place of a clear elbow."""
    best, rounding = _least(loss)
    # The mean of all others was not picked from anything, so that a fall is found in noise that hides single sizes.
    if len(sizes) < 3 or not _is_clear(loss[0] - loss[1:].mean(axis=0), 1, rounding):
        return None
    excess = loss - loss[best]
    standard = np.array([_standard_error(row) for row in excess])
    allowed = np.maximum(GAIN * excess[0].mean(), standard) + rounding
    elbow = int((excess.mean(axis=1) <= allowed).argmax())
    share = (sizes[elbow] - sizes[0]) / (sizes[-1] - sizes[0])
    line = (1 - share) * loss[0] + share * loss[-1]
    return elbow if _is_clear(line - loss[elbow], 1, rounding) else None


def subspace_sizes(n_columns: int) -> list[int]:
    """Return ten numbers of columns, evenly spread up to all of them; fewer where there are fewer."""
    return sorted({max(1, round(tenth * n_columns / 10)) for tenth in range(1, 11)})


def right_shares(votes: NDArray[Any], codes: NDArray[Any]) -> NDArray[np.float64]:
    """Return for each row whether its own class has the most votes: a tie may go either way, and counts in part.

    Votes have the shape (..., n_rows, n_classes).
    """
    most = votes.max(axis=-1)
    winners = np.count_nonzero(votes == most[..., None], axis=-1)
    return np.asarray((votes[..., np.arange(len(codes)), codes] == most) / winners)
