"""The paper's experiments, and how they are made smaller."""

from __future__ import annotations

from covey.reproduce.paper import Experiment, Quick
from covey.reproduce.triskel.reading import CAKE, COVERING, FOLDS, METHODS, OVERSAMPLING

# Many classes, and so many pairs of them, take most of the time of all.
_SLOW = ("audiology", "primary-tumor", "soybean", "vowel")
_ONCE, _FEW = Quick(n_repeats=1), Quick(n_repeats=1, without=_SLOW)
_LATER = tuple(f"cake {draw}" for draw in range(4, 11))

EXPERIMENTS = (
    Experiment(FOLDS, ("1", "2", "figure 2"), _ONCE, FOLDS, METHODS, "eight methods on 15 datasets"),
    Experiment(COVERING, (), _FEW, FOLDS, ("separate-2", "separate-4"), "separation instead of soft covering"),
    Experiment(
        OVERSAMPLING, (), _FEW, FOLDS, ("oversample-1", "oversample-w4"), "oversampling instead of undersampling"
    ),
    Experiment(
        CAKE, ("figure 1", "figure 3", "figure 4"), Quick(n_repeats=1, without=_LATER), title="the layered cake"
    ),
)
