"""Outcomes for the tests of the store."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from covey.study.record import DataRecord, MethodRecord, StudyRecord
from covey.study.store import Outcome, Store


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


def record_of(name, **changed):
    classes = {"setosa": 50, "versicolor": 50, "virginica": 50}
    content = {
        "task": "classification",
        "seed": 1,
        "metrics": ("accuracy",),
        "protocol": {"kind": "cross-validation", "n_repeats": 2, "n_folds": 3, "stratified": True},
        "datasets": (DataRecord("iris", "iris", "species", "classification", 150, 4, 0, 0, classes, "abc"),),
        "methods": (MethodRecord("tree", "covey:c4.5", {}),),
        "software": {"python": "3.11"},
        "machine": {"cores": "2"},
        "started": "2026-01-01T00:00:00+00:00",
        "workers": "2 processes",
    }
    return StudyRecord(name, **(content | changed))


def filled(path, n):
    """Put outcomes into a store and return where it is."""
    with Store.open(path, write=True) as store:
        for number in range(n):
            store.put(make(number))
    return path
