"""Independent tasks on a Dask cluster, whose workers may come, go and die."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from itertools import chain
from operator import index
from typing import Any, TypeVar

from covey.study.cluster_crew import ClusterCrew
from covey.study.cluster_link import ClusterLostError, Link, describe
from covey.study.cluster_worker import Order
from covey.study.local_cluster import LocalCluster
from covey.study.pool import Failure, check_limits, pickle_setup
from covey.study.record import usable_cores

Task = TypeVar("Task")
Result = TypeVar("Result")

__all__ = ["ClusterLostError", "Failure", "run_on_cluster"]

# What a scheduler may take to answer at first, and to take leave, in seconds.
_CONNECT = 30.0
_FAREWELL = 30.0

_ADDRESS = re.compile(r"([a-z]+://)?(\[[0-9a-fA-F:.]+\]|[^\s/:]+):\d{1,5}/?")


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
    retries: int = 3,
) -> Generator[tuple[Task, Result | Failure], None, None]:
    """Carry out tasks on a Dask cluster, and yield them with their results as they finish.

    Tasks are asked for only when a worker is free or about to be, and each comes back once, however workers fare. They
    are begun in the order of `tasks`. When the generator is closed or left by an exception such as KeyboardInterrupt,
    a local cluster is ended at once; workers elsewhere finish the task that they are at, and nobody hears of it.

    Parameters
    ----------
    work : callable
        Takes a task and returns its result. A function of a module that the workers can import.
    tasks : iterable
        What can be pickled. If it raises, the tasks under way are finished before the error goes on to the caller.
    cluster : str
        "local" for a cluster of processes of one thread each on this machine, for the time of this call; or the address
        of a scheduler, such as "tcp://192.0.2.1:8786".
    shared : mapping of str to object
        What tasks need beside themselves, such as datasets: each is sent to a worker once, when the first task there
        needs it, and again only when it has needed eight others since. `covey.study.holding.held` gives it to the work.
    share_of : callable
        Takes a task and returns the name of the object that it needs, or "" for none.
    n_workers : int, optional
        Processes of the local cluster; one for each core by default. A cluster elsewhere has its own.
    timeout, memory : float, int, optional
        Limits of a task, as `run_tasks` has them. Each task is then carried out in a process of its own on its worker,
        which takes a second or two to start, and longer with large data, which it is handed each time.
    retries : int, default=3
        How often a task is tried again whose worker was lost. One that raises an error is not.

    Yields
    ------
    task, result : tuple
        The object that `tasks` gave, and what the work returned or a `Failure`.

    Raises
    ------
    ClusterLostError
        The scheduler is gone.
    ConnectionError
        There is none at the address.
    RuntimeError
        There are no workers for a minute, or those that are there have another version of covey or cannot import the
        work. (A worker like that which joins later is left out, with a warning.)
    ImportError
        Dask is not installed.
    ValueError, TypeError
        An argument is wrong.

    Notes
    -----
    Workers should have one thread each (``dask worker ADDRESS --nworkers N --nthreads 1``). On one with more, each task
    gets a process of its own, since threads share the way in which Python records warnings. A scheduler elsewhere takes
    a worker for dead that has not been heard of for five minutes (Dask's ``distributed.scheduler.worker-ttl``), as may
    happen to work that never lets other threads run; a process of its own, and so a limit, avoids that.
    """
    count = check_limits(usable_cores() if n_workers is None else n_workers, timeout, memory)
    if isinstance(retries, bool) or index(retries) < 0:
        raise ValueError(f"retries={retries!r} must be an integer of at least 0.")
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
    _, content = pickle.loads(pickle_setup(work, None, ()))
    return _run(cluster, count, Order(content, timeout, memory), iter(tasks), shared, share_of, index(retries))


def _run(
    cluster: str,
    n_workers: int,
    order: Order,
    tasks: Iterator[Any],
    shared: Mapping[str, Any],
    share_of: Callable[[Any], str],
    retries: int,
) -> Generator[tuple[Any, Any], None, None]:
    for first in tasks:  # no task, no cluster
        with ExitStack() as stack:
            address = stack.enter_context(LocalCluster(n_workers)).address if cluster == "local" else cluster
            stack.enter_context(_quiet())
            link = stack.enter_context(_connection(address))
            yield from ClusterCrew(link, order, chain([first], tasks), shared, share_of, retries).run()


@contextmanager
def _connection(address: str) -> Iterator[Link]:
    """Connect with a scheduler, and leave it whatever it is busy with."""
    import distributed

    with ThreadPoolExecutor(1) as elsewhere:  # this thread may have an event loop already
        trouble = elsewhere.submit(asyncio.run, _knock(address)).result()
    if trouble:
        raise ConnectionError(
            f"no Dask scheduler answers at cluster={address!r} within {_CONNECT:g} seconds ({trouble}); start one with "
            "`dask scheduler` and give the address that it prints, or give cluster='local'."
        )
    start: Any = distributed.Client
    client = start(address, timeout=_CONNECT, set_as_default=False)
    link = Link(client)
    try:
        yield link
    finally:
        link.close()
        with suppress(Exception):  # what is left of a connection that has broken
            client.close(_FAREWELL)


async def _knock(address: str) -> str:
    """Return why no scheduler answers, or "" if one does; a client of Dask would wait for ever in some cases."""
    from distributed import Security, rpc

    security: Any = Security
    scheduler: Any = rpc
    scheduler = scheduler(address, timeout=_CONNECT, connection_args=security().get_connection_args("client"))
    try:
        found = await asyncio.wait_for(scheduler.identity(), _CONNECT)
        return "" if found["type"] == "Scheduler" else f"there is a {found['type']}"
    except Exception as error:
        return describe(error)
    finally:
        await scheduler.close_rpc()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's log out of the terminal: what is wrong is said by errors and failures."""
    import distributed  # noqa: F401  sets up its loggers

    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled
