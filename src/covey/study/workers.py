"""Where cells are carried out: how many processes there are, and in words."""

from __future__ import annotations

import os

from covey._text import counted


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def where_it_runs(n_workers: int, cluster: str | None) -> str:
    """Say where cells run."""
    if cluster is None or cluster == "local":
        return counted(n_workers, "process", "processes") + (" of a local Dask cluster" if cluster else "")
    return "a Dask cluster"
