"""Outcomes for the tests of the store."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from covey.study.store import Outcome


def key(number):
    return sha256(str(number).encode()).hexdigest()


def make(number, status="done", **changed):
    content = {
        "labels": {"dataset": "iris", "fit": number},
        "scores": {"accuracy": number / 7},
        "seconds": {"fit": 0.25},
        "arrays": {"predictions": np.arange(number, number + 5)},
    }
    return Outcome(key(number), status=status, **(content | changed))
