"""aeon's rotation forest as a peer, run by an interpreter that has aeon.

aeon 1.6 wants older versions of numba and pandas than the project has, so that it lives in an environment of its own::

    python3 -m venv build/aeon && build/aeon/bin/pip install aeon
    AEON_PYTHON=build/aeon/bin/python make bench-trees
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits


def find_python() -> str | None:
    """Return an interpreter that has aeon: the one named by AEON_PYTHON, else this one, or None."""
    named = os.environ.get("AEON_PYTHON")
    return named or (sys.executable if find_spec("aeon") else None)


def best_run(python: str, data: Any, repeats: int) -> tuple[float, float]:
    """Return the least CPU seconds of a fit with 100 trees, and its accuracy on the test rows."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "data.npz")
        np.savez(path, *data)
        command = [python, __file__, str(path), str(repeats)]
        outcome = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, accuracy = outcome.stdout.split()[-2:]
    return float(seconds), float(accuracy)


def main(path: str, repeats: str) -> None:
    """Fit the forest and print how long it took and how often it is right."""
    from aeon.classification.sklearn import RotationForestClassifier

    X_train, X_test, y_train, y_test = np.load(path).values()
    times = []
    with threadpool_limits(1):
        RotationForestClassifier(n_estimators=2, random_state=0, n_jobs=1).fit(X_train[:200], y_train[:200])
        for _ in range(int(repeats)):
            model = RotationForestClassifier(n_estimators=100, random_state=0, n_jobs=1)
            began = time.process_time()
            model.fit(X_train, y_train)
            times.append(time.process_time() - began)
        print(min(times), np.mean(model.predict(X_test) == y_test))


if __name__ == "__main__":
    main(*sys.argv[1:])
