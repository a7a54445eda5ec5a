"""The first fit of each family: from an empty cache of kernels, and in a new process from a full one.

Each family is fitted in a process of its own with a cache of its own; wall time, CPU time with that of processes that
compile beside it, and the targets. Times begin after scikit-learn is imported. Run by ``make bench-compile``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile

from measure import verdict

WALL_SECONDS, ALL_CPU_SECONDS, WARM_SECONDS = 15.0, 40.0, 1.0
FAMILIES = {
    "C4.5": "C45Classifier()",
    "boosted trees": "MultiBoostClassifier(n_estimators=5, random_state=0)",
    "sphere covers": "SphereEnsembleClassifier(n_estimators=5, random_state=0)",
    "feature subsets": "FeatureSubsetNeighborsClassifier(n_estimators=5, random_state=0)",
    "linear SVM": "LinearSVMClassifier()",
    "Triskel": "TriskelClassifier(random_state=0)",
    "random subspaces": "RandomSubspaceClassifier(n_estimators=5, random_state=0)",
    "combination": "CoveyClassifier(budget=5, random_state=0)",
}
FIT = """
import resource, time
import numpy as np, sklearn.tree, sklearn.ensemble
rng = np.random.default_rng(0)
X = rng.normal(size=(300, 6))
y = (X[:, 0] + X[:, 1] > 0).astype(int)
began, used = time.perf_counter(), time.process_time()
import covey
covey.{estimator}.fit(X, y).predict(X)
from covey.kernels import ahead
passed, used = time.perf_counter() - began, time.process_time() - used
for process in filter(None, ahead._begun.values()):
    process.wait()
beside = resource.getrusage(resource.RUSAGE_CHILDREN)
print(passed, used + beside.ru_utime + beside.ru_stime)
"""
ALL = """
import resource, time
from covey.kernels.ahead import compile_all
began = time.perf_counter()
compile_all()
beside = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.perf_counter() - began, beside.ru_utime + beside.ru_stime)
"""


def timed(code: str, cache: str) -> tuple[float, float]:
    """Run code in a new process with a cache of kernels, and return the wall and CPU time that it prints."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    wall, cpu = map(float, done.stdout.split()[-2:])
    return wall, cpu


def main(chosen: list[str]) -> None:
    """Print a line for each family, and one for all kernels."""
    for name in chosen:
        with tempfile.TemporaryDirectory() as cache:
            code = FIT.format(estimator=FAMILIES[name])
            (wall, cpu), (again, _) = timed(code, cache), timed(code, cache)
        first = verdict(wall <= WALL_SECONDS)
        warm = verdict(again <= WARM_SECONDS)
        print(
            f"  {name:<18} first fit {wall:5.1f} s, {cpu:5.1f} s of CPU (at most {WALL_SECONDS:.0f} s: {first})", end=""
        )
        print(f"; in a new process {again:.2f} s (at most {WARM_SECONDS:.1f} s: {warm})", flush=True)
    with tempfile.TemporaryDirectory() as cache:
        wall, cpu = timed(ALL, cache)
    print(f"  all kernels        {wall:.1f} s, {cpu:.1f} s of CPU (at most {ALL_CPU_SECONDS:.0f} s: ", end="")
    print(f"{verdict(cpu <= ALL_CPU_SECONDS)})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    main(parser.parse_args().families)
