"""A task of `run_on_cluster`, as a Dask worker carries it out."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from threadpoolctl import ThreadpoolController

from covey.study.cell import hold, holding
from covey.study.pool import run_tasks
from covey.study.process import ONE_THREAD
from covey.study.record import versions
from covey.study.tasks import Failure
from covey.study.worker import BROKEN, FAILED, attempt, describe_error

# Packages that may change results, beside covey itself.
PACKAGES = ("numpy", "scikit-learn", "pandas")

# Seconds that no task takes: with this limit it gets a process of its own, and all the time that it needs.
_EVER = 1e9

_modules_seen = 0


def run_task(setup: bytes, task: bytes, name: str, data: bytes) -> tuple[int, bytes, str, dict[str, str]]:
    """Carry out a task, and return an answer as the pool's workers give it, the worker's address and its software.

    All arguments are pickled: the work with its limits, the task, and the named object that is held while it runs.
    Where there are limits or other threads, the task gets a process of its own.
    """
    from distributed import get_worker

    find: Any = get_worker
    dask_worker = find()
    work, timeout, memory = pickle.loads(setup)
    apart = timeout is not None or memory is not None or dask_worker.state.nthreads > 1
    shared = {name: data} if name else {}
    kind, content = _run_apart(work, timeout, memory, task, shared) if apart else _run_here(work, task, shared)
    return kind, content, dask_worker.address, _software()


def _run_here(work: bytes, task: bytes, shared: dict[str, bytes]) -> tuple[int, bytes]:
    try:
        _read_work(work)
    except Exception as error:
        return BROKEN, pickle.dumps((False, describe_error(error)[1]))
    _keep_to_one_thread()
    with holding(shared):
        return attempt(_read_work(work), task)


def _run_apart(
    work: bytes, timeout: float | None, memory: int | None, task: bytes, shared: dict[str, bytes]
) -> tuple[int, bytes]:
    """Carry out a task in a process of its own, which can be ended."""
    if timeout is None and memory is None:
        timeout = _EVER
    run = partial(_run_prepared, work)
    limits: dict[str, Any] = {"n_workers": 1, "timeout": timeout, "memory": memory}
    try:
        ((_, outcome),) = run_tasks(run, [task], **limits, initializer=_prepare, initargs=(work, shared))
    except Exception as error:  # not the task's fault
        return BROKEN, pickle.dumps((isinstance(error, ValueError), str(error)))
    if isinstance(outcome, Failure):
        return FAILED, pickle.dumps((outcome.reason, outcome.message, outcome.traceback))
    return outcome


def _prepare(work: bytes, shared: dict[str, bytes]) -> None:
    """Import in a new process what a task needs, so that it does not count as the task's time."""
    hold(shared)
    _read_work(work)


def _run_prepared(work: bytes, task: bytes) -> tuple[int, bytes]:
    return attempt(_read_work(work), task)


@lru_cache(maxsize=2)
def _read_work(work: bytes) -> Callable[[Any], Any]:
    return pickle.loads(work)[0]  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def _software() -> dict[str, str]:
    return versions(PACKAGES)


def _keep_to_one_thread() -> None:
    """Keep the libraries that are loaded to one thread, and tell it to those to come."""
    global _modules_seen
    if _modules_seen != len(sys.modules):  # with modules come libraries
        os.environ.update(ONE_THREAD)
        ThreadpoolController().limit(limits=1)
        _modules_seen = len(sys.modules)
