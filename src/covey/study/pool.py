"""Independent tasks on local processes, which may hang, take too much memory or die."""

from __future__ import annotations

import os
import pickle
import socket
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from operator import index
from selectors import EVENT_READ, DefaultSelector
from time import monotonic, sleep
from typing import Any, Generic, Literal, TypeVar

from threadpoolctl import ThreadpoolController

from covey.study.process import Job, Worker, resident_bytes
from covey.study.worker import BROKEN, DONE, READY, describe_error

Task = TypeVar("Task")
Result = TypeVar("Result")
Reason = Literal["raised", "timeout", "memory", "died"]

# How often limits are checked, in seconds.
_TICK = 0.1
# What a worker may take to start, in addition to the time of a task, before it counts as hanging.
_START = 120.0
# So many workers in a row may end while they start.
_FAILED_STARTS = 3
# What workers that have no more tasks may take to end by themselves.
_END = 2.0


@dataclass(frozen=True)
class Failure:
    """Why a task has no result.

    Parameters
    ----------
    reason : {"raised", "timeout", "memory", "died"}
        The work raised an error; took too long; needed too much memory; or its process ended.
    message : str
        The same in a sentence, or the error's name and text.
    traceback : str
        Of an error in the work, as text.
    """

    reason: Reason
    message: str
    traceback: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


Outcomes = Generator[tuple[Task, Result | Failure], None, None]


def run_tasks(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    *,
    n_workers: int,
    timeout: float | None = None,
    memory: int | None = None,
    initializer: Callable[..., object] | None = None,
    initargs: tuple[Any, ...] = (),
) -> Outcomes[Task, Result]:
    """Carry out tasks on worker processes of one thread each, and yield them with their results as they finish.

    Tasks are asked for only when a worker is free, and each comes back once, however workers fare. When the generator
    is closed, left by an exception such as KeyboardInterrupt or no longer referred to, the workers are ended at once,
    with any processes that they have started; when this process is killed, they end by themselves.

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
        room, the task is tried on another worker before it is blamed. The memory of processes that a worker starts
        does not count. Linux only.
    initializer : callable, optional
        Called once in each worker before its first task.
    initargs : tuple
        Its arguments.

    Yields
    ------
    task, result : tuple
        The object that `tasks` gave, and what the work returned or a `Failure`. A task whose worker dies is tried once
        more if someone killed the worker, as the system does when memory runs out; it fails if it ended its worker
        itself, by an error of the processor or by leaving.

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
    return _Pool[Task, Result](setup, iter(tasks), n_workers, timeout, memory).run()


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
    work: Callable[[Any], Any], initializer: Callable[..., object] | None = None, initargs: tuple[Any, ...] = ()
) -> bytes:
    """Return what workers are told first, refusing what cannot be sent."""
    for name, function in (("work", work), ("initializer", initializer)):
        if getattr(function, "__module__", None) == "__main__":
            raise TypeError(f"{name}={function!r} is part of the script that is run; move it to a module of its own.")
    try:
        return pickle.dumps((work, initializer, initargs), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise TypeError(
            f"work={work!r}, initializer={initializer!r} and initargs cannot be sent to worker processes ({error}); "
            "give functions defined at the top level of a module, and arguments that can be pickled."
        ) from error


def read_outcome(kind: int, content: bytes) -> Any:
    """Return the result or the failure that a worker has sent."""
    try:
        value = pickle.loads(content)
    except Exception as error:
        return Failure(*describe_error(error, "The result cannot be read: "))
    return value if kind == DONE else Failure(*value)


def _run_here(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    initializer: Callable[..., object] | None,
    initargs: tuple[Any, ...],
) -> Outcomes[Task, Result]:
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


class _Pool(Generic[Task, Result]):
    """The workers of one call of `run_tasks`. Each has one task at most, so that the right one is blamed."""

    def __init__(
        self, setup: bytes, tasks: Iterator[Task], n_workers: int, timeout: float | None, memory: int | None
    ) -> None:
        self.setup = setup
        self.tasks = tasks
        self.n_workers = n_workers
        self.timeout = timeout
        self.memory = memory
        self.workers: list[Worker[Task]] = []
        self.returned: deque[Job[Task]] = deque()  # to be tried again
        self.outcomes: deque[tuple[Task, Result | Failure]] = deque()
        self.failed_starts = 0
        self.inspected = monotonic()
        self.error: Exception | None = None  # after which no more tasks are begun

    def run(self) -> Outcomes[Task, Result]:
        """Yield tasks and what became of them."""
        with DefaultSelector() as self.selector:
            try:
                while True:
                    self.fill()
                    while self.outcomes:
                        yield self.outcomes.popleft()
                    if not any(worker.job for worker in self.workers):
                        break
                    for key, _ in self.selector.select(_TICK):
                        self.receive(key.data)
                    if monotonic() - self.inspected >= _TICK:
                        self.inspect()
                if self.error is not None:
                    raise self.error
                self.close()
            finally:
                for worker in self.workers:
                    worker.kill()
                for worker in self.workers:
                    worker.stop()

    def fill(self) -> None:
        """Give tasks to workers that have none, and start workers for more tasks."""
        idle = [worker for worker in self.workers if worker.job is None]
        while idle or len(self.workers) < self.n_workers:
            job = self.next_job()
            if job is None:
                return
            if idle:
                idle.pop().give(job)
            else:
                worker = Worker(self.setup, job)
                self.workers.append(worker)
                self.selector.register(worker.connection, EVENT_READ, worker)

    def next_job(self) -> Job[Task] | None:
        """Return the next task, if there is one."""
        while self.error is None:
            if self.returned:
                return self.returned.popleft()
            try:
                task = next(self.tasks)
            except StopIteration:
                break
            except Exception as error:
                self.error = error
                break
            try:
                return Job(task, pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
            except Exception as error:
                self.outcomes.append((task, Failure(*describe_error(error, "The task cannot be pickled: "))))
        return None

    def receive(self, worker: Worker[Task]) -> None:
        """Take the message that a worker has sent, or note that it has ended."""
        try:
            kind, content = pickle.load(worker.messages)
        except (EOFError, OSError, pickle.UnpicklingError):
            self.lose(worker)
            return
        job, worker.job = worker.job, None
        assert job is not None
        if kind == READY:
            worker.ready = True
            self.failed_starts = 0
            worker.at_start = worker.at_rest = worker.resident()
            if self.memory is None or worker.at_start < self.memory:
                worker.give(job)
            else:
                self.refuse_memory(worker)
        elif kind == BROKEN:
            _, message, traceback = pickle.loads(content)
            broken = RuntimeError(f"workers cannot start: {message}")
            broken.add_note(f"In the worker:\n{traceback}")
            self.error = self.error or broken
        else:
            self.outcomes.append((job.task, read_outcome(kind, content)))
            worker.at_rest = worker.resident() if self.memory is not None else 0

    def refuse_memory(self, worker: Worker[Task]) -> None:
        """Stop because a worker has no room to work."""
        self.error = self.error or ValueError(
            f"memory={self.memory} is too little: a worker has {_megabytes(worker.at_start)} before its first task; "
            "give more, or None."
        )

    def inspect(self) -> None:
        """Look for workers that have ended unnoticed, or whose tasks break a limit."""
        answering = {key.data for key, _ in self.selector.select(0)}  # whose tasks are done
        self.inspected = now = monotonic()
        for worker in [one for one in self.workers if one not in answering]:
            late = self.timeout is not None and now - worker.since > self.timeout
            if worker.has_ended():
                self.lose(worker)
            elif worker.job is None:
                continue
            elif not worker.ready:
                if late and now - worker.since > (self.timeout or 0.0) + _START:
                    self.lose(worker)
            elif late:
                self.remove(worker)
                failure = Failure("timeout", f"took longer than timeout={self.timeout:g} seconds")
                self.outcomes.append((worker.job.task, failure))
            elif self.memory is not None and (used := worker.resident()) > self.memory:
                self.end_large(worker, worker.job, used, self.memory)

    def remove(self, worker: Worker[Task]) -> str:
        """End a worker, and return in words how it ended."""
        self.workers.remove(worker)
        self.selector.unregister(worker.connection)
        return worker.stop()

    def lose(self, worker: Worker[Task]) -> None:
        """Note that a worker has ended; its task is tried once more unless it is to blame."""
        end, job = self.remove(worker), worker.job
        if not worker.ready:
            self.failed_starts += 1
            if self.failed_starts >= _FAILED_STARTS and self.error is None:
                self.error = RuntimeError(
                    f"workers cannot start: the last {self.failed_starts} ended as they started; one {end}."
                )
        if job is None:
            return
        if not worker.ready or (worker.was_killed() and not job.retried):
            job.retried = job.retried or worker.ready
            self.returned.append(job)
        else:
            times = "; it was tried 2 times" if job.retried else ""
            self.outcomes.append((job.task, Failure("died", f"the worker process {end}{times}")))

    def end_large(self, worker: Worker[Task], job: Job[Task], used: int, memory: int) -> None:
        """End a worker that has too much memory; its task is to blame unless earlier ones had left much of it."""
        self.remove(worker)
        if worker.at_rest - worker.at_start > (memory - worker.at_start) / 4:
            self.returned.append(job)
        else:
            message = f"needed {_megabytes(used)} of memory or more, but memory={memory} allows {_megabytes(memory)}"
            self.outcomes.append((job.task, Failure("memory", message)))

    def close(self) -> None:
        """Let the workers end by themselves, as programs do that clear up after themselves, but not for long."""
        for worker in self.workers:
            with suppress(OSError):
                worker.connection.shutdown(socket.SHUT_RDWR)
        end = monotonic() + _END
        while monotonic() < end and not all(worker.has_ended() for worker in self.workers):
            sleep(0.002)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
