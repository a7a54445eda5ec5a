"""Data files: those a path names, and those in the directories named by the environment variable COVEY_DATA."""

from __future__ import annotations

import csv
import io
import os
from dataclasses import dataclass, replace
from pathlib import Path

from covey._text import normalise, quoted
from covey.datasets.choice import Choice
from covey.datasets.dataset import DatasetInfo, LoadedTable, Provenance
from covey.datasets.errors import DataFormatError
from covey.datasets.reading import read_contents
from covey.datasets.target import Task

SOURCE = "files"
VARIABLE = "COVEY_DATA"
INDEX_NAME = "INDEX.csv"
SUFFIXES = (".arff", ".arff.gz", ".parquet", ".csv", ".csv.gz", ".tsv", ".tsv.gz", ".xlsx")
"""What is read from a directory; where it has two files of one name, the earlier suffix wins."""
PATH_SUFFIXES = (*SUFFIXES, ".txt", ".txt.gz", ".data", ".data.gz")
"""What is read when its path is given; in a directory such a file may well be a description."""

UNTYPED_FORMATS = ("csv", "excel", "parquet")
"""Formats that do not say whether whole numbers are classes."""

_TARGET_NAMES = ("class", "target", "label", "y")
_INDEX_COLUMNS = {"name", "file", "target"}
_MAX_INDEX_BYTES = 1 << 26


@dataclass(frozen=True, slots=True)
class DataFile:
    """A data file and what its directory's INDEX.csv says about it."""

    name: str
    path: Path
    target: str | None = None
    task: Task | None = None
    rows: int | None = None
    notes: tuple[str, ...] = ()  # origin and remarks

    def info(self) -> DatasetInfo:
        """Return what is known without reading the file."""
        return DatasetInfo(self.name, SOURCE, str(self.path), self.task, self.rows)


def split_suffix(filename: str, suffixes: tuple[str, ...] = PATH_SUFFIXES) -> tuple[str, str] | None:
    """Split a file name into stem and suffix; None if it is not a data file."""
    lower = filename.lower()
    for suffix in sorted(suffixes, key=len, reverse=True):
        if lower.endswith(suffix) and len(lower) > len(suffix):
            return filename[: -len(suffix)], suffix
    return None


def directories() -> list[Path]:
    """Return the directories COVEY_DATA names, in order."""
    paths = [Path(entry) for entry in os.environ.get(VARIABLE, "").split(os.pathsep) if entry.strip()]
    for path in paths:
        if not path.is_dir():
            raise NotADirectoryError(f"{VARIABLE} names {str(path)!r}, which is not a directory; correct or unset it")
    return paths


def list_files() -> dict[str, DataFile]:
    """Return the data files of all directories by normalised name; earlier directories win."""
    files: dict[str, DataFile] = {}
    for directory in directories():
        for file in _list_directory(directory):
            files.setdefault(normalise(file.name), file)
    return files


def describe_file(path: Path) -> DataFile:
    """Return a file with what the INDEX.csv beside it says, if there is one that names it."""
    for file in _read_index(path.parent):
        if file.path.name == path.name:
            return file
    parts = split_suffix(path.name)
    if parts is None:
        raise unreadable(path)
    return DataFile(parts[0], path)


def unreadable(path: Path) -> ValueError:
    """Say that a file is there but of no kind that is read."""
    kinds = quoted(PATH_SUFFIXES)
    remedy = "read it with covey.datasets.read_keel" if path.suffix.lower() == ".dat" else "save it as CSV"
    return ValueError(
        f"the file {str(path)!r} exists, but covey reads only files whose name ends in one of {kinds}; {remedy}, or "
        "rename it if it is one of these"
    )


def load_file(file: DataFile, choice: Choice, *, max_bytes: int) -> LoadedTable:
    """Read a data file of any kind.

    Its target is the index's; else, in ARFF, an attribute called class, else the last one; else, in the others, a
    column called class, target, label or y, else none.
    """
    from covey.datasets.arff import read_arff
    from covey.datasets.tables import read_raw

    is_arff = ".arff" in (split_suffix(file.path.name) or ("", ""))[1]
    if is_arff:
        parsed = read_arff(file.path, max_bytes=max_bytes, drop=choice.drop)
        target = file.target or _guess_target([attribute.name for attribute in parsed.attributes], is_arff)
        provenance = Provenance(SOURCE, str(file.path), "arff", parsed.sha256, file.notes)
        return LoadedTable(file.name, parsed.frame, provenance, target, file.task, dropped=tuple(choice.drop))
    contents = read_contents(file.path, max_bytes=max_bytes)
    raw = read_raw(contents, choice, max_bytes=max_bytes)
    target = file.target or _guess_target([str(name) for name in raw.frame.columns], is_arff)
    tidied = raw.tidy(replace(choice, target=choice.target or target))
    kind = "csv" if raw.delimiter else "parquet" if contents.data[:4] == b"PAR1" else "excel"
    provenance = Provenance(SOURCE, str(file.path), kind, contents.sha256, file.notes + tidied.notes)
    return LoadedTable(
        file.name,
        tidied.frame,
        provenance,
        target,
        file.task,
        typed=False,
        dropped=tidied.dropped,
        reading=tidied.reading,
    )


def _guess_target(columns: list[str], is_arff: bool) -> str | None:
    names = _TARGET_NAMES[:1] if is_arff else _TARGET_NAMES
    for wanted in names:
        matches = [column for column in columns if column.lower() == wanted]
        if len(matches) == 1:
            return matches[0]
    return columns[-1] if is_arff else None


def _list_directory(directory: Path) -> list[DataFile]:
    indexed = _read_index(directory)
    named = {file.path.name for file in indexed}
    others: list[tuple[int, DataFile]] = []
    for path in sorted(directory.iterdir()):
        parts = split_suffix(path.name, SUFFIXES)
        if parts is not None and path.name not in named and path.name != INDEX_NAME and path.is_file():
            others.append((SUFFIXES.index(parts[1]), DataFile(parts[0], path)))
    return indexed + [file for _, file in sorted(others, key=lambda entry: entry[0])]


def _read_index(directory: Path) -> list[DataFile]:
    """Read a directory's INDEX.csv; rows whose file is absent are passed over."""
    path = directory / INDEX_NAME
    if not path.is_file():
        return []
    contents = read_contents(path, max_bytes=_MAX_INDEX_BYTES)
    reader = csv.DictReader(io.StringIO(contents.text()))
    lacking = _INDEX_COLUMNS - set(reader.fieldnames or ())
    if lacking:
        raise DataFormatError(str(path), f"an index needs the columns name, file and target; {quoted(lacking)} lack", 1)
    files = []
    for row in reader:
        if not row["name"] or not row["file"]:
            raise DataFormatError(str(path), "name and file must not be empty", reader.line_num)
        if (directory / row["file"]).is_file():
            files.append(_from_index(row, directory))
    return files


def _from_index(row: dict[str, str], directory: Path) -> DataFile:
    classes, rows = row.get("classes") or "", row.get("rows") or ""
    task: Task | None = None
    if classes:
        task = "regression" if classes == "regression" else "classification"
    notes = tuple(f"{key}: {row[key]}" for key in ("source", "note") if row.get(key))
    return DataFile(
        row["name"], directory / row["file"], row["target"] or None, task, int(rows) if rows.isdigit() else None, notes
    )
