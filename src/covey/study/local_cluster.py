"""A Dask cluster on this machine: scheduler and workers in processes of their own, which end with this one.

Also the script that those processes run. Dask could start workers from this process, but would then run the user's
script once more in each, and leave its words in the terminal and its threads in this process.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen
from threading import Event, Thread
from time import monotonic, sleep
from types import TracebackType
from typing import Any

# What starting all workers may take at most, in seconds.
_START = 300.0
# What processes that were killed may take to be gone, in seconds.
_FAREWELL = 30.0


class LocalCluster:
    """A scheduler and its one-thread workers, for the time of a ``with`` statement.

    Parameters
    ----------
    n_workers : int

    Attributes
    ----------
    address : str
        Of the scheduler.
    directory : str
        Where Dask keeps its files; removed at the end.
    """

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers
        self.address = ""

    def __enter__(self) -> LocalCluster:
        from covey.study.process import ONE_THREAD

        self.directory = tempfile.mkdtemp(prefix="covey-dask-")
        self.process = Popen(
            [sys.executable, "-P", __file__, str(os.getpid())],
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=os.environ | ONE_THREAD,
            process_group=0,  # so that all can be ended at once, and Ctrl-C does not reach them
        )
        try:
            self.address = self._start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def _start(self) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        path = [os.path.abspath(entry) for entry in sys.path]
        order = {"path": path, "n_workers": self.n_workers, "directory": self.directory}
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], _START)
        answer = json.loads((self.process.stdout.readline() if ready else b"") or b"{}")
        if "address" not in answer:
            reason = answer.get("error", f"it has not started within {_START:g} seconds" if not ready else "it ended")
            raise RuntimeError(f"no local Dask cluster of n_workers={self.n_workers} can be started: {reason}")
        return str(answer["address"])

    def _end(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        end = monotonic() + _FAREWELL
        shutil.rmtree(self.directory, ignore_errors=True)
        while os.path.exists(self.directory) and monotonic() < end:  # a worker was just making a file
            sleep(0.05)
            shutil.rmtree(self.directory, ignore_errors=True)


def _end_with_parent(parent: int, directory: str) -> None:
    """Wait until the parent is gone, then end this process and its workers."""
    while os.getppid() == parent:
        ready, _, _ = select.select([sys.stdin], [], [], 1.0)
        if ready and not os.read(0, 1):
            break
    shutil.rmtree(directory, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def _serve(n_workers: int, directory: str) -> str:
    """Start scheduler and workers, and return the address."""
    import dask

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
    import logging

    import distributed

    start: Any = distributed.LocalCluster
    cluster = start(
        n_workers=n_workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,
        local_directory=directory,
        silence_logs=logging.CRITICAL,
    )
    _serve.cluster = cluster  # type: ignore[attr-defined]
    return str(cluster.scheduler_address)


def _read_line() -> bytes:
    """Return the first line of what the parent says, and nothing of the rest."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            sys.exit()
        line += byte
    return line


def main(parent: int) -> None:
    """Start a cluster as the parent says, tell its address, and go on until the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    order = json.loads(_read_line())
    sys.path[:] = order["path"]
    Thread(target=_end_with_parent, args=(parent, order["directory"]), daemon=True).start()
    with os.fdopen(os.dup(1), "w") as answers, open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        try:
            answer = {"address": _serve(order["n_workers"], order["directory"])}
        except BaseException as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)
    Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
