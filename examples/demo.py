"""Fit two ensembles and a single tree on embedded data, and compare them.

Run by ``make demo``. Prints a table and writes it, with every fold's accuracy, to a CSV file.
"""

from __future__ import annotations

import argparse
import csv
import math
import statistics
import time
from pathlib import Path

from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from covey import AdaBoost, EnsembleClassifier, RandomSubspace, Wagging
from covey.datasets import load

DATASETS = ("breast_cancer", "wine", "threenorm", "led-24")
METHODS = {
    "one tree": DecisionTreeClassifier(random_state=0),
    "random subspaces": EnsembleClassifier(n_estimators=50, subspace=RandomSubspace(0.5), random_state=0),
    "multiboosting": EnsembleClassifier(
        DecisionTreeClassifier(max_depth=4), 50, draw=Wagging(), reweight=AdaBoost(), chain_length=10, random_state=0
    ),
}


def accuracies(dataset: str, method: str) -> list[float]:
    """Return the accuracy of a method on each fold of a five times two-fold cross-validation."""
    X, y = load(dataset).to_xy()
    folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    return cross_val_score(METHODS[method], X, y.astype(str), cv=folds).tolist()


def main() -> None:
    """Compare the methods and say where the result is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/demo"), help="directory for the result")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()

    print("Accuracy in %, mean and standard error over 5 x 2-fold cross-validation\n")
    print(f"{'':16}" + "".join(f"{method:>22}" for method in METHODS))
    rows = []
    for dataset in DATASETS:
        found = {method: accuracies(dataset, method) for method in METHODS}
        rows += [(dataset, method, fold, score) for method in METHODS for fold, score in enumerate(found[method])]
        best = max(METHODS, key=lambda method: statistics.mean(found[method]))
        cells = []
        for method in METHODS:
            error = statistics.stdev(found[method]) / math.sqrt(len(found[method]))
            cell = f"{100 * statistics.mean(found[method]):.1f} ± {100 * error:.1f}"
            cells.append(f"{('* ' if method == best else '') + cell:>22}")
        print(f"{dataset:16}" + "".join(cells))

    path = out / "comparison.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("dataset", "method", "fold", "accuracy"), *rows])
    print(f"\n* best of its row. Took {time.perf_counter() - began:.0f} s. Every fold's accuracy is in {path}")


if __name__ == "__main__":
    main()
