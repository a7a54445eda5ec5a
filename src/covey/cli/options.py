"""Options that several commands share, what their values mean, and the stores that paths stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

SUFFIX = ".store"
_SUFFIXES = (SUFFIX, ".db", ".sqlite")
_UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)

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
Json = Annotated[bool, typer.Option("--json", help="Write JSON, for programs, in the place of tables.")]
Folder = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="The folder for report and results. By default ./covey-NAME."),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", metavar="COLUMN", help="A column to leave out. Can be repeated."),
]
Categorical = Annotated[
    list[str] | None,
    typer.Option(
        "--categorical", metavar="COLUMN", help="A column of categories, whatever it looks like. Can be repeated."
    ),
]
Text = Annotated[
    list[str] | None,
    typer.Option("--text", metavar="COLUMN", help="A column of free text, to learn from its words. Can be repeated."),
]
Missing = Annotated[
    list[str] | None,
    typer.Option("--missing", metavar="TEXT", help="What stands for a missing value, such as -999. Can be repeated."),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        "--keep", metavar="COLUMN", help="A column not to leave out though it seems of no use. Can be repeated."
    ),
]
StoreOption = Annotated[
    Path | None,
    typer.Option(metavar="PATH", help="Where results are kept. By default beside FILE, ending in .store."),
]


def examples(lines: Sequence[str]) -> str:
    """Return examples for the end of a help text, each in its line."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def read_memory(text: str | None) -> int | None:
    """Return the bytes of a size: "2GB" and "2G" are two times 1000 ** 3, as messages count, "2GiB" of 1024 ** 3."""
    if text is None:
        return None
    parts = _SIZE.fullmatch(text.strip())
    size = int(float(parts[1]) * (1024 if parts[3] else 1000) ** _UNITS[parts[2].lower()]) if parts else 0
    if size < 1:
        raise ValueError(f"--memory {text!r} is no size; write a number with a unit, such as 2GB or 500MB.")
    return size


def is_store(path: Path) -> bool:
    """Whether a path is a store, or a folder of results, and no study file."""
    return path.is_dir() or path.suffix.lower() in _SUFFIXES


def find_store(path: Path) -> Path:
    """Return the store in a folder of results, the one beside a study file, or the file itself."""
    from covey.cli.terminal import shown_path

    if path.suffix.lower() == ".toml" and path.is_file():
        path = path.with_suffix(SUFFIX)
    if not path.is_dir():
        if not path.exists():
            raise FileNotFoundError(f"There is no store {shown_path(path)}; name a file or the folder it is in.")
        return path
    stores = sorted(file for file in path.iterdir() if file.suffix in _SUFFIXES and file.is_file())
    if not stores:
        raise FileNotFoundError(f"There is no store in the folder {shown_path(path)}; a store ends in {SUFFIX}.")
    if len(stores) > 1:
        names = ", ".join(file.name for file in stores)
        raise ValueError(f"The folder {shown_path(path)} has several stores ({names}); name one of them.")
    return stores[0]


@contextmanager
def running(
    workers: int | None,
    dask: str | None,
    timeout: float | None,
    memory: str | None,
    retry_failed: bool,
    quiet: bool,
    budget: float | None = None,
) -> Iterator[dict[str, Any]]:
    """Give the arguments of `covey.study.run_study` that options stand for; show progress, and say how to go on."""
    from covey.cli.live import LiveProgress
    from covey.study.workers import usable_cores, where_it_runs

    n_workers = usable_cores() if workers is None else workers
    limits = {"timeout": timeout, "memory": read_memory(memory), "retry_failed": retry_failed}
    try:
        with LiveProgress(where_it_runs(n_workers, dask), quiet=quiet, budget=budget) as progress:
            yield {"n_workers": n_workers, "cluster": dask, "progress": progress, **limits}
    except KeyboardInterrupt:
        words = "Stopped. What is finished is kept; the same command goes on from there."
        raise KeyboardInterrupt(words) from None
