"""Results made up so that they are the paper's own figures, marks of significance included."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from covey.reproduce.paper import Found
from covey.reproduce.triskel.reading import CAKE, FOLDS, METHODS, PAIRS, published_marks, published_wide

N_FOLDS = 10
# Up and down over folds, so that means stay as they are.
WAVE = np.tile([1.0, -1.0], N_FOLDS // 2)


class Made:
    """What `covey.study.Results` has, of made-up figures of folds.

    Parameters
    ----------
    accuracy, seconds : mapping of (dataset, method) to ndarray of shape (n_folds,)
        Accuracies in per cent.
    """

    def __init__(self, accuracy, seconds=None):
        self.accuracy, self.seconds = dict(accuracy), seconds or {}
        names = [list(dict.fromkeys(key[place] for key in self.accuracy)) for place in (0, 1)]
        self.record = SimpleNamespace(
            datasets=tuple(SimpleNamespace(name=name, source=name) for name in names[0]),
            methods=tuple(SimpleNamespace(name=name, params={}) for name in names[1]),
            protocol_text="made up",
        )

    def frame(self):
        return pd.DataFrame(
            [
                {
                    "dataset": key[0],
                    "method": key[1],
                    "fit": fit,
                    "status": "done",
                    "accuracy": value / 100,
                    "fit seconds": self.seconds.get(key, np.ones(len(folds)))[fit],
                }
                for key, folds in self.accuracy.items()
                for fit, value in enumerate(folds)
            ]
        )


def folds_of(table: int) -> dict[tuple[str, str], np.ndarray]:
    """Return figures of folds that have the printed means, and differ within pairs as significantly as printed."""
    wide, made = published_wide(table), {}
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
    return Found({FOLDS: Made(accuracy, seconds)}, quick=False)


def flat(values):
    """Return results of single means, the same in all folds but for a little."""
    return Made({key: value + 0.1 * WAVE for key, value in values.items()})


@lru_cache
def one_cake() -> Found:
    """Return results on a draw of the layered cake."""
    methods = ("smo", "adaboost-50")
    return Found({CAKE: flat({("cake 1", method): 60.0 for method in methods})}, quick=True)


__all__ = ["METHODS", "Made", "flat", "folds_of", "one_cake", "printed"]
