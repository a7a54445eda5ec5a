"""Finished cells of a comparison, kept in a CSV file, so that an interrupted run goes on where it stopped.

A cell is a named tuple of text and numbers with a ``key``: what it is about, without its outcome.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar, get_type_hints

from joblib import Parallel, delayed

from covey.datasets import DatasetNotFoundError

Key = tuple[Any, ...]


class Cell(Protocol):
    """What is kept of a piece of work."""

    @property
    def key(self) -> Key:
        """What the cell is about, without its outcome."""


Kind = TypeVar("Kind", bound=Cell)


class Task(NamedTuple):
    """A piece of work that fills in some cells.

    Parameters
    ----------
    keys : sequence of tuples
        Of the cells.
    work : callable
        What returns them.
    arguments : tuple
        What it takes.
    """

    keys: tuple[Key, ...]
    work: Callable[..., list[Any]]
    arguments: tuple[Any, ...]


def read_cells(path: Path, kind: type[Kind]) -> list[Kind]:
    """Return the finished cells of a file; a last line that was cut off is left out."""
    if not path.exists():
        return []
    lines = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
    types = get_type_hints(kind)
    rows = csv.reader(lines)
    columns = next(rows, None)
    if columns is not None and columns != list(types):
        raise ValueError(f"{path} has the columns {', '.join(columns)}, not {', '.join(types)}; name another file.")
    return [kind(*(read(text) for read, text in zip(types.values(), row, strict=True))) for row in rows]


def write_cells(path: Path, kind: type[Kind], cells: Iterable[Kind]) -> None:
    """Write cells to a file, in place of what it held: all of them or, if it fails, none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    with draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(get_type_hints(kind))
        writer.writerows(cells)
    draft.replace(path)


def fill_in(path: Path, kind: type[Kind], tasks: Iterable[Task], n_jobs: int, unit: str) -> list[Kind]:
    """Do the tasks whose cells a file lacks, and return the cells of all tasks, old and new.

    Parameters
    ----------
    path : Path
        The file; each task's cells are added as soon as it is done.
    kind : type
        Of the cells.
    tasks : iterable of Task
    n_jobs : int
        How many at a time, in processes.
    unit : str
        What tasks are called, for the count of those done.
    """
    cells = read_cells(path, kind)
    write_cells(path, kind, cells)
    finished, tasks = {cell.key for cell in cells}, list(tasks)
    missing = [task for task in tasks if not finished.issuperset(task.keys)]
    calls = (delayed(task.work)(*task.arguments) for task in missing)
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        # One at a time: what is done together would be written together.
        done = Parallel(n_jobs, return_as="generator_unordered", batch_size=1)(calls)
        for count, found in enumerate(done, start=1):
            new = [cell for cell in found if cell.key not in finished]
            writer.writerows(new)
            file.flush()
            cells += new
            if sys.stdout.isatty():
                print(f"\r{count} of {len(missing)} {unit}", end="\n" if count == len(missing) else "", flush=True)
    wanted = {key for task in tasks for key in task.keys}
    return [cell for cell in cells if cell.key in wanted]


def found_only(names: Iterable[str], load: Callable[[str], object]) -> list[str]:
    """Return the datasets that can be loaded, and say which cannot."""
    found = []
    for name in names:
        try:
            load(name)
        except DatasetNotFoundError:
            print(f"{name} is not in a directory that COVEY_DATA names; left out")
        else:
            found.append(name)
    return found
