"""Dask schedulers and workers as processes that tests may kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from subprocess import DEVNULL

from study.pool_watch import LINUX, children
from waiting import PATIENCE, wait_until


@contextmanager
def process(*arguments):
    path = os.pathsep.join(entry for entry in sys.path if entry)
    with subprocess.Popen(
        [sys.executable, "-m", *map(str, arguments)],
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        env=os.environ | {"PYTHONPATH": path},
    ) as running:
        try:
            yield running
        finally:
            running.kill()


@contextmanager
def nothing_left_behind(capfd):
    """No process, no thread, no open file and no word remains; they may take a moment to be gone."""

    def there():
        return children() if LINUX else set(), len(os.listdir("/proc/self/fd")) if LINUX else 0, n_threads()

    def n_threads():
        return sum(not thread.daemon or "IO loop" in thread.name for thread in threading.enumerate())

    before = there()
    yield
    # What an earlier test has left to the garbage collector may go meanwhile.
    wait_until(lambda: all(now <= then for now, then in zip(there(), before, strict=True)))
    assert capfd.readouterr() == ("", "")


class Cluster:
    """A scheduler and workers without anyone to restart them."""

    def __init__(self, folder):
        self.folder = folder
        self.stack = ExitStack()

    def __enter__(self):
        told = self.folder / "scheduler.json"
        self.scheduler = self.stack.enter_context(
            process(
                "distributed.cli.dask_scheduler",
                *("--host", "127.0.0.1", "--port", 0, "--dashboard-address", "127.0.0.1:0", "--no-dashboard"),
                *("--scheduler-file", told),
            )
        )
        wait_until(lambda: told.exists() and told.read_text().endswith("}"))
        self.address = json.loads(told.read_text())["address"]
        return self

    def __exit__(self, *error):
        self.stack.close()

    def add_worker(self, n_threads=1):
        return self.stack.enter_context(
            process(
                "distributed.cli.dask_worker",
                *(self.address, "--nthreads", n_threads, "--no-nanny", "--no-dashboard"),
                *("--local-directory", self.folder, "--death-timeout", PATIENCE),
            )
        )
