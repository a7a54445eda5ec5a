"""Which of several data a target, or a column to drop, is meant for: those that have it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from covey._text import quoted
from covey.datasets import Dataset, load

Wishes = tuple[str | None, tuple[str, ...]]


def share_out(given: Sequence[Any], target: str | None, drop: Sequence[str]) -> list[Wishes]:
    """Return the target and the columns to drop for each of the data.

    One alone is asked for everything. Of several, each drops what it has; a dataset that has a target of its own keeps
    it where it lacks the one that is named. Files and frames must have it.

    Raises
    ------
    ValueError
        A name is a column of none of them.
    """
    if len(given) == 1 or (target is None and not drop):
        return [(target, tuple(drop))] * len(given)
    columns = [_columns(one) for one in given]
    names = [*([] if target is None or any(isinstance(one, tuple) for one in given) else [target]), *drop]
    unknown = [name for name in names if not any(name in some for some in columns)]
    if unknown:
        what = f"target={target!r}" if unknown[0] == target else f"drop={unknown!r}"
        raise ValueError(f"{what}: none of the data has a column {quoted(unknown)}.")
    found = []
    for one, some in zip(given, columns, strict=True):
        keeps_its_own = _has_a_target(one) and target not in some
        found.append((None if keeps_its_own else target, tuple(name for name in drop if name in some)))
    return found


def _has_a_target(one: Any) -> bool:
    return isinstance(one, Dataset) or (isinstance(one, str) and not Path(one).is_file())


def _columns(one: Any) -> list[str]:
    if isinstance(one, str | os.PathLike) and Path(one).is_file():
        return _columns_of_file(Path(one))
    if isinstance(one, str | os.PathLike):
        one = load(one)
    if isinstance(one, Dataset):
        return [*map(str, one.frame.columns), str(one.target.name)]
    if isinstance(one, tuple):
        one = one[0] if one else None
    return [str(name) for name in getattr(one, "columns", ())]


def _columns_of_file(path: Path) -> list[str]:
    from covey.datasets.arff import read_arff
    from covey.datasets.choice import Choice
    from covey.datasets.files import split_suffix, unreadable
    from covey.datasets.reading import DEFAULT_MAX_BYTES, read_contents
    from covey.datasets.tables import read_raw

    parts = split_suffix(path.name)
    if parts is None:
        raise unreadable(path)
    if parts[1].startswith(".arff"):
        return [attribute.name for attribute in read_arff(path).attributes]
    raw = read_raw(read_contents(path, max_bytes=DEFAULT_MAX_BYTES), Choice(), max_bytes=DEFAULT_MAX_BYTES)
    return [str(name) for name in raw.frame.columns]
