"""A crew of worker processes: who does which task, and what becomes of tasks and workers."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from time import monotonic, sleep
from typing import Any, Generic, Literal, TypeVar

from covey.study.process import WorkerProcess
from covey.study.worker import BROKEN, DONE, READY, describe_error

Task = TypeVar("Task")
Result = TypeVar("Result")
Reason = Literal["raised", "timeout", "memory", "died"]

# How often limits are checked, and up to which time a task is quick, in seconds.
_TICK = 0.1
# What a worker may take to start, in addition to the time of a task, before it counts as hanging.
_START = 120.0
# So many workers in a row may end while they start.
_FAILED_STARTS = 3
# What a crew that has no more tasks may take to leave before it is made to.
_FAREWELL = 2.0


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


class Crew(Generic[Task, Result]):
    """The workers of one call of `run_tasks`.

    A worker whose tasks are quick is given its next one while it is at one. If that takes long after all, the next one
    is taken back, and goes to whoever is free first.

    Parameters
    ----------
    setup : bytes
        What workers are told first.
    tasks : iterable
    n_workers : int
    timeout, memory
        See `run_tasks`.
    """

    def __init__(
        self, setup: bytes, tasks: Iterable[Task], n_workers: int, timeout: float | None, memory: int | None
    ) -> None:
        self.setup = setup
        self.tasks: Iterator[Task] = iter(tasks)
        self.n_workers = n_workers
        self.timeout = timeout
        self.memory = memory
        self.workers: list[WorkerProcess[Task]] = []
        self.returned: deque[Task] = deque()
        self.tried: list[Task] = []
        self.outcomes: deque[tuple[Task, Result | Failure]] = deque()
        self.numbers = count(1)
        self.failed_starts = 0
        self.inspected = monotonic()
        self.error: Exception | None = None

    def run(self) -> Generator[tuple[Task, Result | Failure], None, None]:
        """Yield tasks and what became of them."""
        with DefaultSelector() as self.selector:
            try:
                self.feed()
                while True:
                    while self.outcomes:
                        yield self.outcomes.popleft()
                    if not any(worker.tasks for worker in self.workers):
                        break
                    self.listen()
                    if monotonic() - self.inspected >= _TICK:
                        self.inspect()
                    self.feed()
                if self.error is not None:
                    raise self.error
                self.dismiss()
            finally:
                self.disband()

    def feed(self) -> None:
        """Give tasks to workers that have none, then start workers, then give quick workers their next tasks."""
        for worker in self.workers:
            if worker.ready and not worker.tasks and not self.give(worker):
                return
        while len(self.workers) < self.n_workers:
            if not self.give(None):
                return
        for worker in self.workers:
            if worker.quick and len(worker.tasks) == 1 and not self.give(worker):
                return

    def give(self, worker: WorkerProcess[Task] | None) -> bool:
        """Give a worker, or else a new one, the next task, and return whether there was one."""
        while self.error is None:
            try:
                task = self.returned.popleft() if self.returned else next(self.tasks)
            except StopIteration:
                break
            except Exception as error:
                self.error = error
                break
            try:
                content = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
            except Exception as error:
                self.outcomes.append((task, Failure(*describe_error(error, "The task cannot be pickled: "))))
                continue
            self.hand_over(worker or self.start(), task, content)
            return True
        return False

    def hand_over(self, worker: WorkerProcess[Task], task: Task, content: bytes) -> None:
        """Send a task to a worker."""
        if worker.ready and not worker.tasks:
            worker.since = monotonic()
        worker.give(next(self.numbers), task, content)
        self.watch(worker)

    def start(self) -> WorkerProcess[Task]:
        """Start a worker."""
        worker: WorkerProcess[Task] = WorkerProcess(self.setup, monotonic())
        self.workers.append(worker)
        self.selector.register(worker.channel, EVENT_READ, worker)
        return worker

    def watch(self, worker: WorkerProcess[Task]) -> None:
        """Wait for what a worker says and, if there is more for it, until it can take more."""
        events = EVENT_READ | EVENT_WRITE if worker.outbox else EVENT_READ
        if events != self.selector.get_key(worker.channel).events:
            self.selector.modify(worker.channel, events, worker)

    def listen(self) -> None:
        """Wait a moment for workers, and take what they have to say."""
        for key, events in self.selector.select(_TICK):
            worker: WorkerProcess[Task] = key.data
            if events & EVENT_WRITE:
                worker.flush()
                worker.since = monotonic()  # a worker that reads is not at work yet
                self.watch(worker)
            if events & EVENT_READ and worker.receive():
                self.take(worker)
            if worker.ended:
                self.mourn(worker)

    def take(self, worker: WorkerProcess[Task]) -> None:
        """Take the answers that a worker has sent."""
        for number, kind, content in worker.answers():
            now = monotonic()
            if kind == BROKEN:
                _, message, traceback = pickle.loads(content)
                self.stop(RuntimeError(f"workers cannot start: {message}"), traceback)
            elif kind == READY:
                self.greet(worker)
            else:
                self.outcomes.append((worker.tasks.pop(number), read_outcome(kind, content)))
                worker.quick = now - worker.since < _TICK
                if self.memory is not None:
                    worker.at_rest = worker.resident()
            worker.since = now

    def greet(self, worker: WorkerProcess[Task]) -> None:
        """Note that a worker is ready, and whether it has room to work."""
        worker.ready = True
        self.failed_starts = 0
        worker.at_start = worker.at_rest = worker.resident()
        if self.memory is not None and worker.at_start >= self.memory:
            self.stop(
                ValueError(
                    f"memory={self.memory} is too little: a worker has {_megabytes(worker.at_start)} before its first "
                    "task; give more, or None."
                )
            )

    def stop(self, error: Exception, traceback: str = "") -> None:
        """Give out no more tasks; the error is raised when those under way are done."""
        if self.error is None:
            self.error = error
            if traceback:
                error.add_note(f"In the worker:\n{traceback}")

    def inspect(self) -> None:
        """Look for workers that have died unheard, broken a limit, or keep a task waiting."""
        self.inspected = now = monotonic()
        for worker in list(self.workers):
            elapsed = now - worker.since
            if worker.is_dead():
                self.mourn(worker)
            elif not worker.ready:
                if self.timeout is not None and elapsed > self.timeout + _START:
                    self.mourn(worker)
            elif worker.tasks and not worker.inbox:  # an answer on its way means that the task is done
                if self.timeout is not None and elapsed > self.timeout:
                    self.fail(worker, Failure("timeout", f"took longer than timeout={self.timeout:g} seconds"))
                elif self.memory is not None and (used := worker.resident()) > self.memory:
                    self.relieve(worker, used, self.memory)
                elif len(worker.tasks) > 1 and elapsed > _TICK:
                    worker.quick = False
                    self.returned.extend(worker.take_back())

    def bury(self, worker: WorkerProcess[Task]) -> str:
        """End a worker, take what it had done, and return what became of it; `tasks` keeps only the one it was at."""
        self.workers.remove(worker)
        self.selector.unregister(worker.channel)
        end = worker.end()
        while worker.receive():
            self.take(worker)
        self.returned.extend(worker.take_back())
        worker.close()
        return end

    def mourn(self, worker: WorkerProcess[Task]) -> None:
        """Note the death of a worker."""
        end = self.bury(worker)
        if not worker.ready:
            self.failed_starts += 1
            if self.failed_starts >= _FAILED_STARTS:
                self.stop(RuntimeError(f"workers cannot start: the last {self.failed_starts} did not live; one {end}."))
        for task in worker.tasks.values():
            self.lose(task, end, killed=worker.was_killed())

    def lose(self, task: Task, end: str, *, killed: bool) -> None:
        """Note that a worker has died at a task, which is tried once more if someone had killed the worker."""
        again = any(one is task for one in self.tried)
        if killed and not again:
            self.tried.append(task)
            self.returned.append(task)
        else:
            times = "; it was tried 2 times" if again else ""
            self.outcomes.append((task, Failure("died", f"the worker process {end}{times}")))

    def fail(self, worker: WorkerProcess[Task], failure: Failure) -> None:
        """End a worker because of what it is doing."""
        at_fault = next(iter(worker.tasks))
        self.bury(worker)
        for number, task in worker.tasks.items():
            if number == at_fault:
                self.outcomes.append((task, failure))
            else:  # begun in the moment between the look and the end
                self.returned.append(task)

    def relieve(self, worker: WorkerProcess[Task], used: int, memory: int) -> None:
        """End a worker that has too much memory; its task is to blame unless earlier ones had left much of it."""
        if worker.at_rest - worker.at_start <= (memory - worker.at_start) / 4:
            message = f"needed {_megabytes(used)} of memory or more, but memory={memory} allows {_megabytes(memory)}"
            self.fail(worker, Failure("memory", message))
            return
        self.bury(worker)
        for task in worker.tasks.values():
            self.hand_over(self.start(), task, pickle.dumps(task, pickle.HIGHEST_PROTOCOL))

    def dismiss(self) -> None:
        """Let the workers leave in their own time, though not much of it."""
        for worker in self.workers:
            worker.dismiss()
        end = monotonic() + _FAREWELL
        while monotonic() < end and not all(worker.is_dead() for worker in self.workers):
            sleep(0.002)

    def disband(self) -> None:
        """End all workers that are left."""
        for worker in self.workers:
            worker.kill()
        for worker in self.workers:
            worker.end()
            worker.close()
        self.workers.clear()


def read_outcome(kind: int, content: memoryview) -> Any:
    """Return the result or the failure that a worker has sent."""
    try:
        read = pickle.loads(content)
    except Exception as error:
        return Failure(*describe_error(error, "The result cannot be read: "))
    return read if kind == DONE else Failure(*read)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
