"""What Dask workers do for `run_on_cluster`: tell what they are, unpack shared data, and carry out tasks."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import lru_cache, partial
from time import perf_counter
from typing import Any, Literal, NamedTuple

from threadpoolctl import ThreadpoolController

from covey.study.holding import hold, holding
from covey.study.pool import Failure, run_tasks
from covey.study.process import ONE_THREAD
from covey.study.record import versions
from covey.study.worker import BROKEN, FAILED, attempt, describe_error

# Packages that may change results, beside covey itself.
PACKAGES = ("numpy", "scikit-learn", "pandas")

# Seconds that no task takes: with this limit it gets a process of its own, and all the time that it needs.
_EVER = 1e9

_modules_seen = 0


class Introduction(NamedTuple):
    """What a worker says of itself: the versions that it has, and why it cannot do the work, if it cannot."""

    software: dict[str, str]
    trouble: str


class Order(NamedTuple):
    """What all tasks have in common; each worker has one, and calls it.

    A scheduler reads what it is to pass on. So it is given an order as bytes, and calls of functions of Python alone:
    it need not have covey, and is not kept busy with loading it.

    Parameters
    ----------
    work : bytes
        The function, pickled as the pool does.
    timeout, memory
        Limits of a task.
    """

    work: bytes
    timeout: float | None
    memory: int | None

    def __call__(self, what: Literal["unpack", "carry out"], *arguments: Any) -> Any:
        """Unpack shared data, or carry out a task."""
        if what == "unpack":
            return unpack(*arguments)
        return carry_out(self, *arguments)


class Unreadable(NamedTuple):
    """What takes the place of shared data that cannot be read on a worker."""

    reason: str
    message: str
    traceback: str


class Answer(NamedTuple):
    """What became of a task: an answer as the pool's workers give, and how long it took."""

    kind: int
    content: bytes
    seconds: float


def introduce(work: bytes) -> Introduction:
    """Say what this worker has, and whether it can read the work."""
    try:
        _read_work(work)
    except Exception as error:
        return Introduction(versions(PACKAGES), describe_error(error)[1])
    return Introduction(versions(PACKAGES), "")


def unpack(content: bytes) -> Any:
    """Return shared data, which Dask keeps here for the tasks to come."""
    try:
        return pickle.loads(content)
    except Exception as error:
        return Unreadable(*describe_error(error, "The data cannot be read in a worker: "))


def carry_out(order: Order, task: bytes, name: str, data: Any, apart: bool) -> Answer:
    """Carry out a task, and return what became of it; nothing is raised.

    Parameters
    ----------
    order : Order
    task : bytes
        Pickled.
    name, data
        What the task needs, and is held while it runs; no data if the name is "".
    apart : bool
        Whether it needs a process of its own, as it does where there are limits or other threads.
    """
    began = perf_counter()
    if isinstance(data, Unreadable):
        return Answer(FAILED, pickle.dumps(tuple(data)), 0.0)
    mapping = {name: data} if name else {}
    if apart:
        kind, content = _carry_out_apart(order, task, mapping)
    else:
        _keep_to_one_thread()
        with holding(mapping) if mapping else nullcontext():
            kind, content = attempt(partial(_do, order.work), task)  # type: ignore[arg-type]
    return Answer(kind, content, perf_counter() - began)


def _carry_out_apart(order: Order, task: bytes, mapping: dict[str, Any]) -> tuple[int, bytes]:
    """Carry out a task in a process of its own, which can be ended."""
    timeout = order.timeout
    if timeout is None and order.memory is None:
        timeout = _EVER
    running = run_tasks(
        partial(_attempt_apart, order.work),
        [task],
        n_workers=1,
        timeout=timeout,
        memory=order.memory,
        initializer=_prepare,
        initargs=(order.work, mapping),
    )
    try:
        ((_, outcome),) = running
    except Exception as error:  # not the task's fault
        return BROKEN, pickle.dumps((isinstance(error, ValueError), str(error)))
    if isinstance(outcome, Failure):
        return FAILED, pickle.dumps((outcome.reason, outcome.message, outcome.traceback))
    return outcome


def _prepare(work: bytes, mapping: dict[str, Any]) -> None:
    """Read in a new process what a task needs, so that it does not count as the task's time."""
    hold(mapping)
    _read_work(work)


def _attempt_apart(work: bytes, task: bytes) -> tuple[int, bytes]:
    return attempt(partial(_do, work), task)  # type: ignore[arg-type]


def _do(work: bytes, task: Any) -> Any:
    return _read_work(work)(task)


@lru_cache(maxsize=2)
def _read_work(work: bytes) -> Callable[[Any], Any]:
    return pickle.loads(work)[0]  # type: ignore[no-any-return]


def _keep_to_one_thread() -> None:
    """Keep the libraries that are loaded to one thread, and tell it to those to come."""
    global _modules_seen
    if _modules_seen != len(sys.modules):  # with modules come libraries
        os.environ.update(ONE_THREAD)
        ThreadpoolController().limit(limits=1)
        _modules_seen = len(sys.modules)
