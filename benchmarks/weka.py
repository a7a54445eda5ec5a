"""Weka as a peer: where it is, and how long it takes to build a model."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

J48 = ("weka.classifiers.trees.J48",)
MULTIBOOST = ("weka.classifiers.meta.MultiBoostAB", "-I", "100", "-W", "weka.classifiers.trees.J48")
DEBIAN_JAR = "/usr/share/java/weka.jar"


class Run(NamedTuple):
    """What Weka said of a model: its own "Time taken to build model", and the accuracy on test rows."""

    seconds: float
    accuracy: float


def find_jar() -> str | None:
    """Return where Weka is, named by WEKA_JAR or installed by the system, or None if it or Java is not to be found."""
    jar = os.environ.get("WEKA_JAR", DEBIAN_JAR)
    return jar if shutil.which("java") and Path(jar).is_file() else None


def write_arff(path: Path, X: np.ndarray, y: np.ndarray) -> None:
    """Write numeric columns and a class of integers as an ARFF file."""
    n_columns = X.shape[1]
    with path.open("w", encoding="ascii") as file:
        file.write("@relation benchmark\n")
        file.writelines(f"@attribute x{j} numeric\n" for j in range(n_columns))
        file.write(f"@attribute class {{{','.join(str(label) for label in np.unique(y))}}}\n@data\n")
        np.savetxt(file, np.column_stack([X, y]), fmt=["%.17g"] * n_columns + ["%d"], delimiter=",")


def best_run(jar: str, scheme: tuple[str, ...], data: Any, repeats: int) -> Run:
    """Build a model several times and return the fastest run.

    Parameters
    ----------
    jar : str
        Weka's jar.
    scheme : tuple of str
        A classifier and its options.
    data : tuple of ndarray
        Training and test columns, then training and test classes, as ``train_test_split`` returns them.
    repeats : int
        How often.
    """
    X_train, X_test, y_train, y_test = data
    with tempfile.TemporaryDirectory() as directory:
        train, test = Path(directory, "train.arff"), Path(directory, "test.arff")
        write_arff(train, X_train, y_train)
        write_arff(test, X_test, y_test)
        command = ["java", "-XX:+UseSerialGC", "-Xmx3g", "-cp", jar, *scheme, "-t", str(train), "-T", str(test), "-o"]
        return min(_read(subprocess.run(command, check=True, capture_output=True, text=True)) for _ in range(repeats))


def _read(outcome: subprocess.CompletedProcess[str]) -> Run:
    seconds = re.search(r"Time taken to build model: ([\d.]+) seconds", outcome.stdout)
    accuracies = re.findall(r"Correctly Classified Instances\s+\d+\s+([\d.]+)", outcome.stdout)
    if seconds is None or not accuracies:
        raise RuntimeError(f"Weka did not say how long it took: {outcome.stdout}{outcome.stderr}")
    return Run(float(seconds.group(1)), float(accuracies[-1]) / 100)
