"""Independent tasks on local processes, which may hang, eat memory or die."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Generator, Iterable
from math import isfinite
from operator import index
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

from covey.study.crew import Crew, Failure
from covey.study.process import resident_bytes
from covey.study.worker import describe_error

Task = TypeVar("Task")
Result = TypeVar("Result")

__all__ = ["Failure", "run_tasks"]


def run_tasks(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    *,
    n_workers: int,
    timeout: float | None = None,
    memory: int | None = None,
    initializer: Callable[..., object] | None = None,
    initargs: tuple[Any, ...] = (),
) -> Generator[tuple[Task, Result | Failure], None, None]:
    """Carry out tasks on worker processes of one thread each, and yield them with their results as they finish.

    Tasks are asked for only when a worker is free or about to be, and each comes back once, however workers fare.
    Nothing but memory limits how big tasks and results are. When the generator is closed, left by an exception such as
    KeyboardInterrupt or no longer referred to, the workers are ended at once, with any processes that they have
    started; when this process is killed, they end by themselves.

    With one worker and no limits everything happens in this process, where a debugger can follow: the initializer runs
    here, and a task that hangs or dies takes this process with it. BLAS and OpenMP libraries that are loaded when a
    task begins are kept to one thread while it runs.

    Parameters
    ----------
    work : callable
        Takes a task and returns its result. A function of a module that can be imported, not of the script that is
        run: workers do not run the script again, so it needs no ``if __name__ == "__main__"``.
    tasks : iterable
        What can be pickled. If it raises, the tasks under way are finished before the error goes on to the caller.
    n_workers : int
        How many tasks to carry out at a time. Workers are started when there is a task for them.
    timeout : float, optional
        Seconds that a task may take, looked at ten times a second. The worker of one that takes longer is killed and
        replaced. Starting a worker and sending tasks and results does not count.
    memory : int, optional
        Bytes that a worker may have resident in total, Python and its libraries included, looked at ten times a second.
        The worker of a task that takes more is killed and replaced. Where earlier tasks had left over a quarter of the
        room, the task is given a new worker before it is blamed. The memory of processes that a worker starts does not
        count. Linux only.
    initializer : callable, optional
        Called once in each worker before its first task.
    initargs : tuple
        Its arguments.

    Yields
    ------
    task, result : tuple
        The object that `tasks` gave, and what the work returned or a `Failure`. Tasks that wait for a worker that dies
        are given to another. The one that it was at is tried once more if someone killed the worker, as the system does
        when memory runs out; it fails if it ended its worker itself, by an error of the processor or by leaving.

    Raises
    ------
    RuntimeError
        Workers cannot start: the initializer failed, or the work cannot be imported.
    ValueError, TypeError
        An argument is wrong, which is known at once, or `memory` too little for a worker without a task, which is known
        when one has started.

    Notes
    -----
    Limits are checked while the caller waits for a result, not while it is busy with one.

    Examples
    --------
    >>> from covey.study.pool import run_tasks
    >>> for task, result in run_tasks(int, ["9", "x"], n_workers=1):
    ...     print(task, result)
    9 9
    x raised: ValueError: invalid literal for int() with base 10: 'x'
    """
    n_workers = check_limits(n_workers, timeout, memory)
    if n_workers == 1 and timeout is None and memory is None:
        return _run_here(work, tasks, initializer, initargs)
    if os.name != "posix":
        raise OSError("worker processes need Linux or macOS; give n_workers=1, timeout=None and memory=None.")
    setup = pickle_setup(work, initializer, initargs)
    return Crew[Task, Result](setup, tasks, n_workers, timeout, memory).run()


def check_limits(n_workers: int, timeout: float | None, memory: int | None) -> int:
    """Refuse limits that make no sense, and return the number of workers."""
    if isinstance(n_workers, bool) or index(n_workers) < 1:
        raise ValueError(f"n_workers={n_workers!r} must be an integer of at least 1.")
    if timeout is not None and not (isfinite(timeout) and timeout > 0):
        raise ValueError(f"timeout={timeout!r} must be a positive number of seconds, or None.")
    if memory is not None:
        if isinstance(memory, bool) or index(memory) < 1:
            raise ValueError(f"memory={memory!r} must be a positive number of bytes, or None.")
        if not resident_bytes(os.getpid()):
            raise OSError(f"memory={memory} needs Linux's /proc, which is not here; give memory=None.")
    return index(n_workers)


def pickle_setup(
    work: Callable[[Any], Any], initializer: Callable[..., object] | None, initargs: tuple[Any, ...]
) -> bytes:
    """Return what workers are told first, refusing what cannot be sent."""
    for name, function in (("work", work), ("initializer", initializer)):
        if getattr(function, "__module__", None) == "__main__":
            raise TypeError(f"{name}={function!r} is part of the script that is run; move it to a module of its own.")
    try:
        content = pickle.dumps((work, initializer, initargs), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise TypeError(
            f"work={work!r}, initializer={initializer!r} and initargs cannot be sent to worker processes ({error}); "
            "give functions defined at the top level of a module, and arguments that can be pickled."
        ) from error
    return pickle.dumps((sys.path, content), pickle.HIGHEST_PROTOCOL)


def _run_here(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    initializer: Callable[..., object] | None,
    initargs: tuple[Any, ...],
) -> Generator[tuple[Task, Result | Failure], None, None]:
    started = False
    n_modules, threads = 0, ThreadpoolController()
    for task in tasks:
        if not started and initializer is not None:
            initializer(*initargs)
        started = True
        if n_modules != len(sys.modules):  # with modules come libraries
            n_modules, threads = len(sys.modules), ThreadpoolController()
        outcome: Result | Failure
        with threads.limit(limits=1):
            try:
                outcome = work(task)
            except (Exception, SystemExit) as error:
                outcome = Failure(*describe_error(error))
        yield task, outcome
