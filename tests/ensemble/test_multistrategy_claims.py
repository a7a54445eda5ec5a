"""The multi-strategy paper's claims about error: ensembles beat the tree, and strategies together beat each alone."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import KFold

from covey import method
from covey.datasets import make_led, make_ringnorm, make_threenorm, make_twonorm, make_waveform

SINGLE, PAIRS = ("wag", "boost", "sasc"), ("mb", "boostsasc", "wagsasc")
SYSTEMS = ("c4.5", *SINGLE, *PAIRS, "mbsasc")

EMBEDDED = {
    "wine": lambda: load_wine(return_X_y=True),
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
    "led-24": lambda: make_led(200, random_state=0, as_frame=True),
    "waveform": lambda: make_waveform(300, random_state=0),
    "twonorm": lambda: make_twonorm(300, random_state=0),
    "threenorm": lambda: make_threenorm(300, random_state=0),
    "ringnorm": lambda: make_ringnorm(300, random_state=0),
}


def error(system, X, y, members, repeats):
    """The share of rows that a system gets wrong in repeated three-fold cross-validation."""
    take, labels = getattr(X, "iloc", X), np.asarray(y)
    size = {} if system == "c4.5" else {"n_estimators": members}
    wrong = 0
    for repeat in range(repeats):
        for fold, (train, test) in enumerate(KFold(3, shuffle=True, random_state=repeat).split(labels)):
            model = method(system, random_state=3 * repeat + fold, **size).fit(take[train], labels[train])
            wrong += np.count_nonzero(model.predict(take[test]) != labels[test])
    return wrong / (repeats * len(labels))


def test_ensembles_beat_the_tree_and_three_strategies_beat_one():
    tables = [make() for make in EMBEDDED.values()]
    mean = {system: np.mean([error(system, X, y, 30, 1) for X, y in tables]) for system in SYSTEMS}
    assert max(mean[system] for system in SYSTEMS[1:]) < mean["c4.5"]
    assert mean["mbsasc"] <= np.mean([mean[system] for system in SINGLE])
