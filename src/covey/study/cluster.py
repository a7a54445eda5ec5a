"""Independent tasks on a Dask cluster, whose workers may come, go and die."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from itertools import chain
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Generic, TypeVar

from covey.study.cluster_task import PACKAGES
from covey.study.local_cluster import local_cluster
from covey.study.record import versions
from covey.study.tasks import Job, JobQueue, Outcomes, check_limits, pickle_setup, read_outcome
from covey.study.worker import BROKEN
from covey.study.workers import usable_cores

Task = TypeVar("Task")
Result = TypeVar("Result")

# What a scheduler may take to answer at first, when it is connected, and to be left, in seconds.
_CONNECT = 30.0
_PATIENCE = 60.0
_CLOSE = 30.0
# How often the scheduler is asked for its workers, and how long there may be none, in seconds.
_LOOK = 0.5
_ALONE = 60.0
# How often a task is tried again that went with the last copy of its data, or by an error of Dask's. The workers that
# die at a task are counted by Dask itself.
_RETRIES = 10
# How many shared objects the cluster keeps: those used last.
_KEPT = 8

_ADDRESS = re.compile(r"([a-z]+://)?(\[[0-9a-fA-F:.]+\]|[^\s/:]+):\d{1,5}/?")

# A scheduler reads what it passes on, and need not have covey. So it is given bytes, and a call of Python alone.
_CALL = "__import__('covey.study.cluster_task', fromlist=['run_task']).run_task(setup, task, name, data)"


class ClusterLostError(RuntimeError):
    """The scheduler of a Dask cluster is gone."""


def run_on_cluster(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    *,
    cluster: str,
    shared: Mapping[str, Any],
    share_of: Callable[[Task], str],
    n_workers: int | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    until: float | None = None,
) -> Outcomes[Task, Result]:
    """Carry out tasks on a Dask cluster, and yield them with their results as they finish.

    The cluster is "local", for processes of one thread each on this machine for the time of this call, or the address
    of a scheduler. Work, tasks and limits are as `run_tasks` has them. When the generator is closed or left by an
    exception, a local cluster is ended at once; workers elsewhere finish the task that they are at.

    What tasks need beside themselves, such as datasets, is in `shared`: `share_of` returns the name of the object that
    a task needs, or "" for none. Each is sent to the workers once, when the first task needs it, and again only
    when tasks have needed eight others since. `covey.study.cell.cached_dataset` gives it to the work.

    Workers should have one thread each (``dask worker ADDRESS --nworkers N --nthreads 1``). On one with more, and where
    there are limits, each task gets a process of its own, which takes a second or two to start: threads share the
    way in which Python records warnings. A task whose worker is lost is tried again by Dask, as often as its
    scheduler allows (``distributed.scheduler.allowed-failures``, 3 times). A scheduler elsewhere takes a worker for
    dead that has not been heard of for five minutes (``distributed.scheduler.worker-ttl``), as may happen to work
    that never lets other threads run; a process of its own, and so a limit, avoids that.

    Raises
    ------
    ClusterLostError
        The scheduler is gone.
    ConnectionError
        There is none at the address.
    RuntimeError
        There are no workers for a minute, or one has another version of covey or cannot import the work.
    """
    count = check_limits(usable_cores() if n_workers is None else n_workers, timeout, memory)
    if not isinstance(cluster, str):
        raise TypeError(f"cluster={cluster!r} must be 'local' or the address of a Dask scheduler.")
    if cluster != "local" and not _ADDRESS.fullmatch(cluster):
        raise ValueError(
            f"cluster={cluster!r} is no address; give 'local', or what `dask scheduler` prints, such as "
            "'tcp://192.0.2.1:8786'."
        )
    if cluster == "local" and os.name != "posix":
        raise OSError("cluster='local' needs Linux or macOS; give the address of a scheduler, or None.")
    if find_spec("distributed") is None:
        raise ImportError(f'cluster={cluster!r} needs Dask; install it with `pip install "covey[dask]"`.')
    setup = pickle.dumps((pickle_setup(work), timeout, memory))
    return _run(cluster, count, setup, iter(tasks), shared, share_of, until)


def _run(
    cluster: str,
    n_workers: int,
    setup: bytes,
    tasks: Iterator[Task],
    shared: Mapping[str, Any],
    share_of: Callable[[Task], str],
    until: float | None,
) -> Outcomes[Task, Any]:
    for first in tasks:  # no task, no cluster
        if until is not None and monotonic() >= until:
            return
        with ExitStack() as stack:
            address = stack.enter_context(local_cluster(n_workers)) if cluster == "local" else cluster
            stack.enter_context(_quiet())
            client = stack.enter_context(_connection(address))
            yield from _ClusterRun[Task, Any](client, setup, chain([first], tasks), shared, share_of, until).run()


class _ClusterRun(JobQueue[Task, Result], Generic[Task, Result]):
    """One call of `run_on_cluster`: as many tasks are under way as the workers have threads."""

    def __init__(
        self,
        client: Any,
        setup: bytes,
        tasks: Iterator[Task],
        shared: Mapping[str, Any],
        share_of: Callable[[Task], str],
        until: float | None,
    ) -> None:
        super().__init__(tasks, until)
        self.client = client
        self.address = str(client.scheduler.address)
        self.setup = setup
        self.shared = shared
        self.share_of = share_of
        self.jobs: dict[str, tuple[Job[Task], Any]] = {}  # under way with their futures, by the keys of these
        self.done: SimpleQueue[Any] = SimpleQueue()  # futures
        self.data: dict[str, Any] = {}  # futures of the shared objects, those used last at the end
        self.n_threads = 0
        self.looked, self.alone_since = float("-inf"), monotonic()
        self.software = versions(PACKAGES)
        self.warned: set[str] = set()

    def run(self) -> Outcomes[Task, Result]:
        """Yield tasks and what became of them."""
        while True:
            self.look()
            while len(self.jobs) < self.n_threads and (job := self.next_job()) is not None:
                self.submit(job)
            while self.outcomes:
                yield self.outcomes.popleft()
            if self.over:
                return
            if not self.jobs and not self.returned and self.exhausted:
                break
            with suppress(Empty):
                self.take(self.done.get(timeout=_LOOK))
        if self.error is not None:
            raise self.error

    def look(self) -> None:
        """Ask now and then how many threads the workers have."""
        now = monotonic()
        if now - self.looked < _LOOK:
            return
        self.looked = now
        try:
            threads = self.client.sync(self.client.scheduler.ncores, callback_timeout=_PATIENCE)
        except Exception as error:
            raise self.lost(error) from error
        self.n_threads = sum(threads.values())
        if self.n_threads:
            self.alone_since = now
        elif now - self.alone_since > _ALONE:
            raise RuntimeError(
                f"the Dask scheduler at {self.address} has had no workers for {_ALONE:g} seconds; start some with "
                f"`dask worker {self.address} --nthreads 1` and run again."
            )
        if self.n_threads > len(threads):
            self.warn(
                "Dask workers of several threads carry out each task in a process of its own, which takes time to "
                "start; `dask worker ADDRESS --nworkers N --nthreads 1` avoids that."
            )

    def lost(self, error: BaseException) -> ClusterLostError:
        """Return the error for a scheduler that is gone."""
        return ClusterLostError(
            f"the Dask scheduler at {self.address} is lost ({_describe(error)}). What is finished is kept; start a "
            "cluster and run again to go on with the rest."
        )

    def submit(self, job: Job[Task]) -> None:
        """Give a task to Dask, with the shared object that it needs."""
        try:
            name = self.share_of(job.task)
            data = self.send(name) if name else b""
        except TimeoutError:  # the workers have just left
            self.returned.appendleft(job)
            self.n_threads = 0
            return
        except Exception as error:
            self.stop(error)
            return
        arguments = {"setup": self.setup, "task": job.content, "name": name, "data": data}
        future = self.client.submit(eval, _CALL, arguments, pure=False)
        self.jobs[future.key] = job, future
        future.add_done_callback(self.done.put)

    def send(self, name: str) -> Any:
        """Return Dask's future of a shared object, which the workers have or are sent now."""
        data = self.data.pop(name, None)
        if data is None or data.status != "finished":  # never sent, or lost with the workers that had it
            if name not in self.shared:
                raise ValueError(f"share_of names {name!r}, which is not in shared; add it, or return ''.")
            value = self.shared[name]
            try:
                content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
            except Exception as error:
                raise TypeError(f"shared[{name!r}] cannot be sent to workers: {_describe(error)}") from error
            data = self.client.scatter(content, broadcast=True, hash=False)
        self.data[name] = data
        while len(self.data) > _KEPT:
            del self.data[next(iter(self.data))]
        return data

    def take(self, future: Any) -> None:
        """Take what became of a task."""
        job, _ = self.jobs.pop(future.key)
        error: Any
        try:
            answer = future.result()
        except Exception as raised:  # by Dask: the work's own errors are answers
            error = raised
        else:
            self.read(job, *answer)
            return
        if self.client.status != "running":
            raise self.lost(ConnectionError("the connection has ended")) from error
        if type(error).__name__ == "KilledWorker":
            worker, n_tried = error.last_worker.address, error.allowed_failures + 1
            self.fail(job.task, "died", f"the Dask worker at {worker} was lost; it was tried {n_tried} times")
            return
        if isinstance(error, ImportError):
            covey = versions(())["covey"]
            raise RuntimeError(f"a Dask worker cannot import covey {covey} ({_describe(error)}); install that there.")
        job.n_lost += 1
        if job.n_lost <= _RETRIES:
            self.retry(job)
        else:
            why = f"no Dask worker has answered ({_describe(error)})"
            self.fail(job.task, "died", f"{why}; it was tried {job.n_lost} times")

    def read(self, job: Job[Task], kind: int, content: bytes, address: str, software: Mapping[str, str]) -> None:
        """Read what a worker has answered, unless it is not fit for the work."""
        expected, trouble = self.software, ""
        if software["covey"] != expected["covey"]:
            trouble = f"it has covey {software['covey']}, not {expected['covey']}; install the same version there."
        elif kind == BROKEN:
            wrong_argument, trouble = pickle.loads(content)
            if wrong_argument:
                raise ValueError(trouble)
        if trouble:
            raise RuntimeError(f"the Dask worker at {address} cannot take part: {trouble}")
        for package in expected:
            there, here = (".".join(known[package].split(".")[:2]) for known in (software, expected))
            if there != here:
                self.warn(f"Dask workers have {package} {there}, not {here}: results may differ a little.")
        self.outcomes.append((job.task, read_outcome(kind, content)))

    def warn(self, message: str) -> None:
        """Warn once."""
        if message not in self.warned:
            self.warned.add(message)
            warnings.warn(message, UserWarning, stacklevel=2)


@contextmanager
def _connection(address: str) -> Iterator[Any]:
    """Connect with a scheduler, and leave it whatever it is busy with."""
    import distributed

    with ThreadPoolExecutor(1) as elsewhere:  # this thread may have an event loop already
        trouble = elsewhere.submit(asyncio.run, _find_scheduler(address)).result()
    if trouble:
        raise ConnectionError(
            f"no Dask scheduler answers at cluster={address!r} within {_CONNECT:g} seconds ({trouble}); start one with "
            "`dask scheduler` and give the address that it prints, or give cluster='local'."
        )
    start: Any = distributed.Client
    client = start(address, timeout=_CONNECT, set_as_default=False)
    try:
        yield client
    finally:
        with suppress(Exception):  # what is left of a connection that has broken
            client.close(_CLOSE)


async def _find_scheduler(address: str) -> str:
    """Return why no scheduler answers, or "" if one does; a client of Dask waits for ever for one that is silent."""
    from distributed import Security, rpc

    security: Any = Security
    scheduler: Any = rpc
    scheduler = scheduler(address, timeout=_CONNECT, connection_args=security().get_connection_args("client"))
    try:
        identity = await asyncio.wait_for(scheduler.identity(), _CONNECT)
        return "" if identity["type"] == "Scheduler" else f"there is a {identity['type']}"
    except Exception as error:
        return _describe(error)
    finally:
        await scheduler.close_rpc()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's log out of the terminal: what is wrong is said by errors and failures."""
    import distributed  # noqa: F401  sets up its loggers

    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    loggers = [logging.getLogger(name) for name in names if not logging.getLogger(name).disabled]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in loggers:
            logger.disabled = False


def _describe(error: BaseException) -> str:
    """Return name and text of an error."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
