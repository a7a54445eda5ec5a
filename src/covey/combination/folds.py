"""Folds: which rows train a member, and which it is then asked about."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

Rows = NDArray[np.intp]
Fold = tuple[Rows, Rows]  # the rows that train, and those that are asked

# By default: five folds, four from this many rows on, and one part held out from that many on, which says enough about
# a few weights and takes a fraction of the time.
MANY_ROWS = 2_000
HELD_OUT_FROM = 20_000


def make_folds(
    cv: Any, X: Any, y: NDArray[Any], weight: NDArray[np.float64], groups: Any, seed: np.random.SeedSequence
) -> list[Fold]:
    """Return the folds of the rows that have weight: by size, by number, or by a splitter."""
    present = np.flatnonzero(weight > 0)
    if len(present) == 1:  # nothing can be left out
        return [(present, present)]
    if groups is not None and (cv is None or isinstance(cv, int | np.integer)):
        groups = _group_numbers(groups, present, len(y))
    if cv is None:
        n_rows = len(present)
        n_folds = 5 if n_rows < MANY_ROWS or n_rows >= HELD_OUT_FROM else 4
        folds = even_folds(present, y, n_folds, groups, seed)
        return folds[:1] if n_rows >= HELD_OUT_FROM else folds
    if isinstance(cv, int | np.integer):
        if not 2 <= cv <= len(present):
            most = len(present)
            raise ValueError(f"cv={cv} folds cannot be made of {most} rows; give 2 to {most}, or None for a default.")
        return even_folds(present, y, int(cv), groups, seed)
    try:
        splits = list(check_cv(cv, y, classifier=y.dtype.kind in "iu").split(X, y, groups))
        folds = [(np.asarray(a)[weight[a] > 0], np.asarray(b)[weight[b] > 0]) for a, b in splits]
    except (TypeError, ValueError, IndexError) as error:
        if hasattr(cv, "split"):  # it says itself what it lacks
            raise
        raise ValueError(
            f"cv={cv!r:.60} does not give pairs of row numbers below {len(y)}, those to train and those to ask; give "
            "such pairs, a splitter of scikit-learn, or a number of folds."
        ) from error
    if not folds or not all(len(a) and len(b) for a, b in folds):
        raise ValueError(f"cv={cv!r:.60} has a split without rows to train or to ask; give one with fewer splits.")
    return folds


def _group_numbers(groups: Any, present: Rows, n_rows: int) -> Rows:
    """Return the group of each row by its number; there must be several."""
    import pandas as pd

    if np.ndim(groups) != 1 or len(groups) != n_rows:
        raise ValueError(f"groups has the shape {np.shape(groups)}, and X has {n_rows} rows; give one group per row.")
    codes, _ = pd.factorize(np.asarray(groups), sort=True)
    without = present[codes[present] < 0]
    if len(without):
        raise ValueError(f"groups has no value for row {without[0]}; give one group per row.")
    if len(np.unique(codes[present])) < 2:
        raise ValueError("groups has one group only; give two groups or more, or leave it out.")
    return np.asarray(codes, dtype=np.intp)


def even_folds(rows: Rows, y: NDArray[Any], n_folds: int, groups: Any, seed: np.random.SeedSequence) -> list[Fold]:
    """Return folds that are alike in their targets: rows next to each other by target go to different folds.

    A class may have fewer rows than there are folds. Groups, if there are any, are kept together.
    """
    rng = np.random.default_rng(seed)
    units, unit_of = rows, np.arange(len(rows))
    if groups is not None:
        _, first, unit_of = np.unique(np.asarray(groups)[rows], return_index=True, return_inverse=True)
        units = rows[first]
    n_folds = min(n_folds, len(units))
    order = rng.permutation(len(units))
    order = order[np.argsort(y[units[order]], kind="stable")]
    fold_of = np.empty(len(units), dtype=np.intp)
    for start in range(0, len(units), n_folds):
        block = order[start : start + n_folds]
        fold_of[block] = rng.permutation(n_folds)[: len(block)]
    fold_of_row = fold_of[unit_of]
    folds = [(rows[fold_of_row != fold], rows[fold_of_row == fold]) for fold in range(n_folds)]
    return [(train, asked) for train, asked in folds if len(train) and len(asked)]
