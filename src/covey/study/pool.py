"""Tasks on local processes, which may hang, take too much memory or die."""

from __future__ import annotations

import os
import pickle
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ, DefaultSelector
from time import monotonic, sleep
from typing import Any, Generic, TypeVar

from covey._interrupts import raise_interrupt
from covey.parallel import thread_pools
from covey.study.process import Worker
from covey.study.tasks import Failure, Job, JobQueue, Outcomes, check_limits, pickle_setup, read_outcome
from covey.study.worker import BROKEN, NOTE, READY, describe_error

Task = TypeVar("Task")
Result = TypeVar("Result")

# How often limits are checked, in seconds.
_TICK = 0.1
# What a worker may take to start, in addition to the time of a task, before it counts as hanging.
_START = 120.0
# So many workers in a row may end while they start.
_FAILED_STARTS = 3
# What workers that have no more tasks may take to end by themselves.
_END = 2.0


def run_tasks(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    *,
    n_workers: int,
    timeout: float | None = None,
    memory: int | None = None,
    until: float | None = None,
    initializer: Callable[..., object] | None = None,
    initargs: tuple[Any, ...] = (),
    watch: Callable[[Callable[[str], object]], object] | None = None,
    notify: Callable[[Task, str], object] | None = None,
) -> Outcomes[Task, Result]:
    """Carry out tasks on worker processes of one thread each, and yield them with their results as they finish.

    The work is a function of a module that can be imported, not of the script that is run: workers do not run the
    script again, so it needs no ``if __name__ == "__main__"``. Tasks are asked for only when a worker is free, and
    each comes back once, however workers fare. If asking for one raises, those under way are finished first. When
    the generator is closed, left by an exception or no longer referred to, the workers are ended at once, with any
    processes that they have started; when this process is killed, they end by themselves.

    Limits are looked at ten times a second, while the caller waits for a result. The timeout is in seconds of a task;
    starting a worker and sending tasks and results does not count. The memory is what a worker may have resident,
    Python and its libraries included (on Linux only); where earlier tasks had left over a quarter of it, a task is
    tried on another worker before it is blamed. A task whose worker dies is tried once more if someone killed the
    worker, as the system does when memory runs out; it fails if it ended its worker itself, by a fault or by
    leaving.

    When `time.monotonic` reaches `until` the generator ends, and with it the tasks under way. `watch`, a function of a
    module too, is called in each worker with a function by which it can tell something of the task under way, in a
    line; `notify` is called with that task and the line.

    With one worker and no limits everything happens in this process, where a debugger can follow: a task that hangs or
    dies takes this process with it, and the time is looked at between tasks. BLAS and OpenMP libraries are kept to one
    thread while a task runs.

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
        return _run_here(work, tasks, until, initializer, initargs, watch, notify)
    if os.name != "posix":
        raise OSError("worker processes need Linux or macOS; give n_workers=1, timeout=None and memory=None.")
    setup = pickle_setup(work, initializer, initargs, watch)
    return _Pool[Task, Result](setup, iter(tasks), n_workers, timeout, memory, until, notify).run()


def _run_here(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    until: float | None,
    initializer: Callable[..., object] | None,
    initargs: tuple[Any, ...],
    watch: Callable[[Callable[[str], object]], object] | None,
    notify: Callable[[Task, str], object] | None,
) -> Outcomes[Task, Result]:
    started = False
    queue = JobQueue[Task, Result](iter(tasks), until)
    for task in queue.tasks:
        if queue.over:
            return
        if not started and initializer is not None:
            initializer(*initargs)
        started = True
        if watch is not None and notify is not None:
            watch(partial(notify, task))
        outcome: Result | Failure
        with thread_pools().limit(limits=1):
            try:
                outcome = work(task)
            except (Exception, SystemExit) as error:
                raise_interrupt(error)
                outcome = Failure(*describe_error(error))
        yield task, outcome


class _Pool(JobQueue[Task, Result], Generic[Task, Result]):
    """The workers of one call of `run_tasks`. Each has one task at most, so that the right one is blamed."""

    def __init__(
        self,
        setup: bytes,
        tasks: Iterator[Task],
        n_workers: int,
        timeout: float | None,
        memory: int | None,
        until: float | None = None,
        notify: Callable[[Task, str], object] | None = None,
    ) -> None:
        super().__init__(tasks, until)
        self.notify = notify
        self.setup = setup
        self.n_workers = n_workers
        self.timeout = timeout
        self.memory = memory
        self.workers: list[Worker[Task]] = []
        self.failed_starts = 0
        self.inspected = monotonic()

    def run(self) -> Outcomes[Task, Result]:
        """Yield tasks and what became of them."""
        with DefaultSelector() as self.selector:
            try:
                while True:
                    if not self.over:
                        self.fill()
                    while self.outcomes:
                        yield self.outcomes.popleft()
                    if self.over:
                        return
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

    def receive(self, worker: Worker[Task]) -> None:
        """Take the message that a worker has sent, or note that it has ended."""
        try:
            kind, content = worker.receive()
        except (EOFError, OSError):
            self.lose(worker)
            return
        if kind == NOTE:
            if worker.job is not None and self.notify is not None:
                self.notify(worker.job.task, pickle.loads(content))
            return
        job, worker.job = worker.job, None
        assert job is not None
        if kind == READY:
            worker.ready = True
            self.failed_starts = 0
            worker.at_start = worker.at_rest = worker.resident()
            if self.memory is None or worker.at_start < self.memory:
                worker.give(job)
                return
            before = f"a worker has {_megabytes(worker.at_start)} before its first task"
            self.stop(ValueError(f"memory={self.memory} is too little: {before}; give more, or None."))
        elif kind == BROKEN:
            _, message, traceback = pickle.loads(content)
            broken = RuntimeError(f"workers cannot start: {message}")
            broken.add_note(f"In the worker:\n{traceback}")
            self.stop(broken)
        else:
            self.outcomes.append((job.task, read_outcome(kind, content)))
            worker.at_rest = worker.resident() if self.memory is not None else 0

    def inspect(self) -> None:
        """Look for workers that have ended unnoticed, or whose tasks break a limit."""
        answering = {key.data for key, _ in self.selector.select(0)}  # whose tasks are done
        self.inspected = now = monotonic()
        for worker in [worker for worker in self.workers if worker not in answering]:
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
                self.fail(worker.job.task, "timeout", f"took longer than timeout={self.timeout:g} seconds")
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
            if self.failed_starts >= _FAILED_STARTS:
                starts = f"the last {self.failed_starts} ended as they started; one {end}"
                self.stop(RuntimeError(f"workers cannot start: {starts}."))
        if job is None:
            return
        if not worker.ready or (worker.was_killed() and not job.n_lost):
            job.n_lost += worker.ready
            self.retry(job)
        else:
            times = "; it was tried 2 times" if job.n_lost else ""
            self.fail(job.task, "died", f"the worker process {end}{times}")

    def end_large(self, worker: Worker[Task], job: Job[Task], used: int, memory: int) -> None:
        """End a worker that has too much memory; its task is to blame unless earlier ones had left much of it."""
        self.remove(worker)
        if worker.at_rest - worker.at_start > (memory - worker.at_start) / 4:
            self.retry(job)
        else:
            allowed = f"memory={memory} allows {_megabytes(memory)}"
            self.fail(job.task, "memory", f"needed {_megabytes(used)} of memory or more, but {allowed}")

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
