"""Datasets from OpenML, through scikit-learn's download and its cache."""

from __future__ import annotations

import re
import warnings
from typing import Any

from covey.datasets.choice import Choice
from covey.datasets.dataset import LoadedTable, Provenance
from covey.datasets.errors import DatasetDownloadError, DatasetNotFoundError
from covey.datasets.tidy import tidy_frame

SOURCE = "openml"

_SEVERAL_VERSIONS = "Multiple active versions of the dataset"


def load_openml(name: str, choice: Choice | None = None) -> LoadedTable:
    """Fetch a dataset from OpenML, or from scikit-learn's cache of it, with OpenML's target if it names just one.

    A number ("61") stands for the same data for ever, a name ("sonar") for the oldest version that is active.
    """
    bunch = _fetch({"data_id": int(name)} if re.fullmatch(r"[0-9]+", name) else {"name": name}, name)
    details: dict[str, Any] = dict(bunch.details)
    identifier = details.get("id", name)
    title = str(details.get("name", name))
    targets = list(bunch.target_names or [])
    target = targets[0] if len(targets) == 1 else None
    choice = choice or Choice()
    where = f"OpenML dataset {identifier}"
    choice.check(bunch.frame.columns, where)
    kept = bunch.frame.drop(columns=list(choice.drop))
    tidied = tidy_frame(kept, where, Choice(choice.target or target))
    notes = tuple(f"{key}: {details[key]}" for key in ("version", "upload_date", "md5_checksum") if details.get(key))
    notes += tidied.notes
    provenance = Provenance(SOURCE, f"https://www.openml.org/d/{identifier}", "openml", notes=notes)
    licence = details.get("licence")
    licence = str(licence) if licence else None
    dropped = tuple(name for name in map(str, bunch.frame.columns) if name not in tidied.frame.columns)
    return LoadedTable(
        title, tidied.frame, provenance, target, licence=licence, dropped=dropped, reading=tidied.reading
    )


def _fetch(which: dict[str, Any], name: str) -> Any:
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            # The name is documented to mean the oldest active version; the provenance says which that was.
            warnings.filterwarnings("ignore", message=_SEVERAL_VERSIONS)
            return fetch_openml(**which, as_frame=True, parser="auto", cache=True)
    except OSError as error:
        raise DatasetDownloadError(
            f"openml:{name} could not be downloaded ({error}) and is not in scikit-learn's cache; check the network, "
            "or download the data elsewhere and load the file by its path"
        ) from error
    except ValueError as error:
        # scikit-learn's OpenMLError is a ValueError, as are its complaints about sparse data and bad checksums.
        raise DatasetNotFoundError(f"openml:{name} could not be loaded: {error}") from error
