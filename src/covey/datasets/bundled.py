"""Datasets that scikit-learn carries with it.

linnerud is left out: it has three targets.
"""

from __future__ import annotations

from covey._text import normalise
from covey.datasets.dataset import DatasetInfo, LoadedTable, Provenance
from covey.datasets.target import Task

SOURCE = "sklearn"


# Task, rows and origin; scikit-learn's descriptions name no licence for any of them.
_BUNDLED: dict[str, tuple[Task, int, str]] = {
    "iris": ("classification", 150, "R. A. Fisher; the values of R's copy, not UCI's, which has two errors"),
    "wine": ("classification", 178, "UCI wine recognition data"),
    "breast_cancer": ("classification", 569, "UCI breast cancer Wisconsin (diagnostic)"),
    "digits": ("classification", 1797, "test set of UCI optical recognition of handwritten digits"),
    "diabetes": ("regression", 442, "Efron et al. (2004), least angle regression; attributes centred and scaled"),
}


def list_bundled() -> dict[str, DatasetInfo]:
    """Return what scikit-learn carries, by normalised name."""
    return {name: DatasetInfo(name, SOURCE, None, task, rows) for name, (task, rows, _) in _BUNDLED.items()}


def load_bundled(name: str) -> LoadedTable:
    """Load one of scikit-learn's datasets; its column "target" holds the names of the classes."""
    import pandas as pd
    import sklearn
    from sklearn import datasets

    key = normalise(name)
    task, _, origin = _BUNDLED[key]
    bunch = getattr(datasets, f"load_{key}")(as_frame=True)
    frame = bunch.frame.astype("float64")
    if task == "classification":
        frame["target"] = pd.Categorical.from_codes(bunch.target, categories=pd.Index(bunch.target_names))
    location = f"scikit-learn {sklearn.__version__}, sklearn.datasets.load_{key}"
    provenance = Provenance(SOURCE, location, "sklearn", notes=(origin,))
    return LoadedTable(key, frame, provenance, "target", task)
