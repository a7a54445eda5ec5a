"""Tasks, and what becomes of them: what the pool of local processes and the Dask cluster have in common.

Both are a function of the work and the tasks that returns a generator of each task with its result or `Failure`.
Closing the generator ends all that is under way, and so does a time `until` which they may run.
"""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from math import isfinite
from operator import index
from time import monotonic
from typing import Any, Generic, Literal, TypeVar

from covey.study.process import resident_bytes
from covey.study.worker import DONE, describe_error

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Failure:
    """Why a task has no result."""

    # The work raised an error; took too long; needed too much memory; or its process ended.
    reason: Literal["raised", "timeout", "memory", "died"]
    message: str  # the same in a sentence, or the error's name and text
    traceback: str = ""  # of an error in the work

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


Outcomes = Generator[tuple[Task, Result | Failure], None, None]


@dataclass(eq=False)
class Job(Generic[Task]):
    """A task, and how often a worker was lost at it."""

    task: Task
    content: bytes  # the same, pickled
    n_lost: int = 0


class JobQueue(Generic[Task, Result]):
    """Tasks that are yet to be begun, and what became of others."""

    def __init__(self, tasks: Iterator[Task], until: float | None = None) -> None:
        self.tasks = tasks
        self.until = until  # on the clock of `time.monotonic`
        self.returned: deque[Job[Task]] = deque()  # to be tried again
        self.outcomes: deque[tuple[Task, Result | Failure]] = deque()
        self.exhausted = False
        self.error: Exception | None = None

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return self.until is not None and monotonic() >= self.until

    def next_job(self) -> Job[Task] | None:
        """Return the next task, if there is one."""
        while self.returned or not self.exhausted:
            if self.returned:
                return self.returned.popleft()
            try:
                task = next(self.tasks)
            except StopIteration:
                self.exhausted = True
                break
            except Exception as error:
                self.stop(error)
                break
            try:
                return Job(task, pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
            except Exception as error:
                self.fail(task, *describe_error(error, "The task cannot be pickled: "))
        return None

    def stop(self, error: Exception) -> None:
        """Begin no more tasks; the error is raised when those under way are done."""
        self.error = self.error or error
        self.exhausted = True
        self.returned.clear()

    def retry(self, job: Job[Task]) -> None:
        """Try a task again, unless no more are begun."""
        if self.error is None:
            self.returned.append(job)

    def fail(self, task: Task, reason: Any, message: str, traceback: str = "") -> None:
        """Note that a task has failed."""
        self.outcomes.append((task, Failure(reason, message, traceback)))


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
    work: Callable[[Any], Any],
    initializer: Callable[..., object] | None = None,
    initargs: tuple[Any, ...] = (),
    watch: Callable[..., object] | None = None,
) -> bytes:
    """Return what workers are told first, refusing what cannot be sent."""
    for name, function in (("work", work), ("initializer", initializer), ("watch", watch)):
        if getattr(function, "__module__", None) == "__main__":
            raise TypeError(f"{name}={function!r} is part of the script that is run; move it to a module of its own.")
    try:
        return pickle.dumps((work, initializer, initargs, watch), pickle.HIGHEST_PROTOCOL)
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
