"""A worker process as its parent sees it: started, given tasks, and ended with all processes that it has started."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from covey.study import worker as script

if TYPE_CHECKING:
    from covey.study.tasks import Job

Task = TypeVar("Task")

# One thread per worker, for every library that has threads of its own. They ask when they are loaded.
ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "BLIS_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "POLARS_MAX_THREADS",
        "LOKY_MAX_CPU_COUNT",  # so that n_jobs=-1 means 1
    ),
    "1",
)

_HEAD = struct.Struct(script.HEAD)
# Signals by which others end a worker: a user, or the system when memory runs out.
_KILLED = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


class Worker(Generic[Task]):
    """A process that carries out tasks one after the other.

    It is started with `subprocess`, not with `multiprocessing`: a fork would copy the locks of BLAS and OpenMP threads,
    "forkserver" and "spawn" run the user's script once more (so that it needs a guard) and leave helper processes
    behind, and either would import the whole of `covey.study` before the number of threads could be set.
    """

    def __init__(self, setup: bytes, job: Job[Task]) -> None:
        self.job: Job[Task] | None = job
        self.ready = False
        self.since = monotonic()  # when it was started, or given its task
        self.at_start = self.at_rest = 0  # bytes that it had before its first task, and after its last
        self.connection, channel = socket.socketpair()
        read_end, write_end = os.pipe()
        self.pipe = os.fdopen(write_end, "wb", buffering=0)
        with channel, os.fdopen(read_end, "rb", buffering=0):
            passed = (channel.fileno(), read_end)
            self.process = Popen(
                [sys.executable, "-P", script.__file__, *map(str, (os.getpid(), *passed))],
                stdin=DEVNULL,
                pass_fds=passed,
                env=os.environ | ONE_THREAD,
                process_group=0,  # so that its own children can be ended with it, and Ctrl-C does not reach it
            )
        self._send((sys.path, setup))

    def give(self, job: Job[Task]) -> None:
        """Give it a task; it must be ready."""
        self.job = job
        self._send(job.content)
        self.since = monotonic()

    def receive(self) -> tuple[int, bytes]:
        """Return the kind and the content of its next message; EOFError if there is none, for it has ended."""
        kind, size = _HEAD.unpack(self._read(_HEAD.size))
        return kind, self._read(size)

    def _read(self, size: int) -> bytes:
        """Read so many bytes and no more: what is left is seen by those who wait for messages."""
        content = bytearray(size)
        view, place = memoryview(content), 0
        while place < size:
            count = self.connection.recv_into(view[place:])
            if not count:
                raise EOFError
            place += count
        return bytes(content)

    def _send(self, message: Any) -> None:
        with suppress(OSError):  # it has ended, which is noticed where answers are read
            self.connection.sendall(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    def has_ended(self) -> bool:
        """Return whether it has ended; its connection may still be open in a child of its own."""
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self.process.poll() is not None
        # Its exit status is left to be taken by `stop`: until then no other process can get its number.
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def was_killed(self) -> bool:
        """Return whether someone else has ended it, not a fault or the end of its own."""
        return -(self.process.returncode or 0) in _KILLED

    def resident(self) -> int:
        """Return the bytes of memory that it has."""
        return resident_bytes(self.process.pid)

    def kill(self) -> None:
        """End it and its children without waiting for it."""
        if self.process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def stop(self) -> str:
        """End it and its children, if it has not ended by itself, and return in words how it ended."""
        self.kill()
        for opened in (self.connection, self.pipe):
            opened.close()
        try:
            status = self.process.wait(10)
        except TimeoutExpired:  # stuck in the kernel; it ends when it leaves there
            return "did not end"
        if status >= 0:
            return f"exited with status {status}"
        names = {int(known): known.name for known in signal.Signals}
        return f"was ended by signal {-status} ({names.get(-status, 'unknown')})"


def resident_bytes(process: int) -> int:
    """Return the bytes of memory that a process has, 0 if there is none of that number."""
    try:
        return int(Path(f"/proc/{process}/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (FileNotFoundError, ProcessLookupError):
        return 0
