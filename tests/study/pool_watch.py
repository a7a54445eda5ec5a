"""What tests of the pool see of processes."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from covey.study.pool import run_tasks
from study.pool_work import act

LINUX = Path(f"/proc/self/task/{os.getpid()}/children").exists()
needs_proc = pytest.mark.skipif(not LINUX, reason="needs Linux's /proc")


def children():
    """Return the processes that this one has started and not seen off, dead ones included."""
    started = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that ends while it is looked at
            started.update((task / "children").read_text().split())
    return started


def is_alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def outcomes(tasks, n_workers=2, **limits):
    return dict(run_tasks(act, tasks, n_workers=n_workers, **limits))


def assert_each_once(folder, number):
    counts = Counter(int(name.partition(".")[0]) for name in os.listdir(folder))
    assert counts == dict.fromkeys(range(number), 1)
