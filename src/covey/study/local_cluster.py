"""A Dask cluster on this machine: scheduler and workers in processes of their own, which end with this one.

Dask could start workers from this process, but would then run the user's script once more in each, and leave its words
in the terminal and its threads in this process. So a worker process of the pool starts them.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from covey.study.pool import run_tasks
from covey.study.tasks import Failure

# What starting all workers may take at most, in seconds.
_START = 300.0


@contextmanager
def local_cluster(n_workers: int) -> Iterator[str]:
    """Yield the address of a scheduler with workers of one thread each, which live inside the ``with`` statement."""
    # A worker that is just making a file as it is ended may leave it behind.
    with TemporaryDirectory(prefix="covey-dask-", ignore_cleanup_errors=True) as directory:
        starting = run_tasks(_start, [(n_workers, directory)], n_workers=1, timeout=_START)
        with closing(starting):
            _, address = next(starting)
            if isinstance(address, Failure):
                raise RuntimeError(f"no local Dask cluster of n_workers={n_workers} can be started: {address.message}")
            yield address


def _start(task: tuple[int, str]) -> str:
    """Start a scheduler and its workers in this process group, and return the address."""
    import fcntl

    import dask

    n_workers, directory = task
    with open(os.devnull, "w") as nowhere:
        for output in (1, 2):
            os.dup2(nowhere.fileno(), output)
    pipe = int(sys.argv[3])
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) & ~os.O_ASYNC)
    Thread(target=_end_with_parent, args=(pipe, directory), daemon=True).start()
    settings = {
        "temporary_directory": directory,
        "distributed.worker.profile.enabled": False,
        "distributed.admin.low-level-log-length": 1000,
        # Whoever holds Python's global lock for minutes is not dead, and whoever dies is noticed by its connection.
        "distributed.scheduler.worker-ttl": None,
        # Whoever takes long to start again after a death, on a busy machine, is not given up.
        "distributed.deploy.lost-worker-timeout": "1000 days",
    }
    dask.config.set(settings)
    import distributed

    start: Any = distributed.LocalCluster
    _start.cluster = start(  # type: ignore[attr-defined]  # lives as long as this process
        n_workers=n_workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,
        local_directory=directory,
    )
    return str(_start.cluster.scheduler_address)  # type: ignore[attr-defined]


def _end_with_parent(pipe: int, directory: str) -> None:
    """Wait until the parent is gone, which does nothing but hold the pipe, then end this process and its workers."""
    os.read(pipe, 1)
    shutil.rmtree(directory, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)
