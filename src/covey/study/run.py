"""A run of a study: the cells that the store lacks, on processes here or a cluster, each kept once it is done."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from operator import attrgetter
from pathlib import Path
from typing import Any

from covey.kernels.compiling import tell_compiling
from covey.study.cell import Cell, cache_datasets, cached_datasets, forget_plans, run_cell
from covey.study.layout import Layout, Ordered, StudyData, lay_out
from covey.study.outcome import Outcome
from covey.study.pool import run_tasks
from covey.study.progress import Progress, Tally
from covey.study.record import StudyRecord
from covey.study.results import Results
from covey.study.spec import Study
from covey.study.store import Store
from covey.study.tasks import Failure, Outcomes
from covey.study.workers import where_it_runs


def run_study(
    study: Study,
    store: str | os.PathLike[str],
    *,
    n_workers: int = 1,
    timeout: float | None = None,
    memory: int | None = None,
    retry_failed: bool = False,
    progress: Callable[[Progress], None] | None = None,
    cluster: str | None = None,
    until: float | None = None,
    n_fits: int | None = None,
    under_way: Callable[[Sequence[str]], object] | None = None,
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
        Processes, of one thread each. A cluster elsewhere has its own number.
    timeout, memory : float, int, optional
        Seconds, and bytes of memory, that one cell may take. A cell that takes more is kept as failed.
    retry_failed : bool, default=False
        Whether to carry out again what failed before.
    progress : callable, optional
        Called with a `Progress` after every cell.
    cluster : str, optional
        The address of a Dask scheduler, such as "tcp://host:8786", to run cells on its workers, or "local" for one that
        is started here. Workers need covey and what methods name; the data are sent to them.
    until : float, optional
        When to stop, on the clock of `time.monotonic`. Cells under way are given up, unless there is one process only;
        quick methods come first, so that some are finished.
    n_fits : int, optional
        Carry out only so many fits of each method on each dataset, the first; by default all.
    under_way : callable, optional
        Called with what is under way, a line for each cell, whenever another begins or tells of itself.

    Returns
    -------
    Results
    """
    with ExitStack() as stack:
        # A store that another process writes to is refused before data are read; none is made for a study that fails.
        kept = stack.enter_context(Store.open(store, write=True)) if Path(store).exists() else None
        layout = lay_out(study)
        if kept is None:
            kept = stack.enter_context(Store.open(store, write=True))
        cells = layout.cells
        statuses = kept.finished(cell.key for cell in cells)
        again = {"failed"} if retry_failed else set()
        lacking = [
            cell
            for cell in cells
            if (cell.key not in statuses or statuses[cell.key] in again)
            and (n_fits is None or cell.labels["fit"] < n_fits)
        ]
        record = StudyRecord.of(study, layout.datasets, where_it_runs(n_workers, cluster))
        record = _put_study(kept, record, layout, ran=bool(lacking))
        waiting = Ordered(lacking, quick_first=until is not None)
        tally = Tally(study.metrics[0], layout.keys.values(), under_way)
        if progress is not None and lacking and statuses:
            for outcome in kept.read(statuses):
                tally.add(outcome, again=outcome.status in again)
        results = _run_on(study, layout, tally.begun(waiting), n_workers, timeout, memory, cluster, until, tally.note)
        with closing(results):
            for cell, result in results:
                outcome = _outcome(cell, result)
                kept.put(outcome)
                waiting.observe(outcome)
                after = tally.finish(outcome)
                if progress is not None:
                    progress(after)
    return Results(record, store, layout.keys)


def _put_study(kept: Store, record: StudyRecord, layout: Layout, *, ran: bool) -> StudyRecord:
    """Keep what the study is, and return it."""
    known = kept.studies().get(record.name)
    record = record.after(known, ran=ran)
    if record != known or kept.study_cells(record.name) != layout.keys:
        kept.put_study(record, layout.keys)
    return record


def _run_on(
    study: Study,
    layout: Layout,
    cells: Iterator[Cell],
    n_workers: int,
    timeout: float | None,
    memory: int | None,
    cluster: str | None,
    until: float | None,
    notify: Callable[[Cell, str], None],
) -> Outcomes[Cell, Outcome]:
    """Carry out cells on processes here, or on a cluster."""
    if cluster is None:
        data = dict(StudyData(study, layout.datasets, in_memory=True))
        with ExitStack() as stack:
            stack.enter_context(cached_datasets(data))
            stack.callback(forget_plans)
            start: dict[str, Any] = {"initializer": cache_datasets, "initargs": (data,)} if data else {}
            limits: dict[str, Any] = {"timeout": timeout, "memory": memory, "until": until}
            start |= {"watch": tell_compiling, "notify": notify}
            yield from run_tasks(run_cell, cells, n_workers=n_workers, **limits, **start)
    else:
        from covey.study.cluster import run_on_cluster

        yield from run_on_cluster(
            run_cell,
            cells,
            cluster=cluster,
            n_workers=n_workers,
            shared=StudyData(study, layout.datasets),
            share_of=attrgetter("content"),
            timeout=timeout,
            memory=memory,
            until=until,
        )


def _outcome(cell: Cell, result: Outcome | Failure) -> Outcome:
    if isinstance(result, Failure):
        return Outcome.failed(cell.key, cell.labels, f"{result.reason}: {result.message}", result.traceback)
    return result
