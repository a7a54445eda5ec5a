"""Learners that leave marks, and data, for the tests of repeated runs."""

from __future__ import annotations

import sys
from pathlib import Path
from uuid import uuid4

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from covey.study import (
    BootstrapSamples,
)

IRIS = load_iris(return_X_y=True)
SAMPLES = BootstrapSamples(n_repeats=8, sample_size=40)

# Worker processes cannot import the tests, so they are sent their classes whole.
try:
    from joblib.externals import cloudpickle
except ImportError:  # joblib 1.6 no longer brings its own
    import cloudpickle
cloudpickle.register_pickle_by_value(sys.modules[__name__])


class Observed(ClassifierMixin, BaseEstimator):
    """A random tree that leaves a mark in a folder for each fit, and fails while the folder tells it to.

    It is told by the sum of the training rows, which only one fit has.
    """

    def __init__(self, folder: str, random_state=None):
        self.folder = folder
        self.random_state = random_state

    def fit(self, X, y):
        folder = Path(self.folder)
        (folder / f"{uuid4().hex}.fit").touch()
        if (folder / f"{X.sum()!r}.fails").exists():
            raise Unreadable("it was told to fail", "twice")
        self.tree_ = DecisionTreeClassifier(splitter="random", random_state=self.random_state).fit(X, y)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


class Unreadable(Exception):
    """An exception that pickle can write but not read."""

    def __init__(self, first, second):
        super().__init__(first)


def make_fail(folder: Path, protocol, number: int) -> Path:
    plan = protocol.plan(*IRIS, random_state=0)
    flag = folder / f"{plan[number].X.sum()!r}.fails"
    flag.touch()
    return flag


def n_fits(folder: Path) -> int:
    return len(list(folder.glob("*.fit")))


def mixed_frame(n=90):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "kind": pd.Categorical(rng.choice(["p", "q", "r"], n)),
            "town": rng.choice(["X", "Y"], n),
        }
    )
    y = np.where((frame["size"] > 0) ^ (frame["kind"] == "p"), "good", "wretched")
    frame.loc[::7, "size"] = np.nan
    frame.loc[::11, "kind"] = None
    return frame, pd.Series(y, dtype="category")
