"""What a worker process of the pool runs.

A script of the standard library alone: it starts in a few hundredths of a second, and loads NumPy or covey only when
the work that it is given needs them. `covey.study.process` starts it and speaks with it.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import sys
from collections.abc import Callable
from struct import Struct
from typing import Any, Literal

# Before each message: its number and its size, from the parent; number, kind and size, from the worker.
ORDER = Struct("<QQ")
ANSWER = Struct("<QBQ")

# Whoever takes a task's number out of the pipe of claims, the worker to begin it or the parent to take it back, has it.
CLAIM = Struct("<Q")

READY, BROKEN, DONE, FAILED = range(4)

# How often a worker that waits asks whether its parent is alive, in seconds.
_PATIENCE = 1.0


class Link:
    """A worker's connection with its parent.

    Parameters
    ----------
    channel : socket
        Carries messages both ways.
    claims : int
        Descriptor of the pipe of claims.
    parent : int
        The parent's process id.
    """

    def __init__(self, channel: socket.socket, claims: int, parent: int) -> None:
        self.channel = channel
        self.claims = claims
        self.parent = parent
        self.claimed = -1
        channel.settimeout(_PATIENCE)

    def next_task(self) -> tuple[int, bytearray]:
        """Return the number of the next task that the parent has not taken back, and the task as bytes.

        It is claimed before it is read, so that a task that cannot even be read does not go from worker to worker.
        """
        while True:
            number, size = ORDER.unpack(self.read(ORDER.size))
            mine = self.claim(number)
            task = self.read(size)
            if mine:
                return number, task

    def claim(self, number: int) -> bool:
        """Return whether a task is still this worker's; a later task's claim is kept until its turn comes."""
        if self.claimed < number:
            try:
                (self.claimed,) = CLAIM.unpack(os.read(self.claims, CLAIM.size))
            except BlockingIOError:
                return False
        return self.claimed == number

    def read(self, size: int) -> bytearray:
        """Wait for so many bytes."""
        data = bytearray(size)
        rest = memoryview(data)
        while rest:
            try:
                count = self.channel.recv_into(rest)
            except TimeoutError:
                self.check_parent()
                continue
            if not count:
                sys.exit()
            rest = rest[count:]
        return data

    def send(self, number: int, kind: int, content: bytes = b"") -> None:
        """Send a message, however long the parent takes to read it."""
        head = ANSWER.pack(number, kind, len(content))
        # One call for a small message, no copy of a big one.
        for part in (head + content,) if len(content) < 65536 else (head, content):
            rest = memoryview(part)
            while rest:
                try:
                    rest = rest[self.channel.send(rest) :]
                except TimeoutError:
                    self.check_parent()
                except OSError:
                    sys.exit()

    def check_parent(self) -> None:
        """Leave if the parent is gone; where it has forked, its ends of sockets and pipes may outlive it."""
        if os.getppid() != self.parent:
            os._exit(1)


def end_with_parent(lifeline: int, parent: int) -> None:
    """Have the kernel end this process and its children when the parent is gone, whatever they are busy with.

    The parent holds the other end of the pipe and writes nothing: when it is closed, a signal goes to this process
    group. A thread could not do it while some library holds Python's global lock. (Nor does Linux's "parent death
    signal": it tells of the thread that started a process, which may end long before the parent.)
    """
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    if os.getppid() != parent:
        os._exit(1)


def describe_error(error: BaseException, said: str = "") -> tuple[Literal["raised", "memory"], str, str]:
    """Return why a task failed ("raised" or "memory"), the error in a line, and its traceback, all as text.

    Errors themselves do not travel: many cannot be pickled, or not be read where their class is unknown.
    """
    import traceback

    reason: Literal["raised", "memory"] = "memory" if isinstance(error, MemoryError) else "raised"
    try:
        text = str(error)
    except Exception:
        text = "(an error that cannot be written as text)"
    name = type(error).__name__
    message = f"{said}{name}: {text}" if text else f"{said}{name}"
    return reason, message, "".join(traceback.format_exception(error))


def attempt(work: Callable[[Any], Any], content: bytearray) -> tuple[int, bytes]:
    """Carry out a task, and return the kind of answer and its content."""
    said = "The task cannot be read in a worker: "
    try:
        task = pickle.loads(content)
        said = ""
        result = work(task)
        said = "The result cannot be pickled: "
        return DONE, pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
    except KeyboardInterrupt:  # nothing is wrong with the task
        raise
    except BaseException as error:
        if error.__traceback__ is not None:
            error.__traceback__ = error.__traceback__.tb_next or error.__traceback__
        return FAILED, pickle.dumps(describe_error(error, said))


def set_up(link: Link) -> Callable[[Any], Any]:
    """Read what the tasks have in common, and return the work."""
    _, size = ORDER.unpack(link.read(ORDER.size))
    sys.path[:], content = pickle.loads(link.read(size))
    work, initializer, initargs = pickle.loads(content)
    if initializer is not None:
        initializer(*initargs)
    return work  # type: ignore[no-any-return]


def main(parent: int, channel: int, claims: int, lifeline: int) -> None:
    """Carry out tasks until the parent has no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for descriptor in (channel, claims, lifeline):
        os.set_inheritable(descriptor, False)
    end_with_parent(lifeline, parent)
    link = Link(socket.socket(fileno=channel), claims, parent)
    try:
        work = set_up(link)
    except BaseException as error:
        link.send(0, BROKEN, pickle.dumps(describe_error(error)))
        return
    link.send(0, READY)
    while True:
        number, content = link.next_task()
        try:
            answer = attempt(work, content)
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
            return
        del content
        link.send(number, *answer)
        del answer


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
