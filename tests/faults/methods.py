"""Learners for the tests of faults, which worker processes import: one that notes its fits, one that misbehaves."""

from __future__ import annotations

import os
import time
from hashlib import sha256
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from waiting import PATIENCE, wait_until

# Names the file that fits are noted in; not a parameter, so that cells keep their keys.
LOG = "COVEY_FAULTS_LOG"


class Noted(ClassifierMixin, BaseEstimator):
    """A random tree that appends a line to a file when a fit begins: the same line for the same fit, in any process.

    Parameters
    ----------
    seconds : float
        How long a fit takes at least.
    """

    def __init__(self, seconds: float = 0.0, random_state=None):
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, X, y):
        if LOG in os.environ:
            content = np.ascontiguousarray(X, dtype=float).tobytes() + str((self.random_state, self.seconds)).encode()
            note(Path(os.environ[LOG]), sha256(content).hexdigest())
        self.misbehave()
        time.sleep(self.seconds)
        self.tree_ = DecisionTreeClassifier(splitter="random", random_state=self.random_state).fit(X, y)
        self.classes_ = self.tree_.classes_
        return self

    def misbehave(self):
        """Do nothing wrong."""

    def predict(self, X):
        return self.tree_.predict(X)


class Told(Noted):
    """A learner that raises, hangs, eats memory or waits, as long as a file is there.

    Its process id goes to a file of the same name with ``.pid`` behind it.

    Parameters
    ----------
    does : {"raise", "hang", "eat", "wait"}
        "wait" is to hang until the file is gone.
    flag : str
        The file.
    """

    def __init__(self, does: str, flag: str, seconds: float = 0.0, random_state=None):
        super().__init__(seconds, random_state)
        self.does = does
        self.flag = flag

    def misbehave(self):
        if not Path(self.flag).exists():
            return
        note(Path(f"{self.flag}.pid"), str(os.getpid()))
        if self.does == "raise":
            raise ArithmeticError("it was told to <fail>")
        if self.does == "hang":
            time.sleep(10 * PATIENCE)
        if self.does == "eat":
            eaten = []
            for _ in range(1000):
                eaten.append(np.ones(1_250_000))
                time.sleep(0.02)
        wait_until(lambda: not Path(self.flag).exists())


def note(file: Path, line: str) -> None:
    """Append a line to a file that several processes write to."""
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(descriptor, f"{line}\n".encode())
    finally:
        os.close(descriptor)
