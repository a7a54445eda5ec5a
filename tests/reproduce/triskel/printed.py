"""Results made up so that they are the paper's own figures, marks of significance included."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from covey.reproduce.paper import Found
from covey.reproduce.published import published_wide
from covey.reproduce.triskel.experiments import CAKE, FOLDS, PAIRS
from covey.reproduce.triskel.tables import published_marks
from reproduce.made_up import Made

N_FOLDS = 10
# Up and down over folds, so that means stay as they are.
WAVE = np.tile([1.0, -1.0], N_FOLDS // 2)


def made_of(accuracy, seconds=None):
    """Return accuracies in per cent, and seconds, of folds."""
    ones = np.ones(N_FOLDS)
    return Made(
        {
            key: {"accuracy": folds / 100, "fit seconds": (seconds or {}).get(key, ones)}
            for key, folds in accuracy.items()
        }
    )


def folds_of(table: int) -> dict[tuple[str, str], np.ndarray]:
    """Return figures of folds that have the printed means, and differ within pairs as significantly as printed."""
    wide, made = published_wide("triskel", table), {}
    for first, second in PAIRS:
        marks = published_marks(table, second)
        for data in wide.index:
            gap = wide.loc[data, second] - wide.loc[data, first]
            made[data, first] = np.full(N_FOLDS, wide.loc[data, first])
            width = abs(gap) / 20 if marks[data] else 5 * abs(gap) + 0.01
            made[data, second] = wide.loc[data, second] + width * WAVE
    return made


@lru_cache
def printed(datasets: tuple[str, ...] | None = None) -> Found:
    """Return tables 1 and 2 as if they had been found here."""
    accuracy, seconds = (
        {key: folds for key, folds in folds_of(table).items() if datasets is None or key[0] in datasets}
        for table in (1, 2)
    )
    return Found({FOLDS: made_of(accuracy, seconds)}, quick=False)


def flat(values, seconds=None):
    """Return results of single means, the same in all folds but for a little."""
    return made_of({key: value + 0.1 * WAVE for key, value in values.items()}, seconds)


@lru_cache
def one_cake() -> Found:
    """Return results on a draw of the layered cake."""
    return Found({CAKE: flat({("cake 1", method): 60.0 for method in ("smo", "adaboost-50")})}, quick=True)
