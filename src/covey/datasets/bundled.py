"""The datasets that scikit-learn carries with it.

linnerud is left out: it has three targets.
"""

from __future__ import annotations

from dataclasses import dataclass

from covey._text import normalise
from covey.datasets.dataset import DatasetInfo, LoadedTable, Provenance, Task

SOURCE = "sklearn"


@dataclass(frozen=True, slots=True)
class _Bundled:
    task: Task
    rows: int
    origin: str


# scikit-learn's descriptions name no licence for any of them.
_BUNDLED = {
    "iris": _Bundled("classification", 150, "R. A. Fisher; the values of R's copy, not UCI's, which has two errors"),
    "wine": _Bundled("classification", 178, "UCI wine recognition data"),
    "breast_cancer": _Bundled("classification", 569, "UCI breast cancer Wisconsin (diagnostic)"),
    "digits": _Bundled("classification", 1797, "test set of UCI optical recognition of handwritten digits"),
    "diabetes": _Bundled(
        "regression", 442, "Efron et al. (2004), least angle regression; attributes centred and scaled"
    ),
}


def list_bundled() -> dict[str, DatasetInfo]:
    """Return what scikit-learn carries, by normalised name."""
    return {name: DatasetInfo(name, SOURCE, None, entry.task, entry.rows) for name, entry in _BUNDLED.items()}


def load_bundled(name: str) -> LoadedTable:
    """Load one of scikit-learn's datasets.

    Parameters
    ----------
    name : str
        A key of `list_bundled`.

    Returns
    -------
    LoadedTable
        Its target column is called "target" and holds the names of the classes.
    """
    import pandas as pd
    import sklearn
    from sklearn import datasets

    key = normalise(name)
    entry = _BUNDLED[key]
    bunch = getattr(datasets, f"load_{key}")(as_frame=True)
    frame = bunch.frame.astype("float64")
    if entry.task == "classification":
        frame["target"] = pd.Categorical.from_codes(bunch.target, categories=pd.Index(bunch.target_names))
    location = f"scikit-learn {sklearn.__version__}, sklearn.datasets.load_{key}"
    provenance = Provenance(SOURCE, location, "sklearn", notes=(entry.origin,))
    return LoadedTable(key, frame, provenance, "target", entry.task)
