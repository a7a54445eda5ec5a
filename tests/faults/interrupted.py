"""A process that is interrupted: ``python -m faults.interrupted NAME STAGE [n_jobs]``.

It trains a model again and again, or predicts, says "begun" before it does so for the first time in earnest, and at
the end which exception ended that.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np

import covey
from covey import SphereCoverClassifier

ROWS = {
    "c4.5": 20_000,
    "boost": 20_000,
    "alpha-rsc": 4000,
    "greedy": 3000,
    "mfs1": 1500,
    "nn": 4000,
    "smo": 20_000,
    "random-subspace": 5000,
    "alpha-rse": 3000,
    "triskel-w2": 5000,
}


def make(name: str, n_jobs: int):
    model = SphereCoverClassifier(cover="greedy") if name == "greedy" else covey.method(name)
    known = model.get_params()
    return model.set_params(**{key: value for key, value in {"n_jobs": n_jobs}.items() if key in known})


def main(name: str, stage: str, n_jobs: str = "1") -> None:
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS[name], 8))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * rng.normal(size=len(X)) > 0).astype(int)
    model = make(name, int(n_jobs)).fit(X[:200], y[:200])
    model.predict(X[:200])  # everything is loaded and compiled now
    if stage == "predict":
        model.fit(X, y)
    print("begun", flush=True)
    try:
        while True:
            if stage == "fit":
                model.fit(X, y)
            else:
                model.predict(X)
    except BaseException as error:
        print(type(error).__name__, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
