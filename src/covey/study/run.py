"""Carrying out a study: the cells that the store lacks, on local processes, each kept as soon as it is done."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from covey.study.cell import Cell, cells_of, run_cell
from covey.study.outcome import Outcome
from covey.study.pool import Failure, run_tasks
from covey.study.results import Results
from covey.study.spec import Study
from covey.study.store import Store


@dataclass(frozen=True)
class Progress:
    """How far a study is.

    Parameters
    ----------
    total, done, failed : int
        Cells of the study, and how many of them the store has by now.
    latest : Outcome
        The cell that was finished last.
    """

    total: int
    done: int
    failed: int
    latest: Outcome


def run_study(
    study: Study,
    store: str | os.PathLike[str],
    *,
    n_workers: int = 1,
    timeout: float | None = None,
    memory: int | None = None,
    retry_failed: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Results:
    """Carry out the cells of a study that a store lacks, and return the results of all.

    Every cell is kept in the store as soon as it is finished. A run that was killed loses the cells under way; the next
    one goes on, and ends with the same scores and predictions as a run without a break. Studies may share a store:
    what is the same in both, data, method, parameters, split and seed, is carried out once.

    Parameters
    ----------
    study : Study
        From `read_study`, or made in Python.
    store : path
        A file that is made if it is not there. One run writes to it at a time.
    n_workers : int, default=1
        Processes, of one thread each.
    timeout, memory : float, int, optional
        Seconds, and bytes of memory, that one cell may take. A cell that takes more is kept as failed.
    retry_failed : bool, default=False
        Whether to carry out again what failed before.
    progress : callable, optional
        Called with a `Progress` after every cell.

    Returns
    -------
    Results
    """
    cells = cells_of(study)
    with Store.open(store, write=True) as kept:
        found = kept.finished(cell.key for cell in cells)
        again = {"failed"} if retry_failed else set()
        waiting = [cell for cell in _distinct(cells) if cell.key not in found or found[cell.key] in again]
        often = Counter(cell.key for cell in cells)
        states = Counter(dict.fromkeys(("done", "failed"), 0))
        for key, status in found.items():
            states[status] += often[key]
        for outcome in _outcomes(waiting, n_workers, timeout, memory):
            kept.put(outcome)
            states[found.get(outcome.key, "")] -= often[outcome.key]
            states[outcome.status] += often[outcome.key]
            if progress is not None:
                progress(Progress(len(cells), states["done"], states["failed"], outcome))
    return Results(study, store, {cell.key: cell.labels for cell in cells})


def _distinct(cells: list[Cell]) -> list[Cell]:
    return list({cell.key: cell for cell in cells}.values())


def _outcomes(cells: list[Cell], n_workers: int, timeout: float | None, memory: int | None) -> Iterator[Outcome]:
    for cell, result in run_tasks(run_cell, cells, n_workers=n_workers, timeout=timeout, memory=memory):
        if isinstance(result, Failure):
            yield Outcome.failed(cell.key, cell.labels, f"{result.reason}: {result.message}", result.traceback)
        else:
            yield result
