"""Options that several commands share, and what their values mean."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

_UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)

Workers = Annotated[
    int | None,
    typer.Option("--workers", "-w", min=1, metavar="N", help="Processes. By default one per core."),
]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS|local", help="Run on a Dask cluster: its address, or 'local'."),
]
Timeout = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="End a fit that takes longer; it counts as failed."),
]
Memory = Annotated[
    str | None,
    typer.Option(metavar="SIZE", help="End a fit whose process takes more, such as 2GB."),
]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Try again what failed before.")]
Trust = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PACKAGE",
        help="Import methods from this package too. Importing runs its code. Can be repeated.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the result.")]
Force = Annotated[bool, typer.Option("--force", help="Write over files that are there.")]
StoreOption = Annotated[
    Path | None,
    typer.Option(metavar="PATH", help="Where results are kept. By default beside FILE, ending in .store."),
]


def examples(lines: Sequence[str]) -> str:
    """Return examples for the end of a help text, each in its line."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def read_memory(text: str | None) -> int | None:
    """Return the number of bytes that a size such as "2GB" or "500M" stands for; units are powers of 1024."""
    if text is None:
        return None
    found = _SIZE.fullmatch(text.strip())
    size = int(float(found[1]) * 2 ** _UNITS[found[2].lower()]) if found else 0
    if size < 1:
        raise ValueError(f"--memory {text!r} is no size; write a number with a unit, such as 2GB or 500MB.")
    return size


def n_workers(workers: int | None) -> int:
    """Return how many processes to use, by default as many as there are cores for this process."""
    if workers is not None:
        return workers
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def where(workers: int | None, dask: str | None) -> str:
    """Say where fits run."""
    if dask is not None and dask != "local":
        return f"Dask at {dask}"
    count = n_workers(workers)
    return f"{count} process{'es' * (count > 1)}{' of a local Dask cluster' * (dask is not None)}"
