"""The paper's experiments, and how they are made smaller."""

from __future__ import annotations

from covey.reproduce.paper import Experiment, Quick

# What the paper compares, the Triskel second.
PAIRS = (
    ("smo", "triskel-m1"),
    ("adaboost-3", "triskel-1"),
    ("adaboost-10", "triskel-w2"),
    ("adaboost-50", "triskel-w4"),
)
METHODS = tuple(method for pair in PAIRS for method in pair)
FOLDS, COVERING, OVERSAMPLING, CAKE = "folds", "covering", "oversampling", "layered-cake"
# Many classes, and so many pairs of them, take most of the time of all.
_SLOW = ("audiology", "primary-tumor", "soybean", "vowel")
_ONCE, _FEW = Quick(n_repeats=1), Quick(n_repeats=1, without=_SLOW)
_FEW_CAKES = Quick(n_repeats=1, without=tuple(f"cake {draw}" for draw in range(4, 11)))

# fmt: off
EXPERIMENTS = (
    Experiment(FOLDS, ("1", "2", "figure 2"), _ONCE, FOLDS, METHODS, "eight methods on 15 datasets"),
    Experiment(COVERING, (), _FEW, FOLDS, ("separate-2", "separate-4"), "separation instead of soft covering"),
    Experiment(OVERSAMPLING, (), _FEW, FOLDS, ("oversample-1", "oversample-w4"),
               "oversampling instead of undersampling"),
    Experiment(CAKE, ("figure 1", "figure 3", "figure 4"), _FEW_CAKES, title="the layered cake"),
)
# fmt: on
