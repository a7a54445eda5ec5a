"""What a model's card keeps of its training: errors on rows that it had not seen, and marks of rows that it had.

Cards come from files and may say anything, so everything read from one is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import pandas as pd

# So many errors, and marks of so many rows, are kept at most.
MOST_ERRORS = 1000
MOST_ROWS = 1000
_MARK = np.dtype(">u4")
_FORGED = "is damaged or forged; save the model again."


def keep_errors(errors: ArrayLike) -> dict[str, Any]:
    """Return the sizes of errors in ascending order; of more than 1,000 those of ranks spread evenly up to the last."""
    sizes = np.sort(np.abs(np.asarray(errors, dtype=np.float64)))
    if sizes.ndim != 1 or not len(sizes) or not np.isfinite(sizes[-1]):
        raise ValueError("errors must be finite numbers, one for each row.")
    n_kept = min(len(sizes), MOST_ERRORS)
    ranks = [-(-place * len(sizes) // n_kept) for place in range(1, n_kept + 1)]
    return {"rows": len(sizes), "sizes": sizes[np.array(ranks) - 1].tolist()}


def interval_half_width(about: Mapping[str, Any], percent: float = 90) -> float:
    """Return how far from a model's predictions about so many percent of new values lie at most.

    It is the conformal quantile of the errors on rows that were left out of the training in a cross-validation: of n
    errors, the one of rank ceil((n + 1) percent / 100). The interval is that of the jackknife with folds in the place
    of single rows: it covers about as many values as asked for where new rows are like those of the training, but
    unlike the jackknife+ and CV+ (Barber and others, 2021) it has no guarantee for every learner. Of more than 1,000
    errors 1,000 are kept, and the next larger one is taken, so that at most 0.1 percent more are covered.

    Parameters
    ----------
    about : mapping
        What the model's file says about it, from `covey.read_about`.
    percent : float, default=90
        Above 0 and below 100.

    Returns
    -------
    float
        To be taken from the predictions, and added to them.

    Raises
    ------
    ValueError
        The file keeps no errors, or too few for so high a percentage.

    Examples
    --------
    >>> from covey.datasets import load
    >>> from covey.models import describe_training, interval_half_width
    >>> about = describe_training(load("diabetes"), errors=range(442))
    >>> interval_half_width(about, 90)
    398.0
    """
    if not 0 < percent < 100:
        raise ValueError(f"percent={percent!r} must be above 0 and below 100.")
    kept = about.get("errors")
    if kept is None:
        raise ValueError(
            "The model's file keeps no errors on rows that were left out of the training, which intervals need; "
            "save a model that predicts numbers again, with Comparison.save_best or covey compare --save-best."
        )
    n_rows, sizes = _checked_errors(kept)
    # As it is written: 99.9 percent of 999 is 999, and not a little more.
    rank = ceil((n_rows + 1) * Fraction(str(percent)) / 100)
    if rank > n_rows:
        raise ValueError(
            f"An interval of {percent:g}% needs the errors of more than {n_rows} rows, which are all that the model's "
            f"file has; ask for {1000 * n_rows // (n_rows + 1) / 10:g}% or less."
        )
    return sizes[len(sizes) * (rank - 1) // n_rows]


def mark_rows(frame: pd.DataFrame) -> dict[str, Any]:
    """Return marks, 32 bits of a hash, of up to 1,000 rows that occur once, and how many rows occur once and twice."""
    marks, counts = np.unique(_marks(frame), return_counts=True)
    once = marks[counts == 1]
    kept = once[:MOST_ROWS].tobytes().hex()  # the smallest of all hashes are as good as drawn by lot
    return {"rows": len(frame), "once": len(once), "twice": int((counts == 2).sum()), "marks": kept}


def count_training_rows(about: Mapping[str, Any], frame: pd.DataFrame) -> tuple[int, bool]:
    """Count the rows of a table that equal, in all columns of a model, rows that the model was trained on.

    Rows with few distinct values come to be equal by chance: how often is estimated from how many rows of the training
    occur twice (Good and Turing), and what is not clearly more is not counted.

    Parameters
    ----------
    about : mapping
        What the model's file says about it, from `covey.read_about`.
    frame : DataFrame
        The model's columns in its order, as `covey.datasets.read_new_rows` gives them.

    Returns
    -------
    count : int
        0 where the file says nothing about rows.
    exact : bool
        False where it is an estimate, for 1,000 rows at most are known, and only such as occur once.
    """
    kept = about.get("row_marks")
    if kept is None:
        return 0, True
    n_trained, n_once, n_twice, known = _checked_marks(kept)
    count = int(np.isin(_marks(frame), known).sum()) if len(known) else 0
    by_chance = len(frame) * 2 * (n_twice + 1) / n_trained * len(known) / max(n_once, 1)
    if count <= by_chance + 3 * sqrt(by_chance):
        return 0, True
    return min(-(-count * n_trained // len(known)), len(frame)), n_trained == len(known)


def _marks(frame: pd.DataFrame) -> NDArray[np.uint32]:
    import pandas as pd

    numeric = pd.api.types.is_numeric_dtype
    columns = {name: one.astype("float64") if numeric(one.dtype) else one for name, one in frame.items()}
    hashes = pd.util.hash_pandas_object(pd.DataFrame(columns), index=False)
    return (hashes.to_numpy() >> np.uint64(32)).astype(_MARK)


def _checked_errors(kept: Any) -> tuple[int, list[float]]:
    """Return for how many rows errors were known, and those that were kept."""
    said: dict[str, Any] = kept if isinstance(kept, dict) else {}
    n_rows, sizes = said.get("rows", 0), said.get("sizes", [])
    sized = isinstance(n_rows, int) and isinstance(sizes, list) and 0 < len(sizes) <= n_rows
    if not sized or not all(isinstance(size, float) and 0 <= size < np.inf for size in sizes) or sizes != sorted(sizes):
        raise ValueError(f"What the model's file says about its errors {_FORGED}")
    return n_rows, sizes


def _checked_marks(kept: Any) -> tuple[int, int, int, NDArray[np.uint32]]:
    """Return how many rows there were, occurred once and twice, and the marks that were kept."""
    try:
        known = np.frombuffer(bytes.fromhex(kept["marks"]), dtype=_MARK)
        rows, once, twice = (int(kept[name]) for name in ("rows", "once", "twice"))
    except (TypeError, ValueError, KeyError, OverflowError):
        known, rows, once, twice = np.empty(0, _MARK), 0, 0, 0
    if not (0 < rows < 2**53 and len(known) <= once <= rows and 0 <= twice <= rows):
        raise ValueError(f"What the model's file says about its rows {_FORGED}")
    return rows, once, twice, known
