"""Data that this process holds in memory, by a hash of their content, so that cells need not read them from files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.datasets import Dataset

_HELD: dict[str, Dataset] = {}
_HOLDERS: Counter[str] = Counter()
_LOCK = Lock()


def hold(datasets: Mapping[str, Dataset]) -> None:
    """Hold datasets, by their hashes, for as long as the process lives or those who hold them anyway do."""
    with _LOCK:
        _HELD.update(datasets)
        for content in datasets:
            _HOLDERS[content] = max(_HOLDERS[content], 1)


@contextmanager
def holding(datasets: Mapping[str, Dataset]) -> Iterator[None]:
    """Hold datasets inside a ``with`` statement; threads may do so at the same time."""
    with _LOCK:
        _HELD.update(datasets)
        _HOLDERS.update(datasets.keys())
    try:
        yield
    finally:
        with _LOCK:
            _HOLDERS.subtract(datasets.keys())
            for content in datasets:
                if _HOLDERS[content] <= 0:
                    _HELD.pop(content, None)
                    del _HOLDERS[content]


def held(content: str) -> Dataset | None:
    """Return the dataset with a hash, if this process holds it."""
    return _HELD.get(content)
