"""Small studies for the tests of rankings and pages: stores with scores of choice, and none that was run."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from covey.study.outcome import Outcome
from covey.study.record import DataRecord, MethodRecord, StudyRecord
from covey.study.results import Results
from covey.study.store import Store

FOLDS = {"kind": "cross-validation", "n_repeats": 2, "n_folds": 3, "stratified": True}


def record_of(datasets, methods, *, protocol=FOLDS, metrics=("accuracy",), task="classification", **changed):
    classes = {} if task == "regression" else {"no": 60, "yes": 40}
    content = {
        "name": "a study",
        "task": task,
        "seed": 1,
        "metrics": tuple(metrics),
        "protocol": dict(protocol),
        "datasets": tuple(
            DataRecord(one, f"{one}.csv", "target", task, 100, 4, 1, 3, classes, "abc") for one in datasets
        ),
        "methods": tuple(
            MethodRecord(one, f"sklearn.dummy.{one}" if "ummy" in one else "covey:c4.5", {}) for one in methods
        ),
        "software": {"python": "3.11", "covey": "0.1"},
        "machine": {"cores": "2"},
        "started": "2026-01-01T00:00:00+00:00",
        "workers": "2 processes",
    }
    return StudyRecord(**(content | changed))


def study_of(folder, scores, *, n_folds=3, arrays=None, seconds=None, warnings=(), **about):
    """Return the results of a study, kept in a folder, of scores by dataset and method, one for each fit.

    A score is a number or a mapping of metric to number; None is one that is missing, a text one that failed. `arrays`
    gives what to keep of a dataset, a method and a fit, and `seconds` how long fits of a method take.
    """
    methods = list(dict.fromkeys(method for table in scores.values() for method in table))
    record = record_of(list(scores), methods, **about)
    keys = {}
    path = folder / f"{sha256(repr(scores).encode()).hexdigest()[:12]}.covey"
    with Store.open(path, write=True) as kept:
        for dataset, table in scores.items():
            for method, values in table.items():
                for fit, score in enumerate(values):
                    labels = {"dataset": dataset, "method": method, "repeat": fit // n_folds, "fit": fit}
                    key = sha256(repr(labels).encode()).hexdigest()
                    keys[key] = labels
                    if isinstance(score, str):
                        kept.put(Outcome(key, labels, "failed", error=score))
                    elif score is not None:
                        by_metric = score if isinstance(score, dict) else {record.metrics[0]: score}
                        time = (seconds or {}).get(method, 0.5)
                        told = {"fit": time, "predict": time / 10}
                        found = {} if arrays is None else arrays(dataset, method, fit)
                        kept.put(Outcome(key, labels, "done", by_metric, told, tuple(warnings), arrays=found))
        kept.put_study(record, keys)
    return Results.in_store(path)


def near(mean, n=6, spread=0.01, seed=0):
    """Return scores around a mean."""
    values = np.random.default_rng(seed).normal(0, spread, n)
    return (mean + values - values.mean()).tolist()
