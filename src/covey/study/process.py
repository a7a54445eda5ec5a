"""The parent's hold on a worker process: giving it tasks, taking them back, hearing from it and ending it."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from typing import Generic, TypeVar

from covey.study import worker as child
from covey.study.worker import ANSWER, CLAIM, ORDER

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

# Signals by which others end a worker: someone who has had enough of it, or the system when memory runs out.
_KILLED = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)

_CHUNK = 1 << 20


class WorkerProcess(Generic[Task]):
    """A process that carries out tasks one after the other.

    It is started with `subprocess`, not with `multiprocessing`: a fork would copy the locks of BLAS and OpenMP threads,
    "forkserver" and "spawn" run the user's script once more (so that it needs a guard) and leave helper processes
    behind, and either would import the whole of `covey.study` before the number of threads could be set.

    Parameters
    ----------
    setup : bytes
        The first message: what its tasks have in common.
    now : float
        The time.

    Attributes
    ----------
    tasks : dict of int to Task
        What it has been given and not answered, oldest first.
    ready : bool
        Whether it has answered the first message.
    since : float
        When it was started, or began with its first task, or last answered.
    quick : bool
        Whether its last task took next to no time.
    at_start, at_rest : int
        Bytes of memory that it had before its first task, and has after the last one; the pool sets them.
    """

    def __init__(self, setup: bytes, now: float) -> None:
        self.tasks: dict[int, Task] = {}
        self.ready = self.quick = False
        self.since = now
        self.at_start = self.at_rest = 0
        self.ended = False
        self.inbox = bytearray()
        self.outbox: deque[memoryview] = deque()
        with ExitStack() as ours, ExitStack() as theirs:
            self.channel, channel = socket.socketpair()
            ours.callback(self.channel.close)
            theirs.callback(channel.close)
            self.claims, self.offers = os.pipe()
            ours.callback(os.close, self.claims)
            ours.callback(os.close, self.offers)
            lifeline, held = os.pipe()
            ours.callback(os.close, held)
            theirs.callback(os.close, lifeline)
            self.channel.setblocking(False)
            os.set_blocking(self.claims, False)
            passed = (channel.fileno(), self.claims, lifeline)
            self.process = Popen(
                [sys.executable, "-P", child.__file__, *map(str, (os.getpid(), *passed))],
                stdin=DEVNULL,
                pass_fds=passed,
                env=os.environ | ONE_THREAD,
                process_group=0,  # so that its own children can be ended with it, and Ctrl-C does not reach it
            )
            self.closing = ours.pop_all()
        self._send(ORDER.pack(0, len(setup)), setup)

    def give(self, number: int, task: Task, content: bytes) -> None:
        """Give it a task, in pickled form too; never waits."""
        self.tasks[number] = task
        os.write(self.offers, CLAIM.pack(number))
        self._send(ORDER.pack(number, len(content)), content)

    def take_back(self) -> list[Task]:
        """Take back all tasks that it has not begun; it will pass over them."""
        tasks = []
        with suppress(BlockingIOError):
            while True:
                (number,) = CLAIM.unpack(os.read(self.claims, CLAIM.size))
                tasks.append(self.tasks.pop(number))
        return tasks

    def _send(self, head: bytes, content: bytes) -> None:
        parts = (head + content,) if len(content) < _CHUNK else (head, content)
        self.outbox.extend(map(memoryview, parts))
        self.flush()

    def flush(self) -> None:
        """Send as much as it takes at the moment."""
        try:
            while self.outbox:
                rest = self.outbox[0][self.channel.send(self.outbox[0]) :]
                if rest:
                    self.outbox[0] = rest
                else:
                    self.outbox.popleft()
        except BlockingIOError:
            pass
        except OSError:  # it is gone, which `receive` will find out after its last words
            self.outbox.clear()

    def receive(self) -> bool:
        """Read some of what it has sent, if anything; at the end of all `ended` becomes true."""
        try:
            chunk = self.channel.recv(_CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        self.ended = not chunk
        self.inbox += chunk
        return not self.ended

    def answers(self) -> Iterator[tuple[int, int, memoryview]]:
        """Yield number, kind and content of each message that is complete; a content is gone when the next comes."""
        begin = 0
        with memoryview(self.inbox) as inbox:
            while len(inbox) - begin >= ANSWER.size:
                number, kind, size = ANSWER.unpack_from(inbox, begin)
                end = begin + ANSWER.size + size
                if len(inbox) < end:
                    break
                with inbox[begin + ANSWER.size : end] as content:
                    yield number, kind, content
                begin = end
        del self.inbox[:begin]

    def is_dead(self) -> bool:
        """Return whether it has ended; its channel may still be open in a child of its own."""
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self.process.poll() is not None
        try:  # without taking note of it yet: until then no other process can get its number
            return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def resident(self) -> int:
        """Return the bytes of memory that it has now; 0 if it has ended."""
        return resident_bytes(self.process.pid)

    def end(self) -> str:
        """End it and its children, if it has not ended by itself, and return what became of it in words."""
        self.kill()
        try:
            status = self.process.wait(10)
        except TimeoutExpired:  # stuck in the kernel; it ends when it leaves there
            return "did not end"
        if status >= 0:
            return f"exited with status {status}"
        names = {int(known): known.name for known in signal.Signals}
        return f"was ended by signal {-status} ({names.get(-status, 'unknown')})"

    def was_killed(self) -> bool:
        """Return whether it has ended by a signal of someone else, not by a fault or the end of its own."""
        status = self.process.returncode
        return status is not None and -status in _KILLED

    def kill(self) -> None:
        """End it and its children without waiting for it."""
        if self.process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def dismiss(self) -> None:
        """Let it leave by itself: it does so when it has read all."""
        with suppress(OSError):
            self.channel.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close what connects with it."""
        self.closing.close()


def resident_bytes(process: int) -> int:
    """Return the bytes of memory that a process has, 0 if there is none of that number."""
    try:
        return int(Path(f"/proc/{process}/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (FileNotFoundError, ProcessLookupError):
        return 0
